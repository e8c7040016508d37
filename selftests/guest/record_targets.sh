#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# acrctl record and stat of CPUs, running processes and cgroups, ended by signals, commands, time or by themselves.
# shellcheck source=selftests/guest/record_common.sh
. "$(dirname "$0")/record_common.sh"
echo 0 > /proc/sys/kernel/nmi_watchdog
forever=100000000

# record_until SIGNAL ARGUMENTS...: a recording that is ended once it holds samples
record_until()
{
	local signal=$1 pid

	shift
	rm -f "$work/until.data"
	"$acrctl" record -e "$fast" -o "$work/until.data" "$@" 2> "$work/err" &
	pid=$!
	wait_for_samples
	kill "-$signal" "$pid"
	wait "$pid"
}

# wait_for_bytes N: until the file has N bytes
has_bytes() { [ "$(stat -c %s "$work/until.data")" -ge "$1" ]; }
wait_for_bytes() { wait_until has_bytes "$1"; }

# more than records of tasks and maps
enough_bytes=100000
wait_for_samples() { wait_for_bytes $enough_bytes; }

# sampled_threads: number of threads with samples in the file, finished or not
sampled_threads() { "$acrctl" script -i "$work/until.data" -F tid 2> /dev/null | sort -u | wc -l; }

# wait_for_sampled_threads N: until N threads of the program have samples. It is stopped while they are counted, which takes as long
# as the file is large, and therefore is done only when that has doubled.
wait_for_sampled_threads()
{
	local doubled

	for doubled in {0..6}; do
		wait_for_bytes $((enough_bytes << doubled))
		kill -STOP "$runner"
		[ "$(sampled_threads)" -lt "$1" ] || break
		kill -CONT "$runner"
	done
	kill -CONT "$runner"
}

# functions: the function of each sample of the program; with -a acrctl itself may have fast windows too
functions() { "$acrctl" script -i "$work/until.data" -F comm,sym 2> /dev/null | awk '$1 == "phases" { print $2 }'; }

# only_fast NAME [THREADS]: there are samples, none below the ratio. Recording begins in the middle of a window, so that the window
# open at a change to the slow phase may end in settle_slow: at most one per 40 samples, which is a round of phase_fast, and one for the
# first round of each of THREADS.
only_fast()
{
	local fast slow

	functions > "$work/functions"
	fast=$(grep -c '^phase_fast$' "$work/functions")
	slow=$(grep -c '^settle_slow$' "$work/functions")
	holds "$1: there are samples enough ($fast)" [ "$fast" -ge 100 ]
	is "$(grep -vE '^(settle_fast|settle_slow|phase_fast)$' "$work/functions" | sort | uniq -c)" "" "$1: all where the ratio is above"
	holds "$1: at most one at a change of phase ($slow)" [ "$slow" -le $((fast / 40 + ${2:-1})) ]
}

# wait_for_threads N: until the program has N threads; prints their number
wait_for_threads()
{
	wait_until eval "[ \"\$(ls '/proc/$runner/task' | wc -l)\" -ge $1 ]"
	ls "/proc/$runner/task" | wc -l
}

# The program runs alone on CPU 0, so that a window holds only its instructions.
taskset -pc 1 $$ > /dev/null
taskset -c 0 "$phases" -s $settle $forever &
runner=$!

record_until INT -a
is "$?" 0 "Ctrl-C is the normal end of -a"
only_fast "-a"
is "$(perf script -i "$work/until.data" -F comm,ip,sym 2> /dev/null < /dev/null | awk '$3 == "phase_fast" { print $1 }' | sort -u)" \
	phases "a program that ran before is known by name"
record_until TERM -C 0
is "$?" 0 "SIGTERM ends -C too"
only_fast "-C 0"
rm -f "$work/until.data"
timeout --preserve-status -s INT 5 "$acrctl" record -e "$fast" -o "$work/until.data" -C 1 2> /dev/null
is "$(samples "$work/until.data")" 0 "the other CPU has no samples"
record_until INT -p $runner
is "$?" 0 "Ctrl-C ends -p"
only_fast "-p"
holds "-p leaves the process alone" kill -0 $runner

rm -f "$work/until.data"
"$acrctl" record -e "$fast" -o "$work/until.data" -p $runner 2> /dev/null &
recorder=$!
wait_for_samples
kill $runner
wait $recorder
is "$?" 0 "-p ends with the process"
only_fast "-p to the end"

"$acrctl" record -e "$fast" -C 0 -o "$work/until.data" -- taskset -c 0 "$phases" -s $settle 10 2> /dev/null
is "$?" 0 "-C with a command ends with the command"
# What runs before main() may be above the ratio too.
is "$(functions | grep '^phase_' | sort -u)" phase_fast "-C with a command: the samples of its phases are in phase_fast"
rm -f "$work/until.data"
"$acrctl" record -e "$fast" -o "$work/until.data" -- "$phases" -s $settle $forever 2> "$work/err" &
recorder=$!
wait_for_samples
# a shell's background jobs ignore SIGINT
kill -TERM $recorder
wait $recorder
is "$?" 143 "a signal ends the command too; its status is passed on"
only_fast "a command ended by a signal"

