#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The example that marks regions of its code: only they are counted, to the instruction, however deep they nest.
# shellcheck source=selftests/guest/stat_common.sh
. "$(dirname "$0")/stat_common.sh"
region=$ACR_BUILD/examples/region

# Not the first run, whose page faults and interrupts differ; both on one CPU.
"$region" > "$work/first"
taskset -c 0 "$region" > "$work/out"
is "$?" 0 "the example runs"
read -r all marked < <(awk '{ print $(NF - 1) }' "$work/out" | xargs)
# 4 of 4 parts of each round, and 2 of them in regions. What the marks add is far below a thousandth.
holds "half of the instructions are in regions ($marked of $all)" [ $((all - 2 * marked)) -le $((all / 1000)) ]
holds "  not more" [ $((2 * marked - all)) -le $((all / 1000)) ]
is "$marked" "$(taskset -c 1 "$region" | awk '/regions/ { print $(NF - 1) }')" "the same on another CPU"
finish
