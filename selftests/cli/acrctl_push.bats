#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# acrctl push: profiles in a queue, and a server that fails in every way.

bats_require_minimum_version 1.5.0
load helpers
load device_helpers
load push_helpers

setup()
{
	requires_push
	cd "$BATS_TEST_TMPDIR" || return 1
	server=
	unset ACRCTL_PUSH_TOKEN http_proxy https_proxy HTTPS_PROXY all_proxy ALL_PROXY no_proxy NO_PROXY
	profile a 5000 a
}
teardown() { end_server; }

@test "acrctl push: a profile arrives whole, with its name, times and the label of this machine" {
	serve
	run push --push-name 'web{env=test}' a
	echo "$output"
	[ "$status" = 0 ]
	is "$output" "acrctl: push: 1 delivered, 0 waiting in acrctl-push.queue, 0 rejected, 0 lost"
	cmp server/1.profile a
	requests > stdout
	is "$(jq -r '.method + " " + .path' stdout)" "POST /ingest"
	is "$(jq -c '.query | [.format, .from, .until, .spyName]' stdout)" '[null,"1700000000","1700000010","acrctl"]'
	is "$(jq -r .query.name stdout)" "web{env=test,host=$(hostname | tr -c 'a-zA-Z0-9.\n-' _)}"
	is "$(jq -c .parts stdout)" '[["profile","application/octet-stream",5000]]'
	is "$(jq -r '.headers.authorization' stdout)" null
	is "$(waiting)" 0
}

@test "acrctl push: the path, the query, the tenant and a host label that were given are kept" {
	serve
	url+='/base/ingest?key=value' run push --push-tenant team1 --push-name 'web{host=h1}' a
	[ "$status" = 0 ]
	requests > stdout
	is "$(jq -r '.path + " " + .query.key + " " + .query.name + " " + .headers["x-scope-orgid"]' stdout)" \
		"/base/ingest value web{host=h1} team1"
}

