#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# In the guest, with bp=on and mem=on: mispredicts, cache misses, offcore responses and cycle tests. Prints TAP.
# shellcheck source=selftests/model/accept/tap.sh
. "$(dirname "$0")/tap.sh"
bin=${ACR_BUILD:-build}/workloads

# counts EVENTS PROGRAM ARGUMENTS...: sets the array `n` to the counts.
counts() { mapfile -t n < <(perf stat -x, -e "$1" "${@:2}" 2>&1 > /dev/null | cut -d, -f1); tap_why="$* counts ${n[*]}"; }
between() { [[ $1 =~ ^[0-9]+$ ]] && [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]; }

echo "TAP version 13"
counts branch-misses:u "$bin/branches" 200000
verdict "branches that always go one way are predicted" between "${n[0]}" 0 4000
counts branch-misses:u "$bin/branches" 200000 random
verdict "of random branches about half are not" between "${n[0]}" 80000 120000

# 16 MiB are 262144 lines, sixteen times the core's cache: each pass brings in each line.
counts cache-references:u "$bin/memory" 1 16
one=${n[0]}
counts cache-references:u "$bin/memory" 3 16
tap_why="one pass: $one; three: ${n[0]}"
verdict "each line of a large buffer is a reference in each pass" between $((n[0] - one)) 500000 540000
counts cpu/event=0xb7,umask=2,offcore_rsp=0x10002/u,cpu/event=0xb7,umask=1,offcore_rsp=0x10001/u "$bin/memory" 2 16 store
verdict "stores are requests for ownership" between "${n[0]}" 500000 900000
verdict "stores are not reads" between "${n[1]}" 0 20000
counts cache-misses:u,cache-references:u "$bin/memory" 2 16
verdict "there are no more misses than references" between "${n[0]}" 0 "${n[1]}"

event=cpu/event=0xc0,umask=0
counts "{$event,cmask=1/u,$event,cmask=1,inv/u,cpu/event=0x3c/u,$event,cmask=1,inv,edge/u}" "$bin/loop" 100000
verdict "cycles with and without instructions are all cycles" [ $((n[0] + n[1])) = "${n[2]}" ]
verdict "pauses are fewer than the cycles in them" between "${n[3]}" 1 "${n[1]}"
tap_done
