#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# acrctl report: text, JSON, sort keys, debug files, recordings by perf, and damaged files.

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

# record_busy: records ./busy, with its functions where ./busy.debug has them
record_busy()
{
	{ starts ./busy; halves busy.debug 6 4; } | play
	fake record -q -e "$group" -o stripped.data -- ./busy
}

# record_stripped: records ./busy without symbols; its debuglink names ./busy.debug, which has them
record_stripped()
{
	objcopy --only-keep-debug "$BATS_FILE_TMPDIR/busy" busy.debug
	objcopy --strip-all --add-gnu-debuglink=busy.debug "$BATS_FILE_TMPDIR/busy" busy
	record_busy
}

# finds_functions COMMAND...: a report has both functions, and nothing else
finds_functions()
{
	run "$@"
	[ "$status" = 0 ]
	is "$(sed -nE 's/^ +[0-9.]+% +([0-9]+) +busy +busy +\[\.\] /\1 /p' <<< "$output" | xargs)" "6 first_half 4 second_half"
}

@test "acrctl report: --help exits 0" {
	run "$acrctl" report --help
	[ "$status" = 0 ]
}

@test "acrctl report: prints both functions with file and program, and the group" {
	run "$acrctl" report -i "$data"
	[ "$status" = 0 ]
	grep -qE '^ +60.00% +6 +busy +busy +\[\.\] first_half$' <<< "$output"
	grep -qE '^ +40.00% +4 +busy +busy +\[\.\] second_half$' <<< "$output"
	grep -q "^# recorded by: acrctl record -q -e " <<< "$output"
	grep -qE "0 samples of event '.*cycles.*', period 100000, group of '.*instructions.*'" <<< "$output"
}

@test "acrctl report: --json is valid, and its numbers add up" {
	"$acrctl" report -i "$data" --json > report.json
	python3 - <<-'PYTHON'
	import json
	r = json.load(open("report.json"))
	e = r["events"][0]
	assert r["complete"] and r["samples"] == e["samples"] == 10
	assert sum(x["samples"] for x in e["entries"]) == e["samples"]
	assert abs(sum(x["percent"] for x in e["entries"]) - 100) < 0.01
	assert e["sample_period"] == 200000 and e["config"] == "0xc0"
	assert {x["level"] for x in e["entries"]} == {"user"}
	PYTHON
}

@test "acrctl report: --sort chooses the columns by which samples are grouped" {
	run "$acrctl" report -i "$data" --sort comm
	[ "$(grep -c '%' <<< "$output")" = 1 ]
	grep -qE '100.00% +10 +busy *$' <<< "$output"
	run "$acrctl" report -i "$data" --sort nonsense
	[ "$status" = 2 ]
	[[ $output = "acrctl: report: --sort 'nonsense' is not known; use comm, pid"* ]]
	for list in "" , ,,; do
		run "$acrctl" report -i "$data" --sort "$list"
		[ "$status" = 2 ]
		[ "$output" = "acrctl: report: --sort '$list' names nothing; use comm, pid, tid, cpu, dso or sym, with commas between them" ]
	done
}

@test "acrctl report: refuses a missing file, another kind of file and an extra argument" {
	run "$acrctl" report -i missing
	[ "$status" = 1 ]
	[[ $output = *"missing: No such file or directory; name a recording with -i"* ]]
	run "$acrctl" report -i "$BASH"
	[ "$status" = 1 ]
	[[ $output = *"not a perf.data file"* ]]
	run "$acrctl" report "$data"
	[ "$status" = 2 ]
}

@test "acrctl report: reads a truncated file as far as it goes, with a warning" {
	head -c "$(($(stat -c %s "$data") / 2))" "$data" > cut.data
	run "$acrctl" report -i cut.data
	[ "$status" = 0 ]
	[[ $output = *"cut.data: cut off; reading what is there"* ]]
}

# selftests/unit/perfdata_test.c reads every prefix of a file.
@test "acrctl report: a file that lacks its end is reported as incomplete" {
	size=$(stat -c %s "$data")
	[ "$size" -gt 2104 ]
	cp "$data" cut.data
	for cut in 1 2 4 8 16 32 64 128 256 512 1024 2000; do
		truncate -s $((size - cut)) cut.data
		"$acrctl" report --sort comm -i cut.data --json > out 2> err
		grep -q '"complete":false' out
		grep -q 'cut.data: cut off; reading what is there' err
	done
	"$acrctl" report --sort comm -i "$data" --json | grep -q '"complete":true'
}

