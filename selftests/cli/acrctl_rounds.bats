#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# acrctl record --every: rounds, their profiles, and what becomes of both when a server, a process or the module fails.

bats_require_minimum_version 1.5.0
load helpers
load device_helpers
load push_helpers

setup_file()
{
	build_fixtures
	HOME=$BATS_FILE_TMPDIR GO111MODULE=off GOFLAGS='' GOPATH=/usr/share/gocode GOCACHE=$BATS_FILE_TMPDIR/go-cache \
		go build -o "$BATS_FILE_TMPDIR/read" "$root/selftests/cli/pprof/read.go"
}

setup()
{
	common_setup
	# in each round
	{ halves "$busy" 6 4; echo "say played"; } | play
	server='' recorder='' url=''
	unset ACRCTL_PUSH_TOKEN http_proxy https_proxy HTTPS_PROXY all_proxy ALL_PROXY no_proxy NO_PROXY
	"$busy" wait 3>&- &
	load=$!
	wait_until sleeps "$load"
}

teardown()
{
	[ -z "$recorder" ] || kill -KILL "$recorder" 2> /dev/null || true
	kill "$load" 2> /dev/null || true
	end_server
}

# rounds ARGUMENT...: takes rounds in the background, as process $recorder; output is its output
rounds()
{
	fake_start record --every 200ms --for 60ms --spread 0 -v -e cycles:u -c 100000 "$@" > output 2>&1
	recorder=$!
}

# to_server ARGUMENT...: the same, with profiles for $url
to_server() { rounds --push "$url" -p "$load" "$@"; }

# end_rounds [SIGNAL]: ends them; sets status
end_rounds()
{
	kill -"${1:-TERM}" "$recorder"
	status=0
	wait "$recorder" || status=$?
	recorder=
	cat output
}

# took NR: so many rounds are over
took() { [ "$(grep -c ' record: round [0-9]*:' output)" -ge "$1" ]; }

has_waiting() { [ "$(waiting)" -ge "$1" ]; }

# read_profiles: what the server has, in the order in which it came, as lines of JSON in profiles.json
read_profiles()
{
	local number

	for number in $(requests | jq 'select(.word == "200") | .number'); do
		"$BATS_FILE_TMPDIR/read" < "server/$number.profile" || return 1
	done > profiles.json
}

# in_profiles: number of samples in profiles.json
in_profiles() { jq -s '[.[].Samples[].Values[0]] | add' profiles.json; }

# taken: number of samples that the device has given, by its own log
taken() { awk '/^  records/ { sum += $2 } END { print sum + 0 }' log; }

@test "acrctl record --every: each round is a profile; together they have the samples that the device gave" {
	serve
	to_server
	wait_until took 4
	end_rounds
	[ "$status" = 0 ]
	read_profiles
	# the signal may end a round before it has samples
	[ "$(taken)" -ge 40 ]
	is "$(in_profiles)" "$(taken)"
	is "$(jq -c '[.Samples[] | {(.Stack[0]): .Values[0]}] | add' profiles.json | sort -u)" '{"first_half":6,"second_half":4}'
	grep -q " rounds: $(taken) samples, 0 lost, 0 throttled; 0 failed, " output
	grep -q "profiles: $(wc -l < profiles.json) delivered, 0 waiting in acrctl-push.queue, 0 rejected, 0 lost" output
}

@test "acrctl record --every: the server learns name, times and rate; types and labels are those that it can query" {
	serve
	# even if a round of 60 ms takes a second
	halves "$busy" 300 200 | play
	rounds --push "$url/x?key=secret" -p "$load" --push-name 'web{env=test}'
	wait_until took 2
	end_rounds
	requests | head -n 1 > stdout
	is "$(json '.path + " " + .query.name')" "/x web{env=test,host=$(hostname | tr -c 'a-zA-Z0-9.\n-' _)}"
	# seconds of the real clock, and not of another year or unit
	is "$(json '(.query.until | tonumber) - (.query.from | tonumber) | . >= 0 and . <= 3')" true
	is "$(json '.query.until | tonumber - now | . > -60 and . < 2')" true
	is "$(json '.query.sampleRate | tonumber > 10')" true
	read_profiles
	is "$(jq -sc '.[0].Types' profiles.json)" '["samples/count","cycles_u/count"]'
	is "$(jq -sc '[.[].Samples[].Labels] | unique' profiles.json)" '[{"comm":["busy"]}]'
	run grep -c secret profiles.json
	[ "$status" = 1 ]
}

