# SPDX-License-Identifier: GPL-2.0-only
# Sampling the phases of a workload with in-tree perf, in the guest; sourced, never run. Needs tap.sh.
# shellcheck shell=bash disable=SC2034 # the sourcing scripts use the variables
bin=${ACR_BUILD:-build}/workloads

# symbols EVENTS [ARGUMENTS...]: records `phases` and prints how many samples each symbol has, as "SYMBOL NUMBER".
# The array `on` holds a command before it, such as taskset.
on=()
symbols()
{
	local events=$1

	shift
	[ $# -gt 0 ] || set -- -s 30000
	if ! "${on[@]}" perf record -q -o /tmp/perf.data -e "$events" "$bin/phases" "$@" > /tmp/record 2>&1; then
		echo "perf failed:"
		cat /tmp/record
		return
	fi
	perf script -i /tmp/perf.data -F ip,sym 2> /dev/null | awk 'NF { n[$2]++ } END { for (s in n) print s, n[s] }'
}

# only SIDE: all samples in $tap_why are in phase_SIDE, at least 100, or in settle_SIDE.
# In-tree perf loses a part of a window at each switch of tasks, so that any window may be open when the phase changes:
# it then ends in the other settle function, at most once in each of the 20 rounds.
only()
{
	awk -v side="$1" '
		$1 == "phase_" side { phase = $2; next }
		$1 == "settle_" side { next }
		/^settle_(fast|slow) [0-9]+$/ { other = $2; next }
		{ wrong = 1 }
		END { exit wrong || phase < 100 || other > 20 }' <<< "$tap_why"
}
none() { [ -z "$tap_why" ]; }

# pair A PERIOD-A B PERIOD-B: samples A if it reaches its period before B does, on the PMU `pmu`.
pmu=cpu
pair() { echo "{$pmu/$1,period=$2,acr_mask=0x2/u,$pmu/$3,period=$4,acr_mask=0x3/u}"; }
