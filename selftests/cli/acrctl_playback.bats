#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# report and script on synthetic recordings: hostile names, lost records, tasks that come and go, large files, other input.

bats_require_minimum_version 1.5.0
load helpers

setup()
{
	command -v python3 > /dev/null || skip "python3 is not installed"
	cd "$BATS_TEST_TMPDIR" || return 1
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

# A recording with one sample in the kernel, at 0xffffffff81000010
kernel_data()
{
	make_data kernel.data <<-'PYTHON'
	f.mmap(0xffffffff, 0xffffffff81000000, 0x1000000, b"[kernel.kallsyms]_text", 0, KERNEL, 0xffffffff81000000)
	f.comm(5, 5, b"prog", 1)
	f.sample(0xffffffff81000010, 5, 5, 2, KERNEL)
	PYTHON
}

@test "acrctl report: distinguishes functions by their full names, however long" {
	for len in 254 500; do
		a=$(printf "%${len}s" "" | tr ' ' a)
		make_data long.data <<-'PYTHON'
		f.mmap(0xffffffff, 0xffffffff81000000, 0x1000000, b"[kernel.kallsyms]_text", 0, KERNEL, 0xffffffff81000000)
		f.comm(5, 5, b"prog", 1)
		for i in range(3):
		    f.sample(0xffffffff81001010, 5, 5, 2 + i, KERNEL)
		f.sample(0xffffffff81002010, 5, 5, 9, KERNEL)
		PYTHON
		printf 'ffffffff81000000 T _text\nffffffff81001000 t %s1\nffffffff81002000 t %s2\nffffffff81003000 t last\n' "$a" "$a" > kallsyms
		capture "$acrctl" report -i long.data --kallsyms kallsyms --sort sym
		is "$status" 0
		is "$(grep '%' <<< "$stdout")" "    75.00%         3  [k] ${a}1
    25.00%         1  [k] ${a}2"
		capture "$acrctl" report -i long.data --kallsyms kallsyms --sort sym --json
		is "$(python3 -c 'import json; print([(len(x["symbol"]), x["samples"], x["level"])
			for x in json.load(open("stdout"))["events"][0]["entries"]])')" "[($((len + 1)), 3, 'kernel'), ($((len + 1)), 1, 'kernel')]"
	done
}

@test "acrctl report and script: samples of a virtual machine are its own, whatever the host has at their address" {
	make_data guest.data <<-'PYTHON'
	f.mmap(0xffffffff, 0, 0xffffffffffffffff, b"[kernel.kallsyms]_text", 0, KERNEL, 0)
	f.comm(5, 5, b"qemu", 1)
	f.mmap(5, 0, 0x1000000, b"/bin/qemu", 1)
	f.sample(0x1000, 5, 5, 2)
	for mode in GUEST_KERNEL, GUEST_USER, GUEST_USER:
	    f.sample(0, 5, 5, 3, mode)
	PYTHON
	printf '0000000000000000 T _text\nffffffff81003000 t last\n' > kallsyms
	capture "$acrctl" report -i guest.data --kallsyms kallsyms --sort dso,sym
	is "$status" 0
	is "$(grep '%' <<< "$stdout")" "    75.00%         3  [guest]                   [g] [guest]
    25.00%         1  qemu                      [.] 0x0000000000001000"
	capture "$acrctl" report -i guest.data --kallsyms kallsyms --sort sym --json
	is "$(python3 -c 'import json; print([(x["symbol"], x["level"]) for x in json.load(open("stdout"))["events"][0]["entries"]])')" \
		"[('[guest]', 'guest'), ('0x0000000000001000', 'user')]"
	capture "$acrctl" script -i guest.data --kallsyms kallsyms -F sym,dso
	is "$(sort <<< "$stdout" | uniq -c | awk '{ print $1, $2, $3 }')" "3 [guest] ([guest])
1 [unknown] (/bin/qemu)"
}

