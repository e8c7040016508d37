#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What needs the kernel's perf, and no stand-in can have: its records of programs that fork, execute and map files, in other namespaces too;
# BPF programs; recordings by perf itself. The device plays the samples, at times after all that perf records.

bats_require_minimum_version 1.5.0
load helpers
load device_helpers

setup_file()
{
	build_fixtures
	# for recordings by perf: it runs for as long on a busy machine
	sed -e 's/#include <unistd.h>/#include <time.h>/' -e '/^{/,$d' "$BATS_FILE_TMPDIR/busy.c" > "$BATS_FILE_TMPDIR/loop.c"
	cat >> "$BATS_FILE_TMPDIR/loop.c" <<-'C'
	{
		while (clock() < CLOCKS_PER_SEC / 5) {
			first_half(200000UL * argc);
			second_half(200000);
		}
		return !argv;
	}
	C
	cc -O1 -g -no-pie -o "$BATS_FILE_TMPDIR/loop" "$BATS_FILE_TMPDIR/loop.c"
}

setup()
{
	common_setup
	[ "$(id -u)" = 0 ] || [ "$(cat /proc/sys/kernel/perf_event_paranoid 2> /dev/null || echo 9)" -lt 2 ] ||
		skip "perf events are not allowed here (kernel.perf_event_paranoid)"
	[ -e /proc/sys/kernel/perf_event_paranoid ] || skip "this kernel has no perf events"
	export FAKE_SIDEBAND=perf
	play < /dev/null
}

# A time after all of perf's, which begin with the machine. What has a sample there must not have ended: programs outlive the command.
late=1000000000000000000

teardown() { [ ! -e pids ] || xargs kill < pids 2> /dev/null || true; }

# launcher: makes launch.sh, which runs ./program in the background, until it waits, for each argument: own, or bound: ./theirs is at its path.
# The script gets a sample in each.
launcher()
{
	cat > child.sh <<-SH
	[ "\$1" != bound ] || mount --bind theirs program
	echo "sample ip=$(at "$busy" first_half) pid=\$\$ time=$late" >> $FAKE_SCRIPT
	exec $PWD/program wait
	SH
	cat > launch.sh <<-'SH'
	for how in "$@"; do
		if [ $how = bound ]; then unshare -m sh child.sh bound & else sh child.sh own & fi
		echo $! >> pids
		until grep -q program /proc/$!/comm && grep -q '^State:.*sleeping' /proc/$!/status; do sleep 0.01; done
	done
	SH
	echo stop | play
}

# mapped_by FILE: which of the programs of the next tests the file names
mapped_by() { grep -aoE 'prog-(mine|child|other)' "$1" | sort -u | tr '\n' ' '; }

# beside_others COMMAND...: run it while others start programs all the time, but too few to fill the rings of other tests
beside_others()
{
	local others status=0

	for name in mine child other; do
		cp --remove-destination "$(type -P true)" prog-$name
	done
	# Not in the command line, which the file has, too. The first prog-other that ends may have started before.
	cat > programs.sh <<-SH
	./prog-mine
	(./prog-child; :) & wait
	: > ended
	for i in \$(seq 60000); do [ "\$(wc -l < ended)" -ge 2 ] && break; sleep 0.01; done
	SH
	while :; do
		./prog-other
		echo >> ended
		sleep 0.01
	done 3>&- &
	others=$!
	"$@" || status=$?
	kill $others
	wait $others || true
	return $status
}

@test "acrctl record: the file has maps and names of what is followed, and not of others" {
	beside_others fake record -q -e "$group" -- sh programs.sh
	[ "$(mapped_by perf.data)" = "prog-child prog-mine " ]
	# without CAP_PERFMON perf follows the tasks, too
	FAKE_PERF=tasks beside_others faulty record -q -e "$group" -- sh programs.sh
	[ "$(mapped_by perf.data)" = "prog-child prog-mine " ]
	beside_others fake record -q -a -e "$group" -- sh programs.sh
	[ "$(mapped_by perf.data)" = "prog-child prog-mine prog-other " ]
}

@test "acrctl record: what a command without -i forks is not followed by perf either" {
	beside_others fake record -q -i -e "$group" -- sh programs.sh
	[ "$(mapped_by perf.data)" = "" ]
}

