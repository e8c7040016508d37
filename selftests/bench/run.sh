#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs the parts of make bench, each beside its peers, and writes the report; fails where a limit is missed or a figure is missing.
# usage: run.sh [--write-doc] [PART...]   PART: a script in parts/, default all; --write-doc puts the tables into Documentation/
# KERNELS="6.1 newest" chooses kernels, RUNS=N the paired runs of each time
set -u
# shellcheck source=selftests/bench/lib.sh
. "$(dirname "$0")/lib.sh"
export LC_ALL=C.UTF-8
unset LANGUAGE
export BUILD KERNELS="${KERNELS:-6.1 newest}"

out=$BUILD/bench
part_limit_s=600
doc=()
failed=()

build()
{
	local kernel

	make -j"$(nproc)" userspace && make -j"$(nproc)" selftests || return 1
	for kernel in $kernels; do
		make -j"$(nproc)" "module-$kernel" || return 1
	done
}

# run_part NAME: its lines go to figures.jsonl and to NAME.jsonl, the rest to NAME.log.
run_part()
{
	local begin=$SECONDS

	if ! timeout -k 5 "$part_limit_s" "selftests/bench/parts/$1.sh" > "$out/$1.jsonl" 2> "$out/$1.log" < /dev/null; then
		failed+=("$1")
		tail -n 10 "$out/$1.log" | sed "s/^/$1: /" >&2
	fi
	cat "$out/$1.jsonl" >> "$out/figures.jsonl"
	printf '%-12s %4d lines %5d s\n' "$1" "$(wc -l < "$out/$1.jsonl")" $((SECONDS - begin))
}

[ "${1:-}" != --write-doc ] || { doc=(--doc Documentation/performance.rst); shift; }
parts=("$@")
[ $# -gt 0 ] || mapfile -t parts < <(basename -a -s .sh selftests/bench/parts/*.sh)
for part in "${parts[@]}"; do
	[ -x "selftests/bench/parts/$part.sh" ] || die "no part '$part' in selftests/bench/parts"
done
selftests/model/setup.sh --for bench --kernels "$KERNELS" || exit 1
kernels=$(bench_kernels) || exit 1
rm -rf "$out"
mkdir -p "$out"
build > "$out/build.log" 2>&1 < /dev/null || { tail -n 15 "$out/build.log" >&2; die "the build failed, see $out/build.log"; }
: > "$out/figures.jsonl"
SECONDS=0
for part in "${parts[@]}"; do run_part "$part"; done
selftests/bench/report.py "$out/figures.jsonl" --parts "${parts[*]}" --failed "${failed[*]}" --kernels "$kernels" --out "$out" \
	--seconds $SECONDS "${doc[@]}"
