#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# acrctl script: one line or one JSON object per sample, with the requested fields.

bats_require_minimum_version 1.5.0
load record_helpers

setup_file()
{
	build_fixtures
	cd "$BATS_FILE_TMPDIR" || return 1
	LD_PRELOAD=$BATS_FILE_TMPDIR/device.so "$acrctl" record -q -D 100 -e "$group" -o recorded.data -- ./busy 15 || true
}

setup()
{
	common_setup
	[ -s "$BATS_FILE_TMPDIR/recorded.data" ] || requires_perf_events
	data=$BATS_FILE_TMPDIR/recorded.data
}

@test "acrctl script: a line has program, thread, CPU, time, period, event, address, function and file" {
	run "$acrctl" script -i "$data"
	[ "$status" = 0 ]
	# without the few before main and after it, on a slow host
	samples=${#lines[@]}
	mapfile -t lines < <(grep -v '(/.*/\(ld-linux\|libc\.so\)[^/]*)$' <<< "$output")
	[ "${#lines[@]}" -gt 10 ]
	[ "${#lines[@]}" -ge $((samples - 2)) ]
	for line in "${lines[@]}"; do
		grep -qE "^ +busy +[0-9]+ \[[0-9]{3}\] +[0-9]+\.[0-9]{6}: +200000 .*instructions.*: +[0-9a-f]+ [a-z_]+\+0x[0-9a-f]+ \(/.*/busy\)$" <<< "$line"
	done
}

@test "acrctl script: orders samples by time" {
	"$acrctl" script -i "$data" -F time > times
	sort -c -n times
}

@test "acrctl script: -F chooses fields and refuses unknown ones" {
	run "$acrctl" script -i "$data" -F sym
	[ "$status" = 0 ]
	# each sample has a line, and nearly all are in the loops
	[ "${#lines[@]}" -eq "$("$acrctl" script -i "$data" -F ip | wc -l)" ]
	[ "$(grep -cvE '^(first|second)_half$' <<< "$output")" -le $((${#lines[@]} / 10)) ]
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
	assert len(a) == len(s) > 10
	assert set(s[0]) == {"sym", "ip"}
	assert all(x["period"] == 200000 for x in a)
	# on a slow host a few may be before main or after it, between the two halves, or in the table through which they call
	other = [x for x in a if x["sym"] not in ("first_half", "second_half")]
	outside = [x for x in other if "/ld-linux" in x["dso"] or "/libc.so" in x["dso"]]
	assert len(other) <= 2 and all(x in outside or x["sym"] in ("main", "_init") for x in other), other
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
	size=$(stat -c %s "$data")
	for at in 0 8 16 24 32 40 48 $((size / 3)) $((size / 2)) $((size - 9)); do
		cp "$data" bad.data
		printf '\377\377' | dd of=bad.data bs=1 seek="$at" conv=notrunc 2> /dev/null
		run "$acrctl" script -i bad.data -F ip
		[ "$status" -le 1 ]
	done
}
