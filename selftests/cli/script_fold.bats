#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# acrctl script --fold: lines for flame graphs, against a naive second way, and as speedscope reads them.

bats_require_minimum_version 1.5.0
load helpers

setup_file()
{
	cd "$BATS_FILE_TMPDIR" || return 1
	printf 'ffffffff81000000 T _text\nffffffff81001000 t inner\nffffffff81002000 t outer\nffffffff81003000 t last\n' > kallsyms
	python3 -B - <<-PYTHON
	import random, sys
	sys.path.insert(0, "$root/selftests/cli")
	from perfdata import *
	random.seed(7)
	f = File()
	f.mmap(0xffffffff, 0xffffffff81000000, 0x1000000, b"[kernel.kallsyms]_text", 0, KERNEL, 0xffffffff81000000)
	for pid, comm in (5, b"prog"), (6, b"other"):
	    f.comm(pid, pid, comm, 1)
	    f.mmap(pid, 0x1000, 0x1000, b"/no/file.so", 1)
	for i in range(400):
	    kernel = [0xffffffff81000000 + 0x1000 * random.randrange(4) + random.randrange(2) for k in range(random.randrange(4))]
	    user = [random.choice([0x1100, 0x1200, 0x9900]) for k in range(random.randrange(1, 6))]
	    pid = random.choice([5, 6, 7])
	    f.sample((kernel + user)[0], pid, pid, 2 + i, KERNEL if kernel else USER,
	             ([CONTEXT_KERNEL] + kernel if kernel else []) + [CONTEXT_USER] + user)
	f.write("chains.data")
	PYTHON
}

setup()
{
	cd "$BATS_TEST_TMPDIR" || return 1
	chains=(-i "$BATS_FILE_TMPDIR/chains.data" --kallsyms "$BATS_FILE_TMPDIR/kallsyms")
}

# make_data FILE: runs the Python on stdin with f, a file of perfdata.py, and writes it
make_data()
{
	{
		printf 'import sys\nsys.path.insert(0, "%s")\nfrom perfdata import *\nf = File()\n' "$root/selftests/cli"
		cat
		printf 'f.write("%s")\n' "$1"
	} | python3 -B -
}

# hostile_data: a recording with names that lines could break at; the functions are in kallsyms
hostile_data()
{
	make_data hostile.data <<-'PYTHON'
	f.mmap(0xffffffff, 0xffffffff81000000, 0x1000000, b"[kernel.kallsyms]_text", 0, KERNEL, 0xffffffff81000000)
	names = [b"a;b", b"new\nline", b"Web Content", b"x 5", b"\x1b[2J", b"\xc3\xa9t\xc3\xa9", b"\xff\xfe", b"\xc2\x9b2J", b"tab\there", b""]
	for i, name in enumerate(names):
	    f.comm(10 + i, 10 + i, name, 1)
	    for n in range(i + 1):
	        f.sample(0xffffffff81001010, 10 + i, 10 + i, 2 + n, KERNEL)
	PYTHON
	printf 'ffffffff81000000 T _text\nffffffff81001000 t in;ner\nffffffff81003000 t last\n' > kallsyms
}

# requires_speedscope: sets packages
requires_speedscope()
{
	command -v npm > /dev/null || skip "npm is not installed"
	packages=$("$root/selftests/cli/npm_packages.sh") || skip "npm cannot fetch packages here"
}

@test "acrctl script --fold: has the stacks that adding up the text of script gives" {
	"$acrctl" script "${chains[@]}" --fold > folded
	"$acrctl" script "${chains[@]}" -F comm,ip,sym,dso > text
	python3 - <<-'PYTHON'
	import collections, re
	want = collections.Counter()
	for part in open("text").read().split("\n\n"):
	    comm, *frames = part.strip("\n").split("\n")
	    if not comm.strip():
	        continue
	    stack = []
	    for frame in frames:
	        ip, sym, dso = re.match(r"\s*([0-9a-f]+) (\S+) \((.*)\)$", frame).groups()
	        if sym == "[unknown]":
	            dso = dso.split("/")[-1]
	            sym = dso if dso.startswith("[") else "[" + dso + "]"
	        stack.append(sym + "_[k]" * (int(ip, 16) >= 1 << 63))
	    want[";".join([comm.strip()] + stack[::-1])] += 1
	lines = open("folded").read().splitlines()
	got = dict(line.rsplit(" ", 1) for line in lines)
	assert len(got) == len(lines) > 100, "a stack is there twice"
	assert {k: int(v) for k, v in got.items()} == want, set(got.items()) ^ {(k, str(v)) for k, v in want.items()}
	assert lines == sorted(lines, key=lambda line: line.rsplit(" ", 1)[0].encode())
	PYTHON
}