@test "acrctl record: without a build-id from the kernel, reads a path only if it is the mapped file" {
	requires_mount_namespaces
	two_programs
	# records NR HOW...: so many programs have a sample, and all are at one path
	records()
	{
		launcher
		FAKE_KERNEL=5.4 faulty record -q -e "$group" -- sh launch.sh "${@:2}" 3>&-
		xargs kill < pids
		rm pids
		is "$("$acrctl" script -F comm,dso | tr -s ' ' | sort | uniq -c | xargs)" "$1 program ($PWD/program)"
	}
	records 1 own
	[ "$(od -An -v -tx1 perf.data | tr -d ' \n' | grep -o "$ours" | wc -l)" = 1 ]
	# another file at the path, alone, after this one and before it
	for how in bound "own bound" "bound own"; do
		# shellcheck disable=SC2086 # words
		records "$(wc -w <<< "$how")" $how
		[ "$(od -An -v -tx1 perf.data | tr -d ' \n' | grep -o "$ours" | wc -l)" = 0 ]
	done
}

@test "acrctl record: the file has a BPF program loaded while recording, for perf, and acrctl skips it" {
	requires_perf
	cat > load.py <<-'PYTHON'
	# a socket filter of two instructions, r0 = 0 and exit, loaded by bpf(BPF_PROG_LOAD)
	import ctypes, struct, sys
	libc = ctypes.CDLL(None)
	code = ctypes.create_string_buffer(struct.pack("<BBhi", 0xb7, 0, 0, 0) + struct.pack("<BBhi", 0x95, 0, 0, 0))
	name = ctypes.create_string_buffer(b"GPL")
	attr = struct.pack("<IIQQIIQII16s", 1, 2, ctypes.addressof(code), ctypes.addressof(name), 0, 0, 0, 0, 0, b"acrctl_test")
	sys.exit(libc.syscall(321, 5, ctypes.create_string_buffer(attr, 128), 128) < 0)
	PYTHON
	python3 load.py || skip "BPF programs cannot be loaded here"
	cp "$busy" program
	launcher
	fake record -q -e "$group" -- sh -c 'python3 load.py; sh launch.sh own' 3>&-
	perf script --show-bpf-events 2> /dev/null < /dev/null | grep -q 'PERF_RECORD_KSYMBOL.*acrctl_test'
	# and nothing about damage
	is "$("$acrctl" script -F comm,sym 2>&1 | xargs)" "program first_half"
}

@test "acrctl record: a process that perf has seen start has its name and program" {
	cp "$busy" program
	launcher
	fake record -q -e "$group" -- sh launch.sh own 3>&-
	is "$("$acrctl" script -F comm,sym | xargs)" "program first_half"
}

@test "acrctl record --switch-output: what a command has started before a switch has its names after it" {
	cp "$busy" program
	launcher
	mkfifo fifo
	# the next file begins with the names, and then the command may end
	printf '%s\n' "exists launched" "signal 12" poll "open fifo" stop | play
	fake record -e cycles:u -c 100000 --switch-output -- sh -c 'sh launch.sh own; : > launched; cat fifo' > output 2>&1 3>&-
	is "$(grep -c 'is complete' output)" 2
	last=$(find . -name 'perf.data.*' | sort | tail -n 1)
	is "$("$acrctl" script -i "$last" -F comm,sym | xargs)" "program first_half"
}

@test "acrctl report: reads a recording by perf" {
	command -v perf > /dev/null && perf --version > /dev/null 2>&1 || skip "no perf for this kernel is installed"
	perf record -q -e cpu-clock:u -c 1000000 -o perf.data "$BATS_FILE_TMPDIR/loop" > /dev/null 2>&1
	ours=$("$acrctl" script -F sym | in_functions)
	theirs=$(perf script -F ip,sym 2> /dev/null < /dev/null | in_functions)
	equal_functions "$ours" "$theirs"
}

@test "acrctl report: reads streams by perf record and by perf inject" {
	requires_perf
	perf record -q -e '{cpu-clock:u,task-clock:u}' -c 1000000 -o - "$BATS_FILE_TMPDIR/loop" 2> /dev/null > stream
	perf inject -b -i - -o - < stream > with_ids 2> /dev/null
	theirs=$(perf script -i - -F ip,sym < stream 2> /dev/null | in_functions)
	for file in stream with_ids; do
		equal_functions "$("$acrctl" script -i $file -F sym | in_functions)" "$theirs"
		"$acrctl" report -i - --json < $file > report.json
		python3 - <<-'PYTHON'
		import json
		r = json.load(open("report.json"))
		assert r["complete"] and "perf record" in r["cmdline"], r["cmdline"]
		assert [e["name"] for e in r["events"]] == ["cpu-clock:u", "task-clock:u"], r["events"]
		PYTHON
	done
}

