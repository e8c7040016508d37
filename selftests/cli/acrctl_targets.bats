#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What acrctl record and stat follow: several processes and threads in one session, and those that end.

bats_require_minimum_version 1.5.0
load helpers
load device_helpers

setup_file() { build_fixtures; }

setup()
{
	common_setup
	export ACRCTL_TSC_HZ=1500000000 ACRCTL_CPUID=GenuineIntel-6-DD-0
	sleep 100 3>&- & one=$!
	sleep 100 3>&- & two=$!
}

teardown() { kill $one $two 2> /dev/null || true; }

# stat ARGUMENTS...: sets status, stdout, stderr
stat() { capture counting "$acrctl" stat -e instructions "$@"; }

# requests: sessions and what is attached to them
requests() { grep -E '^(CREATE|ATTACH)' log | sed 's/ nr_events.*pid/ pid/; s/ nr_events.*//' | tr '\n' ' '; }

# a program with a second thread; the id of that is in the file tid
start_threads()
{
	python3 -c '
import threading, time
def run():
    open("tid.new", "w").write(str(threading.get_native_id()))
    __import__("os").rename("tid.new", "tid")
    time.sleep(100)
threading.Thread(target=run, daemon=True).start()
time.sleep(100)' 3>&- &
	threads=$!
	wait_until [ -s tid ]
	tid=$(cat tid)
}

@test "acrctl stat: several processes share one session: the first creates it parked, the others are attached" {
	stat -p $one,$two
	is "$status" 0
	is "$(requests)" "CREATE 0 flags=0x1b pid=$one ATTACH 0 pid=$two flags=0x1 "
	# parked until all are attached
	[ "$(grep -n '^ATTACH' log | cut -d: -f1)" -lt "$(grep -n '^UNPARK' log | head -n 1 | cut -d: -f1)" ]
	has "$stdout" "# counts of process $one, process $two"
	rm log
	stat -p $two -i -p $one
	is "$(requests)" "CREATE 0 flags=0x19 pid=$two ATTACH 0 pid=$one flags=0x1 "
	# each group has a session
	rm log
	stat -e cycles -p $one,$two
	is "$(grep -c ^ATTACH log)" 2
}

@test "acrctl stat, record: threads alone, beside processes, and what is named twice" {
	start_threads
	stat -t $tid
	is "$status" 0
	is "$(requests)" "CREATE 0 flags=0x13 pid=$tid "
	has "$stdout" "# counts of thread $tid"
	rm log
	stat -t $tid,$threads -p $one,$one -t $tid
	is "$(requests)" "CREATE 0 flags=0x13 pid=$tid ATTACH 0 pid=$threads flags=0 ATTACH 0 pid=$one flags=0x1 "
	kill $threads
}

@test "acrctl record: several tasks share one session, which is unparked when all are attached" {
	start_threads
	{ printf 'sample ip=0x1000 pid=%s tid=%s nr=%s\n' $one $one 3 $threads $tid 4; echo "signal 2"; } | play
	capture fake record -e "$group" -p $one -t $tid
	is "$status" 0
	is "$(requests)" "CREATE 0 flags=0x1b pid=$one ATTACH 0 pid=$tid flags=0 "
	grep -A 9 '^ATTACH' log | grep -q '^UNPARK 0$'
	# the names of both are in the file
	is "$("$acrctl" script -F comm,tid | xargs -n 2 | uniq -c | xargs)" "3 sleep $one 4 $(cat /proc/$tid/comm) $tid"
	grep -qa python perf.data
	kill $threads
}

@test "acrctl record, stat: a process or thread that does not exist is refused by name before anything runs" {
	for command in record stat; do
		run_it() { capture fake $command -e cycles/period=100000/u "$@"; }
		run_it -p $one,4194303
		is "$status" 1
		is "$stderr" "acrctl: $command: there is no process 4194303; 'ps -e' lists those that exist"
		run_it -p $one -t 4194303
		is "$status" 1
		is "$stderr" "acrctl: $command: there is no thread 4194303; 'ps -eL' lists those that exist"
		no_session
		for bad in 0 x $one, ,$one $one,,$two -1 1.5; do
			run_it -p "$bad"
			is "$status" 2
			has "$stderr" "-p '"
			run_it -t "$bad"
			is "$status" 2
			has "$stderr" "-t '"
		done
		run_it -p $one -a
		is "$status" 2
		has "$stderr" "more than one target: choose one of -a, -p or -t, and a command"
		run_it -t $one true
		is "$status" 2
	done
}

