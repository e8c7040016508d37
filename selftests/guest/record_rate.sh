#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# acrctl record -F: periods change while a program runs, all of them together, and their ratio never.
# shellcheck source=selftests/guest/record_common.sh
. "$(dirname "$0")/record_common.sh"
echo 0 > /proc/sys/kernel/nmi_watchdog
# without a slow phase
taskset -c 1 "$phases" 1000000000 0 &
runner=$!

# the first pair of periods, and the smallest k
first="200000 100000" smallest=500

# record_at HZ NR OPTION...: records until the periods have changed NR times; the pairs of periods go to $work/pairs
record_at()
{
	local pid

	"$acrctl" record -v -F "$1" "${@:3}" --when 'instructions:u / cycles:u > 2' -o "$work/rate.data" -p $runner 2> "$work/err" &
	pid=$!
	wait_until eval "[ \"\$(grep -c ': k = ' '$work/err')\" -ge $2 ]"
	kill -INT $pid
	wait $pid
	echo "$first" > "$work/pairs"
	sed -nE 's/.*: k = [0-9]+, periods ([0-9]+), ([0-9]+)$/\1 \2/p' "$work/err" >> "$work/pairs"
	"$acrctl" script -i "$work/rate.data" -F period,sym > "$work/samples" 2> /dev/null
}

# exact NAME: the pairs have the ratio
exact()
{
	is "$(awk -v k="$smallest" '$1 != 2 * $2 || $2 < k || $1 > 2147483647' "$work/pairs")" "" "$1: each pair of periods has the exact ratio, in bounds"
}

# good NAME: so they have, and samples have periods of pairs, in the only phase
good()
{
	exact "$1"
	awk 'NR == FNR { known[$1] = 1; next } !known[$1] || $2 != "phase_fast"' "$work/pairs" "$work/samples" | head > "$work/odd"
	is "$(cat "$work/odd")" "" "$1: each sample has the first period of a pair"
	holds "$1: the closing line has the range of k" \
		grep -qE "samples a second came of [0-9]+ .*; k was [0-9]+ to [0-9]+, of $smallest to 1073741823 " "$work/err"
	is "$(grep -c 'each sample ends a window of its period' "$work/err")" 1 "$1: and what a sample means"
}

record_at 1 1
good "too many samples"
holds "too many samples: windows become longer" [ "$(tail -n 1 "$work/pairs" | cut -d' ' -f1)" -gt 200000 ]
record_at 1000000 3
good "too few samples"
holds "too few samples: there are samples of several pairs" [ "$(awk '{ print $1 }' "$work/samples" | sort -u | wc -l)" -gt 1 ]
is "$(sed -n 2,4p "$work/pairs" | xargs)" "100000 50000 50000 25000 25000 12500" "too few samples: windows become shorter by halves"
# Longer windows, each of which ends with an interrupt, so that no period may be smaller than that of a sample.
first="2000000 1000000" smallest=1000
record_at 1000000 3 --acr=software --jitter=0
exact "in software"
holds "in software: it was" grep -q '(reload in software, ' "$work/err"
is "$(sed -n 2p "$work/pairs")" "1000000 500000" "in software: windows become shorter by halves"
holds "in software: there are samples of several pairs" [ "$(awk '{ print $1 }' "$work/samples" | sort -u | wc -l)" -gt 1 ]
kill $runner
finish
