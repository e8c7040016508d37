#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# acrctl report: text, JSON, sort keys, files of perf's, and files that are damaged.

bats_require_minimum_version 1.5.0
load record_helpers

setup_file()
{
	build_fixtures
	cd "$BATS_FILE_TMPDIR" || return 1
	LD_PRELOAD=$BATS_FILE_TMPDIR/device.so "$acrctl" record -q -e "$group" -o recorded.data -- ./busy 5 || true
}

setup()
{
	common_setup
	[ -s "$BATS_FILE_TMPDIR/recorded.data" ] || requires_perf_events
	data=$BATS_FILE_TMPDIR/recorded.data
}

@test "acrctl report: --help exits 0" {
	run "$acrctl" report --help
	[ "$status" = 0 ]
}

@test "acrctl report: both functions, their file and program, and the group" {
	run "$acrctl" report -i "$data"
	[ "$status" = 0 ]
	grep -qE '^ +[0-9.]+% +[0-9]+ +busy +busy +\[\.\] first_half$' <<< "$output"
	grep -qE '^ +[0-9.]+% +[0-9]+ +busy +busy +\[\.\] second_half$' <<< "$output"
	grep -q "^# recorded by: acrctl record -q -e " <<< "$output"
	grep -qE "0 samples of event '.*cycles.*', period 100000, group of '.*instructions.*'" <<< "$output"
}

@test "acrctl report: --json is JSON and adds up" {
	"$acrctl" report -i "$data" --json > report.json
	python3 - <<-'PYTHON'
	import json
	r = json.load(open("report.json"))
	e = r["events"][0]
	assert r["complete"] and r["samples"] == e["samples"] > 0
	assert sum(x["samples"] for x in e["entries"]) == e["samples"]
	assert abs(sum(x["percent"] for x in e["entries"]) - 100) < 0.01
	assert e["sample_period"] == 200000 and e["config"] == "0xc0"
	assert {x["level"] for x in e["entries"]} == {"user"}
	PYTHON
}

@test "acrctl report: --sort chooses what is told apart" {
	run "$acrctl" report -i "$data" --sort comm
	[ "$(grep -c '%' <<< "$output")" = 1 ]
	grep -qE '100.00% +[0-9]+ +busy' <<< "$output"
	run "$acrctl" report -i "$data" --sort nonsense
	[ "$status" = 2 ]
	[[ $output = *"--sort 'nonsense' is not known; use comm, pid"* ]]
}

@test "acrctl report: a missing file, no perf.data and an argument too many" {
	run "$acrctl" report -i missing
	[ "$status" = 1 ]
	[[ $output = *"missing: No such file or directory; name a recording with -i"* ]]
	run "$acrctl" report -i "$BASH"
	[ "$status" = 1 ]
	[[ $output = *"not a perf.data file"* ]]
	run "$acrctl" report "$data"
	[ "$status" = 2 ]
}

@test "acrctl report: a file that is cut off is read as far as it goes, and that is said" {
	head -c "$(($(stat -c %s "$data") / 2))" "$data" > cut.data
	run "$acrctl" report -i cut.data
	[ "$status" = 0 ]
	[[ $output = *"cut.data: not finished or cut off"* ]]
}

@test "acrctl report: a program built anew shows no wrong symbols" {
	cp "$BATS_FILE_TMPDIR/busy" ./busy
	LD_PRELOAD=$BATS_FILE_TMPDIR/device.so "$acrctl" record -q -e "$group" -o old.data -- ./busy
	cc -O2 -o busy "$BATS_FILE_TMPDIR/busy.c"
	run "$acrctl" report -i old.data
	[[ $output = *"busy was rebuilt after the recording"* ]]
	[[ $output != *first_half* ]]
}

@test "acrctl report: a full disk at the output is an error" {
	[ -e /dev/full ] || skip "no /dev/full"
	run sh -c "'$acrctl' report -i '$data' > /dev/full"
	[ "$status" = 1 ]
}

@test "acrctl report: reads what perf record wrote" {
	command -v perf > /dev/null && perf --version > /dev/null 2>&1 || skip "no perf for this kernel is installed"
	perf record -q -e cpu-clock:u -c 1000000 -o perf.data "$BATS_FILE_TMPDIR/busy" 3 > /dev/null 2>&1
	ours=$("$acrctl" script -F sym | sort | uniq -c)
	theirs=$(perf script -F ip,sym 2> /dev/null < /dev/null | awk '{print $2}' | sort | uniq -c)
	[ -n "$ours" ]
	[ "$ours" = "$theirs" ]
}