@test "acrctl stat: -p with a thread is refused, and -t named instead" {
	start_threads
	stat -p $tid
	is "$status" 1
	is "$stderr" "acrctl: stat: -p $tid is a thread of process $threads; give that, or -t $tid for the thread alone"
	kill $threads
}

@test "acrctl stat: a task that ends before it is attached is left out with a message, and the others are counted" {
	FAKE_ATTACH_ERRNO=3 stat -p $one,$two,$$
	is "$status" 0
	has "$stderr" "acrctl: stat: process $two has ended before it could be counted"
	is "$(grep -c '^ATTACH' log)" 2
	has "${stdout//,/}" "19200000  instructions"
}

@test "acrctl stat: another refusal of a further task ends it, with the reason" {
	FAKE_ATTACH_ERRNO=25 stat -p $one,$two
	is "$status" 1
	has "$stderr" "the module cannot follow several tasks in one session: its ABI version is below 5; install module and program of one version"
	is "$(grep -c ENABLE log)" 0
}

@test "acrctl stat: counting goes on until the last process has ended" {
	# the clock of the device stands still after a run
	FAKE_FIFO=/dev/null stat -p $one,$two -p $one 3>&- &
	counting=$!
	wait_until grep -q '^ENABLE' log
	kill $one
	sleep 0.3
	[ "$(grep -c '^DISABLE' log)" = 0 ]
	kill $two
	wait $counting
	grep -q '^DISABLE' log
}

@test "acrctl record: a process that ends while it is recorded finishes the recording" {
	"$busy" wait 3>&- &
	runner=$!
	wait_until sleeps $runner
	{ halves "$busy" 6 4; echo "say played"; } | play
	fake_start record -e "$group" -p $runner,$one 2> messages
	recorder=$!
	wait_until grep -q '^played' log
	kill $runner $one
	status=0
	wait $recorder || status=$?
	is "$status" 0
	grep -q 'perf.data: 10 samples' messages
}

# ---- threads one by one

# rows: of JSON, each thread with its counts
rows() { json '[.groups[]|[.thread.tid,.events[].value]]'; }

@test "acrctl stat: --per-thread attaches each thread on its own, and prints each with its own counts" {
	requires_jq
	start_threads
	name=$(cat /proc/$threads/comm)
	stat --per-thread -p $threads
	is "$status" 0
	is "$(requests)" "CREATE 0 flags=0x13 pid=$threads ATTACH 0 pid=$tid flags=0 "
	# parked until all are attached; read by target, then the accounts of all
	[ "$(grep -n '^ATTACH' log | cut -d: -f1)" -lt "$(grep -n '^UNPARK' log | head -n 1 | cut -d: -f1)" ]
	is "$(grep ^READ log | tr '\n' ' ')" "READ 0 -1 target=1 READ 0 -1 target=2 READ 0 -1 "
	is "$(grep instructions <<< "$stdout" | tr -s ' ')" " $name-$threads 6400000 instructions
 $name-$tid 12800000 instructions"
	has "$stdout" "# counts of process $threads"
	stat --per-thread -j -p $threads
	is "$(rows)" "[[$threads,6400000],[$tid,12800000]]"
	is "$(json '[.groups[].thread.comm]|unique|.[]')" "$name"
	stat -j -p $threads
	is "$(json '[.groups[]|[.thread,.events[0].value]]')" "[[null,19200000]]"
	# named threads alone, and -i
	rm log
	stat --per-thread -j -i -t $tid,$one
	is "$(requests)" "CREATE 0 flags=0x11 pid=$tid ATTACH 0 pid=$one flags=0 "
	is "$(rows)" "[[$tid,6400000],[$one,12800000]]"
	# threads of several processes
	stat --per-thread -j -p $one,$threads
	is "$(rows)" "[[$one,3200000],[$threads,6400000],[$tid,9600000]]"
	kill $threads
}

