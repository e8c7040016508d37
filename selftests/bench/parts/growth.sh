#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# How costs grow with events, CPUs, sessions and followed threads on each kernel, and with names, which are the same on all.
set -u
# shellcheck source=selftests/bench/lib.sh
. "$(dirname "$0")/../lib.sh"

# As many threads as are measured, and the one that starts them may run before them for as long as that takes.
# shellcheck disable=SC2016 # expanded in the guest
programs='echo 40000 > /proc/sys/kernel/threads-max && echo -1 > /proc/sys/kernel/sched_rt_runtime_us &&
	"$ACR_BUILD/selftests/bench/guest/growth_events" && "$ACR_BUILD/selftests/bench/guest/growth_tasks"'
# shellcheck disable=SC2016
names='"$ACR_BUILD/bench/growth_names" /tmp'
status=0
for kernel in $(bench_kernels); do
	guest_figures growth "$kernel" "$programs" --smp 8 || status=1
done
mkdir -p "$BUILD/bench"
if "${CC:-cc}" -O2 -o "$BUILD/bench/growth_names" selftests/bench/growth_names.c "$BUILD/libacrpmu.a" -ljson-c -lnl-genl-3 -lnl-3 >&2; then
	guest_figures growth-names "$kernel" "$names" || status=1
else
	status=1
fi
exit $status
