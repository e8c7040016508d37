#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The cost of a switch between two tasks, followed by sessions or by in-tree perf, or by nobody.
set -u
# shellcheck source=selftests/bench/lib.sh
. "$(dirname "$0")/../lib.sh"

status=0
for kernel in $(bench_kernels); do
	# shellcheck disable=SC2016 # expanded in the guest
	guest_figures switch "$kernel" '"$ACR_BUILD/selftests/bench/guest/switch"' || status=1
done
exit $status
