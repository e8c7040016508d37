#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# acrctl stat of loops with a known number of instructions: commands, processes, CPUs, intervals, runs, reloaded events.
# shellcheck source=selftests/guest/stat_common.sh
. "$(dirname "$0")/stat_common.sh"
# Both have as many digits: the loop reads its argument.
small=10000000 large=40000000
more=$((large - small))

# Not the first run, which reads the program from the disk and has other page faults.
"$loop" $small

# Six instructions an iteration, one of them a branch.
stat_json -e '{instructions,branches}:u' -- "$loop" $small
is $code 0 "a loop is counted"
read -r instructions branches < <(values)
stat_json -e '{instructions,branches}:u' -- "$loop" $large
read -r more_instructions more_branches < <(values)
is $((more_instructions - instructions)) $((6 * more)) "each further iteration has exactly six instructions"
is $((more_branches - branches)) $more "each further iteration has exactly one branch"
is "$(json '[.groups[]|.scaled,.counted]')" "[false,true]" "nothing is scaled"

# The same events on general-purpose counters and on fixed ones.
stat_json -e '{instructions:u,cpu/event=0xc0/u,branches:u,cpu/event=0xc4,name=again/u}' -- "$loop" $small
is "$(values)" "$instructions $instructions $branches $branches " "counters of both kinds agree in one snapshot"

stat_json -I 5 -e '{instructions,branches}:u' -- "$loop" $large
is "$(jq -s '[.[].groups[0].events[0].value]|add' "$work/json")" "$more_instructions" "intervals add up to the whole"
holds "there is more than one" [ "$(wc -l < "$work/json")" -gt 1 ]

stat_json -r 3 -e instructions:u -- "$loop" $small
is "$(json '[.runs,.groups[0].events[0].value]')" "[3,$instructions]" "the mean of equal runs is each of them"
is "$(json '.groups[0].events[0].deviation_percent == 0')" true "they do not deviate"

stat_json -e instructions:u -- sh -c "$loop $small & $loop $small; wait"
holds "both children of a command are counted" [ "$(json '.groups[0].events[0].value')" -ge $((2 * instructions)) ]
stat_json -i -e instructions:u -- sh -c "$loop $large; exit 0"
holds "with --no-inherit none is" [ "$(json '.groups[0].events[0].value')" -lt "$instructions" ]
"$acrctl" stat -e cycles -- sh -c 'exit 7' 2> "$work/err"
is "$?" 7 "the exit status of the command"
holds "the table is on stderr" grep -q '[0-9]  cycles' "$work/err"

# A running process, and its CPU.
taskset -c 1 "$loop" 100000000000 &
runner=$!
# Ended by SIGINT once there is a whole interval
rm "$work/json"
"$acrctl" stat -j -o "$work/json" -I 100 -p $runner -e '{instructions,branches}:u' &
stat=$!
until [ "$(cat "$work/json" 2> /dev/null | wc -l)" -gt 1 ] || ! kill -0 $stat; do sleep 0.1; done
kill -INT $stat
wait $stat
is "$?" 0 "SIGINT ends counting"
is "$(tail -n 1 "$work/json" | jq '.groups[0].counted')" true "with a last interval"
is "$(sed -n 2p "$work/json" | jq '.groups[0].events|.[0].value / .[1].value|round')" 6 "a running process has six instructions for each branch"
# until the process, which has its CPU for itself, has run there
ticks() { cut -d' ' -f14 /proc/$runner/stat; }
# shellcheck disable=SC2016 # expanded by the inner shell
stat_json -a -A -e '{instructions,branches}:u' -- sh -c 'until [ "$(cut -d" " -f14 /proc/$0/stat)" -gt $1 ]; do sleep 0.1; done' \
	$runner $(($(ticks) + 10))
is "$(json '.groups[1]|[.cpu,(.events|.[0].value / .[1].value|round)]')" "[1,6]" "so has its CPU"
kill $runner

# counts_somewhere: a session does
counts_somewhere() { "$acrctl" ps --json | jq -e '[.sessions[].state == "enabled"] | any'; }

# Windows of six instructions for a branch: instructions always overflow first.
group='{cpu/instructions,period=100000,acr_mask=0x2/u,cpu/branches,period=100000,acr_mask=0x3/u}'
stat_json --twins -e "$group" -- "$loop" $large
is "$(json '[.groups[0].events[]|.value == null]')" "[true,true,false,false]" "reloaded events have no count, but their twins do"
is "$(values | awk '{ print $3, $4 }')" "$more_instructions $more_branches" "the twins' counts are exact"
is "$(json '.groups[0].events[0].overflows')" $((more_instructions / 100000)) "each window is an overflow"

"$acrctl" stat -a -e cycles > /dev/null 2>&1 &
wait_until counts_somewhere
kill -KILL $!
# the shell's remark
wait $! 2> /dev/null
finish