@test "acrctl report: refuses a file that ends within its header, with its actual size" {
	for size in 16 50 103; do
		head -c $size "$data" > short.data
		run "$acrctl" report -i short.data
		[ "$status" = 1 ]
		[ "$output" = "acrctl: short.data: cut off in its header: it has only $size bytes of 104" ]
	done
}

@test "acrctl report: a program rebuilt after the recording has no symbols" {
	cp "$BATS_FILE_TMPDIR/busy" ./busy
	plays ./busy 6 4
	fake record -q -e "$group" -o old.data -- ./busy
	[[ $("$acrctl" report -i old.data) = *first_half* ]]
	cc -O2 -o busy "$BATS_FILE_TMPDIR/busy.c"
	run "$acrctl" report -i old.data
	[[ $output = *"busy was rebuilt after the recording"* ]]
	[[ $output != *first_half* ]]
}

@test "acrctl report: reads functions of a stripped program from the file in its debuglink" {
	record_stripped
	finds_functions "$acrctl" report -i stripped.data
	mkdir .debug
	mv busy.debug .debug/
	finds_functions "$acrctl" report -i stripped.data
	rm -r .debug
	run "$acrctl" report -i stripped.data
	[ "$status" = 0 ]
	[[ $output != *first_half* ]]
	[[ $output = *"[.] 0x"* ]]
}

@test "acrctl report: ignores a debug file of another build" {
	record_stripped
	sed 's/argc > 1/argc > 2/' "$BATS_FILE_TMPDIR/busy.c" > other.c
	cc -O1 -g -no-pie -o other other.c
	objcopy --only-keep-debug other busy.debug
	run "$acrctl" report -i stripped.data
	[ "$status" = 0 ]
	[[ $output != *first_half* ]]
	[[ $output = *"[.] 0x"* ]]
}

@test "acrctl report: without build-ids a debug file must have the checksum in the debuglink" {
	cc -O1 -g -no-pie -Wl,--build-id=none -o busy "$BATS_FILE_TMPDIR/busy.c"
	objcopy --only-keep-debug busy busy.debug
	objcopy --strip-all --add-gnu-debuglink=busy.debug busy
	record_busy
	finds_functions "$acrctl" report -i stripped.data
	# one byte more is another file
	printf x >> busy.debug
	run "$acrctl" report -i stripped.data
	[ "$status" = 0 ]
	[[ $output != *first_half* ]]
	[[ $output = *"[.] 0x"* ]]
}

