#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# --acr of acrctl record and stat against a fake device: what is chosen, what the module is asked for, what is reported.

load helpers
load device_helpers

setup_file() { build_fixtures; }

setup()
{
	common_setup
	export ACRCTL_CPUID=GenuineIntel-6-DD-0
	mkfifo fifo
}

# ACRPMU_SESSION_SOFTWARE
software=0x80

# created: for each session made, 1 if it was asked to reload in software
created()
{
	local flags

	for flags in $(sed -n 's/^CREATE .* flags=\([^ ]*\) .*/\1/p' log); do
		printf '%d ' $((!!(flags & software)))
	done
}

# record ARGUMENTS...: sets status, stdout, stderr
record() { rm -f log; capture env LD_PRELOAD="$BATS_FILE_TMPDIR/device.so" "$acrctl" record "$@" -- true; }

# stat ARGUMENTS...: likewise, of a command that ends with the run
stat()
{
	rm -f log
	FAKE_FIFO=fifo FAKE_DROPPED=1 ACRCTL_TSC_HZ=1500000000 capture counting "$acrctl" stat "$@" -- cat fifo
}

@test "acrctl record: --acr=auto is hardware if every CPU has it, otherwise software throughout" {
	requires_jq
	# how, what the CPUs lack, what sessions were asked for, the words
	while IFS=: read -r how lack want words; do
		echo "case: $how $lack"
		export FAKE_NO_ACR=
		[ -n "$lack" ] || unset FAKE_NO_ACR
		record --acr="$how" -e "$group"
		is "$status" 0
		is "$(created)" "$want "
		grep -E '^acrctl: perf.data: .* samples, .* discarded after stop \(reload '"$words"', [0-9.]+ KiB\)$' <<< "$stderr"
		has "$("$acrctl" report)" "# auto counter reload: $words"
		is "$("$acrctl" report --json | jq -r .reload)" "${words#* }"
		is "$(grep -c 'restarted in software' <<< "$stderr")" "$want"
		# a plain event neither reloads nor is reported to
		record --acr="$how" -c 100000 -e cycles:u
		is "$status $(created)" "0 0 "
		[[ $stderr != *"(reload "* ]]
		[[ $("$acrctl" report) != *"counter reload"* ]]
	done <<-'CASES'
	auto::0:by hardware
	hardware::0:by hardware
	software::1:in software
	auto:acr:1:in software
	software:acr:1:in software
	CASES
}

@test "acrctl record: in software each group reports interrupts without a sample, dropped overflows and what no window has" {
	FAKE_QUIET=12 FAKE_DROPPED=3 record --acr=software -v -e "$group" -c 200000 -e branches:u
	is "$status" 0
	is "$(grep -c 'restarted in software' <<< "$stderr")" 1
	has "$stderr" "acrctl: record: $group: restarted in software: 12 interrupts without a sample, 3 overflows dropped; outside of windows: 10 x instructions, 20 x cycles"
	has "$stderr" "  reload: in software, with an interrupt for each overflow that restarts something"
	record --acr=software -q -e "$group"
	is "$stderr" ""
	record -v -e "$group"
	has "$stderr" "  reload: by hardware"
}

@test "acrctl record: a condition has the longer windows and the longer smallest period in software" {
	record --acr=software --when 'ipc > 2'
	is "$status" 0
	grep -q 'event 1 .* period=1000000 ' log
	record --when 'ipc > 2'
	grep -q 'event 1 .* period=100000 ' log
	record --acr=software --window 500 --when 'ipc > 2'
	is "$status" 2
	has "$stderr" "the smallest that fits is --window 1000"
	record --window 500 --when 'ipc > 2'
	is "$status" 0
}

@test "acrctl record: where CPUs lack auto counter reload, hardware is refused with software as the remedy" {
	# what the module answers
	FAKE_NO_ACR=1 FAKE_ERRNO=95 FAKE_REASON=24 FAKE_EVENT=0 record --acr=hardware -e "$group"
	is "$status" 1
	has "$stderr" "'instructions' has a mask, but the CPU has no auto counter reload; let software restart the events (--acr=software)"
	[ ! -e perf.data ]
	# what hardware refuses stays refused where the CPUs have it
	FAKE_ERRNO=95 FAKE_REASON=26 FAKE_EVENT=1 record -e "$group"
	is "$status" 1
	is "$(grep -c CREATE log)" 1
}

@test "acrctl record: a period that is too small for an interrupt is refused with the smallest" {
	FAKE_NO_ACR=1 FAKE_ERRNO=22 FAKE_REASON=50 FAKE_EVENT=1 record -e "$group"
	is "$status" 1
	has "$stderr" "it restarts events in software, which takes an interrupt"
}