@test "acrctl record --every: labels of samples can be chosen, and the condition is one" {
	serve
	fake_start record --every 200ms --for 60ms --spread 0 -v --when 'ipc:u > 2' --push "$url" --push-labels pid,cpu,condition -p "$load" \
		> output 2>&1
	recorder=$!
	wait_until took 2
	end_rounds
	read_profiles
	is "$(jq -sc '[.[].Samples[].Labels | del(.cpu)] | unique' profiles.json)" "[{\"condition\":[\"instructions:u / cycles:u > 2\"],\"pid\":[\"$load\"]}]"
	is "$(jq -sc '[.[].Samples[].Labels.cpu | length] | unique' profiles.json)" '[1]'
}

@test "acrctl record --every: without a server rounds go on, and later all profiles arrive, in order" {
	serve
	end_server
	to_server --push-finish 1ms
	wait_until took 3
	wait_until has_waiting 3
	end_rounds
	[ "$status" = 0 ]
	grep -q "$url: .*it is tried again, and profiles wait" output
	waited=$(waiting) old=$port
	grep -q "profiles: 0 delivered, $waited waiting in acrctl-push.queue, 0 rejected, 0 lost" output
	serve
	sed -i "1,/^\$/s,127.0.0.1:$old,127.0.0.1:$port," acrctl-push.queue/*.push
	to_server
	wait_until has_requests $((waited + 1))
	end_rounds
	[ "$status" = 0 ]
	read_profiles
	is "$(jq -s '[.[].Time] | . == sort' profiles.json)" true
	is "$(in_profiles)" "$(taken)"
}

@test "acrctl record --every: a server that hangs or fails does not delay a round" {
	for word in hang 503; do
		serve --script $word
		to_server --push-finish 1ms
		wait_until has_requests 1
		seen=$(grep -c ' record: round ' output) || true
		wait_until took $((seen + 3))
		end_rounds INT
		[ "$status" = 0 ]
		end_server
		rm -r acrctl-push.queue server
	done
}

@test "acrctl record --every: a full queue loses the oldest profiles, and the status says so" {
	serve --script 503
	# both fill it
	profile old1 522000 a
	profile old2 522000 b
	run push --push-finish 1ms --push-queue-size 1M old1 old2
	is "$(waiting)" 2
	to_server --push-queue-size 1M --push-finish 1ms
	wait_until took 2
	# before its end, when something can still be done about it
	wait_until grep -q 'acrctl: record: acrctl-push.queue is full: the oldest profiles are lost, 1 so far; ' output
	end_rounds
	[ "$status" = 1 ]
	grep -Eq 'profiles: 0 delivered, [0-9]+ waiting in acrctl-push.queue, 0 rejected, [12] lost' output
	[ "$(find acrctl-push.queue -size +100k | wc -l)" -lt 2 ]
}

@test "acrctl record --every: killed at any moment it leaves no process, and the next run sends what waits" {
	serve --script 503
	to_server --push-finish 1ms
	wait_until took 2
	wait_until has_waiting 1
	kill -KILL "$recorder"
	wait "$recorder" || true
	wait_until flock -n acrctl-push.queue/lock true
	# in the middle of a round
	: > log
	fake_start record --every 1h --for 30m --spread 0 -e cycles:u -c 100000 --push "$url" --push-finish 1ms -p "$load" > output 2>&1
	recorder=$!
	wait_until grep -q ENABLE log
	children=$(pgrep -P "$recorder")
	kill -KILL "$recorder"
	wait "$recorder" || true
	for child in $children; do wait_until eval "! kill -0 $child"; done
	recorder=
	wait_until flock -n acrctl-push.queue/lock true
	waited=$(waiting)
	echo 200 > server/script
	run "$acrctl" push
	echo "$output"
	[ "$status" = 0 ]
	[[ $output = *" $waited delivered, 0 waiting"* ]]
}

@test "acrctl record --every: a signal ends a round early, and what it has sampled is sent" {
	serve
	fake_start record --every 1h --for 30m --spread 0 -e cycles:u -c 100000 --push "$url" -p "$load" > output 2>&1
	recorder=$!
	wait_until grep -q '^played' log
	end_rounds
	[ "$status" = 0 ]
	read_profiles
	is "$(in_profiles)" 10
	is "$(taken)" 10
}

@test "acrctl record --every: a second signal ends everything, and the profile waits" {
	serve --script hang
	to_server --push-finish 1h
	wait_until has_requests 1
	kill -TERM "$recorder"
	wait_until eval '[ -z "$(pgrep -P '"$recorder"' | tail -n +2)" ]'
	end_rounds
	[ "$(waiting)" -ge 1 ]
	grep -q ' 0 delivered, [1-9][0-9]* waiting' output
}

@test "acrctl record --every: shows on a terminal that it still sends, unless it is to be quiet" {
	command -v script > /dev/null || skip "script is not installed"
	serve --script hang
	for option in -v -q; do
		"$busy" wait 3>&- &
		other=$!
		# it ends with the process
		TERM=xterm script -qec "env LD_PRELOAD=$BATS_FILE_TMPDIR/device.so $acrctl record $option --every 200ms --for 60ms \
			--spread 0 -e cycles:u -c 100000 --push $url --push-finish 3s -p $other" typescript < /dev/null > output 2>&1 3>&- &
		recorder=$!
		wait_until has_waiting 1
		kill $other
		wait "$recorder"
		recorder=
		cat -v output
		[ $option = -q ] || grep -q 'acrctl: sending from acrctl-push.queue: 0 delivered' output
		[ $option = -v ] || { if grep 'sending from' output; then false; fi; }
		rm -r acrctl-push.queue
	done
}

@test "acrctl record --every: -v explains the groups once, in the first round that samples" {
	: > busy-cpu
	FAKE_ERRNO=16 FAKE_REASON=9 FAKE_REFUSE_IF=busy-cpu rounds -o out.data -p "$load"
	wait_until grep -q 'this round has failed' output
	rm busy-cpu
	wait_until eval '[ "$(grep -c "round [0-9]*: [1-9]" output)" -ge 3 ]'
	end_rounds
	is "$(grep -c 'acrctl: record: group cycles:u' output)" 1
	grep -q '^  cycles: period 100000' output
}

@test "acrctl record --every: -q prints nothing but what fails or is lost" {
	serve
	for lost in 0 5; do
		FAKE_LOST=$lost FAKE_THROTTLED=3 fake_start record -q --every 200ms --for 60ms --spread 0 -e cycles:u -c 100000 \
			--push "$url" -p "$load" > output 2>&1
		recorder=$!
		seen=$(nr_requests)
		wait_until has_requests $((seen + 2))
		end_rounds
		[ $lost = 5 ] || is "$(cat output)" ""
		[ $lost = 0 ] || grep -q 'record: round 1: [0-9]* samples, 5 lost, 3 throttled' output
		[ $lost = 0 ] || grep -Eq ' rounds: [0-9]+ samples, [1-9][0-9]* lost' output
	done
}

@test "acrctl record --every: the server's certificate must be trusted; token and tenant are sent" {
	certificate good IP:127.0.0.1
	certificate other IP:127.0.0.1
	serve --cert good
	echo secret > token
	url=https://127.0.0.1:$port
	to_server --push-finish 1ms --push-ca other.crt --push-token-file token
	wait_until grep -q 'ertificate.*it is tried again' output
	end_rounds
	is "$(nr_requests)" 0
	grep -q ' 0 delivered, [1-9][0-9]* waiting' output
	to_server --push-ca good.crt --push-token-file token --push-tenant team
	wait_until has_requests 2
	end_rounds
	is "$(requests | jq -r '.headers.authorization' | sort -u)" "Bearer secret"
	is "$(requests | tail -n 1 | jq -r '.headers["x-scope-orgid"]')" team
}

@test "acrctl record --every: a round that is refused is reported, and the next one tries again" {
	serve
	: > busy-cpu
	FAKE_ERRNO=16 FAKE_REASON=9 FAKE_REFUSE_IF=busy-cpu to_server
	wait_until grep -q 'this round has failed; the next one begins in 0 s' output
	rm busy-cpu
	wait_until has_requests 2
	end_rounds
	[ "$status" = 0 ]
	grep -Eq ' [1-9][0-9]* failed, ' output
	: > busy-cpu
	FAKE_ERRNO=16 FAKE_REASON=9 FAKE_REFUSE_IF=busy-cpu to_server
	wait_until took 2
	end_rounds
	[ "$status" = 1 ]
}

@test "acrctl record --every: a failure that repeats is reported once, and its end" {
	: > busy-cpu
	FAKE_ERRNO=16 FAKE_REASON=9 FAKE_REFUSE_IF=busy-cpu \
		fake_start record --every 200ms --for 60ms -e cycles:u -c 100000 -p "$load" -o o > output 2>&1
	recorder=$!
	wait_until eval '[ "$(grep -c ^CREATE log)" -ge 4 ]'
	rm busy-cpu
	wait_until grep -q 'rounds work again' output
	end_rounds
	is "$(grep -c 'this round has failed' output)" 1
}

@test "acrctl record --every: a round that is killed is counted, and the next one works" {
	serve
	fake_start record --every 2s --for 1900ms --spread 0 -v --push "$url" -e cycles:u -c 100000 -p "$load" > output 2>&1
	recorder=$!
	wait_until grep -q ENABLE log
	kill -KILL "$(pgrep -P $recorder | tail -n 1)"
	wait_until grep -q 'signal 9 (Killed) ended the process of a round' output
	wait_until eval '[ "$(grep -c ENABLE log)" -ge 2 ]'
	end_rounds
	grep -Eq ' 1 failed, ' output
	is "$(find acrctl-push.queue -type f | grep -vc /lock)" 0
}

@test "acrctl record --every: processes that end are left out, and after the last one it ends" {
	serve
	"$busy" wait 3>&- &
	other=$!
	to_server -p $other
	wait_until took 1
	kill $other
	wait_until grep -q "process $other has ended" output
	wait_until took 3
	kill "$load"
	wait "$recorder"
	recorder=
	grep -q "process $load has ended" output
	grep -q ' 0 waiting in acrctl-push.queue, 0 rejected, 0 lost' output
}

@test "acrctl record --every: lost and throttled samples are in the profile and counted" {
	serve
	FAKE_LOST=5 FAKE_THROTTLED=3 to_server
	wait_until took 2
	end_rounds
	nr=$(grep -c ' record: round ' output)
	grep -q "record: round 1: [0-9]* samples, 5 lost, 3 throttled" output
	grep -q " $((5 * nr)) lost, $((3 * nr)) throttled; 0 failed" output
	read_profiles
	is "$(jq -sc '[.[].Comments[] | select(startswith("lost:"))] | unique' profiles.json)" '["lost: 5"]'
}

@test "acrctl record --every: a CPU that somebody else took in one round is in its profile or file, and the status is 1" {
	export FAKE_TAKEN=1 FAKE_TAKEN_IF=$BATS_TEST_TMPDIR/taken
	gone="somebody else took a CPU from the tasks' session; samples may be missing"
	serve
	to_server
	wait_until has_requests 1
	touch taken
	wait_until grep -q 'this round has failed; the next one begins in 0 s' output
	rm taken
	wait_until grep -q 'rounds work again' output
	end_rounds
	[ "$status" = 1 ]
	grep -q 'somebody else wrote .* on CPU 0, which the session held' output
	grep -Eq ' [1-9][0-9]* failed, ' output
	read_profiles
	is "$(jq -sc --arg gone "$gone" 'map(.Comments | index($gone) != null) | .[0], any, .[-1]' profiles.json | xargs)" "false true false"
	rounds -p "$load" -o out.data
	wait_until took 1
	touch taken
	wait_until grep -q 'this round has failed' output
	rm taken
	wait_until grep -q 'rounds work again' output
	end_rounds
	[ "$status" = 1 ]
	is "$(for file in out.data.*; do "$acrctl" report -i "$file" --json 2> err | jq .complete; done | sort -u | xargs)" "false true"
}

@test "acrctl record --every: a round without samples sends nothing, and is counted" {
	serve
	play < /dev/null
	to_server
	wait_until took 2
	end_rounds
	[ "$status" = 0 ]
	is "$(nr_requests)" 0
	grep -Eq ' 0 failed, [1-9][0-9]* without samples' output
}

@test "acrctl record --every: the process that sends may die: the next round starts it again" {
	serve --script hang
	to_server
	wait_until has_requests 1
	echo 200 > server/script
	kill -KILL "$(pgrep -P "$recorder" | head -n 1)"
	wait_until grep -q 'the process that sends profiles has ended; it is started again' output
	wait_until has_requests 3
	end_rounds
	read_profiles
	[ "$(wc -l < profiles.json)" -ge 2 ]
}

@test "acrctl record --every: without --push each round is a file, and the last ones are kept" {
	rounds -o out.data -p "$load" --switch-max-files 2
	wait_until took 4
	end_rounds
	[ "$status" = 0 ]
	is "$(find . -name 'out.data*' | wc -l)" 2
	for file in out.data.*; do
		[[ $file =~ ^out\.data\.[0-9]{16}$ ]]
		nr=$(sed -n "s/.*: \([0-9]*\) samples.*, $file .*/\1/p" output)
		is "$("$acrctl" script -i "$file" 2> /dev/null | wc -l)" "$nr"
	done
}

