#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A user without capabilities, where the administrator allows it: records and counts programs of its own, and nothing else.
# shellcheck source=selftests/guest/record_common.sh
. "$(dirname "$0")/record_common.sh"
echo 0 > /proc/sys/kernel/nmi_watchdog
parameters=/sys/module/acrpmu/parameters
paranoid=/proc/sys/kernel/perf_event_paranoid
echo 2 > $paranoid
chmod 0755 "$work"
install -d -m 0777 "$work/out"

# as UID COMMAND...: as that user, without capabilities
as() { setpriv --reuid "$1" --regid "$1" --clear-groups "${@:2}" 2> "$work/err"; }
# in_background UID: prints the id of a process of that user which works until it is killed
in_background()
{
	setpriv --reuid "$1" --regid "$1" --clear-groups "$phases" 100000000 > /dev/null 2>&1 &
	wait_until grep -qx phases /proc/$!/comm
	echo $!
}
# record ARGUMENTS...: as the user
record() { as 1000 "$acrctl" record -o "$work/out/data" "$@"; }
# refused STATUS WORDS NAME: it was 1, and the message has these words
refused()
{
	is "$1" 1 "$3"
	holds "  with the reason" grep -qF -- "$2" "$work/err" || sed 's/^/#   /' "$work/err"
}
# refuses WORDS NAME RECORD-ARGUMENTS...
refuses()
{
	record "${@:3}"
	refused "$?" "$1" "$2"
}
# counts_not WORDS NAME STAT-ARGUMENTS...: the same for stat
counts_not()
{
	as 1000 "$acrctl" stat "${@:3}"
	refused "$?" "$1" "$2"
}

as_root='run it as root, or let root give it CAP_PERFMON for one group: acrctl(1), PERMISSION'
refuses "the caller may not use hardware counters; $as_root" "by default a user records nothing" -e "$fast" -- "$phases" 1
# A denied capability is audited, unless the question says not to (2): what is allowed must not look like an attempt. 38 is CAP_PERFMON.
tracing=/sys/kernel/tracing
echo 'p:acrpmu_asks cap_capable cap=%dx:s32 opts=%cx:u32' > $tracing/kprobe_events
echo 'comm == "acrctl" && cap == 38' > $tracing/events/kprobes/acrpmu_asks/filter
# asked: "OPTS NUMBER" of the questions for it when a user counts; in-tree perf, which asks for the module, does not with -1
asked()
{
	echo -1 > $paranoid
	echo > $tracing/trace
	echo 1 > $tracing/events/kprobes/acrpmu_asks/enable
	as 1000 "$acrctl" stat -e instructions:u -o "$work/out/stat" -- "$phases" 1
	echo 0 > $tracing/events/kprobes/acrpmu_asks/enable
	echo 2 > $paranoid
	sed -n 's/.*acrpmu_asks:.* opts=//p' $tracing/trace | sort | uniq -c | awk '{ print $2, $1 }' | xargs
}
is "$(asked)" "0 1" "which may be audited"
echo 1 > $parameters/unprivileged
is "$(cat $parameters/unprivileged)" Y "the administrator allows it"
is "$(asked)" "2 1" "it is not where a user needs no capability"

echo > $tracing/kprobe_events
record -e "$fast" -- "$phases" 3
is "$?" 0 "a user records a program"
is "$(symbols "$work/out/data")" "120 phase_fast" "with all samples"
as 1000 "$acrctl" stat -e instructions:u -j -o "$work/out/stat" -- "$phases" 3
is "$?" 0 "and counts one"
as 1000 "$acrctl" info > "$work/info"
holds "info reports it" grep -q 'this user: may observe own tasks at user level' "$work/info"
own=$(in_background 1000)
others=$(in_background 1001)
record -e "$fast" -p "$own" &
recorder=$!
has_samples() { [ "$(samples "$work/out/data")" -gt 10 ]; }
wait_until has_samples
kill -INT "$(xargs < /proc/$recorder/task/$recorder/children)"
wait $recorder
is "$?" 0 "a process of the same user is recorded"
holds "  with samples" has_samples
# what they would do makes the rest slow
kill -STOP "$own" "$others"
refuses "task $others is not the caller's own" "one of another user is not" -e "$fast" -p "$others" --duration 1
refuses "task $others is not the caller's own" "nor beside one's own" -e "$fast" -p "$own,$others" --duration 1
refuses "task $others is not the caller's own" "nor one of its threads" -e "$fast" -t "$others" --duration 1
counts_not "task $others is not the caller's own" "nor is it counted" -e cycles:u -p "$own" -t "$others" --duration 1
kill -KILL "$own" "$others"
refuses "task 1 is not the caller's own" "nor one of root" -e "$fast" -p 1 --duration 1
refuses "users without CAP_PERFMON may observe their own tasks only" "nor what runs on all CPUs" -e "$fast" -a -- "$phases" 1
refuses "users without CAP_PERFMON may observe their own tasks only" "nor on one" -e "$fast" -C 0 --duration 1
counts_not "users without CAP_PERFMON may observe their own tasks only" "which is not counted either" -e cycles:u -a -- "$phases" 1
mkdir "$work/groups"
mount -t cgroup2 none "$work/groups"
refuses "users without CAP_PERFMON may observe their own tasks only" "nor a cgroup" -e "$fast" -G / --duration 1
counts_not "users without CAP_PERFMON may observe their own tasks only" "which is not counted either" -e cycles:u -G / -- "$phases" 1
umount "$work/groups"
refuses "and 'cycles' counts the kernel, too; add the modifier u" "nor the kernel" -e cycles -c 100000 -- "$phases" 1
refuses "and 'cycles' counts the kernel, too; add the modifier u" "nor by an option" -e cycles -c 100000 --all-kernel -- "$phases" 1
counts_not "and 'cycles' counts the kernel, too; add the modifier u" "which is not counted either" -e cycles -- "$phases" 1

cp "$phases" "$work/program"
chmod 04755 "$work/program"
record -e "$fast" -- "$work/program" 1
is "$(samples "$work/out/data")" 0 "a set-uid program is not recorded"
holds "  which is reported" grep -q 'a set-uid or otherwise privileged program was executed' "$work/err"

echo 1 > $parameters/max_unprivileged_sessions
refuses "this user has 1 sessions already, which is the limit" "sessions are limited" -e "$fast" -e "$fast" -- "$phases" 1
echo 256 > $parameters/max_unprivileged_sessions
ulimit -S -l 64
refuses "and 16 may be locked" "and so is the memory of rings" -e "$fast" -- "$phases" 1
ulimit -S -l "$(ulimit -H -l)"

echo 3 > $paranoid
refuses "kernel.perf_event_paranoid is 3, which forbids users without CAP_PERFMON to observe even their own tasks" "perf_event_paranoid is honoured" \
	-e "$fast" -- "$phases" 1
counts_not "kernel.perf_event_paranoid is 3, which forbids users without CAP_PERFMON to observe even their own tasks" "by stat too" \
	-e instructions:u -- "$phases" 1
echo 2 > $paranoid

record -e "$fast" -- sh -c "echo > '$work/out/started'; until [ -e '$work/out/go' ]; do sleep 0.1; done; exec '$phases' 3" &
recorder=$!
wait_until [ -e "$work/out/started" ]
echo 0 > $parameters/unprivileged
touch "$work/out/go"
wait $recorder
is "$?" 0 "a recording continues when it is forbidden again"
is "$(symbols "$work/out/data" | grep phase)" "120 phase_fast" "  with all samples"
refuses "the caller may not use hardware counters" "but none begins" -e "$fast" -- "$phases" 1
finish
