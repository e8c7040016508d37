#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Somebody else gets at the counters while acrctl uses them, or would: it is refused, or says so and ends with 1.
# shellcheck source=selftests/guest/stat_common.sh
. "$(dirname "$0")/stat_common.sh"
modprobe msr allow_writes=on
[ -e /dev/rival_double ] || insmod "$ACR_BUILD/kernels/$ACR_KERNEL/rival.ko"

# poke MSR VALUE: writes a register of CPU 1, both in hexadecimal
poke()
{
	local i byte bytes=

	for i in 0 8 16 24 32 40 48 56; do
		printf -v byte '\\x%02x' $((0x$2 >> i & 0xff))
		bytes+=$byte
	done
	printf '%b' "$bytes" | dd of=/dev/cpu/1/msr oflag=seek_bytes seek=$((0x$1)) bs=8 iflag=fullblock 2> /dev/null
}

# What acrctl runs until the registers were taken from it
until_done=(sh -c 'until [ -e "$0" ]; do sleep 0.1; done' "$work/done")

# any EXPRESSION: whether it is true of a session
any() { "$acrctl" ps --json | jq -e "[.sessions[] | $1] | any"; }

# rob PID: whether acrctl has lost its CPU or ended, after user level of another event has been written to each general-purpose counter in
# either addressing. The next switch of a task may write over that in a tick in which the module has looked already.
rob()
{
	local msr

	for msr in 186 187 188 189; do poke $msr 4100c5; done
	any .cpu_lost || ! kill -0 "$1"
}

# robbed FILE COMMAND...: runs acrctl, and takes IA32_PERFEVTSEL registers from it while it counts
robbed()
{
	local out=$1 pid status msr

	shift
	rm -f "$work/done"
	"$acrctl" "$@" > "$out" 2>&1 &
	pid=$!
	wait_until any '.state == "enabled"'
	wait_until rob $pid
	touch "$work/done"
	wait $pid
	status=$?
	for msr in 186 187 188 189; do poke $msr 0; done
	sed 's/^/# /' "$out"
	return $status
}

robbed "$work/stat" stat -a -A -e r00c4:u -- "${until_done[@]}"
is "$?" 1 "stat ends with 1 if somebody else writes to its counters"
holds "it says of which CPU" grep -q 'somebody else wrote.* on CPU 1' "$work/stat"
holds "which has no count" grep -qE '^ *CPU1 +<not counted> +r00c4' "$work/stat"
holds "while the other one has" grep -qE '^ *CPU0 +[0-9]+ +r00c4' "$work/stat"

robbed "$work/record" record -a -e r00c4:u -c 100000 -o "$work/data" -- "${until_done[@]}"
is "$?" 1 "so does record"
holds "with the same words" grep -q 'somebody else wrote.* on CPU 1' "$work/record"
holds "and writes what it has" "$acrctl" report -i "$work/data"
"$acrctl" report -i "$work/data" --json > "$work/json"
is "$(jq -c '[.complete, .lost_cpus_ns > 0]' "$work/json")" '[false,true]' "which is not complete, and says for how long"

robbed "$work/record" record -e r00c4:u -c 100000 -o "$work/data" -- taskset -c 1 "${until_done[@]}"
is "$?" 1 "and of a task, too"
"$acrctl" report -i "$work/data" > "$work/report" 2> /dev/null
holds "its report says so" grep -q "somebody else took a CPU from the tasks'" "$work/report"
is "$("$acrctl" report -i "$work/data" --json | jq -c '[.complete, .lost_cpus_ns, .events[0].missed_ns > 0]')" '[false,0,true]' "and is not complete"

robbed "$work/top" top -C 0,1 -e r00c4:u -c 100000 --plain -n 3
is "$?" 1 "so does top"
holds "with the same words there" grep -q 'somebody else wrote.* on CPU 1' "$work/top"

if [ "$("$acrctl" info -j | jq -r .module.arbiter)" = claim ]; then
	mkfifo "$work/end"
	perf stat -C 1 -D 60000 -e '{cycles:D}' -e '{instructions:D}' -- cat "$work/end" > /dev/null 2>&1 &
	perf=$!
	wait_until eval '! "$acrctl" stat -C 1 -e r00c4:u -- true'
	"$acrctl" stat -C 1 -e r00c4:u -- true > "$work/out" 2>&1
	is "$?" 1 "a pinned event of perf that waits to be enabled refuses stat"
	holds "naming perf and its pid" grep -qE "a pinned event of perf, pid $perf would take the counters on CPU 1" "$work/out"
	sed 's/^/# /' "$work/out"
	: > "$work/end"
	kill -INT $perf
	wait $perf
fi
"$acrctl" stat -C 1 -e r00c4:u -- true > "$work/out" 2>&1
is "$?" 0 "afterwards it counts again"
finish
