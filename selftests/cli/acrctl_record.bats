#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# acrctl record with a device that plays scripts: requests, targets, statuses, the file.

bats_require_minimum_version 1.5.0
load helpers
load device_helpers

setup_file() { build_fixtures; }
setup() { common_setup; }

@test "acrctl record: --help names every option and exits 0" {
	run "$acrctl" record --help
	[ "$status" = 0 ]
	for option in --event --count --pid --all-cpus --cpu --no-inherit --output --mmap-pages --no-buildid \
		--call-graph --max-stack \
		--pause-watchdog --quiet --verbose; do
		[[ $output = *"$option"* ]]
	done
}

@test "acrctl record: without target or with two targets it is refused with status 2" {
	for arguments in "" "-c 100000" "-e cycles -c 100000" "-e cycles -c 100000 -a -C 0" "-e cycles -c 100000 -p 1 true"; do
		run "$acrctl" record $arguments
		echo "$arguments: $output"
		[ "$status" = 2 ]
		[[ $output = "acrctl: record: "* ]]
	done
}

@test "acrctl record: files of other CPUs are refused with what can be done without --pmu" {
	mkdir -p own/goldmont
	printf '%s\n' Family-model,Version,Filename,EventType GenuineIntel-6-5C,v1,goldmont,core > own/mapfile.csv
	echo '[{"EventName": "OWN.EVENT", "EventCode": "0x11"}]' > own/goldmont/own.json
	export ACRCTL_CPUID=GenuineIntel-6-DD-0
	run fake record --events own -e own.event -- true
	[ "$status" = 2 ]
	[ "$output" = "acrctl: record: no table in 'own' is for the CPU 'GenuineIntel-6-DD-0'; give the directory of events of that CPU, or see whether mapfile.csv has it" ]
	run fake record --events own/goldmont -e own.event -- true
	[ "$status" = 2 ]
	[ "$output" = "acrctl: record: the events in 'own/goldmont' are those of 'goldmont', but the CPU is 'clearwaterforest'; give the directory of events of this CPU" ]
}

@test "acrctl record: without -e it samples cycles at user level, period 1000003, and says so" {
	run fake record -- true
	echo "$output"
	[ "$status" = 0 ]
	[[ ${lines[0]} = "acrctl: record: no events were given: sampling cycles:u with period 1000003; choose others with -e" ]]
	grep -q '^CREATE .*nr_events=1 ' log
	grep -q 'event 0 config=0x3c extra=0 period=1000003 acr_mask=0 flags=0x5$' log
	run fake record -c 5000000 -- true
	[ "$status" = 0 ]
	[[ ${lines[0]} = *"sampling cycles:u with period 5000000; "* ]]
}

