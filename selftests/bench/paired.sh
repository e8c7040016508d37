# SPDX-License-Identifier: GPL-2.0-only
# Measuring two commands in turn, for the parts about user space; sourced, never run.
# shellcheck shell=bash

# shellcheck source=selftests/model/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../model/common.sh"
cd "$project" || exit 1

bench=$BUILD/bench
work=$bench/work-$$
runs=${RUNS:-7}
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
# nothing of this user's: no configuration, no cached symbols
export HOME=$work LC_ALL=C PAGER=cat
unset DEBUGINFOD_URLS

# build PROGRAM...: makes what a part runs
build() { make -s -C userspace BUILD="$BUILD" all >&2 && make -s -C selftests/bench/user BUILD="$BUILD" "$@" >&2; }

# both OURS PEER: runs two functions in turn, after one run of each that is not measured; prints a line for each pair, with time and
# memory of both. Each function sets `command`; what is printed is left in $work/ours and $work/peer.
both()
{
	local i side

	for ((i = 0; i <= runs; i++)); do
		rm -f "$work/figures"
		for side in ours peer; do
			if [ $side = ours ]; then "$1"; else "$2"; fi
			# shellcheck disable=SC2154 # the functions set it
			"$bench/run_once" "$work/figures" "${command[@]}" > "$work/$side" 2> "$work/$side.err" ||
				{ tail -n 5 "$work/$side.err" >&2; return 1; }
		done
		[ "$i" = 0 ] || paste -d ' ' - - < "$work/figures"
	done
}

# pairs FILE KEY=VALUE...: prints the figures of a file of pairs
pairs() { python3 selftests/bench/paired.py "${@:2}" < "$1"; }
