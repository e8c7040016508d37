#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# acrctl stat of groups that do not fit at once: shares, estimates, whole groups, counters that others hold.
# shellcheck source=selftests/guest/stat_common.sh
. "$(dirname "$0")/stat_common.sh"
iterations=150000000
# How long a turn and a change last depends on the host. acrctl_stat.bats tests equal shares and their estimates, by a clock of its own.
turns=(--rotate 50)

# A group that fills more than half of the general-purpose counters, even if one is claimed: six of eight.
big='{cpu/event=0xc4/u,cpu/event=0xc4/u,cpu/event=0xc4/u,cpu/event=0xc4/u,cpu/event=0xc5/u,cpu/event=0xc5/u}'

is_enabled() { "$acrctl" ps --json | jq -e '[.sessions[].state == "enabled"] | any'; }

# acrctl has its own CPU, so that changing groups does not delay the program.
taskset -pc 0 $$ > /dev/null
stat_json "${turns[@]}" -e "$big" -e "$big" -e instructions:u -- taskset -c 1 "$loop" $iterations
is $code 0 "two groups that do not fit together are counted, and one beside them"
is "$(json '[.groups[]|.scaled,.counted]')" "[true,true,true,true,true,true]" "which is said"
shares=$(json '[.groups[].running]')
# Changing takes time, during which neither group runs; one per cent is for groups that are not read at the same moment.
holds "the shares of two that exclude each other do not add up to more than 1 ($shares)" \
	so '.groups[0].running + .groups[1].running < 1.01'
holds "both had turns" so '[.groups[0,1].events[0].raw]|all(. > 1000000)'
holds "the one that fits beside both has more than either" so '.groups|.[2].running > (.[0:2]|map(.running)|max)'
is "$(json '[.groups[]|(.events|map(.raw)|.[0:4]|unique|length)]')" "[1,1,1]" "each group is one snapshot: equal events have equal counts"
holds "no branch is counted by two that exclude each other" \
	so "(.groups[0].events[0].raw + .groups[1].events[0].raw) * 100 < $iterations * 101"
holds "estimates are raw counts by shares" so '[.groups[]|. as $g|.events[]|select(.raw > 1000000)|
	.value * $g.running / .raw]|all(. > 0.9999 and . < 1.0001)'

: > "$work/json"
stat_json "${turns[@]}" -I 400 -e "$big" -e "$big" -- sh -c 'until [ "$(wc -l < "$0")" -gt 3 ]; do taskset -c 1 "$1" 10000000; done' \
	"$work/json" "$loop"
is $code 0 "with intervals"
# The two are not read at the same moment: what one interval has too much, its neighbour lacks. In the end both have stopped; in
# the last interval, which may be short, perhaps neither had a turn.
holds "in all intervals together the shares do not add up to more than 1 ($(jq -sc 'map(.groups|map(.running)|add)' "$work/json"))" \
	so '(map(.length_s * (.groups|map(.running // 0)|add))|add) / (map(.length_s)|add) < 1.01'

stat_json "${turns[@]}" -a -A -e "$big" -e "$big" -- taskset -c 1 "$loop" $iterations
is "$(json '[.groups[]|.cpu]')" "[0,0,1,1]" "each CPU separately"
holds "on each the shares do not add up to more than 1" \
	so '.groups|group_by(.cpu)|all(map(.running)|add < 1.01)'

# Another session holds counters: a group that can never run is refused, naming the holder.
"$acrctl" stat -C 0 -e "$big" > /dev/null 2>&1 &
holder=$!
wait_until is_enabled
"$acrctl" stat -C 0 -e "$big" -- touch "$work/ran" 2> "$work/err"
is "$?" 1 "a group that cannot run because of another session is refused"
holds "naming it" grep -q "another session.*acrctl" "$work/err"
holds "before the command runs" [ ! -e "$work/ran" ]
kill -INT $holder
wait $holder

"$acrctl" stat -a -e "$big" -e "$big" > /dev/null 2>&1 &
turning=$!
wait_until is_enabled
kill -KILL $turning
wait $turning
"$acrctl" stat -e "$big" -- true 2> "$work/err"
is "$?" 0 "after a kill in the middle of turns all counters are free"
finish