@test "acrctl script --fold: speedscope reads every stack with its count" {
	requires_speedscope
	"$acrctl" script "${chains[@]}" --fold > folded
	node "$root/selftests/cli/npm/speedscope.js" "$packages" folded > read.json
	python3 - <<-'PYTHON'
	import collections, json
	want = collections.Counter()
	for line in open("folded"):
	    stack, count = line.rsplit(" ", 1)
	    want[tuple(stack.split(";"))] += int(count)
	profile, = json.load(open("read.json"))
	got = collections.Counter()
	for stack, weight in profile["stacks"]:
	    got[tuple(stack)] += weight
	assert got == want and profile["total"] == 400, (got, want)
	PYTHON
}

@test "acrctl script --fold: no name breaks a line, adds a frame, looks like a count or commands a terminal" {
	hostile_data
	capture "$acrctl" script -i hostile.data --kallsyms kallsyms --fold
	is "$status $stderr" "0 "
	is "$stdout" "$(printf '%s\n' '?2J;in:ner_[k] 8' '??;in:ner_[k] 7' '?[2J;in:ner_[k] 5' 'Web_Content;in:ner_[k] 3' '[unknown];in:ner_[k] 10' \
		'a:b;in:ner_[k] 1' 'new_line;in:ner_[k] 2' 'tab_here;in:ner_[k] 9' 'x_5;in:ner_[k] 4' 'été;in:ner_[k] 6')"
}

@test "acrctl script --fold: speedscope reads hostile names, too" {
	requires_speedscope
	hostile_data
	"$acrctl" script -i hostile.data --kallsyms kallsyms --fold > folded
	node "$root/selftests/cli/npm/speedscope.js" "$packages" folded > read.json
	python3 - <<-'PYTHON'
	import json
	profile, = json.load(open("read.json"))
	assert sorted(weight for stack, weight in profile["stacks"]) == list(range(1, 11)), profile
	assert all(len(stack) == 2 and stack[1] == "in:ner_[k]" for stack, weight in profile["stacks"]), profile
	PYTHON
}

@test "acrctl script --fold: without call chains, or of a virtual machine, a stack is the command and the function" {
	make_data plain.data <<-'PYTHON'
	f.mmap(0xffffffff, 0xffffffff81000000, 0x1000000, b"[kernel.kallsyms]_text", 0, KERNEL, 0xffffffff81000000)
	f.comm(5, 5, b"prog", 1)
	f.sample(0xffffffff81001010, 5, 5, 2, KERNEL)
	f.sample(0xffffffff81001020, 5, 5, 3, KERNEL)
	f.sample(0x1000, 5, 5, 4)
	f.sample(0, 5, 5, 5, GUEST_USER)
	PYTHON
	capture "$acrctl" script -i plain.data --kallsyms "$BATS_FILE_TMPDIR/kallsyms" --fold
	is "$stdout" "prog;[guest] 1
prog;[unknown] 1
prog;inner_[k] 2"
}

@test "acrctl script --fold: events that are sampled together are kept apart by a frame with their names" {
	make_data two.data <<-'PYTHON'
	f.names = [b"first event", b"second"]
	f.comm(5, 5, b"prog", 1)
	f.sample(0x1000, 5, 5, 4)
	f.sample(0x1000, 5, 5, 5)
	body = struct.pack("<QQIIQIIQ", 2, 0x1000, 5, 5, 6, 0, 0, 1000)
	f.data.append(struct.pack("<IHH", SAMPLE, USER, 8 + len(body)) + body)
	PYTHON
	capture "$acrctl" script -i two.data --fold
	is "$stdout" "first_event;prog;[unknown] 2
second;prog;[unknown] 1"
}

@test "acrctl script --fold: prints nothing for a recording without samples, and refuses options without effect" {
	make_data none.data <<< ''
	capture "$acrctl" script -i none.data --fold
	is "$status $stdout" "0 "
	capture "$acrctl" script -i none.data --fold --json
	is "$status" 2
	is "$stderr" "acrctl: script: --fold prints stacks and counts only, so that --json has no effect; leave one out"
	capture "$acrctl" script -i none.data --fold -F ip
	is "$status" 2
	has "$stderr" "so that -F has no effect"
}

@test "acrctl script --fold: a full disk at standard output is an error" {
	run sh -c "'$acrctl' script ${chains[*]} --fold > /dev/full"
	[ "$status" = 1 ]
	has "$output" "part of the output is missing"
}
