#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# acrctl stat and record of all CPUs while one of them goes offline, comes back, or comes for the first time.
# shellcheck source=selftests/guest/stat_common.sh
. "$(dirname "$0")/stat_common.sh"
online=/sys/devices/system/cpu/cpu1/online

# says JQ-EXPRESSION: whether it is true of what acrctl ps prints
says() { "$acrctl" ps --json | jq -e "$1"; }

# start ARGUMENTS...: acrctl in the background, until its sessions count; sets pid
start()
{
	: > "$work/json"
	"${as[@]}" "$acrctl" "$@" 2> "$work/err" > "$work/out" &
	pid=$!
	wait_until says '[.sessions[].state == "enabled"] | any'
}

# stop: ends acrctl by Ctrl-C
stop() { kill -INT "$pid"; wait "$pid"; }

# has_blocks N: whether there are N blocks
has_blocks() { [ "$(wc -l < "$work/json")" -ge "$1" ]; }

# is_counted: whether all groups of two blocks are counted; the last one may be written still
is_counted() { [ "$(tail -n 3 "$work/json" | head -n 2 | jq -s '[.[].groups[].running == 1] | all')" = true ]; }

# has_samples: whether the recording has some of $cpu, the one that came, in the file, after $back
back=0 cpu=1
has_samples()
{
	"$acrctl" script -i "$work/perf.data" -F cpu,time 2> /dev/null |
		awk -v cpu="[00$cpu]" -v back="$back" \
			'index($0, cpu) && match($0, /[0-9]+\.[0-9]+/) && substr($0, RSTART) + 0 > back { n++ } END { exit n < 10 }'
}

# clock: the time of samples and of the kernel's log
clock() { echo clock > /dev/kmsg; dmesg | sed -n 's/^\[ *\([0-9.]*\)\] clock$/\1/p' | tail -n 1; }

# busy: something that runs on both CPUs and counts there, while nothing else wants to
busy()
{
	local cpu

	for cpu in 0 1; do
		nice -n 19 taskset -c $cpu sh -c 'while :; do :; done' &
		busy+=($!)
	done
}
busy=()
busy
as=()

start stat -a -A -j -I 200 -o "$work/json" -e instructions:u
wait_until has_blocks 2
echo 0 > $online
before=$(wc -l < "$work/json")
# the block in which the CPU went offline, and two whole ones after it
wait_until has_blocks $((before + 3))
echo 1 > $online
taskset -pc 1 "${busy[1]}" > /dev/null
wait_until is_counted
stop
is "$?" 0 "counting goes on without a CPU that went offline"
is "$(sed -n 2p "$work/json" | jq -c '[.groups[]|.cpu,.counted,.running == 1]')" "[0,true,true,1,true,true]" "before that it was counted"
is "$(sed -n "$((before + 3))p" "$work/json" | jq -c '[.groups[]|.cpu,.counted,.running != null]')" "[0,true,true,1,false,false]" "it is not while it is offline"
is "$(tail -n 2 "$work/json" | head -n 1 | jq -c '[.groups[]|.cpu,.counted,.running == 1]')" "[0,true,true,1,true,true]" "it is again when it is back"
holds "which is said" grep -q 'CPUs were offline or taken away for [0-9.]* s in all; counts' "$work/json"

