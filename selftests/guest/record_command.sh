#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# acrctl record of a command: every sample is in the right phase, for acrctl and for perf; the exit status is that of the command.
# shellcheck source=selftests/guest/record_common.sh
. "$(dirname "$0")/record_common.sh"
echo 0 > /proc/sys/kernel/nmi_watchdog
# Each round has the same samples.
rounds=5
[ -z "${ACR_LONG:-}" ] || rounds=20

# example NAME [--when] GROUP WANT: a recording of the rounds has the samples "NUMBER FUNCTION" of WANT and no others
example()
{
	local data=$work/$1.data

	if [ "$2" = --when ]; then
		"$acrctl" record --when "$3" -o "$data" -- "$phases" $rounds 2> "$work/$1.err"
		set -- "$1" "${@:3}"
	else
		"$acrctl" record -e "$2" -o "$data" -- "$phases" $rounds 2> "$work/$1.err"
	fi
	is "$?" 0 "$1: a recording"
	is "$(symbols "$data")" "$3" "$1: the samples that acrctl script prints"
	# a group by ratio has the registers of the one by masks (acrctl_encode.bats)
	[[ -z ${ACR_LONG:-} && $1 = *-by-ratio ]] ||
		is "$(perf script -i "$data" -F ip,sym 2> /dev/null < /dev/null | awk '{ print $2 }' | sort | uniq -c | awk '{ print $1, $2 }')" \
			"$3" "$1: the samples that perf script prints"
	holds "$1: the closing line counts them" grep -q ": ${3% *} samples, 0 lost" "$work/$1.err"
	holds "$1: nothing is missing from the file" sh -c "! grep -q warning '$work/$1.err'"
}

# The documentation's group. In each round phase_fast takes 8 million instructions, which are 40 times 200000, and phase_slow 498140 times
# 21.5 cycles, which are 107 times 100000.
example "IPC-above-2-by-mask" "$fast" "$((rounds * 40)) phase_fast"
example "IPC-below-2-by-mask" '{cpu/cycles,period=100000,acr_mask=0x2/u,cpu/instructions,period=200000,acr_mask=0x3/u}' \
	"$((rounds * 107)) phase_slow"
example "IPC-above-2-by-ratio" '{cpu/instructions/u,cpu/cycles,period=100000,ratio-to-prev=0.5/u}' "$((rounds * 40)) phase_fast"
example "IPC-below-2-by-ratio" '{cpu/cycles/u,cpu/instructions,period=200000,ratio-to-prev=2.0/u}' "$((rounds * 107)) phase_slow"
example "IPC-above-2-by-condition" --when 'instructions:u / cycles:u > 2' "$((rounds * 40)) phase_fast"
example "IPC-below-2-by-condition" --when 'ipc:u < 2' "$((rounds * 107)) phase_slow"
is "$("$acrctl" script -i "$work/IPC-above-2-by-condition.data" -F ip 2> /dev/null | sort | uniq -c)" \
	"$("$acrctl" script -i "$work/IPC-above-2-by-mask.data" -F ip 2> /dev/null | sort | uniq -c)" \
	"the condition samples the same instructions as the group by masks"

data=$work/IPC-above-2-by-mask.data
is "$(perf report -i "$data" --stdio 2> /dev/null < /dev/null | grep -c 'phase_fast')" 1 "perf report has one line, for phase_fast"
is "$("$acrctl" report -i "$data" | grep -c '100.00% .* phase_fast$')" 1 "so has acrctl report"
"$acrctl" report --no-inline -i "$data" --html "$work/page.html"
is "$(sed -n -e 's|.*<dt>Samples</dt><dd>\(.*\)</dd>.*|\1|p' -e 's|.*<dt>Kernel</dt><dd>\(.*\)</dd>.*|\1|p' "$work/page.html" | xargs)" \
	"$((rounds * 40)) $(uname -r)" "acrctl report --html has the samples and the kernel"
is "$(grep -c '<td>100.00&#160;%</td><th scope="row">phase_fast</th>' "$work/page.html")" 1 "and one function, phase_fast"
holds "perf annotate shows instructions of phase_fast" sh -c \
	"perf annotate -i '$data' --stdio -s phase_fast 2> /dev/null < /dev/null | grep -q 'xor.*\$0x5'"
# The loop of phase_fast ends with its only jump, to its first instruction.
"$acrctl" annotate -i "$data" --json phase_fast > "$work/annotate"
is "$?" 0 "acrctl annotate shows phase_fast"
is "$(jq '[.lines[].counts[0].samples] | add' "$work/annotate")" $((rounds * 40)) "  with all samples"
is "$(jq -r '(.lines | map(.instruction // "" | test("^jn")) | indices(true)) as $jumps |
	(.lines[$jumps[0]].instruction | capture(" (?<to>[0-9a-f]+) <").to) as $target |
	([.lines[].address] | index("0x" + $target)) as $first |
	[.lines | to_entries[] | select(.value.counts[0].samples > 0).key] as $hit |
	"\($jumps | length) \($hit | min >= $first and max <= $jumps[0])"' "$work/annotate")" "1 true" \
	"  which are between the target of the loop's jump and the jump"

"$acrctl" record -e "$fast" -o - -- "$phases" $rounds 2> "$work/err" > "$work/stream"
is "$?" 0 "a recording as a stream"
is "$("$acrctl" script -i - -F sym < "$work/stream" | sort | uniq -c | awk '{ print $1, $2 }')" "$((rounds * 40)) phase_fast" \
	"the samples of a stream that acrctl script prints"
