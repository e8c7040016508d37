#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# acrctl report --html: the file itself. How browsers show it is in report_html_page.sh.

bats_require_minimum_version 1.5.0
load helpers
load device_helpers

setup_file()
{
	export PYTHONPATH=$root/selftests/cli PYTHONDONTWRITEBYTECODE=1
	build_fixtures
	cd "$BATS_FILE_TMPDIR" || return 1
	cc -O1 -g -no-pie -o program "$root/selftests/cli/html/program.c"
	python3 "$root/selftests/cli/html/make_recording.py" "$PWD/program" plain.data
	python3 "$root/selftests/cli/html/make_odd.py" .
}

setup()
{
	common_setup
	plain=(-i "$BATS_FILE_TMPDIR/plain.data" --kallsyms "$BATS_FILE_TMPDIR/plain.data.kallsyms")
}

# page ARGUMENTS...: page.html, and no message but notes
page() { "$acrctl" report --html page.html "$@" 2> notes; }

# fact TERM: its text in page.html
fact() { sed -n "s|.*<dt>$1</dt><dd>\(.*\)</dd></div>|\1|p" page.html; }

# data FILE: prints the stacks of a page, then its cells, each a line of JSON
data()
{
	python3 - "$1" <<-'PYTHON'
	import base64, re, sys, zlib
	text = open(sys.argv[1]).read()
	for part in "stacks", "cells":
	    packed = re.search(r'<script type="text/plain" id="%s">\n(.*?)</script>' % part, text).group(1)
	    print(zlib.decompress(base64.b64decode(packed)).decode().replace("\n", ""))
	PYTHON
}

@test "acrctl report: --html writes one file that refers to no other and allows only its own script and style" {
	page "${plain[@]}"
	run grep -inE '(src|href|action|srcset|poster|data) *=|@import|url\(|https?:|fetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|import\(' page.html
	[ "$status" = 1 ]
	run grep -inE '<[^>]* (style|on[a-z]+) *=' page.html
	[ "$status" = 1 ]
	python3 - <<-'PYTHON'
	import base64, hashlib, re
	text = open("page.html", "rb").read()
	policy = re.search(rb'http-equiv="Content-Security-Policy" content="([^"]*)"', text).group(1).decode()
	parts = dict(part.split(" ", 1) for part in policy.split("; "))
	assert parts["default-src"] == "'none'", policy
	for name, tag in ("script-src", b"script"), ("style-src", b"style"):
	    body, = re.findall(rb"<%s>(.*?)</%s>" % (tag, tag), text, re.S)
	    digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
	    assert parts[name] == "'sha256-%s'" % digest, (policy, name, digest)
	# what comes before the policy is not under it
	assert text.index(b"Content-Security-Policy") < text.index(b"<style") < text.index(b"<script"), policy
	PYTHON
}

