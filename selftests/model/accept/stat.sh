#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# In the guest: in-tree perf counts known loops on the model. Prints TAP.
# shellcheck source=selftests/model/accept/tap.sh
. "$(dirname "$0")/tap.sh"
bin=${ACR_BUILD:-build}/workloads
small=1000000 large=9000000
fixed=instructions:u,branches:u
# Event codes instead of names put the same events on general-purpose counters.
general='cpu/event=0xc0,umask=0/u,cpu/event=0xc4,umask=0/u'

# counts EVENTS N: prints the counts of `loop N`, one a line.
counts() { perf stat -x, -e "$1" "$bin/loop" "$2" 2>&1 > /dev/null | cut -d, -f1; }

echo "TAP version 13"
for events in "$fixed" "$general"; do
	mapfile -t a < <(counts "$events" "$small")
	mapfile -t b < <(counts "$events" "$large")
	tap_why="counts for $small: ${a[*]}; for $large: ${b[*]}"
	verdict "$events: 6 instructions an iteration, within 0.1 %" near $((b[0] - a[0])) $((6 * (large - small)))
	verdict "$events: 1 branch an iteration, within 0.1 %" near $((b[1] - a[1])) $((large - small))
done

mapfile -t a < <(counts cycles:u,ref-cycles:u "$small")
mapfile -t b < <(counts cycles:u,ref-cycles:u "$large")
tap_why="counts for $small: ${a[*]}; for $large: ${b[*]}"
# The loop takes five register operations and a branch: 14 eighths of a cycle; reference cycles run at three quarters.
verdict "14 eighths of a core cycle an iteration" near $((b[0] - a[0])) $(((large - small) * 14 / 8))
verdict "3 reference cycles in 4 core cycles" near $((b[1] - a[1])) $(((large - small) * 14 / 8 * 3 / 4))

mapfile -t a < <(counts instructions:u,instructions:k,instructions "$large")
tap_why="user, kernel, both: ${a[*]}"
verdict "user and kernel instructions add up" near $((a[0] + a[1])) "${a[2]}"

# On one CPU: perf has an event on each, where the program may leave the rest of a period.
taskset -c 0 perf record -q -o /tmp/perf.data -e instructions:u -c 100000 "$bin/loop" "$large" > /tmp/record 2>&1
samples=$(perf script -i /tmp/perf.data -F ip,sym 2> /dev/null | grep -c .)
tap_why="$samples samples; $(tail -n 3 /tmp/record)"
verdict "one sample for each period of 100000" near "$samples" $((6 * large / 100000))
tap_done
