#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# In the guest of the part `profile`: samples programs by acrctl and by perf while the model counts where their instructions go.
# For the Nth run: N in the log of the model, and in $ACR_OUT N.samples with a period and an address on each line, N.maps as perf
# script prints them; a line "profile N TOOL PROGRAM" here.
set -euo pipefail

period=2000
code=$ACR_BUILD/selftests/bench/guest/code
run=0
cp "$ACR_BUILD/acrctl" /usr/local/bin/acrctl
cd /tmp
awk 'BEGIN { srand(7); for (i = 0; i < 6000; i++) printf "%d %s%x %.6f\n", i % 97, "key", rand() * 1e6, rand() * 1000 }' > text

# the same addresses in each run; the CPU on which the program runs
program=(taskset -c 1 setarch -R)

# Neither tool is to hold back.
echo 0 > /proc/sys/kernel/perf_cpu_time_max_percent

# sample NAME COMMAND...: both tools, one after the other
sample()
{
	local name=$1 tool

	shift
	for tool in acrctl perf; do
		"$code" "$run" user taskset -c 0 "$tool" record -q -c "$period" -e instructions:u -o data -- "${program[@]}" "$@" \
			> out 2> errors || { cat out errors; exit 1; }
		perf script -i data -F ip,period 2> /dev/null | awk 'NF == 2 { print $1, $2 }' > "$ACR_OUT/$run.samples"
		perf script -i data -F comm --show-mmap-events 2> /dev/null | grep MMAP > "$ACR_OUT/$run.maps"
		echo "profile $run $tool $name"
		run=$((run + 1))
	done
}

sample 'loop of 64 functions' "$ACR_BUILD/selftests/bench/guest/loop" 25000
sample 'openssl speed' openssl speed -seconds 1 -bytes 1024 sha256
sample gzip gzip -kf text
sample sort sort -k2 text
sample grep grep -cE '(key[0-9a-f]*)+ .*9[0-4]+$' text
# shellcheck disable=SC2016 # expanded by mawk
sample mawk mawk '{ n[$1 % 7] += length($2) * $3 } END { for (i in n) print n[i] }' text
# shellcheck disable=SC2016 # expanded by perl
sample perl perl -ne '$n{$1} += $2 if /(key..)\S* ([\d.]+)/; END { print scalar keys %n }' text
sample jq jq -R 'split(" ")[1] | length' text
