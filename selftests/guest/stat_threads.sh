#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# acrctl stat --per-thread of threads with known windows and instructions: rows, their sum, threads that share a CPU.
# shellcheck source=selftests/guest/stat_common.sh
. "$(dirname "$0")/stat_common.sh"

# Thread N has 5 N rounds. In each: 40 windows with more than 2 instructions a cycle, 107 with fewer; 8 million and 6 * 498140 instructions.
rounds=5
fast=$((rounds * 40)) slow=$((rounds * 107)) instructions=$((rounds * (8000000 + 6 * 498140)))

# start_waiting: two threads that wait, on one CPU
start_waiting()
{
	rm -f "$work/go"
	mkfifo "$work/go"
	taskset -c 0 "$phases" -t 2 -m -w $rounds < "$work/go" &
	runner=$!
	exec 7> "$work/go"
	wait_until eval '[ "$(ls "/proc/$runner/task" | wc -l)" -ge 3 ]'
}

# count_in NAME ARGUMENTS...: count the process in the background; returns when counting has begun
count_in()
{
	local name=$1 answer

	shift
	rm -f "$work/commands" "$work/answers"
	mkfifo "$work/commands" "$work/answers"
	"$acrctl" stat -j -o "$work/$name.json" --control "fifo:$work/commands,$work/answers" -p $runner "$@" \
		2> "$work/$name.err" 7>&- &
	counting+=($!)
	# answered once everything is attached and enabled
	echo ping > "$work/commands"
	read -r answer < "$work/answers"
	[ "$answer" = ack ] || sed 's/^/# /' "$work/$name.err"
}

# go: let the threads run until all have ended
go()
{
	local pid

	exec 7>&-
	wait $runner
	code=0
	for pid in "${counting[@]}"; do wait "$pid" || code=$?; done
	counting=()
}

# in_json NAME EXPRESSION
in_json() { jq -rc "$2" "$work/$1.json"; }

counting=()
start_waiting
count_in rows --per-thread --when 'ipc:u > 2'
count_in sum --when 'ipc:u > 2'
tids=$(ls "/proc/$runner/task" | sort -n | tr '\n' ' ')
go
is $code 0 "windows of threads"
is "$(in_json rows '.groups[]|.thread|.tid,.comm' | tr '\n' ' ')" "${tids// / phases }" "there is a row for each thread, also after its end"
is "$(in_json rows '[.groups[].condition.matches]')" "[0,$fast,$((2 * fast))]" "each has its own windows that match"
is "$(in_json rows '[.groups[].condition.matches]|add')" "$(in_json sum '.groups[0].condition.matches')" "their sum is that of the process"
for n in 1 2; do
	bounds=$(in_json rows ".groups[$n].condition|\"\(.others_min) and \(.others_max)\"")
	holds "thread $n: the others, $((n * slow)), are within $bounds" [ "${bounds% and*}" -le $((n * slow)) -a "${bounds#*and }" -ge $((n * slow)) ]
	holds "thread $n: and the bounds are near" [ "${bounds% and*}" -ge $((n * slow / 2)) ]
done

# Counters without reload pass from one thread to the next without being written.
start_waiting
count_in rows --per-thread -e '{instructions:u,cycles:u}'
count_in sum -e instructions:u
go
is $code 0 "plain counters of threads"
for n in 1 2; do
	# Starting and ending a thread takes less than a thousandth of what it does.
	holds "thread $n: its instructions ($(in_json rows ".groups[$n].events[0].value")) are its own" \
		[ "$(in_json rows ".groups[$n].events[0].value - $((n * instructions))|fabs < $((n * instructions / 1000))")" = true ]
done
rows=$(in_json rows '[.groups[].events[0].value]|add') sum=$(in_json sum '.groups[0].events[0].value')
# The first thread goes on after it was counted alone.
holds "their sum ($rows) is that of the process ($sum)" [ $((rows - sum)) -lt 10000 -a $((sum - rows)) -lt 10000 ]
finish