@test "acrctl push: without a server profiles wait, status 1; when there is one, the queue alone is enough" {
	serve
	end_server
	run push --push-finish 1ms a
	echo "$output"
	[ "$status" = 1 ]
	[[ $output = *"0 delivered, 1 waiting in acrctl-push.queue, 0 rejected, 0 lost"* ]]
	is "$(waiting)" 1
	is "$(stat -c %a acrctl-push.queue acrctl-push.queue/*.push | xargs)" "700 600"
	old=$port
	serve
	sed -i "1,/^\$/s,127.0.0.1:$old,127.0.0.1:$port," acrctl-push.queue/*.push
	run "$acrctl" push
	echo "$output"
	[ "$status" = 0 ]
	cmp server/1.profile a
	is "$(waiting)" 0
}

@test "acrctl push: what may pass is tried again: errors of servers, broken connections, answers that are not HTTP" {
	for word in 503 close garbage; do
		serve --script $word,200
		run push a
		echo "$word: $output"
		[ "$status" = 0 ]
		[[ ${lines[0]} = "acrctl: push: $url: "*"; it is tried again, and profiles wait in acrctl-push.queue" ]]
		[[ $output = *"$url: profiles are delivered again"* ]]
		is "$(tail -n 1 server/requests | jq -r .word)" 200
		end_server
	done
}

@test "acrctl push: what is wrong with a profile is final: it is set aside with the reason, others are delivered" {
	profile b 6000 b
	serve --script 413,200
	run push a b
	echo "$output"
	[ "$status" = 1 ]
	[[ $output = *"profile "*" is not delivered: HTTP status 413: because of 413?[31m; it is kept in acrctl-push.queue/rejected"* ]]
	[[ $output = *"1 delivered, 0 waiting in acrctl-push.queue, 1 rejected, 0 lost" ]]
	cmp server/2.profile b
	is "$(rejected)" 1
	is "$(cat acrctl-push.queue/rejected/*.reason)" "HTTP status 413: because of 413?[31m"
	# it is never sent again
	run "$acrctl" push
	[ "$status" = 0 ]
	is "$(nr_requests)" 2
}

@test "acrctl push: a server that asks for time gets it: the profile waits, and acrctl does not" {
	serve --script 429:3000
	run push --push-finish 10m a
	echo "$output"
	[ "$status" = 1 ]
	[[ $output = *"HTTP status 429"* ]]
	is "$(nr_requests) $(waiting)" "1 1"
}

@test "acrctl push: a server that does not answer, or breaks off the request, costs one attempt" {
	for word in hang early; do
		serve --script $word
		push_until "it is tried again" --push-timeout 200ms a
		is "$(waiting)" 1
		rm -r acrctl-push.queue
		end_server
	done
}

@test "acrctl push: once a server has accepted a profile, the rest of its answer does not matter" {
	for word in huge cut slow; do
		serve --script $word
		# An answer that never ends takes as long as the limit, in which a busy machine must begin to answer.
		[ $word = slow ] && limit=10s || limit=10m
		run push --push-finish 10m --push-timeout $limit a
		echo "$word: $output"
		[ "$status" = 0 ]
		[[ $output = *' 1 delivered, 0 waiting'* ]]
		is "$(nr_requests)" 1
		end_server
		rm server/requests
	done
}

@test "acrctl push: a redirect is not followed, and reported" {
	serve --script redirect:3000
	run push --push-finish 10m a
	echo "$output"
	[ "$status" = 1 ]
	[[ $output = *"HTTP status 307: redirects are not followed; give the URL that it leads to"* ]]
	is "$(requests | jq -r .path)" /ingest
}

@test "acrctl push: the server's certificate must be trusted, for its host and in time" {
	certificate good IP:127.0.0.1
	certificate other DNS:other.example
	certificate expired IP:127.0.0.1 20210101000000Z
	serve --cert good
	url=https://127.0.0.1:$port
	push_until "ertificate.*it is tried again" a
	[ "$(nr_requests)" = 0 ]
	run push --push-ca good.crt a
	echo "$output"
	[ "$status" = 0 ]
	is "$(nr_requests)" 2
	end_server
	for cert in other expired; do
		serve --cert $cert
		url=https://127.0.0.1:$port
		push_until "ertificate.*it is tried again" --push-ca $cert.crt a
		is "$(nr_requests)" 2
		end_server
	done
}

@test "acrctl push: a name in a certificate does not command the terminal" {
	certificate hostile DNS:other.example '' $'a\e[31mb'
	serve --cert hostile
	url=https://127.0.0.1:$port
	push_until "it is tried again" --push-ca hostile.crt a
	grep -qF 'subject name (a?[31mb)' output
}

@test "acrctl push: a token comes from a file or the environment, and is in no argument, message or file of the queue" {
	serve --script 503:3000
	echo secret-of-file > token
	run push --push-finish 10m --push-token-file token a
	[ "$status" = 1 ]
	[[ $output != *secret* ]]
	is "$(requests | jq -r .headers.authorization)" "Bearer secret-of-file"
	run grep -rc secret acrctl-push.queue
	[ "$status" = 1 ]
	rm -r acrctl-push.queue server/requests
	ACRCTL_PUSH_TOKEN=secret-of-env run push --push-finish 10m a
	is "$(requests | jq -r .headers.authorization)" "Bearer secret-of-env"
	# a new one counts from the next attempt on
	rm -r acrctl-push.queue server/requests
	echo 503 > server/script
	push --push-token-file token a 3>&- &
	pid=$!
	wait_until has_requests 1
	echo secret-that-is-new > token
	echo 200 > server/script
	wait $pid
	is "$(requests | tail -n 1 | jq -r .headers.authorization)" "Bearer secret-that-is-new"
}

# plain COMMAND...: also root is then no more than the user of a process
plain()
{
	if [ "$(id -u)" = 0 ]; then
		exec setpriv --bounding-set=-all "$@"
	else
		exec "$@"
	fi
}

# has_become PID COMMAND: its program is this one
has_become() { [ "$(cat "/proc/$1/comm")" = "$2" ]; }

# reads PID: whether the kernel lets its user look into it, by the rule that it has for core files
reads() { (plain cat "/proc/$1/environ") > /dev/null 2>&1; }

@test "acrctl push: the process that sends, which has the token, leaves no core file and cannot be looked into" {
	plain sleep 6000 3>&- &
	other=$!
	wait_until has_become $other sleep
	reads $other || skip "no process can be looked into here"
	kill $other
	profile a 10 a
	url=http://127.0.0.1:1
	ACRCTL_PUSH_TOKEN=secret push_start a
	wait_until eval "! reads $sender"
	kill -0 "$sender"
	push_kill
}

@test "acrctl push: a token is only for the server that it was given for" {
	serve --script 503:3000
	run push --push-finish 10m a
	[ "$status" = 1 ]
	echo 200 > server/script
	echo secret > token
	run "$acrctl" push --push "$url/other" --push-token-file token
	echo "$output"
	[ "$status" = 0 ]
	is "$(requests | tail -n 1 | jq -r '.path + " " + .headers.authorization')" "/ingest "
}

@test "acrctl push: a token in clear text is refused but for addresses of this machine" {
	echo secret > token
	for host in example.org localhost 10.0.0.1; do
		run "$acrctl" push --push "http://$host/x?y=hidden" --push-token-file token
		echo "$output"
		[ "$status" = 2 ]
		[[ $output = *"would cross the network unencrypted to http://$host/x; use https"* ]]
	done
	run "$acrctl" push --push example.org
	[ "$status" = 2 ]
	is "$output" \
		"acrctl: push: --push: the URL begins with neither https:// nor http://; write it like https://profiles.example.org:4040"
	run "$acrctl" push --push http://user:hidden@example.org
	[ "$status" = 2 ]
	[[ $output = *"--push-token-file"* ]]
	[[ $output != *hidden* ]]
	[ ! -e acrctl-push.queue ]
}

@test "acrctl push: wrong options, and files that are missing, are refused before anything is sent" {
	serve
	echo > empty
	for arguments in "--push-queue-size 10" "--push-finish 0s" "--push-timeout 2h" "--push-name {x}" "--push-name a{b}" \
		"--push-tenant é" "--push ftp://x" "a" "--push $url a" "--push $url --from 5 --until 4 a" "--from 5" "--push-token-file t"; do
		run "$acrctl" push $arguments
		echo "$arguments: $output"
		[ "$status" = 2 ]
	done
	for arguments in "--push-ca missing" "--push-ca empty" "--push-token-file empty" "--push-queue /proc/x"; do
		[ "$arguments" != "--push-ca empty" ] || : > empty
		run push $arguments a
		echo "$arguments: $output"
		[ "$status" = 1 ]
		[[ $output = "acrctl: push: ${arguments% *} "* ]]
	done
	is "$(nr_requests)" 0
	run push a missing
	[ "$status" = 1 ]
	[[ $output = *"missing: No such file or directory; it is not sent"* ]]
	is "$(nr_requests)" 1
}

@test "acrctl push: a queue that is to be sent must exist, also that of the default" {
	run "$acrctl" push --push-queue nowhere
	[ "$status" = 1 ]
	[[ $output = "acrctl: push: --push-queue nowhere: No such file or directory; name a directory that "* ]]
	[ ! -e nowhere ]
	run "$acrctl" push
	echo "$output"
	[ "$status" = 1 ]
	[[ $output = "acrctl: push: --push-queue acrctl-push.queue: No such file or directory; name a directory that "* ]]
	[ ! -e acrctl-push.queue ]
}

@test "acrctl push: the queue of another user is refused with the remedy" {
	[ "$(id -u)" = 0 ] || skip "only root can give a directory to another user"
	mkdir strange
	chown 1 strange
	run "$acrctl" push --push-queue strange
	echo "$output"
	[ "$status" = 1 ]
	is "$output" \
		"acrctl: push: --push-queue strange: it belongs to another user; run acrctl as that user, or name a directory of your own"
}

@test "acrctl push: a damaged profile is set aside, and the others are delivered" {
	profile b 6000 b
	serve --script 503:3000
	run push --push-finish 10m a b
	is "$(waiting)" 2
	first=$(find acrctl-push.queue -maxdepth 1 -name '*.push' | sort | head -n 1)
	truncate -s -1 "$first"
	echo 200 > server/script
	run "$acrctl" push
	echo "$output"
	[ "$status" = 1 ]
	[[ $output = *"is not delivered: the file is damaged; it is kept in acrctl-push.queue/rejected"* ]]
	[[ $output = *"1 delivered, 0 waiting in acrctl-push.queue, 1 rejected, 0 lost" ]]
	is "$(rejected)" 1
}

@test "acrctl push: what is wrong with a profile is final, and reported as removed if there is no room for the reason" {
	# with its head 256 blocks, which is all of the queue
	profile full 1047000 f
	serve --script 413
	run push --push-queue-size 1M full
	echo "$output"
	[ "$status" = 1 ]
	[[ $output = *"is not delivered: HTTP status 413"*"; it is removed, since acrctl-push.queue has no room for the reason"* ]]
	is "$(rejected)" 0
}

@test "acrctl push: tokens, files and times without a use are refused with the remedy" {
	printf '%09000d' 0 > long
	run "$acrctl" push --push-tenant "$(cat long)"
	[ "$status" = 2 ]
	[[ $output = *"is empty, too long, or has"* ]]
	ACRCTL_PUSH_TOKEN=$(cat long) run "$acrctl" push --push http://127.0.0.1:1
	[ "$status" = 2 ]
	[[ $output = *"ACRCTL_PUSH_TOKEN is no token: it is too long"* ]]
	ACRCTL_PUSH_TOKEN=x run "$acrctl" push
	[ "$status" = 2 ]
	[[ $output = *"only for the server that --push names; add --push URL, or leave out ACRCTL_PUSH_TOKEN"* ]]
	run "$acrctl" push --push-finish 0
	[ "$status" = 2 ]
	[[ $output = *"is not a time from 1ms to an hour"* ]]
	mkfifo pipe
	serve
	run push pipe
	echo "$output"
	[ "$status" = 1 ]
	[[ $output = *"pipe: is no regular file; it is not sent"* ]]
	is "$(nr_requests)" 0
}

@test "acrctl push: the queue has a size; the oldest go, are counted, and the status is 1" {
	for name in a b c; do profile $name 400000 $name; done
	serve --script 503:3000
	run push --push-finish 10m --push-queue-size 1M a b c
	echo "$output"
	[ "$status" = 1 ]
	[[ $output = *"0 delivered, 2 waiting in acrctl-push.queue, 0 rejected, 1 lost" ]]
	[ "$(du -sb acrctl-push.queue | cut -f1)" -lt 1060000 ]
	profile d 1100000 d
	run push --push-finish 10m --push-queue-size 1M d
	echo "$output"
	[[ $output = *"a profile cannot be stored in acrctl-push.queue: File too large; it is lost"* ]]
	[[ $output = *"2 waiting in acrctl-push.queue, 0 rejected, 1 lost" ]]
}

@test "acrctl push: profiles that a full queue loses are reported at once, then at doubled numbers, even by -q" {
	for name in a b c d e f g h; do profile $name 400000 $name; done
	serve --script 503:3000
	lost="acrctl: push: acrctl-push.queue is full: the oldest profiles are lost"
	# two fit, and five have to go
	push_until "$lost, 4 so far; find out why they are not delivered, or raise --push-queue-size" \
		-q --push-queue-size 1M a b c d e f g
	is "$(grep -o "lost, .* so far" output | xargs)" "lost, 1 so far lost, 2 so far lost, 4 so far"
	rm -r acrctl-push.queue
	run push --push-finish 10m a b c d e f g h
	is "$(waiting)" 8
	# what is too much for the next one
	run "$acrctl" push -q --push-finish 10m --push-queue-size 1M
	echo "$output"
	[ "$status" = 1 ]
	[[ ${lines[0]} = "$lost, 6 so far; "* ]]
	[[ ${lines[1]} = *"0 delivered, 2 waiting in acrctl-push.queue, 0 rejected, 6 lost" ]]
}

@test "acrctl push: a queue has one owner; whoever is killed loses nothing" {
	serve --script hang
	push_start --push-timeout 1h a
	wait_until has_requests 1
	run "$acrctl" push
	echo "$output"
	[ "$status" = 1 ]
	[[ $output = *"--push-queue acrctl-push.queue: another acrctl uses it"* ]]
	# INT and TERM, as from a terminal or a service manager, do not end the process that sends
	kill -INT "$sender"
	kill -TERM "$sender"
	run "$acrctl" push
	[ "$status" = 1 ]
	push_kill
	is "$(waiting)" 1
	echo 200 > server/script
	run "$acrctl" push
	echo "$output"
	[ "$status" = 0 ]
	cmp server/2.profile a
}

@test "acrctl push: a proxy of the environment is used, but never for addresses of this machine" {
	serve
	http_proxy=http://127.0.0.1:1 run push a
	[ "$status" = 0 ]
	proxy=$url
	url=http://profiles.invalid http_proxy=$proxy run push a
	echo "$output"
	[ "$status" = 0 ]
	is "$(requests | tail -n 1 | jq -r .headers.host)" profiles.invalid
}

@test "acrctl push: shows on a terminal that it still sends, unless it is to be quiet" {
	command -v script > /dev/null || skip "script is not installed"
	serve --script hang
	TERM=xterm script -qec "$acrctl push --push $url --from 1700000000 --until 1700000010 --push-finish 3s a" typescript < /dev/null > shown || [ $? = 1 ]
	grep -q 'acrctl: sending from acrctl-push.queue: 0 delivered' shown || { cat -v shown; return 1; }
	TERM=xterm script -qec "$acrctl push -q --push-finish 3s" typescript < /dev/null > shown || [ $? = 1 ]
	if grep 'sending from' shown; then false; fi
}
