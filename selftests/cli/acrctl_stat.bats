#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# acrctl stat against a device with few counters and a clock of its own: requests, turns, arithmetic, output, refusals.

bats_require_minimum_version 1.5.0
load helpers
load device_helpers

setup_file() { build_device; }

setup()
{
	cd "$BATS_TEST_TMPDIR" || return 1
	export FAKE_LOG=$BATS_TEST_TMPDIR/log ACRCTL_TSC_HZ=1500000000 ACRCTL_CPUID=GenuineIntel-6-DD-0
	mkfifo fifo
}

# stat ARGUMENTS...: sets status, stdout, stderr
stat() { capture counting "$acrctl" stat "$@"; }

# stat_command ARGUMENTS...: the same with a command, which ends with the run
stat_command() { FAKE_FIFO=fifo stat "$@" -- cat fifo; }

on_goldmont() { export FAKE_CPU=goldmont ACRCTL_CPUID=GenuineIntel-6-5C-0; }

# nothing_happened: no session was made, the command did not run
nothing_happened() { [ ! -e ran ] && no_session; }

# What the device counts in 100 ms, at 1000 times these in a millisecond: see rate() in device/counts.c
instructions=$((192 * 100000))
cycles=$((60 * 100000))

# ---- the command line

@test "acrctl stat: --help names every option and exits 0" {
	run "$acrctl" stat --help
	[ "$status" = 0 ]
	for option in --event --when --window --offcore-latency --twins --events --pid --all-cpus --cpu --no-aggr --per-thread --no-inherit --interval \
		--repeat --rotate --json --output --pause-watchdog --verbose; do
		has "$output" "$option"
	done
}

@test "acrctl stat: refuses a wrong command line with status 2 before anything runs" {
	for arguments in "" "-a -C 0" "-a -p 1" "-p 1 true" "-p x" "-C 0-x" "-I 0 true" "-I x true" "-r 0 true" "-r 2 -a" \
		"-r 2 -I 10 true" "-A true" "-A -p 1" "--rotate 0 true" "--nonsense true" "-e {cycles true" "-e nonsense true" \
		"-e cycles/acr_mask=1/ true" "--offcore-latency nonsense true" "--offcore-latency DMND_RFO:x true" \
		"--offcore-latency DMND_RFO, true" "-o  -a"; do
		IFS=' ' read -ra words <<< "$arguments"
		stat "${words[@]/#true/touch ran}"
		echo "arguments: $arguments"
		is "$status" 2
		has "$stderr" "acrctl"
		nothing_happened
	done
}

@test "acrctl stat: messages have reason and remedy" {
	stat -r 2 -a
	is "$stderr" "acrctl: stat: -r: only a command can be run again; give one after --"
	stat -A -- true
	is "$stderr" "acrctl: stat: -A: tasks are counted wherever they run; give CPUs with -a, or with -C without a process or command"
	stat -A -C 0 -- true
	has "$stderr" "-A: tasks are counted wherever they run"
	stat
	is "$stderr" "acrctl: stat: nothing to count: give a command after --, or -a, -C CPUS, -p PID, -t TID or -G CGROUP"
	stat --offcore-latency dmnd_rfo,dmnd -a
	has "$stderr" "there is no request type 'dmnd'; take DMND_DATA_RD, DMND_RFO, "
	has "$stderr" ", ANY_RFO"
}

# ---- requests

@test "acrctl stat: without events counts seven of perf's, each in its own session" {
	stat_command
	is "$status" 0
	is "$(grep -c '^CREATE [0-6] flags=0x17 nr_events=1 ring_pages=0 sample_type=0 ' log)" 7
	is "$(sed -n 's/^  event 0 config=\([^ ]*\) extra=0 period=0 acr_mask=0 flags=0xb$/\1/p' log | tr '\n' ' ')" \
		"0xc0 0x3c 0x300 0xc4 0xc5 0x4f2e 0x412e "
}

@test "acrctl stat: a group of a command is tried, reset, unparked; it starts by exec, and is read once at the end" {
	stat_command -e '{instructions,cycles}:u'
	is "$status" 0
	grep -q '^CREATE 0 flags=0x17 nr_events=2 ring_pages=0 sample_type=0 ' log
	is "$(grep -c 'period=0 acr_mask=0 flags=0x9$' log)" 2
	is "$(calls)" "UNPARK 0 PARK 0 RESET 0 UNPARK 0 DISABLE 0 READ 0 -1 "
}

@test "acrctl stat: each group is tried alone before two of them run together" {
	stat_command -e instructions -e cycles
	is "$(calls)" "UNPARK 0 PARK 0 RESET 0 UNPARK 1 PARK 1 RESET 1 UNPARK 0 UNPARK 1 DISABLE 0 DISABLE 1 READ 0 -1 READ 1 -1 "
}

@test "acrctl stat: CPUs and a process are started by ENABLE" {
	stat -C 0 -e cycles
	is "$status" 0
	grep -q '^CREATE 0 flags=0x10 ' log
	is "$(calls)" "UNPARK 0 PARK 0 RESET 0 UNPARK 0 ENABLE 0 DISABLE 0 READ 0 -1 "
	rm log
	stat -p $$ -e cycles
	is "$status" 0
	grep -q '^CREATE 0 flags=0x1b ' log
	is "$(grep -c ENABLE log)" 1
}

@test "acrctl stat: --no-inherit follows no new tasks" {
	stat_command --no-inherit -e cycles
	grep -q '^CREATE 0 flags=0x15 ' log
}

@test "acrctl stat: periods of tables and periods without a mask do not sample" {
	stat_command -e cycles/period=1000/ -e cpu/event=0xc4,period=5000/ -e BR_MISP_RETIRED.ALL_BRANCHES
	is "$status" 0
	is "$(grep -c 'period=0 acr_mask=0 flags=0xb$' log)" 3
}

@test "acrctl stat: groups that fit if another one comes first take no turns" {
	FAKE_FIRST=1 stat_command -v -e cycles -e instructions
	is "$status" 0
	is "$(grep -c estimate <<< "$stderr")" 0
	is "$(grep -c 'counter 0' <<< "$stderr")" 2
	is "$(calls | sed 's/.*RESET 1 //; s/ QUERY 0.*//')" "UNPARK 0 UNPARK 1 EBUSY UNPARK 1 EBUSY PARK 0 READ 0 -1 UNPARK 1 UNPARK 0"
	# a group can need one particular counter (ACRPMU_REASON_HELD), which matters with as many counters as events
	FAKE_FIRST=1 FAKE_FIRST_WHY=32 FAKE_CNTRS=2 stat_command -e cycles -e instructions
	is "$(grep -c estimate <<< "$stderr")" 0
	FAKE_CNTRS=1 stat_command -e cycles -e instructions
	is "$(grep -c estimate <<< "$stderr")" 1
}

@test "acrctl stat: -v explains each group and register values" {
	stat_command -v -e '{instructions,cycles}'
	has "$stderr" "acrctl: stat: group {instructions,cycles}"
	has "$stderr" "cycles: general-purpose counter 1, CFG_A 0x3c"
	is "$(calls)" "UNPARK 0 PARK 0 RESET 0 UNPARK 0 QUERY 0 DISABLE 0 READ 0 -1 "
}

# ---- counts

@test "acrctl stat: groups that fit are counted exactly, without shares" {
	requires_jq
	stat_command -j -e '{instructions,cycles}' -e branches
	is "$(json '[.groups[].events[].value]')" "[$instructions,$cycles,19600000]"
	is "$(json '[.groups[]|.scaled,.running == 1]')" "[false,true,false,true]"
	is "$(json '.remarks')" "[]"
	is "$(json '[.time_s,.length_s,.runs]')" "[0.1,0.1,1]"
	stat_command -e '{instructions,cycles}'
	is "$stderr" "# counts of cat fifo

          19200000  instructions  # 3.20 per cycle
           6000000  cycles

          0.100000  seconds"
}

@test "acrctl stat: prints derived metrics if both events only count, at one level, and the divisor is not 0" {
	requires_jq
	stat_command -j -e instructions,cycles -e branch-misses,branches -e cache-misses,cache-references
	is "$(json '[.groups[].events[].derived|select(.)|.unit]')" \
		'["per cycle","% of all branches","% of all cache references"]'
	is "$(json '.groups[2].events[0].derived.value')" "$(awk 'BEGIN { printf "%.15g", 100 * 197 / 196 }')"
	stat_command -j -e instructions:u,cycles:k
	is "$(json '[.groups[].events[].derived]')" "[null,null]"
	FAKE_RUN_MS=0 stat_command -j -e instructions,cycles
	is "$(json '[.groups[].events[].derived]')" "[null,null]"
}

