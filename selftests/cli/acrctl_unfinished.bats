#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Recordings that were killed, or had no room left: what acrctl and perf read, and what both programs and the file report.

load helpers
load device_helpers

setup_file() { build_fixtures; }
setup() { common_setup; requires_perfs; }
teardown() { [ -z "${runner:-}" ] || kill "$runner" 2> /dev/null || true; }

# has_command: sets runner to the command that acrctl has started
has_command() { runner=$(cat /proc/$recorder/task/$recorder/children) && [ -n "$runner" ]; }

# in_rounds NR: the script is that the command runs until acrctl has read NR times two samples; then it reads a fifo
in_rounds()
{
	{
		starts "$busy"
		for ((i = 0; i < $1; i++)); do halves "$busy" 1 1; echo poll; done
		echo "open fifo"
	} | play
	[ -p fifo ] || mkfifo fifo
}

# expect_samples FILE NR: acrctl and every perf read so many samples
expect_samples()
{
	local reader

	for reader in "$acrctl" $(perfs | tr ' ' '+'); do
		[ "$(samples_of "${reader/+/ }" "$1")" = "$2" ] || {
			echo "$reader: not $2 samples of $1:"
			cat "$1.err"
			return 1
		}
	done
}

# expect_unfinished FILE: acrctl reports that it was not closed
expect_unfinished()
{
	"$acrctl" report -i "$1" --json > report.json 2> report.err
	grep -q '"complete":false' report.json
	grep -q "^acrctl: $1: the recording was not closed: it was killed, had no room left, or still runs; reading what is there$" report.err
}

# lost FILE: what report prints as lost
lost() { "$acrctl" report -i "$1" 2> /dev/null | sed -n 's/^# .* samples, \([0-9]*\) lost$/\1/p'; }

# expect_lost FILE NR: likewise perf
expect_lost()
{
	local perf

	[ "$(lost "$1")" = "$2" ]
	perfs | while read -r perf; do
		$perf report -i "$1" --stdio 2> /dev/null < /dev/null | grep -q "^# Total Lost Samples: $2\$" || { echo "$perf: not $2 lost"; exit 1; }
	done
}

@test "acrctl record: killed at any of its writes, leaves a file that acrctl and perf read" {
	# of a process: a command would go on
	"$busy" wait 3>&- &
	runner=$!
	wait_until sleeps $runner
	printf '%s\n' "$(halves "$busy" 1 1)" poll "$(halves "$busy" 1 1)" poll "signal 2" | play
	samples= before=
	for ((nr = 4; nr < 60; nr++)); do
		rm -f log out
		status=0
		FAKE_WRITE=$nr:kill faulty record -q -e "$group" -o out -p $runner 2> err || status=$?
		[ "$status" = 137 ] || break
		# before it has its name there is nothing to read
		[ -e out ] || { is "$samples" ""; continue; }
		expect_unfinished out
		got=$(samples_of "$acrctl" out) || true
		samples+="$got "
		[ "$got" = "$before" ] || expect_samples out "$got"
		before=$got
	done
	[ "$status" = 0 ]
	# two are written at once, and cut in the middle
	is "$(tr ' ' '\n' <<< "$samples" | grep . | uniq | xargs)" "1 2 3 4"
	"$acrctl" report -i out --json | grep -q '"complete":true'
	expect_samples out 4
}

@test "acrctl record: killed while it finishes the file, leaves all samples" {
	# the totals, a header, the features, the final header
	for nr in 0 1 2 3 4; do
		rm -f log out
		status=0
		FAKE_AFTER=READ FAKE_WRITE=$nr:kill faulty record -q -e "$group" -o out -- "$busy" 2> err || status=$?
		expect_samples out 10
		[ "$nr" = 4 ] || { [ "$status" = 137 ] && expect_unfinished out; }
	done
	[ "$status" = 0 ]
	"$acrctl" report -i out --json | grep -q '"complete":true'
}

