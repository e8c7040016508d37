#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# jevents --pmu montecito: the table matches the facts; an error in a file is reported and no table is written.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/model/accept/tap.sh
. selftests/model/accept/tap.sh
# shellcheck source=selftests/gen/run_jevents.sh
. selftests/gen/run_jevents.sh
BUILD=${BUILD:-$PWD/build}
fixtures=selftests/montecito/fixtures
facts=selftests/montecito/events.csv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compiles() { tap_why=$("${CC:-cc}" -std=c99 -Wall -Wextra -Wpedantic -Werror -Iuserspace/montecito/lib -Iuserspace/montecito/lib/include "$@" 2>&1); }

jevents --pmu montecito $fixtures "$work/fixture.c"
verdict "a made-up directory: exit status 0" [ "$status" = 0 ]
verdict "... the expected C" cmp -s "$work/fixture.c" $fixtures/expected.c
verdict "... nothing on standard output" [ -z "$output" ]
verdict "... files and events are counted" grep -qx "jevents: $fixtures: 2 files, 4 events of montecito" <<< "$errors"
verdict "... it compiles as C99" compiles -c -o "$work/o" "$work/fixture.c"
cp "$work/fixture.c" "$work/first.c"
LC_ALL=C.UTF-8 jevents --pmu montecito $fixtures/ "$work/fixture.c"
verdict "... the same bytes in another locale" cmp -s "$work/fixture.c" "$work/first.c"

# --- our own table -----------------------------------------------------------------------------------------------------

jevents --pmu montecito userspace/montecito/events "$work/own.c"
verdict "our own events: exit status 0" [ "$status" = 0 ]
verdict "... and only their number is printed" grep -qx "jevents: userspace/montecito/events: [0-9]* files, 637 events of montecito" <<< "$errors"
verdict "... the table compiles" compiles -o "$work/dump" selftests/montecito/dump_mont.c "$work/own.c"
"$work/dump" > "$work/got"
cut -d, -f1-8,10- $facts | tail -n +2 > "$work/want"
tap_why=$(diff "$work/want" "$work/got" | head -n 20)
verdict "... every field of every event matches the facts" cmp -s "$work/want" "$work/got"
verdict "... which are 637" [ "$(wc -l < "$work/want")" = 637 ]
"$work/dump" descriptions > "$work/descriptions"
tap_why=$(grep -nvE '^[A-Z][^.]* .{10,}\.$|^[a-z0-9.]+ instructions .*\.$' "$work/descriptions")
verdict "... every description is a sentence" [ -z "$tap_why" ]
tap_why=$(sort "$work/descriptions" | uniq -d)
verdict "... and no two events have the same" [ -z "$tap_why" ]
tap_why=$(LC_ALL=C grep -n '[^ -~]' "$work/descriptions")
verdict "... in ASCII" [ -z "$tap_why" ]
if [ -e ../shared/facts/montecito_events.csv ]; then
	verdict "the facts match their source" cmp -s ../shared/facts/montecito_events.csv $facts
else
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - the facts match their source # SKIP the source is not available"
fi
jevents --strict userspace/events "$work/tables.c"
verdict "the module's tables do not contain them" [ "$status" = 0 -a "$(grep -c montecito "$work/tables.c")" = 0 ]

# --- one thing wrong ---------------------------------------------------------------------------------------------------

# refused NAME LINE FIELD WORDS SED-COMMAND: of the made-up directory with second.json changed
refused()
{
	rm -rf "$work/wrong"
	cp -r $fixtures "$work/wrong"
	sed -i "$5" "$work/wrong/second.json"
	rm -f "$work/wrong.c"
	jevents --pmu montecito "$work/wrong" "$work/wrong.c"
	verdict "$1: exit status 1" [ "$status" = 1 ]
	verdict "... file, line, field and reason are reported" grep -q "^jevents: $work/wrong/second.json:$2: field '$3': .*$4" <<< "$errors"
	verdict "... and nothing else" [ "$(wc -l <<< "$errors")" = 3 ]
	verdict "... nothing is written" [ ! -e "$work/wrong.c" ]
}

missing() { refused "without $1" 3 "$1" "missing" "3s/\"$1\": \"[^\"]*\", //; 3s/, \"$1\": \"[^\"]*\"}/}/"; }
for field in EventName Index EventCode UMask Counter MaxIncr Type BriefDescription; do
	missing $field