# 1 s of it at least, by sleep
start record -a -o "$work/perf.data" -e cycles/period=1000000/u
echo 0 > $online
sleep 1
echo 1 > $online
taskset -pc 1 "${busy[1]}" > /dev/null
back=$(clock)
wait_until has_samples
stop
is "$?" 0 "recording goes on without a CPU, and with it again"
holds "which is said ($(< "$work/err"))" grep -Eq 'CPUs were offline or taken away for [1-9][0-9.]* s in all; samples' "$work/err"
"$acrctl" script -i "$work/perf.data" -F cpu,time > "$work/script"
holds "with samples of that CPU after it came back" has_samples
back=0
# columns are as wide as each of them likes
perf script -i "$work/perf.data" -F cpu,time 2> /dev/null | awk '{ $1 = $1 } 1' > "$work/perf"
awk '{ $1 = $1 } 1' "$work/script" > "$work/ours"
holds "which perf reads" cmp "$work/ours" "$work/perf"
"$acrctl" report -i "$work/perf.data" > "$work/report" 2> "$work/err"
holds "the report says so" grep -Eq '^# CPUs were offline or taken away for [1-9][0-9.]* s in all' "$work/report"
is "$("$acrctl" report -i "$work/perf.data" --json 2> /dev/null | jq -c '[.complete, .lost_cpus_ns > 1000000000]')" "[false,true]" "and JSON, which is not complete"
"$acrctl" report -i "$work/perf.data" --html "$work/page.html" > /dev/null 2>&1
holds "and the page" grep -q 'CPUs offline or taken away' "$work/page.html"

echo 0 > $online
start stat -a -j -o "$work/json" -e instructions:u
echo 1 > $online
taskset -pc 1 "${busy[1]}" > /dev/null
wait_until says '[.sessions[].cpus] == ["0-1"]'
"$acrctl" ps --json | jq -c '[.sessions[].cpus]' > "$work/ps"
stop
is "$(< "$work/ps")" '["0-1"]' "a CPU that comes is counted"
is "$(json '.remarks|length')" 0 "and nothing is missing"

echo 0 > $online
start record -a -o "$work/perf.data" -e cycles/period=1000000/u
echo 1 > $online
taskset -pc 1 "${busy[1]}" > /dev/null
wait_until has_samples
stop
is "$?" 0 "a CPU that comes is recorded"
holds "and nothing is missing ($(< "$work/err"))" [ -z "$(grep warning "$work/err")" ]
holds "its samples are in the file" has_samples
is "$("$acrctl" report -i "$work/perf.data" --json 2> /dev/null | jq -c '[.complete, .lost_cpus_ns]')" "[true,0]" "which is complete"

# A ring takes 516 KiB.
as=(setpriv --bounding-set=-ipc_lock --inh-caps=-ipc_lock prlimit --memlock=$((800 * 1024)))
echo 0 > $online
start record -a -o "$work/perf.data" -e cycles/period=1000000/u
echo 1 > $online
taskset -pc 1 "${busy[1]}" > /dev/null
# acrctl has read its rings since
back=$(clock) cpu=0
wait_until has_samples
"$acrctl" ps --json | jq -c '[.sessions[].cpus]' > "$work/ps"
stop
is "$?" 0 "where the rings of both may not be locked, those that are there are recorded ($(< "$work/err"))"
back=0 cpu=1
is "$(< "$work/ps") $(has_samples || echo none)" '["0"] none' "and no others"
holds "which is said in the beginning" grep -q 'warning: CPUs that come online later are left out' "$work/err"
holds "and in the end" grep -q 'some CPU came online that was offline in the beginning; its samples are missing' "$work/err"
as=()

echo 0 > $online
start stat -a -A -j -I 200 -o "$work/json" -e instructions:u
echo 1 > $online
taskset -pc 1 "${busy[1]}" > /dev/null
before=$(wc -l < "$work/json")
# the block in which the CPU came, and two whole ones after it
wait_until has_blocks $((before + 3))
stop
is "$(jq -c '[.groups[].cpu]' "$work/json" | sort -u)" "[0]" "one that was not there in the beginning is not listed"
holds "which is said" grep -q 'some CPU came online that was offline in the beginning' "$work/json"

start stat -C 1 -j -I 200 -o "$work/json" -e instructions:u
wait_until has_blocks 1
echo 0 > $online
before=$(wc -l < "$work/json")
wait_until has_blocks $((before + 2))
echo 1 > $online
taskset -pc 1 "${busy[1]}" > /dev/null
wait_until is_counted
stop
is "$?" 0 "without any CPU counting waits for one"
is "$(tail -n 2 "$work/json" | head -n 1 | jq -c '[.groups[]|.counted]')" "[true]" "and goes on when it comes back"

kill "${busy[@]}"
finish
