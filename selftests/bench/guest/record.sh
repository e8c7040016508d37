#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# In the guest of the part `record`: records `true` by acrctl and by perf, with the kernel's symbols shown and then hidden.
# The kernel's symbols go to $ACR_OUT/kallsyms; each run prints a line of guest/code.c with the tag 10 * case + run: cases are
# 1 acrctl, 2 perf, 3 acrctl with symbols hidden, 4 perf likewise; runs count from 0, before which everything is read from a disk.
set -eu

runs=3
cat /proc/kallsyms > "$ACR_OUT/kallsyms"
timer=$(awk '$3 == "hrtimer_interrupt" { print $1 }' "$ACR_OUT/kallsyms")
code=$ACR_BUILD/selftests/bench/guest/code
perf=$(command -v perf)

# into_memory FILE...: the root is another machine's disk, each open of which asks that machine; copies of files are the guest's own
into_memory()
{
	local file

	for file; do
		file=$(readlink -f "$file")
		cp -p "$file" "$file.new"
		mv "$file.new" "$file"
	done
}

# record CASE LAST COMMAND...: runs 0 to LAST
record()
{
	local run

	for ((run = 0; run <= $2; run++)); do
		"$code" $((10 * $1 + run)) "$timer" "${@:3}" -o /tmp/data -- true 2> /tmp/errors || { cat /tmp/errors; exit 1; }
	done
}

cp "$ACR_BUILD/acrctl" /usr/local/bin/acrctl
# shellcheck disable=SC2046 # a list of files
into_memory "$(type -P true)" "$perf" $(ldd /usr/local/bin/acrctl "$perf" | grep -o '/[^ :]*' | sort -u)
cd /tmp
for hidden in 0 2; do
	echo $hidden > /proc/sys/kernel/kptr_restrict
	record $((1 + hidden)) $runs acrctl record -q
	record $((2 + hidden)) 1 perf record -q -e cycles:u
done
