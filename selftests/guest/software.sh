#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# acrctl record and stat where software reloads the counters: samples in the right phase, true counts, what is reported.
# shellcheck source=selftests/guest/record_common.sh
. "$(dirname "$0")/record_common.sh"
echo 0 > /proc/sys/kernel/nmi_watchdog
data=$work/perf.data

# number PATTERN FILE: the number before the pattern
number() { sed -nE "s/.* ([0-9]+) ?$1.*/\1/p" "$2" | head -n 1; }

# recorded NAME OPTION...: a recording of 20 rounds
recorded()
{
	"$acrctl" record -o "$data" "${@:2}" -- "$phases" 2> "$work/err"
	is "$?" 0 "$1: a recording"
	sed 's/^/# /' "$work/err"
	holds "$1: the closing line says that software reloads" grep -qE ' samples, 0 lost, .*\(reload in software, [0-9.]+ KiB\)$' "$work/err"
	is "$("$acrctl" report -i "$data" | grep -c '^# auto counter reload: in software$')" 1 "$1: so does the report"
	# a condition follows there
	holds "$1: and perf's header" sh -c \
		"perf report -i '$data' --header-only 2> /dev/null < /dev/null | grep -qE 'reload in software(, when .*)?$'"
}

# only FUNCTION FEWEST MOST: all samples are in this function, except for one at each change of phase, and so many
only()
{
	local function=$1 all others

	all=$(samples "$data")
	others=$((all - $(symbols "$data" | awk -v f="$function" '$2 == f { n = $1 } END { print n + 0 }')))
	holds "$function has the samples, $all with $others others" [ "$all" -ge "$2" -a "$all" -le "$3" -a "$others" -le 40 ]
}

"$acrctl" info > "$work/info"
"$acrctl" info --json > "$work/info.json"
holds "info: in words, too" grep -qE '^  reload +(by hardware or )?in software$' "$work/info"
is "$(jq -c '[.module.cpus[].reload | index("software") != null] | unique' "$work/info.json")" '[true]' "info: each CPU can do it"
hardware=$(jq '[.module.cpus[].acr] | all' "$work/info.json")
software=()
[ "$hardware" = false ] || software=(--acr=software)

# Without options where the CPUs have no auto counter reload. 40 windows in each of 20 rounds, of which the skid shortens the last.
recorded "IPC above 2 by masks" "${software[@]}" -e "$fast"
only phase_fast $((20 * 38)) $((20 * 40))
quiet=$(number 'interrupts without a sample' "$work/err")
holds "the windows of the other phase are interrupts, too" [ "${quiet:-0}" -ge $((20 * 100)) ]
outside=$(number 'x instructions' "$work/err")
# an NMI takes up to a few hundred instructions to begin
holds "less than 2 % is outside of windows" [ "${outside:-0}" -gt 0 -a "${outside:-0}" -lt $((20 * 8000000 / 50)) ]
# The random part of windows would move the last one of a round into the other phase.
recorded "IPC below 2 by a condition" "${software[@]}" --jitter=0 --when 'ipc:u < 2'
only phase_slow $((20 * 8)) $((20 * 11))

if [ "$hardware" = false ]; then
	"$acrctl" record --acr=hardware -e "$fast" -o "$data" -- touch "$work/ran" 2> "$work/err"
	is "$?" 1 "hardware is refused where the CPUs have none"
	holds "with the remedy" grep -q 'let software restart the events (--acr=software)' "$work/err"
	holds "and the command does not run" [ ! -e "$work/ran" ]
fi
"$acrctl" record "${software[@]}" -e "$(group 2000 999)" -o "$data" -- true 2> "$work/err"
is "$?" 1 "a period below the smallest of an interrupt is refused"
holds "with the smallest" grep -q "period 999 for 'cycles' is too small: it restarts events in software.* 1000; use period=1000" "$work/err"

# Counts are those of plain counters of the same run.
"$acrctl" stat -j "${software[@]}" --twins -e "$fast" -o "$work/json" -- "$phases"
is "$?" 0 "stat counts"
is "$(jq -c '.groups[0].events | map(.value) | .[:2] == .[2:] and .[0] > 160000000' "$work/json")" true \
	"counts of restarted events are exact"
is "$(jq -r '.groups[0].reload' "$work/json")" software "and the group reports how it was reloaded"
overflows=$(jq '.groups[0].events[0].overflows' "$work/json")
holds "with the number of windows where the ratio is above" [ "$overflows" -ge $((20 * 38)) -a "$overflows" -le $((20 * 40)) ]
is "$(jq '[.remarks[] | select(test("^software restarted .* interrupts without a sample, .* outside of windows: "))] | length' "$work/json")" 1 \
	"and a remark"

# All windows of a condition are known.
"$acrctl" stat -j "${software[@]}" --when 'ipc:u > 2' --window 100000 -o "$work/json" -- "$phases"
is "$?" 0 "stat counts windows of a condition"
sed 's/^/# /' "$work/json"
holds "those that match" jq -e ".groups[0].condition.matches | . >= $((20 * 38)) and . <= $((20 * 40))" "$work/json"
holds "and all others" jq -e ".groups[0].condition | .others_min == .others_max and .others_min >= $((20 * 100)) and
	.others_min <= $((20 * 108))" "$work/json"
holds "without plain counters" jq -e '.groups[0].events | length == 2' "$work/json"
finish
