#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# acrctl script: one line or one JSON object per sample, with the requested fields.

bats_require_minimum_version 1.5.0
load helpers
load device_helpers

setup_file()
{
	build_fixtures
	cd "$BATS_FILE_TMPDIR" || return 1
	fake record -q -e "$group" -o recorded.data -- ./busy
}

setup()
{
	common_setup
	data=$BATS_FILE_TMPDIR/recorded.data
}

@test "acrctl script: a line has program, thread, CPU, time, period, event, address, function and file" {
	run "$acrctl" script -i "$data"
	[ "$status" = 0 ]
	pid=$(awk '{ print $2; exit }' <<< "$output")
	[ "$pid" -gt 1 ]
	# the second record after that of its name is the first sample, and each is a millisecond later
	for ((n = 0; n < 10; n++)); do
		function=$([ $n -lt 6 ] && echo first_half || echo second_half)
		printf '%16s %7d [000] %6d.%06d: %10d %s: %16x %s+0x1 (%s)\n' busy "$pid" 1000 $((2000 + n * 1000)) 200000 cpu/instructions,period=200000,acr_mask=0x2/u \
			$(($(at "$busy" $function) + 1)) $function "$busy"
	done > want
	diff <(tr -s ' ' < want) <(tr -s ' ' <<< "$output")
}

@test "acrctl script: orders samples by time" {
	{ starts "$busy"; printf 'sample ip=0x1000 time=%s\n' 1000000009000 1000000003000 1000000007000 1000000001000; } | play
	fake record -q -e "$group" -o mixed.data -- true
	is "$("$acrctl" script -i mixed.data -F time | tr -d ': ' | xargs)" "1000.000001 1000.000003 1000.000007 1000.000009"
}

@test "acrctl script: -F chooses fields and refuses unknown ones" {
	run "$acrctl" script -i "$data" -F sym
	[ "$status" = 0 ]
	is "$(in_functions <<< "$output")" "$both"
	is "$("$acrctl" script -i "$data" -F ip | awk '{ print "0x" $1 }' | uniq -c | xargs)" \
		"6 $(printf '%#x' $(($(at "$busy" first_half) + 1))) 4 $(printf '%#x' $(($(at "$busy" second_half) + 1)))"
	run "$acrctl" script -i "$data" -F nonsense
	[ "$status" = 2 ]
	[[ $output = "acrctl: script: -F 'nonsense' is not known; use comm, pid"* ]]
	for list in "" , ,,; do
		run "$acrctl" script -i "$data" -F "$list"
		[ "$status" = 2 ]
		[[ $output = "acrctl: script: -F '$list' names nothing; use comm, pid"* ]]
	done
}

@test "acrctl script: --json has an array of samples with all fields, or those of -F" {
	"$acrctl" script -i "$data" --json > all.json
	"$acrctl" script -i "$data" --json -F sym,ip > some.json
	python3 - <<-'PYTHON'
	import json
	a, s = (json.load(open(f + ".json"))["samples"] for f in ("all", "some"))
	assert len(a) == len(s) == 10
	assert set(s[0]) == {"sym", "ip"}
	assert all(x["period"] == 200000 for x in a)
	assert [x["sym"] for x in a] == 6 * ["first_half"] + 4 * ["second_half"], a
	assert len({x["id"] for x in a}) == 1 and a[0]["id"].startswith("0xac")
	PYTHON
}

@test "acrctl script: --json has its own order of fields, whatever the order of -F" {
	"$acrctl" script -i "$data" --json > all.json
	"$acrctl" script -i "$data" --json -F dso,period,comm > some.json
	"$acrctl" script -i "$data" --json -F event > event.json
	python3 - <<-'PYTHON'
	import json
	a, s, e = (json.load(open(f + ".json"))["samples"] for f in ("all", "some", "event"))
	assert list(a[0]) == "comm pid tid cpu time period event id ip sym symoff dso".split(), list(a[0])
	assert list(s[0]) == "comm period dso".split(), list(s[0])
	assert len(e) == len(a) and list(e[0]) == ["event"]
	PYTHON
	# one object per line
	[ "$(wc -l < event.json)" = "$(($(grep -c event event.json) + 2))" ]
}

@test "acrctl script: --json of a recording without samples has an empty array" {
	PYTHONPATH=$root/selftests/cli python3 -B -c 'import perfdata; perfdata.File().write("none.data")'
	[ "$("$acrctl" script -i none.data | wc -l)" = 0 ]
	[ "$("$acrctl" script -i none.data --json | tr -d '\n')" = '{"schema":"acrctl-script/1","samples":[]}' ]
}

@test "acrctl script: refuses or reads a damaged file, whichever byte is wrong" {
	records=$(od -An -tu8 -j40 -N8 "$data" | tr -d ' ')
	# in the header: magic, its size, that of an event, where events and records are, and how large; then in records; at the end
	while read -r at want text; do
		cp "$data" bad.data
		printf '\377\377' | dd of=bad.data bs=1 seek="$at" conv=notrunc 2> /dev/null
		capture "$acrctl" script -i bad.data -F ip
		is "$status" "$want"
		[ -z "$text" ] || has "$stderr" "$text"
		[ -n "$text" ] || is "$stderr" ""
		is "$(wc -l < stdout)" $((want ? 0 : 10))
	done <<-TABLE
	0 1 it does not begin with PERFILE2
	8 1 header of 65535 bytes instead of 104
	16 1 events of 65535 bytes
	24 1 the events lie beyond the end of the file
	32 1 the events lie beyond the end of the file
	40 1 the records lie beyond the end of the file
	48 0 cut off; reading what is there
	$records 0
	$((records + 6)) 1 record of 65535 bytes at offset $records
	$(($(stat -c %s "$data") - 9)) 0
	TABLE
}
