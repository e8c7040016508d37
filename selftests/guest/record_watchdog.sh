#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# acrctl record --pause-watchdog: refused without it, restored after it, also when acrctl is killed.
# shellcheck source=selftests/guest/record_common.sh
. "$(dirname "$0")/record_common.sh"
control=/proc/sys/kernel/nmi_watchdog

# PMIs of the watchdog on all CPUs: the NMI lines of /proc/interrupts
nmis() { awk '/^ *NMI:/ { n = 0; for (i = 2; i <= NF; i++) if ($i ~ /^[0-9]+$/) n += $i; print n }' /proc/interrupts; }

# becomes VALUE
becomes() { wait_until eval "[ \"\$(cat $control)\" = $1 ]"; }

# program: waits for the process that is recorded, and prints its number
program() { wait_until pgrep -x phases && pgrep -x phases; }

# counts_again: waits for an NMI of the watchdog's counter, after some 3,000,000,000 cycles
counts_again()
{
	local before

	before=$(nmis)
	for _ in $(seq 20); do
		taskset -c 0 "$phases" 40
		[ "$(nmis)" -gt "$before" ] && return 0
	done
	return 1
}

# The threshold is the soft watchdog's too: it would report a CPU that the host takes away for 2 s.
echo 0 > /proc/sys/kernel/soft_watchdog
echo 1 > /proc/sys/kernel/watchdog_thresh
echo 1 > $control
if [ "$(cat $control)" != 1 ]; then
	echo "1..0 # SKIP this kernel has no NMI watchdog here"
	exit 0
fi
holds "the watchdog counts before" counts_again
"$acrctl" record -e "$fast" -o "$work/refused.data" -- "$phases" 1 2> "$work/err"
is "$?" 1 "while the watchdog runs, recording is refused"
holds "and the remedy is named" grep -q -- '--pause-watchdog\|nmi_watchdog' "$work/err"

"$acrctl" record --pause-watchdog -e "$fast" -o "$work/paused.data" -- sh -c "cat $control > $work/during; $phases 5" \
	2> /dev/null
is "$?" 0 "with --pause-watchdog it is not"
is "$(cat "$work/during")" 0 "the watchdog is off while it records"
is "$(cat $control)" 1 "it is on again when acrctl has ended"
holds "there are samples" [ "$(samples "$work/paused.data")" -gt 0 ]
holds "the watchdog counts again" counts_again

"$acrctl" record --pause-watchdog -e "$fast" -o "$work/killed.data" -- "$phases" 100000000 2> /dev/null &
recorder=$!
holds "a second recording turns it off" becomes 0
recorded=$(program)
kill -KILL $recorder
wait $recorder 2> /dev/null
holds "it is on again after acrctl was killed" becomes 1
kill "$recorded"
holds "and counts" counts_again

mkfifo "$work/go"
"$acrctl" record --pause-watchdog -C 0 -e "$fast" -o "$work/a.data" -- sh -c "until [ -e $work/both ]; do sleep 0.1; done" 2> /dev/null &
first=$!
"$acrctl" record --pause-watchdog -C 1 -e "$fast" -o "$work/b.data" -- sh -c "touch $work/both; read -r _ < $work/go" 2> /dev/null &
second=$!
wait $first
is "$?" 0 "one of two recordings ends"
is "$(cat $control)" 0 "the watchdog stays off for the other"
timeout 60 sh -c "echo > $work/go"
wait $second
is "$?" 0 "the other ends"
holds "now it is on" becomes 1
finish