@test "acrctl record: refuses bad numbers and lists, with reason and remedy" {
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

# 1/3 of the default window is no whole number
@test "acrctl record: --when creates the group that samples a condition, and says what a sample is" {
	run fake record --when 'instructions:u / cycles:u > 2' -- "$busy"
	echo "$output"
	[ "$status" = 0 ]
	grep -q 'event 0 config=0xc0 extra=0 period=200000 acr_mask=0x2 flags=0x5$' log
	grep -q 'event 1 config=0x3c extra=0 period=100000 acr_mask=0x3 flags=0x1$' log
	[[ $output = *"acrctl: record: each sample ends a window of 200000 x instructions:u where instructions:u / cycles:u > 2"* ]]
	[[ $output != *"the window is"* ]]
	run "$acrctl" report
	[[ $output = *"--when instructions:u / cycles:u > 2"* ]]
	run fake record -F 1000 --when 'instructions:u / cycles:u > 2' -- "$busy"
	echo "$output"
	[[ $output = *"each sample ends a window of its period, 200000 to 200000 x instructions:u, where instructions:u / cycles:u > 2"* ]]
	run fake record --when 'ipc < 1/3' --window 50000 -- true
	[ "$status" = 0 ]
	[[ $output = *"acrctl: record: the window is 50001 x cycles instead of 50000, so that the ratio is exact"* ]]
	grep -q 'event 0 config=0x3c extra=0 period=50001 acr_mask=0x2 flags=0x7$' log
	grep -q 'event 1 config=0xc0 extra=0 period=16667 acr_mask=0x3 flags=0x3$' log
	run fake record -q --when 'ipc < 1/3' -- true
	[ "$status" = 0 ]
	[[ $output != *window* ]]
	run fake record --all-user --when 'ipc > 2' -- true
	[ "$status" = 0 ]
	grep -q 'event 0 config=0xc0 extra=0 period=200000 acr_mask=0x2 flags=0x5$' log
}

@test "acrctl record: refuses a wrong condition, and --when beside -e or -c, before anything runs" {
	for arguments in "-e cycles" "-c 100000" "--when cpi>1" "--window 5" "--window 5x"; do
		run fake record --when 'ipc > 2' $arguments -- touch ran
		echo "$arguments: $output"
		[ "$status" = 2 ]
		[ ! -e ran ]
	done
	run fake record --window 100000 -e cycles -- touch ran
	[ "$status" = 2 ]
	[[ $output = *"there is no --when"* ]]
	run fake record --when 'ipc > 1 && ipc < 2' -- touch ran
	[ "$status" = 2 ]
	[[ $output = *"take one of the two, 'ipc > 1' or 'ipc < 2'"*"^ column 12"* ]]
	[ ! -e ran ]
	no_session
}

# adapt NR HZ COND: a recording with -F of NR tenths of a second; its periods as "SESSION PERIOD PERIOD"
adapt()
{
	mkfifo wait
	# a step reads the device once
	FAKE_RUN_MS=$(($1 * 100)) FAKE_FIFO=wait fake record -v -F "$2" --when "$3" -- cat wait 2> err
	awk '/^CREATE/ { nr = created++; set = 1 } /^SET_PERIODS/ { nr = $2; set = 1 } !/^  event/ { next }
		{ for (i = 3; i <= NF; i++) if (sub(/^period=/, "", $i)) row = (row == "" ? nr : row) " " $i }
		$2 == 1 { print row; row = "" }' log > periods
	cat err periods
}

# The window of 100000 cycles at the beginning is k = 100000, with 200000 instructions: 10000 samples in a tenth of a second.
@test "acrctl record -F: lengthens windows at once, shortens them by halves, and keeps them while the rate is right" {
	export FAKE_OCCURS=0,2000000000
	adapt 20 1000 'instructions:u / cycles:u > 2'
	[ "$(cat periods)" = $'0 200000 100000\n0 20000000 10000000' ]
	grep -qx 'acrctl: record: 100000.0 samples a second instead of 1000: k = 10000000, periods 20000000, 10000000' err
	grep -q 'k was 100000 to 10000000, of 500 to 1073741823 that are possible$' err
	rm log wait
	export FAKE_OCCURS=0,1500000
	adapt 40 400 'instructions:u / cycles:u > 2'
	[ "$(cat periods)" = $'0 200000 100000\n0 100000 50000\n0 50000 25000\n0 37500 18750' ]
}

@test "acrctl record -F: every pair of periods has the exact ratio, within the bounds, whatever the rate" {
	export FAKE_OCCURS=0,9000000,17,123456789,99999999999,0,1,2000000000,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,500000000
	adapt 60 5000 'branch-misses:u / branches:u > 3/17'
	[ "$(wc -l < periods)" -gt 5 ]
	awk '$2 * 17 != $3 * 3 || $2 < 1000 || $3 > 2147483647 { exit 1 }' periods
	rm log wait
	# a limit keeps at least 100: here 334 and 1002, as three is the smallest unit of the sampled event
	export FAKE_OCCURS=0,1000000
	adapt 60 1000000 'ipc:u > 3'
	[ "$(tail -n 1 periods)" = "0 1002 334" ]
	grep -q ', of 334 to 715827882 that are possible$' err
	rm log wait
	export FAKE_OCCURS=0,1000000000000
	adapt 10 1 'ipc:u > 3'
	[ "$(tail -n 1 periods)" = "0 2147483646 715827882" ]
}

@test "acrctl record -F: sets the periods of all kinds of cores, and marks the events of the file" {
	export FAKE_KINDS=PE ACRCTL_CPUID='' FAKE_OCCURS=0,2000000000
	adapt 20 1000 'instructions:u / cycles:u > 2'
	# software's window, and twice the samples of one session
	for session in 0 1; do
		[ "$(grep "^$session " periods)" = "$session 2000000 1000000"$'\n'"$session 40000000 20000000" ]
	done
	run "$acrctl" report -j
	echo "$output"
	[ "$(jq '[.events[].sample_period] | add' <<< "$output")" = 0 ]
}

@test "acrctl record -F: is refused with --window, without --when, with a bad rate, and by an old module" {
	for arguments in "--when ipc>2 --window 100000 -F 100" "--when ipc>2 -F 0" "--when ipc>2 -F 1.5" "--when ipc>2 -F 1000001" \
		"--when ipc>2 -F 100 -c 5000" "--when ipc>2 -F 100 -F 200" "-F 100 -e cycles" "--samples-per-sec 100"; do
		run fake record $arguments -- touch ran
		echo "$arguments: $output"
		[ "$status" = 2 ]
		[ ! -e ran ]
	done
	run fake record --when 'ipc > 2' -F 100 -F 100 -- true
	[[ $output = "acrctl: record: -F is given twice; "* ]]
	run fake record -F 100 -e cycles -- true
	[[ $output = "acrctl: record: -F changes all periods of a condition by one factor, and there is no --when; "* ]]
	no_session
	FAKE_NO_PERIODS=1 run fake record --when 'ipc > 2' -F 100 -- touch ran
	echo "$output"
	[ "$status" = 1 ]
	[[ $output = *"-F changes periods while the program runs, and this module cannot"* ]]
	[ ! -e ran ]
	no_session
}

@test "acrctl record -F: ends with a reason when the module refuses a period" {
	FAKE_PERIODS_ERRNO=22 FAKE_OCCURS=0,2000000000 run fake record --when 'ipc:u > 2' -F 1000 -- sleep 1000
	echo "$output"
	[ "$status" = 1 ]
	[[ $output = *"period 20000000 for 'instructions' is too small: the smallest allowed is 20000001"* ]]
}

# closing FILE: the lines of a recording's summary, with N for each number, as the program and the file's name do not matter
closing()
{
	sed -n '/ discarded after stop/ { s/.*: \([0-9]* samples\)/\1/; p; }; /^# recorded by/,/^#$/ { /^# recorded by/d; p; }' "$1" |
		sed 's/[0-9][0-9.]*/N/g'
}

@test "acrctl record, report: the README shows what they print" {
	run fake record -e "$group" -o perf.data -- "$busy"
	{ echo "$output"; "$acrctl" report; } > real
	closing "$root/README.md" > shown
	closing real > want
	[ "$(wc -l < want)" -ge 4 ]
	diff want shown
}

@test "acrctl record: refuses a wrong event string with status 2 before anything runs" {
	run fake record -e '{cpu/instructions,nonsense=1/}' -- touch ran
	[ "$status" = 2 ]
	[[ $output = *nonsense* ]]
	[ ! -e ran ]
	no_session
}

@test "acrctl record: refuses a group that samples nothing" {
	run fake record -e '{cpu/instructions,period=200000,acr_mask=0x1/u,cpu/cycles,period=100000,acr_mask=0x3/u}' true
	[ "$status" = 2 ]
	no_session
}

@test "acrctl record: a command's session follows the task from exec on and has the whole group" {
	run fake record -e "$group" -- true
	[ "$status" = 0 ]
	grep -q '^CREATE 0 flags=0x7 nr_events=2 ring_pages=128 sample_type=.* cpus_size=0 pid=[1-9][0-9]*$' log
	grep -q 'event 0 config=0xc0 extra=0 period=200000 acr_mask=0x2 flags=0x5$' log
	grep -q 'event 1 config=0x3c extra=0 period=100000 acr_mask=0x3 flags=0x1$' log
	[ "$(grep -c '^ENABLE' log)" = 0 ]
	[ "$(grep -c '^DISABLE 0$' log)" = 1 ]
	[ "$(grep -c '^READ 0 -1$' log)" = 1 ]
}

@test "acrctl record: --no-inherit and -m reach the module" {
	run fake record --no-inherit -m 16 -e "$group" -- true
	[ "$status" = 0 ]
	grep -q '^CREATE 0 flags=0x5 nr_events=2 ring_pages=16' log
}

@test "acrctl record: two groups are two sessions" {
	run fake record -e "$group" -e "$group" -- true
	[ "$status" = 0 ]
	[ "$(grep -c '^CREATE' log)" = 2 ]
}

@test "acrctl record: -a starts by itself and ends with the command" {
	run fake record -a -e "$group" -- true
	[ "$status" = 0 ]
	grep -q '^CREATE 0 flags=0 .*cpus_size=[1-9]' log
	grep -q '^ENABLE 0$' log
}

@test "acrctl record: -C with a command or -p follows the task on these CPUs only" {
	run fake record -C 0 -e "$group" -- true
	[ "$status" = 0 ]
	# TASK, INHERIT and ENABLE_ON_EXEC; all CPUs that were given
	grep -q '^CREATE 0 flags=0x7 .*cpus_size=1 pid=[1-9]' log
	sleep 1000 3>&- &
	runner=$!
	fake_start record -C 0 -e "$group" -p $runner
	recorder=$!
	wait_until grep -q '^CREATE 0 flags=0xb ' log
	kill $runner
	wait $recorder
	[ "$(grep -c '^CREATE 0 flags=0xb .*cpus_size=1 ' log)" = 1 ]
}

@test "acrctl record: returns the command's exit status, 127, 126 or 128 + signal" {
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

@test "acrctl record: explains a refused session, leaves no file and does not run the command" {
	FAKE_ERRNO=16 FAKE_REASON=33 run fake record -e "$group" -- touch ran
	[ "$status" = 1 ]
	[[ $output = "acrctl: record: "* ]]
	[ ! -e ran ]
	[ ! -e perf.data ]
}

@test "acrctl record: SIGINT ends a recording of CPUs with a whole file and status 0" {
	fake_start record -C 0 -e "$group"
	wait_until grep -q '^ENABLE' log
	kill -INT $!
	wait $!
	run "$acrctl" report --json
	[[ $output = *'"complete":true'* ]]
}

@test "acrctl record: SIGINT reaches the command, and its status is returned" {
	fake_start record -e "$group" -- sleep 100
	recorder=$!
	wait_until test -s perf.data
	kill -INT $recorder
	status=0
	wait $recorder || status=$?
	[ "$status" = 130 ]
	[ "$("$acrctl" report --json | grep -c '"complete":true')" = 1 ]
}

@test "acrctl record: -p follows a process until it ends and knows its name and maps" {
	"$busy" wait 3>&- &
	runner=$!
	wait_until sleeps $runner
	{ halves "$busy" 6 4; echo say played; } | play
	fake_start record -p $runner -e "$group"
	recorder=$!
	wait_until grep -q '^played' log
	kill $runner
	wait $recorder
	is "$("$acrctl" script -F comm,pid,sym | awk '{ print $1, $2, $3 }' | sort | uniq -c | xargs)" \
		"6 busy $runner first_half 4 busy $runner second_half"
}

@test "acrctl record: -p is one session for all threads of the process, with and without new ones" {
	start_threads 11
	[ "$(ls /proc/$runner/task | wc -l)" -eq 12 ]
	for option in --verbose -i; do
		fake_start record $option -p $runner -e "$group"
		recorder=$!
		wait_until enabled_or_gone $recorder $((created++))
		kill -INT $recorder
		wait $recorder
	done
	kill $runner
	# task, process and inherit, then without inherit
	[ "$(grep -o 'CREATE 0 flags=[^ ]*' log | tr '\n' ' ')" = "CREATE 0 flags=0xb CREATE 0 flags=0x9 " ]
	[ "$(grep -c "^CREATE .* pid=$runner" log)" -eq 2 ]
}

@test "acrctl record: refuses -p with a process that does not exist" {
	run fake record -p 4194303 -e "$group"
	[ "$status" = 1 ]
	[[ $output = *"no process 4194303"* ]]
}

@test "acrctl record: the closing line has samples, lost, throttled and discarded" {
	FAKE_LOST=5 FAKE_THROTTLED=6 FAKE_DISCARDED=7 run fake record -e "$group" -- "$busy"
	[ "$status" = 0 ]
	[[ $output = *": 10 samples, 5 lost, 6 throttled, 7 discarded"* ]]
	[ "$("$acrctl" report --json | grep -c '"lost":5')" = 1 ]
}

@test "acrctl record: reports that a privileged program was not sampled" {
	FAKE_STATE=32 run fake record -e "$group" -- "$busy"
	[ "$status" = 0 ]
	[[ $output = *"warning: a set-uid or otherwise privileged program was executed; it was not sampled"* ]]
	run fake record -e "$group" -- "$busy"
	[[ $output != *privileged* ]]
}

@test "acrctl record: -g and --call-graph fp ask for call chains, with --max-stack of them" {
	for option in -g "--call-graph fp" "--call-graph=fp"; do
		rm -f log
		run fake record $option -e "$group" -o c.data -- true
		[ "$status $(grep '^CHAINS' log)" = "0 CHAINS max_stack=0" ]
		rm -f log
		run fake record $option --max-stack 5 -e "$group" -o c.data -- true
		[ "$status $(grep '^CHAINS' log)" = "0 CHAINS max_stack=5" ]
	done
	rm -f log
	run fake record -e "$group" -o c.data -- true
	[ "$status $(grep -c '^CHAINS' log)" = "0 0" ]
}

@test "acrctl record: -g keeps call chains as long as the kernel makes them" {
	# kernel.perf_event_max_stack is 127 unless somebody raises it
	first=$(at "$busy" first_half) main=$(at "$busy" main)
	# shellcheck disable=SC2046 # words
	chain=$(printf '%#x' "$first")$(printf ',%#x' $(seq $((main + 1)) $((main + 126))))
	{
		starts "$busy"
		echo "sample ip=$first nr=3 ${chain#*,}"
	} | play
	fake record -q -g -e "$group" -o deep.data -- "$busy"
	"$acrctl" script -i deep.data --json > deep.json
	is "$(jq -r '.samples[].chain | map(.ip) | join(",")' deep.json | uniq -c | xargs)" "3 $chain"
	is "$(jq -c '[.samples[2].chain[:3][].sym]' deep.json)" '["first_half","main","main"]'
}

@test "acrctl record: --call-graph dwarf and lbr are refused with the reason and what to do" {
	for mode in dwarf dwarf,8192 lbr; do
		run "$acrctl" record --call-graph $mode -e cycles -c 100000 -- true
		echo "$output"
		[ "$status" = 2 ]
		[[ $output = "acrctl: record: --call-graph ${mode%%,*} needs "*"; use --call-graph fp and build programs with -fno-omit-frame-pointer, or 'perf record --call-graph $mode'" ]]
	done
	run "$acrctl" record --call-graph frame -e cycles -c 100000 -- true
	[ "$status" = 2 ]
	[ "$output" = "acrctl: record: --call-graph 'frame' is not known; use fp" ]
	run "$acrctl" record --max-stack 5 -e cycles -c 100000 -- true
	[ "$status" = 2 ]
	[[ $output = "acrctl: record: --max-stack 5 limits call chains, of which there are none; add -g, or leave it out" ]]
	for number in 0 128 x; do
		run "$acrctl" record -g --max-stack $number -e cycles -c 100000 -- true
		[ "$status" = 2 ]
		[[ $output = "acrctl: record: --max-stack '$number' is not a number from 1 to 127" ]]
	done
}

@test "acrctl record: --exclude-guest asks the module and counts what it left out" {
	requires_perfs
	FAKE_GUEST=8 run fake record --exclude-guest -e "$group" -- "$busy"
	[ "$status" = 0 ]
	[[ $output = *" discarded after stop, 8 excluded in guests ("* ]]
	grep -q '^CREATE 0 flags=0x47 ' log
	perfs | while read -r perf; do
		[ "$($perf evlist -v -i perf.data 2> err < /dev/null | grep -c ', exclude_guest: 1')" = 2 ] || { echo "$perf"; cat err; exit 1; }
	done
	rm log
	FAKE_GUEST=8 run fake record -e "$group" -- "$busy"
	[[ $output != *guest* ]]
	grep -q '^CREATE 0 flags=0x7 ' log
	perfs | while read -r perf; do
		! $perf evlist -v -i perf.data 2> /dev/null < /dev/null | grep exclude_guest || exit 1
	done
}

@test "acrctl record: refuses perf's modifiers G and H at their column, with the reason" {
	for modifier in G H; do
		run fake record -e "cycles:u$modifier" -- "$busy"
		[ "$status" = 2 ]
		[ "${lines[1]}" = "  cycles:u$modifier" ]
		[ "${lines[2]}" = "          ^ column 9" ]
		[ "${#lines[@]}" = 3 ]
		[[ $output = *"perf's modifier '$modifier' is not supported"*"counters count the host and its guests alike"* ]]
	done
}

@test "acrctl record: reports that nothing was sampled" {
	play < /dev/null
	run fake record -e "$group" -- "$busy"
	[ "$status" = 0 ]
	[[ $output = *": 0 samples"*"nothing was sampled"* ]]
	plays "$busy" 1 0
	run fake record -e "$group" -- "$busy"
	[ "$status" = 0 ]
	[[ $output != *"nothing was sampled"* ]]
}

@test "acrctl record: warns if a record is missing from the file" {
	FAKE_MISCOUNT=1 run fake record -e "$group" -- "$busy"
	[[ $output = *"warning: the module wrote "* ]]
	run fake record -e "$group" -- "$busy"
	[[ $output != *warning* ]]
}

@test "acrctl record: keeps an older file; a file that cannot be written is an error" {
	fake record -q -e "$group" -o out -- true
	fake record -q -e "$group" -o out -- true
	[ -s out ]
	[ -s out.old ]
	run fake record -e "$group" -o missing/out -- touch ran
	[ "$status" = 1 ]
	[[ $output = *"missing/out: No such file or directory; name another file with -o"* ]]
	[ ! -e ran ]
}

@test "acrctl record: -v explains the group and register values; -q prints nothing but losses" {
	run fake record -v -e "$group" -- true
	[[ $output = *"cycles restarts when instructions or cycles overflows"* ]]
	[[ $output = *"CFG_B 0x3, CFG_C 0xfffe7960"* ]]
	run fake record -q -e "$group" -- true
	[ "$output" = "" ]
	FAKE_LOST=5 run fake record -q -e "$group" -- true
	[[ $output = "acrctl: perf.data: "*" samples, 5 lost, "* ]]
}

@test "acrctl record: perf reads the file, with the same samples" {
	requires_perf
	fake record -q -e "$group" -- "$busy"
	for reader in "$acrctl script -F sym" "perf script -F ip,sym"; do
		is "$($reader 2> /dev/null < /dev/null | in_functions)" "$both"
	done
	perf annotate --stdio -s first_half 2> /dev/null < /dev/null | grep -q nop
	perf buildid-list 2> /dev/null | grep -q "$busy\$"
}

@test "acrctl record: numbers are decimal also after a zero" {
	run fake record -e "$group" -p 04194303
	[ "$status" = 1 ]
	[[ $output = *"no process 4194303"* ]]
	run "$acrctl" record -e "$group" -m 010 true
	[ "$status" = 2 ]
	[[ $output = *"-m 10 is not a power of 2"* ]]
	run "$acrctl" record -e "$group" -p 99999999999999999999
	[ "$status" = 2 ]
	[[ $output = *"is not a number from 1 to 2147483647"* ]]
	run "$acrctl" record -e "$group" -c 99999999999999999999 true
	[ "$status" = 2 ]
	[ "$output" = "acrctl: record: -c '99999999999999999999' needs more than 64 bits; the largest number is 18446744073709551615" ]
	run "$acrctl" record -e "$group" -c 0 true
	[ "$status" = 2 ]
	[ "$output" = "acrctl: record: -c '0' is not a period; give a whole number above 0" ]
}

@test "acrctl record: an allocation failure while reading the command line is a failure, not wrong usage" {
	! nm -D "$acrctl" | grep -q __asan || skip "a sanitizer replaces the allocator"
	FAKE_FAIL=reallocarray:12 run faulty record -e "$group" -- touch ran
	[ "$status" = 1 ]
	[[ $output = *"no memory left for the event strings"* ]]
	[ ! -e ran ]
}

@test "acrctl record: refuses what is not a regular file before anything happens" {
	mkfifo pipe
	mkdir directory
	ln -s nowhere/at/all link
	for name in pipe directory link /dev/null; do
		run timeout -k 1 600 env LD_PRELOAD="$BATS_FILE_TMPDIR/device.so" "$acrctl" record -e "$group" -o "$name" -- touch ran
		echo "$name: $status $output"
		[ "$status" = 1 ]
		[[ $output = "acrctl: record: $name is a "*", and a recording has to be a regular file; name another file with -o" ]]
	done
	[ ! -e ran ]
	no_session
	[ -p pipe ]
	[ -L link ]
	[ ! -e nowhere ]
}

@test "acrctl record: refuses -o without a name, or - on a terminal, with a hint" {
	run fake record -e "$group" -o "" -- touch ran
	[ "$status" = 2 ]
	[ "$output" = "acrctl: record: -o '' names no file; name one, or - for standard output" ]
	command -v script > /dev/null || skip "script is not installed"
	status=0
	script -qec "$acrctl record -e '$group' -o - -- touch ran" terminal > /dev/null || status=$?
	[ "$status" = 2 ]
	grep -q "acrctl: record: -o -: a terminal cannot show a recording; pipe it into 'acrctl report -i -' or 'perf report -i -'" terminal
	[ ! -e - ]
	[ ! -e ran ]
	no_session
}

@test "acrctl record: -o - writes a stream with the samples and names of the file, and nothing else, to standard output" {
	echo earlier > perf.data
	status=0
	fake record -e "$group" -o - -- sh -c 'echo to standard output; exit 7' > stream 2> err || status=$?
	cat err
	[ "$status" = 7 ]
	grep -q '^to standard output$' err
	is "$("$acrctl" script -i stream -F sym | in_functions)" "$both"
	grep -q "^acrctl: standard output: 10 samples, 0 lost, .*(.* KiB)$" err
	# the closing line has the bytes written
	[ "$(LC_ALL=C awk -v size="$(stat -c %s stream)" 'BEGIN { printf "%.1f KiB)", size / 1024 }')" = "$(grep -o '[0-9.]* KiB)' err)" ]
	"$acrctl" report -i stream --json > report.json
	python3 - "$group" <<-'PYTHON'
	import json, sys
	r = json.load(open("report.json"))
	assert r["complete"] and r["cmdline"].startswith("acrctl record -e " + sys.argv[1]), r["cmdline"]
	assert [e["name"] for e in r["events"]] == ["cpu/instructions,period=200000,acr_mask=0x2/u", "cpu/cycles,period=100000,acr_mask=0x3/u"]
	assert {e["leader"] for e in r["events"]} == {"cpu/instructions,period=200000,acr_mask=0x2/u"}
	assert r["events"][0]["sample_period"] == 200000
	assert {x["symbol"]: x["samples"] for x in r["events"][0]["entries"]} == {"first_half": 6, "second_half": 4}, r["events"]
	PYTHON
	[ "$(cat perf.data)" = earlier ]
	[ "$(ls -A)" = "err
log
perf.data
report.json
stream" ]
}

@test "acrctl record: a stream goes through a pipe into report and script, by -i - or from a file" {
	fake record -q -e "$group" -o - -- "$busy" | tee stream | "$acrctl" script -i - -F time,sym > from_pipe
	is "$(in_functions < from_pipe)" "$both"
	"$acrctl" script -i stream -F time,sym > from_file
	"$acrctl" script -i - -F time,sym < stream > from_stdin
	cmp from_pipe from_file
	cmp from_pipe from_stdin
	cat stream | "$acrctl" report -i - | grep -q 'first_half$'
	# reports where it is cut off within a record
	head -c -20 stream > cut
	run "$acrctl" report -i cut
	[ "$status" = 0 ]
	[[ $output = *"cut: cut off; reading what is there"* ]]
	# the end of a round, 8 bytes that perf may put first, is no room for the header of a file
	{ head -c 16 stream; printf 'D\0\0\0\0\0\10\0'; tail -c +17 stream; } > round
	"$acrctl" report -i round --json | grep -q '"complete":true'
	run "$acrctl" report -i - < /dev/null
	[ "$status" = 1 ]
	[ "$output" = "acrctl: standard input: not a perf.data file: it has only 0 bytes" ]
}

@test "acrctl record: a stream's pipe without a reader is an error, and the command is ended" {
	# more than a pipe holds
	{ echo "exists pid"; halves "$busy" 1000 1000; } | play
	{
		fake record -e "$group" -o - -- sh -c 'echo $$ > pid; exec sleep 1000' 2> err || echo $? > status
	} | { head -c 1000 > /dev/null; wait_until [ -e pid ]; }
	cat err
	[ "$(cat status)" = 1 ]
	grep -qx 'acrctl: record: writing standard output: Broken pipe; its reader ended first: let it read on, or record into a file' err
	[ ! -e /proc/"$(cat pid)" ]
}

@test "acrctl record: a command that cannot be run leaves a stream without samples" {
	play < /dev/null
	status=0
	fake record -e "$group" -o - -- ./missing > stream 2> err || status=$?
	[ "$status" = 127 ]
	run "$acrctl" script -i stream
	[ "$status" = 0 ]
	[ "$output" = "" ]
}

@test "acrctl record: perf reads a stream as it reads the file of the same recording" {
	requires_perf
	fake record -q -e "$group" -o - -- "$busy" > stream
	is "$("$acrctl" script -i stream -F sym | in_functions)" "$both"
	for fields in ip,sym sym; do
		is "$(perf script -i - -F $fields < stream 2> /dev/null | in_functions)" "$both"
	done
	[ "$(perf report -i - --stdio < stream 2> /dev/null | grep -c 'first_half\|second_half')" = 2 ]
	# the names of the events, as a group
	perf report -i - --stdio < stream 2> /dev/null |
		grep -qF 'events '\''anon group { cpu/instructions,period=200000,acr_mask=0x2/u, cpu/cycles,period=100000,acr_mask=0x3/u }'\'
	perf annotate -i - --stdio -s first_half < stream 2> /dev/null | grep -q nop
	[ "$(perf evlist -i - < stream 2> /dev/null | wc -l)" = 3 ]
	perf buildid-list -i - < stream 2> /dev/null | grep -q "$(readelf -n "$busy" | awk '/Build ID/ { print $3 }').*$busy\$"
	# and with an older kernel, which has no build-ids
	FAKE_KERNEL=5.4 faulty record -q -e "$group" -o - -- "$busy" > stream
	is "$(perf script -i - -F ip,sym < stream 2> /dev/null | in_functions)" "$both"
}

@test "acrctl record: a stream of all CPUs has the kernel's build-id, and none with -B" {
	[ -r /sys/kernel/notes ] || skip "this kernel shows no build-id"
	id=$(python3 - <<-'PYTHON'
	import struct
	notes, at = open("/sys/kernel/notes", "rb").read(), 0
	while at + 12 <= len(notes):
	    name, desc, kind = struct.unpack_from("<III", notes, at)
	    at += 12 + (name + 3 & ~3)
	    if kind == 3 and notes[at - 4:at] == b"GNU\0":
	        print(notes[at:at + desc].hex())
	    at += desc + 3 & ~3
	PYTHON
	)
	[ -n "$id" ] || skip "this kernel has no build-id"
	fake record -q -e "$group" -a -o - -- true > stream
	od -An -v -tx1 stream | tr -d ' \n' | grep -q "$id"
	"$acrctl" script -i stream > /dev/null
	fake record -q -B -e "$group" -a -o - -- true > stream
	[ "$(od -An -v -tx1 stream | tr -d ' \n' | grep -c "$id")" = 0 ]
}

@test "acrctl record: does not write to a file that another user has prepared" {
	# an empty one is not worth keeping, but a process that has it open could read the recording
	: > out
	chmod 666 out
	exec 5< out
	fake record -q -e "$group" -o out -- true
	[ "$(wc -c <&5)" = 0 ]
	exec 5<&-
	[ "$(stat -c %a out)" = 600 ]
	[ "$(od -An -c -N 8 out | tr -d ' ')" = PERFILE2 ]
}

@test "acrctl record: a mistyped command does not touch earlier recordings" {
	echo newer > perf.data
	echo older > perf.data.old
	run -127 fake record -e "$group" -- ./missing
	[ "$(cat perf.data perf.data.old)" = "newer
older" ]
	[ "$(ls -A)" = "log
perf.data
perf.data.old" ]
}

@test "acrctl record: refuses to replace an earlier recording that cannot be renamed" {
	echo earlier > out
	mkdir out.old
	run fake record -e "$group" -o out -- touch ran
	[ "$status" = 1 ]
	[[ $output = *"the earlier recording out cannot become out.old: this is a directory; move one of them away, or name another"* ]]
	[ "$(cat out)" = earlier ]
	[ ! -e ran ]
	no_session
}

@test "acrctl record: the file has its name while the recording runs, and grows" {
	echo "say started" | play
	fake_start record -C 0 -e "$group" -o out
	recorder=$!
	wait_until grep -q '^started' log
	wait_until test -s out
	before=$(stat -c %s out)
	{ echo "sample ip=0x1000 pid=1 nr=100"; echo poll; echo "say written"; } | go_on
	wait_until grep -q '^written' log
	# a sample has 56 bytes
	[ "$(stat -c %s out)" -ge $((before + 5600)) ]
	kill -INT $recorder
	wait $recorder
	[ "$(ls -A)" = "log
out" ]
}

@test "acrctl record: has name and maps of a process that starts while /proc is read" {
	cp "$busy" latecomer
	echo "say started" | play
	FAKE_SLOW=sideband fake_start record -a -e "$group"
	recorder=$!
	wait_until grep -q 'SLOW sideband' log
	./latecomer wait 3>&- &
	late=$!
	wait_until sleeps $late latecomer
	touch log.go
	wait_until grep -q '^started' log
	{ halves "$busy" 6 4 pid=$late; echo say played; } | go_on
	wait_until grep -q '^played' log
	kill -INT $recorder
	wait $recorder
	kill $late
	is "$("$acrctl" script -F comm,pid,sym | awk '{ print $1, $2, $3 }' | sort | uniq -c | xargs)" \
		"6 latecomer $late first_half 4 latecomer $late second_half"
}

# ids_of_running PID PREFIX...: records the process, with PREFIX before acrctl; sets how often the file holds $ours and $other
ids_of_running()
{
	local pid=$1
	shift
	{ echo "sample ip=$(at "$busy" first_half)"; echo "signal 2"; } | play
	"$@" env --default-signal=INT LD_PRELOAD="$BATS_FILE_TMPDIR/device.so" "$acrctl" record -q -p "$pid" -e "$group"
	od -An -v -tx1 perf.data | tr -d ' \n' > hex
	nr_ours=$(grep -o "$ours" hex | wc -l)
	nr_other=$(grep -o "$other" hex | wc -l)
	echo "$*: $ours in $nr_ours places, $other in $nr_other"
}

# so that the kernel's own links to what is mapped may not be followed
fewer_capabilities="setpriv --bounding-set -sys_admin,-checkpoint_restore"

@test "acrctl record: a process in a container does not get symbols of another file at the same path" {
	requires_mount_namespaces
	two_programs
	unshare -m sh -c 'mount --bind theirs program && exec ./program wait' 3>&- &
	runner=$!
	wait_until sleeps $runner program
	for prefix in "" "$fewer_capabilities"; do
		ids_of_running $runner $prefix
		[ "$nr_other" -ge 2 ]
		[ "$nr_ours" = 0 ]
		run "$acrctl" script -F comm,sym
		[[ $output = *program* ]]
		[[ $output != *first_half* ]]
	done
	kill $runner
}

@test "acrctl record: a program has its own build-id or none if its path now leads to another file, or nowhere" {
	requires_mount_namespaces
	two_programs
	unshare -m sh -c './program wait & echo $! > pid
		until grep -q "^State:.*sleeping" /proc/$!/status && grep -q program /proc/$!/comm; do sleep 0.01; done
		mount --bind theirs program; echo > bound; wait' 3>&- &
	wait_until test -e bound
	ids_of_running "$(cat pid)"
	[ "$nr_ours" -ge 2 ]
	[ "$nr_other" = 0 ]
	# in the table alone, for the path as acrctl sees it
	ids_of_running "$(cat pid)" $fewer_capabilities
	[ "$nr_ours" = 1 ]
	[ "$nr_other" = 0 ]
	kill "$(cat pid)"
	./program wait 3>&- &
	runner=$!
	wait_until sleeps $runner program
	rm program
	ids_of_running $runner
	[ "$nr_ours" -ge 2 ]
	kill $runner
}

@test "acrctl record: does not wait forever if SIGCHLD is ignored on entry" {
	run timeout -k 1 600 env --ignore-signal=CHLD LD_PRELOAD="$BATS_FILE_TMPDIR/device.so" "$acrctl" record -q -e "$group" -- sh -c 'exit 7'
	[ "$status" = 7 ]
}

@test "acrctl record: the command has the signals and limits that it would have without acrctl" {
	for signals in --default-signal "--ignore-signal=PIPE,CHLD,HUP --block-signal=USR1,INT"; do
		env $signals grep -E '^Sig(Blk|Ign)' /proc/self/status > without
		env $signals LD_PRELOAD="$BATS_FILE_TMPDIR/device.so" "$acrctl" record -q -e "$group" -- \
			grep -E '^Sig(Blk|Ign)' /proc/self/status > with
		cat with
		diff without with
	done
	grep -q '^SigBlk:.*202$' with
	ulimit -Sn 64
	[ "$(fake record -q -e "$group" -- sh -c 'ulimit -Sn')" = 64 ]
}

@test "acrctl record: SIGHUP and SIGQUIT end a recording with a whole file, unless nohup runs it" {
	for signal in HUP QUIT; do
		env --default-signal=HUP,QUIT LD_PRELOAD="$BATS_FILE_TMPDIR/device.so" "$acrctl" record -C 0 -e "$group" -o $signal 3>&- &
		recorder=$!
		wait_until grep -q ENABLE log
		wait_until test -s $signal
		kill -$signal $recorder
		wait $recorder
		[ "$("$acrctl" report -i $signal --json | grep -c '"complete":true')" = 1 ]
		rm log
	done
	# what comes after the signal is recorded
	{ echo "signal 1"; echo poll; echo poll; echo "sample ip=0x1000 pid=1 nr=3"; echo "say goes on"; } | play
	env --ignore-signal=HUP LD_PRELOAD="$BATS_FILE_TMPDIR/device.so" "$acrctl" record -C 0 -e "$group" -o nohup 3>&- &
	recorder=$!
	wait_until grep -q 'goes on' log
	[ "$(grep -c DISABLE log)" = 0 ]
	kill -TERM $recorder
	wait $recorder
	[ "$("$acrctl" report -i nohup --json | grep -c '"complete":true')" = 1 ]
	[ "$("$acrctl" script -i nohup | wc -l)" = 3 ]
}

@test "acrctl record: Ctrl-C during start is status 130 with the reason; nothing runs, nothing is replaced" {
	echo earlier > perf.data
	# a session of its own, so that both processes get the signal as from a terminal
	FAKE_SLOW=create env --default-signal=INT LD_PRELOAD="$BATS_FILE_TMPDIR/device.so" \
		setsid "$acrctl" record -e "$group" -- touch ran 2> err 3>&- &
	recorder=$!
	wait_until grep -q 'SLOW create' log
	kill -INT -- -$recorder
	touch log.go
	status=0
	wait $recorder || status=$?
	cat err
	[ "$status" = 130 ]
	[ "$(cat err)" = "acrctl: record: ended by signal 2 (Interrupt) before 'touch' was started; nothing was recorded" ]
	[ "$(cat perf.data)" = earlier ]
	[ "$(ls -A)" = "err
log
log.go
perf.data" ]
}

@test "acrctl record: killing a waiting command is status 128 + N with the reason" {
	FAKE_SLOW=enable fake_start record -a -e "$group" -- touch ran 2> err
	recorder=$!
	wait_until grep -q 'SLOW enable' log
	kill -KILL "$(cat /proc/$recorder/task/$recorder/children)"
	touch log.go
	status=0
	wait $recorder || status=$?
	cat err
	[ "$status" = 137 ]
	[ "$(cat err)" = "acrctl: record: ended by signal 9 (Killed) before 'touch' was started; nothing was recorded" ]
	[ ! -e ran ]
	[ ! -e perf.data ]
}

@test "acrctl record: -p of many threads without CAP_PERFMON raises the soft limit on open files, and explains the hard limit" {
	start_threads 29
	echo "signal 2" | play
	record_it() { FAKE_PERF=tasks faulty record -p $runner -e "$group"; }
	# a descriptor for each thread is never enough: each needs one on each CPU, and there are others
	soft=0
	(ulimit -Sn 30; record_it 2> soft) || soft=$?
	hard=0
	(ulimit -n 30; record_it 2> hard) || hard=$?
	kill $runner
	cat soft hard
	[ "$soft" = 0 ]
	[ "$hard" = 1 ]
	cpus=$(getconf _NPROCESSORS_ONLN)
	[ "$(grep -c '^PERF ' log)" -ge $((30 * cpus)) ]
	grep -qE "it takes $((30 * cpus)) descriptors on $cpus CPUs, and the limit is 30: raise it with 'ulimit -n [0-9]+' as root$" hard
}

@test "acrctl record: where perf has events of CPUs, many threads need no more descriptors" {
	cpus=$(getconf _NPROCESSORS_ONLN)
	start_threads 29
	FAKE_PERF=full run faulty record -p $runner -e "$group"
	kill $runner
	echo "$output"
	[ "$status" = 1 ]
	grep -qE "it takes $cpus descriptors on $cpus CPUs, and the limit is [0-9]+: raise it with 'ulimit -n [0-9]+' as root$" <<< "$output"
}

# perf_events_of COMMAND...: how many events of perf it opens
perf_events_of()
{
	rm -f log
	env --default-signal=INT LD_PRELOAD="$BATS_FILE_TMPDIR/faulty_libc.so:$BATS_FILE_TMPDIR/device.so" "$@"
	grep -c '^PERF ' log
}

@test "acrctl record: with CAP_PERFMON perf has an event for each CPU, without it and where CPUs are isolated for each thread" {
	start_threads 29
	echo "signal 2" | play
	cpus=$(getconf _NPROCESSORS_ONLN)
	echo 0 > isolated
	with=$(perf_events_of "$acrctl" record -q -p $runner -e "$group")
	is "$(sed -n 's/^PERF //p' log | sort -u | wc -l)" "$cpus"
	without=$(perf_events_of env FAKE_PERF=tasks "$acrctl" record -q -p $runner -e "$group")
	isolated=$(perf_events_of env FAKE_ISOLATED=isolated "$acrctl" record -q -p $runner -e "$group")
	kill $runner
	echo "$with $without $isolated"
	[ "$with" = "$cpus" ]
	[ "$without" = $((30 * cpus)) ]
	[ "$isolated" = $((30 + cpus - 1)) ]
	# of the isolated CPU there are those of threads alone
	[ "$(grep '^PERF .*cpu=0$' log | grep -c 'pid=-1 ')" = 0 ]
	[ "$(grep '^PERF .*cpu=[1-9]' log | grep -vc 'pid=-1 ')" = 0 ]
}

@test "acrctl record: an event has its name= in the file, or else its text" {
	fake record -q -e '{cpu/instructions,name=work,period=200000,acr_mask=0x2/u,cpu/cycles,period=100000,acr_mask=0x3/u}' -- "$busy"
	[ "$("$acrctl" script -F event | sort -u | tr -d ' ')" = work: ]
	requires_perf
	[ "$(perf evlist 2> /dev/null)" = "work
cpu/cycles,period=100000,acr_mask=0x3/u
dummy:u" ]
}

@test "acrctl record: -v prints the periods and their actual ratio" {
	run fake record -v -e '{cpu/instructions/u,cpu/cycles,period=100001,ratio-to-prev=0.3/u}' -- true
	[[ $output = *"instructions: period 333337"* ]]
	[[ $output = *"cycles: period 100001, ratio to the previous event 100001/333337 (about 0.300000), asked for 0.3"* ]]
}

@test "acrctl record: shows progress four times a second on a terminal, and erases it at the end" {
	command -v script > /dev/null || skip "script is not installed"
	export TERM=xterm FAKE_RUN_MS=2000
	mkfifo fifo
	# typed COMMAND...: on a terminal
	typed() { script -qec "env LD_PRELOAD=$BATS_FILE_TMPDIR/device.so $*" terminal > /dev/null; }
	typed "$acrctl record -C 0 -e '$group'"
	# at once, and with each quarter of two seconds
	is "$(grep -o 'samples so far' terminal | wc -l)" 9
	# the closing line begins on an empty one
	grep -q $'\r\e\\[Kacrctl: perf.data: ' terminal
	# a command has the terminal to itself, except with -v
	export FAKE_FIFO=fifo
	typed "$acrctl record -e '$group' -- cat fifo"
	[ "$(grep -c 'so far' terminal)" = 0 ]
	typed "$acrctl record -v -e '$group' -- cat fifo"
	is "$(grep -o 'so far' terminal | wc -l)" 9
	# one that cannot erase a line gets none
	TERM=dumb typed "$acrctl record -v -e '$group' -- cat fifo"
	[ "$(grep -c 'so far' terminal)" = 0 ]
}

@test "acrctl record: requests perf's records about BPF if the kernel knows them" {
	requires_perf
	asked() { perf evlist -v 2> /dev/null | grep '^dummy' | grep -oE '(ksymbol|bpf_event|build_id): 1' | sort | tr '\n' ' '; }
	FAKE_KERNEL=4.19 faulty record -q -e "$group" -- true
	[ "$(asked)" = "" ]
	FAKE_KERNEL=5.4 faulty record -q -e "$group" -- true
	[ "$(asked)" = "bpf_event: 1 ksymbol: 1 " ]
	faulty record -q -e "$group" -- true
	[[ $(asked) = "bpf_event: 1 "*"ksymbol: 1 " ]]
	[ "$("$acrctl" script 2>&1 | grep -c damaged)" = 0 ]
}

@test "acrctl record: on a full disk the closing line counts the samples in the file" {
	requires_mount_namespaces
	mkdir small
	# rings of 16 KiB, written one after another: the second does not fit any more
	{ starts "$busy"; halves "$busy" 140 140; halves "$busy" 140 140 session=1; } | play
	run unshare -m sh -c 'mount -t tmpfs -o size=32k none small || exit 99
		LD_PRELOAD="$1" "$2" record -m 4 -e "$3" -e "$3" -o small/out -- true
		status=$?
		cp small/out out
		exit $status' sh "$BATS_FILE_TMPDIR/device.so" "$acrctl" "$group"
	echo "$output"
	[ "$status" = 1 ]
	[[ $output = *"writing small/out: No space left on device"* ]]
	said=$(sed -n 's/.*small.out (incomplete): \([0-9]*\) samples, \([0-9]*\) lost.*/\1 \2/p' <<< "$output")
	# all of the first ring, and some of the other
	[ "${said% *}" -gt 280 ]
	[ $((${said% *} + ${said#* })) = 560 ]
	[ "${said% *}" = "$("$acrctl" script -i out -F ip 2> /dev/null | wc -l)" ]
}

@test "acrctl record: when recording has failed, kills a command that ignores SIGTERM, and reports that" {
	requires_mount_namespaces
	mkdir small
	# what fills the file comes once the command ignores it
	{ echo "exists pid"; halves "$busy" 1000 1000; } | play
	FAKE_RUN_MS=1000000000 FAKE_IMPATIENT=1 run unshare -m sh -c 'mount -t tmpfs -o size=32k none small || exit 99
		LD_PRELOAD="$1" exec "$2" record -e "$3" -o small/out -- sh -c "$4"' sh "$BATS_FILE_TMPDIR/device.so" "$acrctl" "$group" \
		'trap "" TERM; echo $$ > pid.new; mv pid.new pid; exec sleep 1000'
	echo "$output"
	[ "$status" = 1 ]
	[[ $output = *"No space left on device"* ]]
	[[ $output = *"acrctl: record: 'sh' has not ended 3 seconds after SIGTERM; it is killed (SIGKILL)"* ]]
	[ ! -e /proc/"$(cat pid)" ]
}

@test "acrctl record: a file that does not reach the disk is an error, one that cannot be synced is not" {
	for call in fsync close; do
		FAKE_FAIL=$call:28 run faulty record -e "$group" -- true
		echo "$call: $output"
		[ "$status" = 1 ]
		[[ $output = *"finishing perf.data: No space left on device; "*"perf.data (incomplete)"* ]]
	done
	for errno in 22 30; do
		FAKE_FAIL=fsync:$errno run faulty record -e "$group" -- true
		[ "$status" = 0 ]
	done
}

@test "acrctl record: refuses an impossible CPU number with that reason" {
	run "$acrctl" record -e "$group" -C 0,40000
	[ "$status" = 2 ]
	[ "$output" = "acrctl: record: -C '0,40000': no CPU has a number above 32767, as at '40000'; see /sys/devices/system/cpu/online" ]
}

@test "acrctl record: CPUs that cannot be found are a failure, not wrong usage" {
	requires_mount_namespaces
	for target in -a "-C 0"; do
		# shellcheck disable=SC2016 # expanded by the other shell
		run unshare -m sh -c 'mount -t tmpfs none /sys && exec "$@"' sh "$acrctl" record $target -e "$group" -- touch ran
		echo "$target: $output"
		[ "$status" = 1 ]
		[ "$output" = "acrctl: record: the online CPUs cannot be read from /sys/devices/system/cpu/online: No such file or directory" ]
		[ ! -e ran ]
	done
}

@test "acrctl record: refuses a second list of CPUs" {
	run "$acrctl" record -e "$group" -C 0 -C 1
	[ "$status" = 2 ]
	[ "$output" = "acrctl: record: -C is given twice: give all CPUs in one list, such as 0,1" ]
}

# ---- rings: of CPUs that the session reserves later, and those that cannot be mapped

requires_two_cpus() { [ "$(getconf _NPROCESSORS_ONLN)" -gt 1 ] || skip "there is one CPU only"; }

# Four samples on CPU 0, then four on CPU 1, and after some more rounds of acrctl's loop the end of the command.
on_two_cpus()
{
	mkfifo fifo
	printf 'sample ip=0x1000 nr=4 cpu=%s\n' 0 1 | play
	printf '%s\n' poll poll poll poll "open fifo" | go_on
	command=(sh -c 'cat fifo; exit 7')
}

@test "acrctl record: maps the rings of CPUs when the session reserves them, and when it has lost them since" {
	requires_two_cpus
	on_two_cpus
	for arrive in held lost; do
		rm -f log
		FAKE_ARRIVE=$arrive run fake record -e "$group" -- "${command[@]}"
		echo "$arrive: $output"
		[ "$status" = 7 ]
		[ "$(grep -E '^(MAP|POLL)' log | head -3 | tr '\n' ' ')" = "MAP 0 POLL events=3 MAP 1 " ]
		is "$("$acrctl" script -F cpu | sort | uniq -c | xargs)" "4 [000] 4 [001]"
		[[ $output = *": 8 samples, 0 lost"* ]]
		[[ $output != *warning* ]]
	done
}

@test "acrctl record: goes on without a ring that cannot be mapped, with a warning, and has its samples as lost" {
	requires_two_cpus
	on_two_cpus
	FAKE_ARRIVE=held FAKE_MMAP_ERRNO=12 run fake record -e "$group" -- "${command[@]}"
	echo "$output"
	[ "$status" = 7 ]
	[ "$(grep -c 'cannot be mapped' <<< "$output")" = 1 ]
	last=$(($(getconf _NPROCESSORS_ONLN) - 1))
	[[ $output = "acrctl: record: warning: the ring of CPU $last cannot be mapped: Cannot allocate memory; its samples are lost unless it can be later; use fewer pages with -m"$'\n'* ]]
	is "$("$acrctl" script -F cpu | sort | uniq -c | xargs)" "4 [000]"
	[[ $output = *"perf.data: 4 samples, 4 lost"* ]]
	[ "$("$acrctl" report --json | grep -c '"complete":true')" = 1 ]
	[ "$("$acrctl" report --json | grep -o '"lost":[0-9]*' | head -1)" = '"lost":4' ]
	# its data would end each wait at once
	[ "$(grep '^POLL' log | tr '\n' ' ')" = "POLL events=3 POLL events=0 " ]
}

@test "acrctl record: tries again to map a ring, and loses nothing if it can in time" {
	requires_two_cpus
	on_two_cpus
	FAKE_ARRIVE=held FAKE_MMAP_ERRNO=12 FAKE_MMAP_TIMES=$(($(getconf _NPROCESSORS_ONLN) - 1)) run fake record -e "$group" -- "${command[@]}"
	echo "$output"
	[ "$status" = 7 ]
	[ "$(grep -c 'cannot be mapped' <<< "$output")" = 1 ]
	[[ $output = *": 8 samples, 0 lost"* ]]
	[ "$(grep '^POLL' log | tr '\n' ' ')" = "POLL events=3 POLL events=0 POLL events=3 " ]
}

@test "acrctl record: refuses to begin without a ring, and closes every session" {
	FAKE_MMAP_ERRNO=12 run fake record -C 0 -e "$group" -e "$group" -- touch ran
	[ "$status" = 1 ]
	[ "$output" = "acrctl: record: the ring of CPU 0 cannot be mapped: Cannot allocate memory; try fewer pages with -m" ]
	[ "$(grep -c '^CREATE' log) $(grep -c '^CLOSE' log)" = "1 1" ]
	[ ! -e ran ]
	[ ! -e perf.data ]
}

@test "acrctl record: when its loop fails, writes what is in the rings" {
	{ echo "say enough"; echo stop; cat "$FAKE_SCRIPT"; } > script
	play < script
	FAKE_FAIL=poll:12 FAKE_AFTER=enough run timeout 600 env LD_PRELOAD="$BATS_FILE_TMPDIR/faulty_libc.so:$BATS_FILE_TMPDIR/device.so" \
		"$acrctl" record -e "$group" -- sleep 100
	echo "$output"
	[ "$status" = 1 ]
	[[ $output = *"poll: Cannot allocate memory"* ]]
	[[ $output = *"perf.data (incomplete): 10 samples, 0 lost"* ]]
	is "$("$acrctl" script -F sym | in_functions)" "$both"
}

# ---- kinds of cores: CPU 0 is a P-core and CPU 1 an E-core

@test "acrctl record: a group without a PMU is one session and one event for each kind of core" {
	requires_two_cpus
	export FAKE_KINDS=PE ACRCTL_CPUID=
	printf 'sample ip=0x1000 nr=%s session=%s\n' 3 0 4 1 | play
	run fake record -c 100000 -e instructions:u -a -- true
	echo "$output"
	[ "$status" = 0 ]
	[ "$(grep -c '^CREATE' log)" = 2 ]
	grep -q '^CREATE .* cpus=0x1$' log
	grep -q '^CREATE .* cpus=0x2$' log
	# a name, a CPU, and no other combination of them
	is "$("$acrctl" script -F cpu,event | sort | uniq -c | xargs)" "3 [000] cpu_core/instructions/u: 4 [001] cpu_atom/instructions/u:"
}

@test "acrctl record: a group that hardware reloads is recorded on the kinds that can, others are named" {
	export FAKE_KINDS=PE ACRCTL_CPUID=
	run fake record --acr=hardware -e "$group" -a -- true
	[ "$status" = 0 ]
	[[ $output = *"acrctl: record: cpu_core is left out: "*"auto counter reload"* ]]
	[ "$(grep -c '^CREATE' log)" = 1 ]
	grep -q '^CREATE 0 flags=0 nr_events=2 .* cpus=0x2$' log
	run fake record -e "${group//cpu/cpu_atom}" -C 0 -- touch ran
	[ "$status" = 2 ]
	[[ $output = *"the CPUs have no PMU 'cpu_atom', only cpu_core; take events of these, or choose other CPUs"*"^ column 2"* ]]
	[ ! -e ran ]
}

@test "acrctl record: if the session of one kind is refused there is none, no file, and the command does not run" {
	export FAKE_KINDS=PE ACRCTL_CPUID=
	FAKE_ERRNO=16 FAKE_REASON=33 FAKE_REFUSE_NR=1 run fake record -c 100000 -e instructions:u -- touch ran
	echo "$output"
	[ "$status" = 1 ]
	[[ $output = "acrctl: record: "* ]]
	[ "$(grep -c '^CREATE' log) $(grep -c '^CLOSE' log)" = "2 1" ]
	[ ! -e ran ]
	[ ! -e perf.data ]
}

@test "acrctl record: states the time that tasks run on other CPUs" {
	FAKE_MISSED_NS=2500000000 run fake record -e "$group" -- true
	[ "$status" = 0 ]
	[[ $output = *"acrctl: record: cpu: tasks also ran for 2.500000 s on other CPUs, which its groups do not sample"* ]]
	FAKE_MISSED_NS=2500000000 run fake record -q -e "$group" -- true
	[ -z "$output" ]
}

@test "acrctl record: how long CPUs were gone is reported, and in file and stream, for report and for perf" {
	requires_perfs
	export FAKE_RUNNING_NS=7500000000 FAKE_MISSED_NS=2500000000
	gone="CPUs were offline or taken away for 2.500000 s in all; samples of that time are missing"
	for output in out -; do
		fake record -a -e "$group" -o $output -- true > stream 2> err
		[ "$(grep -c "^acrctl: record: warning: $gone$" err)" = 1 ]
		[ $output = out ] || mv stream out
		run "$acrctl" report -i out
		[ "$(grep -c "^# $gone$" <<< "$output")" = 1 ]
		[ "$(grep -c '^# counted for 7.500000 s of the 10.000000 s that it should have (75.00%)$' <<< "$output")" = 2 ]
		grep -q "acrctl: out: $gone" <<< "$output"
		"$acrctl" report -i out --json > json 2> err
		[ "$(python3 -c 'import json; r = json.load(open("json")); print(r["complete"], r["lost_cpus_ns"], r["events"][0]["missed_ns"])')" = "False 2500000000 2500000000" ]
		"$acrctl" report -i out --html page.html 2> err
		grep -q "CPUs offline or taken away" page.html
		perfs | while read -r perf; do
			$perf report -i out -D 2> err < /dev/null | awk '/PERF_RECORD_READ/ { nr++ } END { exit nr != 2 }' || { echo "$perf"; cat err; exit 1; }
		done
	done
}

# tells_of TAKEN TEXT: whether text, JSON and page of `out` say that a CPU was taken and nothing missed; TAKEN 0: that they do not
tells_of()
{
	"$acrctl" report -i out > text 2> err
	[ "$(grep -c "^# $2$" text)" = "$1" ]
	[ "$(grep -c "^acrctl: out: $2$" err)" = "$1" ]
	"$acrctl" report -i out --json > json 2> err
	[ "$(grep -c '"complete":false' json)" = "$1" ]
	[ "$(grep -c '"lost_cpus_ns":0' json)" = 1 ]
	"$acrctl" report -i out --html page.html 2> err
	[ "$(grep -c 'CPU taken away' page.html)" = "$1" ]
}

@test "acrctl record: that somebody else took a CPU from tasks is reported, and in file and stream" {
	export FAKE_RUNNING_NS=7500000000 FAKE_MISSED_NS=2500000000
	gone="somebody else took a CPU from the tasks' session; samples may be missing"
	for taken in 1 0; do
		for output in out -; do
			status=0
			FAKE_TAKEN=$taken fake record -e "$group" -o $output -- true > stream 2> err || status=$?
			[ "$status" = $taken ]
			[ "$(grep -c 'somebody else wrote .* on CPU 0, which the session held' err)" = $taken ]
			[ $output = out ] || mv stream out
			tells_of $taken "$gone"
		done
	done
}

@test "acrctl record: that somebody else took a CPU of a session of CPUs is reported, though none was missed" {
	requires_perfs
	gone="somebody else took a CPU from the session; samples may be missing"
	for taken in 1 0; do
		for output in out -; do
			status=0
			FAKE_RUNNING_NS=10 FAKE_TAKEN=$taken fake record -a -e "$group" -o $output -- true > stream 2> err || status=$?
			[ "$status" = $taken ]
			[ $output = out ] || mv stream out
			tells_of $taken "$gone"
			perfs | while read -r perf; do
				[ "$(samples_of "$perf" out)" = "$("$acrctl" script -i out 2> err | wc -l)" ] || { echo "$perf"; cat out.err; exit 1; }
			done
		done
	done
}

@test "acrctl record: names each CPU that somebody else took, also one that is lost later" {
	[ "$(nproc)" -ge 2 ] || skip "there is one CPU only"
	! FAKE_TAKEN=0x3 fake record -a -e "$group" -- true 2> err || false
	[ "$(grep -c 'somebody else wrote .* on CPU 0, which the session held' err)" = 1 ]
	[ "$(grep -c "^acrctl: record: '{cpu/.*': CPU 1 was taken as well$" err)" = 1 ]
	! FAKE_TAKEN=1 fake record -a -e "$group" -- true 2> err || false
	! grep 'as well' err || false
	echo "signal 12" | play
	FAKE_TAKEN=1 FAKE_MORE_IF=$PWD/more fake_start record -a -e cycles:u -c 100000 --switch-output 2> err
	wait_until grep -q 'is complete' err
	! grep 'as well' err || false
	touch more
	echo "signal 12" | go_on
	wait_until grep -q "'cycles:u': CPU 1 was taken as well" err
	kill -INT $!
	! wait $! || false
	[ "$(grep -c 'on CPU 0' err) $(grep -c 'as well' err)" = "1 1" ]
}

@test "examples: count and region print no counts once somebody else has taken a CPU" {
	for example in count region; do
		export LD_PRELOAD=$BATS_FILE_TMPDIR/device.so FAKE_VALUE=5
		[[ $("${acrctl%/*}/examples/$example") =~ \ 5 ]]
		run env FAKE_TAKEN=1 "${acrctl%/*}/examples/$example"
		unset LD_PRELOAD
		[ "$status" = 1 ]
		[[ $output = "counts: somebody else wrote 0x5100c5 to MSR 0x186 on CPU 0, which the session held"* ]]
	done
}

@test "acrctl record: time that tasks run on other CPUs is in file and stream, for report and for perf" {
	requires_perfs
	export FAKE_RUNNING_NS=7500000000 FAKE_MISSED_NS=2500000000
	for output in out -; do
		fake record -q -e "$group" -o $output -- true > stream
		[ $output = out ] || mv stream out
		run "$acrctl" report -i out
		[ "$(grep -c '^# counted for 7.500000 s of the 10.000000 s that its tasks ran (75.00%)$' <<< "$output")" = 2 ]
		[ "$(grep -c "^acrctl: out: 'cpu/instructions,.*' counted for 7.500000 s of the 10.000000 s that its tasks ran" <<< "$output")" = 1 ]
		"$acrctl" report -i out --json > json 2> err
		[ "$(grep -o '"running_ns":7500000000,"missed_ns":2500000000' json | wc -l)" = 2 ]
		perfs | while read -r perf; do
			$perf report -i out -D 2> err < /dev/null | awk '/PERF_RECORD_READ/ { nr++ } /time (enabled|running)/ { sum += $NF }
				END { exit !(nr == 2 && sum == 2 * 17500000000) }' || { echo "$perf"; cat err; exit 1; }
		done
	done
	# less than a microsecond passes before a CPU is reserved
	FAKE_MISSED_NS=999 fake record -q -e "$group" -o out -- true
	run "$acrctl" report -i out
	[[ $output != *counted* ]]
}

@test "acrctl record: periods have a random part, 10 % unless --jitter says otherwise" {
	asked() { rm -f log; FAKE_JITTER=$1 run fake record "${@:2}" -e "$group" -o j.data -- true; }
	asked 1
	[ "$status $(grep '^JITTER' log)" = "0 JITTER 10" ]
	asked 1 --jitter 25
	[ "$status $(grep '^JITTER' log)" = "0 JITTER 25" ]
	asked 1 --jitter=0
	[ "$status $(grep -c '^JITTER' log)" = "0 0" ]
	asked ""
	[ "$status $(grep -c '^JITTER' log)" = "0 0" ]
	asked 1 --jitter 51
	[ "$status" = 2 ]
	[[ $output = "acrctl: record: --jitter"*50* ]]
}

@test "acrctl record: --jitter with a module that does not know it is refused" {
	run fake record --jitter 10 -e "$group" -o j.data -- true
	[ "$status" = 1 ]
	[[ $output = *"--jitter"*"--jitter=0"* ]]
	[ ! -e j.data ]
}
