#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The built-in tables are read-only in the program and in the library, and have the documented size.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/model/accept/tap.sh
. selftests/model/accept/tap.sh
BUILD=${BUILD:-$PWD/build}
object=$BUILD/userspace/event_tables.o
relocated_max=4096

command -v objdump > /dev/null && command -v readelf > /dev/null || { echo "1..0 # SKIP objdump and readelf are not installed"; exit 0; }

# bytes FILE REGEX: of the sections with such names
bytes()
{
	local size total=0

	for size in $(objdump -h "$1" | awk -v re="$2" '$2 ~ re { print $3 }'); do
		total=$((total + 0x$size))
	done
	echo "$total"
}

# segments FILE SECTION: types and flags of the segments that it lies in
segments()
{
	readelf -lW "$1" | awk -v section="$2" '
		/^ Section to Segment/ { mapping = 1; next }
		!mapping && /^  [A-Z]/ && $1 != "Type" { what[nr++] = $1 " " ($8 == "E" ? $7 $8 : $7) }
		mapping && $1 ~ /^[0-9]+$/ { for (i = 2; i <= NF; i++) if ($i == section) print what[$1 + 0] }'
}

not_writable()
{
	tap_why=$(objdump -h "$object" | grep -E ' \.(data|bss|tdata|tbss)')
	[ "$(bytes "$object" '^\.(data|bss|tdata|tbss)(\.|$)')" = "$(bytes "$object" '^\.data\.rel\.ro')" ] &&
		[ "$(bytes "$object" '^\.rodata')" -gt 0 ]
}

hardly_relocated()
{
	tap_why="$(bytes "$object" '^\.data\.rel\.ro') bytes are, of $relocated_max at most"
	[ "$(bytes "$object" '^\.data\.rel\.ro')" -le "$relocated_max" ]
}

mapped_read_only()
{
	tap_why=$(segments "$1" .rodata)
	[ "$tap_why" = "LOAD R" ]
}

protected_after_relocation()
{
	tap_why=$(segments "$1" .data.rel.ro)
	grep -qx 'GNU_RELRO R' <<< "$tap_why"
}

documented()
{
	local have want

	want=$(sed -n 's/.*built in, described below: \([0-9]*\) KiB of read-only data.*/\1/p' Documentation/events.rst)
	have=$(($(bytes "$object" '^\.rodata') / 1024))
	tap_why="$have KiB, documented are ${want:-none}"
	[ -n "$want" ] && [ $((20 * (have > want ? have - want : want - have))) -le "$want" ]
}

verdict "no part of the tables is writable" not_writable
verdict "no more than a few pointers of the tables are relocated" hardly_relocated
for file in acrctl libacrpmu.so; do
	verdict "$file: read-only data is in a segment that nobody can write, so that processes share it" mapped_read_only "$BUILD/$file"
	verdict "$file: relocated data is read-only once it is relocated" protected_after_relocation "$BUILD/$file"
done
verdict "the documented size is right within 5 %" documented
tap_done
