#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# acrctl record --switch-output: files that follow each other, each complete, together all samples.

bats_require_minimum_version 1.5.0
load helpers
load record_helpers

setup_file() { build_fixtures; }

setup()
{
	requires_perf_events
	common_setup
	export FAKE_LIVE=1
	"$busy" 1000000 3>&- &
	load=$!
}

teardown() { kill "$load" "${recorder:-$load}" 2> /dev/null || true; }

# switching ARGUMENT...: records $load in the background, as process $recorder
switching()
{
	fake_start record -e cycles:u -c 100000 -p "$load" "$@" > output 2>&1
	recorder=$!
}

# complete: names of the files that are complete, the oldest first; an unfinished file has another suffix
complete()
{
	find . -regextype posix-extended -regex '\./perf\.data\.[0-9]{16}' | sed 's,^\./,,' | sort
}

has_complete() { [ "$(complete | wc -l)" -ge "$1" ]; }

# end_recording: sets status
end_recording()
{
	kill -INT "$recorder"
	status=0
	wait "$recorder" || status=$?
	cat output
}

# nr_samples FILE
nr_samples() { "$acrctl" script -i "$1" 2> "$1.notes" | wc -l; }

# taken: number of samples that the device has given, by its own log when it was last read
taken() { awk '/^  records/ { last = $2 } END { print last + 0 }' log; }

# check_files: each is complete and has its own header, build-ids and maps; together they have all samples
check_files()
{
	local file sum=0 nr

	for file in $(complete); do
		nr=$(nr_samples "$file")
		sum=$((sum + nr))
		[ ! -s "$file.notes" ]
		rm "$file.notes"
		[ "$nr" = 0 ] || "$acrctl" report -i "$file" --sort symbol 2> /dev/null | grep -Eq '(first|second)_half'
		grep -q "record: $file is complete" output
	done
	[ "$(taken)" -gt 10 ]
	is "$sum" "$(taken)"
	is "$(find . -name 'perf.data*' | sed 's,^\./,,' | sort)" "$(complete)"
	grep -q "perf.data.\*: $sum samples, .*($(complete | wc -l) files, " output
}

@test "acrctl record --switch-output: by time, files follow each other and lose nothing" {
	switching --switch-output=300ms
	wait_until has_complete 3
	end_recording
	[ "$status" = 0 ]
	check_files
}

@test "acrctl record --switch-output: no file has a count once somebody else has taken a CPU" {
	export FAKE_VALUE=700 FAKE_RUNNING_NS=1000 FAKE_TAKEN=1 FAKE_TAKEN_IF=$BATS_TEST_TMPDIR/taken
	fake_start record --acr=software --when 'ipc:u < 2' -p "$load" --switch-output=300ms > output 2>&1
	recorder=$!
	wait_until has_complete 1
	touch taken
	wait_until has_complete $(($(complete | wc -l) + 2))
	end_recording
	[ "$status" = 1 ]
	for file in $(complete); do "$acrctl" report --json -i "$file" 2> err; done |
		jq -c '[.complete, .events[0].running_ns, (.ratios[0] | .a, .b, .unknown)]' > reports
	is "$(head -n 1 reports)" '[true,1000,1400,700,null]'
	is "$(tail -n 1 reports)" '[false,0,null,null,"somebody else took a CPU from the session"]'
	is "$(sort -u reports | grep -c false)" 1
}

@test "acrctl record --switch-output: perf reads each file, with as many samples as acrctl" {
	requires_perfs
	switching --switch-output=300ms
	wait_until has_complete 2
	end_recording
	for file in $(complete); do
		nr=$(nr_samples "$file")
		while read -r perf; do
			is "$(samples_of "$perf" "$file")" "$nr"
			$perf buildid-list -i "$file" < /dev/null | grep -q "$busy"
		done <<< "$(perfs)"
	done
}

@test "acrctl record --switch-output: SIGUSR2 begins another file, without an argument and with 'signal'" {
	for mode in --switch-output --switch-output=signal; do
		switching $mode
		for nr in 1 2; do
			runs_on "$load"
			kill -USR2 "$recorder"
			wait_until has_complete $nr
		done
		end_recording
		is "$(complete | wc -l)" 3
		check_files
		rm perf.data.* log
	done
}

@test "acrctl record --switch-output: SIGUSR2 before the first file has begun ends nothing" {
	FAKE_SLOW=create switching --switch-output
	wait_until grep -q '^SLOW create' log
	kill -USR2 "$recorder"
	touch log.go
	wait_until has_complete 1
	runs_on "$load"
	end_recording
	[ "$status" = 0 ]
	check_files
}

@test "acrctl record --switch-output: with -z and --buildid-cache each file is readable without the others" {
	switching --switch-output=300ms -z --buildid-cache --buildid-dir cache
	wait_until has_complete 3
	end_recording
	[ "$status" = 0 ]
	check_files
	find cache -name elf -exec cmp {} "$busy" \; | { ! grep . ; }
	[ "$(find cache -name elf | wc -l)" = 1 ]
	for file in $(complete); do
		# HEADER_COMPRESSED, 27
		[ $(($(od -An -tu1 -j75 -N1 "$file") & 8)) != 0 ]
		while read -r perf; do
			is "$(samples_of "$perf" "$file")" "$(nr_samples "$file")"
		done < <(perfs)
	done
}

