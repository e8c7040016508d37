#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# When acrctl record and stat count, and at which levels: --delay, --duration, --control, --all-user, --all-kernel.

bats_require_minimum_version 1.5.0
load helpers
load device_helpers

setup_file() { build_fixtures; }

setup()
{
	common_setup
	export ACRCTL_TSC_HZ=1500000000 ACRCTL_CPUID=GenuineIntel-6-DD-0
	mkfifo fifo ready ctl ack
}

# stat ARGUMENTS...: sets status, stdout, stderr
stat() { capture counting "$acrctl" stat "$@"; }

# with_commands COMMANDS PROGRAM...: the commands wait on descriptor 8, answers go to 9, and from there to the file answers
with_commands()
{
	exec 8<> ctl 9<> ack
	printf "$1" >&8
	shift
	"$@"
	exec 8>&-
	echo end >&9
	sed '/^end$/Q' < ack > answers
	exec 9>&-
}

nothing_happened() { [ ! -e ran ] && no_session; }

# instructions in a millisecond, see rate() in device/counts.c
per_ms=192000

# ---- refusals

@test "acrctl record, stat: bad times, descriptors and fifos are refused with status 2 before anything runs" {
	for command in record stat; do
		for arguments in "--delay x" "--delay -2" "--delay 0" "--delay 3600001" "-D 1.5" "--duration 0" "--duration 1s" \
			"--duration .5" "--duration 1." "--duration 1.2345" "--duration 31536001" "--duration -1" "--control 3" \
			"--control fd:" "--control fd:x" "--control fd:3,4,5" "--control fd:3," "--control fd:-1" \
			"--control fd:2147483648" "--control fifo:" "--control fifo:a," "--control fifo:a,b,c" \
			"--delay -1" "--all-user --all-kernel"; do
			IFS=' ' read -ra words <<< "$arguments"
			capture "$acrctl" $command -e cycles "${words[@]}" -- touch ran
			echo "arguments: $arguments"
			is "$status" 2
			has "$stderr" "acrctl: $command: "
			nothing_happened
		done
	done
}

@test "acrctl record, stat: refusals have reason and remedy" {
	for command in record stat; do
		capture "$acrctl" $command -e cycles --delay -1 true
		is "$stderr" "acrctl: $command: --delay -1 waits for a command 'enable', and there is no --control to receive one; add it"
		capture "$acrctl" $command -e cycles --delay 1.5 true
		has "$stderr" "give milliseconds, or -1 to wait for --control"
		capture "$acrctl" $command -e cycles --duration 1m true
		is "$stderr" "acrctl: $command: --duration '1m' is not a number of seconds from 0.001 to 31536000"
		capture "$acrctl" $command -e cycles --control 3 true
		has "$stderr" "write fd:CTL or fd:CTL,ACK with numbers, or fifo:CTL or fifo:CTL,ACK with paths"
		capture "$acrctl" $command -e cycles --all-user --all-kernel true
		is "$stderr" "acrctl: $command: --all-user and --all-kernel contradict each other; leave both out for both levels"
	done
	stat -r 2 --control fd:0 -e cycles true
	is "$status" 2
	has "$stderr" "-r and --control: runs that are switched by commands have no common mean"
}

@test "acrctl record, stat: descriptors that are not open, or not for that, and files that are no fifos, are refused" {
	touch file
	for command in record stat; do
		run_it() { capture fake $command -e cycles/period=100000/u "$@"; }
		run_it --control fd:57 -- touch ran
		is "$status" 1
		has "$stderr" "--control: descriptor 57 is not open; open it before, such as with 57< FILE in a shell"
		run_it --control fd:8 -- touch ran 8> out
		has "$stderr" "--control: descriptor 8 cannot be read"
		run_it --control fd:8,9 -- touch ran 8< file 9< file
		has "$stderr" "--control: descriptor 9 cannot be written"
		run_it --control fifo:missing -- touch ran
		has "$stderr" "--control: 'missing': No such file or directory; make the fifo with mkfifo(1) first"
		run_it --control fifo:ctl,file -- touch ran
		has "$stderr" "--control: 'file': it is not a fifo"
		nothing_happened
	done
}

# ---- levels

@test "acrctl stat: --all-user and --all-kernel are the levels of events that name none" {
	stat --all-user -a -e instructions -e cycles:k -e '{branches,branch-misses}:uk'
	is "$status" 0
	is "$(sed -n 's/^  event . config=\([^ ]*\) .* flags=\(.*\)$/\1 \2/p' log | tr '\n' ' ')" "0xc0 0x9 0x3c 0xa 0xc4 0xb 0xc5 0xb "
	rm log
	stat --all-kernel -a -e '{instructions,cycles:u}'
	is "$(sed -n 's/^  event . config=\([^ ]*\) .* flags=\(.*\)$/\1 \2/p' log | tr '\n' ' ')" "0xc0 0xa 0x3c 0x9 "
}

