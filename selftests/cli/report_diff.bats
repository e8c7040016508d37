#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# acrctl report --diff: shares, changes and intervals are those that a second implementation computes from script's lines.

bats_require_minimum_version 1.5.0
load helpers

setup()
{
	cd "$BATS_TEST_TMPDIR" || return 1
	export PYTHONPATH=$root/selftests/cli
	printf 'ffffffff81000000 T _text\nffffffff81001000 t inner\nffffffff81002000 t outer\nffffffff81003000 t last\nffffffff81004000 t end\n' > kallsyms
}

# recording FILE INNER OUTER LAST: so many samples in functions of that name, by the Python on stdin afterwards
recording()
{
	{
		cat <<-PYTHON
		from perfdata import *
		f = File()
		f.mmap(0xffffffff, 0xffffffff81000000, 0x1000000, b"[kernel.kallsyms]_text", 0, KERNEL, 0xffffffff81000000)
		f.comm(5, 5, b"prog", 1)
		for number, samples in enumerate(($2, $3, $4)):
		    for i in range(samples):
		        f.sample(0xffffffff81001000 + 0x1000 * number + i % 16, 5, 5, 2 + i, KERNEL)
		PYTHON
		cat
		echo "f.write('$1')"
	} | python3 -B -
}

diff_of() { capture "$acrctl" report --kallsyms kallsyms --diff "$@"; }

@test "acrctl report --diff: shares, changes and 95% intervals are those of a second implementation" {
	recording old.data 300 500 0 < /dev/null
	recording new.data 450 520 9 < /dev/null
	diff_of old.data new.data --json
	is "$status $stderr" "0 "
	for file in old new; do
		"$acrctl" script --kallsyms kallsyms -i $file.data -F sym > $file.syms
	done
	python3 - <<-'PYTHON'
	import collections, json
	from math import sqrt
	from statistics import NormalDist
	normal = NormalDist()
	counts = [collections.Counter(line.strip() for line in open(f + ".syms")) for f in ("old", "new")]
	totals = [sum(c.values()) for c in counts]
	event, = json.load(open("stdout"))["events"]
	assert [event["old"]["samples"], event["new"]["samples"]] == totals == [800, 979]
	names = set(counts[0]) | set(counts[1])
	assert {e["symbol"] for e in event["entries"]} == names and len(event["entries"]) == 3
	differences = []
	for e in event["entries"]:
	    n = [c[e["symbol"]] for c in counts]
	    assert [e["old"]["samples"], e["new"]["samples"]] == n
	    d = 100 * (n[1] / totals[1] - n[0] / totals[0])
	    p = [(x + 1) / (t + 2) for x, t in zip(n, totals)]
	    error = sqrt(sum(q * (1 - q) / (t + 2) for q, t in zip(p, totals)))
	    z = normal.inv_cdf(0.975)
	    low, high = (100 * (p[1] - p[0] + s * z * error) for s in (-1, 1))
	    for got, want in ((e["difference"], d), (e["low"], low), (e["high"], high)):
	        assert abs(got - want) < 1e-3, (e, d, low, high)
	    chance = 2 * (1 - normal.cdf(abs(p[1] - p[0]) / error))
	    assert abs(e["p"] - chance) < 1e-9
	    assert e["significant"] == (low > 0 or high < 0)
	    assert e["significant_among_all"] == (e["significant"] and 3 * chance < 0.05)
	    differences.append(abs(d))
	assert differences == sorted(differences, reverse=True)
	PYTHON
}

