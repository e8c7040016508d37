# SPDX-License-Identifier: GPL-2.0-only
# Which lines of the kernel's log make a boot fail.
bats_require_minimum_version 1.5.0

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

@test "kernel_faults: what a suite expects is none, and hides nothing else" {
	printf '[    1.5] %s\n' 'unchecked MSR access error: RDMSR from 0x38e' 'Call Trace:' > "$log"
	run kernel_faults "$log" 'unchecked MSR access|Call Trace:'
	[ "$status" = 1 ]
	[ -z "$output" ]
	echo '[    2.5] BUG: sleeping function' >> "$log"
	[ "$(kernel_faults "$log" 'unchecked MSR access|Call Trace:')" = '[    2.5] BUG: sleeping function' ]
	[ "$(kernel_faults "$log" '' | wc -l)" = 3 ]
}

# died WHAT CODE: a log in which a CPU died so, with these bytes around the instruction
died()
{
	printf '[   27.9] %s\r\n' 'acrpmu: loading' "$1" 'RIP: 0010:__schedule+0x1c3/0x370' "Code: $2" 'Call Trace:' 'Code: cc cc <cc> cc' > "$log"
}

@test "stale_breakpoint: no breakpoint is in memory where a CPU met one" {
	died 'Oops: int3: 0000 [#1] SMP PTI' '85 54 ff ff ff 41 8b 4f 20 66 <90> f7 c1 00 00'
	stale_breakpoint "$log"
	died 'int3: 0000 [#1] PREEMPT SMP PTI' '85 54 ff ff ff 41 8b 4f 20 0f <1f> 44 00 00'
	stale_breakpoint "$log"
}

@test "stale_breakpoint: one is in memory, or the memory is gone, or the CPU died of something else" {
	died 'Oops: int3: 0000 [#1] SMP PTI' '85 54 ff ff ff 41 8b 4f 20 cc <90> f7 c1 00 00'
	run ! stale_breakpoint "$log"
	died 'Oops: int3: 0000 [#1] SMP PTI' 'Unable to access opcode bytes at 0xffffffffc0000000.'
	run ! stale_breakpoint "$log"
	died 'Oops: general protection fault: 0000 [#1] SMP PTI' '85 54 ff ff ff 41 8b 4f 20 66 <90> f7 c1 00 00'
	run ! stale_breakpoint "$log"
}
