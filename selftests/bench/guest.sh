#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs the guest programs of make bench in the guest of the suite `bench`: one test point for each; check.sh judges their figures.
set -u
# shellcheck source=selftests/bench/lib.sh
. "$(dirname "$0")/lib.sh"

point=0 status=0
eval "$load_module" || exit 1
echo 1..2
for program in pmi switch; do
	point=$((point + 1))
	if "$BUILD/selftests/bench/guest/$program" 2>&1; then
		echo "ok $point - $program is measured"
	else
		echo "not ok $point - $program is measured"
		status=1
	fi
done
exit $status
