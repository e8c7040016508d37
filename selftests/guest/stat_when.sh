#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# acrctl stat --when of a program with known windows: matches, the share of the event, bounds of all windows.
# shellcheck source=selftests/guest/stat_common.sh
. "$(dirname "$0")/stat_common.sh"

# In 20 rounds, as in record_command.sh: 40 windows of 200000 instructions with more than 2 per cycle, then 107 of 100000 cycles.
fast=$((20 * 40)) slow=$((20 * 107))
# What runs before main() has some windows more.
start=20

# bounds NAME OTHERS: the number of other windows is within the bounds, and they within those of the shares
bounds()
{
	holds "$1: the other windows, $2 and some at the start, are within $(json '.groups[0].condition|"\(.others_min) and \(.others_max)"')" \
		so ".groups[0].condition|.others_min <= $2 + $start and .others_max >= $2"
	holds "$1: so are their shares" so ".groups[0].condition|(.window_share_min - .matches / (.matches + .others_max) | fabs) < 1e-9 and
		(.window_share_max - .matches / (.matches + .others_min) | fabs) < 1e-9"
	holds "$1: the share of the event is that of the plain counter" so \
		".groups[0]|.condition as \$c|(.events[]|select(.twin_of == 0)|.value) as \$s|(\$c.event_share - \$c.matches * \$c.periods[0] / \$s | fabs) < 1e-9"
}

stat_json --when 'instructions:u / cycles:u > 2' -- "$phases"
is $code 0 "a condition above"
is "$(json '.groups[0].condition|[.matches,.periods]')" "[$fast,[200000,100000]]" "a condition above: each of its windows is counted"
bounds "a condition above" $slow
stat_json -i --when 'ipc:u < 2' -- "$phases"
is "$(json '.groups[0].condition|[.matches,.periods]')" "[$slow,[100000,200000]]" "a condition below: each of its windows is counted"
bounds "a condition below" $fast
# Each may leave a window open; a shell and thirty programs have few windows beside those of the last one.
# shellcheck disable=SC2016 # expanded by the inner shell
stat_json --when 'ipc:u < 2' -- bash -c 'for i in {1..30}; do /bin/true; done; exec "$0"' "$phases"
holds "tasks that come and go: those that match ($(json '.groups[0].condition.matches')) are counted" so \
	".groups[0].condition|.matches >= $slow and .matches <= $slow + 200"
holds "the others are within the bounds ($(json '.groups[0].condition|"\(.others_min) and \(.others_max)"'))" so \
	".groups[0].condition|.others_min <= $fast + 200 and .others_max >= $fast"
holds "which are near" so ".groups[0].condition.others_min > $fast / 2"
stat_json --when 'ipc:u > 1000' -- "$phases" 3
holds "a condition that never holds" so '.groups[0].condition|.matches == 0 and .event_share == 0 and .window_share_max == 0'
stat_json --when 'ipc:u > 1/1000' -- "$phases" 1
holds "a condition that always holds" so '.groups[0].condition|.others_min == 0 and .window_share_max == 1'
holds "it has all of the event but for what is open" so ".groups[0].condition.event_share > 0.99"

# Both hold in the fast phase, which has no mispredicted branches but one.
stat_json --when 'ipc:u > 2 && instructions:u / branches:u > 4' -- "$phases"
is "$(json '.groups[0].condition.matches')" $fast "two comparisons: both hold"
bounds "two comparisons" $slow

stat_json -I 50 --when 'ipc:u > 2' -- "$phases"
is "$(jq -s '[.[].groups[0].condition.matches]|add' "$work/json")" $fast "intervals: their windows add up"
holds "there is more than one" [ "$(wc -l < "$work/json")" -gt 1 ]
holds "each has bounds in order" so "map(.groups[0].condition|select(.matches)|.others_min <= .others_max and
	.window_share_min <= .window_share_max)|all"
stat_json -r 2 --when 'ipc:u > 2' -- "$phases"
is "$(json '.groups[0].condition.matches')" $fast "runs: the mean"
stat_json -a -A --when 'ipc:u > 2' -- taskset -c 1 "$phases"
is "$(json '[.groups[]|.cpu]')" "[0,1]" "CPUs: each has windows of its own"
holds "that of the program has its windows" [ "$(json '.groups[1].condition.matches')" -ge $((fast - 20)) ]

setarch -R "$acrctl" stat --when 'ipc:u > 2' -- "$phases" 2> "$work/err"
holds "the table has a line for the windows" grep -qE " $fast  windows where instructions:u / cycles:u > 2  # [0-9.]+% to [0-9.]+% of all windows$" "$work/err"
holds "and one for the event" grep -qE ' [0-9.]+%  instructions:u  # in these windows$' "$work/err"
finish