@test "acrctl record: --all-user and --all-kernel are the levels of events that name none, the default event included" {
	run fake record --all-user -e cycles -e cycles:k -c 1000003 -- true
	[ "$(grep -c 'flags=0x5$' log)" = 1 ]
	[ "$(grep -c 'flags=0x6$' log)" = 1 ]
	rm log
	run fake record --all-kernel -- true
	[[ ${lines[0]} = *"sampling cycles:k with period 1000003"* ]]
	grep -q 'flags=0x6$' log
}

# ---- times

@test "acrctl stat: --delay starts counting so many milliseconds after the target, --duration ends it so long after that" {
	stat -C 0 -e instructions -D 30
	is "$status" 0
	is "$(calls)" "UNPARK 0 PARK 0 RESET 0 UNPARK 0 ENABLE 0 DISABLE 0 READ 0 -1 "
	has "${stdout//,/}" "$((70 * per_ms))  instructions"
	stat -C 0 -e instructions --duration 0.04
	is "$status" 0
	has "${stdout//,/}" "$((40 * per_ms))  instructions"
	stat -C 0 -e instructions -D 30 --duration 0.05
	has "${stdout//,/}" "$((50 * per_ms))  instructions"
	# intervals and turns go on
	stat -C 0 -e instructions -I 20 -j --duration 0.05
	is "$(json '.groups[0].events[0].value' | tr '\n' ' ')" "$((20 * per_ms)) $((20 * per_ms)) $((10 * per_ms)) "
}

@test "acrctl stat: with --delay a command does not start its counters by exec" {
	FAKE_FIFO=fifo stat -D 30 -e instructions -- cat fifo
	is "$status" 0
	grep -q '^CREATE 0 flags=0x13 ' log
	has "${stderr//,/}" "$((70 * per_ms))  instructions"
}

@test "acrctl stat: --duration ends the command, which does not set the exit status" {
	FAKE_READY=ready stat --duration 0.04 -e instructions -- \
		sh -c 'trap "touch ended; exit 7" TERM; : > ready; sleep 60 3>&- & wait'
	is "$status" 0
	has "${stderr//,/}" "$((40 * per_ms))  instructions"
	[ -e ended ]
	stat --duration 0.04 -r 3 -e instructions -- sleep 60
	is "$status" 0
	has "${stderr//,/}" "$((40 * per_ms))  instructions"
	has "$stderr" "standard deviation of 3 runs"
	# a command that ends before is as ever
	FAKE_FIFO=fifo stat --duration 0.4 -e instructions -- sh -c 'cat fifo; exit 7'
	is "$status" 7
}

@test "acrctl record: --duration ends the recording and the command; the file is whole" {
	export FAKE_RUN_MS=10000 FAKE_READY=ready
	{ cat "$FAKE_SCRIPT"; echo "ms 499"; halves "$busy" 1 1; echo "ms 501"; halves "$busy" 50 50; } > later
	play < later
	capture fake record --duration 0.5 -e "$group" -- \
		sh -c 'trap "touch ended; exit 7" TERM; : > ready; sleep 60 3>&- & wait'
	is "$status" 0
	[ -e ended ]
	is "$(samples_of "$acrctl" perf.data)" 12
	"$acrctl" report --json | grep -q '"complete":true'
	unset FAKE_READY
	capture fake record --duration 0.5 -e "$group" -C 0
	is "$status" 0
	is "$(samples_of "$acrctl" perf.data)" 12
}

@test "acrctl record: with --delay the command starts, and sampling begins later" {
	export FAKE_RUN_MS=3000 FAKE_READY=ready FAKE_FIFO=fifo
	{ echo now; cat "$FAKE_SCRIPT"; } > soon
	play < soon
	capture fake record -D 2000 -e "$group" -- sh -c 'grep -c ^ENABLE log > before; : > ready; cat fifo'
	is "$status" 0
	is "$(cat before) $(grep -c ^ENABLE log)" "0 1"
	grep -q '^CREATE 0 flags=0x3 ' log
	is "$(sed -n 's/^NOW //p' log)" 2000
	is "$(samples_of "$acrctl" perf.data)" 10
}

# ---- commands

@test "acrctl stat: --control takes enable, disable, ping and stop, and answers ack" {
	with_commands 'ping\nenable\n' stat -C 0 -e instructions -D -1 --control fd:8,9 --duration 0.04
	is "$(cat answers)" $'ack\nack'
	has "${stdout//,/}" "$((40 * per_ms))  instructions"
	rm log
	with_commands 'disable\n' stat -C 0 -e instructions --control fd:8,9
	is "$(calls)" "UNPARK 0 PARK 0 RESET 0 UNPARK 0 ENABLE 0 DISABLE 0 DISABLE 0 READ 0 -1 "
	has "$stdout" " 0  instructions"
	# a command replaces the delay, twice is harmless
	rm log
	with_commands 'disable\ndisable\n' stat -C 0 -e instructions -D 30 --control fd:8,9
	is "$(cat answers)" $'ack\nack'
	is "$(grep -c ENABLE log)" 0
	rm log
	with_commands 'stop\nenable\n' stat -C 0 -e instructions --control fd:8,9
	is "$status" 0
	is "$(cat answers)" ack
	has "$stdout" " 0  instructions"
}

