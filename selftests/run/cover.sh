# SPDX-License-Identifier: GPL-2.0-only
# `make cover`: which lines of the module the guests of a run have run; sourced.
# shellcheck shell=bash disable=SC2154 # variables of check.sh

# Suites that load no module, and long ones that only repeat what others do
not_covering='model-.*|bench|fleet|tutorial|top|abi-stall|hw_(crowd|cycles|many|host|kcov)'

# covers BOOT: whether the suite that is loaded has this boot, KERNEL/PROFILE, in such a run. Of several kernels the last one has all
# suites, the others those of what differs there.
covers()
{
	[ "$1" != host ] && [[ ! ${suite_file##*/} =~ ^($not_covering)$ ]] || return 1
	[ -n "$kernel_max" ] || [ "${1%/*}" = "$(kernel_name "${kernels##* }")" ]
}

# covering_suites SUITE...: prints those that run in guests.
covering_suites()
{
	local suite

	for suite; do
		load_suite "selftests/suites/$suite"
		[ -z "$guest" ] || [[ $suite =~ ^($not_covering)$ ]] || echo "$suite"
	done
}

# count_cover: adds the result `cover` and prints the table, which is judged unless suites were named.
count_cover()
{
	local begin=$SECONDS boot kernel judge=1 unread=''

	[ -z "$named" ] || judge=''
	while IFS=$'\t' read -r boot _ kernel _; do
		"$BUILD/cover/lines" "$BUILD/kernels/$(kernel_name "$kernel")/acrpmu.ko" "$BUILD/run/$boot/model.jsonl" || unread+=" $boot"
	done < "$results/jobs" > "$results/cover.lines" 2> "$results/cover.err"
	awk -v reasons=selftests/cover/reasons -v judge=$judge -f selftests/cover/table.awk "$results/cover.lines" > "$results/cover.tap"
	grep -vE '^(not )?ok |^1\.\.' "$results/cover.tap"
	[ -z "$judge" ] || count cover $((SECONDS - begin))
	[ -z "$unread" ] || die "the logs of these boots could not be read, see build/check/cover.err:$unread"
}
