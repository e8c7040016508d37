# SPDX-License-Identifier: GPL-2.0-only
# TAP for the guest scripts of the model's acceptance; sourced, never run.
# shellcheck shell=bash

tap_count=0 tap_failed=0

# verdict NAME CONDITION...: one test point; the condition is a command. tap_why explains a failure.
verdict()
{
	local name=$1

	shift
	tap_count=$((tap_count + 1))
	if "$@"; then
		echo "ok $tap_count - $name"
	else
		tap_failed=1
		echo "not ok $tap_count - $name"
		[ -z "${tap_why:-}" ] || sed 's/^/# /' <<< "$tap_why"
	fi
}

# near GOT WANT: within 0.1 %, since a program and perf itself execute some instructions besides.
near() { [[ $1 =~ ^[0-9]+$ ]] && [ $((1000 * ($1 > $2 ? $1 - $2 : $2 - $1))) -le "$2" ]; }

# tap_done: the plan, and the exit status.
tap_done()
{
	echo "1..$tap_count"
	exit "$tap_failed"
}
