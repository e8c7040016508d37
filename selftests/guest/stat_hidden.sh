#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# acrctl under a hypervisor that hides OFFCORE_RSP_1: info reports it, stat names the events it cannot count and counts the rest.
# shellcheck source=selftests/guest/stat_common.sh
. "$(dirname "$0")/stat_common.sh"
memory=$ACR_BUILD/workloads/memory
hidden='MSR 0x1a7, .*, event 0x02b7, does not answer: a hypervisor hides it$'

"$acrctl" info > "$work/out"
is "$(grep -c "$hidden" "$work/out")" 1 "info names the hidden register"
is "$("$acrctl" info --json | jq -c '[.module.cpus[0].extra_regs[]|[.msr,.hidden]]')" '[["0x1a6",false],["0x1a7",true]]' "and so does its JSON"

"$acrctl" stat --offcore-latency DMND_DATA_RD -- touch "$work/ran" 2> "$work/err"
is "$?" 1 "latency, which needs both registers, is refused"
holds "with the register and the reason ($(< "$work/err"))" grep -q '0x1a7.*hides' "$work/err"
holds "and nothing ran" [ ! -e "$work/ran" ]

# 4 passes over 16 MiB
lines=$((4 * 16 * 1024 * 1024 / 64))
stat_json -e cpu/event=0xb7,umask=2,offcore_rsp=0x10001/u -- "$memory" 4 16
is $code 0 "an event of the hidden register is counted by the other"
holds "rightly ($(values)of $lines)" so ".groups[0].events[0].value|. >= $lines * 0.99 and . < $lines * 1.2"
stat_json -e cpu/event=0xb7,umask=1,offcore_rsp=0x10001/u -e cpu/event=0xb7,umask=2,offcore_rsp=0x10002/u -- "$memory" 8 16 store
is $code 0 "two values take turns on the only register"
is "$(json '[.groups[]|.scaled and .counted]')" "[true,true]" "both are counted, as estimates"
finish
