#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Loading when a call of the kernel fails: either refused with nothing left behind, or without what is not needed.
# shellcheck disable=SC2317,SC2086,SC2154 # functions are called by ok, arguments are a list, variables of failing.sh
# shellcheck source=selftests/hw/tap.sh
. "$(dirname "$0")/tap.sh"
# shellcheck source=selftests/hw/failing.sh
. "$(dirname "$0")/failing.sh"

# Loads and unloads the module: 2 if it is refused for lack of memory.
load()
{
	if insmod "$module" $module_args 2> "$output.load"; then
		rmmod acrpmu && is_absent
		return
	fi
	cat "$output.load"
	grep -q 'Cannot allocate memory' "$output.load" && is_absent || return 1
	return 2
}

works()
{
	insmod "$module" $module_args && "$tools/hw_hold" < /dev/null && rmmod acrpmu
}

needs 'the module' load 8 "$(first_of __alloc_percpu pcpu_alloc_noprof)" 0 free_percpu
needs 'the module' load 4 "$(first_of alloc_workqueue alloc_workqueue_noprof)" 0 destroy_workqueue
needs 'the module' load 2 "$(first_of kvmalloc_node __kvmalloc_node_noprof)" 0 kvfree
needs 'the module' load 1 __cpuhp_setup_state $no_memory __cpuhp_remove_state
needs 'the module' load 1 register_pm_notifier $no_memory unregister_pm_notifier
needs 'the module' load 1 register_reboot_notifier $no_memory unregister_reboot_notifier
needs 'the module' load 1 __register_nmi_handler $no_memory unregister_nmi_handler
needs 'the module' load 1 misc_register $no_memory misc_deregister
copes 'the module' load alloc_cpumask_var_node 0 free_cpumask_var
copes 'the module' load __alloc_skb 0 ''
copes 'the module' load netlink_register_notifier $no_memory netlink_unregister_notifier
ok "the module loads and works after that" works
ok "the kernel log has no warning" log_is_clean
rm -f "$output.load"
finish