@test "acrctl report --diff: text has the same, functions of one file alone, and marks of what is more than chance" {
	recording old.data 300 500 0 < /dev/null
	recording new.data 310 480 20 < /dev/null
	diff_of old.data new.data
	is "$status $stderr" "0 "
	has "$stdout" "# old: 800 samples of event 'event', period 1000"
	has "$stdout" "# new: 810 samples of event 'event', period 1000"
	grep -qE '^ +- +2\.47%  +\+2\.47  +\+1\.34 to  +\+3\.58 \*\*  \[kernel\.kallsyms\] +\[k\] last$' stdout
	grep -qE '^ +37\.50% +38\.27%  +\+0\.77  +-3\.96 to  +\+5\.50     \[kernel\.kallsyms\] +\[k\] inner$' stdout
	# the larger change first
	is "$(grep -oE '(inner|outer|last)$' stdout | paste -sd' ')" "outer last inner"
	diff_of old.data -i new.data --sort sym
	is "$status" 0
	! grep -q 'kernel.kallsyms' stdout || return 1
	diff_of old.data old.data
	is "$(grep '^ ' stdout | awk '{ print $3 }' | sort -u)" +0.00
	! grep '^ ' stdout | grep -q '\*' || return 1
}

@test "acrctl report --diff: samples of several weights tell less than their number" {
	recording old.data 0 0 0 <<-'PYTHON'
	for i in range(40):
	    body = struct.pack("<QQIIQIIQ", 1, 0xffffffff81001000 + 0x1000 * (i % 2), 5, 5, 10 + i, 0, 0, 100000 if i < 4 else 10)
	    f.data.append(struct.pack("<IHH", SAMPLE, KERNEL, 8 + len(body)) + body)
	PYTHON
	recording new.data 20 20 0 < /dev/null
	diff_of old.data new.data --json
	# by hand: 4 of 40 samples have nearly all of the weight, 2 in each function
	python3 - <<-'PYTHON'
	import json
	from math import sqrt
	entry = json.load(open("stdout"))["events"][0]["entries"][0]
	sides = [(2 / 4, 4), (20 / 40, 40)]
	p = [(s * n + 1) / (n + 2) for s, n in sides]
	width = 2 * 1.96 * sqrt(sum(q * (1 - q) / (n + 2) for q, (s, n) in zip(p, sides)))
	assert abs(entry["high"] - entry["low"] - 100 * width) < 0.5, (entry, width)
	PYTHON
}

@test "acrctl report --diff: events are paired by name, then by encoding; others are named or refused" {
	recording old.data 10 20 0 < /dev/null
	recording new.data 10 20 0 <<< 'f.names[0] = b"event,period=7"'
	diff_of old.data new.data
	is "$status $stderr" "0 "
	has "$stdout" "# new: 30 samples of event 'event,period=7'"
	recording other.data 10 20 0 <<-'PYTHON'
	f.names[0] = b"another"
	write = f.write
	def changed(path):
	    write(path)
	    data = open(path, "rb").read()
	    open(path, "wb").write(data.replace(struct.pack("<IIQ", TYPE_RAW, ATTR_SIZE, 0xc0), struct.pack("<IIQ", TYPE_RAW, ATTR_SIZE, 0xc1)))
	f.write = changed
	PYTHON
	diff_of old.data other.data
	is "$status $stdout" "1 "
	is "$stderr" "acrctl: report: --diff: the recordings have no event in common: old.data has 'event'; other.data has 'another'; record the same events"
	recording none.data 0 0 0 < /dev/null
	diff_of old.data none.data
	is "$status" 1
	has "$stderr" "no event has samples in both old.data and none.data"
}

@test "acrctl report --diff: options without effect, two names for a file and a missing one are refused" {
	recording old.data 10 20 0 < /dev/null
	diff_of old.data old.data -g
	is "$status" 2
	has "$stderr" "--diff compares functions, so that -g has no effect"
	diff_of old.data old.data --pprof x
	is "$status" 2
	has "$stderr" "so that --diff has no effect"
	diff_of old.data old.data -i old.data
	is "$status" 2
	has "$stderr" "both name the new recording"
	diff_of - -
	is "$status" 2
	diff_of old.data old.data more
	is "$status" 2
	has "$stderr" "takes no further argument 'more'"
	diff_of missing old.data
	is "$status" 1
	has "$stderr" "missing: No such file or directory"
	capture "$acrctl" report old.data
	is "$status $stderr" "2 acrctl: report: takes no argument 'old.data'; name the file with -i"
	# one of them may come from standard input
	diff_of - old.data < old.data
	is "$status" 0
	has "$stdout" "# old: standard input"
}
