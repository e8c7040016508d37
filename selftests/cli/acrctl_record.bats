#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# acrctl record against a device whose samples come from perf's CPU clock: requests, targets, statuses, the file.

bats_require_minimum_version 1.5.0
load record_helpers

setup_file() { build_fixtures; }
setup() { common_setup; }

@test "acrctl record: --help names every option and exits 0" {
	run "$acrctl" record --help
	[ "$status" = 0 ]
	for option in --event --count --pid --all-cpus --cpu --no-inherit --output --mmap-pages --no-buildid \
		--pause-watchdog --quiet --verbose; do
		[[ $output = *"$option"* ]]
	done
}

@test "acrctl record: without events, target or with two targets it is refused with status 2" {
	for arguments in "-a" "-e cycles -c 100000" "-e cycles -c 100000 -a -C 0" "-e cycles -c 100000 -p 1 true"; do
		run "$acrctl" record $arguments
		echo "$arguments: $output"
		[ "$status" = 2 ]
		[[ $output = "acrctl: record: "* ]]
	done
}

@test "acrctl record: bad numbers and lists are refused with what is wrong and what would be right" {
	run "$acrctl" record -e "$group" -C 0-x
	[ "$status" = 2 ]
	[[ $output = *"'0-x' is not a list of CPUs at 'x'; write it like 0-3,5"* ]]
	run "$acrctl" record -e "$group" -m 3 true
	[ "$status" = 2 ]
	[[ $output = *"-m 3 is not a power of 2"* ]]
	run "$acrctl" record -e "$group" -p 1x
	[ "$status" = 2 ]
	[[ $output = *"-p '1x' is not a number"* ]]
	run "$acrctl" record -e "$group" --nonsense true
	[ "$status" = 2 ]
}

@test "acrctl record: a wrong event string is refused with status 2 before anything runs" {
	run fake record -e '{cpu/instructions,nonsense=1/}' -- touch ran
	[ "$status" = 2 ]
	[[ $output = *nonsense* ]]
	[ ! -e ran ]
	[ ! -e log ]
}

@test "acrctl record: a group in which nothing is sampled is refused" {
	run fake record -e '{cpu/instructions,period=200000,acr_mask=0x1/u,cpu/cycles,period=100000,acr_mask=0x3/u}' true
	[ "$status" = 2 ]
	[ ! -e log ]
}

@test "acrctl record: a command's session follows the task from exec on, with the group whole" {
	requires_perf_events
	run fake record -e "$group" -- true
	[ "$status" = 0 ]
	grep -q '^CREATE flags=0x7 nr_events=2 ring_pages=128 cpus_size=0 pid=[1-9][0-9]*$' log
	grep -q 'event 0 config=0xc0 period=200000 acr_mask=0x2 flags=0x5$' log
	grep -q 'event 1 config=0x3c period=100000 acr_mask=0x3 flags=0x1$' log
	[ "$(grep -c '^ENABLE$' log)" = 0 ]
	[ "$(grep -c '^DISABLE$' log)" = 1 ]
	[ "$(grep -c '^READ$' log)" = 1 ]
}

@test "acrctl record: --no-inherit and -m reach the module" {
	requires_perf_events
	run fake record --no-inherit -m 16 -e "$group" -- true
	[ "$status" = 0 ]
	grep -q '^CREATE flags=0x5 nr_events=2 ring_pages=16' log
}

@test "acrctl record: two groups are two sessions" {
	requires_perf_events
	run fake record -e "$group" -e "$group" -- true
	[ "$status" = 0 ]
	[ "$(grep -c '^CREATE' log)" = 2 ]
}

@test "acrctl record: -C starts by itself and ends with the command" {
	requires_perf_events
	run fake record -C 0 -e "$group" -- true
	[ "$status" = 0 ]
	grep -q '^CREATE flags=0 .*cpus_size=[1-9]' log
	grep -q '^ENABLE$' log
}

@test "acrctl record: the command's exit status is passed on, with 127, 126 and 128 + signal" {
	requires_perf_events
	run fake record -e "$group" -- sh -c 'exit 7'
	[ "$status" = 7 ]
	run fake record -e "$group" -- sh -c 'kill -9 $$'
	[ "$status" = 137 ]
	run -127 fake record -e "$group" -- ./missing
	[[ $output = *"cannot run './missing': No such file"* ]]
	touch plain
	run fake record -e "$group" -- ./plain
	[ "$status" = 126 ]
}

@test "acrctl record: a refused session says why, leaves no file and does not run the command" {
	requires_perf_events
	FAKE_ERRNO=16 FAKE_REASON=33 run fake record -e "$group" -- touch ran
	[ "$status" = 1 ]
	[[ $output = "acrctl: record: "* ]]
	[ ! -e ran ]
	[ ! -e perf.data ]
}

