#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Measures names of events: the first look-up of one (below 50 us), acrctl's start against 'perf list' (10 times faster), the tables' size.
# usage: names.sh   BUILD=DIR; prints TAP; PERF=PROGRAM is another perf
set -u
cd "$(dirname "$0")/../.." || exit 1

BUILD=${BUILD:-$PWD/build}
limit_us=50
times_faster=10
starts=41
points=0
failed=0

# point GOOD NAME: one line of TAP
point()
{
	points=$((points + 1))
	if [ "$1" = 0 ]; then echo "ok $points - $2"; else echo "not ok $points - $2"; failed=1; fi
}

skip() { points=$((points + 1)); echo "ok $points # SKIP $1"; }

# less A B: A < B, of numbers with a point
less() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }'; }

# median: of the numbers on standard input
median() { sort -g | awk '{ n[NR] = $1 } END { print n[int((NR + 1) / 2)] }'; }

# start_us COMMAND...: run time in microseconds, the median of several starts
start_us()
{
	local i before

	for ((i = 0; i < starts; i++)); do
		before=$EPOCHREALTIME
		"$@" > /dev/null 2>&1 < /dev/null
		awk -v a="${before/,/.}" -v b="${EPOCHREALTIME/,/.}" 'BEGIN { printf "%.0f\n", (b - a) * 1e6 }'
	done | median
}

# find_perf: a perf that runs here: $PERF, the host's, or that of the tests' Debian root
find_perf()
{
	local perf

	for perf in ${PERF:+"$PERF"} perf "$BUILD/root/usr/bin/perf"; do
		if command -v "$perf" > /dev/null && "$perf" list cycles > /dev/null 2>&1 < /dev/null; then
			echo "$perf"
			return
		fi
	done
	return 1
}

look_ups()
{
	local cpuid name times

	if ! "${CC:-cc}" -O2 -o "$BUILD/name_lookup" selftests/bench/name_lookup.c "$BUILD/libacrpmu.a" -ljson-c -lnl-genl-3 -lnl-3; then
		point 1 'the look-up is built'
		return
	fi
	while read -r cpuid name; do
		times=$(for ((i = 0; i < starts; i++)); do "$BUILD/name_lookup" "$cpuid" "$name" || echo 'x x x x'; done)
		echo "# $cpuid $name: opening $(cut -d' ' -f1 <<< "$times" | median) us," \
			"first look-up $(cut -d' ' -f2 <<< "$times" | median) us, further ones $(cut -d' ' -f3 <<< "$times" | median) us"
		less "$(cut -d' ' -f2 <<< "$times" | median)" $limit_us
		point $? "$name on $cpuid is found in less than $limit_us us after the start"
		[ "$(cut -d' ' -f4 <<< "$times" | sort -u)" = 0 ]
		point $? "... and further look-ups take no memory"
	done <<-END
		GenuineIntel-6-DD-0 BR_MISP_RETIRED.ALL_BRANCHES
		GenuineIntel-6-5C-9 BR_MISP_RETIRED.ALL_BRANCHES
		GenuineIntel-6-5C-9 LLC-load-misses
		GenuineIntel-6-DD-0 cycles
	END
}

against_perf()
{
	local perf own theirs

	if ! perf=$(find_perf); then
		skip 'no perf runs on this machine'
		return
	fi
	own=$(start_us "$BUILD/acrctl" encode -e cycles)
	theirs=$(start_us "$perf" list cycles)
	echo "# acrctl encode -e cycles: $own us; $perf list cycles: $theirs us"
	less $((times_faster * own)) "$theirs"
	point $? "acrctl starts at least $times_faster times faster than perf lists a name"
}

# writable_sections OBJECT: bytes of its .data and .bss; .data.rel.ro is read-only once the program is linked
writable_sections()
{
	local size total=0

	for size in $(objdump -h "$1" | awk '$2 ~ /^\.(data|bss)/ && $2 !~ /^\.data\.rel\.ro/ { print $3 }'); do
		total=$((total + 0x$size))
	done
	echo "$total"
}

table_size()
{
	local object=$BUILD/userspace/event_tables.o writable

	if [ ! -e "$object" ] || ! command -v size > /dev/null || ! command -v objdump > /dev/null; then
		skip 'the object file of the tables, size(1) or objdump(1) is not there'
		return
	fi
	writable=$(writable_sections "$object")
	echo "# tables: $(size "$object" | awk 'NR == 2 { print $1 " bytes read-only, " $2 " with relocations" }'), $writable writable"
	[ "$writable" = 0 ]
	point $? 'the tables have no writable part'
}

look_ups
against_perf
table_size
echo "1..$points"
exit $failed