@test "acrctl record and stat: a module that cannot reload in software is named, unless nothing reloads" {
	export FAKE_NO_SOFTWARE=1
	for command in record stat; do
		$command --acr=software -e "$group"
		is "$status" 1
		has "$stderr" "acrctl: $command: the module cannot reload counters in software: its ABI version is"
		has "$stderr" "install module and acrctl of one version"
		FAKE_NO_ACR=1 $command -e "$group"
		is "$status" 1
		has "$stderr" "not all CPUs in question have auto counter reload, and the module cannot"
		no_session
		$command --acr=software -e cycles/period=100000/u
		is "$status" 0
		$command -e "$group"
		is "$status" 0
	done
}

@test "acrctl record: on CPUs of several kinds a group is reloaded alike on all that it is for" {
	export FAKE_KINDS=PE ACRCTL_CPUID=
	record -e "$group"
	is "$status" 0
	is "$(created)" "1 1 "
	[[ $stderr != *"left out"* ]]
	# one group in software, all in software
	record -e "$group" -e "${group//cpu/cpu_atom}"
	is "$(created)" "1 1 1 "
	record -e "${group//cpu/cpu_atom}"
	is "$(created)" "0 "
	record -C 1 -e "$group"
	is "$(created)" "0 "
}

@test "acrctl record: perf prints in the header how counters were reloaded" {
	requires_perfs
	record --acr=software -e "$group"
	perfs | while read -r perf; do
		$perf report -i perf.data --header-only < /dev/null 2> err | grep -x "# perf version : acrctl .*, reload in software" ||
			{ echo "$perf"; cat err; exit 1; }
	done
	rm -f log
	fake record --acr=software -o - -e "$group" -- true 2> /dev/null | "$acrctl" report -i - > report
	grep -qx "# auto counter reload: in software" report
}

@test "acrctl report: prints the condition, and in software the ratios in all of a file or stream" {
	requires_jq
	when='branch-misses:u / branches:u > 2% && branch-misses:u / instructions:u > 1/100'
	# the sampled event occurs 700 times, the limits 1400 and 2100 times
	export FAKE_VALUE=700
	for output in perf.data -; do
		fake record -q --acr=software --when "$when" -o $output -- true > stream 2> err
		[ $output = perf.data ] || mv stream perf.data
		capture "$acrctl" report
		has "$stdout" '# condition: branch-misses:u / branches:u > 0.02 && branch-misses:u / instructions:u > 0.01'
		has "$stdout" '# in all of the recording: branch-misses:u / branches:u = 0.5 (700 / 1400)'
		has "$stdout" '# in all of the recording: branch-misses:u / instructions:u = 0.3333 (700 / 2100)'
		capture "$acrctl" report --json
		is "$(json '.ratios | map([.name, .a, .b, .unknown])')" \
			'[["branch-misses:u / branches:u",700,1400,null],["branch-misses:u / instructions:u",700,2100,null]]'
		is "$(json '.ratios[0].value')" 0.5
	done
	fake record -q --acr=hardware --when "$when" -- true 2> err
	capture "$acrctl" report
	has "$stdout" "# in all of the recording: branch-misses:u / branches:u was not measured: what hardware reloads has no exact count; 'acrctl stat --when' with this condition counts both events"
	fake record -q -e "$group" -- true
	is "$("$acrctl" report --json | jq -c '[.condition, .ratios]')" '[null,[]]'
}

@test "acrctl report: prints how many windows hardware sampled, and what each of them had" {
	requires_jq
	fake record -q --acr=hardware --when 'branch-misses:u / branches:u > 2% && branch-misses:u / instructions:u > 1/100' -- "$busy"
	is "$("$acrctl" report --json | jq .samples)" 10
	capture "$acrctl" report
	has "$stdout" "# sampled windows: 10, each with branch-misses:u / branches:u > 0.02: at least 2000 branch-misses:u in fewer than 100000 branches:u
# in all"
	has "$stdout" "# sampled windows: 10, each with branch-misses:u / instructions:u > 0.01: at least 2000 branch-misses:u in fewer than 200000 instructions:u
# in all"
	capture "$acrctl" report --json
	is "$(json '.ratios[1].windows | [.samples, .event, .at_least, .limit, .fewer_than]')" \
		"[10,\"branch-misses:u\",2000,\"instructions:u\",200000]"
	# below: the second event is sampled
	fake record -q --acr=hardware --when 'ipc:u < 2' -- "$busy"
	has "$("$acrctl" report)" ', each with instructions:u / cycles:u < 2: at least 100000 cycles:u in fewer than 200000 instructions:u'
	# the length varies, the ratio does not
	fake record -q --acr=hardware -F 100 --when 'ipc:u < 2' -- "$busy"
	"$acrctl" report | grep -x '# sampled windows: [0-9]*, each with instructions:u / cycles:u < 2'
	is "$("$acrctl" report --json | jq -c '.ratios[0].windows | [.event, .at_least, .fewer_than]')" '["cycles:u",null,null]'
	# software estimates the order of overflows, and has the counts
	fake record -q --acr=software --when 'ipc:u < 2' -- "$busy"
	run grep -c 'sampled windows' <("$acrctl" report)
	is "$output" 0
	is "$("$acrctl" report --json | jq '.ratios[0].windows')" null
}

