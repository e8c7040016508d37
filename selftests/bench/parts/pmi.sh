#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The cost of a PMI: plain, with reload by hardware and in software, with call chains; against in-tree perf.
set -u
# shellcheck source=selftests/bench/lib.sh
. "$(dirname "$0")/../lib.sh"

programs='build=$ACR_BUILD/selftests; $build/bench/guest/pmi && $build/hw/chain_cost_test && $build/hw/reload_cost_test'
status=0
for kernel in $(bench_kernels); do
	guest_figures pmi "$kernel" "$programs" || status=1
done
exit $status
