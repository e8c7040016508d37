# SPDX-License-Identifier: GPL-2.0-only
# Rows of events in a test, as jevents makes them and as jq works them out; source it with BUILD and a private directory $work set.
# shellcheck shell=bash disable=SC2034,SC2154 # the tests use and set these

# make_tables NAME DIR: $work/NAME.rows from DIR by jevents; $left_out and $events from its last line.
make_tables()
{
	local line

	tap_why=$("$BUILD/jevents" "$2" "$work/$1.c" 2>&1)
	line=$(tail -n 1 <<< "$tap_why")
	events=$(sed -n 's/.* \([0-9]*\) events in .*/\1/p' <<< "$line")
	left_out=$(sed -n 's/.* \([0-9]*\) left out.*/\1/p' <<< "$line")
	reported=$(grep -c 'left out (note)' <<< "$(grep -v Filename <<< "$tap_why")")
	tap_why+=$(${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -Iuserspace/lib -o "$work/$1" selftests/gen/dump_tables.c \
		userspace/lib/event_table.c "$work/$1.c" 2>&1) &&
		"$work/$1" | LC_ALL=C sort > "$work/$1.rows"
}

# work_out TABLE PMU WHOLE FILE: rows of FILE by jq
work_out()
{
	jq -r --arg table "$1" --arg pmu "$2" --arg whole "$3" --arg topic "$(basename -s .json "$4")" \
		-f selftests/gen/events.jq "$4"
}
