#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Recordings that were killed, or had no room left: what acrctl and perf read, and what both programs and the file report.

load record_helpers

setup_file() { build_fixtures; }
setup() { common_setup; requires_perfs; }
teardown() { [ -z "${runner:-}" ] || kill "$runner" 2> /dev/null || true; }

# has_command: sets runner to the command that acrctl has started
has_command() { runner=$(cat /proc/$recorder/task/$recorder/children) && [ -n "$runner" ]; }

# The number of records that the device has written, of the last recording.
records() { awk '$1 == "records" { nr += $2 } END { print nr + 0 }' log; }

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
	requires_perf_events
	with_samples=0
	# The first five are done before the file has its name. How many there are differs from run to run: a run that ends
	# before enough of them were killed with samples in the file is repeated from an earlier write.
	for ((nr = 5, runs = 0; runs < 60; nr++, runs++)); do
		rm -f log out
		status=0
		FAKE_WRITE=$nr:kill faulty record -q -e "$group" -o out -- "$busy" 3 2> err || status=$?
		if [ "$status" != 137 ]; then
			[ "$with_samples" -lt 3 ] || break
			# by three, but not before the fifth, where no file has its name yet
			nr=$((nr > 8 ? nr - 4 : 4))
			continue
		fi
		expect_unfinished out
		got=$(samples_of "$acrctl" out) || true
		expect_samples out "$got"
		[ "$got" = 0 ] || with_samples=$((with_samples + 1))
	done
	echo "killed before write $nr, $runs runs, $with_samples times with samples"
	[ "$status" = 0 ]
	[ "$with_samples" -ge 3 ]
	"$acrctl" report -i out --json | grep -q '"complete":true'
	expect_samples out "$(records)"
}

@test "acrctl record: killed while it finishes the file, leaves all samples" {
	requires_perf_events
	# the totals, a header, the features, the final header
	for nr in 0 1 2 3 4; do
		rm -f log out
		status=0
		FAKE_AFTER=READ FAKE_WRITE=$nr:kill faulty record -q -e "$group" -o out -- "$busy" 3 2> err || status=$?
		expect_samples out "$(records)"
		[ "$nr" = 4 ] || { [ "$status" = 137 ] && expect_unfinished out; }
	done
	[ "$status" = 0 ]
	"$acrctl" report -i out --json | grep -q '"complete":true'
}

@test "acrctl record: killed while it runs, leaves all that it wrote, with command, events and group" {
	requires_perf_events
	FAKE_LIVE=1 fake_start record -q -e "$group" -o out -- "$busy" 100000
	recorder=$!
	wait_until has_command
	many() { [ "$(samples_of "$acrctl" out)" -ge 100 ]; }
	wait_until many
	# it can be read in the meantime
	expect_unfinished out
	kill -KILL $recorder
	wait $recorder || true
	got=$(samples_of "$acrctl" out)
	[ "$got" -ge 100 ]
	expect_samples out "$got"
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
	requires_perf_events
	for nr in 5 6 7 8 9 10 11 12 15 20 25; do
		rm -f log out
		status=0
		# acrctl writes when it is woken, more rarely on a busy machine, and stops when it cannot
		FAKE_LIVE=1 FAKE_WRITE=$nr:28 faulty record -e "$group" -o out -- "$busy" 2000 2> err || status=$?
		echo "full at write $nr, $(records) records:"
		cat err
		[ "$status" = 1 ]
		grep -q "^acrctl: record: writing out: No space left on device; make room there, or name a file elsewhere with -o$" err
		expect_unfinished out
		got=$(samples_of "$acrctl" out) || true
		missing=$(($(records) - got))
		grep -q "^acrctl: record: $missing samples and [0-9]* records about tasks and maps could not be written to out$" err
		grep -q "^acrctl: out (incomplete): $got samples, $missing lost," err
		[ "$(lost out)" = "$missing" ]
		expect_samples out "$got"
		[ "$got" = 0 ] || expect_lost out "$missing"
	done
}

@test "acrctl record: records about tasks that have no room are counted in the file" {
	requires_perf_events
	# at the sixth write is the first such record, of the command
	FAKE_WRITE=5:28 run faulty record -e "$group" -o out -- "$busy" 3
	echo "$output"
	[ "$status" = 1 ]
	missing=$(sed -n 's/.* samples and \([0-9]*\) records about tasks and maps could not be written to out$/\1/p' <<< "$output")
	[ "$missing" -ge 1 ]
	run "$acrctl" report -i out
	[[ $output = *"out: $missing records about tasks and maps were lost; some names may be missing"* ]]
	perfs | while read -r perf; do
		$perf script -i out --show-lost-events 2>&1 < /dev/null | grep -q "PERF_RECORD_LOST lost $missing\$" || exit 1
	done
}