@test "acrctl report: --html has every sample once, at its time, CPU, task and stack" {
	page "${plain[@]}"
	data page.html > data.json
	"$acrctl" script "${plain[@]}" --json > script.json
	python3 - <<-'PYTHON'
	import collections, json
	stacks, cells = (json.loads(line) for line in open("data.json"))
	groups = lambda list, n: [list[i:i + n] for i in range(0, len(list), n)]
	frames, nodes, tasks, places = (groups(stacks[k], n) for k, n in (("frames", 3), ("nodes", 2), ("tasks", 3), ("places", 3)))

	def stack_of(node):
	    names = []
	    while node:
	        names.append(stacks["texts"][frames[nodes[node][0]][0]])
	        node -= nodes[node][1]
	    return tuple(names[:-1])

	got = collections.Counter()
	for bin_, place, *rest in cells:
	    event, cpu, task = places[place]
	    node, rest = 0, iter(rest)
	    for step in rest:
	        node += abs(step)
	        pid, tid, comm = tasks[task]
	        got[bin_, stacks["events"][event]["name"], cpu, pid, tid, stacks["texts"][comm], stack_of(node)] += next(rest) if step < 0 else 1
	want = collections.Counter()
	for s in json.load(open("script.json"))["samples"]:
	    names = tuple(f["sym"] if f["sym"] else "[libpoll.so]" for f in s["chain"])
	    want[(int(s["time"]) - int(stacks["first_ns"])) // stacks["bin_ns"], s["event"], s["cpu"], s["pid"], s["tid"], s["comm"], names] += 1
	assert got == want, (list((got - want).items())[:3], list((want - got).items())[:3])
	assert sum(got.values()) == 4000 and 512 <= stacks["bins"] <= 1024, stacks["bins"]
	PYTHON
}

@test "acrctl report: --html states what was lost, throttled and damaged, and marks it" {
	page "${plain[@]}"
	[ "$(fact 'Lost samples')" = 17 ]
	[[ $(fact Throttled) = "1 (pauses"* ]]
	[ "$(fact Samples)" = 4000 ]
	[ "$(fact 'From first to last sample')" = "1.999500 s" ]
	[ "$(grep -c 'class="warns"><dt>' page.html)" = 2 ]
	head -c 100000 "$BATS_FILE_TMPDIR/plain.data" > cut.data
	page -i cut.data
	[ "$(fact Incomplete)" = "the recording is cut off" ]
}

@test "acrctl report: --html has the condition with its ratio in all of the recording, as JSON has it" {
	FAKE_VALUE=700 fake record -q --acr=software --when 'branch-misses:u / branches:u > 2%' -o recorded.data -- "$busy"
	page -i recorded.data
	[ "$(fact Condition)" = 'branch-misses:u / branches:u &#62; 0.02' ]
	[ "$(fact 'In all of the recording')" = 'branch-misses:u / branches:u = 0.5 (700 / 1400)' ]
	[ "$("$acrctl" report -i recorded.data --json | jq -r '.ratios[] | "\(.name) = \(.value) (\(.a) / \(.b))"')" = \
		"$(fact 'In all of the recording')" ]
	[ -z "$(fact 'Sampled windows')" ]
}

@test "acrctl report: --html states what each window had that hardware sampled, and does not mark it" {
	export ACRCTL_CPUID=GenuineIntel-6-DD-0
	fake record -q --acr=hardware --when 'ipc:u > 2' -o recorded.data -- "$busy"
	page -i recorded.data
	[ "$(fact Samples)" = 10 ]
	[ "$(fact 'Sampled windows')" = "$(fact Samples), each with instructions:u / cycles:u &#62; 2: at least 200000 instructions:u in fewer than 100000 cycles:u" ]
	[ "$(fact 'In all of the recording')" = "instructions:u / cycles:u was not measured: what hardware reloads has no exact count; &#39;acrctl stat --when&#39; with this condition counts both events" ]
	run grep -c 'class="warns"><dt>' page.html
	[ "$output" = 0 ]
}

@test "acrctl report: --html has the condition, command, machine, kernel, CPU and events" {
	fake record -q --when 'ipc:u > 2' -o recorded.data -- "$busy"
	page -i recorded.data
	[ "$(fact Condition)" = 'instructions:u / cycles:u &#62; 2' ]
	[ "$(fact Machine)" = "$(hostname)" ]
	[ "$(fact Kernel)" = "$(uname -r)" ]
	[ "$(fact Architecture)" = "$(uname -m)" ]
	[ "$(fact CPU)" = "$(sed -n 's/^model name\s*: //p' /proc/cpuinfo | head -n 1)" ]
	[[ $(fact 'Recorded by') = *"record -q --when ipc:u &#62; 2 -o recorded.data -- $busy" ]]
	[ "$(grep -c '^<tr><th scope="row">.*</th><td>[0-9]*</td><td>' page.html)" = 2 ]
}

@test "acrctl report: --html makes text of every name: no tag, no script, valid UTF-8, no control character" {
	page -i "$BATS_FILE_TMPDIR/hostile.data" --kallsyms "$BATS_FILE_TMPDIR/hostile.data.kallsyms"
	[ "$(grep -o '<script' page.html | wc -l)" = 3 ]
	[ "$(grep -o '</script' page.html | wc -l)" = 3 ]
	run grep -cE '<img|<b>|<!--[^-]*part' page.html
	[ "$status" = 1 ]
	python3 - <<-'PYTHON'
	import re
	text = open("page.html", encoding="utf-8", errors="strict", newline="").read()
	assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
	assert "&#60;/script&#62;&#60;script&#62;window.hacked=1" in text
	# a long name is cut, and shows it
	assert "x" * 400 + "\u2026" in text and "x" * 401 not in text
	PYTHON
}

@test "acrctl report: --html writes the same to standard output, and reads streams" {
	page "${plain[@]}"
	"$acrctl" report "${plain[@]}" --html - > stdout.html 2> notes
	cmp page.html stdout.html
	"$acrctl" report -i - --kallsyms "$BATS_FILE_TMPDIR/plain.data.kallsyms" --html - < "$BATS_FILE_TMPDIR/plain.data" > stdin.html 2> notes
	# a stream has no path and no time of its end
	diff <(grep -v 'Recorded until\|plain.data' page.html) <(grep -v 'standard input' stdin.html)
}

@test "acrctl report: --html shows recordings without samples, and without chains, times, CPUs and tasks" {
	for name in empty bare timed; do
		page -i "$BATS_FILE_TMPDIR/$name.data"
		data page.html > data.json
		[ -s data.json ]
	done
	[ "$(fact Samples)" = 3 ]
	page -i "$BATS_FILE_TMPDIR/empty.data"
	[[ $(fact Samples) = "0: no event"* ]]
}

@test "acrctl report: --html refuses to go with options for text, and keeps an old file when it fails" {
	for option in --json -g --sort=comm; do
		capture "$acrctl" report "${plain[@]}" --html page.html $option
		is "$status" 2
		has "$stderr" "--html writes everything, so that ${option%%=*} has no effect; leave "
	done
	echo old > page.html
	capture "$acrctl" report -i missing --html page.html
	is "$status" 1
	is "$(cat page.html)" old
	capture "$acrctl" report "${plain[@]}" --html /dev/full
	is "$status" 1
	has "$stderr" "/dev/full: No space left on device; name another file with --html"
	capture "$acrctl" report "${plain[@]}" --html no/such/page.html
	is "$status" 1
	has "$stderr" "no/such/page.html: No such file or directory; name another file with --html"
}
