#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A thousand times the module is loaded, used and unloaded: every register as before, and no memory is lost.
# shellcheck disable=SC2317,SC2154,SC2086 # functions are called by ok; variables of tap.sh; arguments are a list
# shellcheck source=selftests/hw/tap.sh
. "$(dirname "$0")/tap.sh"
nr=${ACR_CYCLES:-1000}
warm_up=$((nr / 4))
# What the kernel takes for other things
slack_kib=1000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cycle() { insmod "$work/acrpmu.ko" $module_args && "$tools/hw_hold" < /dev/null > "$work/out" && rmmod acrpmu; }

cycles()
{
	local i

	for ((i = 0; i < $1; i++)); do cycle || { echo "cycle $i: $(cat "$work/out")"; return 1; }; done
}

# In KiB: what cannot be reclaimed
memory() { sleep 2; awk '/^(SUnreclaim|Percpu|VmallocUsed):/ { print $1, $2 }' /proc/meminfo | tee "$work/$1"; }
no_memory_lost() { paste "$work/before" "$work/after" | awk -v slack=$slack_kib '{ print } $4 > $2 + slack { bad = 1 } END { exit bad }'; }
same_registers() { diff "$work/registers" <("$tools/hw_regs"); }

# What it has for debuggers is read anew each time.
cp "$module" "$work/acrpmu.ko"
strip -g "$work/acrpmu.ko"
echo 0 > /proc/sys/kernel/nmi_watchdog
# The first session leaves a claim's disabled event select and count, as any perf command does.
ok "the module is loaded, used and unloaded" cycle
"$tools/hw_regs" > "$work/registers"
ok "and so $warm_up times" cycles $warm_up
memory before > /dev/null
ok "and $((nr - warm_up)) times more" cycles $((nr - warm_up))
memory after > /dev/null
ok "no memory is lost" no_memory_lost
ok "every register has its value from before" same_registers
ok "the kernel log has no warning" log_is_clean
finish