@test "acrctl record --switch-output: by size, files have at least that much of samples, and not much more" {
	switching --switch-output=4K
	wait_until has_complete 3
	end_recording
	check_files
	for file in $(complete | head -n 2); do
		# 56 bytes each
		[ "$(nr_samples "$file")" -ge 64 ]
	done
}

@test "acrctl record --switch-output: only the last files are kept" {
	switching --switch-output=100ms --switch-max-files 2
	wait_until eval '[ "$(grep -c "is complete" output)" -ge 5 ]'
	end_recording
	is "$(complete | wc -l)" 2
	is "$(complete | tail -n 1)" "$(sed -n 's/.* \(perf.data.[0-9]*\) is complete.*/\1/p' output | tail -n 1)"
}

@test "acrctl record --switch-output: what a command has started before a switch has its names after it" {
	fake_start record -e cycles:u -c 100000 --switch-output -- sh -c "'$busy' 1000000 & echo \$! > started; wait" > output 2>&1
	recorder=$!
	wait_until test -s started
	runs_on "$(cat started)"
	kill -USR2 "$recorder"
	wait_until has_complete 1
	# the next file begins with the names
	wait_until test -e perf.data
	runs_on "$(cat started)"
	kill "$(cat started)"
	wait "$recorder" || true
	last=$(complete | tail -n 1)
	[ "$("$acrctl" report -i "$last" --sort comm,symbol 2> /dev/null | grep -c 'busy .*_half')" -ge 1 ]
}

@test "acrctl record --switch-output: counts and times of a file are those since the one before" {
	FAKE_VALUE=1000 FAKE_RUNNING_NS=5000000 FAKE_MISSED_NS=3000000 switching --switch-output=200ms
	wait_until has_complete 2
	end_recording
	# the device always answers the same: all of it is in the first file
	first=$(complete | head -n 1)
	"$acrctl" report -i "$first" 2>&1 | grep -q "counted for 0.005000 s of the 0.008000 s"
	for file in $(complete | tail -n +2); do
		run "$acrctl" report -i "$file"
		[[ $output != *"counted for"* ]]
	done
}

@test "acrctl record --switch-output: what the accounts know to be missing is in the last file" {
	FAKE_LOST=7 switching --switch-output=200ms
	wait_until has_complete 2
	end_recording
	grep -q ' 7 lost' output
	for file in $(complete); do
		lost=0
		[ "$file" != "$(complete | tail -n 1)" ] || lost=7
		"$acrctl" report -i "$file" 2>&1 | grep -q " samples, $lost lost"
	done
}

@test "acrctl record --switch-output: a file of an earlier recording that has the name stays" {
	echo mine > perf.data
	switching --switch-output=200ms
	wait_until has_complete 1
	end_recording
	is "$(cat perf.data.old)" mine
}

@test "acrctl record --switch-output: a file that cannot begin ends the recording, and leaves those before it" {
	requires_mount_namespaces
	# shellcheck disable=SC2016 # expanded inside
	run unshare -m bash -c '
		mkdir small && mount -t tmpfs -o size=96k none small || exit 77
		# the second file has them all
		for i in {1..200}; do sleep 60 3>&- & done
		LD_PRELOAD=$1/device.so "$2" record -e cycles:u -c 100000 -p "$3" --switch-output=300ms -o small/perf.data
		echo "status $?"
		kill $(jobs -p)
		cp small/* .' bash "$BATS_FILE_TMPDIR" "$acrctl" "$load"
	[ "$status" != 77 ] || skip "tmpfs cannot be mounted"
	has "$output" "small/perf.data: No space left on device"
	has "$output" "samples and 0 records about tasks and maps could not be written to small/perf.data"
	has "$output" "status 1"
	[[ $output != *"cannot get the name"* && $output != *"finishing"* ]]
	# there is no other one
	is "$(find . -maxdepth 1 -name 'perf.data*')" "./$(complete)"
	[ "$(nr_samples "$(complete)")" -gt 0 ]
}

@test "acrctl record --switch-output: wrong arguments are refused" {
	while read -r text arguments; do
		# shellcheck disable=SC2086 # words
		capture fake record $arguments -a
		is "$status" 2
		has "$stderr" "$(tr _ ' ' <<< "$text")"
	done <<-'TABLE'
	neither_signal_nor_a_size_or_time --switch-output=100
	neither_signal_nor_a_size_or_time --switch-output=1x
	neither_signal_nor_a_size_or_time --switch-output=0s
	cannot_switch_standard_output --switch-output -o -
	limits_the_files_of_--switch-output --switch-max-files 3
	--switch-max-files --switch-output --switch-max-files x
	TABLE
	no_session
}
