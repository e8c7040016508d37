#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Calls the module at random in a guest, going on from what earlier boots found, which keep.sh has kept.
# usage: run.sh   CALLS= ends it, default 500000, or FUZZ_S= seconds, default 3600; SEED= is another run
# shellcheck disable=SC2154,SC2086 # variables of tap.sh; arguments are a list
# shellcheck source=selftests/hw/tap.sh
. "$(dirname "$0")/../hw/tap.sh"
calls=$(cat "$ACR_BUILD/kcov/$ACR_KERNEL-$ACR_PROFILE/calls" 2> /dev/null || echo 0)
# A kernel without KCOV changes what others have found.
shopt -s nullglob
corpus=("$ACR_BUILD"/kcov/*-"$ACR_PROFILE"/corpus)

echo 0 > /proc/sys/kernel/nmi_watchdog
# Each session ends with grace periods, which would take most of the time.
echo 1 > /sys/kernel/rcu_expedited
ok "the module loads" insmod "$module"
SEED=${SEED:-$((calls + 1))} "$ACR_BUILD/selftests/kcov/kcov_fuzz" "$ACR_OUT" "${CALLS:-500000}" "${FUZZ_S:-3600}" "${corpus[@]}"
status=$?
ok "the module unloads" rmmod acrpmu
ok "the kernel log has no warning" log_is_clean
finish && [ "$status" = 0 ]
