#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# acrctl stat and record of all CPUs while one of them goes offline, comes back, or comes for the first time.
# shellcheck source=selftests/guest/stat_common.sh
. "$(dirname "$0")/stat_common.sh"
online=/sys/devices/system/cpu/cpu1/online

# start ARGUMENTS...: acrctl in the background, until its sessions count; sets pid
start()
{
	local tries

	: > "$work/json"
	"${as[@]}" "$acrctl" "$@" 2> "$work/err" > "$work/out" &
	pid=$!
	for tries in {1..120}; do
		"$acrctl" ps --json | jq -e '[.sessions[].state == "enabled"] | any' > /dev/null && break
		sleep 0.25
	done
	sleep 1
}

# stop: ends acrctl by Ctrl-C
stop() { kill -INT "$pid"; wait "$pid"; }

# wait_for_blocks N: until there are N blocks, at most half a minute
wait_for_blocks()
{
	local tries

	for tries in {1..60}; do
		[ "$(wc -l < "$work/json")" -lt "$1" ] || break
		sleep 0.5
	done
}

# wait_for_counted: until all groups of two blocks are counted, at most half a minute; the last one may be written still
wait_for_counted()
{
	local tries

	for tries in {1..60}; do
		sleep 0.5
		[ "$(tail -n 3 "$work/json" | head -n 2 | jq -s '[.[].groups[].running == 1] | all')" != true ] || break
	done
}

# busy: something that runs on both CPUs and counts there
busy()
{
	local cpu

	for cpu in 0 1; do
		taskset -c $cpu sh -c 'while :; do :; done' &
		busy+=($!)
	done
}
busy=()
busy
as=()

start stat -a -A -j -I 200 -o "$work/json" -e instructions:u
wait_for_blocks 2
echo 0 > $online
before=$(wc -l < "$work/json")
# the block in which the CPU went offline, and two whole ones after it
wait_for_blocks $((before + 3))
echo 1 > $online
taskset -pc 1 "${busy[1]}" > /dev/null
wait_for_counted
stop
is "$?" 0 "counting goes on without a CPU that went offline"
is "$(sed -n 2p "$work/json" | jq -c '[.groups[]|.cpu,.counted,.running == 1]')" "[0,true,true,1,true,true]" "before that it was counted"
is "$(sed -n "$((before + 3))p" "$work/json" | jq -c '[.groups[]|.cpu,.counted,.running != null]')" "[0,true,true,1,false,false]" "it is not while it is offline"
is "$(tail -n 2 "$work/json" | head -n 1 | jq -c '[.groups[]|.cpu,.counted,.running == 1]')" "[0,true,true,1,true,true]" "it is again when it is back"
holds "which is said" grep -q 'CPUs were offline or taken away for [0-9.]* s in all; counts' "$work/json"

# 1 s of it at least
start record -a -o "$work/perf.data" -e cycles/period=1000000/u
echo 0 > $online
sleep 1
echo 1 > $online
taskset -pc 1 "${busy[1]}" > /dev/null
back=$(awk '{ print int($1) }' /proc/uptime)
sleep 3
stop
is "$?" 0 "recording goes on without a CPU, and with it again"
holds "which is said ($(< "$work/err"))" grep -Eq 'CPUs were offline or taken away for [1-9][0-9.]* s in all; samples' "$work/err"
"$acrctl" script -i "$work/perf.data" -F cpu,time > "$work/script"
holds "with samples of that CPU after it came back" awk -v back="$back" '/\[001\]/ && match($0, /[0-9]+\.[0-9]+/) && substr($0, RSTART) + 0 > back { n++ } END { exit n < 10 }' "$work/script"
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
sleep 2
"$acrctl" ps --json | jq -c '[.sessions[].cpus]' > "$work/ps"
stop
is "$(< "$work/ps")" '["0-1"]' "a CPU that comes is counted"
is "$(json '.remarks|length')" 0 "and nothing is missing"

echo 0 > $online
start record -a -o "$work/perf.data" -e cycles/period=1000000/u
echo 1 > $online
taskset -pc 1 "${busy[1]}" > /dev/null
sleep 3
stop
is "$?" 0 "a CPU that comes is recorded"
holds "and nothing is missing ($(< "$work/err"))" [ -z "$(grep warning "$work/err")" ]
"$acrctl" script -i "$work/perf.data" -F cpu > "$work/script"
holds "its samples are in the file" [ "$(grep -c '\[001\]' "$work/script")" -gt 10 ]
is "$("$acrctl" report -i "$work/perf.data" --json 2> /dev/null | jq -c '[.complete, .lost_cpus_ns]')" "[true,0]" "which is complete"

# A ring takes 516 KiB.
as=(setpriv --bounding-set=-ipc_lock --inh-caps=-ipc_lock prlimit --memlock=$((800 * 1024)))
echo 0 > $online
start record -a -o "$work/perf.data" -e cycles/period=1000000/u
echo 1 > $online
sleep 1
stop
is "$?" 0 "where the rings of both may not be locked, those that are there are recorded ($(< "$work/err"))"
holds "which is said in the beginning" grep -q 'warning: CPUs that come online later are left out' "$work/err"
holds "and in the end" grep -q 'some CPU came online that was offline in the beginning; its samples are missing' "$work/err"
as=()

echo 0 > $online
start stat -a -A -j -o "$work/json" -e instructions:u
echo 1 > $online
stop
holds "one is not listed that was not there in the beginning, which is said" grep -q 'some CPU came online that was offline in the beginning' "$work/json"

start stat -C 1 -j -I 200 -o "$work/json" -e instructions:u
wait_for_blocks 1
echo 0 > $online
sleep 1
echo 1 > $online
taskset -pc 1 "${busy[1]}" > /dev/null
wait_for_counted
stop
is "$?" 0 "without any CPU counting waits for one"
is "$(tail -n 2 "$work/json" | head -n 1 | jq -c '[.groups[]|.counted]')" "[true]" "and goes on when it comes back"

kill "${busy[@]}"
finish