@test "acrctl stat: --per-thread has intervals, snapshots, turns and conditions of each thread, and accounts once" {
	requires_jq
	start_threads
	stat --per-thread -I 50 -p $threads
	has "$stdout" "#    seconds            thread-TID                  count  event"
	is "$(grep -c "0000   *[^ ]*-$tid  *6400000  instructions" <<< "$stdout")" 2
	stat --per-thread -j -I 50 -p $threads
	is "$(jq -sc '[.[].groups[].events[0].value]' stdout)" "[3200000,6400000,3200000,6400000]"
	FAKE_CNTRS=1 stat --per-thread -j -e cycles -p $threads
	is "$(json '[.groups[]|[.thread.tid == '$tid',.scaled,(.running * 100|round),.events[0].value]]')" \
		"[[false,true,50,6400000],[false,true,50,2000000],[true,true,50,12800000],[true,true,50,4000000]]"
	printf 'snapshot\n' > commands
	stat --per-thread -j --control fd:9 -p $threads 9< commands
	is "$(jq -sc '[.[]|[.groups[].events[0].value]]' stdout)" "[[0,0],[6400000,12800000]]"
	FAKE_COME=2 FAKE_THROTTLED=5 capture counting "$acrctl" stat --per-thread -j \
		--when 'ipc:u > 100' -p $threads
	# 20 and 40 periods of the limit; tasks come with the first thread, a pause may be that of any
	is "$(json '[.groups[].condition|[.matches,.others_min,.others_max]]')" "[[0,0,20],[1,33,40]]"
	has "$(json '.remarks[]')" "5 overflows were beyond a limit"
	FAKE_DROPPED=1 capture counting "$acrctl" stat --per-thread -j --acr=software --when 'ipc:u > 2' -p $threads
	is "$(json '[.groups[].condition|[.matches,.others_min,.others_max]]')" "[[3,2,2],[6,4,4]]"
	has "$(json '.remarks[]')" "1 overflows dropped; outside of windows: 10 x instructions, 20 x cycles"
	kill $threads
}

@test "acrctl stat: --per-thread gives a thread one location in all sessions, also if some do not have it" {
	requires_jq
	start_threads
	# the first session finds that the second process has ended
	FAKE_ATTACH_ERRNO=3 stat --per-thread -j -e cycles -p $threads,$one
	is "$status" 0
	is "$(json '[.groups[]|[.thread.tid,.group,.events[0].value]]')" \
		"[[$threads,\"instructions\",6400000],[$threads,\"cycles\",1000000],[$tid,\"cycles\",2000000],[$one,\"instructions\",12800000],[$one,\"cycles\",3000000]]"
	# those of each kind of core
	FAKE_KINDS=PE stat --per-thread -j -p $threads
	is "$(json '[.groups[]|[.thread.tid,.group]]')" \
		"[[$threads,\"cpu_core/instructions/\"],[$threads,\"cpu_atom/instructions/\"],[$tid,\"cpu_core/instructions/\"],[$tid,\"cpu_atom/instructions/\"]]"
	kill $threads
}

# a program that creates a second thread while its first one is attached, which is in the file later
start_late_thread()
{
	mkfifo before after
	python3 -c '
import threading, time
open("started", "w").close()
open("before").read()
def run():
    open("late", "w").write(str(threading.get_native_id()))
    open("after", "w").close()
    time.sleep(100)
threading.Thread(target=run, daemon=True).start()
time.sleep(100)' 3>&- &
	late=$!
	wait_until [ -e started ]
	export FAKE_BEFORE=before FAKE_AFTER=after
}

@test "acrctl stat: --per-thread lists threads again until there is no new one" {
	start_late_thread
	stat --per-thread -p $one,$late
	is "$status" 0
	is "$(requests)" "CREATE 0 flags=0x13 pid=$one ATTACH 0 pid=$late flags=0 ATTACH 0 pid=$(cat late) flags=0 "
	is "$(grep -c -- "-$(cat late) .*instructions" <<< "$stdout")" 1
	kill $late
}

@test "acrctl stat: --per-thread counts a thread with the one that created it if the session follows it already" {
	start_threads
	FAKE_INHERITED=$tid stat --per-thread -p $threads
	is "$status" 0
	is "$(requests)" "CREATE 0 flags=0x13 pid=$threads ATTACH 0 pid=$tid flags=0 "
	is "$(grep -c instructions <<< "$stdout")" 1
	has "$stdout" "19200000  instructions"
	kill $threads
}

