#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Makes tables of userspace/events from the kernel's: facts only, with our own descriptions.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

usage()
{
	cat <<-'END'
	usage: import_events.sh [--out DIR] SOURCE [TABLE]...

	SOURCE is tools/perf/pmu-events/arch/x86 of a kernel's source. Each TABLE, by default all that are made this way, is
	written to DIR/TABLE (default: userspace/events); a file of a topic that SOURCE no longer has is removed.
	Names, codes, masks, counters, periods, MSRs and marks are taken over, descriptions are not: they come from
	userspace/events/descriptions and from the tables written by hand. The mapfile is not touched.
	Needs jq.
	END
}

# units TABLE: the units of SOURCE that it has, as JSON; events of a table for one kind of core have none
units()
{
	case $1 in
	alderlake) echo '["cpu_core"]' ;;
	arrowlake) echo '["cpu_core", "cpu_atom", "cpu_lowpower"]' ;;
	lunarlake | novalake | pantherlake) echo '["cpu_core", "cpu_atom"]' ;;
	*) echo '[null]' ;;
	esac
}

# hand_made: the events of the tables that are written by hand
hand_made()
{
	local table

	for table in goldmont goldmontplus sierraforest grandridge clearwaterforest skymont darkmont; do
		cat "$here/../events/$table"/*.json
	done | jq -s 'add | unique_by(.EventName, .EventCode, .UMask, .MSRIndex, .MSRValue)'
}

descriptions()
{
	grep -v '^#' "$here/../events/descriptions" | jq -nR '[inputs | select(. != "") | split("\t") | {(.[0]): .[1]}] | add'
}

# lines: objects of standard input as an array, one a line
lines() { jq -c . | sed 's/":/": /g; s/,"/, "/g' | sed '1s/^/[\n/; $!s/$/,/; $s/$/\n]/'; }

# import TABLE
import()
{
	local table=$1 file topic to

	mkdir -p "$out/$table"
	for file in "$out/$table"/*.json; do
		[ ! -e "$file" ] || [ -e "$source/$table/$(basename "$file")" ] || rm "$file"
	done
	for file in "$source/$table"/*.json; do
		topic=$(basename -s .json "$file")
		to=$out/$table/$topic.json
		jq --argjson units "$(units "$table")" --slurpfile words "$work/words" --slurpfile tables "$work/tables" \
			'$words[0] as $words | $tables[0] as $tables | '"$filter" "$file" > "$work/events"
		if [ -s "$work/events" ]; then
			lines < "$work/events" > "$to"
		else
			rm -f "$to"
		fi
	done
}

out=$here/../events
case ${1:-} in
-h | --help) usage; exit 0 ;;
--out) out=${2:?}; shift 2 ;;
esac
[ $# -gt 0 ] || { usage >&2; exit 2; }
source=$1
shift
[ -e "$source/mapfile.csv" ] || { echo "import_events.sh: no mapfile.csv in '$source': give tools/perf/pmu-events/arch/x86" >&2; exit 1; }
[ $# -gt 0 ] || set -- skylake skylakex cascadelakex icelake icelakex alderlake alderlaken sapphirerapids graniterapids \
	arrowlake lunarlake novalake pantherlake snowridgex
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
filter=$(< "$here/import_events.jq")
descriptions > "$work/words"
hand_made > "$work/tables"
for table; do
	[ -d "$source/$table" ] || { echo "import_events.sh: no directory '$source/$table'" >&2; exit 1; }
	import "$table"
done
