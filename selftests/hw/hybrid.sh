#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# In the guest, on a hybrid CPU: what the module reports when it is loaded, then sessions on each kind of core. Prints TAP.
# shellcheck source=selftests/hw/tap.sh
. "$(dirname "$0")/tap.sh"
profile=${ACR_PROFILE:?}
kinds=PE
[ "$profile" != arrowlake-h ] || kinds=PEL
case $profile in *.*) kinds=${profile#*.} profile=${profile%%.*} ;; esac

# Name of the core, and its counters and those that can be reloaded, as selftests/model/profile.c has them.
declare -A core_of=(
	[lunarlake.P]='lioncove 0xf000003ff 0x0'
	[lunarlake.E]='skymont 0x77000000ff 0x7000000ff'
	[arrowlake-h.P]='lioncove 0xf000003ff 0x0'
	[arrowlake-h.E]='skymont 0x77000000ff 0x7000000ff'
	[arrowlake-h.L]='crestmont 0x7000000ff 0x0'
	[novalake.P]='coyotecove 0xf000003ff 0x7000003ff'
	[novalake.E]='arcticwolf 0x77000000ff 0x7000000ff'
)

# cpus_of KIND: the CPUs of a kind, as the kernel prints them; never two neighbours here.
cpus_of()
{
	local cpu list=()

	for cpu in $(seq 0 $(($(nproc) - 1))); do
		[ "${kinds:cpu % ${#kinds}:1}" != "$1" ] || list+=("$cpu")
	done
	(IFS=,; echo "${list[*]}")
}

# load_log: what the kernel has logged since this script began, as suites before have loaded the module, too
load_log() { dmesg | tac | sed '/hybrid.sh: begins/q'; }

# reports KIND: the kernel log describes a kind.
reports()
{
	local core cntrs reloads

	read -r core cntrs reloads <<< "${core_of[$profile.$1]}"
	load_log | grep 'acrpmu: '
	load_log | grep -qF "acrpmu: CPUs $(cpus_of "$1"): $core, PMU version 6, counters $cntrs, reloadable $reloads, causes $reloads"
}
no_more_kinds() { [ "$(load_log | grep -c 'acrpmu: CPUs ')" = "$1" ]; }

echo 0 > /proc/sys/kernel/nmi_watchdog
echo 'hybrid.sh: begins' > /dev/kmsg
ok "the module loads with kind ${kinds:0:1} on the first CPU" insmod "$module" $module_args
mapfile -t each < <(fold -w 1 <<< "$kinds" | sort -u)
for kind in "${each[@]}"; do ok "it reports the CPUs of kind $kind" reports "$kind"; done
ok "and no more" no_more_kinds "${#each[@]}"
ok "the module unloads" rmmod acrpmu
finish
status=$?
modprobe msr allow_writes=on
"$(dirname "$0")/run.sh" hybrid || status=1
exit $status