@test "acrctl report: counts lost samples and lost records about tasks separately" {
	make_data lost.data <<-'PYTHON'
	f.comm(5, 5, b"prog", 1)
	f.lost(1, 3, 2)
	f.lost(2, 50, 3)
	f.sample(0x1000, 5, 5, 4)
	PYTHON
	capture "$acrctl" report -i lost.data
	is "$status" 0
	has "$stdout" "# 1 samples, 3 lost"
	is "$stderr" "acrctl: lost.data: 50 records about tasks and maps were lost; some names may be missing"
	capture "$acrctl" report -i lost.data --json
	is "$(python3 -c 'import json; r = json.load(open("stdout")); print(r["lost"], r["lost_sideband"])')" "3 50"
}

@test "acrctl report -g, script: call chains of kernel and program, from either end" {
	make_data chains.data <<-'PYTHON'
	f.mmap(0xffffffff, 0xffffffff81000000, 0x1000000, b"[kernel.kallsyms]_text", 0, KERNEL, 0xffffffff81000000)
	f.comm(5, 5, b"prog", 1)
	f.mmap(5, 0x1000, 0x1000, b"/no/file", 1)
	f.sample(0xffffffff81001010, 5, 5, 2, KERNEL, [CONTEXT_KERNEL, 0xffffffff81001010, 0xffffffff81002020, CONTEXT_USER, 0x1100, 0x1200])
	for i in range(3):
	    f.sample(0xffffffff81001010, 5, 5, 3 + i, KERNEL, [CONTEXT_KERNEL, 0xffffffff81001010, 0xffffffff81000030])
	PYTHON
	printf 'ffffffff81000000 T _text\nffffffff81001000 t inner\nffffffff81002000 t outer\nffffffff81003000 t last\n' > kallsyms
	capture "$acrctl" report -g -i chains.data --kallsyms kallsyms
	is "$status" 0
	is "$(grep -v '^#' <<< "$stdout")" "   100.00%         4  prog             [kernel.kallsyms]         [k] inner
                         75.00%  [k] _text
                         25.00%  [k] outer
                                   [.] 0x0000000000001100
                                   [.] 0x0000000000001200"
	capture "$acrctl" report --call-graph caller -i chains.data --kallsyms kallsyms
	is "$(grep -v '^#' <<< "$stdout" | awk '{ print $NF }' | xargs)" "inner _text inner 0x0000000000001200 0x0000000000001100 outer inner"
	capture "$acrctl" report -g -i chains.data --kallsyms kallsyms --json
	is "$(jq -c '.events[0].entries[0].callers | map([.depth, .symbol, .samples, .level])' <<< "$stdout")" \
		'[[1,"_text",3,"kernel"],[1,"outer",1,"kernel"],[2,"0x0000000000001100",1,"user"],[3,"0x0000000000001200",1,"user"]]'
	capture "$acrctl" script -i chains.data --kallsyms kallsyms -F ip,sym,dso
	is "$(head -n 6 <<< "$stdout" | sed 's/\t */\t/')" "
	ffffffff81001010 inner ([kernel.kallsyms])
	ffffffff81002020 outer ([kernel.kallsyms])
	1100 [unknown] (/no/file)
	1200 [unknown] (/no/file)"
	capture "$acrctl" script -i chains.data --kallsyms kallsyms -F sym
	is "$(sort <<< "$stdout" | uniq -c | awk '{ print $1, $2 }')" "4 inner"
	capture "$acrctl" script -i chains.data --kallsyms kallsyms --json
	is "$(jq -c '.samples[0].chain | map(.ip)' <<< "$stdout")" '["0xffffffff81001010","0xffffffff81002020","0x1100","0x1200"]'
}

