# SPDX-License-Identifier: GPL-2.0-only
# Which lines of the kernel's log make a boot fail.

setup() { . "$BATS_TEST_DIRNAME/../model/common.sh"; log=$BATS_TEST_TMPDIR/console.log; }

# faulty LINE: a log with this line between ordinary ones has a fault, and the line is shown.
faulty()
{
	printf '[    1.5] %s\n' 'Linux version 6.1' "$1" 'Run /init as init process' > "$log"
	[ "$(kernel_faults "$log")" = "[    1.5] $1" ]
}

@test "kernel_faults: an ordinary log has none" {
	printf '[    0.%s] %s\n' 1 'Memory: 1000K/2000K available' 2 'Lock dependency validator: Copyright (c) 2006' \
		3 'kasan: KernelAddressSanitizer initialized' > "$log"
	run kernel_faults "$log"
	[ "$status" = 1 ]
	[ -z "$output" ]
}

@test "kernel_faults: memory" {
	faulty 'BUG: KASAN: use-after-free in session_read+0x10/0x20 [acrpmu]'
	faulty 'general protection fault, probably for non-canonical address'
	faulty 'UBSAN: shift-out-of-bounds in kmod/core/ring.c:10:20'
}

@test "kernel_faults: locks" {
	faulty 'WARNING: possible circular locking dependency detected'
	faulty 'WARNING: inconsistent lock state'
	faulty 'WARNING: suspicious RCU usage'
	faulty '[ BUG: Invalid wait context ]'
	faulty 'INFO: trying to register non-static key.'
	faulty 'BUG: MAX_LOCKDEP_CHAINS too low!'
}

@test "kernel_faults: sleep in atomic context, tasks and CPUs that hang" {
	faulty 'BUG: sleeping function called from invalid context at kernel/locking/mutex.c:580'
	faulty 'BUG: scheduling while atomic: acrctl/100/0x00000002'
	faulty 'INFO: task acrctl:100 blocked for more than 120 seconds.'
	faulty 'watchdog: BUG: soft lockup - CPU#1 stuck for 22s! [acrctl:100]'
	faulty 'rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:'
}

@test "kernel_faults: objects that are freed while active" {
	faulty 'ODEBUG: free active (active state 0) object type: timer_list hint: expire+0x0/0x10 [acrpmu]'
}
