# SPDX-License-Identifier: GPL-2.0-only
# Many command lines of one program in one process.
# shellcheck shell=bash

# build_each_line DIR: builds what each_line preloads
build_each_line()
{
	export EACH_LINE_SO=$1/each_line.so
	"${CC:-cc}" -shared -fPIC -O1 -o "$EACH_LINE_SO" "$(dirname "${BASH_SOURCE[0]}")/each_line.c"
}

# each_line PROGRAM ARG... < LINES: runs the program once for each line, which replaces the argument {}; no exit status is kept
each_line() { EACH_LINE=/dev/stdin LD_PRELOAD=$EACH_LINE_SO "$@"; }
