#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# In the guest: in-tree perf takes the group that acrctl encode makes of a condition, and counts the same events. Prints TAP.
# shellcheck source=selftests/model/accept/tap.sh
. "$(dirname "$0")/tap.sh"
acrctl=$ACR_BUILD/acrctl

# encode CONDITION FILTER: part of the group's JSON
encode() { "$acrctl" encode --pmu "$ACR_PROFILE" --acr software --json --when "$1" | jq -r "$2"; }

# perf_codes GROUP: the config words that perf opens, "-" for a name that the kernel resolves
perf_codes()
{
	perf stat -vv -e "$1" true 2>&1 < /dev/null > /dev/null |
		awk '$1 == "type" { type = $2 } $1 == "config" { print type == 4 ? $2 : "-" }'
}

# same CONDITION: whether perf runs its group with acrctl's codes; a name stands for a code of up to four digits
same()
{
	local events codes

	events=$(encode "$1" '.groups[0].condition.events')
	tap_why="$events: $(perf stat -e "$events" true 2>&1 < /dev/null > /dev/null | grep -iE 'error|_' | head -n 3 | tr '\n' ' ')"
	[ -n "$events" ] && perf stat -e "$events" true > /dev/null 2>&1 < /dev/null || return 1
	codes=$(encode "$1" '.events[].config')
	tap_why="$events: $(perf_codes "$events" | xargs) instead of $(xargs <<< "$codes")"
	paste -d ' ' <(perf_codes "$events") - <<< "$codes" | awk '$1 == "-" ? length($2) > 6 : $1 != $2 { bad = 1 } END { exit bad || NR < 2 }'
}

echo "TAP version 13"
for condition in 'ipc > 2' 'branch-misses:u / branches:u > 20% && branch-misses:u / instructions:u > 1%' 'mpki(cache-misses:k) < 5' \
	'cycles:i / instructions > 1/2' 'cycles:c=3 / instructions > 1/2' 'branches:e / cycles > 1/3' 'instructions:uec=2 / branches:ki > 2' \
	'cpu/L1-dcache-loads,edge/ / cycles > 1' 'LLC-loads:c=1 / cycles > 1/9' 'r00c4:e / cpu/event=0xc0,inv=1/c=2 > 3' \
	'cpu/cycles,name=ticks,cmask=2/k / instructions > 2' 'BR_MISP_RETIRED.ALL_BRANCHES:e / BR_MISP_RETIRED.ALL_BRANCHES > 1/2'; do
	verdict "perf takes the group of $condition" same "$condition"
done
tap_done
