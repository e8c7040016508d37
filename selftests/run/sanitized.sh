#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs the tests of acrctl on this machine with one that is built with sanitizers, as TAP; the last point fails if they report anything.
# usage: sanitized.sh [FILE.bats...]   default: all of selftests/cli
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-$PWD/build}
build=$BUILD/sanitized
reports=$build/reports
[ $# -gt 0 ] || set -- selftests/cli/*.bats

rm -rf "$reports"
mkdir -p "$reports"
# for tests that run acrctl as another user
chmod 1777 "$reports"
make -s -j"$(nproc)" -C userspace BUILD="$BUILD" SANITIZE=1 all || exit 1
# what else tests look for in the build directory
for name in kernels npm perf-6.1 root stamps; do
	[ ! -e "$BUILD/$name" ] || ln -sfn "../$name" "$build/$name"
done

# Tests may expect a failure, or drop what was printed: reports go to files.
export ASAN_OPTIONS=log_path=$reports/report UBSAN_OPTIONS=print_stacktrace=1:log_path=$reports/report
BUILD=$build LIMIT_S=${LIMIT_S:-3600} selftests/run/programs.sh "$@"
result=$?

echo 1..1
if [ -z "$(ls "$reports")" ]; then
	echo "ok 1 - the sanitizers report nothing"
else
	echo "not ok 1 - the sanitizers report nothing: see ${reports#"$PWD/"}"
	grep -hE 'ERROR: |runtime error: |SUMMARY: ' "$reports"/* | sed 's/^==[0-9]*==//' | sort | uniq -c | sort -rn | head -n 20 | sed 's/^/# /'
	result=1
fi
exit $result