@test "acrctl record --every: with -z and --buildid-cache each round is a compressed file, and what it hit is kept" {
	rounds -o out.data -p "$load" -z --buildid-cache --buildid-dir cache
	wait_until took 2
	end_rounds
	[ "$status" = 0 ]
	for file in out.data.*; do
		# HEADER_COMPRESSED, 27
		[ $(($(od -An -tu1 -j75 -N1 "$file") & 8)) != 0 ]
		nr=$(sed -n "s/.*: \([0-9]*\) samples.*, $file .*/\1/p" output)
		is "$("$acrctl" script -i "$file" 2> /dev/null | wc -l)" "$nr"
	done
	cmp "$busy" "$(find cache -name elf)"
}

@test "acrctl record --every: --push with --buildid-cache keeps what the rounds hit" {
	serve
	to_server --buildid-cache --buildid-dir cache
	wait_until took 2
	end_rounds
	[ "$status" = 0 ]
	cmp "$busy" "$(find cache -name elf)"
	read_profiles
	is "$(in_profiles)" "$(taken)"
}

@test "acrctl record --every: the first round begins at once, or by chance within --spread" {
	serve
	fake_start record --every 24h --for 10ms --push "$url" -p "$load" > output 2>&1
	recorder=$!
	wait_until grep -q 'the first round begins in' output
	end_rounds
	[ "$status" = 0 ]
	# one of 86,400 begins at once
	grep -Eq 'begins in [1-9][0-9]* s' output
	fake_start record --every 24h --for 10ms -p "$load" -o o > output 2>&1
	recorder=$!
	wait_until grep -q ENABLE log
	end_rounds
}