@test "acrctl stat: prints modifiers once if the name ends with them" {
	stat_command -e 'cpu/event=0xc4/u'
	has "$stderr" "  cpu/event=0xc4/u"
	is "$(grep -c 'u:u' <<< "$stderr")" 0
}

@test "acrctl stat: prints modifiers with the event" {
	requires_jq
	stat_command -e '{instructions,cycles}:u'
	has "$stderr" "  cycles:u"
	stat_command -j -e cycles:k
	is "$(json '.groups[0].events[0]|[.event,.modifiers]')" '["cycles","k"]'
}

# ---- turns

@test "acrctl stat: groups that do not fit take turns, longest waiting first, and as many as fit" {
	FAKE_CNTRS=3 FAKE_RUN_MS=35 stat_command -e '{instructions,cycles}' -e '{branches,branch-misses}' -e cache-misses
	is "$status" 0
	# the third group is stopped only if it has run for longer than the one in the way
	is "$(calls | sed 's/.*RESET 2 //')" "UNPARK 0 UNPARK 1 EBUSY UNPARK 2 \
UNPARK 1 EBUSY PARK 0 READ 0 -1 UNPARK 1 UNPARK 0 EBUSY READ 1 -1 READ 2 -1 \
UNPARK 0 EBUSY PARK 2 READ 2 -1 UNPARK 0 EBUSY PARK 1 READ 1 -1 UNPARK 0 UNPARK 1 EBUSY UNPARK 2 READ 0 -1 READ 2 -1 \
UNPARK 1 EBUSY PARK 0 READ 0 -1 UNPARK 1 UNPARK 0 EBUSY READ 1 -1 READ 2 -1 \
DISABLE 0 DISABLE 1 DISABLE 2 READ 0 -1 READ 1 -1 READ 2 -1 "
}

@test "acrctl stat: scales counts of groups that took turns by the share of the time that each ran" {
	requires_jq
	# 95 ms: the first group has five turns of 10 ms, the second four and a half, in which all happens twice as often
	FAKE_BURST=1 FAKE_CNTRS=2 FAKE_RUN_MS=95 stat_command -j -e '{instructions,cycles}' -e '{branches,branch-misses}'
	is "$status" 0
	is "$(json '[.groups[].running_ns]')" "[50000000,45000000]"
	is "$(json '[.groups[].events[].raw]')" "[9600000,3000000,17640000,17730000]"
	is "$(json '[.groups[].events[].value]')" "$(awk 'BEGIN {
		printf "[%d,%d,%d,%d]", 9600000 * 95 / 50 + .5, 3000000 * 95 / 50 + .5, 17640000 * 95 / 45 + .5, 17730000 * 95 / 45 + .5
	}')"
	is "$(json '[.groups[]|.scaled]')" "[true,true]"
	is "$(json '[.groups[].running*1000|round]')" "[526,474]"
	is "$(json '.groups|map(.running)|add')" 1
	has "$(json '.remarks[0]')" "took turns of 10 ms: counts are estimates"
}

@test "acrctl stat: time that passes while groups change does not distort estimates" {
	requires_jq
	FAKE_SLOW_MS=4 FAKE_CNTRS=1 FAKE_RUN_MS=200 stat_command -j -e instructions -e cycles
	is "$status" 0
	# as much as in the whole time, within one per cent, though neither the two nor both together ran all the time
	is "$(json '(.length_s * 1e6) as $us|[.groups[].events[0].value]|[.[0] / 192 / $us, .[1] / 60 / $us]|map((. - 1)|fabs < 0.01)')" "[true,true]"
	is "$(json '.groups|map(.running)|add < 0.7')" true
	is "$(json '.groups|all(.running > 0.2)')" true
}

@test "acrctl stat: the text has the share of each group in per cent, and explains it" {
	FAKE_CNTRS=1 FAKE_RUN_MS=120 stat_command --rotate 10 -e instructions -e cycles -e branches -e branch-misses
	is "$(grep -c '(25.0%)$' <<< "$stderr")" 4
	has "$stderr" "# the groups did not fit at once and took turns of 10 ms: counts are estimates"
}

@test "acrctl stat: --rotate is the length of a turn" {
	FAKE_CNTRS=1 stat_command --rotate 25 -e instructions -e cycles
	# three ends of turns in 100 ms after the two trials; the fourth is the end
	is "$(grep -c '^PARK' log)" 5
	has "$stderr" "took turns of 25 ms"
}

@test "acrctl stat: reports a group that had no turn as not counted, with status 1" {
	requires_jq
	FAKE_CNTRS=1 FAKE_RUN_MS=5 stat_command -j -e instructions -e cycles
	is "$status" 1
	is "$(json '[.groups[]|.counted,.events[0].value]')" "[true,960000,false,null]"
	has "$(json '.remarks[]')" "'cycles' never ran: its turn did not come; count for longer, or take shorter turns with --rotate"
	FAKE_CNTRS=1 FAKE_RUN_MS=5 stat_command -e instructions -e cycles
	has "$stderr" "<not counted>  cycles"
}

@test "acrctl stat: reports a group that others keep from running later on as not counted, with the reason and status 1" {
	FAKE_LATER=1 stat_command -e instructions -e cycles
	is "$status" 1
	has "$stderr" "     <not counted>  cycles"
	has "$stderr" "'cycles' never ran: the PMU is in use by perf, pid 4242; end running perf programs"
	has "$stderr" "19200000  instructions  (100.0%)"
}

@test "acrctl stat: a privileged program does not hide why a group never ran" {
	FAKE_STATE=32 FAKE_LATER=1 stat_command -e instructions -e cycles
	is "$status" 1
	has "$stderr" "# a set-uid or otherwise privileged program was executed"
	has "$stderr" "'cycles' never ran: the PMU is in use by perf, pid 4242; end running perf programs"
	FAKE_STATE=32 FAKE_CNTRS=1 FAKE_RUN_MS=5 stat_command -e instructions -e cycles
	has "$stderr" "'cycles' never ran: its turn did not come"
	# the turn came, but the tasks had been left before
	on_hybrid
	FAKE_STATE=32 FAKE_CNTRS=1 FAKE_LOST_CPU=1 FAKE_LOST_MS=10 stat_command -e cpu_atom/instructions/ -e cpu_atom/cycles/
	is "$status" 1
	has "$stderr" "<not counted>  cpu_atom/"
	has "$stderr" "# a set-uid or otherwise privileged program was executed"
	[[ $stderr != *"never ran"* ]]
}

@test "acrctl stat: reports time in which others kept all groups from running: reason, remark, JSON and status 1" {
	requires_jq
	# two turns, then none for 30 ms, then six turns
	FAKE_TAKEN_MS=20 FAKE_BACK_MS=50 FAKE_CNTRS=1 stat_command -j -e instructions -e cycles
	is "$status" 1
	is "$(json '[.lost_s,.length_s]')" "[0.03,0.1]"
	is "$(json '[.groups[].running*1000|round]')" "[571,429]"
	# what is counted stands for 70 ms, not for all
	is "$(json '[.groups[].events[0].value]')" "[$((192 * 70000)),$((60 * 70000))]"
	has "$(json '.remarks[]')" "for 0.030000 s (30.0 %) no group held counters, as others did, and counts lack what happened then: \
the PMU is in use by perf, pid 4242; end running perf programs"
	FAKE_TAKEN_MS=20 FAKE_CNTRS=1 stat_command -e instructions -e cycles
	is "$status" 1
	has "$stderr" "# for 0.080000 s (80.0 %) no group held counters"
}

@test "acrctl stat: what a group runs at the end of a lost turn does not stand for that turn" {
	requires_jq
	# a change takes time, and the first group runs while the second is tried
	FAKE_SLOW_MS=1 FAKE_TAKEN_MS=20 FAKE_BACK_MS=50 FAKE_CNTRS=1 stat_command -j -e instructions -e cycles
	is "$(json '.lost_s > 0.02')" true
	is "$(json '((.length_s - .lost_s) * 1e6) as $us|[.groups[].events[0].value]|[.[0] / 192 / $us, .[1] / 60 / $us]|map((. - 1)|fabs < 0.04)')" \
		"[true,true]"
}

@test "acrctl stat: lost time is the mean over runs, that of each interval, and as a share that of all" {
	requires_jq
	FAKE_TAKEN_MS=20 FAKE_BACK_MS=50 FAKE_CNTRS=1 stat_command -j -r 3 -e instructions -e cycles
	is "$status" 1
	is "$(json .lost_s)" 0.03
	has "$(json '.remarks[]')" "for 0.090000 s (30.0 %) no group"
	FAKE_TAKEN_MS=20 FAKE_BACK_MS=50 FAKE_CNTRS=1 stat_command -j -I 25 -e instructions -e cycles
	is "$status" 1
	is "$(jq -c .lost_s < stdout | tr '\n' ' ')" "0.005 0.025 0 0 "
	has "$(jq -r '.remarks|select(.)[]' < stdout)" "for 0.030000 s (30.0 %) no group"
}