@test "acrctl record: killed while it runs, leaves all that it wrote, with command, events and group" {
	plays "$busy" 60 40
	fake_start record -q -e "$group" -o out -- sleep 1000
	recorder=$!
	wait_until has_command
	many() { [ "$(samples_of "$acrctl" out)" -ge 100 ]; }
	wait_until many
	# it can be read in the meantime
	expect_unfinished out
	kill -KILL $recorder
	wait $recorder || true
	expect_samples out 100
	expect_unfinished out
	expect_lost out 0
	python3 - "$group" <<-'PYTHON'
	import json, sys
	r = json.load(open("report.json"))
	assert r["cmdline"].startswith("acrctl record -q -e " + sys.argv[1]), r["cmdline"]
	assert [e["name"] for e in r["events"]] == ["cpu/instructions,period=200000,acr_mask=0x2/u", "cpu/cycles,period=100000,acr_mask=0x3/u"]
	assert {e["leader"] for e in r["events"]} == {"cpu/instructions,period=200000,acr_mask=0x2/u"}
	PYTHON
	perfs | while read -r perf; do
		$perf report -i out --stdio 2> /dev/null < /dev/null | grep -q "anon group { cpu/instructions,period=200000,acr_mask=0x2/u" || exit 1
		$perf annotate -i out --stdio -s first_half 2> /dev/null < /dev/null | grep -q nop || { echo "$perf does not annotate"; exit 1; }
	done
	run "$acrctl" script -i out
	[[ $output = *"out: the recording was not closed"* ]]
}

@test "acrctl record: on a disk that is full at any write, keeps what fits and has the rest as lost" {
	in_rounds 2
	samples= before=
	for ((nr = 5; nr < 60; nr++)); do
		rm -f log out
		status=0
		FAKE_WRITE=$nr:28 faulty record -e "$group" -o out -- cat fifo 2> err || status=$?
		echo "full at write $nr:"
		cat err
		[ "$status" = 1 ]
		# until all is written but the end
		! grep -q "^acrctl: record: finishing out: " err || break
		grep -q "^acrctl: record: writing out: No space left on device; make room there, or name a file elsewhere with -o$" err
		expect_unfinished out
		got=$(samples_of "$acrctl" out) || true
		missing=$((4 - got))
		grep -q "^acrctl: record: $missing samples and [0-9]* records about tasks and maps could not be written to out$" err
		grep -q "^acrctl: out (incomplete): $got samples, $missing lost," err
		[ "$(lost out)" = "$missing" ]
		samples+="$got "
		[ "$got" != "$before" ] || continue
		before=$got
		expect_samples out "$got"
		[ "$got" = 0 ] || expect_lost out "$missing"
	done
	is "$(tr ' ' '\n' <<< "$samples" | grep . | uniq | xargs)" "0 1 2 3 4"
}

@test "acrctl record: records about tasks that have no room are counted in the file" {
	# at the sixth write is the first such record, of the command
	FAKE_WRITE=5:28 run faulty record -e "$group" -o out -- "$busy"
	echo "$output"
	[ "$status" = 1 ]
	missing=$(sed -n 's/.* samples and \([0-9]*\) records about tasks and maps could not be written to out$/\1/p' <<< "$output")
	# of a command: its name, at which the write is cut in the middle, and its program
	is "$missing" 1
	run "$acrctl" report -i out
	[[ $output = *"out: $missing records about tasks and maps were lost; some names may be missing"* ]]
	perfs | while read -r perf; do
		$perf script -i out --show-lost-events 2>&1 < /dev/null | grep -q "PERF_RECORD_LOST lost $missing\$" || exit 1
	done
}

@test "acrctl record: without room for its end a file keeps all samples and stays readable" {
	FAKE_AFTER=READ FAKE_WRITE=0:122 run faulty record -e "$group" -o out -- "$busy"
	echo "$output"
	[ "$status" = 1 ]
	[[ $output = *"finishing out: Disk quota exceeded; look at the room left there"* ]]
	[[ $output = *"out (incomplete): 10 samples, 0 lost"* ]]
	expect_unfinished out
	expect_samples out 10
	expect_lost out 0
}

