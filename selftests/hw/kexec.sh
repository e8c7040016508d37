#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A kernel started by kexec, beneath a session that counted on every CPU, finds the PMU as it was before the session. Runs twice: in the
# first kernel it starts the second one, which boots into the same job.
# shellcheck disable=SC2154,SC2086 # module, module_args and tools are those of tap.sh; arguments are a list
# shellcheck source=selftests/hw/tap.sh
. "$(dirname "$0")/tap.sh"
found=$ACR_OUT/registers
parameter() { sed -n "s|.*acr\\.$1=\\([^ ]*\\).*|\\1|p" /proc/cmdline; }

# What starts counters and reloads them: event selects, fixed and global control, reload registers.
controls() { "$tools/hw_regs" | grep -E ' 0x(18[6-9a-f]|38d|19[0-9a-f][12356789abdef]) '; }
clean() { diff "$found" <(controls); }
# The second kernel may itself have programmed a counter for a while, but it disables all of them.
none_enabled() { ! "$tools/hw_regs" | awk '$2 == "0x38d" && $3 != "0" || $2 ~ /^0x18[6-9a-f]$/ && int(strtonum($3) / 0x400000) % 2' | grep .; }
quiet_log() { ! dmesg | grep -E 'Broken BIOS|unknown reason|WARNING:'; }

echo 0 > /proc/sys/kernel/nmi_watchdog
if ! grep -q acr.kexec /proc/cmdline; then
	insmod "$module" $module_args || exit 1
	# In-tree perf leaves the event select of a claim behind, disabled.
	"$tools/hw_hold" < /dev/null > /dev/null || exit 1
	controls > "$found"
	"$tools/hw_kexec" "$(parameter kernel)/vmlinuz" "$ACR_BUILD/initramfs/$ACR_KERNEL-$(parameter fs).img" "$(cat /proc/cmdline) acr.kexec"
	echo "1..1"
	echo "not ok 1 - the second kernel starts"
	exit 1
fi
ok "the first kernel wrote down its registers" test -s "$found"
ok "no counter is enabled" none_enabled
ok "event selects and reload registers are those before the session" clean
ok "the kernel reports neither counters in use nor a stray NMI" quiet_log
ok "the module loads" insmod "$module" $module_args
ok "a session on every CPU samples" sh -c "'$tools/hw_hold' < /dev/null"
finish
