#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs test programs one after another as one TAP stream; a program that dies or tests nothing is a failed test point.
# usage: programs.sh PROGRAM|FILE.sh|FILE.bats...   LIMIT_S= ends a program that hangs, default 3600 s; four times that on a debug kernel
# ACR_TRY=NAME[:TEST] leaves out all programs but one, by the name of its file without `_test` and ending, and all but one of its tests
set -u
case ${ACR_KERNEL:-} in *-debug|*-kcsan|*-clang) limit_s=${LIMIT_S:-14400} ;; *) limit_s=${LIMIT_S:-3600} ;; esac

output=$(mktemp)
trap 'rm -f "$output"' EXIT
result=0
# A failure outside the program's own plan.
extra_failure() { printf '1..1\nnot ok 1 - %s\n' "$*"; result=1; }

chosen() { local name=${1##*/}; name=${name%.*}; [ -z "${ACR_TRY:-}" ] || [ "${name%_test}" = "${ACR_TRY%%:*}" ]; }
test=''
case ${ACR_TRY:-} in *:*) test=${ACR_TRY#*:} ;; esac
# of kselftest programs, see only.h
export ACR_TEST=$test
exactly() { printf '^%s$' "$(sed 's/[][\\.*^$+?(){}|]/\\&/g' <<< "$1")"; }

[ $# -gt 0 ] || extra_failure "no test program given"
for program in "$@"; do
	chosen "$program" || continue
	echo "# program: $program"
	if [ ! -e "$program" ]; then
		extra_failure "$program: not found"
		continue
	fi
	case $program in
	*.bats) command=(bats --tap ${test:+--filter "$(exactly "$test")"} "$program") ;;
	*.sh) command=(bash "$program") ;;
	*) command=("$program") ;;
	esac
	begin=$SECONDS
	timeout -k 5 "$limit_s" "${command[@]}" 2>&1 < /dev/null | tee "$output"
	status=${PIPESTATUS[0]}
	echo "# program: $program took $((SECONDS - begin)) s"
	if grep -qE '^not ok\b' "$output"; then
		result=1
	elif [ "$status" = 124 ] || [ "$status" = 137 ]; then
		extra_failure "$program: no end after $limit_s s"
	elif [ "$status" != 0 ] && { [ "$status" != 4 ] || ! grep -qiE '^1\.\.0|# *skip' "$output"; }; then
		extra_failure "$program: exit status $status"
	elif ! grep -qE '^1\.\.[0-9]' "$output"; then
		extra_failure "$program: no test plan"
	fi
done
echo '# program:'
exit $result
