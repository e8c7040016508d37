# SPDX-License-Identifier: GPL-2.0-only
# TAP for the tests of the documentation; sourced, never run.
# shellcheck shell=bash

points=0 result=0

# point NAME LINES: passes if LINES is empty, otherwise shows them.
point()
{
	points=$((points + 1))
	if [ -z "$2" ]; then
		echo "ok $points - $1"
	else
		echo "not ok $points - $1"
		sed 's/^/# /' <<< "$2"
		result=1
	fi
}

# skip NAME REASON
skip()
{
	points=$((points + 1))
	echo "ok $points - $1 # SKIP $2"
}

finish()
{
	echo "1..$points"
	exit $result
}
