#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What `acrctl record -- true` takes, beside perf record: user instructions, and those of the kernel without waiting and timer interrupts.
set -u
# shellcheck source=selftests/bench/lib.sh
. "$(dirname "$0")/../lib.sh"

# What waits: the idle loop, for locks, for other CPUs, for timers that run there. Timer interrupts are counted with all that they
# call; the table, which knows no callers, has as ticks only what little else calls.
waiting='do_idle|default_idle.*|.*cpuidle.*|menu_.*|arch_cpu_idle.*|(pv_)?native_safe_halt|ct_idle_.*|schedule_idle'
waiting+='|tick_nohz_(idle_.*|stop_tick|next_event)|queued_(read|write)_lock_slowpath|native_queued_spin_lock_slowpath'
waiting+='|smp_call_function_many_cond|(__)?smp_call_function_single|(__)?try_to_del_timer_sync|(timer_delete|del_timer)_sync'
ticks='(__)?hrtimer_.*|tick_.*|update_process_times|sched_tick|scheduler_tick|task_tick_.*|update_wall_time|(__)?timekeeping_.*'
ticks+='|ktime_get_update_offsets_now|rcu_sched_clock_irq|account_process_tick|run_posix_cpu_timers|lapic_next_.*|clockevents_.*'
memory='.*(page|folio|vma|mmap|pte|fault|zap|_pmd|lruvec|mas_|memcg|rmap|mm_).*'
groups=(--group "waiting=$waiting" --group "ticks=$ticks" --group 'acrpmu=.* \[acrpmu\]' --group 'perf events=_*(perf|sw_perf)_.*'
	--group "memory=$memory" --group 'scheduling=.*(sched|task|load_avg|cfs|psi_|enqueue|dequeue|se|rq)(_.*)?'
	--group 'text of /proc and /sys=.*(printf|format_decode|number|string|seq_|kallsyms|show_).*'
	--group 'files=.*(path|inode|dentry|lookup|vfs_|file|open|close|read|write|fuse|ovl|virt).*' --group 'kernel=.*')

# symbols TAG OPTION...: what the kernel did in a run
symbols()
{
	local tag=$1

	shift
	selftests/bench/symbols.py "$run/model.jsonl" "$run/out/kallsyms" --tag "$tag" "${groups[@]}" "$@"
}

# least CASE: prints tag, user and kernel instructions of the run with the fewest, of all but the first
least()
{
	local tag user all timer waited

	while read -r _ tag _ user _ all _ timer; do
		waited=$(symbols "$tag" --only waiting --sum) || return 1
		echo "$tag $user $((all - timer - waited))"
	done < <(grep -E "^code $1[1-9] user " "$run/out/job.log") | sort -n -k 3 | head -n 1
}

# compare NAME OURS PEER: figures of two cases, and a table of ours
compare()
{
	local tag ours_user ours peer_user peer common

	read -r tag ours_user ours < <(least "$2") && read -r _ peer_user peer < <(least "$3") || return 1
	common=(part=record kernel="$name" unit=instructions peer_name='perf record' kind=count)
	line figure "${common[@]}" name="$1: kernel instructions" ours="$ours" peer="$peer"
	line figure "${common[@]}" name="$1: user instructions" ours="$ours_user" peer="$peer_user"
	symbols "$tag" --least 10000 --row part=record --row "kernel=$name" --row "table=$1" --row unit=instructions
}

status=0
for kernel in $(bench_kernels); do
	name=$(kernel_name "$kernel")
	run=$BUILD/run/bench-record-$name
	guest_figures record "$kernel" selftests/bench/guest/record.sh &&
		compare 'record -- true' 1 2 && compare 'record -- true, symbols hidden' 3 4 || status=1
done
exit $status