@test "acrctl stat: reports up to one per cent of lost time without failing" {
	requires_jq
	FAKE_TAKEN_MS=20 FAKE_BACK_MS=30 FAKE_RUN_MS=1000 FAKE_CNTRS=1 stat_command -j -e instructions -e cycles
	is "$status" 0
	is "$(json .lost_s)" 0.01
	has "$(json '.remarks[]')" "for 0.010000 s (1.0 %) no group"
	FAKE_TAKEN_MS=20 FAKE_BACK_MS=30 FAKE_RUN_MS=999 FAKE_CNTRS=1 stat_command -j -e instructions -e cycles
	is "$status" 1
	FAKE_CNTRS=1 stat_command -j -e instructions -e cycles
	is "$(json '[.lost_s,(.remarks|length)]')" "[0,1]"
}

@test "acrctl stat: groups that take turns wait for their CPUs when these go offline" {
	requires_jq
	for target in -C0 -a; do
		FAKE_GONE_MS=15 FAKE_CNTRS=1 stat_command $target -j -e instructions -e cycles
		is "$status" 0
		is "$(json '[.length_s,.lost_s]')" "[0.1,0]"
		# from the end of the second turn on
		has "$(json '.remarks[]')" "for 0.080000 s all CPUs were offline"
	done
}

@test "acrctl stat: refuses a group that can never run before anything runs, with the reason" {
	FAKE_NEVER=1 stat -e instructions -e cycles -- touch ran
	is "$status" 1
	has "$stderr" "acrctl: stat: the PMU is in use by perf, pid 4242; "
	is "$(grep -c counts <<< "$stderr")" 0
	[ ! -e ran ]
	is "$(calls)" "UNPARK 0 PARK 0 RESET 0 UNPARK 1 EBUSY "
}

@test "acrctl stat: explains a refused session and does not run the command" {
	FAKE_ERRNO=95 FAKE_REASON=27 stat -e instructions -- touch ran
	is "$status" 1
	has "$stderr" "acrctl: stat: no counter can count 'instructions'"
	[ ! -e ran ]
}

@test "acrctl stat: refuses a module that cannot park sessions" {
	FAKE_ABI=1 stat -e instructions -- touch ran
	is "$status" 1
	is "$stderr" "acrctl: stat: the module cannot let groups take turns (its ABI version is 1, this is 6); install module and acrctl of one version"
	nothing_happened
}

# ---- intervals, CPUs, runs

@test "acrctl stat: -I prints the counts of each interval, and they add up" {
	requires_jq
	FAKE_BURST=1 stat_command -j -I 30 -e '{instructions,cycles}' -e branches
	is "$status" 0
	is "$(jq -c '[.time_s,.length_s]' < stdout | tr '\n' ' ')" "[0.03,0.03] [0.06,0.03] [0.09,0.03] [0.1,0.01] "
	is "$(jq -c '.groups[0].events[0].value' < stdout | tr '\n' ' ')" "$((192 * 40000)) $((192 * 50000)) $((192 * 40000)) $((192 * 20000)) "
	is "$(jq -s '[.[].groups[1].events[0].value]|add' < stdout)" $((196 * 150000))
	is "$(jq -c 'has("remarks")' < stdout | tr '\n' ' ')" "false false false true "
	stat -C 0 -I 50 -e instructions
	is "$stdout" "# counts of CPUs 0
#    seconds             count  event
     0.050000           9600000  instructions
     0.100000           9600000  instructions

          0.100000  seconds"
}

@test "acrctl stat: in each interval counts are scaled by the shares of that interval" {
	requires_jq
	FAKE_BURST=1 FAKE_CNTRS=1 stat_command -j -I 25 -e instructions -e cycles
	# turns of 10 ms, and in those of the second group all happens twice as often
	is "$(jq -c '[.groups[].running_ns/1e6]' < stdout | tr '\n' ' ')" "[15,10] [15,10] [10,15] [10,15] "
	is "$(jq -c '[.groups[].events[0].value]' < stdout | head -2 | tr '\n' ' ')" \
		"[$((192 * 25000)),$((60 * 50000))] [$((192 * 25000)),$((60 * 50000))] "
}

@test "acrctl stat: a group that did not run in an interval is not counted there, without a failure" {
	FAKE_CNTRS=1 stat_command -I 10 --rotate 10 -e instructions -e cycles
	is "$status" 0
	is "$(grep -c '<not counted>' <<< "$stderr")" 10
}

@test "acrctl stat: -A prints each CPU on its own, otherwise they are added up" {
	requires_jq
	[ "$(nproc)" -ge 2 ] || skip "there is one CPU only"
	stat -C 0,1 -A -j -e '{instructions,cycles}'
	is "$(json '[.groups[]|.cpu,.events[0].value]')" "[0,$instructions,1,$((2 * instructions))]"
	is "$(grep READ log | tr '\n' ' ')" "READ 0 0 READ 0 1 "
	stat -C 0,1 -j -e '{instructions,cycles}'
	is "$(json '[.groups[]|.cpu,.events[0].value]')" "[null,$((3 * instructions))]"
	stat -C 0,1 -A -I 50 -e instructions
	has "$stdout" "     0.050000  CPU1             19200000  instructions"
}

@test "acrctl stat: a CPU that went offline is not counted from then on" {
	requires_jq
	[ "$(nproc)" -ge 2 ] || skip "there is one CPU only"
	FAKE_LOST_CPU=1 FAKE_LOST_MS=50 stat -C 0,1 -A -j -I 25 -e '{instructions,cycles}'
	is "$status" 0
	is "$(jq -c '[.groups[]|.counted,.running,.events[0].value]' < stdout | sed -n '2p;3p')" "[true,1,4800000,true,1,9600000]
[true,1,4800000,false,null,null]"
	has "$(jq -r '.remarks|select(.)[]' < stdout)" "some CPU went offline"
	FAKE_LOST_CPU=1 FAKE_LOST_MS=50 FAKE_CNTRS=1 stat -C 0,1 -A -j -I 30 -e instructions -e cycles
	is "$(jq -c '[.groups[]|.counted]' < stdout | sed -n '1p;3p')" "[true,true,true,true]
[true,true,false,false]"
	FAKE_LOST_CPU=1 FAKE_LOST_MS=50 stat -C 0,1 -A -I 50 -e instructions
	is "$(grep -c 'CPU1        <not counted>  instructions$' <<< "$stdout")" 1
	FAKE_LOST_CPU=1 FAKE_LOST_MS=0 stat -C 1 -A -e instructions
	is "$status" 1
	has "$stdout" "'instructions' never ran: its CPUs were gone"
}

@test "acrctl stat: a CPU that somebody else has taken has no counts: it is said by whom, and the status is 1" {
	requires_jq
	[ "$(nproc)" -ge 2 ] || skip "there is one CPU only"
	# ACRPMU_REASON_CLAIM_LOST
	export FAKE_TAKEN=0x2 FAKE_LOST_MS=50 FAKE_REASON=66
	stat -C 0,1 -A -j -I 25 -e '{instructions,cycles}'
	is "$status" 1
	is "$(jq -c '[.groups[]|.counted,.taken,.events[0].value]' < stdout | sed -n '1p;2p')" "[true,false,4800000,true,false,9600000]
[true,false,4800000,false,true,null]"
	is "$(jq -r '.remarks|select(.)[]' < stdout)" "thief, pid 71 took the counters on CPU 1 from the session, and what was counted there is lost; end that program before, and count again"
	has "$stderr" "acrctl: stat: thief, pid 71 took the counters on CPU 1"
	# of all CPUs together there is no count either
	stat -C 0,1 -e instructions
	is "$status" 1
	has "$stdout" "<not counted>  instructions"
	has "$stdout" "# thief, pid 71 took the counters on CPU 1"
	[[ $stdout != *"never ran"* ]]
	FAKE_TAKEN=0x3 stat -C 0,1 -e instructions
	is "$status" 1
	has "$stdout" "# thief, pid 71 took the counters on CPU 0"
	has "$stdout" "# CPU 1 was taken as well"
	is "$(grep -c '^acrctl: stat: CPU 1 was taken as well$' <<< "$stderr")" 1
	FAKE_REASON=67 stat -C 1 -e instructions
	is "$status" 1
	[[ $stdout$stderr != *"as well"* ]]
	has "$stdout" "# somebody else wrote 0x5100c5 to MSR 0x186 on CPU 1, which the session held"
	# other CPUs are not concerned
	stat -C 0 -e instructions
	is "$status" 0
}

