#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Compares jevents with perf's jevents.py on the same tree, whole processes from start to exit, in turn; at least 20 times as fast.
# usage: jevents.sh   JEVENTS_PY= is tools/perf/pmu-events/jevents.py of a kernel's source (Debian: linux-source-7.2; 6.12 and older lack
#                     fields of newer trees); DATA= the tree, default ../shared/data/linux-pmu-events;
#                     RUNS= of each, default 11; PYTHON= default python3
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-$PWD/build}
DATA=${DATA:-../shared/data/linux-pmu-events}
JEVENTS_PY=${JEVENTS_PY:-$BUILD/kselftest/tools/perf/pmu-events/jevents.py}
RUNS=${RUNS:-11}
PYTHON=${PYTHON:-python3}
least=20
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

skip() { echo "skipped: $*"; exit 4; }

[ -d "$DATA" ] || skip "no event files in $DATA; give DATA=DIR"
[ -e "$JEVENTS_PY" ] || skip "no $JEVENTS_PY; give JEVENTS_PY=FILE, in Debian from the package linux-source-7.2"
command -v "$PYTHON" > /dev/null || skip "$PYTHON is not installed"
[ -x "$BUILD/jevents" ] || skip "no $BUILD/jevents; run make userspace"

# perf's reads all architectures at once, ours one at a time
theirs() { "$PYTHON" "$JEVENTS_PY" all all "$DATA" "$work/theirs.c"; }
ours()
{
	local arch

	for arch in "$DATA"/*/; do
		"$BUILD/jevents" "$arch" "$work/ours.c" 2> "$work/report" || return 1
	done
}

# run FUNCTION: microseconds from start to end
run()
{
	local start=${EPOCHREALTIME/[.,]/}

	"$1" > "$work/output" 2>&1 || return 1
	echo $((${EPOCHREALTIME/[.,]/} - start))
}

median() { sort -n "$1" | sed -n "$((RUNS / 2 + 1))p"; }

# one warm-up of each
run theirs > "$work/warm-up" || skip "$JEVENTS_PY cannot read $DATA: $(tail -n 1 "$work/output")"
run ours > "$work/warm-up" || { cat "$work/report"; exit 1; }
for ((i = 0; i < RUNS; i++)); do
	run theirs >> "$work/theirs" || exit 1
	run ours >> "$work/ours" || exit 1
done
theirs_us=$(median "$work/theirs") ours_us=$(median "$work/ours")
ratio=$((theirs_us * 10 / ours_us))
printf 'jevents.py %d us, jevents %d us (medians of %d runs): %d.%d times as fast, at least %d wanted\n' \
	"$theirs_us" "$ours_us" "$RUNS" $((ratio / 10)) $((ratio % 10)) "$least"
[ "$ratio" -ge $((least * 10)) ]