@test "acrctl report -g: trees are what adding up the chains of acrctl script gives" {
	make_data chains.data <<-'PYTHON'
	import random
	random.seed(11)
	f.mmap(0xffffffff, 0xffffffff81000000, 0x1000000, b"[kernel.kallsyms]_text", 0, KERNEL, 0xffffffff81000000)
	f.comm(5, 5, b"prog", 1)
	f.mmap(5, 0x1000, 0x1000, b"/no/file", 1)
	for i in range(400):
	    kernel = [0xffffffff81000000 + 0x1000 * random.randrange(4) + random.randrange(2) for k in range(random.randrange(4))]
	    user = [random.choice([0x1100, 0x1200, 0x9900]) for k in range(random.randrange(1, 6))]
	    f.sample((kernel + user)[0], 5, 5, 2 + i, KERNEL if kernel else USER,
	             ([CONTEXT_KERNEL] + kernel if kernel else []) + [CONTEXT_USER] + user)
	PYTHON
	printf 'ffffffff81000000 T _text\nffffffff81001000 t inner\nffffffff81002000 t outer\nffffffff81003000 t last\n' > kallsyms
	"$acrctl" script -i chains.data --kallsyms kallsyms --json > script.json
	for order in callee caller; do
		"$acrctl" report --call-graph $order -i chains.data --kallsyms kallsyms --sort sym --json > report.json
		"$acrctl" report --call-graph $order -i chains.data --kallsyms kallsyms --sort sym > report
		python3 - $order <<-'PYTHON'
		import collections, json, re, sys
		name = lambda frame: frame["sym"] or "0x%016x" % int(frame["ip"], 16)
		want, got = collections.Counter(), {}
		for sample in json.load(open("script.json"))["samples"]:
		    path = [name(frame) for frame in sample["chain"]]
		    inner, path = path[0], path[1:] if sys.argv[1] == "callee" else path[::-1]
		    want.update((inner, *path[:n + 1]) for n in range(len(path)))
		for entry in json.load(open("report.json"))["events"][0]["entries"]:
		    path = []
		    for node in entry["callers" if sys.argv[1] == "callee" else "callees"]:
		        assert 1 <= node["depth"] <= len(path) + 1, node
		        path = path[:node["depth"] - 1] + [node["symbol"]]
		        assert (entry["symbol"], *path) not in got, path
		        got[(entry["symbol"], *path)] = node["samples"]
		        assert node["period"] == 1000 * node["samples"], node
		assert got == want and len(want) > 100, (got.items() ^ want.items())
		# in text the parts of a function are never more than the function
		above, parts, lines = {}, collections.Counter(), 0
		for line in open("report"):
		    m = re.match(r"( *)([0-9.]+)%", line)
		    if m:
		        column = len(m[1] + m[2])
		        if column < 20:
		            above, column = {}, 0
		        above = {c: v for c, v in above.items() if c < column}
		        if above:
		            parent = above[max(above)]
		            parts[parent] += float(m[2])
		            assert parts[parent] <= parent[0] + 0.05, (line, parent)
		        above[column] = (float(m[2]), lines)
		        lines += 1
		assert lines > 50, lines
		PYTHON
	done
}

@test "acrctl report -g, script: a chain as long as a record can hold" {
	make_data long.data <<-'PYTHON'
	f.comm(5, 5, b"prog", 1)
	for i in range(3):
	    f.sample(0x1000, 5, 5, 2 + i, USER, [CONTEXT_USER] + [0x1000 + n for n in range(8100)])
	PYTHON
	capture "$acrctl" report -g -i long.data --sort sym --json
	is "$status $stderr" "0 "
	is "$(json '.events[0].entries[0].callers | [length, .[-1].depth, .[-1].samples]')" "[8099,8099,3]"
	"$acrctl" report -g -i long.data --sort sym > report
	is "$(grep -c '\[\.\]' report)" 8100
	is "$("$acrctl" script -i long.data -F ip,sym | grep -c unknown)" 24300
}

@test "acrctl report -g: a recording without call chains, and an unknown order" {
	kernel_data
	capture "$acrctl" report -g -i kernel.data
	is "$status" 0
	is "$stderr" "acrctl: kernel.data: its samples have no call chains; record them with 'acrctl record -g'"
	capture "$acrctl" report --call-graph graph -i kernel.data
	is "$status" 2
	is "$stderr" "acrctl: report: --call-graph 'graph' is not known; use callee or caller"
	capture "$acrctl" script -g -i kernel.data
	is "$status" 2
}

