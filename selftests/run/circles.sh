#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Finds circles in the graph of undefined against defined symbols, of functions and of data.
# usage: circles.sh < LINES   each line is "OBJECT NODE": an object file, or ARCHIVE[MEMBER], and the node that it belongs to
# Prints the shortest circle through each node that has one, with a symbol for each arrow; exit status 1 if there is any.
set -euo pipefail

list=$(mktemp)
symbols=$(mktemp)
trap 'rm -f "$list" "$symbols"' EXIT
cat > "$list"
[ -s "$list" ] || { echo "circles.sh: no objects given" >&2; exit 2; }
sed -E 's/(\[[^]]*\])? .*//' "$list" | sort -u | xargs nm -A -P > "$symbols"
awk -f "$(dirname "$0")/circles.awk" "$list" "$symbols"
