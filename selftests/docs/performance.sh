#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Tests that Documentation/performance.rst has a table of each part of make bench, and the limits of selftests/bench/limits, as TAP.
set -u
# shellcheck source=selftests/docs/point.sh
. "$(dirname "$0")/point.sh"
cd "$(dirname "$0")/../.." || exit 1

parts=$(basename -a -s .sh selftests/bench/parts/*.sh)
point "make bench has parts" "$([ -n "$parts" ] || echo "none in selftests/bench/parts")"
point "performance.rst has the tables of all parts, and their limits" \
	"$(selftests/bench/report.py --check-doc Documentation/performance.rst --parts "$parts" 2>&1)"
finish