@test "acrctl record --every: options that do not go together are refused before anything is done" {
	while read -r text arguments; do
		# shellcheck disable=SC2086 # words
		capture fake record $arguments
		is "$status" 2
		has "$stderr" "$(tr _ ' ' <<< "$text")"
	done <<-'TABLE'
	add_--for_10s --every 60s -a
	add_it --for 10s -a
	add_it --spread 10s -a
	must_be_shorter --every 10s --for 10s -a
	at_least_100ms --every 50ms --for 10ms -a
	is_not_a_time --every 60x --for 10s -a
	is_not_a_time --every 2d --for 10s -a
	add_--every_60s_--for_10s --push http://127.0.0.1:1 -a
	name_the_server_with_--push --push-queue q --every 60s --for 1s -a
	name_the_server_with_--push --push-labels cpu --every 60s --for 1s -a
	name_it_with_-p --every 60s --for 1s -- true
	leave_out_-D --every 60s --for 1s --duration 3 -a
	leave_out_-D --every 60s --for 1s -D 3 -a
	without_--switch-output --every 60s --for 1s --switch-output -a
	leave_out_-o --every 60s --for 1s --push http://127.0.0.1:1 -o x -a
	leave_out_-o,_-z --every 60s --for 1s --push http://127.0.0.1:1 -z -a
	and_--switch-max-files --every 60s --for 1s --push http://127.0.0.1:1 --switch-max-files 3 -a
	name_it_with_-o --every 60s --for 1s -o - -a
	is_not_a_list_of_labels --every 60s --for 1s --push http://127.0.0.1:1 --push-labels cpu,uid -a
	nothing_to_record --every 60s --for 1s
	TABLE
	no_session
	[ ! -e acrctl-push.queue ]
	capture fake record --every 60s --for 1s -p 999999999 --push http://127.0.0.1:1
	is "$status" 1
	has "$stderr" "there is no process 999999999"
	[ ! -e acrctl-push.queue ]
}