@test "acrctl report: damaged call chains are left out" {
	make_data chains.data <<-'PYTHON'
	f.comm(5, 5, b"prog", 1)
	f.sample(0x1000, 5, 5, 2, USER, [CONTEXT_USER, 0x1000, 0x2000])
	f.sample(0x1000, 5, 5, 3, USER, [CONTEXT_USER, 0x1000, 0x2000])
	f.data[-1] = f.data[-1][:56] + struct.pack("<Q", 4) + f.data[-1][64:]
	PYTHON
	capture "$acrctl" report -g -i chains.data
	is "$status" 0
	is "$stderr" "acrctl: chains.data: 1 damaged records were left out"
	is "$(grep -c '100.00%         1' <<< "$stdout")" 1
}

@test "acrctl report, script: code made at run time has the names that its process listed" {
	# beyond any PID of this machine
	pid=$((4194305 + RANDOM))
	make_data jit.data <<-PYTHON
	f.comm($pid, $pid, b"prog", 1)
	f.mmap($pid, 0x1000, 0x1000, b"//anon", 1)
	f.mmap($pid, 0x5000, 0x1000, b"$PWD/jit-$pid.dump", 1)
	f.sample(0x1004, $pid, $pid, 2, USER, [CONTEXT_USER, 0x1004, 0x1010, 0x1020])
	PYTHON
	printf '1000 10 inner one\n1010 10 outer\nthis is none\n' > /tmp/perf-$pid.map
	python3 - $pid <<-'PYTHON'
	import struct, sys
	name = b"dumped\0"
	load = struct.pack("<II4Q", 0, 0, 0, 0x1020, 4, 1) + name + b"code"
	open("jit-%s.dump" % sys.argv[1], "wb").write(struct.pack("<6I2Q", 0x4a695444, 1, 40, 62, 0, 5, 0, 0) +
	                                              struct.pack("<IIQ", 0, 16 + len(load), 0) + load + b"cut")
	PYTHON
	capture "$acrctl" script -i jit.data -F ip,sym,symoff,dso
	rm -f /tmp/perf-$pid.map
	is "$(sed 's/^[ \t]*//' <<< "$stdout")" "
1004 inner one+0x4 (/tmp/perf-$pid.map)
1010 outer+0 (/tmp/perf-$pid.map)
1020 dumped+0 ($PWD/jit-$pid.dump)"
	is "$status $stderr" "0 acrctl: $PWD/jit-$pid.dump: 1 damaged or cut off entries were left out; names of code made at run time may be missing
acrctl: /tmp/perf-$pid.map: 1 damaged or cut off entries were left out; names of code made at run time may be missing"
	rm jit-$pid.dump
	ln -s /dev/zero /tmp/perf-$pid.map
	capture "$acrctl" report -g -i jit.data
	rm -f /tmp/perf-$pid.map
	is "$(grep -c 0x0000000000001004 <<< "$stdout")" 1
	is "$status $stderr" "0 acrctl: $PWD/jit-$pid.dump was not read: No such file or directory; names of code made at run time are missing
acrctl: /tmp/perf-$pid.map was not read: it is a symbolic link; names of code made at run time are missing"
}

@test "acrctl report: lists of compiled functions that are foreign or too large are left out" {
	pid=$((4194305 + RANDOM))
	make_data jit.data <<-PYTHON
	f.comm($pid, $pid, b"prog", 1)
	f.mmap($pid, 0x1000, 0x1000, b"//anon", 1)
	f.sample(0x1004, $pid, $pid, 2, USER)
	PYTHON
	printf '1000 10 listed\n' > /tmp/perf-$pid.map
	truncate -s 257M /tmp/perf-$pid.map
	capture "$acrctl" report -i jit.data
	rm -f /tmp/perf-$pid.map
	is "$(grep -c listed <<< "$stdout")" 0
	is "$status $stderr" "0 acrctl: /tmp/perf-$pid.map was not read: all such lists would exceed 256 MiB, as files or in memory; remove those of other processes; names of code made at run time are missing"
	[ "$(id -u)" = 0 ] || skip "files of other users need root"
	printf '1000 10 listed\n' > /tmp/perf-$pid.map
	chown 12345 /tmp/perf-$pid.map
	capture "$acrctl" report -i jit.data
	rm -f /tmp/perf-$pid.map
	is "$(grep -c listed <<< "$stdout")" 0
	is "$status $stderr" "0 acrctl: /tmp/perf-$pid.map was not read: it belongs to another user; run acrctl as that user, or chown it to root; names of code made at run time are missing"
}

