#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# acrctl stat and record of all CPUs while one of them goes offline or comes: both report what they do not count.
# shellcheck source=selftests/guest/stat_common.sh
. "$(dirname "$0")/stat_common.sh"
online=/sys/devices/system/cpu/cpu1/online

# start ARGUMENTS...: acrctl in the background, until its sessions exist; sets pid
start()
{
	local tries

	: > "$work/json"
	"$acrctl" "$@" 2> "$work/err" > "$work/out" &
	pid=$!
	for tries in {1..120}; do
		"$acrctl" info --json | jq -e '.module.sessions > 0' > /dev/null && break
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

start stat -a -A -j -I 200 -o "$work/json" -e instructions:u
wait_for_blocks 2
echo 0 > $online
before=$(wc -l < "$work/json")
# the block in which the CPU went offline, and two whole ones after it
wait_for_blocks $((before + 3))
stop
is "$?" 0 "counting goes on without a CPU that went offline"
is "$(sed -n 2p "$work/json" | jq -c '[.groups[]|.cpu,.counted,.running == 1]')" "[0,true,true,1,true,true]" "before that it was counted"
is "$(sed -n "$((before + 3))p" "$work/json" | jq -c '[.groups[]|.cpu,.counted,.running != null]')" "[0,true,true,1,false,false]" "and is not from then on"
holds "which is said" grep -q 'some CPU went offline' "$work/json"

start stat -a -j -o "$work/json" -e instructions:u
echo 1 > $online
stop
holds "a CPU that comes is not counted, which is said" grep -q 'some CPU went offline, came' "$work/json"

echo 0 > $online
start record -a -o "$work/perf.data" -e cycles/period=1000000/u
echo 1 > $online
stop
holds "nor recorded ($(< "$work/err"))" grep -q 'some CPU went offline, came' "$work/err"

start stat -a -j -o "$work/json" -e instructions:u
stop
is "$(json '.remarks|length')" 0 "without such a CPU there is no warning"
finish
