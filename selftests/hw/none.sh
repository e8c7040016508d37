#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A CPU without a PMU: the module refuses to load, logs why, and leaves nothing behind.
# shellcheck disable=SC2317,SC2086 # functions are called by ok, arguments are a list
# shellcheck source=selftests/hw/tap.sh
. "$(dirname "$0")/tap.sh"

load_fails() { ! insmod "$module" $module_args; }
log_says_why() { dmesg | grep acrpmu | tee /dev/stderr | grep -q 'no PMU of architectural version 2 or later'; }
log_says_what_to_do() { dmesg | grep acrpmu | tee /dev/stderr | grep -q 'enable its PMU'; }
nothing_left() { ! [ -e /dev/acrpmu ] && ! [ -e /sys/module/acrpmu ]; }

ok "loading is refused" load_fails
ok "the kernel log has the reason" log_says_why
ok "the kernel log has the remedy" log_says_what_to_do
ok "no device and no module are left" nothing_left
finish