@test "acrctl stat: turns have shares of their own on each CPU" {
	requires_jq
	[ "$(nproc)" -ge 2 ] || skip "there is one CPU only"
	FAKE_CNTRS=1 stat -C 0,1 -A -j -e instructions -e cycles
	is "$(json '[.groups[]|.cpu,.running,.events[0].value]')" "[0,0.5,$instructions,0,0.5,$cycles,1,0.5,$((2 * instructions)),1,0.5,$((2 * cycles))]"
}

@test "acrctl stat: -r runs the command several times, for means and standard deviations" {
	requires_jq
	# once, twice and three times as much: the mean is twice, the deviation of the sample half of it
	FAKE_GROWS=1 stat_command -j -r 3 -e '{instructions,cycles}'
	is "$status" 0
	is "$(json '[.runs,.groups[0].events[].value]')" "[3,$((2 * instructions)),$((2 * cycles))]"
	is "$(json '[.deviation_percent == 0,(.groups[0].events[]|.deviation_percent == 50)]')" "[true,true,true]"
	is "$(grep -c '^CREATE' log)" 3
	is "$(grep -c '^CLOSE' log)" 3
	FAKE_GROWS=1 stat_command -r 3 -e '{instructions,cycles}'
	has "$stderr" "          38400000  instructions  ( +- 50.00% )  # 3.20 per cycle"
	has "$stderr" "# mean and standard deviation of 3 runs"
	# once and twice: their deviation, 1 by the root of 2, is 47.14 % of the mean
	FAKE_GROWS=1 stat_command -j -r 2 -e cycles
	is "$(json '[.runs,.deviation_percent,.groups[0].runs,(.groups[0].events[0].deviation_percent*100|round)]')" "[2,0,2,4714]"
	FAKE_GROWS=1 stat_command -r 2 -e cycles
	has "$stderr" "  cycles  ( +- 47.14% )"
	has "$stderr" "# mean and standard deviation of 2 runs"
}

@test "acrctl stat: -r ends with a signal, and prints the complete runs" {
	FAKE_RUN_MS=10 stat -r 5 -e instructions -- sleep 100
	is "$status" 130
	is "$(grep -c '^CREATE' log)" 1
	has "$stderr" "instructions"
}

@test "acrctl stat: -r reports from how many runs the means of a group are that had no turn in some" {
	requires_jq
	# 5, 105 and 205 ms: in the first run the second group has no turn, later each has half of the time
	FAKE_RUN_MS=5 FAKE_LONGER_MS=100 FAKE_CNTRS=1 stat_command -j -r 3 -e instructions -e cycles
	is "$status" 0
	is "$(json '[.runs,.groups[].runs]')" "[3,3,2]"
	is "$(json '[.groups[].events[0].value]')" "[$((192 * (5 + 105 + 205) * 1000 / 3)),$((60 * (105 + 205) * 1000 / 2))]"
	has "$(json '.remarks[]')" "'cycles' ran in 2 of 3 runs: its means are of those; let the command run for longer, or take shorter \
turns with --rotate"
	is "$(json '[.remarks[]|select(contains("of 3 runs"))]|length')" 1
	FAKE_RUN_MS=5 FAKE_LONGER_MS=100 FAKE_CNTRS=1 stat_command -r 3 -e instructions -e cycles
	has "$stderr" "# 'cycles' ran in 2 of 3 runs"
	FAKE_RUN_MS=5 FAKE_CNTRS=1 stat_command -j -r 3 -e instructions -e cycles
	is "$status" 1
	is "$(json '[.groups[].runs]')" "[3,0]"
	is "$(json '[.remarks[]|select(contains("ran in"))]|length')" 0
}

@test "acrctl stat: -r prints the runs before one that failed, and fails" {
	requires_jq
	FAKE_CNTRS=1 FAKE_ERRNO=16 FAKE_REASON=33 FAKE_LAST_RUN=2 stat_command -j -r 5 -e cycles
	is "$status" 1
	has "$stderr" "the PMU is in use by perf, pid 4242"
	is "$(json '[.runs,.groups[0].events[0].value]')" "[2,$cycles]"
	is "$(json '.remarks')" '["2 of 5 runs were counted, then one failed"]'
}

@test "acrctl stat: -r that a signal ends before the command runs again has that status, and prints the runs" {
	FAKE_INT_RUN=3 stat_command -r 5 -e cycles
	is "$status" 130
	has "$stderr" "acrctl: stat: ended by signal 2 (Interrupt) before 'cat' was started again"
	has "$stderr" "mean and standard deviation of 2 runs"
	has "$stderr" "# 2 of 5 runs were counted, then signal 2 (Interrupt) came"
	is "$(grep -c 'nothing was counted' <<< "$stderr")" 0
	FAKE_INT_RUN=1 stat_command -r 5 -e cycles
	is "$status" 130
	has "$stderr" "before 'cat' was started; nothing was counted"
}

@test "acrctl stat: output for a program is alone on standard output" {
	requires_jq
	FAKE_FIFO=fifo stat -j -e cycles -- sh -c 'cat fifo; printf hello'
	is "$status" 0
	is "$(json '.groups[0].events[0].value')" $cycles
	is "$stderr" hello
	FAKE_FIFO=fifo stat -j -o file -e cycles -- sh -c 'cat fifo; printf hello'
	is "$stdout" hello
	FAKE_FIFO=fifo stat -o - -e cycles -- sh -c 'cat fifo; printf hello'
	is "$stderr" hello
	FAKE_FIFO=fifo stat -e cycles -- sh -c 'cat fifo; printf hello'
	is "$stdout" hello
}

# ---- reloaded events

pair='{cpu/instructions,period=200000,acr_mask=0x2/u,cpu/cycles,period=100000,acr_mask=0x3/u}'

@test "acrctl stat: prints no counts of events that hardware reloads, and offers a twin" {
	requires_jq
	stat_command -j -e "$pair"
	is "$status" 0
	# the overflows of the sampled event reach software through a ring that is never read
	grep -q '^CREATE 0 flags=0x17 nr_events=2 ring_pages=1 sample_type=0x10000 ' log
	grep -q 'event 0 config=0xc0 extra=0 period=200000 acr_mask=0x2 flags=0x5$' log
	grep -q 'event 1 config=0x3c extra=0 period=100000 acr_mask=0x3 flags=0x1$' log
	is "$(json '[.groups[0].events[]|.value,.raw,.reloaded,.overflows]')" "[null,null,true,96,null,null,true,null]"
	has "$(json '.remarks[]')" "hardware reloads the counters of <reloaded> events, so that they hold no count; --twins counts each of them"
	stat_command -e "$pair"
	has "$stderr" "<reloaded>  instructions:u  # 96 overflows of 200000"
	has "$stderr" "<reloaded>  cycles:u"
}

@test "acrctl stat: --twins adds a plain counter of each reloaded event to the group" {
	requires_jq
	stat_command -j --twins -e "$pair" -e branches
	is "$status" 0
	grep -q '^CREATE 0 flags=0x17 nr_events=4 ' log
	is "$(grep -cE 'event [23] config=0x(c0|3c) extra=0 period=0 acr_mask=0 flags=0x9$' log)" 2
	is "$(json '[.groups[0].events[]|.event,.value,.twin_of]')" \
		"[\"instructions\",null,null,\"cycles\",null,null,\"instructions (twin)\",$instructions,0,\"cycles (twin)\",$cycles,1]"
	grep -q '^CREATE 1 flags=0x17 nr_events=1 ' log
}

@test "acrctl stat: refuses twins that do not fit into a group" {
	stat --twins -e '{a,b,c,d,e,f,g,h,i}' -- touch ran
	is "$status" 2
	many=$(printf 'cycles/period=1,acr_mask=1/,%.0s' {1..9})
	stat --twins -e "{${many%,}}" -- touch ran
	is "$status" 2
	has "$stderr" "has more than 16 events; split it, or count without twins"
	nothing_happened
}

# ---- conditions

# 96 periods of 200000 instructions and 60 of 100000 cycles pass, and whether they share windows is not known.
@test "acrctl stat --when: counts windows that match, next to plain counters of all events" {
	stat_command --when 'instructions:u / cycles:u > 2'
	is "$status" 0
	grep -q '^CREATE 0 flags=0x17 nr_events=4 ring_pages=1 ' log
	grep -q 'event 0 config=0xc0 extra=0 period=200000 acr_mask=0x2 flags=0x5$' log
	grep -q 'event 1 config=0x3c extra=0 period=100000 acr_mask=0x3 flags=0x1$' log
	is "$(grep -cE 'event [23] config=0x(c0|3c) extra=0 period=0 acr_mask=0 flags=0x9$' log)" 2
	has "$stderr" " 96  windows where instructions:u / cycles:u > 2  # 61.54% to 100.00% of all windows"
	has "$stderr" " 100.00%  instructions:u  # in these windows"
	stat_command --when 'ipc < 1/3' --window 50000
	has "$stderr" "acrctl: stat: the window is 50001 x cycles instead of 50000, so that the ratio is exact"
}

