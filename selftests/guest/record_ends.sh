#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# acrctl record and stat of running processes and threads that end: by themselves, by a signal, one before the other.
# shellcheck source=selftests/guest/record_common.sh
. "$(dirname "$0")/record_common.sh"
echo 0 > /proc/sys/kernel/nmi_watchdog
loop=$ACR_BUILD/workloads/loop
iterations=10000000
mkfifo "$work/control" "$work/answers"

# held COMMAND...: starts a program that waits for SIGCONT before it is executed; sets runner
held()
{
	# shellcheck disable=SC2016 # expanded by the inner shell
	sh -c 'kill -STOP $$; exec "$@"' sh "$@" &
	runner=$!
	until grep -q '^State:.T' /proc/$runner/status; do sleep 0.05; done
}

# follow record|stat ARGUMENTS...: starts the command and waits until it follows its targets; sets follower
follow()
{
	"$acrctl" "$@" --control "fifo:$work/control,$work/answers" 2> "$work/err" &
	follower=$!
	exec 8> "$work/control" 9< "$work/answers"
	alive
}

# alive: whether it answers; after a minute without answer it does not
alive()
{
	local answer=''

	echo ping >&8
	read -r -t 600 -u 9 answer
	[ "${answer%$'\n'}" = ack ]
}

# ends NAME: its status must be 0
ends()
{
	wait $follower
	is "$?" 0 "$1"
	exec 8>&- 9<&-
}

# whole NAME: acrctl and perf read the file to its end without a word, and it was closed
whole()
{
	"$acrctl" report -i "$work/data" > /dev/null 2> "$work/words"
	is "$?" 0 "  $1: its file is whole"
	perf script -i "$work/data" -F ip > /dev/null 2>> "$work/words" < /dev/null
	is "$(cat "$work/words")" "" "  read by acrctl and perf without a word"
	holds "  with a closing line" grep -q 'perf.data\|/data: [0-9]* samples, 0 lost' "$work/err"
}

# a worker thread of the running program; the first thread is the process
worker()
{
	local task

	while :; do
		for task in "/proc/$runner/task"/*; do
			[ "${task##*/}" = $runner ] || { echo "${task##*/}"; return; }
		done
		sleep 0.05
	done
}

# runs THREAD: waits until it has run for some ticks from now on
runs()
{
	local file=/proc/$runner/task/$1/schedstat start

	start=$(cut -d' ' -f1 "$file")
	until [ "$(cut -d' ' -f1 "$file")" -gt $((start + 50000000)) ]; do sleep 0.05; done
}

counted() { jq -s '.[-1].groups[0].events[0].value' "$work/json"; }

# ---- record ----

held "$phases" 3
follow record -e "$fast" -o "$work/data" -p $runner
kill -CONT $runner
ends "record -p ends with a program that ends by itself"
whole "record -p"
is "$(symbols "$work/data" | grep phase_)" "120 phase_fast" "  and has all samples"

held "$phases" 3
follow record -e "$fast" -o "$work/data" -t $runner
kill -CONT $runner
ends "record -t ends with a thread that ends by itself"
whole "record -t"
is "$(symbols "$work/data" | grep phase_)" "120 phase_fast" "  and has all samples"

"$phases" -t 2 100000000 &
runner=$!
follow record -e "$fast" -o "$work/data" -t "$(worker)"
kill -KILL $runner
ends "record -t ends with a thread that is killed"
whole "record -t of a killed thread"

held "$phases" 3
first=$runner
held "$phases" 3
follow record -e "$fast" -o "$work/data" -p $first,$runner
kill -CONT $first
wait $first
holds "record -p A,B continues when A has ended" alive
kill -CONT $runner
ends "  and ends with B"
whole "record -p A,B"
is "$(symbols "$work/data" | grep phase_)" "240 phase_fast" "  and has all samples of both"

held "$phases" 3
follow record -e "$fast" -o "$work/data" -p $runner
kill -KILL $runner
ends "record -p of a program that never ran"
whole "record without samples"

# ---- stat ----

# near NAME N: the count is that of N loops, and little more
near()
{
	local value

	value=$(counted)
	holds "$1 ($value)" [ $((value - 6 * iterations * $2)) -ge 0 ] && holds "  and little more" [ $((value - 6 * iterations * $2)) -lt 1000000 ]
}

for target in -p -t; do
	held "$loop" $iterations
	follow stat -j -o "$work/json" -e instructions:u $target $runner
	kill -CONT $runner
	ends "stat $target ends with a program that ends by itself"
	near "  and has its count" 1
done

held "$loop" $iterations
first=$runner
held "$loop" $iterations
follow stat -j -o "$work/json" -I 100 -e instructions:u -p $first -t $runner
kill -CONT $first
wait $first
holds "stat -p A -t B continues when A has ended" alive
kill -CONT $runner
ends "  and ends with B"
is "$(jq -s "([.[].groups[0].events[0].value]|add) as \$sum|\$sum >= 12 * $iterations and \$sum < 12 * $iterations + 2000000" "$work/json")" true \
	"  with the counts of both"

"$phases" -t 2 100000000 &
runner=$!
thread=$(worker)
follow stat -j -o "$work/json" -e instructions:u -t "$thread"
runs "$thread"
kill -KILL $runner
ends "stat -t ends with a thread that is killed"
holds "  and has a count" [ "$(counted)" -gt 0 ]
finish