# -p of many threads: each is followed, and each has its own windows.
taskset -c 0,1 "$phases" -s $settle -t 12 $forever &
runner=$!
threads=$(wait_for_threads 13)
is "$threads" 13 "a program has twelve threads beside its first"
rm -f "$work/until.data"
"$acrctl" record -e "$fast" -o "$work/until.data" -p $runner 2> "$work/err" &
recorder=$!
wait_for_sampled_threads 12
kill -TERM $recorder
wait $recorder
is "$?" 0 "-p of a program with many threads"
only_fast "-p of many threads" 12
is "$(sampled_threads)" 12 "-p: each working thread has samples"
is "$("$acrctl" script -i "$work/until.data" -F pid 2> /dev/null | sort -u | tr -d ' ')" $runner "-p: all of that process"
kill $runner

"$acrctl" record -e "$fast" -C 63 -o "$work/until.data" 2> /dev/null
is "$?" 1 "a CPU that does not exist is refused"
"$acrctl" record -e "$fast" -p 4194303 -o "$work/until.data" 2> /dev/null
is "$?" 1 "so is a process that does not exist"
# A cgroup: what runs in it, and nothing else.
groups=$work/groups
mkdir "$groups"
mount -t cgroup2 none "$groups"
mkdir "$groups/a" "$groups/b"
loops='for group in a a b; do (echo 0 > "$0/$group/cgroup.procs" && exec "$1" 1000000); done'
"$acrctl" stat -e instructions:u -G a -j -o "$work/json" -- sh -c "$loops" "$groups" "$ACR_BUILD/workloads/loop" 2> "$work/err"
is "$?" 0 "stat -G"
value=$(jq '.groups[0].events[0].value' "$work/json")
holds "-G: two loops of 6 million instructions are counted, the one elsewhere is not ($value)" [ $((value / 1000000)) = 12 ]
(echo 0 > "$groups/b/cgroup.procs" && exec taskset -c 0 "$phases" -s $settle $forever) &
other=$!
(echo 0 > "$groups/a/cgroup.procs" && exec taskset -c 0 "$phases" -s $settle $forever) &
runner=$!
record_until INT -G a -g
is "$?" 0 "Ctrl-C ends -G"
is "$("$acrctl" script -i "$work/until.data" -F pid 2> /dev/null | grep . | sort -u | tr -d ' ')" $runner "-G: all samples are of its member"
is "$("$acrctl" script -i "$work/until.data" --json 2> /dev/null | jq '.samples | length > 0 and all(has("chain"))')" true "-G -g: with their call chains"
: > "$work/lines"
"$acrctl" stat -e instructions:u -G a -I 100 -o "$work/lines" 2> "$work/err" &
counter=$!
# more_lines: until two more intervals have been printed
has_lines() { [ "$(wc -l < "$work/lines")" -ge "$1" ]; }
more_lines() { wait_until has_lines $(($(wc -l < "$work/lines") + 4)); }
more_lines
kill $runner $other
wait $runner $other 2> /dev/null
holds "the cgroup can be removed while it is counted" rmdir "$groups/a"
holds "-G -I goes on" more_lines
kill -INT $counter
wait $counter
is "$?" 0 "  and ends well"
rmdir "$groups/b"
umount "$groups"

# Commands: nothing is sampled before the first enable, nor after a disable.
taskset -c 0 "$phases" -s $settle $forever &
runner=$!
mkfifo "$work/commands" "$work/answers"
exec {commands}<> "$work/commands" {answers}<> "$work/answers"
rm -f "$work/until.data"
"$acrctl" record -e "$fast" -p $runner -D -1 --control "fifo:$work/commands,$work/answers" -o "$work/until.data" 2> "$work/err" &
recorder=$!
# order COMMAND: gives it and waits for the answer
order()
{
	local answer

	echo "$1" >&$commands
	read -r -t 600 answer <&$answers
	is "$answer" ack "--control: $1"
}
# snapshot: the samples so far, of which none were lost
snapshot()
{
	local seen

	order snapshot
	seen=$(sed -n 's/.*snapshot: \([0-9]*\) samples, 0 lost.*/\1/p' "$work/err" | tail -n 1)
	sampled=${seen:-none known}
}
worked() { awk '{ print $14 + $15 }' "/proc/$runner/stat"; }
# runner_works: for a fifth of a second
has_worked() { [ "$(worked)" -ge "$1" ]; }
runner_works() { wait_until has_worked $(($(worked) + 20)); }
order ping
holds "the program works" runner_works
snapshot
is "$sampled" 0 "-D -1: no samples before enable"
order enable
wait_for_samples
order disable
snapshot
before=$sampled
holds "samples after enable ($before)" [ "$before" -gt 0 ]
holds "the program works" runner_works
snapshot
is "$sampled" "$before" "none after disable"
order stop
wait $recorder
is "$?" 0 "stop is a normal end"
is "$(samples "$work/until.data")" "$before" "the file has all of them"

# Time: 200 ms, and then counting for 300 ms.
"$acrctl" record -e "$fast" -p $runner -D 200 --duration 0.3 -o "$work/until.data" 2> "$work/err"
is "$?" 0 "-D 200 --duration 0.3 ends by itself"
only_fast_of_it=$(functions | grep -c phase_fast)
holds "  with samples ($only_fast_of_it)" [ "$only_fast_of_it" -gt 0 ]
"$acrctl" stat -e cycles:u -p $runner -D 200 --duration 0.3 -j -o "$work/json" 2> "$work/err"
is "$?" 0 "stat does too"
time=$(jq '.length_s' "$work/json")
is "$(jq '.length_s >= 0.3 and .groups[0].events[0].value > 0' "$work/json")" true "  after 0.3 s ($time)"
holds "  of the process, which runs on" kill $runner
finish
