#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Time and memory of 'acrctl report' against 'perf report --stdio', on recordings of a million samples, without and with call chains.
# usage: report.sh   SAMPLES= in a recording; RUNS= of each
set -euo pipefail
# shellcheck source=selftests/bench/paired.sh
. "$(dirname "$0")/../paired.sh"

samples=${SAMPLES:-1000000}
root_command /usr/bin/perf

# table FILE: how many samples each program and function has, of what acrctl or perf has printed
table()
{
	# perf has two lines for two functions of one name
	sed -nE 's/^ +[0-9.]+% +([0-9]+)  ([^ ]+) +([^ ]+) +\[(.)\] ([^ ]+) *$/\1 \2 \3 \4 \5/p' "$1" |
		awk '{ all[$2 " " $3 " " $4 " " $5] += $1 } END { for (name in all) print all[name], name }' | sort
}

# same_work: both have printed all samples, under the same names
same_work()
{
	table "$work/ours" > "$work/ours.table"
	table "$work/peer" > "$work/peer.table"
	if [ "$(awk '{ all += $1 } END { print all }' "$work/ours.table")" != "$samples" ]; then
		echo 'report.sh: acrctl did not print all samples' >&2
		return 1
	fi
	cmp "$work/ours.table" "$work/peer.table" >&2
}

# compare KIND NAME OURS PEER: options of both reports of a recording
compare()
{
	local file=$bench/$1.data ours_options peer_options

	read -ra ours_options <<< "$3"
	read -ra peer_options <<< "$4"
	ours() { command=("$BUILD/acrctl" report "${ours_options[@]}" -i "$file"); }
	peer() { command=("${root_cmd[@]}" report --stdio -n "${peer_options[@]}" -i "$file"); }
	both ours peer > "$work/pairs"
	# without --no-children perf counts the samples of a function for its callers, too
	case $4 in *'--no-children'*|'') same_work ;; esac
	pairs "$work/pairs" part=report name="$2" memory_name="$2: memory" peer_name="perf report --stdio${4:+ $4}"
}

build make_recording run_once
[ -x "${root_cmd[-1]}" ] || die "no ${root_cmd[-1]}: run selftests/model/setup.sh"
# with the names of functions, but without debug information, in which only perf would look for source lines
objcopy --strip-debug "$BUILD/acrctl" "$bench/program"
for kind in flat chains; do
	"$bench/make_recording" "$bench/$kind.data" "$bench/program" "$samples" $kind
done
compare flat 'no call chains' '' ''
compare chains 'call chains' '-g' '-g'
compare chains 'call chains, of callers alone' '-g' '-g --no-children'
rm -f "$bench"/{flat,chains}.data
