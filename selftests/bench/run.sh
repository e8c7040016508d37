#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Prints the cost of PMIs, call chains and task switches against in-tree perf, and of reload by hardware and in software against
# plain sampling, in register accesses and instructions, for each kernel.
# usage: run.sh   KERNELS="6.1 6.12 newest" PROFILES="clearwaterforest goldmont" choose; both are measured in one boot
set -u
cd "$(dirname "$0")/../.." || exit 1
status=0
# shellcheck disable=SC2016 # expanded in the guest
guest='insmod build/kernels/$ACR_KERNEL/acrpmu.ko max_pmi_percent=100 && echo 0 > /proc/sys/kernel/nmi_watchdog &&
	for cost in cost chain_cost reload_cost; do build/selftests/hw/${cost}_test; done'
for kernel in ${KERNELS:-6.1 newest}; do
	for profile in ${PROFILES:-clearwaterforest}; do
		echo "kernel $kernel, $profile"
		selftests/model/boot.sh --name "bench-$kernel-$profile" --kernel "$kernel" --profile "$profile" --timeout 240 --quiet \
			-- bash -c "$guest" || status=1
		grep -E '^# .*(PMIs:|a switch:|chain.* insns|useful samples)|^not ok' "build/run/bench-$kernel-$profile/out/job.log" | sed 's/^# /  /'
	done
done
exit $status
