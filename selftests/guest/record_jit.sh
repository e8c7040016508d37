#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Code made at run time has the names that its process listed, in perf's map or in a jitdump.
# shellcheck source=selftests/guest/record_common.sh
. "$(dirname "$0")/record_common.sh"
echo 0 > /proc/sys/kernel/nmi_watchdog
jit=$ACR_BUILD/workloads/jit

# listed WHERE NAME: a recording of 2 million instructions in code listed in WHERE has its samples in NAME
listed()
{
	local data=$work/$2.data nr

	"$acrctl" record -g -e instructions:u -c 10007 -o "$data" -- "$jit" 1000000 "$1" 2> "$work/err"
	is "$?" 0 "a recording of code listed in $1"
	nr=$("$acrctl" script -i "$data" -F sym 2> /dev/null | grep -cx "$2")
	holds "acrctl script names it, $nr times" test $((nr >= 197 && nr <= 200)) = 1
	is "$("$acrctl" script -i "$data" --json 2> /dev/null | jq "[.samples[] | select(.chain[0].sym == \"$2\")] | length")" "$nr" "in chains, too"
	is "$("$acrctl" report -i "$data" --sort sym 2> /dev/null | grep -c " $2\$")" 1 "acrctl report has one line for it"
}
listed map jit_map_loop
is "$(perf script -i "$work/jit_map_loop.data" -F ip,sym -G 2> /dev/null < /dev/null | grep -c jit_map_loop)" \
	"$("$acrctl" script -i "$work/jit_map_loop.data" -F sym | grep -cx jit_map_loop)" "perf script has as many"
listed "$work" jit_dump_loop
rm -f /tmp/perf-*.map
is "$("$acrctl" script -i "$work/jit_map_loop.data" -F sym | grep -c jit_map_loop)" 0 "without the map there is no name"
finish
