#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# jevents as a command: exit status, reports on standard error, and valid C in any case.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/model/accept/tap.sh
. selftests/model/accept/tap.sh
# shellcheck source=selftests/gen/run_jevents.sh
. selftests/gen/run_jevents.sh
BUILD=${BUILD:-$PWD/build}
fixtures=selftests/fixtures/events
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compiles()
{
	local source=$1

	shift
	tap_why=$("${CC:-cc}" -std=c99 -Wall -Wextra -Wpedantic -Wno-overlength-strings -Werror -Iuserspace/lib -c -o "$work/o" "$@" \
		"$source" 2>&1)
}

# An arch directory with one good file and one that is broken in its third line.
broken=$work/broken
mkdir -p "$broken/one"
printf 'header\nMadeUp-1-1,v1,one,core\n' > "$broken/mapfile.csv"
printf '[{"EventName": "GOOD", "EventCode": "0x1"}]\n' > "$broken/one/good.json"
printf '[{\n"EventName": "BAD",\n"UMask": 0x1}]\n' > "$broken/one/bad.json"
# One with an event that cannot be encoded.
mkdir -p "$work/wide/one"
cp "$broken/mapfile.csv" "$work/wide/"
printf '[{"EventName": "GOOD", "EventCode": "0x1"},\n{"EventName": "WIDE", "EventCode": "0x100"}]\n' > "$work/wide/one/a.json"

for form in perf intel; do
	jevents $fixtures/$form "$work/$form.c"
	verdict "$form's form: exit status 0" [ "$status" = 0 ]
	verdict "$form's form: the C that is expected" cmp -s "$work/$form.c" $fixtures/$form.c
	verdict "$form's form: nothing on standard output" [ -z "$output" ]
	verdict "$form's form: it compiles as C99" compiles "$work/$form.c"
done
verdict "a closing line counts files, events, tables and CPUs" \
	grep -q "intel: 3 files, 7 events in 2 tables, 3 CPUs, 0 left out, 0 metrics ignored$" <<< "$errors"
cp "$work/perf.c" "$work/first.c"
LC_ALL=C.UTF-8 jevents $fixtures/perf/ "$work/perf.c"
verdict "the same input gives the same bytes in another locale" cmp -s "$work/perf.c" "$work/first.c"

rm "$work"/{perf,intel}.c
jevents $fixtures/perf "$work/perf.c" $fixtures/intel "$work/intel.c"
verdict "two directories: exit status 0" [ "$status" = 0 ]
verdict "... each makes what it makes alone" cmp -s "$work/perf.c" $fixtures/perf.c
verdict "... the second, too" cmp -s "$work/intel.c" $fixtures/intel.c
jevents "$work/none" "$work/none.c" $fixtures/intel "$work/behind.c"
verdict "one that cannot be read before another: it fails" [ "$status" = 1 ]
verdict "... and the other is not made" [ ! -e "$work/behind.c" ]
jevents $fixtures/perf "$work/odd.c" $fixtures/intel
verdict "a directory without an output file: exit status 2" [ "$status" = 2 ]
verdict "... the report says which" [ "$errors" = "jevents: the last directory has no output file behind it" ]
verdict "... and nothing is written" [ ! -e "$work/odd.c" ]

jevents "$broken" "$work/broken.c"
verdict "a broken file: the build goes on" [ "$status" = 0 ]
verdict "... the report names file, line and field" grep -q "^jevents: $broken/one/bad.json:3: field 'UMask': " <<< "$errors"
verdict "... the tables are empty" grep -q '^	\.nr_tables = 0,$' "$work/broken.c"
verdict "... and compile" compiles "$work/broken.c"
jevents --strict "$broken" "$work/strict.c"
verdict "--strict: a broken file fails" [ "$status" = 1 ]
verdict "... and nothing is written" [ ! -e "$work/strict.c" ]
jevents --strict $fixtures/perf "$work/good.c" "$broken" "$work/strict.c"
verdict "--strict: a broken one behind another fails" [ "$status" = 1 ]
verdict "... the first is written" cmp -s "$work/good.c" $fixtures/perf.c
verdict "... and the report says which is not" grep -qx "jevents: $work/strict.c is not written, since --strict was given" <<< "$errors"
jevents $fixtures/perf "$work/good.c" "$broken" "$work/broken.c"
verdict "a broken one behind another: the report says which has no events" \
	grep -qx "jevents: the tables of $work/broken.c are empty, so that no event has a name" <<< "$errors"