done
refused "an event code of nine bits" 3 EventCode "'0x100' is no number that is small enough" '3s/"EventCode": "0x0"/"EventCode": "0x100"/'
refused "an event code that is no number" 3 EventCode "'0xx' is no number" '3s/"EventCode": "0x0"/"EventCode": "0xx"/'
refused "a unit mask of five bits" 3 UMask "'0x10' is no number that is small enough" '3s/"UMask": "0x0"/"UMask": "0x10"/'
refused "an EAR's unit mask of nine bits" 2 UMask "'0x100' is no number that is small enough" '2s/"UMask": "0xff"/"UMask": "0x100"/'
refused "counter 3" 3 Counter "'3,5.*' is no list of counters" '3s/"4,5/"3,5/'
refused "counter 16" 3 Counter "'.*,16' is no list of counters" '3s/,15"/,16"/'
refused "an empty item in the counters" 3 Counter "is no list of counters" '3s/"4,5/"4,,5/'
refused "no occurrence in a cycle" 3 MaxIncr "'0' is no number above 0" '3s/"MaxIncr": "1"/"MaxIncr": "0"/'
refused "nine occurrences in a cycle" 2 MaxIncr "'9' is no number that is small enough" '2s/"MaxIncr": "8"/"MaxIncr": "9"/'
refused "an unknown type" 3 Type "'passive' is no word that is known here" '3s/"active"/"passive"/'
refused "an unknown EAR" 2 Ear "'dear' is no word that is known here" '2s/"dear_alat"/"dear"/'
refused "an unknown qualifier" 3 Qualifiers "is no list of opcm" '3s/opcm,/opc,/'
refused "an unknown group" 3 Group "'l3' is no word" '3s/"Type"/"Group": "l3", "Set": "0", "Type"/'
refused "unknown unit masks" 3 UnitMasks "'all' is no word" '3s/"Type"/"UnitMasks": "all", "Type"/'
refused "an Etb of 2" 3 Etb "'2' is no word" '3s/"Type"/"Etb": "2", "Type"/'
refused "a set without group" 3 Set "'0' is no set" '3s/"Type"/"Set": "0", "Type"/'
refused "a group without set" 3 Set "missing" '3s/"Type"/"Group": "l1d", "Type"/'
refused "a set above 15" 3 Set "'16' is no number that is small enough" '3s/"Type"/"Group": "l1d", "Set": "16", "Type"/'
refused "a name in lower case" 3 EventName "'First' is no name of capitals" '3s/"FIRST"/"First"/'
refused "a name that begins with a digit" 3 EventName "'1ST' is no name of capitals" '3s/"FIRST"/"1ST"/'
refused "a name twice" 2 EventName "LAST is in line 3 of '.*second.json', too" '3s/"FIRST"/"LAST"/'
refused "an index twice" 2 Index "2 is that of BUFFER_2 in line 3 of '.*first.json', too" '2s/"Index": "3"/"Index": "2"/'
refused "an index that is left out" 2 Index "4 comes, but no event has 3" '2s/"Index": "3"/"Index": "4"/'
refused "an index that is far away" 2 Index "'99999' is no number that is small enough" '2s/"Index": "3"/"Index": "99999"/'
refused "an unknown field" 3 MaxInc "not known" '3s/"Type"/"MaxInc": "1", "Type"/'
refused "a field of the other form" 3 SampleAfterValue "not known" '3s/"Type"/"SampleAfterValue": "1", "Type"/'
refused "a field that the other form skips" 3 PerPkg "not known" '3s/"Type"/"PerPkg": "1", "Type"/'
refused "a field twice" 3 Type "there twice" '3s/"Type": "active"/"Type": "active", "Type": "active"/'
refused "a name that is a number" 3 EventName "no string" '3s/"FIRST"/1/'
refused "a file that ends early" 4 BriefDescription "the file ends within this entry" '3s/}$/,/; 4d'

mkdir "$work/empty"
jevents --pmu montecito "$work/empty" "$work/x.c"
verdict "a directory without events: exit status 1" [ "$status" = 1 ]
verdict "... is reported" grep -q "^jevents: $work/empty: has no events$" <<< "$errors"
jevents --pmu montecito "$work/nothing" "$work/x.c"
verdict "no such directory: exit status 1" [ "$status" = 1 ]
verdict "... and it is named" grep -q "^jevents: cannot read '$work/nothing': No such file or directory$" <<< "$errors"
jevents --pmu montecito $fixtures "$work/nothing/x.c"
verdict "an output that cannot be written: exit status 1" [ "$status" = 1 ]
jevents --pmu itanium $fixtures "$work/x.c"
verdict "an unknown PMU: exit status 2" [ "$status" = 2 ]
verdict "... the message names the known one" grep -q "'itanium' is not known; 'montecito' is" <<< "$errors"
jevents --pmu montecito $fixtures
verdict "one argument: exit status 2" [ "$status" = 2 ]
verdict "no output is left behind" [ ! -e "$work/x.c" ]
tap_done