@test "acrctl record: SIGINT ends a recording of CPUs with a whole file and status 0" {
	requires_perf_events
	fake_start record -C 0 -e "$group"
	sleep 1
	kill -INT $!
	wait $!
	run "$acrctl" report --json
	[[ $output = *'"complete":true'* ]]
}

@test "acrctl record: SIGINT reaches the command, whose status is passed on" {
	requires_perf_events
	fake_start record -e "$group" -- sleep 100
	sleep 1
	kill -INT $!
	status=0
	wait $! || status=$?
	[ "$status" = 130 ]
	[ "$("$acrctl" report --json | grep -c '"complete":true')" = 1 ]
}

@test "acrctl record: -p follows a process until it ends and knows its name and maps" {
	requires_perf_events
	"$busy" 1000 3>&- &
	runner=$!
	fake record -p $runner -e "$group" 3>&- &
	sleep 1
	kill $runner
	wait $!
	run "$acrctl" script -F comm,sym
	[ "$status" = 0 ]
	[ "${#lines[@]}" -gt 10 ]
	[ -z "$(grep -vE '^ *busy (first|second)_half$' <<< "$output")" ]
}

@test "acrctl record: -p is one session for all threads of the process, with and without new ones" {
	python3 -c 'import threading, time
for i in range(11): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
print("ready", flush=True); time.sleep(60)' > ready 3>&- &
	runner=$!
	until grep -q ready ready; do sleep 0.1; done
	[ "$(ls /proc/$runner/task | wc -l)" -eq 12 ]
	timeout --preserve-status -s INT 1 env LD_PRELOAD="$BATS_FILE_TMPDIR/device.so" "$acrctl" record -p $runner -e "$group"
	timeout --preserve-status -s INT 1 env LD_PRELOAD="$BATS_FILE_TMPDIR/device.so" "$acrctl" record -i -p $runner -e "$group"
	kill $runner
	# task, process and inherit, then without inherit
	[ "$(grep -o 'CREATE flags=[^ ]*' log | tr '\n' ' ')" = "CREATE flags=0xb CREATE flags=0x9 " ]
	[ "$(grep -c "pid=$runner" log)" -eq 2 ]
}

@test "acrctl record: -p with a process that does not exist is refused" {
	run fake record -p 4194303 -e "$group"
	[ "$status" = 1 ]
	[[ $output = *"no process 4194303"* ]]
}

@test "acrctl record: the closing line has samples, lost, throttled and discarded" {
	requires_perf_events
	FAKE_LOST=5 FAKE_THROTTLED=6 FAKE_DISCARDED=7 run fake record -e "$group" -- "$busy"
	[ "$status" = 0 ]
	[[ $output = *" samples, 5 lost, 6 throttled, 7 discarded"* ]]
	[ "$("$acrctl" report --json | grep -c '"lost":5')" = 1 ]
}

@test "acrctl record: when nothing was sampled it says so" {
	requires_perf_events
	FAKE_SILENT=1 run fake record -e "$group" -- "$busy"
	[ "$status" = 0 ]
	[[ $output = *": 0 samples"*"nothing was sampled"* ]]
}

@test "acrctl record: a record missing from the file is noticed" {
	requires_perf_events
	FAKE_MISCOUNT=1 run fake record -e "$group" -- "$busy"
	[[ $output = *"warning: the module wrote "* ]]
	run fake record -e "$group" -- "$busy"
	[[ $output != *warning* ]]
}

@test "acrctl record: an older file is kept, a file that cannot be written is an error" {
	requires_perf_events
	fake record -q -e "$group" -o out -- true
	fake record -q -e "$group" -o out -- true
	[ -s out ] && [ -s out.old ]
	run fake record -e "$group" -o missing/out -- touch ran
	[ "$status" = 1 ]
	[[ $output = *"missing/out: No such file or directory; name another file with -o"* ]]
	[ ! -e ran ]
}

@test "acrctl record: -v explains the group and what is programmed; -q prints nothing" {
	requires_perf_events
	run fake record -v -e "$group" -- true
	[[ $output = *"cycles restarts when instructions or cycles overflows"* ]]
	[[ $output = *"CFG_B 0x3, CFG_C 0xfffe7960"* ]]
	run fake record -q -e "$group" -- true
	[ "$output" = "" ]
}

@test "acrctl record: perf reads the file, with the same samples" {
	requires_perf_events
	command -v perf > /dev/null && perf --version > /dev/null 2>&1 || skip "no perf for this kernel is installed"
	fake record -q -e "$group" -- "$busy" 5
	ours=$("$acrctl" script -F sym | sort | uniq -c)
	theirs=$(perf script -F ip,sym 2> /dev/null < /dev/null | awk '{print $2}' | sort | uniq -c)
	echo "ours: $ours"
	echo "theirs: $theirs"
	[ "$ours" = "$theirs" ]
	perf annotate --stdio -s first_half 2> /dev/null < /dev/null | grep -q nop
	perf buildid-list 2> /dev/null | grep -q "$busy\$"
}
