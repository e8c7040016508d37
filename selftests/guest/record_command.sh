#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# acrctl record of a command: every sample in the right phase, by acrctl and by perf; exit status passed on.
# shellcheck source=selftests/guest/record_common.sh
. "$(dirname "$0")/record_common.sh"
echo 0 > /proc/sys/kernel/nmi_watchdog

"$acrctl" record -e "$fast" -o "$work/fast.data" -- "$phases" 10 2> "$work/err"
is "$?" 0 "a recording of the fast phase"
total=$(samples "$work/fast.data")
holds "it has 100 samples or more ($total)" [ "$total" -ge 100 ]
is "$(symbols "$work/fast.data")" "$total phase_fast" "all samples are in phase_fast, says acrctl script"
is "$(perf script -i "$work/fast.data" -F ip,sym 2> /dev/null < /dev/null | awk '{print $2}' | sort | uniq -c | awk '{print $1, $2}')" \
	"$total phase_fast" "all samples are in phase_fast, says perf script"
is "$(perf report -i "$work/fast.data" --stdio 2> /dev/null < /dev/null | grep -c 'phase_fast')" 1 \
	"perf report has one line, for phase_fast"
is "$("$acrctl" report -i "$work/fast.data" | grep -c '100.00% .* phase_fast$')" 1 "so has acrctl report"
holds "perf annotate shows instructions of phase_fast" sh -c \
	"perf annotate -i '$work/fast.data' --stdio -s phase_fast 2> /dev/null < /dev/null | grep -q 'xor.*\$0x5'"
holds "the closing line counts them" grep -q ": $total samples, 0 lost" "$work/err"
holds "nothing is missing from the file" sh -c "! grep -q warning '$work/err'"

"$acrctl" record -e '{cpu/cycles,period=100000,acr_mask=0x2/u,cpu/instructions,period=200000,acr_mask=0x3/u}' \
	-o "$work/slow.data" -- "$phases" 10 2> /dev/null
is "$?" 0 "a recording of the slow phase"
total=$(samples "$work/slow.data")
holds "it has 100 samples or more ($total)" [ "$total" -ge 100 ]
is "$(symbols "$work/slow.data")" "$total phase_slow" "all samples are in phase_slow"

"$acrctl" record -e "$(group 2000000 100000)" -o "$work/never.data" -- "$phases" 5 2> "$work/err"
is "$?" 0 "a group that never triggers is no error"
is "$(samples "$work/never.data")" 0 "it gives no sample"
holds "and that is said" grep -q 'nothing was sampled' "$work/err"

"$acrctl" record -e "$fast" -o "$work/two.data" -- sh -c "$phases 3 & $phases 3; wait; exit 7" 2> /dev/null
is "$?" 7 "exit status of a command with children"
is "$("$acrctl" script -i "$work/two.data" -F pid | sort -u | wc -l)" 2 "both children are followed"
"$acrctl" record --no-inherit -e "$fast" -o "$work/one.data" -- sh -c "$phases 3; exit 0" 2> /dev/null
is "$(samples "$work/one.data")" 0 "with --no-inherit a child is not"
"$acrctl" record -e "$fast" -o "$work/kill.data" -- sh -c 'kill -9 $$' 2> /dev/null
is "$?" 137 "a command that is killed"
"$acrctl" record -e "$fast" -o "$work/none.data" -- /nonexistent 2> /dev/null
is "$?" 127 "a command that is missing"
finish