is "$(perf script -i - -F sym < "$work/stream" 2> /dev/null | awk '{ print $NF }' | sort | uniq -c | awk '{ print $1, $2 }')" \
	"$((rounds * 40)) phase_fast" "the samples of a stream that perf script -F sym prints"
is "$(perf report -i - --stdio < "$work/stream" 2> /dev/null | grep -c 'phase_fast')" 1 "perf report of a stream has one line, for phase_fast"
holds "perf annotate of a stream shows instructions of phase_fast" sh -c \
	"perf annotate -i - --stdio -s phase_fast < '$work/stream' 2> /dev/null | grep -q 'xor.*\$0x5'"

"$acrctl" record -z -e "$fast" -o "$work/compressed.data" -- "$phases" $rounds 2> "$work/err"
is "$?" 0 "a compressed recording"
is "$(symbols "$work/compressed.data")" "$((rounds * 40)) phase_fast" "the samples of it that acrctl script prints"
is "$(perf script -i "$work/compressed.data" -F ip,sym 2> /dev/null < /dev/null | awk '{ print $2 }' | sort | uniq -c | awk '{ print $1, $2 }')" \
	"$((rounds * 40)) phase_fast" "the samples of it that perf script prints"
"$acrctl" record -z -e "$fast" -o - -- "$phases" $rounds 2> "$work/err" > "$work/stream"
is "$(perf report -i - --stdio < "$work/stream" 2> /dev/null | grep -c 'phase_fast')" 1 "perf report of a compressed stream has one line, for phase_fast"
is "$("$acrctl" script -i - -F sym < "$work/stream" | sort | uniq -c | awk '{ print $1, $2 }')" "$((rounds * 40)) phase_fast" \
	"the samples of a compressed stream that acrctl script prints"

# Beyond a limit of the CPU the session pauses, and each reader reports that.
parameters=/sys/module/acrpmu/parameters
echo 1 > $parameters/max_sample_rate
# Two overflows come in any tick, however slow the machine is.
"$acrctl" record -e cpu/instructions,period=1000/u -o "$work/pauses.data" -- "$phases" 1 2> "$work/err"
echo 100000 > $parameters/max_sample_rate
throttled=$(sed -nE 's/.* ([0-9]+) throttled.*/\1/p' "$work/err")
holds "a session beyond the rate is throttled" test "${throttled:-0}" -gt 0
"$acrctl" report -i "$work/pauses.data" > "$work/report" 2> "$work/err"
is "$(sed -nE 's/^# [0-9]+ samples, 0 lost, ([0-9]+) throttled$/\1/p' "$work/report")" "$throttled" "acrctl report has a pause for each"
holds "and says that samples are missing" grep -qE "sampling was paused $throttled times?" "$work/err"
is "$(perf report -i "$work/pauses.data" --stats 2> /dev/null < /dev/null | awk '/ THROTTLE events:/ { print $3 }')" "$throttled" \
	"perf report --stats counts as many THROTTLE events"
perf script -D -i "$work/pauses.data" 2> /dev/null < /dev/null | grep -oE 'PERF_RECORD_(UN)?THROTTLE' > "$work/kinds"
is "$(grep -cx PERF_RECORD_THROTTLE "$work/kinds")" "$throttled" "perf script -D shows them"
open=$((throttled - $(grep -cx PERF_RECORD_UNTHROTTLE "$work/kinds")))
holds "and their ends, but perhaps the last ones ($open)" test $((open >= 0 && open <= 2)) = 1

# A set-uid program ends the recording of its task, and perf's own records of the task with it.
install -m 4755 "$phases" /run/privileged
as_user="setpriv --reuid=65534 --regid=65534 --clear-groups"
"$acrctl" record -e "$fast" -o "$work/privileged.data" -- sh -c "exec $as_user sh -c '$phases 3; exec /run/privileged 3'" 2> "$work/err"
is "$?" 0 "a recording of a user's shell that executes a set-uid program"
is "$(symbols "$work/privileged.data" | grep phase)" "$((3 * 40)) phase_fast" "it has the samples of another program before, and no others"
holds "acrctl reports that" grep -q 'a set-uid or otherwise privileged program was executed' "$work/err"
is "$(perf script -i "$work/privileged.data" --show-task-events -F comm,event 2> /dev/null < /dev/null | awk '$1 == "privileged" { print $2 }' |
	sed 's/(.*//' | xargs)" "PERF_RECORD_COMM PERF_RECORD_EXIT" "the file has its name and the end of its task, and nothing else of it"

"$acrctl" record -e "$(group 2000000 100000)" -o "$work/never.data" -- "$phases" 1 2> "$work/err"
is "$?" 0 "a group that never triggers is no error"
is "$(samples "$work/never.data")" 0 "it has no samples"
holds "and that is said" grep -q 'nothing was sampled' "$work/err"

"$acrctl" record -e "$fast" -o "$work/two.data" -- sh -c "$phases 3 & $phases 3; wait; exit 7" 2> /dev/null
is "$?" 7 "the exit status is that of a command with children"
# the shell may have a window of its own
is "$("$acrctl" script -i "$work/two.data" -F pid,sym | awk '/phase_fast/ { print $1 }' | sort -u | wc -l)" 2 "both children are followed"
"$acrctl" record --no-inherit -e "$fast" -o "$work/one.data" -- sh -c "$phases 3; exit 0" 2> /dev/null
is "$(samples "$work/one.data")" 0 "with --no-inherit a child is not"
"$acrctl" record -e "$fast" -o "$work/kill.data" -- sh -c 'kill -9 $$' 2> /dev/null
is "$?" 137 "a command that is killed"
"$acrctl" record -e "$fast" -o "$work/none.data" -- /nonexistent 2> /dev/null
is "$?" 127 "a command that is missing"
finish