@test "acrctl report: finds debug files in /usr/lib/debug by build-id, or by directory and debuglink" {
	# in new namespaces, so that nothing is left in /usr/lib of the machine
	as_root=()
	[ "$(id -u)" = 0 ] || as_root=(--map-root-user)
	propagation=private
	mountpoint -q / || propagation=unchanged
	mkdir layers
	in_layers=(unshare "${as_root[@]}" --mount --propagation "$propagation" sh -ec '
		mount -t tmpfs tmpfs layers
		mkdir layers/work layers/upper
		cp -r debug layers/upper/
		mount -t overlay -o lowerdir=/usr/lib,upperdir=layers/upper,workdir=layers/work overlay /usr/lib
		exec "$@"' in_layers)
	mkdir debug
	"${in_layers[@]}" true || skip "no private overlay can be mounted here"
	record_stripped

	id=$(readelf -n busy | awk '/Build ID:/ { print $3 }')
	[ "${#id}" = 40 ]
	mkdir -p "debug/.build-id/${id:0:2}"
	mv busy.debug "debug/.build-id/${id:0:2}/${id:2}.debug"
	finds_functions "${in_layers[@]}" "$acrctl" report -i stripped.data

	mkdir -p "debug$PWD"
	mv "debug/.build-id/${id:0:2}/${id:2}.debug" "debug$PWD/busy.debug"
	finds_functions "${in_layers[@]}" "$acrctl" report -i stripped.data

	rm "debug$PWD/busy.debug"
	run "${in_layers[@]}" "$acrctl" report -i stripped.data
	[ "$status" = 0 ]
	[[ $output != *first_half* ]]
}

@test "acrctl report: --json is UTF-8 for any bytes in a program's name" {
	name=$'b\xc3\xa9\xff\xed\xa0\x80"'
	cp "$BATS_FILE_TMPDIR/busy" "./$name"
	plays "./$name" 6 4
	fake record -q -e "$group" -o named.data -- "./$name"
	"$acrctl" report -i named.data --json > report.json
	"$acrctl" script -i named.data --json > script.json
	python3 - <<-'PYTHON'
	import json
	r, s = (json.loads(open(f, "rb").read().decode("utf-8", "strict")) for f in ("report.json", "script.json"))
	s = s["samples"]
	want = "b\u00e9" + 4 * "\ufffd" + '"'
	assert r["cmdline"].endswith("-- ./" + want), r["cmdline"]
	e = r["events"][0]["entries"]
	assert len(s) == 10, s
	assert e and {(x["comm"], x["dso"]) for x in e} == {(want, want)}, e
	assert s and {x["comm"] for x in s} == {want} and all(x["dso"].endswith("/" + want) for x in s), s[0]
	PYTHON
}

@test "acrctl report: --json has exact numbers of 64 bits" {
	# replace the period 200000 of the event and of each sample by 2^64 - 2
	python3 - "$data" <<-'PYTHON'
	import struct, sys
	whole = open(sys.argv[1], "rb").read()
	open("huge.data", "wb").write(whole.replace(struct.pack("<Q", 200000), struct.pack("<Q", 2**64 - 2)))
	PYTHON
	"$acrctl" report -i huge.data --json > report.json
	"$acrctl" script -i huge.data --json > script.json
	python3 - <<-'PYTHON'
	import json
	r, s = json.load(open("report.json")), json.load(open("script.json"))["samples"]
	e = r["events"][0]
	assert e["sample_period"] == 2**64 - 2, e["sample_period"]
	assert {x["period"] for x in s} == {2**64 - 2}, s[0]
	assert e["samples"] == len(s) and all(x["period"] > 2**63 for x in e["entries"]), e
	PYTHON
}

@test "acrctl: any failing allocation leads to a failure with a message, never to partial output" {
	! nm -D "$acrctl" | grep -q __asan || skip "a sanitizer replaces the allocator"
	cc -shared -fPIC -O1 -o no_memory.so "$BATS_TEST_DIRNAME/no_memory.c"
	cp "$data" in.data
	# its symbols are in the third path that is tried: a missing file must not hide an earlier failure
	record_stripped
	mkdir .debug
	mv busy.debug .debug/
	fake record -q -e "$group" -o - -- "$BATS_FILE_TMPDIR/busy" > stream.data
	for command in "report -i in.data" "report --json -i in.data" "script -F sym,dso -i in.data" "script --json -F sym,dso -i in.data" \
		"report -i stripped.data" "report -i stream.data" "info --json" \
		"encode --json --pmu clearwaterforest -c 100000 {cycles,branches/ratio-to-prev=0.5/}"; do
		"$acrctl" $command > whole 2> whole.err
		rm -f out.* err.*
		LD_PRELOAD=./no_memory.so "$acrctl" $command
		python3 - "$command" <<-'PYTHON'
		import sys
		whole = open("whole", "rb").read()
		runs = [[int(word) for word in line.split()] for line in open("runs")]
		for n, failed, status in runs:
		    out, err = (open("%s.%d" % (name, n), "rb").read() for name in ("out", "err"))
		    what = "%s: allocation %d: status %d" % (sys.argv[1], n, status), out, err
		    assert (status in (0, 1) if failed else status == 0) and (status == 1 or out == whole), what
		    assert status == 0 or b"memory" in err, what
		# the last run had enough memory
		assert len(runs) > 20 and [run[1] for run in runs] == (len(runs) - 1) * [1] + [0], runs
		PYTHON
	done
}

@test "acrctl report, script: a full disk at standard output is an error" {
	[ -e /dev/full ] || skip "no /dev/full"
	for command in report "report --json" script "script --json"; do
		run sh -c "'$acrctl' $command -i '$data' > /dev/full"
		[ "$status" = 1 ]
		[[ $output = *"standard output: No space left on device"* ]]
	done
}

@test "acrctl report, script: refuse a terminal as standard input and name the remedy" {
	command -v script > /dev/null || skip "script is not installed"
	for command in report script; do
		status=0
		script -qec "$acrctl $command -i -" terminal > /dev/null < /dev/null || status=$?
		[ "$status" = 1 ]
		grep -q "acrctl: standard input is a terminal; pipe a recording into it, such as from 'acrctl record -o -'" terminal
	done
}