jevents "$work/wide" "$work/wide.c"
verdict "an event that cannot be encoded: exit status 0" [ "$status" = 0 ]
verdict "... is reported" grep -q "^jevents: $work/wide/one/a.json:2: field 'EventCode': '0x100' .*'WIDE' is left out (note)$" <<< "$errors"
verdict "... and counted" grep -q ' 1 events in 1 tables, 1 CPUs, 1 left out' <<< "$errors"
verdict "... the others are there" grep -q GOOD "$work/wide.c"
jevents --strict "$work/wide" "$work/strict.c"
verdict "--strict: it fails" [ "$status" = 1 ]
mkdir -p "$work/misspelt/one"
cp "$broken/mapfile.csv" "$work/misspelt/"
printf '[{"EventName": "GOOD", "EventCode": "0x1",\n"Umask": "0x1"}]\n' > "$work/misspelt/one/a.json"
jevents "$work/misspelt" "$work/misspelt.c"
verdict "a field of an unknown name: exit status 0" [ "$status" = 0 ]
verdict "... is reported" grep -q "^jevents: $work/misspelt/one/a.json:2: field 'Umask': .* not known.* (warning)$" <<< "$errors"
jevents --strict "$work/misspelt" "$work/strict.c"
verdict "--strict: it fails" [ "$status" = 1 ]
sed -i 's/"Umask"/"MaxIncr"/' "$work/misspelt/one/a.json"
jevents "$work/misspelt" "$work/misspelt.c"
verdict "a field of Itanium's form is not known, either" \
	grep -q "^jevents: $work/misspelt/one/a.json:2: field 'MaxIncr': .* not known.* (warning)$" <<< "$errors"
mkdir -p "$work/others/one"
cp "$broken/mapfile.csv" "$work/others/"
cp "$work/wide/one/a.json" "$work/others/one/"
sed -i '$d; s/},$/}]/' "$work/others/one/a.json"
printf '{"Header": {"Info": "x"},\n"Metrics": [{"MetricName": "m", "Events": [{"Name": "A", "Alias": "a"}]}]}\n' \
	> "$work/others/one/metrics.json"
jevents --strict "$work/others" "$work/others.c"
verdict "Intel's files of metrics: --strict does not fail" [ "$status" = 0 ]
verdict "... nothing is said but their number" grep -qx "jevents: $work/others: 2 files, 1 events.* 1 metrics ignored" <<< "$errors"

jevents --strict userspace/events "$work/own.c"
verdict "our own events: --strict does not fail" [ "$status" = 0 ]
verdict "... and there is nothing to say, so that the mapfile names no directory that is missing" [ "$(wc -l <<< "$errors")" = 1 ]

jevents --strict $fixtures/perf "$work/strict.c"
verdict "--strict: a directory that is missing does not" [ "$status" = 0 ]

printf 'one line\n' > "$work/one_line"
mkdir "$work/empty" && cp "$work/one_line" "$work/empty/mapfile.csv"
jevents "$work/empty" "$work/empty.c"
verdict "a mapfile of its first line only: exit status 0" [ "$status" = 0 ]
verdict "... empty tables compile" compiles "$work/empty.c"
jevents "$work/nothing" "$work/x.c"
verdict "no such directory: exit status 1" [ "$status" = 1 ]
verdict "... and it is named" grep -q "^jevents: cannot read '$work/nothing': No such file or directory$" <<< "$errors"
jevents $fixtures/perf "$work/nothing/x.c"
verdict "an output that cannot be written: exit status 1" [ "$status" = 1 ]

# A file that is not regular is written to, not replaced.
mkdir "$work/dir"
ln -s target.c "$work/link.c"
jevents $fixtures/perf "$work/link.c"
verdict "an output that is a symbolic link stays one" [ -L "$work/link.c" ]
verdict "... the file behind it is written" cmp -s "$work/target.c" $fixtures/perf.c
mkfifo "$work/fifo"
timeout 100 cat "$work/fifo" > "$work/piped.c" &
reader=$!
jevents $fixtures/perf "$work/fifo"
verdict "an output that is a FIFO stays one" [ -p "$work/fifo" ]
if [ ! -p "$work/fifo" ]; then kill "$reader"; fi
wait "$reader"
verdict "... its reader has the C that is expected" cmp -s "$work/piped.c" $fixtures/perf.c
jevents $fixtures/perf "$work/dir"
verdict "an output that is a directory: exit status 1" [ "$status" = 1 ]
verdict "... and it is named" grep -q "^jevents: cannot write '$work/dir': Is a directory$" <<< "$errors"
printf 'mine\n' > "$work/mine"
ln -s mine "$work/perf.c.new"
jevents $fixtures/perf "$work/perf.c"
verdict "a link beside the output is not followed" [ "$(< "$work/mine")" = mine ]
verdict "... and the output is a file" [ -f "$work/perf.c" -a ! -L "$work/perf.c" ]
rm "$work/perf.c.new"

mkdir "$work/form"
printf '{"foo":1}\n' > "$work/form/pipeline.json"
jevents --strict "$work/form" "$work/strict_form.c"
verdict "--strict: an object of another form fails" [ "$status" = 1 ]
verdict "... and is reported" grep -q "^jevents: $work/form/pipeline.json:1: field 'Events': " <<< "$errors"
verdict "... and no output is left" [ ! -e "$work/strict_form.c" ]
jevents $fixtures/perf
verdict "one argument: exit status 2" [ "$status" = 2 ]
jevents --bad $fixtures/perf "$work/x.c"
verdict "an unknown option: exit status 2" [ "$status" = 2 ]
jevents --help
verdict "--help: exit status 0" [ "$status" = 0 ]
verdict "... on standard output" grep -q '^Usage: jevents ' <<< "$output"
verdict "no file but the output is left" [ -z "$(find "$work" -name '*.new')" ]
tap_done
