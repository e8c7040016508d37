#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Shared by the guest's tests of acrctl on hybrid CPUs, in addition to stat_common.sh: the kind of each CPU, its PMU and its samples.
# shellcheck source=selftests/guest/stat_common.sh
. "$(dirname "$0")/stat_common.sh"
declare -A pmu_of=([P]=cpu_core [E]=cpu_atom [L]=cpu_lowpower)

# The kinds as ACR_PROFILE has them: NAME.KINDS, or those of the profile in their order.
case ${ACR_PROFILE:?} in
*.*) kinds=${ACR_PROFILE#*.} ;;
arrowlake-h) kinds=PEL ;;
*) kinds=PE ;;
esac
kind_of() { echo "${kinds:$1 % ${#kinds}:1}"; }
cpus_of() { for cpu in $(seq 0 $(($(nproc --all) - 1))); do [ "$(kind_of "$cpu")" != "$1" ] || echo "$cpu"; done | paste -sd,; }
first_of() { cpus_of "$1" | cut -d, -f1; }
# shellcheck disable=SC2034 # for the tests
all_kinds=$(for kind in P E L; do [[ $kinds != *$kind* ]] || echo $kind; done)
# Panther Cove and later P-cores reload, and all E-cores of version 6 but those for low power.
reloads() { [ "$1" = E ] || [[ $1$ACR_PROFILE == Pnovalake* ]]; }

# group_of KIND: more than 2 instructions a cycle, on this kind of core
group_of() { sed "s|cpu/|${pmu_of[$1]}/|g" <<< "$fast"; }

# fields FILE FIELDS: those of each sample of the program, each combination once
fields() { "$acrctl" script -i "$1" -F "comm,$2" 2> /dev/null | awk '$1 == "phases" { $1 = ""; print }' | sort -u; }

# phases_in FILE: the program's own functions with samples. What runs before main() may be above the ratio too.
phases_in() { fields "$1" sym | tr -d ' ' | grep '^phase_'; }

# only_on FILE CPUS: all samples of the program are from these CPUs, and there are some
only_on()
{
	local cpus

	cpus=$(fields "$1" cpu | tr -d ' []')
	[ -n "$cpus" ] && [ -z "$(tr , '\n' <<< "$2" | grep -vxFf - <(sed 's/^0*//; s/^$/0/' <<< "$cpus"))" ]
}