@test "acrctl report, script: pauses of a session are counted and reported" {
	make_data pause.data <<-'PYTHON'
	f.comm(5, 5, b"prog", 1)
	f.pause(1, 2, 3)
	f.sample(0x1000, 5, 5, 4)
	f.pause(1, 5, 6)
	PYTHON
	capture "$acrctl" report -i pause.data
	is "$status" 0
	has "$stdout" "# 1 samples, 0 lost, 2 throttled"
	is "$stderr" "acrctl: pause.data: sampling was paused 2 times as a CPU had reached a limit, and samples are missing; use longer periods"
	capture "$acrctl" report -i pause.data --json
	is "$(python3 -c 'import json; print(json.load(open("stdout"))["pauses"])')" 2
	capture "$acrctl" script -i pause.data
	is "$status" 0
	is "$(wc -l < stdout)" 1
	has "$stderr" "sampling was paused 2 times"
}

@test "acrctl report, script: time of tasks that the event did not count is summed up and reported" {
	make_data times.data <<-'PYTHON'
	# time enabled, time running, id, as in <linux/perf_event.h>
	f.read_format = 1 | 2 | 4
	f.comm(5, 5, b"prog", 1)
	f.read(5, 1000, 2000000000, 500000000, 1)
	f.read(6, 1000, 3000000000, 2500000000, 1)
	f.sample(0x1000, 5, 5, 4)
	PYTHON
	capture "$acrctl" report -i times.data
	is "$status" 0
	has "$stdout" "# counted for 3.000000 s of the 5.000000 s that its tasks ran (60.00%)"
	is "$stderr" "acrctl: times.data: 'event' counted for 3.000000 s of the 5.000000 s that its tasks ran; samples of the rest are missing"
	capture "$acrctl" report -i times.data --json
	is "$(python3 -c 'import json; e = json.load(open("stdout"))["events"][0]; print(e["running_ns"], e["missed_ns"])')" "3000000000 2000000000"
	capture "$acrctl" script -i times.data
	is "$(wc -l < stdout)" 1
	has "$stderr" "'event' counted for 3.000000 s of the 5.000000 s"
}

