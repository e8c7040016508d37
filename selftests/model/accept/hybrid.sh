#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# In the guest: in-tree perf has a PMU for each kind of core, which counts and samples on the CPUs of that kind only. Prints TAP.
# shellcheck source=selftests/model/accept/tap.sh
. "$(dirname "$0")/tap.sh"
# shellcheck source=selftests/model/accept/phases.sh
. "$(dirname "$0")/phases.sh"
small=500000 large=2500000
declare -A pmu_of=([P]=cpu_core [E]=cpu_atom [L]=cpu_lowpower)
last_cpu=$(($(nproc) - 1))

# The kinds as ACR_PROFILE has them: NAME.KINDS, or those of the profile in their order.
case ${ACR_PROFILE:?} in
*.*) kinds=${ACR_PROFILE#*.} ;;
arrowlake-h) kinds=PEL ;;
*) kinds=PE ;;
esac
kind_of() { echo "${kinds:$1 % ${#kinds}:1}"; }
cpus_of() { for cpu in $(seq 0 $last_cpu); do [ "$(kind_of "$cpu")" != "$1" ] || echo "$cpu"; done; }
# Panther Cove and later P-cores reload, and all E-cores of version 6 but those for low power.
reloads() { [ "$1" = E ] || [[ $1$ACR_PROFILE == Pnovalake* ]]; }

all_kinds=$(for cpu in $(seq 0 $last_cpu); do kind_of "$cpu"; done | sort -u)

# of_all EVENT: the event on each PMU, separated by commas.
of_all() { for kind in $all_kinds; do echo "${pmu_of[$kind]}/$1/u"; done | paste -sd,; }

# counts CPU EVENTS N: runs `loop N` on the CPU and prints "PMU COUNT" for each event.
counts()
{
	taskset -c "$1" perf stat -x, -e "$2" "$bin/loop" "$3" 2>&1 > /dev/null |
		awk -F, '{ split($3, name, "/"); print name[1], $1 }'
}

# increase PMU LINES LINES: from the PMU's first count to its second; nothing if they are no counts.
increase() { awk -v pmu="$1" '$1 == pmu && $2 ~ /^[0-9]+$/ { n[++nr] = $2 } END { if (nr == 2) print n[2] - n[1] }' <<< "$2"$'\n'"$3"; }

# others_idle PMU LINES: nothing but the PMU has counted, and there is another.
others_idle() { awk -v pmu="$1" '$1 != pmu { n++; if ($0 !~ /<not counted>$/) bad = 1 } END { exit bad || !n }' <<< "$2"; }

# test_counts CPU EVENT EACH NAME: the CPU's PMU counts EACH for an iteration of the loop, the others do not count.
test_counts()
{
	local cpu=$1 event=$2 each=$3 name=$4 pmu a b

	pmu=${pmu_of[$(kind_of "$cpu")]}
	a=$(counts "$cpu" "$(of_all "$event")" "$small")
	b=$(counts "$cpu" "$(of_all "$event")" "$large")
	printf -v tap_why 'for %s: %s\nfor %s: %s' "$small" "$a" "$large" "$b"
	verdict "CPU $cpu: $pmu counts $name, $each an iteration" \
		near "$(increase "$pmu" "$a" "$b")" $((each * (large - small)))
	verdict "CPU $cpu: the other PMUs do not count $name" others_idle "$pmu" "$b"
}

has() { grep -q "$1" <<< "$tap_why"; }
is_cpus() { [ "$(sed 's/-/ /' <<< "${tap_why//,/$'\n'}" | while read -r a b; do seq "$a" "${b:-$a}"; done)" = "$1" ]; }

echo "TAP version 13"
for kind in $all_kinds; do
	pmu=${pmu_of[$kind]}
	tap_why=$(cat "/sys/devices/$pmu/cpus")
	verdict "$pmu has the CPUs of kind $kind" is_cpus "$(cpus_of "$kind")"
	tap_why=$(ls "/sys/devices/$pmu/format")
	if reloads "$kind"; then
		verdict "$pmu has auto counter reload" has acr_mask
	else
		verdict "$pmu has no auto counter reload" [ ! -e "/sys/devices/$pmu/format/acr_mask" ]
	fi
done

for cpu in $(seq 0 $last_cpu); do
	test_counts "$cpu" instructions 6 instructions
done
for kind in $all_kinds; do
	test_counts "$(cpus_of "$kind" | head -n 1)" event=0xc4,umask=0 1 "branches on a general-purpose counter"
done

# 14 eighths of a core cycle an iteration, each a slot of an eight-wide pipeline.
cpu=$(cpus_of P | head -n 1)
a=$(counts "$cpu" cpu_core/slots/u "$small")
b=$(counts "$cpu" cpu_core/slots/u "$large")
tap_why="$a; $b"
verdict "cpu_core counts slots, 14 an iteration" near "$(increase cpu_core "$a" "$b")" $((14 * (large - small)))
tap_why=$(counts "$cpu" '{cpu_core/slots/u,cpu_core/topdown-retiring/u}' "$small")
verdict "metrics are accepted beside them" [ "$(grep -cE '^cpu_core [0-9]+$' <<< "$tap_why")" = 2 ]

for kind in $all_kinds; do
	reloads "$kind" || continue
	pmu=${pmu_of[$kind]}
	cpu=$(cpus_of "$kind" | head -n 1)
	on=(taskset -c "$cpu")
	tap_why=$(symbols "$(pair instructions 200000 cycles 100000)")
	verdict "$pmu on CPU $cpu: IPC > 2: at least 100 samples, all in phase_fast" only fast
	tap_why=$(symbols "$(pair cycles 100000 instructions 200000)")
	verdict "$pmu on CPU $cpu: IPC < 2: at least 100 samples, all in phase_slow" only slow
	# Event codes put the pair on general-purpose counters.
	tap_why=$(symbols "$(pair event=0xc0,umask=0 200000 event=0x3c,umask=0 100000)")
	verdict "$pmu on CPU $cpu: IPC > 2 on general-purpose counters: all in phase_fast" only fast
	for other in $all_kinds; do
		[ "$other" != "$kind" ] || continue
		cpu=$(cpus_of "$other" | head -n 1)
		on=(taskset -c "$cpu")
		tap_why=$(symbols "$(pair instructions 200000 cycles 100000)")
		verdict "$pmu on CPU $cpu, which is of another kind: no sample" none
	done
done
tap_done