@test "acrctl stat --when: JSON has matches, periods, the share of the event, and bounds of windows" {
	requires_jq
	stat_command -j --when 'ipc:u < 4'
	is "$status" 0
	is "$(json '.groups[0]|[.group,(.condition|.window_share_min = (.window_share_min * 1000|floor))]')" \
		'["instructions:u / cycles:u < 4",{"periods":[100000,400000],"matches":60,"event_share":1,"others_min":0,"others_max":48,"window_share_min":555,"window_share_max":1}]'
	is "$(json '[.groups[0].events[].overflows]')" "[60,null,null,null]"
	stat_command -j -e "$pair"
	is "$(json '.groups[0]|has("condition")')" false
}

@test "acrctl stat: a module that cannot tell tasks apart is refused before the command runs" {
	FAKE_ABI=4 stat --when 'ipc:u > 2' -- touch ran
	is "$status" 1
	has "$stderr" "the module cannot tell tasks apart"
	[ ! -e ran ]
	FAKE_ABI=4 stat --per-thread -e instructions -p $$
	is "$status" 1
	has "$stderr" "the module cannot tell tasks apart"
}

# bounds: of windows without a match
bounds() { json '.groups[0].condition|[.others_min,.others_max]|join("-")'; }

# In 100 ms the limit occurs for 60 of its periods. The one window that matches holds at most one, and so does each that is open.
@test "acrctl stat --when: each task that there was may have left a window open, and no other" {
	requires_jq
	stat_command -j --when 'ipc:u > 100'
	is "$(bounds)" "58-60"
	FAKE_COME=2 stat_command -j --when 'ipc:u > 100'
	is "$(bounds)" "38-60"
	FAKE_COME=100 stat_command -j --when 'ipc:u > 100'
	is "$(bounds)" "0-60"
	# in an interval, those that ran in its beginning and those that came in it
	FAKE_COME=2 stat_command -j -I 50 --when 'ipc:u > 100'
	is "$(bounds | tr '\n' ' ')" "19-30 18-31 "
	# of all runs
	FAKE_COME=2 stat_command -j -r 2 --when 'ipc:u > 100'
	is "$(bounds)" "76-120"
	# each of two processes has one
	stat -j -p $$,$PPID --when 'ipc:u > 100'
	is "$(bounds)" "57-60"
	# tasks do not matter to the windows of CPUs
	FAKE_COME=100 stat -j -C 0 --when 'ipc:u > 100'
	is "$(bounds)" "58-60"
	# nor do they have windows from before the beginning
	FAKE_TICK=1 stat -j -C 0 --when 'ipc:u > 100'
	is "$(bounds)" "58-60"
	FAKE_COME=100 stat_command -j --acr=software --when 'ipc:u > 100'
	is "$(bounds)" "6-6"
	# a pause may leave one
	FAKE_THROTTLED=5 stat_command -j --when 'ipc:u > 100'
	is "$(bounds)" "53-60"
}

# A window that was open when the interval began may end in it.
@test "acrctl stat --when: intervals, CPUs and runs each have their own" {
	requires_jq
	stat_command -j -I 50 --when 'ipc:u > 2'
	is "$(jq -sc '[.[].groups[0].condition|.matches,.others_max]' stdout)" "[48,30,48,31]"
	is "$(jq -sc '[.[].groups[0].condition.window_share_min * 1000|floor]' stdout)" "[615,607]"
	stat -j -a -A --when 'ipc:u > 2'
	is "$(json '[.groups[]|.condition.matches / (.cpu + 1)]|unique')" "[96]"
	FAKE_GROWS=1 stat_command -j -r 2 --when 'ipc:u > 2'
	is "$(json '.groups[0].condition|[.matches,.others_max,(.window_share_min * 1000|floor)]')" "[144,180,615]"
	FAKE_RARE=1000 stat_command -j --when 'ipc:u > 2'
	is "$(json '.groups[0].condition|[.matches,.event_share,.others_max,.window_share_min]')" "[0,0,0,null]"
}

@test "acrctl stat --when: where software reloads, all windows are known without plain counters" {
	requires_jq
	stat_command -j --acr=software --when 'ipc:u > 2'
	is "$status" 0
	grep -q '^CREATE 0 flags=0x97 nr_events=2 ' log
	is "$(json '.groups[0].condition|[.periods,.matches,.event_share,.others_min,.others_max,.window_share_min,.window_share_max]')" \
		"[[2000000,1000000],9,0.9375,6,6,0.6,0.6]"
	stat_command --acr=software --when 'ipc:u > 2'
	has "$stderr" " 9  windows where instructions:u / cycles:u > 2  # 60.00% to 60.00% of all windows"
}

@test "acrctl stat --when: says why there are no shares if plain counters do not fit" {
	requires_jq
	many='ipc > 2'
	for event in branches branch-misses cache-references cache-misses cpu/event=0xd0,umask=0x81/; do
		many+=" && instructions / $event > 3"
	done
	stat_command -j --when "$many"
	is "$status" 0
	grep -q '^CREATE 0 flags=0x17 nr_events=7 ' log
	is "$(json '.groups[0].condition|[.matches > 0,.event_share,.others_min,.window_share_max]')" "[true,null,null,null]"
	has "$(json '.remarks[]')" "there are no shares, since plain counters for all events of the condition do not fit: "
}

@test "acrctl stat --when: is refused with events, and where it is wrong, before anything runs" {
	for arguments in "-e cycles" "--offcore-latency DMND_DATA_RD" "--when cpi>1" "--window 5" "--window x" "-F 100"; do
		# shellcheck disable=SC2086 # words
		stat --when 'ipc > 2' $arguments -- touch ran
		is "$arguments: $status" "$arguments: 2"
	done
	stat --window 100000 -e cycles -- touch ran
	is "$status" 2
	has "$stderr" "there is no --when"
	stat --when 'ipc >= 2' -- touch ran
	is "$status" 2
	has "$stderr" "^ column 1"
	nothing_happened
}

# ---- average latency

@test "acrctl stat: --offcore-latency counts both events of a pair in one session, with cycles of the same level" {
	on_goldmont
	stat_command --offcore-latency dmnd_data_rd:u
	is "$status" 0
	grep -q '^CREATE 0 flags=0x17 nr_events=4 ' log
	is "$(sed -n 's/^  event . config=\([^ ]*\) extra=\([^ ]*\) period=0 acr_mask=0 flags=0x9$/\1:\2/p' log | tr '\n' ' ')" \
		"0x1b7:0x4000000001 0x2b7:0x10001 0x3c:0 0x300:0 "
	has "$stderr" "             40.00  cycles average latency of DMND_DATA_RD:u  # 22.22 ns"
}

@test "acrctl stat: the latency is outstanding cycles by responses, and in ns by the actual frequency of the core" {
	requires_jq
	on_goldmont
	stat_command -j --offcore-latency DMND_DATA_RD,DMND_CODE_RD:u
	is "$(json '[.groups[].latency[]|.requests,.responses,.outstanding_cycles]')" \
		'["DMND_DATA_RD",200000,8000000,"DMND_CODE_RD:u",200000,10000000]'
	is "$(json '[.groups[].latency[].cycles] == [40,50]')" true
	# 60 cycles took as long as 50 at 1.5 GHz
	is "$(json '[.groups[].latency[].ns*1e6|round]')" "$(awk 'BEGIN {
		printf "[%.0f,%.0f]", 40 * 50 / 60 / 1.5 * 1e6, 50 * 50 / 60 / 1.5 * 1e6
	}')"
	# both need both registers
	is "$(json '[.groups[].running]')" "[0.5,0.5]"
	# a remark reports what the CPU of this machine does not enumerate
	ACRCTL_TSC_HZ='' stat_command -j --offcore-latency DMND_DATA_RD
	is "$(json '(.groups[0].latency[0].ns == null) == (.remarks|any(contains("give it in Hz as ACRCTL_TSC_HZ")))')" true
}

