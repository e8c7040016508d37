#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A CPU that the module cannot use: it refuses to load, logs why, and leaves nothing behind.
# shellcheck disable=SC2317,SC2086 # functions are called by ok, arguments are a list
# shellcheck source=selftests/hw/tap.sh
. "$(dirname "$0")/tap.sh"

case $ACR_PROFILE in
none) message='no PMU of architectural version 2 or later (version 0): in a virtual machine, enable its PMU' ;;
amd) message='not an Intel CPU: there is nothing to drive' ;;
*) message='no local APIC: overflows cannot interrupt' ;;
esac
load_fails() { ! insmod "$module" $module_args; }
log_says_why() { dmesg | grep 'acrpmu: ' | tee /dev/stderr | grep -qF "acrpmu: $message"; }
nothing_left() { ! [ -e /dev/acrpmu ] && ! [ -e /sys/module/acrpmu ]; }

ok "loading is refused" load_fails
ok "the kernel log says: $message" log_says_why
ok "no device and no module are left" nothing_left
finish
