#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# acrctl record --switch-output: files that follow each other, each complete, together all samples.

bats_require_minimum_version 1.5.0
load helpers
load device_helpers

setup_file() { build_fixtures; }

setup()
{
	common_setup
	"$busy" wait 3>&- &
	load=$!
	wait_until sleeps "$load"
}

teardown() { kill "$load" 2> /dev/null || true; }

# switching ARGUMENT...: records $load until the script ends it; sets status
switching()
{
	status=0
	fake record -e cycles:u -c 100000 -p "$load" "$@" > output 2>&1 || status=$?
	cat output
}

# by_time: a script of a second, in which a file begins every 300 ms
by_time()
{
	export FAKE_RUN_MS=1000
	{
		halves "$busy" 1 0
		for n in 1 2 3; do echo "ms $((n * 300))"; halves "$busy" $((n + 1)) 1; done
	} | play
}
# the samples of its files
times="1 3 4 5"

# by_signal NR...: a script with so many samples before each signal, and at the end
by_signal()
{
	local nr

	{
		for nr in "${@:1:$(($# - 1))}"; do halves "$busy" "$nr" 0; printf '%s\n' "signal 12" poll; done
		halves "$busy" "${!#}" 0
		echo "signal 2"
	} | play
}

# complete: names of the files that are complete, the oldest first; an unfinished file has another suffix
complete()
{
	find . -regextype posix-extended -regex '\./perf\.data\.[0-9]{16}' | sed 's,^\./,,' | sort
}

# nr_samples FILE
nr_samples() { "$acrctl" script -i "$1" 2> "$1.notes" | wc -l; }

# check_files NR...: each is complete, has so many samples, and its own header, build-ids and maps
check_files()
{
	local file sum=0 nr got=()

	for file in $(complete); do
		nr=$(nr_samples "$file")
		got+=("$nr")
		sum=$((sum + nr))
		[ ! -s "$file.notes" ]
		rm "$file.notes"
		[ "$nr" = 0 ] || "$acrctl" report -i "$file" --sort symbol 2> /dev/null | grep -Eq '(first|second)_half'
		grep -q "record: $file is complete" output
	done
	is "${got[*]}" "$*"
	is "$(find . -name 'perf.data*' | sed 's,^\./,,' | sort)" "$(complete)"
	grep -q "perf.data.\*: $sum samples, .*($# files, " output
}

@test "acrctl record --switch-output: by time, files follow each other and lose nothing" {
	by_time
	switching --switch-output=300ms
	[ "$status" = 0 ]
	# shellcheck disable=SC2086 # words
	check_files $times
}

@test "acrctl record --switch-output: no file has a count once somebody else has taken a CPU" {
	export FAKE_VALUE=700 FAKE_RUNNING_NS=1000 FAKE_TAKEN=1 FAKE_TAKEN_IF=$BATS_TEST_TMPDIR/taken
	printf '%s\n' "signal 12" poll "say complete" "exists taken" "signal 12" poll "signal 12" poll "signal 2" | play
	fake_start record --acr=software --when 'ipc:u < 2' -p "$load" --switch-output > output 2>&1
	recorder=$!
	wait_until grep -q complete log
	touch taken
	status=0
	wait "$recorder" || status=$?
	cat output
	[ "$status" = 1 ]
	for file in $(complete); do "$acrctl" report --json -i "$file" 2> err; done |
		jq -c '[.complete, .events[0].running_ns, (.ratios[0] | .a, .b, .unknown)]' > reports
	is "$(wc -l < reports)" 4
	is "$(head -n 1 reports)" '[true,1000,1400,700,null]'
	is "$(tail -n 1 reports)" '[false,0,null,null,"somebody else took a CPU from the session"]'
	is "$(sort -u reports | grep -c false)" 1
}

@test "acrctl record --switch-output: perf reads each file, with as many samples as acrctl" {
	requires_perfs
	by_time
	switching --switch-output=300ms
	perfs | while read -r perf; do
		is "$(for file in $(complete); do samples_of "$perf" "$file"; done | xargs)" "$times"
		for file in $(complete); do $perf buildid-list -i "$file" < /dev/null | grep -q "$busy"; done
	done
}

