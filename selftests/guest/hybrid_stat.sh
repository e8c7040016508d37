#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# acrctl stat on hybrid CPUs: exact counts by kind of core of programs that stay on one kind, and that go from one to the other.
# shellcheck source=selftests/guest/hybrid_common.sh
. "$(dirname "$0")/hybrid_common.sh"
small=200000 large=700000

# value EVENT: its value in the only block
value() { json ".groups[].events[] | select(.event == \"$1\").value"; }

# all_on CPUS: so that every instruction of a program is there
everywhere=0-$(($(nproc --all) - 1))
all_on() { taskset -pc "$1" $$ > /dev/null; }

# Not the first run, which reads the program from the disk and has other page faults.
"$loop" $small
"$ACR_BUILD/workloads/hop" 2 1 "$(first_of P)" "$(first_of E)"

is "$(stat_json -e instructions:u -- true; json '[.groups[].group] | join(" ")')" \
	"$(for kind in $all_kinds; do echo "${pmu_of[$kind]}/instructions/u"; done | paste -sd' ')" "one group for each kind, in order"

for kind in $all_kinds; do
	pmu=${pmu_of[$kind]} cpu=$(first_of "$kind")
	# the whole program is there, and no other CPU is reserved
	all_on "$cpu"
	stat_json -e instructions:u -- "$loop" $small
	a=$(value "$pmu/instructions/u")
	stat_json -e instructions:u -- "$loop" $large
	is "$(($(value "$pmu/instructions/u") - a))" $((6 * (large - small))) "$pmu counts six instructions an iteration on CPU $cpu"
	is "$(json "[.groups[].events[] | select(.event != \"$pmu/instructions/u\").value] | add")" 0 "... and no other PMU any"
	all_on "$everywhere"
	for other in $all_kinds; do
		[ "$other" != "$kind" ] || continue
		# taskset itself may begin on any CPU
		stat_json -C "$(cpus_of "$kind")" -e "instructions:u" -- taskset -c "$(first_of "$other")" "$loop" $large
		holds "$pmu does not count on ${pmu_of[$other]}" [ "$(values)" -lt $((6 * small)) ]
		holds "... but states the time" so '.groups[0].missed_ns > 0 and (.remarks | any(startswith("'"$pmu"': tasks also ran for ")))'
	done
	stat_json -C "$(cpus_of "$kind")" -e instructions:u -- taskset -c "$cpu" "$loop" $large
	is "$(json '[.groups[].group] | join(" ")')" "$pmu/instructions/u" "-C with CPUs of one kind: one group"
	stat_json -e "$pmu/instructions/u" -e branches:u -- true
	is "$(json '.groups | length')" $((1 + $(wc -w <<< "$all_kinds"))) "a PMU in one group, none in another"
done

# As the module has logged each kind when it was loaded.
"$acrctl" info > "$work/info"
while read -r cpus name; do
	holds "info describes CPUs $cpus, which are $name" \
		grep -qE "^CPUs $cpus: $name \([^)]*\), PMU ${pmu_of[$(kind_of "${cpus%%[,-]*}")]}\$" "$work/info"
done < <(dmesg | sed -nE 's/.*acrpmu: CPUs ([0-9,-]+): ([a-z]+), PMU version.*/\1 \2/p' | sort -u)

# Slots are an event of P-cores.
p=$(first_of P) e=$(first_of E)
all_on "$p"
stat_json -C "$p" -e slots:u -- "$loop" $small
a=$(values)
stat_json -C "$p" -e cpu_core/slots/u -- "$loop" $large
all_on "$everywhere"
is "$(($(values) - a))" $((14 * (large - small))) "cpu_core counts slots, by either name"
stat_json -e slots:u -- taskset -c "$p" "$loop" $large
is "$code $(json '[.groups[].group] | join(" ")')" "0 cpu_core/slots/u" "slots are counted on P-cores only"
holds "... which is stated for the E-cores" grep -q "^acrctl: stat: cpu_atom is left out: .*'slots'" "$work/err"
"$acrctl" stat -C "$e" -e slots:u -- true 2> "$work/err"
is "$?" 2 "slots are refused where there are E-cores only"
"$acrctl" stat -C "$e" -e cpu_core/slots/ -- true 2> "$work/err"
is "$? $(head -n 1 "$work/err")" "2 acrctl: stat: the CPUs have no PMU 'cpu_core', only cpu_atom; take events of these, or choose other CPUs" \
	"a PMU that the CPUs lack is refused"

# P-cores here lack the architectural events of the top-down method, according to their table.
lacks="'TOPDOWN_BE_BOUND.ALL_P' is an event of other cores (cpu_atom) than cpu_core"
"$acrctl" stat -C "$p" -e TOPDOWN_BE_BOUND.ALL_P:u -- true 2> "$work/err"
is "$? $(grep -c "^acrctl: stat: $lacks" "$work/err")" "2 1" "an architectural event that P-cores lack is refused there"
# other kinds have it, according to Intel's lists
others=$(for kind in $all_kinds; do [ "$kind" = P ] || echo "${pmu_of[$kind]}/TOPDOWN_BE_BOUND.ALL_P/u"; done | paste -sd' ')
stat_json -e TOPDOWN_BE_BOUND.ALL_P:u -- true
is "$code $(json '[.groups[].group] | join(" ")')" "0 $others" "... and else counted on the E-cores that have it"
is "$(grep -c "^acrctl: stat: cpu_core is left out: $lacks" "$work/err")" 1 "... which is stated"

# Thousands of migrations: each kind has its rounds, and not one instruction is lost or counted twice. Only what runs before the first
# migration may be on any CPU, and of any kind.
# numbers of the same length, which the program reads
rounds=3000 few=1000 many=3000
hop() { setarch -R "$acrctl" stat -j -o "$work/json" -e instructions:u -- "$ACR_BUILD/workloads/hop" $rounds "$1" "$p" "$e"; }
all_values() { json '[.groups[].events[].value] | add'; }
hop $few
is "$?" 0 "a program migrates $rounds times"
a_all=$(all_values) a_core=$(value cpu_core/instructions/u) a_atom=$(value cpu_atom/instructions/u)
hop $many
b_all=$(all_values) b_core=$(value cpu_core/instructions/u) b_atom=$(value cpu_atom/instructions/u)
each=$((4 * (many - few) * rounds / 2))
is "$((b_all - a_all))" $((2 * each)) "all kinds together count every instruction"
holds "cpu_core counts its rounds ($((b_core - a_core)) of $each)" [ $((b_core - a_core - each)) -le 200000 ]
holds "cpu_atom counts its rounds ($((b_atom - a_atom)) of $each)" [ $((b_atom - a_atom - each)) -le 200000 ]
for kind in P E; do
	holds "${pmu_of[$kind]} states the time on the other kind" so "(.groups[] | select(.group == \"${pmu_of[$kind]}/instructions/u\").missed_ns) > 0"
done
echo "# $(json '[.groups[] | [.group, .running_ns, .missed_ns]]')"
finish