@test "acrctl report: a count that ended as somebody else took a CPU is none, in file and stream, for perf too" {
	requires_jq
	requires_perfs
	export FAKE_VALUE=700
	why="somebody else took a CPU from the session"
	for target in "" -a; do
		for output in perf.data -; do
			! FAKE_TAKEN=1 fake record -q --acr=software --when 'ipc:u < 2' $target -o $output -- true > stream 2> err || false
			[ $output = perf.data ] || mv stream perf.data
			capture "$acrctl" report
			has "$stdout" "# in all of the recording: instructions:u / cycles:u was not measured: $why"
			capture "$acrctl" report --json
			is "$(json '[.complete, (.ratios[0] | .a, .b, .value, .unknown)]')" "[false,null,null,null,\"$why\"]"
			"$acrctl" report --html page.html 2> err
			grep -q "instructions:u / cycles:u was not measured: $why" page.html
			perfs | while read -r perf; do
				$perf report -D < /dev/null 2> err > dump
				! grep PERF_RECORD_READ dump || { echo "$perf"; exit 1; }
			done
		done
	done
	rm perf.data
}

@test "acrctl report: a recording without counts has a condition without ratios" {
	FAKE_VALUE=700 FAKE_READ_ERRNO=5 fake record -q --acr=software --when 'ipc:u < 2' -- true 2> err || true
	grep 'the accounts of .* cannot be read' err
	has "$("$acrctl" report)" '# in all of the recording: instructions:u / cycles:u was not measured: the recording has no counts'
}

@test "acrctl record: perf prints the condition in the header, and reads the samples" {
	requires_perfs
	FAKE_VALUE=700 fake record -q --acr=software --when 'ipc:u < 2' -- "$busy"
	perfs | while read -r perf; do
		$perf report -i perf.data --header-only < /dev/null 2> err |
			grep -x "# perf version : acrctl .*, reload in software, when instructions:u / cycles:u < 2" ||
			{ echo "$perf"; cat err; exit 1; }
		is "$(samples_of "$perf" perf.data)" 10
	done
}

@test "acrctl stat: in software reloaded events have true counts, and a remark reports what restarting took" {
	requires_jq
	stat -j --acr=software -e '{cpu/instructions,period=200000,acr_mask=0x2/u,cpu/cycles,period=100000,acr_mask=0x3/u}'
	is "$status" 0
	is "$(created)" "1 "
	# 192 and 60 in a microsecond, for 100 ms
	is "$(json '[.groups[0].events[]|.value,.reloaded,.overflows]')" "[19200000,false,96,6000000,false,60]"
	is "$(json '.groups[0].reload')" software
	has "$(json '.remarks[]')" "software restarted '$group': 60 interrupts without a sample, 1 overflows dropped; outside of windows: 10 x instructions, 20 x cycles"
	stat --acr=software -v -e "$group"
	has "$stderr" " 19200000  instructions:u  # 96 overflows of 200000"
	has "$stderr" " 6000000  cycles:u  # 60 overflows of 100000"
	has "$stderr" "  reload: in software"
	[[ $stderr != *"<reloaded>"* ]]
	stat -j -e "$group"
	is "$(created)" "0 "
	is "$(json '.groups[0].reload')" hardware
	FAKE_NO_ACR=1 stat -j -e "$group"
	is "$(created)" "1 "
}

@test "acrctl stat: over several runs the remark has the sums" {
	requires_jq
	mkfifo again
	stat -j -r 2 --acr=software -e "$group"
	is "$status" 0
	has "$(json '.remarks[]')" "120 interrupts without a sample, 2 overflows dropped; outside of windows: 20 x instructions, 40 x cycles"
}

@test "acrctl record and stat: --help names --acr, and another way is refused" {
	for command in record stat encode; do
		capture "$acrctl" $command --help
		has "$stdout" "--acr HOW"
	done
	for command in record stat; do
		capture "$acrctl" $command --acr=none -e cycles true
		is "$status" 2
		has "$stderr" "acrctl: $command: --acr 'none' is no way to reload counters; use hardware, software or auto"
	done
}