@test "acrctl stat: --control takes fifos, which need no reader or writer" {
	exec 8<> ctl 9<> ack
	printf 'enable\n' >&8
	stat -C 0 -e instructions -D -1 --control fifo:ctl,ack
	exec 8>&-
	echo end >&9
	is "$(sed '/^end$/Q' < ack)" ack
	exec 9>&-
	has "${stdout//,/}" "$((100 * per_ms))  instructions"
	stat -C 0 -e instructions --control fifo:ctl
	has "${stdout//,/}" "$((100 * per_ms))  instructions"
}

@test "acrctl stat: an unknown or endless command is answered with an error, and counting goes on" {
	with_commands 'evlist\nenable cycles\n\nping\n' stat -C 0 -e instructions --control fd:8,9
	is "$status" 0
	is "$(cat answers)" "error: there is no command 'evlist': write enable, disable, snapshot, ping or stop
error: there is no command 'enable cycles': write enable, disable, snapshot, ping or stop
ack"
	has "$stderr" "acrctl: stat: --control: there is no command 'evlist'"
	has "${stdout//,/}" "$((100 * per_ms))  instructions"
	with_commands "$(printf '%0200d' 0)\nping\n" stat -C 0 -e instructions --control fd:8,9
	is "$(cat answers)" $'error: no command is as long as that; end each with a line feed or NUL\nack'
}

@test "acrctl stat: a NUL ends a command as a line feed does" {
	with_commands 'enable\0disable\0\0ping\0enable\n\0ping\n' stat -C 0 -e instructions -D -1 --control fd:8,9 --duration 0.04
	is "$status" 0
	is "$(cat answers)" $'ack\nack\nack\nack\nack'
	is "$(calls | grep -o 'ENABLE 0 DISABLE 0 ENABLE 0')" "ENABLE 0 DISABLE 0 ENABLE 0"
}

@test "acrctl stat: snapshot prints the counts so far and does not change those at the end" {
	with_commands 'snapshot\n' stat -C 0 -e instructions -j --control fd:8,9
	is "$(cat answers)" ack
	is "$(json '[.groups[0].events[0].value, has("remarks")]' | tr '\n' ' ')" "[0,false] [$((100 * per_ms)),true] "
	with_commands 'snapshot\n' stat -C 0 -e instructions --control fd:8
	has "$stdout" "# snapshot after 0.000000 seconds"
	has "${stdout//,/}" "$((100 * per_ms))  instructions"
}

@test "acrctl stat: when all writers have closed their end of --control, counting goes on" {
	printf 'ping\n' > commands
	capture counting "$acrctl" stat -C 0 -e instructions --control fd:8 8< commands
	is "$status" 0
	has "${stdout//,/}" "$((100 * per_ms))  instructions"
}

@test "acrctl stat: a program that reads no answers does not hold up counting" {
	exec 8<> ctl 9<> ack
	# a pipe holds 64 KiB
	head -c 65536 /dev/zero >&9
	printf 'ping\nping\n' >&8
	capture counting "$acrctl" stat -C 0 -e instructions --control fd:8,9
	exec 8>&- 9>&-
	is "$status" 0
	is "$(grep -c 'nobody reads the answers' <<< "$stderr")" 1
}

@test "acrctl record: --control enables, disables, reports accounts and ends the recording" {
	exec 8<> ctl 9<> ack
	fake_start record -D -1 --control fd:8,9 -e "$group" -- sleep 1000 2> messages
	recorder=$!
	echo ping >&8
	read -r -t 60 answer <&9
	is "$answer" ack
	is "$(grep -c ENABLE log)" 0
	for command in enable disable snapshot nonsense; do
		echo $command >&8
		read -r -t 60 answer <&9
		echo "$command: $answer"
	done
	is "$answer" "error: there is no command 'nonsense': write enable, disable, snapshot, ping or stop"
	is "$(grep -cE '^(ENABLE|DISABLE)' log)" 2
	grep -q '^acrctl: record: snapshot: 10 samples, 0 lost, 0 throttled$' messages
	echo stop >&8
	read -r -t 60 answer <&9
	is "$answer" ack
	exec 8>&- 9>&-
	status=0
	wait $recorder || status=$?
	is "$status" 0
	[ -s perf.data ]
}

@test "acrctl record: a snapshot reports the module's losses, not samples that are still in the rings" {
	exec 8<> ctl 9<> ack
	# one sample is written after acrctl has read the rings
	FAKE_MISCOUNT=1 FAKE_LOST=2 FAKE_THROTTLED=3 fake_start record --control fd:8,9 -e "$group" -- sleep 1000 2> messages
	recorder=$!
	for command in snapshot snapshot stop; do
		echo $command >&8
		read -r -t 60 answer <&9
		is "$answer" ack
	done
	exec 8>&- 9>&-
	wait $recorder || true
	is "$(grep -cE '^acrctl: record: snapshot: 11 samples, 2 lost, 3 throttled$' messages)" 2
}
