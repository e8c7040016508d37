#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The cost of a PMI: plain, with reload by hardware and in software, with call chains; against in-tree perf.
set -u
# shellcheck source=selftests/bench/lib.sh
. "$(dirname "$0")/../lib.sh"

programs='cat /proc/kallsyms > "$ACR_OUT/kallsyms" && build=$ACR_BUILD/selftests &&
	"$build/bench/guest/pmi" && "$build/hw/chain_cost_test" && "$build/hw/reload_cost_test"'
# Functions of these groups; what is left are the compiler's thunks, and what all of them call.
groups=(
	--group 'ours=.* \[acrpmu\]'
	--group 'clock=(native_)?sched_clock.*|local_clock.*'
	--group "in-tree's handler=perf_.*|(__)?(intel|x86)_(pmu|bts|perf).*|amd_.*"
	--group "kernel's NMI loop=default_do_nmi|nmi_handle.*|nmi_cpu_backtrace.*"
	--group 'entry and exit=(asm_)?exc_nmi|irqentry_nmi.*|ct_nmi.*|swapgs.*|common_interrupt_return|error_.*|paranoid_.*|rcu_nmi.*'
)

# rows KERNEL CASE TABLE: the instructions of a PMI of the CASEth case of guest/pmi.c, by symbol
rows()
{
	local run nr

	run=$BUILD/run/bench-pmi-$(kernel_name "$1")
	nr=$(sed -n "s/^{\"t\":\"call\",\"tag\":$2,.*\"nr\":\([0-9]*\),.*/\1/p" "$run/model.jsonl")
	"$project/selftests/bench/symbols.py" --tag "$2" --part inside --by "$nr" --least 4 "${groups[@]}" --row part=pmi \
		--row "table=$3" --row "kernel=$(kernel_name "$1")" --row 'unit=instructions per PMI' "$run/model.jsonl" "$run/out/kallsyms"
}

on()
{
	guest_figures pmi "$1" "$programs" && rows "$1" 0 'one event' && rows "$1" 2 'ACR pair'
}

each_kernel on