@test "acrctl stat: a latency is computed from counts, not from estimates or means" {
	requires_jq
	on_goldmont
	# one response in 10 ms, for which a request was outstanding for 40 cycles; of two turns the share is 20 of 35 ms
	FAKE_RARE=20000 FAKE_RUN_MS=35 stat_command -j --offcore-latency DMND_CODE_RD,DMND_DATA_RD
	is "$(json '.groups[1]|[.events[0,1].raw,.events[0,1].value]')" "[80,2,140,4]"
	is "$(json '.groups[1].latency[0].cycles == 40')" true
	# 1 and 2 responses have the mean 1.5
	FAKE_RARE=20000 FAKE_RUN_MS=10 FAKE_GROWS=1 stat_command -j -r 2 --offcore-latency DMND_DATA_RD
	is "$(json '.groups[0]|[.events[0,1].value]')" "[60,2]"
	is "$(json '.groups[0].latency[0]|[.cycles == 40,.ns > 0]')" "[true,true]"
	# a single one in four runs, in which there were 12, 24, 36 and 48 cycles
	FAKE_RARE=20000 FAKE_RUN_MS=3 FAKE_GROWS=1 stat_command -j -r 4 --offcore-latency DMND_DATA_RD
	is "$(json '.groups[0].latency[0]|[.responses,.cycles == 120]')" "[0,true]"
	# so is any derived metric within a group: 1.92 and 0.6 in a millisecond
	FAKE_RARE=100000 FAKE_RUN_MS=10 FAKE_GROWS=1 stat_command -j -r 2 -e '{instructions,cycles}'
	is "$(json '.groups[0].events[0].derived.value')" "$(awk 'BEGIN { printf "%.15g", (19 + 38) / (6 + 12) }')"
}

@test "acrctl stat: a pair of -e has a latency too, in ns with the core's clock in the group" {
	requires_jq
	on_goldmont
	pair='cpu/event=0xb7,umask=1,offcore_rsp=0x4000000012/,cpu/event=0xb7,umask=2,offcore_rsp=0x10012/'
	stat_command -j -e "{$pair}"
	is "$(json '.groups[0].latency[0]|[.requests,.cycles == 45,.ns]')" '["requests 0x12",true,null]'
	has "$(json '.remarks[]')" "add cycles and ref-cycles to it"
	stat_command -j -e "{$pair,cycles,ref-cycles}"
	is "$(json '[.groups[0].latency[0]|.cycles == 45,.ns == 25]')" '[true,true]'
	is "$(json '.remarks|length')" 0
	stat_command -j -e glm::OFFCORE_RESPONSE_0:DMND_RFO:OUTSTANDING+glm::OFFCORE_RESPONSE_1:DMND_RFO:ANY_RESPONSE
	is "$(json '.groups[0].latency[0]|[.requests,.cycles == 45,.ns]')" '["DMND_RFO",true,null]'
}

@test "acrctl stat: without a response the latency is n/a, in each interval" {
	requires_jq
	on_goldmont
	FAKE_SILENT=1 stat_command -I 50 --offcore-latency DMND_DATA_RD
	is "$(grep -c 'n/a  cycles average latency of DMND_DATA_RD  # no response$' <<< "$stderr")" 2
	FAKE_SILENT=1 stat_command -j -I 50 --offcore-latency DMND_DATA_RD
	is "$(jq -c '.groups[0].latency[0]|[.responses,.cycles,.ns]' < stdout | tr '\n' ' ')" "[0,null,null] [0,null,null] "
	stat_command -I 50 --offcore-latency DMND_DATA_RD
	is "$(grep -c ' 40.00  cycles average latency of DMND_DATA_RD  # 22.22 ns$' <<< "$stderr")" 2
}

@test "acrctl stat: refuses a CPU without the mode and names those that have it" {
	stat --offcore-latency DMND_DATA_RD -- touch ran
	is "$status" 1
	has "$stderr" "this CPU (clearwaterforest) cannot count outstanding requests next to their responses; it needs one of: goldmontplus, goldmont"
	nothing_happened
}

