#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A command run with the module loaded leaves every PMU register as it was and the log clean.
# usage: restore_test.sh [COMMAND...]   runs COMMAND, which prints its own TAP, between load and unload
# shellcheck disable=SC2317,SC2086 # functions are called by ok, arguments are a list
# shellcheck source=selftests/hw/tap.sh
. "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A claim is an event of in-tree perf, which leaves its disabled event select and its count in the
# first counter, as any perf command does: general-purpose 0 under all its numbers.
claim_regs='^cpu[0-9]+ (0xc1|0x4c1|0x1900|0x186|0x1901) '
differences() { ! diff "$work/$1" "$work/$2" | sed -n 's/^[<>]/&/p' | grep .; }
# In-tree perf zeroes a counter in which one of its events left a count, before the counter is reserved.
zeroed() { awk 'NR == FNR { after[$1, $2] = $3; next } $4 == "counter" && after[$1, $2] == "0" { $3 = "0" } 1' "$work/$2" "$work/$1"; }
left_alone() { ! diff <(zeroed "$1" "$2" | grep -vE "$claim_regs") <(grep -vE "$claim_regs" "$work/$2") | sed -n 's/^[<>]/&/p' | grep .; }
# One after another, as a session cannot have CPUs of several kinds.
first_session()
{
	local cpu

	insmod "$module" $module_args || return
	for cpu in $(seq 0 $(($(nproc) - 1))); do "$tools/hw_hold" "$cpu" < /dev/null || return; done
	rmmod acrpmu
}
unloaded() { ! [ -e /sys/module/acrpmu ]; }

# In-tree perf starts and stops nothing by itself.
echo 0 > /proc/sys/kernel/nmi_watchdog
"$tools/hw_regs" > "$work/first"
ok "the model reports registers" test -s "$work/first"
ok "a session on every CPU opens and closes" first_session
"$tools/hw_regs" > "$work/before"
ok "it restores every register except a claim's and those that perf zeroed" left_alone first before
ok "the module loads" insmod "$module" $module_args
[ -e /sys/module/acrpmu ] || { finish; exit 1; }
"$tools/hw_regs" > "$work/loaded"
ok "loading changes no register" differences before loaded
status=0
[ $# = 0 ] || "$@" || status=$?
ok "the module unloads" rmmod acrpmu
ok "the module is gone" unloaded
"$tools/hw_regs" > "$work/after"
ok "every register has its value from before" differences before after
ok "the module loads again" insmod "$module" $module_args
ok "the kernel log has no warning" log_is_clean
finish || status=1
exit $status
