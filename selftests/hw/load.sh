#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Loading when a call of the kernel fails: either refused with nothing left behind, or without what is not needed.
# shellcheck disable=SC2317,SC2086 # functions are called by ok, arguments are a list
# shellcheck source=selftests/hw/tap.sh
. "$(dirname "$0")/tap.sh"
fail_module=$ACR_BUILD/kernels/$ACR_KERNEL/acrpmu_fail.ko
no_memory=-12
# Of alloc_workqueue() and the like newer kernels have another name.
first_of() { for name; do if grep -q " [Tt] $name\$" /proc/kallsyms; then echo "$name"; return; fi; done; }

fails() { cat "/sys/module/acrpmu_fail/parameters/$1"; }
is_absent() { ! [ -e /sys/module/acrpmu ] && ! [ -e /dev/acrpmu ]; }

is_undone() { echo "$(fails calls) calls, $(fails undone) undone"; [ $(($(fails calls) - 1)) = "$(fails undone)" ]; }

# A load that is refused, or whole: sets `refused`, and `reached` if the call came.
load_without()
{
	local function=$1 nth=$2 result=$3 undo=$4 status

	refused='' reached=''
	insmod "$fail_module" function="$function" nth="$nth" result="$result" undo="$undo" || return
	insmod "$module" $module_args 2> "$output.load" || refused=yes
	cat "$output.load"
	[ "$(fails calls)" -lt "$nth" ] || reached=yes
	if [ -n "$refused" ]; then
		[ -n "$reached" ] && grep -q 'Cannot allocate memory' "$output.load" && is_absent && is_undone
	else
		rmmod acrpmu && is_absent
	fi
	status=$?
	rmmod acrpmu_fail
	return $status
}

# each FUNCTION RESULT UNDO LEAST: every call of the function fails once, and at least so many of them are needed.
each()
{
	local function=$1 result=$2 undo=$3 least=$4 nth refusals=0

	for nth in {1..50}; do
		ok "the module copes without call $nth of $function" load_without "$function" "$nth" "$result" "$undo"
		[ -n "$reached" ] || break
		[ -z "$refused" ] || refusals=$((refusals + 1))
	done
	ok "at least $least calls of $function are needed, and all were tried" test "$refusals" -ge "$least" -a -z "$reached"
}

works()
{
	insmod "$module" $module_args && "$tools/hw_hold" < /dev/null && rmmod acrpmu
}

echo 0 > /proc/sys/kernel/nmi_watchdog
each "$(first_of __alloc_percpu pcpu_alloc_noprof)" 0 free_percpu 8
each "$(first_of alloc_workqueue alloc_workqueue_noprof)" 0 destroy_workqueue 4
each "$(first_of kvmalloc_node __kvmalloc_node_noprof)" 0 kvfree 2
each __cpuhp_setup_state $no_memory __cpuhp_remove_state 1
each register_pm_notifier $no_memory unregister_pm_notifier 1
each register_reboot_notifier $no_memory unregister_reboot_notifier 1
each __register_nmi_handler $no_memory unregister_nmi_handler 1
each misc_register $no_memory misc_deregister 1
ok "the module loads and works after that" works
ok "the kernel log has no warning" log_is_clean
rm -f "$output.load"
finish