@test "acrctl stat: refuses a pair that has no latency, with the reason" {
	on_goldmont
	while IFS='|' read -r want group words; do
		stat -e "$group" -- touch ran
		is "$status" "$want"
		has "$stderr" "$words"
		nothing_happened
	done <<-'TABLE'
	1|cpu/event=0xb7,umask=1,offcore_rsp=0x4000000001/|counts outstanding requests, which says nothing without the number of responses
	1|{cpu/event=0xb7,umask=1,offcore_rsp=0x4000000001/,cpu/event=0xb7,umask=2,offcore_rsp=0x10002/}|0x10002, not 0x10001
	1|{cpu/event=0xb7,umask=1,offcore_rsp=0x4000000001/u,cpu/event=0xb7,umask=2,offcore_rsp=0x10001/}|counts at other levels than the outstanding requests
	1|{cpu/event=0xb7,umask=1,offcore_rsp=0x4000000001,cmask=1/,cpu/event=0xb7,umask=2,offcore_rsp=0x10001,cmask=1/}|'cpu/event=0xb7,umask=1,offcore_rsp=0x4000000...' has edge, inv or cmask
	1|{cpu/event=0xb7,umask=1,offcore_rsp=0x4000000001/,cpu/event=0xb7,umask=2,offcore_rsp=0x10001,inv/}|'cpu/event=0xb7,umask=2,offcore_rsp=0x10001,i...' has edge, inv or cmask
	2|{glm::OFFCORE_RESPONSE_0:DMND_RFO:OUTSTANDING:c=1,glm::OFFCORE_RESPONSE_1:DMND_RFO:ANY_RESPONSE:c=1}|leave edge, inv and cmask (in libpfm's names e, i and c) out
	1|{cpu/event=0xb7,umask=2,offcore_rsp=0x10002/,cpu/event=0xb7,umask=1,offcore_rsp=0x4000000001/u,cpu/event=0xb7,umask=2,offcore_rsp=0x10001/}|counts at other levels than the outstanding requests
	1|{cpu/event=0xb7,umask=1,offcore_rsp=0x4000040001/,cpu/event=0xb7,umask=2,offcore_rsp=0x50001/}|by response (0x40000), which the register cannot
	2|{glm::OFFCORE_RESPONSE_0:DMND_RFO:OUTSTANDING,cycles}|says nothing without the number of responses
	1|cpu/event=0xb7,umask=1/|counts nothing without a value of its extra register; give the value, as in cpu/event=0xb7,umask=0x1,offcore_rsp=N/
	TABLE
}

@test "acrctl stat: refuses an event that needs PEBS, with the reason" {
	mkdir -p precise
	echo '[{"EventName": "OWN.PRECISE", "EventCode": "0xd0", "UMask": "0x1", "PEBS": "2"}]' > precise/own.json
	stat --events precise -e own.precise -- touch ran
	is "$status" 1
	has "$stderr" "'own.precise' counts right with PEBS only, which acrpmu does not use; take another event, or 'perf record -e own.precise:pp'"
	nothing_happened
}

@test "acrctl stat: the module's refusal of a pair has the library's message" {
	on_goldmont
	FAKE_ERRNO=22 FAKE_REASON=40 stat --offcore-latency DMND_RFO -- touch ran
	is "$status" 1
	has "$stderr" "counts outstanding requests"
	has "$stderr" "put OFFCORE_RSP_1 with"
}

@test "acrctl stat: CPUs that cannot be found are a failure, not wrong usage" {
	unshare -m true 2> /dev/null || skip "mount namespaces are not allowed here"
	for target in -a "-C 0"; do
		# shellcheck disable=SC2086,SC2016 # two words; expanded by the other shell
		capture unshare -m sh -c 'mount -t tmpfs none /sys && exec "$@"' sh "$acrctl" stat $target -e cycles -- touch ran
		is "$status" 1
		is "$stderr" "acrctl: stat: the online CPUs cannot be read from /sys/devices/system/cpu/online: No such file or directory"
		nothing_happened
	done
}

# ---- the end

@test "acrctl stat: reports what is lost" {
	FAKE_THROTTLED=3 FAKE_INHERIT_FAILED=2 FAKE_STATE=4 stat_command -e instructions
	has "$stderr" "# 3 overflows were beyond a limit of the CPU, its rate or its time; "
	has "$stderr" "# 2 new tasks could not be followed for lack of memory"
	# a task session
	has "$stderr" "# some CPU went offline or was taken away"
	is "$(grep -c privileged <<< "$stderr")" 0
	FAKE_STATE=32 stat_command -e instructions
	has "$stderr" "# a set-uid or otherwise privileged program was executed; it was not counted"
}

@test "acrctl stat: returns the command's exit status, 127, 126 or 128 + signal" {
	FAKE_FIFO=fifo stat -e cycles -- sh -c 'cat fifo; exit 7'
	is "$status" 7
	stat -e cycles -- ./missing
	is "$status" 127
	has "$stderr" "acrctl: stat: cannot run './missing': No such file"
	touch plain
	stat -e cycles -- ./plain
	is "$status" 126
	stat -e cycles -- sleep 100
	is "$status" 130
	has "$stderr" "$cycles  cycles"
}

@test "acrctl stat: text goes to stderr with a command, otherwise to stdout; JSON to stdout; -o to a file" {
	requires_jq
	FAKE_FIFO=fifo stat -e cycles -- sh -c 'cat fifo; echo words of the command'
	is "$stdout" "words of the command"
	has "$stderr" "$cycles  cycles"
	stat -C 0 -e cycles
	is "$stderr" ""
	has "$stdout" "$cycles  cycles"
	stat_command -j -e cycles
	is "$stderr" ""
	is "$(json '.groups[0].events[0].value')" "$cycles"
	stat_command -o out -j -e cycles
	is "$stdout$stderr" ""
	is "$(jq '.groups[0].events[0].value' < out)" "$cycles"
	stat_command -o out -e cycles
	is "$stdout$stderr" ""
	has "$(cat out)" "$cycles  cycles"
	stat_command -o - -e cycles
	has "$stdout" "$cycles  cycles"
}

@test "acrctl stat: a refusal leaves an older file alone" {
	echo older > out
	FAKE_NEVER=0 stat -o out -e cycles -- true
	is "$status" 1
	is "$(cat out)" older
}

@test "acrctl stat: output that cannot be written fails" {
	stat -o missing/out -e cycles -- touch ran
	is "$status" 1
	is "$stderr" "acrctl: stat: -o missing/out: No such file or directory; name another file"
	[ ! -e ran ]
	[ -c /dev/full ] || skip "there is no /dev/full"
	stat_command -o /dev/full -e cycles
	is "$status" 1
	has "$stderr" "acrctl: stat: writing /dev/full failed; part of the output is missing"
}

@test "acrctl stat: -I ends with status 1 at the first block that cannot be written" {
	for format in "" -j; do
		# a pipe without a reader
		# shellcheck disable=SC2016,SC2086 # for the shell inside; no argument, or one
		capture counting bash -c 'exec 3<>fifo 4>fifo 3<&-; exec "$@" >&4' - "$acrctl" stat -C 0 -I 30 $format -e cycles
		is "$status" 1
		has "$stderr" "acrctl: standard output: "
		is "$(grep -c READ log)" 1
		rm log
		[ -c /dev/full ] || continue
		# shellcheck disable=SC2086
		stat -C 0 -I 30 $format -o /dev/full -e cycles
		is "$status" 1
		is "$stderr" "acrctl: stat: writing /dev/full failed; part of the output is missing"
		is "$(grep -c READ log)" 1
		rm log
	done
}

@test "acrctl stat: refuses -p with a process that does not exist" {
	stat -p 4194303 -e cycles
	is "$status" 1
	has "$stderr" "acrctl: stat: there is no process 4194303"
}

# ---- malformed arguments of the command line

@test "acrctl stat: refuses an impossible CPU number with that reason" {
	for cpus in 32768 40000 70000 0,40000 3-99999999999999999999; do
		stat -C "$cpus" -e cycles
		is "$status" 2
		is "$stderr" "acrctl: stat: -C '$cpus': no CPU has a number above 32767, as at '${cpus##*[,-]}'; see /sys/devices/system/cpu/online"
		nothing_happened
	done
	# the last one that the module accepts
	stat -C 0,32767 -e cycles
	is "$status" 1
	has "$stderr" "CPU 32767 is not online"
	grep -q '^CREATE 0 .* cpus_size=4096 ' log
}

@test "acrctl stat: refuses a second list of CPUs, not a second -a" {
	stat -C 0 --cpu 1 -e cycles
	is "$status" 2
	is "$stderr" "acrctl: stat: -C is given twice: give all CPUs in one list, such as 0,1"
	nothing_happened
	stat -a -a -e cycles
	is "$status" 0
}

@test "acrctl stat: refuses a malformed frequency in the environment before anything runs" {
	on_goldmont
	for hz in 1.5GHz x 0 1500000000Hz "1500000000 "; do
		ACRCTL_TSC_HZ=$hz stat --offcore-latency DMND_DATA_RD -- touch ran
		is "$status" 2
		is "$stderr" "acrctl: stat: ACRCTL_TSC_HZ='$hz' is not a number of Hz; give the frequency as one, such as 1500000000, or leave it out"
		nothing_happened
	done
}

# ---- kinds of cores: CPU 0 is a P-core and CPU 1 an E-core, as tasks on them have it

on_hybrid() { export FAKE_KINDS=PE ACRCTL_CPUID=; }
groups() { json '[.groups[].group]'; }
# created CPUS: number of sessions on the CPUs of this mask
created() { grep -c "^CREATE .* cpus=$1\$" log; }

@test "acrctl stat: a group without a PMU is one for each kind of core, never summed" {
	requires_jq
	on_hybrid
	stat_command -j -e instructions:u -e '{cycles,cpu/branches/}:u'
	is "$status" 0
	is "$(groups)" '["cpu_core/instructions/u","cpu_atom/instructions/u","{cpu_core/cycles/u,cpu_core/branches/u}","{cpu_atom/cycles/u,cpu_atom/branches/u}"]'
	is "$(json '[.groups[].events[0].event]')" '["cpu_core/instructions/u","cpu_atom/instructions/u","cpu_core/cycles/u","cpu_atom/cycles/u"]'
	is "$(json '[.groups[:2][].events[].value]')" "[$instructions,$((2 * instructions))]"
	is "$(created 0x1) $(created 0x2)" "2 2"
	stat_command -e instructions:u
	has "$stderr" " $instructions  cpu_core/instructions/u"
	has "$stderr" " $((2 * instructions))  cpu_atom/instructions/u"
}

@test "acrctl stat: ratios are those of a kind; a name= has the PMU too" {
	requires_jq
	on_hybrid
	stat_command -j -e cycles -e instructions
	is "$(json '[.groups[].events[].derived.value]')" '[null,null,3.2,3.2]'
	stat_command -j -e cpu/instructions,name=mine/u -e 'cpu_atom/cycles/,cpu_core/cycles/'
	is "$(json '[.groups[].events[].event]')" '["cpu_core/mine/u","cpu_atom/mine/u","cpu_atom/cycles/","cpu_core/cycles/"]'
}

@test "acrctl stat: a kind that lacks the event or counter reload is left out, which is stated" {
	requires_jq
	on_hybrid
	stat_command -j -e slots
	is "$status" 0
	is "$(groups)" '["cpu_core/slots/"]'
	has "$stderr" "acrctl: stat: cpu_atom is left out: the kernel has no event for 'slots' on skymont"
	stat_command -j --acr=hardware -e '{instructions/period=200000,acr_mask=0x2/,cycles/period=100000,acr_mask=0x3/}'
	is "$status" 0
	is "$(groups)" '["{cpu_atom/instructions,period=200000,acr_mask=0x2/,cpu_atom/cycles,period=100000,acr_mask=0x3/}"]'
	has "$stderr" "acrctl: stat: cpu_core is left out: "
	has "$stderr" "auto counter reload"
	# the module knows how short a period may be
	stat_command -j --acr=hardware -e '{instructions/period=500,acr_mask=0x2/,cycles/period=250,acr_mask=0x3/}'
	is "$(groups)" '["{cpu_atom/instructions,period=500,acr_mask=0x2/,cpu_atom/cycles,period=250,acr_mask=0x3/}"]'
	# nobody asked for the other kind
	stat_command -j -e '{slots,cpu_core/cycles/}'
	is "$(groups) $stderr" '["{cpu_core/slots/,cpu_core/cycles/}"] '
	# event 4 exists as fixed counter 3 of P-cores only
	stat_command -j -e r0400
	is "$(groups)" '["cpu_core/r0400/"]'
}

# Software needs windows of 1000, and P-cores of Lunar Lake need software.
@test "acrctl stat --when: limits of software do not concern a condition that is for kinds with counter reload" {
	on_hybrid
	stat_command --when 'cpu_atom/instructions/ / cpu_atom/cycles/ > 2' --window 500
	is "$status" 0
	is "$(created 0x2) $(grep -c '^CREATE 0 flags=0x37 ' log)" "1 1"
	rm log
	for condition in 'cpu_core/instructions/ / cpu_core/cycles/ > 2' 'instructions / cycles > 2'; do
		stat --when "$condition" --window 500 -- touch ran
		is "$condition: $status" "$condition: 2"
		has "$stderr" "the smallest that fits is --window 1000"
		nothing_happened
	done
}

@test "acrctl stat: an event by a name of libpfm is for the kind of core that it names, and keeps the name" {
	requires_jq
	on_hybrid
	stat_command -j -e skymont::BR_INST_RETIRED:COND:u -e '{cycles,skymont::BR_INST_RETIRED:ALL_BRANCHES:k:c=2}'
	is "$status" 0
	is "$(groups)" '["skymont::BR_INST_RETIRED:COND:u","{cpu_atom/cycles/,skymont::BR_INST_RETIRED:ALL_BRANCHES:k:c=2}"]'
	is "$(json '[.groups[].events[].event]')" '["skymont::BR_INST_RETIRED:COND","cpu_atom/cycles/","skymont::BR_INST_RETIRED:ALL_BRANCHES"]'
}

@test "acrctl stat: where all cores are alike, they are also of the PMU that such cores have on hybrid CPUs" {
	requires_jq
	for cpu in goldencove:8F:cpu_core:cpu_atom clearwaterforest:DD:cpu_atom:cpu_core; do
		IFS=: read -r name model own other <<< "$cpu"
		export FAKE_CPU=$name ACRCTL_CPUID=GenuineIntel-6-$model-0
		stat_command -j -e $own/cycles/
		is "$status $(groups)" "0 [\"$own/cycles/\"]"
		stat -a -e $other/cycles/
		is "$status" 2
		is "$stderr" "acrctl: stat: the CPUs have no PMU '$other', only cpu; write cpu/.../
  $other/cycles/
  ^ column 1"
	done
}

@test "acrctl stat: files for one kind of core leave the other out of groups that need them, and of these only" {
	requires_jq
	on_hybrid
	mkdir -p own/skymont
	printf '%s\n' Family-model,Version,Filename,EventType,Core,Native,Role GenuineIntel-6-BD,v1,skymont,hybridcore,0x20,,Atom > own/mapfile.csv
	echo '[{"EventName": "OWN.EVENT", "EventCode": "0x11"}]' > own/skymont/own.json
	for event in own.event cpu/own.event/ own.event/period=5/; do
		stat_command -j --events own -e "$event"
		is "$status" 0
		is "$(json '[.groups[].group|.[:18]]')" '["cpu_atom/own.event"]'
		is "$stderr" "acrctl: stat: cpu_core is left out: there is no event 'own.event': no table in 'own' is for the CPU 'GenuineIntel-6-BD-1'"
	done
	stat_command -j --events own -e cycles
	is "$status $stderr" "0 "
	is "$(groups)" '["cpu_core/cycles/","cpu_atom/cycles/"]'
	rm log
	stat --events own -a -e cpu_core/own.event/
	is "$status" 2
	is "$stderr" "acrctl: stat: there is no event 'own.event': no table in 'own' is for the CPU 'GenuineIntel-6-BD-1'; give the directory of events of that CPU, or see whether mapfile.csv has it
  cpu_core/own.event/
           ^ column 10"
	# the kind with a table knows a better name
	stat --events own -a -e own.evnt
	is "$status" 2
	has "$stderr" "there is no event 'own.evnt'; did you mean 'OWN.EVENT'?"
	# the directory alone is for the CPU after which it is named
	stat_command -j --events own/skymont -e own.event
	is "$(groups)" '["cpu_atom/own.event/"]'
	has "$stderr" "acrctl: stat: cpu_core is left out: there is no event 'own.event': the events in 'own/skymont' are those of 'skymont', but the CPU is 'lioncove'"
	stat --events own/skymont -a -e cpu_core/own.event/
	is "$status" 2
	has "$stderr" "are those of 'skymont', but the CPU is 'lioncove'; give the directory of events of this CPU
"
}

@test "acrctl stat: files for none of the kinds are refused, whatever is counted" {
	on_hybrid
	mkdir -p own/goldmont
	printf '%s\n' Family-model,Version,Filename,EventType GenuineIntel-6-5C,v1,goldmont,core > own/mapfile.csv
	echo '[{"EventName": "OWN.EVENT", "EventCode": "0x11"}]' > own/goldmont/own.json
	for cpus in 0 1 0,1; do
		stat --events own -C $cpus -e cycles
		is "$status" 2
		is "$stderr" "acrctl: stat: no table in 'own' is for the CPU 'GenuineIntel-6-BD-1'; give the directory of events of that CPU, or see whether mapfile.csv has it"
		nothing_happened
	done
}

@test "acrctl stat: a group for no kind, of a PMU that the CPUs lack, or of two PMUs is refused with its column" {
	on_hybrid
	stat -a -e instructions,slot
	is "$status" 2
	has "$stderr" "there is no event 'slot'"
	has "$stderr" "^ column 14"
	stat -C 1 -e instructions,slots
	is "$status" 2
	has "$stderr" "the kernel has no event for 'slots' on skymont"
	stat -C 1 -e 'cycles,cpu_core/slots/'
	is "$status" 2
	is "$stderr" "acrctl: stat: the CPUs have no PMU 'cpu_core', only cpu_atom; take events of these, or choose other CPUs
  cycles,cpu_core/slots/
         ^ column 8"
	stat -a -e 'cpu_lowpower/cycles/'
	is "$status" 2
	has "$stderr" "the CPUs have no PMU 'cpu_lowpower', only cpu_core, cpu_atom; "
	for group in '{cpu_core/cycles/,cpu_atom/cycles/}' '{cpu_atom/cycles/,cpu_core/cycles/}'; do
		stat -a -e "$group"
		is "$status" 2
		has "$stderr" "is not the PMU 'cpu_"
		has "$stderr" "take all events of a group from one PMU"
		has "$stderr" "^ column 19"
	done
	nothing_happened
}

@test "acrctl stat: the sessions of all kinds are made or none" {
	on_hybrid
	FAKE_NEVER=1 stat -e instructions -- touch ran
	is "$status" 1
	is "$(grep -c '^CREATE' log)" 2
	is "$(grep -c '^CLOSE' log)" 2
	[ ! -e ran ]
}

@test "acrctl stat: -C chooses the kinds, also for tasks; with -A each CPU has the groups of its kind" {
	requires_jq
	on_hybrid
	stat_command -C 1 -j -e instructions:u
	is "$(groups)" '["cpu_atom/instructions/u"]'
	# TASK, INHERIT, ENABLE_ON_EXEC and PARKED
	grep -q '^CREATE 0 flags=0x17 .* cpus=0x2$' log
	stat -a -A -j -e instructions:u
	is "$(json '[.groups[]|[.cpu,.group]]')" '[[0,"cpu_core/instructions/u"],[1,"cpu_atom/instructions/u"]]'
	is "$(json '[.groups[].events[].value]')" "[$instructions,$((2 * instructions))]"
}

@test "acrctl stat: without -C tasks are awaited on the CPUs of each kind, if the module can" {
	on_hybrid
	stat_command -e instructions:u
	grep -q '^CREATE 0 flags=0x37 .* cpus=0x1$' log
	grep -q '^CREATE 1 flags=0x37 .* cpus=0x2$' log
}

@test "acrctl stat: groups of one kind take turns, those of another run all the time and are not scaled" {
	requires_jq
	on_hybrid
	# its tasks run there in the first half only
	FAKE_LOST_CPU=1 FAKE_LOST_MS=50 FAKE_CNTRS=1 stat_command -j -e cpu_core/instructions/ -e cpu_core/cycles/ -e cpu_atom/branches/
	is "$status" 0
	is "$(json '[.groups[2]|.running,(.events[0]|.raw == .value)]')" '[1,true]'
	is "$(json '.groups[0].events[0]|.raw < .value')" true
}

@test "acrctl stat: groups of a kind that no task reaches are 0, also those that have no turn" {
	requires_jq
	on_hybrid
	FAKE_LOST_CPU=1 FAKE_LOST_MS=0 FAKE_CNTRS=1 stat_command --rotate 60 -j -e cpu_core/cycles/ -e cpu_atom/instructions/ \
		-e cpu_atom/cycles/ -e cpu_atom/branches/
	is "$status" 0
	is "$(json '[.groups[].events[].value]')" "[$cycles,0,0,0]"
}

@test "acrctl stat: the time that tasks run on other CPUs is stated" {
	requires_jq
	FAKE_MISSED_NS=1234567890 stat_command -e instructions
	has "$stderr" "# cpu: tasks also ran for 1.234568 s on other CPUs, which its groups do not count"
	FAKE_MISSED_NS=1234567890 stat_command -j -e instructions
	is "$(json '.groups[0].missed_ns')" 1234567890
	FAKE_MISSED_NS=0 stat_command -e instructions
	[[ $stderr != *"other CPUs"* ]]
}

@test "acrctl stat: the time that tasks run on other CPUs is that of all runs, and groups of a kind share it" {
	FAKE_MISSED_NS=1000000000 stat_command -r 3 -e instructions -e cycles
	has "$stderr" "# cpu: tasks also ran for 3.000000 s on other CPUs"
	on_hybrid
	FAKE_MISSED_NS=1500000000 stat_command -r 2 -e instructions
	has "$stderr" "# cpu_core: tasks also ran for 3.000000 s on other CPUs"
	has "$stderr" "# cpu_atom: tasks also ran for 3.000000 s on other CPUs"
}
