#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# acrctl record that is killed, or has no room left: acrctl and perf read what was written, and what is missing is reported.
# shellcheck source=selftests/guest/record_common.sh
. "$(dirname "$0")/record_common.sh"
echo 0 > /proc/sys/kernel/nmi_watchdog
forever=100000000
data=$work/data

# has_samples NR: whether so many are in the file
has_samples() { [ "$(samples "$data")" -ge "$1" ]; }

# expect_read NAME SAMPLES LOST: so many samples, all in phase_fast, and so many lost, for acrctl and perf
expect_read()
{
	is "$(symbols "$data")" "$2 phase_fast" "$1: acrctl script prints all samples"
	is "$(perf script -i "$data" -F ip,sym 2> /dev/null < /dev/null | awk 'NF { print $2 }' | sort | uniq -c | awk '{ print $1, $2 }')" \
		"$2 phase_fast" "$1: so does perf script"
	perf report -i "$data" --stdio > "$work/perf" 2> /dev/null < /dev/null
	is "$(grep -c '100.00% .* phase_fast' "$work/perf")" 1 "$1: perf report has one line"
	is "$(sed -n 's/^# Total Lost Samples: //p' "$work/perf")" "$3" "$1: perf report has the lost samples"
	"$acrctl" report -i "$data" > "$work/report" 2> "$work/report.err"
	is "$?" 0 "$1: acrctl report reads it"
	is "$(sed -n 's/^# .* samples, \([0-9]*\) lost$/\1/p' "$work/report")" "$3" "$1: acrctl report has the lost samples"
	holds "$1: and reports that it was not closed" grep -q 'data: the recording was not closed' "$work/report.err"
	# for perfs of other versions, on the host
	cp "$data" "$ACR_OUT/$1.data"
	echo "$2 $3" > "$ACR_OUT/$1.want"
}

"$acrctl" record -e "$fast" -o "$data" -- "$phases" $forever 2> "$work/err" &
recorder=$!
wait_until has_samples 200
runner=$(cat /proc/$recorder/task/$recorder/children)
kill -KILL $recorder
wait $recorder
is "$?" 137 "killed: acrctl is"
kill "$runner"
written=$(samples "$data")
holds "killed: there are samples enough ($written)" [ "$written" -ge 200 ]
expect_read killed "$written" 0

mkdir "$work/small"
mount -t tmpfs -o size=64k none "$work/small"
# shorter windows fill it sooner
"$acrctl" record -e "$(group 20000 10000)" -o "$work/small/data" -- "$phases" $forever 2> "$work/err"
is "$?" 1 "full: a failure"
cp "$work/small/data" "$data"
umount "$work/small"
holds "full: the reason is printed" grep -q 'writing .*small/data: No space left on device; make room there' "$work/err"
read -r closing_samples closing_lost < <(sed -n 's/.*data (incomplete): \([0-9]*\) samples, \([0-9]*\) lost.*/\1 \2/p' "$work/err")
# all but the start of the file and the records about tasks and maps, of some KiB, are samples of 56 bytes
holds "full: what fits is kept ($closing_samples samples)" [ "$closing_samples" -gt 700 ]
expect_read full "$closing_samples" "$closing_lost"
finish