@test "acrctl stat: --per-thread leaves out what has ended, with a message" {
	FAKE_ATTACH_ERRNO=3 stat --per-thread -t $one,$two
	is "$status" 0
	is "$stderr" "acrctl: stat: thread $two has ended before it could be counted"
	is "$(grep -c instructions <<< "$stdout")" 1
	# a process that ends after its threads were attached
	mkfifo before after
	(
		sleep 100 3>&- &
		echo $! > third.new
		mv third.new third
		cat before
		kill $!
		wait
		: > after
	) 3>&- &
	wait_until [ -e third ]
	FAKE_BEFORE=before FAKE_AFTER=after stat --per-thread -p "$one,$(cat third)"
	is "$status" 0
	is "$stderr" "acrctl: stat: process $(cat third) has ended before it could be counted"
	FAKE_ERRNO=3 FAKE_REASON=10 stat --per-thread -p $one
	is "$status" 1
	has "$stderr" "acrctl: stat: there is no task"
}

@test "acrctl stat: --per-thread needs processes or threads, and no CPUs" {
	for arguments in -a "-C 0" "-G /" ""; do
		# shellcheck disable=SC2086 # words
		stat --per-thread $arguments -- touch ran
		is "$status" 2
		has "$stderr" "--per-thread: only threads that exist are counted one by one; give processes with -p, or threads with -t"
	done
	stat --per-thread -A -p $one
	is "$status" 2
	is "$stderr" "acrctl: stat: --per-thread and -A: a thread is counted on whatever CPU it runs; leave one of them out"
	stat --per-thread -r 2 -p $one
	is "$status" 2
	has "$stderr" "-r: only a command can be run again"
	[ ! -e ran ]
	no_session
}

# ---- cgroups

# with_cgroups COMMAND...: in a mount namespace of its own, in which the cgroup v2 hierarchy is mounted only at ./groups
with_cgroups()
{
	mkdir -p groups
	unshare -m sh -c 'umount -a -t cgroup2; mount -t cgroup2 none groups && exec "$@"' sh "$@"
}

requires_cgroups()
{
	requires_mount_namespaces
	with_cgroups true 2> /dev/null || skip "the cgroup v2 hierarchy cannot be mounted here"
}

# a directory of the hierarchy that exists on every machine is its root
run_stat() { capture counting with_cgroups "$acrctl" stat -e instructions "$@"; }

@test "acrctl stat: -G makes a session of CPUs for a cgroup, by its name or path" {
	requires_cgroups
	run_stat -G /
	is "$status" 0
	grep -q '^CREATE 0 flags=0x110 ' log
	has "$stdout" "# counts of cgroup /"
	is "$(grep -c ENABLE log)" 1
	rm log
	run_stat -C 0 -A -G "$PWD/groups"
	is "$status" 0
	grep -q '^CREATE 0 flags=0x110 ' log
	has "$stdout" " on CPUs 0"
	# a command limits the time
	rm log
	mkfifo fifo
	FAKE_FIFO=fifo run_stat -G / -- cat fifo
	is "$status" 0
	grep -q '^CREATE 0 flags=0x110 ' log
	has "$stderr" "# counts of cgroup / during cat fifo"
}

@test "acrctl record: -G records a cgroup on all CPUs" {
	requires_cgroups
	echo "signal 2" | play
	capture with_cgroups env LD_PRELOAD="$BATS_FILE_TMPDIR/device.so" "$acrctl" record -e "$group" -G /
	is "$status" 0
	grep -q '^CREATE 0 flags=0x100 .*cpus_size=[1-9]' log
}

@test "acrctl stat: what is no cgroup of the v2 hierarchy is refused with the reason before anything runs" {
	requires_cgroups
	run_stat -G missing -- touch ran
	is "$status" 1
	has "$stderr" "acrctl: stat: -G 'missing': No such file or directory; give the path of a cgroup below $PWD/groups"
	run_stat -G /proc -- touch ran
	has "$stderr" "-G '/proc' is not a cgroup of the v2 hierarchy; give the path of one below"
	run_stat -G / -p 1
	is "$status" 2
	has "$stderr" "more than one target: choose -G, or -p and -t"
	run_stat -G / -G / -- touch ran
	is "$status" 2
	has "$stderr" "-G is given twice: only one cgroup can be followed"
	capture counting unshare -m sh -c 'umount -a -t cgroup2; exec "$@"' sh "$acrctl" stat -e instructions -G / -- touch ran
	has "$stderr" "-G: the cgroup v2 hierarchy is not mounted; mount it"
	[ ! -e ran ]
	no_session
}
