#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Loads the module in a guest, runs ABI test programs by their short names, unloads it, and looks for what it left behind.
# usage: run.sh NAME...
set -u
here=$(dirname "$0")

# The watchdog holds a counter: the tests that want it start it themselves.
echo 0 > /proc/sys/kernel/nmi_watchdog
# Sessions come and go by the thousand here, and each waits for RCU when it goes; a real-time kernel has rcu_normal set.
echo 0 > /sys/kernel/rcu_normal
echo 1 > /sys/kernel/rcu_expedited
export ACRPMU_KO=$ACR_BUILD/kernels/$ACR_KERNEL/acrpmu.ko
# A PMI takes long on a model CPU, and a paused session counts less than what is compared with.
if ! insmod "$ACRPMU_KO" max_pmi_percent=100; then
	printf '1..1\nnot ok 1 - %s is loaded\n' "$ACRPMU_KO"
	exit 1
fi
programs=()
for name in "$@"; do programs+=("$ACR_BUILD/selftests/abi/${name}_test"); done
exec "$here/../run/programs.sh" "${programs[@]}"
