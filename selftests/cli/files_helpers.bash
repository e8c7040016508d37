# SPDX-License-Identifier: GPL-2.0-only
# What the tests of files from other machines share: a stripped program, its debug file, a recording that lacks both.
# shellcheck shell=bash disable=SC2154 # acrctl, group and root are of device_helpers

# Built and recorded once for each file of tests: as ./moved/prog, without its functions, in $BATS_FILE_TMPDIR.
build_moved()
{
	build_fixtures
	cd "$BATS_FILE_TMPDIR" || return 1
	mkdir -p moved kept
	objcopy --only-keep-debug busy kept/debug
	objcopy --strip-all busy moved/prog
	{ starts moved/prog; halves busy 6 4; } | play
	HOME=$BATS_FILE_TMPDIR fake record -q -e "$group" -o moved.data -- "$BATS_FILE_TMPDIR/moved/prog"
	mv moved/prog kept/prog
}

find_moved()
{
	data=$BATS_FILE_TMPDIR/moved.data
	prog=$BATS_FILE_TMPDIR/moved/prog
	kept=$BATS_FILE_TMPDIR/kept
	id=$(build_id_of "$kept/prog")
}

build_id_of() { readelf -n "$1" | sed -n 's/^ *Build ID: //p'; }

# functions COMMAND...: the functions of the program that a report names, sorted, in a line
functions() { "$@" --json 2> err | jq -r '[.events[].entries[] | select(.dso == "prog").symbol | select(startswith("0x") | not)] | sort | join(" ")'; }

# finds_both COMMAND...: both functions of the program
finds_both()
{
	found=$(functions "$@")
	[[ " $found " = *" first_half "* && " $found " = *" second_half "* ]] || { echo "found '$found'"; cat err; return 1; }
}

# finds_none COMMAND...: none of them
finds_none()
{
	found=$(functions "$@")
	[ -z "$found" ] || { echo "found '$found'"; cat err; return 1; }
}

# put_cached DIR ID WHAT FILE: adds a file to a cache as perf lays it out
put_cached()
{
	mkdir -p "$1/some/name/$2" "$1/.build-id/${2:0:2}"
	cp "$4" "$1/some/name/$2/$3"
	ln -sfn "../../some/name/$2" "$1/.build-id/${2:0:2}/${2:2}"
}