@test "acrctl record: sections about the machine equal those by perf record, byte for byte" {
	command -v python3 > /dev/null || skip "python3 is not installed"
	fake record -q -e "$group" -o perf.ours -- true
	for version in 6.1 newest; do
		"$root/selftests/model/perf.sh" $version --version > /dev/null 2>&1 || skip "no perf $version: run selftests/model/setup.sh"
		"$root/selftests/model/perf.sh" "$version" record -q -e cpu-clock:u -o perf.data true > out 2>&1 || { cat out; return 1; }
		python3 - perf.ours perf.data <<-'PYTHON'
		import struct, sys
		def sections(path):
		    d = open(path, "rb").read()
		    at, size = struct.unpack_from("<QQ", d, 40)
		    features, found = int.from_bytes(d[72:104], "little"), {}
		    for i in (i for i in range(256) if features >> i & 1):
		        offset, length = struct.unpack_from("<QQ", d, at + size + 16 * len(found))
		        found[i] = d[offset:offset + length]
		    return found
		ours, theirs = sections(sys.argv[1]), sections(sys.argv[2])
		# hostname, release, arch, number of CPUs, description, CPUID, memory, topology
		for i in 3, 4, 6, 7, 8, 9, 10, 13:
		    assert ours[i] == theirs[i], (i, ours[i], theirs[i])
		PYTHON
	done
}

@test "acrctl report: --html reads files of perf" {
	requires_perf
	perf record -q -g -F 997 -e cpu-clock -o perf.data -- "$BATS_FILE_TMPDIR/loop" > log 2>&1 || skip "perf records nothing here"
	"$acrctl" report -i perf.data --html page.html 2> notes
	nr=$(sed -n 's|.*<dt>Samples</dt><dd>\(.*\)</dd></div>|\1|p' page.html)
	is "$nr" "$(perf script -i perf.data -F comm,tid,time,event 2> notes | grep -c cpu-clock)"
	[ "$nr" -gt 10 ]
	grep -q 'first_half' page.html
}

# ---- compressed recordings by perf

# samples COMMAND FILE: "ADDRESS FUNCTION" of each sample, in order; in libraries, where perf may choose another of several names, "ADDRESS"
samples() { $1 script -i "$2" -F ip,sym 2> samples.err < /dev/null | awk 'NF { print $1 ($2 ~ /_half$/ ? " " $2 : "") }'; }

# perf_records PERF FILE [-]: a compressed recording of perf's, or stream, that perf can read itself; fails if perf cannot record here.
# Not ours is why it tries again: perf has now and then found no samples in its own.
perf_records()
{
	local perf=$1 file=$2 output=${3:-$PWD/$2} try

	for try in 1 2 3 4 5; do
		$perf record -q -z -e cpu-clock:u -F 5000 -m 4 -o "$output" -- "$BATS_FILE_TMPDIR/loop" < /dev/null > stream 2> /dev/null || return 1
		[ "$output" != - ] || mv stream "$file"
		samples "$perf" "$PWD/$file" > read
		[ ! -s read ] || return 0
		echo "# $perf reads no samples of $file in try $try: $(tr '\n' ' ' < samples.err)" >&3
	done
}

# reads_same PERF FILE: as many samples, at the same addresses; of functions with several names each may choose another
reads_same()
{
	samples "$1" "$PWD/$2" | cut -d' ' -f1 > want
	samples "$acrctl" "$2" > got
	[ "$(grep -c _half got)" -gt 20 ]
	cut -d' ' -f1 got | cmp want -
}

@test "acrctl reads what perf record -z wrote, files and streams" {
	requires_perfs
	compared=0
	while read -r perf; do
		perf_records "$perf" theirs.data || { echo "# $perf cannot record here" >&3; continue; }
		records theirs.data > types
		grep -qE '^8[13] [1-9]' types
		reads_same "$perf" theirs.data
		perf_records "$perf" theirs.stream -
		reads_same "$perf" theirs.stream
		compared=$((compared + 1))
	done < <(perfs)
	[ $compared != 0 ] || skip "perf records nothing here"
}
