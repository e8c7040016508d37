#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The built-in tables that are made from the kernel's event files hold what an independent reading of those files gives.
# usage: own_tables.sh   DATA= is tools/perf/pmu-events/arch of a kernel, default ../shared/data/linux-pmu-events; a table that the
#                        kernel has in another version is skipped
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/model/accept/tap.sh
. selftests/model/accept/tap.sh
# shellcheck source=selftests/gen/rows.sh
. selftests/gen/rows.sh
BUILD=${BUILD:-$PWD/build}
DATA=${DATA:-../shared/data/linux-pmu-events}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[ -d "$DATA/x86" ] || { echo "1..0 # SKIP no event files in $DATA"; exit 0; }
command -v jq > /dev/null || { echo "1..0 # SKIP jq is not installed"; exit 0; }

# version MAPFILE TABLE: the version of its list
version() { awk -F, -v table="$2" '$3 == table { print $2; exit }' "$1"; }

# wanted TABLE: rows by jq of the cores that the table is for; a table for one kind of core is for any PMU
wanted()
{
	local file

	for file in "$DATA/x86/$1"/*.json; do
		work_out "$1" cpu 0 "$file"
	done | awk -F'\t' -v OFS='\t' -v table="$1" '
		table == "alderlake" { if ($3 != "cpu_core") next; $3 = "cpu" }
		$3 ~ /^uncore_/ { next }
		# the list lost the upper byte of its unit mask
		table ~ /^(pantherlake|novalake)$/ && $2 == "UOPS_RETIRED.X87" && $5 == 194 { $5 = "1099511627970"; $7 = 256 }
		{ print }' | LC_ALL=C sort
}

same_rows()
{
	wanted "$1" > "$work/want"
	awk -F'\t' -v table="$1" '$1 == table' "$work/own.rows" > "$work/got"
	tap_why=$(diff "$work/want" "$work/got" | head -n 20)
	[ -s "$work/want" ] && [ -z "$tap_why" ]
}

# same_core CPUID CORE_TYPE PMU LIST: a core's own table is what the list has for it; periods may be of a newer list
same_core()
{
	local file table fields='{ print $2, $5, $8, $9, $11, $12 }'

	table=$("$work/own" "$1" "$2")
	for file in "$DATA/x86/$4"/*.json; do
		work_out "$4" cpu 0 "$file"
	done | awk -F'\t' -v pmu="$3" '$3 == pmu '"$fields" | without_differences "$table" | LC_ALL=C sort > "$work/want"
	awk -F'\t' -v table="$table" -v pmu="$3" '$1 == table && ($3 == pmu || $3 == "cpu") '"$fields" "$work/own.rows" |
		without_differences "$table" | LC_ALL=C sort > "$work/got"
	tap_why="table '$table': $(diff "$work/want" "$work/got" | head -n 20)"
	[ -s "$work/want" ] && cmp -s "$work/want" "$work/got"
}

# without_differences TABLE: less what Documentation/events.rst lists as different in the kernel's list and Intel's
without_differences()
{
	case $1 in
	skymont) grep -vE '^(BR_INST_RETIRED\.TAKEN|MACHINE_CLEARS\.FPC_VIRTUAL_TRAP) ' ;;
	darkmont | novalake) grep -v '^UOPS_RETIRED\.X87 ' ;;
	*) cat ;;
	esac
}

# Marked are load latencies, samples of stores, precise distributions, and what the list marks.
same_marks()
{
	jq -r 'arrays | .[] | select(.EventName and (.Unit // "cpu_core" | startswith("cpu_"))) |
		select(.PEBS == "2" or (.MSRIndex // "" | ascii_downcase) == "0x3f6" or
			(.EventName | endswith(".STORE_SAMPLE") or endswith(".PREC_DIST"))) | .EventName' \
		"$DATA/x86/$1"/*.json | LC_ALL=C sort -u > "$work/want"
	jq -r '.[] | select(.PEBS == "2") | .EventName' "userspace/events/$1"/*.json | LC_ALL=C sort -u > "$work/got"
	[ "$1" != alderlake ] || sed -i '/^MEM_UOPS_RETIRED/d' "$work/want"
	tap_why=$(diff "$work/want" "$work/got" | head -n 20)
	# Snow Ridge can only sample precisely, never has to
	{ [ -s "$work/want" ] || [ "$1" = snowridgex ]; } && [ -z "$tap_why" ]
}

made_again()
{
	userspace/gen/import_events.sh --out "$work/again" "$DATA/x86" "$1" 2> "$work/errors"
	tap_why=$(cat "$work/errors"; diff -r "$work/again/$1" "userspace/events/$1" | head -n 20)
	[ -z "$tap_why" ]
}

# sentences: descriptions of JSON files, without case, blanks and stops, in order; those of one or two words say nothing
sentences()
{
	jq -rs '[.[] | arrays | .[] | .BriefDescription, .PublicDescription | strings | select(test(" .* "))] |
		map(ascii_downcase | gsub("[^a-z0-9]"; "")) | unique[]' "$@"
}

own_words()
{
	tap_why=$(LC_ALL=C comm -12 "$work/theirs" <(sentences "userspace/events/$1"/*.json | LC_ALL=C sort))
	[ -s "$work/theirs" ] && [ -z "$tap_why" ]
}

# The names that the script looks for, and those that events have.
described()
{
	local nr

	grep -vE '^(#|$)' userspace/events/descriptions | grep -P '^[^\t ]+\t.* ' | cut -f 1 | LC_ALL=C sort -u > "$work/described"
	nr=$(wc -l < "$work/described")
	tap_why="$nr descriptions; without an event: $(LC_ALL=C comm -23 "$work/described" <(cut -f 2 "$work/own.rows" | LC_ALL=C sort -u))"
	[ "$nr" -ge 100 ] && [ "$nr" = "$(grep -cvE '^(#|$)' userspace/events/descriptions)" ] && [ "${tap_why##*: }" = "" ]
}

skip()
{
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

make_tables own userspace/events
sentences "$DATA"/x86/*/*.json | LC_ALL=C sort > "$work/theirs"
for table in skylake skylakex cascadelakex icelake icelakex alderlake alderlaken sapphirerapids graniterapids arrowlake lunarlake \
	novalake pantherlake snowridgex; do
	theirs=$(version "$DATA/x86/mapfile.csv" "$table")
	own=$(version userspace/events/mapfile.csv "$table")
	if [ "$theirs" != "$own" ]; then
		skip "$table: names, codes, counters, registers and periods are those of the list" "the list is ${theirs:-missing}, the table $own"
		continue
	fi
	verdict "$table: names, codes, counters, registers and periods are those of the list" same_rows "$table"
	verdict "$table: marks of events that need PEBS are those of the list" same_marks "$table"
	verdict "$table: import_events.sh makes the same files again" made_again "$table"
	verdict "$table: no description is one of the list's" own_words "$table"
done
verdict "at least 100 events, each in a table, have a description of our own" described
while read -r cpuid core_type pmu list; do
	name="$cpuid, core type $core_type: the events are those that $list has for $pmu"
	if [ -d "$DATA/x86/$list" ]; then
		verdict "$name" same_core "$cpuid" "$core_type" "$pmu" "$list"
	else
		skip "$name" "the list is missing"
	fi
done <<- END
	GenuineIntel-6-97-2 0x20000001 cpu_atom alderlake
	GenuineIntel-6-97-2 0x40000001 cpu_core alderlake
	GenuineIntel-6-BD-1 0x20000003 cpu_atom lunarlake
	GenuineIntel-6-BD-1 0x40000003 cpu_core lunarlake
	GenuineIntel-6-C5-2 0x20000003 cpu_atom arrowlake
	GenuineIntel-6-C5-2 0x20000002 cpu_lowpower arrowlake
	GenuineIntel-6-C5-2 0x40000003 cpu_core arrowlake
	GenuineIntel-6-C6-2 0x20000003 cpu_atom arrowlake
	GenuineIntel-6-C6-2 0x40000003 cpu_core arrowlake
	GenuineIntel-6-CC-1 0x20000004 cpu_atom pantherlake
	GenuineIntel-6-CC-1 0x40000004 cpu_core pantherlake
	GenuineIntel-18-1-0 0x20000005 cpu_atom novalake
	GenuineIntel-18-3-0 0x40000005 cpu_core novalake
END
tap_done
