#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Checks that the model's log of a boot is complete and agrees with its totals. Prints TAP.
# usage: check-log.sh [RUN-DIR]   default: $ACR_RUN; selftests/run/check.sh checks faulting accesses
set -u

here=$(cd "$(dirname "$0")" && pwd -P)
log=${1:-${ACR_RUN:?directory of the boot}}/model.jsonl
point=0 result=0

# verdict STATUS NAME: one test point; standard input explains a failure.
verdict()
{
	point=$((point + 1))
	if [ "$1" = 0 ]; then
		echo "ok $point - $2"
	else
		result=1
		echo "not ok $point - $2"
		head -n 20 | sed 's/^/# /'
	fi
}

echo "TAP version 13"
echo "1..4"

complete()
{
	local last lines

	last=$(tail -n 1 "$log")
	lines=$(($(wc -l < "$log") - 1))
	[ "$last" = "{\"t\":\"end\",\"lines\":$lines}" ] || echo "last of $((lines + 1)) lines: $last"
}
why=$(complete 2>&1)
[ -z "$why" ] && status=0 || status=1
verdict "$status" "the log is complete" <<< "$why"

why=$(grep -vE '^\{"t":"(start|reset|msr|viol|ovf|pmi|win|mark|code|call|block|final|end)"[^{}]*(\{[^{}]*\}[^{}]*)*\}$' "$log")
[ -z "$why" ] && status=0 || status=1
verdict "$status" "each line is an object of a known type" <<< "$why"

# Compare the single lines with the totals in the last line of each CPU.
why=$(awk -f "$here/check-log.awk" "$log")
grep -v '^pmi' <<< "$why" | grep -q . && status=1 || status=0
verdict "$status" "totals agree with the single lines" <<< "$why"
grep -q '^pmi' <<< "$why" && status=1 || status=0
verdict "$status" "each PMI was delivered and taken, or lost to a masked LVT entry" <<< "$why"
exit $result
