#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Bytes of a sample, instructions of its reader, and losses, against in-tree perf.
set -u
# shellcheck source=selftests/bench/lib.sh
. "$(dirname "$0")/../lib.sh"

status=0
for kernel in $(bench_kernels); do
	# shellcheck disable=SC2016 # expanded in the guest
	guest_figures ring "$kernel" '"$ACR_BUILD/selftests/bench/guest/ring_bytes" && selftests/bench/guest/ring.sh' \
		--smp 3 --append isolcpus=2 || status=1
done
exit $status
