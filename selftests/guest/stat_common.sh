#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Shared by the guest's tests of acrctl stat, in addition to record_common.sh: JSON of a run, values in it.
# shellcheck source=selftests/guest/record_common.sh
. "$(dirname "$0")/record_common.sh"
# shellcheck disable=SC2034 # for the tests
loop=$ACR_BUILD/workloads/loop
echo 0 > /proc/sys/kernel/nmi_watchdog

# Addresses are fixed, and with them the number of instructions at start-up.
# stat_json ARGUMENTS...: into $work/json; sets code
stat_json()
{
	setarch -R "$acrctl" stat -j -o "$work/json" "$@" 2> "$work/err" > "$work/out"
	code=$?
	[ $code = 0 ] || sed 's/^/# /' "$work/err"
}

# json PATH: the value at a path of jq, in one line
json() { jq -rc "$1" "$work/json"; }

# so EXPRESSION: whether it is true for the JSON; for several blocks, for the array of them
so() { jq -e -s "(if length == 1 then .[0] else . end)|$1" "$work/json" > /dev/null; }

# values: those of all events of the only block
values() { json '.groups[].events[].value' | tr '\n' ' '; }
