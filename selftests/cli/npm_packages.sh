#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Fetches the packages in npm/package-lock.json into build/npm, unless they are there, and prints that directory.
# Where they come from is the machine's own configuration of npm; nothing is written outside of build/.
set -eu
here=$(cd "$(dirname "$0")" && pwd -P)
packages=${BUILD:-$here/../../build}/npm

command -v npm > /dev/null || { echo "npm is not installed" >&2; exit 1; }
mkdir -p "$packages"
exec 9> "$packages/lock"
flock 9
if ! cmp -s "$here/npm/package-lock.json" "$packages/fetched"; then
	cp "$here/npm/package.json" "$here/npm/package-lock.json" "$packages/"
	(cd "$packages" && npm ci --ignore-scripts --no-audit --no-fund --cache "$packages/cache" > log 2>&1) ||
		{ sed 's/^/npm: /' "$packages/log" >&2; exit 1; }
	cp "$here/npm/package-lock.json" "$packages/fetched"
fi
echo "$packages"
