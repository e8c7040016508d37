#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Compares libpfm-style names with libpfm4 itself, as TAP; skips where that is not installed.
# usage: run.sh   BUILD= is where the library was built
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-$PWD/build}

if [ ! -e /usr/include/perfmon/pfmlib.h ]; then
	echo 1..1
	echo "ok 1 # SKIP libpfm4 is not installed (Debian: libpfm4-dev)"
	exit 0
fi
make -s -C selftests/pfm BUILD="$build" >&2
selftests/run/programs.sh "$build/pfm/compare"
