#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# make fuzz, as TAP: each fuzzer from its stored inputs, and random histories of shared registers; skips where clang has no libFuzzer.
# usage: run.sh   RUNS= of each fuzzer, default 2000000; SECONDS_EACH= ends one earlier, default 1800; BUILD= is the build directory
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-$PWD/build}
CLANG=${CLANG:-clang}
RUNS=${RUNS:-2000000}
SECONDS_EACH=${SECONDS_EACH:-1800}
fuzzers=(event_parse condition json_events mapfile perfdata jit_list netlink montecito)
out=$BUILD/fuzz
number=0 failed=0
mkdir -p "$out"

has_libfuzzer() { echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' | "$CLANG" -x c -fsanitize=fuzzer -o "$out/probe" - 2> /dev/null; }

if ! has_libfuzzer; then
	echo 1..1
	echo "ok 1 # SKIP no clang with libFuzzer (Debian: clang libclang-rt-dev)"
	exit 0
fi
echo "1..$((${#fuzzers[@]} + 1))"
for name in "${fuzzers[@]}"; do
	number=$((number + 1))
	log=$out/$name.log
	# the corpus of longer runs is left alone
	if make -s -C selftests/fuzz BUILD="$BUILD" CLANG="$CLANG" RUNS="$RUNS" SECONDS_EACH="$SECONDS_EACH" CORPUS="$out/short" "run-$name" \
		> "$log" 2>&1; then
		echo "ok $number - $name: nothing found in $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") runs"
	else
		failed=1
		echo "not ok $number - $name: a finding, or not built"
		tail -n 30 "$log" | sed 's/^/# /'
	fi
	rm -rf "$out/short"
done
log=$out/histories.log
if make -s -C selftests/fuzz BUILD="$BUILD" histories > "$log" 2>&1; then
	echo "ok $((number + 1)) - histories of shared registers: as by brute force"
else
	failed=1
	echo "not ok $((number + 1)) - histories of shared registers: a difference, or not built"
	tail -n 30 "$log" | sed 's/^/# /'
fi
exit $failed
