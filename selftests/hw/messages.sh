#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What loading says in the kernel log: what it has found, why it is refused, and without what it does.
# shellcheck disable=SC2317,SC2086,SC2154 # functions are called by ok, arguments are a list, variables of failing.sh
# shellcheck source=selftests/hw/tap.sh
. "$(dirname "$0")/tap.sh"
# shellcheck source=selftests/hw/failing.sh
. "$(dirname "$0")/failing.sh"
not_permitted=-1 no_such_thing=-2

# says TEXT: the log has it once since the last call of forget.
forget() { dmesg -C; }
says() { dmesg >&2; [ "$(dmesg | grep -cF "acrpmu: $1")" = 1 ]; }

# refuses ERROR TEXT [PARAMETER...]: loading fails, says so once, and leaves nothing.
refuses()
{
	local error=$1 text=$2

	shift 2
	forget
	! insmod "$module" "$@" 2> "$output.load" && grep -F "$error" "$output.load" && says "$text" && is_absent
}

# without FUNCTION RESULT UNDO COMMAND...: the command, while the module's first call of the function fails
without() { without_call 1 "$@" && [ -n "$reached" ] && [ -z "$refused" ]; }

# warns TEXT COMMAND...: the module loads, says that once, and the command succeeds
warns()
{
	local text=$1 status=0

	shift
	forget
	insmod "$module" $module_args || return
	says "$text" && "$@" || status=1
	rmmod acrpmu
	return $status
}

counts() { "$tools/hw_hold" < /dev/null; }
# acrctl_says TEXT COMMAND...: the command fails with that text
acrctl_says() { local text=$1; shift; ! "$@" > "$output.acrctl" 2>&1 || return; cat "$output.acrctl"; grep -qF "$text" "$output.acrctl"; }
as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
counts_but_no_task() { counts && acrctl_says 'the task and CPUs given do not fit together' "$acrctl" stat -e cycles:u -- true; }
refuses_listeners() { counts && acrctl_says "there is no netlink family 'acrpmu'" "$acrctl" ps; }
refuses_users()
{
	echo Y > /sys/module/acrpmu/parameters/unprivileged
	counts && acrctl_says "kernel.perf_event_paranoid is $((2 ** 31 - 1))," as_nobody "$acrctl" stat -e cycles:u -- true
}

cpus="CPUs 0-$(($(nproc) - 1)): $ACR_PROFILE, PMU version 6, counters 0x77000000ff, reloadable 0x7000000ff, causes 0x7000000ff"
loads_as_usual() { forget; insmod "$module" $module_args && says 'ABI ' && says "$cpus"; }
kept_off_as() { dmesg >&2; dmesg | grep -q "acrpmu: ABI [0-9]*; in-tree perf kept off $1\$"; }
# In-tree perf reserves counters until it uses the addresses of version 6.
way() { if printf '%s\n' 6.12 "${ACR_KERNEL%%-*}" | sort -CV; then echo 'by a claim'; else echo 'by reservation'; fi; }

ok "loading says what the CPUs have" loads_as_usual
ok "and how in-tree perf is kept off" kept_off_as "$(way)"
ok "it unloads" rmmod acrpmu
for name in max_sessions max_unprivileged_sessions min_period min_period_quiet; do
	ok "$name=0 is refused with its range" refuses 'Invalid parameters' "$name must be a number from 1 to 2147483647" $name=0
done
ok "max_sample_rate beyond its range is refused" \
	refuses 'Invalid parameters' 'max_sample_rate must be a number from 1 to 10000000' max_sample_rate=10000001
ok "max_pmi_percent that is no number is refused" \
	refuses 'Invalid parameters' 'max_pmi_percent must be a number from 1 to 100' max_pmi_percent=all
ok "a trial event that in-tree perf refuses is a reason to refuse" \
	without perf_event_create_kernel_counter $not_permitted perf_event_release_kernel \
	refuses 'Operation not permitted' 'in-tree perf refuses a trial event (-1): cannot determine how to keep it off the PMU'
ok "without the scheduler's tracepoints only CPUs can be observed" \
	without for_each_kernel_tracepoint 0 tracepoint_probe_unregister \
	warns 'the kernel lacks scheduler tracepoints: only CPU sessions are possible' counts_but_no_task
ok "without its netlink family nobody can list sessions" \
	without genl_register_family $no_memory genl_unregister_family \
	warns 'no generic netlink family (-12): nobody can list sessions or listen' refuses_listeners
ok "without kernel.perf_event_paranoid only the privileged may observe" \
	without file_open_root $no_such_thing fput \
	warns 'cannot read kernel.perf_event_paranoid (-2): users without CAP_PERFMON may observe nothing' refuses_users
ok "without a hook every stop zeroes the counters" \
	without register_ftrace_function $no_memory unregister_ftrace_function \
	warns 'ftrace cannot hook perf_clear_dirty_counters(): counters are zeroed whenever their task leaves a CPU' counts
ok "the frequency of the TSC gets lost" insmod "$doubles/no_tsc.ko"
ok "without it there is no limit on the share of time" \
	warns 'the frequency of the TSC is unknown: max_pmi_percent has no effect' counts
ok "the frequency is known again" rmmod no_tsc
ok "the module loads and works after that" eval 'insmod "$module" $module_args && counts && rmmod acrpmu'
rm -f "$output.load" "$output.acrctl"
finish
