#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The kernels' log of a kexec as TAP: sessions were refused with the reason in the last moments of the first kernel.
# usage: kexec_log.sh CONSOLE-LOG
points=0 failed=0

# ok NAME COMMAND...
ok()
{
	local name=$1

	shift
	points=$((points + 1))
	if "$@" > /dev/null; then echo "ok $points - $name"; else echo "not ok $points - $name"; failed=1; fi
}

ok "the first kernel was left from beneath a session" grep -a 'hw_kexec: leaving this kernel' "$1"
ok "another session was then refused because the system restarts" grep -aE 'hw_kexec: reason 45 ' "$1"
ok "two kernels booted" test "$(grep -ac 'run: job starts' "$1")" = 2
echo "1..$points"
exit $failed