@test "acrctl report: nothing is said of an event that counted all the time, or of which the file has no times" {
	# format, values: all the time; one time only; values of a group; no record
	for record in "7:1, 5, 5, 1" "1:1, 9" "15:1, 9, 5, 1, 1" "7:"; do
		make_data times.data <<-PYTHON
		f.read_format = ${record%%:*}
		f.comm(5, 5, b"prog", 1)
		if "${record#*:}": f.read(5, ${record#*:})
		f.sample(0x1000, 5, 5, 4)
		PYTHON
		capture "$acrctl" report -i times.data
		is "$status" 0
		is "$(grep -c counted <<< "$stdout")" 0
		is "$stderr" ""
		capture "$acrctl" report -i times.data --json
		is "$(python3 -c 'import json; e = json.load(open("stdout"))["events"][0]; print(e["running_ns"], e["missed_ns"])')" \
			"$([ "$record" = "7:1, 5, 5, 1" ] && echo 5 || echo None) 0"
	done
}

@test "acrctl report, script: print no unprintable byte of a name" {
	make_data escape.data <<-'PYTHON'
	f.names[0] = b"ev\x1b[2J"
	f.comm(5, 5, b"co\x1b]0;x\x07\n", 1)
	f.mmap(5, 0x1000, 0x1000, b"/so\x9b31m\xc3\xa9", 1)
	f.mmap(0xffffffff, 0xffffffff81000000, 0x1000000, b"[kernel.kallsyms]_text", 0, KERNEL, 0xffffffff81000000)
	f.sample(0x1800, 5, 5, 2)
	f.sample(0xffffffff81000010, 5, 5, 3, KERNEL)
	PYTHON
	printf 'ffffffff81000000 T _text\nffffffff81000004 t sy\e[1m\nffffffff81001000 t last\n' > kallsyms
	for command in report script; do
		capture "$acrctl" $command -i escape.data --kallsyms kallsyms
		is "$status" 0
		is "$(LC_ALL=C tr -d '\n -~' <<< "$stdout" | od -An -c)" ""
		has "$stdout" "co?]0;x??"
		has "$stdout" "so?31m??"
		has "$stdout" "sy?[1m"
		has "$stdout" "ev?[2J"
	done
	# columns stay aligned: 15 characters of a name, two blanks
	"$acrctl" report -i escape.data --kallsyms kallsyms | grep -qF '  co?]0;x??        so?31m??  '
	capture "$acrctl" script -i escape.data --kallsyms kallsyms --json -F comm
	has "$stdout" 'co\u001B]0;x\u0007\n'
}

@test "acrctl report, script: an unusable file with --vmlinux or --kallsyms is an error that names it" {
	kernel_data
	printf '0000000000000000 T _text\n0000000000000000 t hidden\n' > hidden
	: > empty
	mkdir dir
	printf 'int x;\n' | cc -x c -shared -nostdlib -s -o nothing.so - 2> /dev/null || : > nothing.so
	for command in report script; do
		while IFS='|' read -r option file reason; do
			capture "$acrctl" $command -i kernel.data "$option" "$file"
			is "$status" 1
			is "$stdout" ""
			has "$stderr" "acrctl: $option $file: $reason"
		done <<-'END'
		--vmlinux|missing|No such file or directory
		--vmlinux|hidden|is not an ELF file
		--vmlinux|dir|is not an ELF file
		--kallsyms|missing|No such file or directory
		--kallsyms|dir|Is a directory
		--kallsyms|empty|holds no functions with addresses
		--kallsyms|hidden|holds no functions with addresses
		END
	done
	printf 'ffffffff81000000 T _text\nffffffff81000008 t found\nffffffff81001000 t last\n' > good
	capture "$acrctl" report -i kernel.data --kallsyms good
	is "$status" 0
	has "$stdout" "[k] found"
}

@test "acrctl report: --vmlinux also resolves a relocated kernel" {
	command -v cc > /dev/null || skip "no compiler is installed"
	kernel_data
	printf '.globl _text\n.type _text,@function\n_text: .skip 8\n.type inner,@function\ninner: .skip 64\n.size inner,64\n' > k.s
	cc -nostdlib -static -Wl,-Ttext=0x400000 -Wl,-e,_text -o vmlinux k.s
	capture "$acrctl" report -i kernel.data --vmlinux vmlinux
	is "$status" 0
	has "$stdout" "[k] inner"
}

@test "acrctl report: a local label of assembly is a name of code, as for perf, unless it is hidden or not in code" {
	command -v cc > /dev/null || skip "no compiler is installed"
	printf '.globl _start\n.type _start,@function\n_start: .skip 32\n.size _start,32\nlabel: .skip 16\n.hidden mark\nmark: .skip 16\n' > p.s
	# at the address of the code, as if an offset in debug information were that
	printf '.section .debug_x,"",@progbits\n.skip 8\noffset: .skip 8\n' >> p.s
	cc -nostdlib -static -Wl,-Ttext=0x10000,--section-start=.debug_x=0x10000 -o labels p.s
	offset=$(readelf -lW labels | awk '$1 == "LOAD" && / R E / { print $2 }')
	make_data labels.data <<-PYTHON
	f.comm(5, 5, b"labels", 1)
	f.mmap2(5, 0x10000, 0x1000, b"$PWD/labels", 2, struct.pack("<IIQQ", 0, 0, 0, 0), USER, $offset)
	for at in (0x10, 0x28, 0x38):
	    f.sample(0x10000 + at, 5, 5, 3)
	PYTHON
	capture "$acrctl" report -i labels.data
	is "$status" 0
	is "$(grep -oE '[0-9]+  labels .*' <<< "$stdout" | awk '{ print $1, $NF }' | sort)" "1 _start
2 label"
}

@test "acrctl report: the build-id bit of a map counts only if its event has build_id set, or a tool wrote the record" {
	command -v cc readelf > /dev/null || skip "no compiler is installed"
	# a program with one function, its build-id and the offset of its code
	printf '.globl _start\n.type _start,@function\n_start: .skip 64\n.size _start,64\n' > p.s
	cc -nostdlib -static -Wl,--build-id=sha1 -o prog p.s
	id=$(readelf -n prog | awk '/Build ID/ { print $3 }')
	offset=$(readelf -lW prog | awk '$1 == "LOAD" && / R E / { print $2 }')
	# contents of the 24 bytes, the event's flags, the record's id, whether the file counts as rebuilt
	while read -r which flags id_ rebuilt; do
		make_data bit.data <<-PYTHON
		which = dict(inode=struct.pack("<IIQQ", 8, 1, 0x123456789, 0), same=struct.pack("<I", 20) + bytes.fromhex("$id"),
		             other=struct.pack("<I", 20) + b"x" * 20)["$which"]
		f.flags |= $flags
		f.comm(5, 5, b"prog", 1)
		f.mmap2(5, 0x10000, 0x1000, b"$PWD/prog", 2, which, USER | MMAP_BUILD_ID, $offset, $id_)
		f.sample(0x10010, 5, 5, 3)
		PYTHON
		capture "$acrctl" report -i bit.data
		is "$status" 0
		echo "$which $flags $id_"
		is "$(grep -c 'was rebuilt after the recording' <<< "$stderr")" "$rebuilt"
		is "$(grep -c '\[\.\] _start' <<< "$stdout")" $((1 - rebuilt))
	done <<-'END'
	inode 0 2 0
	same BUILD_ID 2 0
	other BUILD_ID 2 1
	other 0 0 1
	same 0 0 0
	END
}

@test "acrctl script: resolves samples at the exit of a process and after its PID was reused" {
	make_data exit.data <<-'PYTHON'
	ms, s = 10**6, 10**9
	f.comm(5, 5, b"first", 1, True)
	f.mmap(5, 0x1000, 0x1000, b"/first", 2)
	f.fork(5, 5, 6, 5, 3)
	# one of two threads exits long before the other
	f.exit(5, 5, 4)
	f.sample(0x1800, 5, 6, 5 * s)
	f.exit(5, 6, 6 * s)
	# from another ring: at the same time, and with a clock that is a little late
	f.sample(0x1801, 5, 6, 6 * s)
	f.sample(0x1802, 5, 6, 6 * s + ms)
	# another task exits much later; the name of a thread stays known for samples in the kernel
	f.comm(9, 9, b"other", 7 * s, True)
	f.exit(9, 9, 10 * s)
	f.sample(0xffffffff81000010, 5, 6, 11 * s, KERNEL)
	f.fork(5, 9, 5, 9, 12 * s)
	f.comm(5, 5, b"second", 12 * s + 1, True)
	f.mmap(5, 0x1000, 0x1000, b"/second", 12 * s + 2)
	f.exit(9, 9, 20 * s)
	f.sample(0x1804, 5, 5, 21 * s)
	PYTHON
	capture "$acrctl" script -i exit.data -F comm,ip,dso
	is "$status" 0
	is "$(sed 's/^ *//; s/  */ /g' <<< "$stdout")" "first 1800 (/first)
first 1801 (/first)
first 1802 (/first)
first ffffffff81000010 ([kernel.kallsyms])
second 1804 (/second)"
}

@test "acrctl report: reads a process with 80000 maps in seconds" {
	make_data maps.data <<-'PYTHON'
	f.comm(5, 5, b"prog", 1)
	# upwards, downwards and back and forth, each with its own name
	for t in range(80000):
	    i = t if t < 20000 else 60000 - t if t < 40000 else t * 7919 % 80000
	    f.mmap(5, 0x10000 + i * 0x2000, 0x1000, b"/nonexistent/%d" % i, 2 + t)
	f.sample(0x10000 + 0x2000 * 77 + 5, 5, 5, 10**9)
	PYTHON
	capture bash -c "ulimit -t 12; exec $acrctl report -i maps.data --sort dso"
	is "$status" 0
	has "$stdout" "100.00%         1  77 "
}

@test "acrctl report: needs memory neither for a copy of the maps in each process nor for the whole file" {
	! nm -D "$acrctl" | grep -q __asan || skip "a sanitizer needs more memory"
	make_data forks.data <<-'PYTHON'
	f.comm(5, 5, b"prog", 1)
	for i in range(2000):
	    f.mmap(5, 0x10000 + i * 0x2000, 0x1000, b"//anon", 2 + i)
	for i in range(10000):
	    t = 10000 + 10 * i
	    f.fork(10 + i, 5, 10 + i, 5, t)
	    f.mmap(10 + i, 0x10000, 0x800, b"/child", t + 1)
	    f.sample(0x10700, 10 + i, 10 + i, t + 2)
	    f.sample(0x10900, 10 + i, 10 + i, t + 3)
	PYTHON
	# 10000 copies of 2000 ranges would need 640 MB
	capture bash -c "ulimit -v 100000; '$acrctl' report -i forks.data --sort dso"
	is "$status" 0
	has "$stdout" "50.00%     10000  //anon"
	has "$stdout" "50.00%     10000  child"
	# a sparse file of 192 MB
	make_data large.data <<-'PYTHON'
	f.comm(5, 5, b"prog", 1)
	f.sample(0x1000, 5, 5, 2)
	PYTHON
	python3 - <<-'PYTHON'
	import struct
	f = open("large.data", "r+b")
	data = bytearray(f.read())
	at, size = struct.unpack_from("<QQ", data, 40)
	nr, step = 3000, 65528
	# records of an unknown type, most of each a hole in the file
	struct.pack_into("<Q", data, 48, size + nr * step)
	struct.pack_into("<QQQQ", data, 72, 0, 0, 0, 0)
	f.seek(0)
	f.write(data[:at])
	for i in range(nr):
	    f.seek(at + i * step)
	    f.write(struct.pack("<IHH", 0x7fffffff, 0, step))
	f.seek(at + nr * step)
	f.write(data[at:at + size])
	PYTHON
	[ "$(stat -c %s large.data)" -gt 190000000 ]
	capture bash -c "ulimit -v 100000; '$acrctl' report -i large.data"
	is "$status" 0
	has "$stdout" "# 1 samples, 0 lost"
}

@test "acrctl report: reads a recording from a pipe" {
	kernel_data
	capture bash -c "cat kernel.data | '$acrctl' report -i /dev/stdin --sort comm"
	is "$status" 0
	has "$stdout" "100.00%         1  prog"
}

@test "acrctl report, script: refuse endless input that is not a recording at its first bytes, and a directory" {
	! nm -D "$acrctl" | grep -q __asan || skip "a sanitizer needs more memory"
	for command in report script; do
		read_file="'$acrctl' $command -i"
		# its name in the message, the reason, the command; yes and cat complain if SIGPIPE is ignored
		while IFS='|' read -r name reason open; do
			capture timeout 600 bash -c "ulimit -v 100000; $open"
			is "$status" 1
			is "$stdout" ""
			is "$stderr" "acrctl: $name: $reason"
		done <<-END
		/dev/zero|not a perf.data file: it does not begin with PERFILE2|$read_file /dev/zero
		standard input|not a perf.data file: it does not begin with PERFILE2|$read_file - < /dev/zero
		standard input|not a perf.data file: it does not begin with PERFILE2|yes 2> /dev/null | $read_file -
		/dev/stdin|not a perf.data file: it does not begin with PERFILE2|yes 2> /dev/null | $read_file /dev/stdin
		standard input|recorded on a machine of the other byte order; read it with perf|{ printf 2ELIFREP; yes; } 2> /dev/null | $read_file -
		standard input|damaged: header of 0 bytes instead of 104|{ printf PERFILE2; cat /dev/zero; } 2> /dev/null | $read_file -
		standard input|not a perf.data file: it has only 15 bytes|{ printf PERFILE2; sleep 0.1; printf 1234567; } | $read_file -
		.|is a directory, not a perf.data file; perf reads what 'perf record --threads' wrote|$read_file .
		END
	done
}
