#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# acrctl record of CPUs and of processes that run, ended by signals or by themselves.
# shellcheck source=selftests/guest/record_common.sh
. "$(dirname "$0")/record_common.sh"
echo 0 > /proc/sys/kernel/nmi_watchdog
forever=100000000

# record_until SIGNAL ARGUMENTS...: 2 seconds of recording, beside a program that runs on CPU 0
record_until()
{
	local signal=$1 pid

	shift
	"$acrctl" record -e "$fast" -o "$work/until.data" "$@" 2> "$work/err" &
	pid=$!
	sleep 2
	kill "-$signal" "$pid"
	wait "$pid"
}

# functions: that of each sample of the program; with -a acrctl itself may have fast windows, too
functions() { "$acrctl" script -i "$work/until.data" -F comm,sym 2> /dev/null | awk '$1 == "phases" { print $2 }'; }

# only_fast NAME: samples, and all of them in phase_fast. Recording began anywhere in a phase: the one window of each round that
# spans the change may end in phase_slow, beside some 40 in phase_fast.
only_fast()
{
	local total slow

	total=$(functions | wc -l)
	slow=$(functions | grep -c phase_slow)
	holds "$1: there are samples ($total)" [ "$total" -gt 0 ]
	is "$(functions | grep -v phase_slow | sort -u)" phase_fast "$1: no other function"
	holds "$1: all in phase_fast but windows across a change ($slow)" [ $((slow * 40)) -le "$total" ]
}

taskset -c 0 "$phases" $forever &
runner=$!

record_until INT -a
is "$?" 0 "Ctrl-C is the normal end of -a"
only_fast "-a"
is "$(perf script -i "$work/until.data" -F comm 2> /dev/null < /dev/null | sort -u | tr -d ' ' | grep -vx acrctl)" phases \
	"a program that ran before is known by name"
record_until TERM -C 0
is "$?" 0 "SIGTERM ends -C too"
only_fast "-C 0"
record_until INT -C 1
is "$(samples "$work/until.data")" 0 "the other CPU has no samples"
record_until INT -p $runner
is "$?" 0 "Ctrl-C ends -p"
only_fast "-p"
holds "-p leaves the process alone" kill -0 $runner

"$acrctl" record -e "$fast" -o "$work/until.data" -p $runner 2> /dev/null &
recorder=$!
sleep 2
kill $runner
wait $recorder
is "$?" 0 "-p ends with the process"
only_fast "-p to the end"

"$acrctl" record -e "$fast" -C 0 -o "$work/until.data" -- taskset -c 0 "$phases" 10 2> /dev/null
is "$?" 0 "-C with a command ends with it"
is "$("$acrctl" script -i "$work/until.data" -F comm,sym 2> /dev/null | grep 'phases' | sort -u | tr -s ' ')" \
	" phases phase_fast" "-C with a command: the program's samples are in phase_fast"
"$acrctl" record -e "$fast" -o "$work/until.data" -- "$phases" $forever 2> "$work/err" &
recorder=$!
sleep 2
# a shell's background jobs ignore SIGINT
kill -TERM $recorder
wait $recorder
is "$?" 143 "a signal ends the command too; its status is passed on"
only_fast "a command ended by a signal"
"$acrctl" record -e "$fast" -C 63 -o "$work/until.data" 2> /dev/null
is "$?" 1 "a CPU that does not exist is refused"
"$acrctl" record -e "$fast" -p 4194303 -o "$work/until.data" 2> /dev/null
is "$?" 1 "so is a process that does not exist"
finish