@test "acrctl record: a file at the limit of RLIMIT_FSIZE is kept up to that size" {
	starts "$busy" | play
	fake_start record -e "$group" -o out -- sleep 1000 2> err
	recorder=$!
	wait_until has_command
	wait_until test -s out
	# not before, since the device is made of files as well
	limit=$(($(stat -c %s out) / 4096 * 4096 + 65536))
	prlimit --pid $recorder --fsize=$limit
	halves "$busy" 1000 1000 | go_on
	status=0
	wait $recorder || status=$?
	cat err
	[ "$status" = 1 ]
	grep -q '^acrctl: record: writing out: File too large; raise the limit on the size of files (ulimit -f)$' err
	size=$(stat -c %s out)
	# a sample has 56 bytes
	[ "$size" -le $limit ]
	[ "$size" -gt $((limit - 56)) ]
	got=$(samples_of "$acrctl" out)
	[ "$got" -gt $(((65536 - 4096) / 56 - 100)) ]
	expect_samples out "$got"
	expect_unfinished out
	expect_lost out $((2000 - got))
}

@test "acrctl record: a faulty disk is an error, and what it holds is read" {
	in_rounds 10
	FAKE_WRITE=15:5 run faulty record -e "$group" -o out -- cat fifo
	echo "$output"
	[ "$status" = 1 ]
	[[ $output = *"writing out: Input/output error; the kernel log may say why"* ]]
	got=$(samples_of "$acrctl" out)
	[ "$got" -gt 0 ]
	[ "$got" -lt 20 ]
	[[ $output = *"out (incomplete): $got samples, "* ]]
	expect_samples out "$got"
	expect_unfinished out
}

@test "acrctl record: makes up no missing samples if the accounts cannot be read" {
	in_rounds 10
	FAKE_READ_ERRNO=5 FAKE_WRITE=15:28 run faulty record -e "$group" -o out -- cat fifo
	echo "$output"
	[ "$status" = 1 ]
	[[ $output = *"the accounts of '$group' cannot be read: Input/output error"* ]]
	got=$(samples_of "$acrctl" out)
	[ "$got" -gt 0 ]
	grep -q "^acrctl: record: 0 samples and [0-9]* records about tasks and maps could not be written to out$" <<< "$output"
	[[ $output = *"out (incomplete): $got samples, 0 lost"* ]]
}

@test "acrctl record: writes of a few bytes each make the same file" {
	FAKE_WRITE=short run faulty record -e "$group" -o out -- "$busy"
	[ "$status" = 0 ]
	expect_samples out 10
	"$acrctl" report -i out --json | grep -q '"complete":true'
	expect_lost out 0
}

@test "acrctl record: a full disk under a stream is an error, and the stream is read" {
	requires_mount_namespaces
	mkdir small
	plays "$busy" 500 500
	run unshare -m sh -c 'mount -t tmpfs -o size=16k none small || exit 99
		LD_PRELOAD="$1" "$2" record -e "$3" -o - -- sleep 1000 > small/out
		status=$?
		cp small/out out
		exit $status' sh "$BATS_FILE_TMPDIR/device.so" "$acrctl" "$group"
	echo "$output"
	[ "$status" = 1 ]
	[[ $output = *"writing standard output: No space left on device"* ]]
	got=$(samples_of "$acrctl" out)
	[ "$got" -gt 100 ]
	[[ $output = *"standard output (incomplete): $got samples, $((1000 - got)) lost"* ]]
	expect_samples out "$got"
}

@test "acrctl record: file and stream of a process with more descriptors than a record has room for" {
	cpus=$(getconf _NPROCESSORS_ONLN)
	[ "$(ulimit -Hn)" = unlimited ] || [ "$(ulimit -Hn)" -gt 10000 ] || skip "the hard limit on descriptors is $(ulimit -Hn)"
	# 8174 numbers of 64 bits fit into a record of 64 KiB, with an event
	start_threads $((8200 / cpus))
	{ echo "sample ip=0x1000 nr=10"; echo "signal 15"; } | play
	for output in out -; do
		rm -f log
		FAKE_PERF=tasks faulty record -q -p $runner -e "$group" -o $output > stream 2> err || { cat err; return 1; }
		[ "$(grep -c '^PERF ' log)" -gt 8174 ]
		[ $output = out ] || mv stream out
		is "$("$acrctl" script -i out -F pid | sort | uniq -c | xargs)" "10 $runner"
		"$acrctl" report -i out --json | grep -q '"complete":true'
		perfs | while read -r perf; do
			[ "$($perf script -i out -F ip < /dev/null 2> /dev/null | grep -c .)" = 10 ] || { echo "$perf $output"; exit 1; }
		done
	done
}
