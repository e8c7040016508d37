#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# acrctl stat --offcore-latency: both events or none, the latency, turns of several requests, refusals.
# shellcheck source=selftests/guest/stat_common.sh
. "$(dirname "$0")/stat_common.sh"
memory=$ACR_BUILD/workloads/memory
export ACRCTL_TSC_HZ=1500000000
passes=4 mib=16
lines=$((passes * mib * 1024 * 1024 / 64))

if [ "$ACR_PROFILE" != goldmont ]; then
	"$acrctl" stat --offcore-latency DMND_DATA_RD -- touch "$work/ran" 2> "$work/err"
	is "$?" 1 "a CPU that cannot measure latency refuses it"
	holds "naming those that have it" grep -q "it needs one of: .*goldmont" "$work/err"
	holds "and runs nothing" [ ! -e "$work/ran" ]
	finish
fi

stat_json --offcore-latency DMND_DATA_RD:u -- "$memory" $passes $mib
is $code 0 "the latency of reads is counted"
holds "each line of the buffer was requested in each pass ($(json '.groups[0].latency[0].responses') of $lines)" \
	so ".groups[0].latency[0].responses >= $lines"
is "$(json '.groups[0]|(.latency[0].cycles * 1e6|round) == (.events[0].value / .events[1].value * 1e6|round)')" true "it is outstanding cycles by responses"
is "$(json '.groups[0]|(.latency[0].ns * 1e3|round) == (.latency[0].cycles * .events[3].value / .events[2].value / 1.5 * 1e3|round)')" true \
	"in ns by the core's own frequency"

# The model's latencies, CACHE_MEMORY_UNITS and CACHE_LLC_UNITS of cache.h. Each CPU has its own caches: the program stays
# on one. The last level holds 16 MiB: a stream of four times that misses it in each pass. The core's cache holds 1 MiB: a
# buffer of 4 MiB, once filled, is always in the last level.
memory_cycles=200 llc_cycles=40
stat_json --offcore-latency DMND_DATA_RD:u -- taskset -c 1 "$memory" 2 64
is $code 0 "the latency of a stream that misses all caches is counted"
holds "it is that of memory ($(json '.groups[0].latency[0].cycles') of $memory_cycles cycles)" \
	so ".groups[0].latency[0].cycles|. > $memory_cycles * 0.95 and . < $memory_cycles * 1.01"
stat_json --offcore-latency DMND_DATA_RD:u -- taskset -c 1 "$memory" 16 4
is $code 0 "the latency of a buffer in the last level is counted"
# the first of 16 passes misses
holds "it is that of the last level ($(json '.groups[0].latency[0].cycles') of $llc_cycles cycles)" \
	so ".groups[0].latency[0].cycles|. > $llc_cycles * 0.99 and . < $llc_cycles * 1.1"

stat_json --offcore-latency DMND_DATA_RD:u,DMND_RFO:u -- "$memory" 20 $mib store
is $code 0 "two types of requests take turns"
is "$(json '[.groups[]|(.latency[0].cycles * 1e6|round) == (.events[0].raw / .events[1].raw * 1e6|round)]')" "[true,true]" \
	"their latencies are ratios of what was counted, not of estimates"
# the two are not read at the same moment
holds "as both need both registers ($(json '[.groups[].running]'))" \
	so '.groups|all(.running > 0) and (map(.running)|add < 1.05)'

stat_json -I 100 --offcore-latency DMND_CODE_RD:u -- sleep 1
is "$(jq -s '[.[]|.groups[0].latency[0]|(.responses == 0) == (.cycles == null)]|all' "$work/json")" true \
	"in an interval without a response there is no latency"

"$acrctl" stat -e cpu/event=0xb7,umask=1,offcore_rsp=0x4000000001/ -- touch "$work/ran" 2> "$work/err"
is "$?" 1 "outstanding requests alone are refused"
"$acrctl" stat -e '{cpu/event=0xb7,umask=1,offcore_rsp=0x4000000001/,cpu/event=0xb7,umask=2,offcore_rsp=0x10002/}' \
	-- touch "$work/ran" 2> "$work/err"
is "$?" 1 "so are responses to other requests"
holds "and nothing ran" [ ! -e "$work/ran" ]
finish