@test "acrctl record --switch-output: SIGUSR2 begins another file, without an argument and with 'signal'" {
	by_signal 2 3 5
	for mode in --switch-output --switch-output=signal; do
		switching $mode
		[ "$status" = 0 ]
		check_files 2 3 5
		rm perf.data.* log
	done
}

@test "acrctl record --switch-output: SIGUSR2 before the first file has begun ends nothing" {
	{ halves "$busy" 6 4; echo poll; halves "$busy" 1 1; echo "signal 2"; } | play
	FAKE_SLOW=create fake_start record -e cycles:u -c 100000 -p "$load" --switch-output > output 2>&1
	recorder=$!
	wait_until grep -q '^SLOW create' log
	kill -USR2 "$recorder"
	touch log.go
	wait "$recorder"
	check_files 10 2
}

@test "acrctl record --switch-output: with -z and --buildid-cache each file is readable without the others" {
	requires_perfs
	by_time
	switching --switch-output=300ms -z --buildid-cache --buildid-dir cache
	[ "$status" = 0 ]
	# shellcheck disable=SC2086 # words
	check_files $times
	find cache -name elf -exec cmp {} "$busy" \; | { ! grep . ; }
	[ "$(find cache -name elf | wc -l)" = 1 ]
	for file in $(complete); do
		# HEADER_COMPRESSED, 27
		[ $(($(od -An -tu1 -j75 -N1 "$file") & 8)) != 0 ]
	done
	perfs | while read -r perf; do
		is "$(for file in $(complete); do samples_of "$perf" "$file"; done | xargs)" "$times"
	done
}

@test "acrctl record --switch-output: by size, files have at least that much of samples, and not much more" {
	{ for ((n = 0; n < 20; n++)); do halves "$busy" 6 4; echo poll; done; echo "signal 2"; } | play
	switching --switch-output=4K
	# ten of 56 bytes each are read at a time, with a mark of 8 bytes: seven times have 3976 bytes, eight 4544
	check_files 80 80 40
}

@test "acrctl record --switch-output: only the last files are kept" {
	by_signal 1 2 3 4 5 6
	switching --switch-output --switch-max-files 2
	is "$(for file in $(complete); do nr_samples "$file"; done | xargs)" "5 6"
	is "$(complete | tail -n 1)" "$(sed -n 's/.* \(perf.data.[0-9]*\) is complete.*/\1/p' output | tail -n 1)"
}

@test "acrctl record --switch-output: counts and times of a file are those since the one before" {
	by_signal 1 2 3
	FAKE_VALUE=1000 FAKE_RUNNING_NS=5000000 FAKE_MISSED_NS=3000000 switching --switch-output
	is "$(complete | wc -l)" 3
	# the device always answers the same: all of it is in the first file
	first=$(complete | head -n 1)
	"$acrctl" report -i "$first" 2>&1 | grep -q "counted for 0.005000 s of the 0.008000 s"
	for file in $(complete | tail -n +2); do
		run "$acrctl" report -i "$file"
		[[ $output != *"counted for"* ]]
	done
}

@test "acrctl record --switch-output: what the accounts know to be missing is in the last file" {
	by_signal 1 2 3
	FAKE_LOST=7 switching --switch-output
	grep -q ': 6 samples, 7 lost' output
	is "$(for file in $(complete); do "$acrctl" report -i "$file" 2>&1 | sed -n 's/^# \([0-9]*\) samples, \([0-9]*\) lost$/\1 \2/p'; done | xargs)" "1 0 2 0 3 7"
}

@test "acrctl record --switch-output: a file of an earlier recording that has the name stays" {
	echo mine > perf.data
	by_signal 1 2
	switching --switch-output
	is "$(cat perf.data.old)" mine
}

@test "acrctl record --switch-output: a file that cannot begin ends the recording, and leaves those before it" {
	requires_mount_namespaces
	by_signal 5 1
	# shellcheck disable=SC2016 # expanded inside
	run unshare -m bash -c '
		mkdir small && mount -t tmpfs -o size=96k none small || exit 77
		# the second file has them all
		for i in {1..200}; do sleep 60 3>&- & done
		LD_PRELOAD=$1/device.so "$2" record -e cycles:u -c 100000 -p "$3" --switch-output -o small/perf.data
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
	is "$(nr_samples "$(complete)")" 5
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