@test "acrctl record: without room for its end a file keeps all samples and stays readable" {
	requires_perf_events
	FAKE_AFTER=READ FAKE_WRITE=0:122 run faulty record -e "$group" -o out -- "$busy" 3
	echo "$output"
	[ "$status" = 1 ]
	[[ $output = *"finishing out: Disk quota exceeded; look at the room left there"* ]]
	[[ $output = *"out (incomplete): $(records) samples, 0 lost"* ]]
	expect_unfinished out
	expect_samples out "$(records)"
	expect_lost out 0
}

@test "acrctl record: a file at the limit of RLIMIT_FSIZE is kept up to that size" {
	requires_perf_events
	FAKE_LIVE=1 fake_start record -e "$group" -o out -- "$busy" 100000 2> err
	recorder=$!
	wait_until has_command
	wait_until test -s out
	# not before, since the device is made of files as well
	limit=$(($(stat -c %s out) / 4096 * 4096 + 65536))
	prlimit --pid $recorder --fsize=$limit
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
	[ "$got" -gt 100 ]
	expect_samples out "$got"
	expect_unfinished out
	expect_lost out $(($(records) - got))
}

@test "acrctl record: a faulty disk is an error, and what it holds is read" {
	requires_perf_events
	FAKE_LIVE=1 FAKE_WRITE=15:5 run faulty record -e "$group" -o out -- "$busy" 2000
	echo "$output"
	[ "$status" = 1 ]
	[[ $output = *"writing out: Input/output error; the kernel log may say why"* ]]
	got=$(samples_of "$acrctl" out)
	[ "$got" -gt 0 ]
	expect_samples out "$got"
	expect_unfinished out
}

@test "acrctl record: makes up no missing samples if the accounts cannot be read" {
	requires_perf_events
	FAKE_LIVE=1 FAKE_READ_ERRNO=5 FAKE_WRITE=20:28 run faulty record -e "$group" -o out -- "$busy" 2000
	echo "$output"
	[ "$status" = 1 ]
	[[ $output = *"the accounts of '$group' cannot be read: Input/output error"* ]]
	got=$(samples_of "$acrctl" out)
	[ "$got" -gt 0 ]
	grep -q "^acrctl: record: 0 samples and [0-9]* records about tasks and maps could not be written to out$" <<< "$output"
	[[ $output = *"out (incomplete): $got samples, 0 lost"* ]]
}

@test "acrctl record: writes of a few bytes each make the same file" {
	requires_perf_events
	FAKE_WRITE=short run faulty record -e "$group" -o out -- "$busy" 3
	[ "$status" = 0 ]
	expect_samples out "$(records)"
	"$acrctl" report -i out --json | grep -q '"complete":true'
	expect_lost out 0
}

@test "acrctl record: a full disk under a stream is an error, and the stream is read" {
	requires_perf_events
	requires_mount_namespaces
	mkdir small
	run unshare -m sh -c 'mount -t tmpfs -o size=16k none small || exit 99
		FAKE_LIVE=1 LD_PRELOAD="$1" "$2" record -e "$3" -o - -- "$4" 1000 > small/out
		status=$?
		cp small/out out
		exit $status' sh "$BATS_FILE_TMPDIR/device.so" "$acrctl" "$group" "$busy"
	echo "$output"
	[ "$status" = 1 ]
	[[ $output = *"writing standard output: No space left on device"* ]]
	got=$(samples_of "$acrctl" out)
	[ "$got" -gt 100 ]
	[[ $output = *"standard output (incomplete): $got samples, $(($(records) - got)) lost"* ]]
	expect_samples out "$got"
}

@test "acrctl record: file and stream of a process with more descriptors than a record has room for" {
	requires_perf_events
	cpus=$(getconf _NPROCESSORS_ONLN)
	# 8174 numbers of 64 bits fit into a record of 64 KiB, with an event
	threads=$((8200 / cpus + 1))
	[ "$(ulimit -Hn)" = unlimited ] || [ "$(ulimit -Hn)" -gt 10000 ] || skip "the hard limit on descriptors is $(ulimit -Hn)"
	python3 -c "import threading, time
threading.stack_size(65536)
for i in range($threads): threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
print('ready', flush=True)
end = time.time() + 600
while time.time() < end: pass" > ready 3>&- &
	runner=$!
	wait_until grep -q ready ready
	fake_it() { LD_PRELOAD=$BATS_FILE_TMPDIR/device.so exec "$acrctl" record -q -p $runner -e "$group" "$@"; }
	for output in out -; do
		rm -f log
		(fake_it -o $output > stream 2> err) &
		recorder=$!
		wait_until enabled_or_gone $recorder 0
		runs_on $runner
		kill -TERM $recorder || true
		wait $recorder || { cat err; return 1; }
		[ $output = out ] || mv stream out
		[ "$("$acrctl" script -i out -F pid | sort -u | tr -d ' ')" = $runner ]
		"$acrctl" report -i out --json | grep -q '"complete":true'
		perfs | while read -r perf; do
			[ "$($perf script -i out -F ip < /dev/null 2> /dev/null | grep -c .)" = "$(records)" ] || { echo "$perf $output"; exit 1; }
		done
	done
}
