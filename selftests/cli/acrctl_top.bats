#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# acrctl top without a terminal, with a device that plays scripts: blocks of text, options, ends.

bats_require_minimum_version 1.5.0
load helpers
load device_helpers

setup_file() { build_fixtures; }
setup()
{
	common_setup
	when='instructions:u / cycles:u > 2'
}

# blocks: how many blocks of text are on standard output
blocks() { grep -c '^# Overhead' stdout; }

# rows: the rows of the last block, as "SAMPLES REST"
rows() { awk '/^# Overhead/ { n = 0 } /^ / { row[n++] = $0 } END { for (i = 0; i < n; i++) print row[i] }' stdout | sed -E 's/^ *[0-9.]+% +//'; }

@test "acrctl top: --help names every option and exits 0" {
	capture "$acrctl" top --help
	is "$status" 0
	for option in --event --count --when --window --samples-per-sec --acr --all-user --all-kernel --events --all-cpus --cpu --pid \
		--tid --cgroup --no-inherit --delay --iterations --sort --per-cpu --per-task --zero --since-start --percent-limit \
		--entries --plain --stdio --mmap-pages --exclude-guest --pause-watchdog --help; do
		has "$stdout" "$option"
	done
}

@test "acrctl top: a wrong command line is refused with status 2, before anything runs" {
	for arguments in "-d 0" "-d 0.05" "-d x" "-d 86401" "-n 0" "-n x" "-s nonsense" "-s ," "--percent-limit 101" "--percent-limit -1" \
		"--percent-limit x" "--percent-limit nan" "--entries x" "--zero --since-start" "-a -C 0" "-a -p 1" "-F 100" \
		"--window 5" "--when ipc>" "--when ipc>2 -e cycles" "-m 3" "--nonsense" "--all-user --all-kernel" "-C 0-x"; do
		capture fake top $arguments -- touch ran
		is "$status" 2
		has "$stderr" "acrctl: top: "
		[ ! -e ran ]
	done
	no_session
	capture fake top -d 0.05
	is "$stderr" "acrctl: top: -d '0.05' is not a number of seconds from 0.1 to 86400"
	capture fake top -s cpus
	is "$stderr" "acrctl: top: --sort 'cpus' is not known; use comm, pid, tid, cpu, dso or sym, with commas between them"
	capture fake top --percent-limit 7x
	is "$stderr" "acrctl: top: --percent-limit '7x' is not a number of percent from 0 to 100"
	capture fake top --zero --since-start
	is "$stderr" "acrctl: top: --zero shows the last interval, and --since-start all of them; leave one of the two out"
}

@test "acrctl top: the session of a condition is that of record, and the last block has all its samples" {
	capture fake top --since-start -d 3600 --when "$when" -- "$busy"
	is "$status" 0
	is "$stderr" ""
	is "$(blocks)" 1
	grep -q '^CREATE 0 flags=0x7 nr_events=2 ' log
	grep -q 'event 0 config=0xc0 extra=0 period=200000 acr_mask=0x2 flags=0x5$' log
	grep -q 'event 1 config=0x3c extra=0 period=100000 acr_mask=0x3 flags=0x1$' log
	is "$(rows | awk '{ print $1, $2, $3, $4 }')" $'6 busy [.] first_half\n4 busy [.] second_half'
	has "$stdout" " $when, $busy"
	is "$(grep -c '^CLOSE' log)" 1
}

@test "acrctl top: -n ends after so many blocks, with the command, and without an escape sequence" {
	mkfifo ready
	FAKE_RUN_MS=10000 FAKE_READY=ready capture fake top -n 2 -d 0.2 --when "$when" -- sh -c 'echo $$ > pid; : > ready; exec sleep 1000'
	is "$status" 0
	is "$(blocks)" 2
	! grep -q $'\033' stdout || return 1
	! kill -0 "$(cat pid)" 2> kill.err || return 1
	is "$(grep -c '^CLOSE' log)" 1
}

@test "acrctl top: without a target it samples all CPUs; --plain and --stdio print text" {
	for option in --plain --stdio; do
		rm -f log
		FAKE_RUN_MS=10000 capture fake top $option -n 1 -d 0.1 --when "$when"
		is "$status" 0
		grep -q '^CREATE 0 flags=0 .*cpus_size=[1-9]' log
		has "$stdout" " $when, all CPUs"
	done
}

@test "acrctl top: returns the command's exit status, 127 or 126" {
	capture fake top -d 3600 --when "$when" -- sh -c 'exit 7'
	is "$status" 7
	capture fake top -d 3600 --when "$when" -- ./missing
	is "$status" 127
	has "$stderr" "cannot run './missing': No such file"
}

@test "acrctl top: what the command prints is not among the blocks" {
	capture fake top -d 3600 --when "$when" -- echo from the command
	is "$status" 0
	is "$stderr" "from the command"
	! grep -q '^from' stdout || return 1
}

@test "acrctl top: keys distinguish rows, and programs that start in the meantime are known" {
	cp "$busy" later
	# a child of the command, then the command itself
	{
		echo "fork pid=4000001"
		starts "$busy" pid=4000001
		halves "$busy" 3 2 pid=4000001
		starts ./later
		halves ./later 5 4 cpu=1
	} > two
	sed 's/cpu=1/cpu=0/' two | play
	capture fake top --since-start -d 3600 --per-task --when "$when" -- true
	is "$(grep '^# Overhead' stdout)" "# Overhead    Samples  Command          Pid      Shared Object             Symbol"
	is "$(rows | awk '{ print $1, $2, ($3 == 4000001), $4, $6 }')" $'5 later 0 later first_half
4 later 0 later second_half
3 busy 1 busy first_half
2 busy 1 busy second_half'
	capture fake top --since-start -d 3600 -s comm --when "$when" -- true
	is "$(grep '^# Overhead' stdout)" "# Overhead    Samples  Command"
	is "$(rows | awk '{ print $1, $2 }')" $'9 later\n5 busy'
	[ "$(nproc)" -gt 1 ] || skip "there is one CPU only"
	play < two
	capture fake top --since-start -d 3600 --per-cpu --when "$when" -- true
	is "$(rows | awk '{ print $1, $2, $3, $5 }')" $'5 1 later first_half\n4 1 later second_half\n3 0 busy first_half\n2 0 busy second_half'
}

@test "acrctl top: --entries and --percent-limit leave rows out, and say so" {
	{ starts "$busy"; halves "$busy" 6 3; echo "sample ip=$(at "$busy" main)"; } | play
	capture fake top --since-start -d 3600 --entries 1 --when "$when" -- true
	is "$(rows | awk '{ print $1, $4 }')" "6 first_half"
	grep -qx '# since the start, by overhead, rows: 3, the first 1 are shown' stdout
	capture fake top --since-start -d 3600 --percent-limit 20 --when "$when" -- true
	is "$(rows | awk '{ print $1, $4 }')" $'6 first_half\n3 second_half'
	has "$stdout" ", from 20% on"
}

@test "acrctl top: -z shows the last interval, --since-start all samples, otherwise recent ones" {
	# there are samples, and then there are none
	export FAKE_RUN_MS=10000
	plays "$busy" 6 4 pid=4000001
	capture fake top -z -n 3 -d 0.2 -s comm -C 0 --when "$when"
	is "$(grep -c 'last interval, by overhead, rows: 1$' stdout) $(grep -c 'last interval, by overhead, rows: 0$' stdout)" "1 2"
	is "$(grep ' busy$' stdout | xargs)" "100.00% 10 busy"
	capture fake top --since-start -n 3 -d 0.2 -s comm -C 0 --when "$when"
	is "$(grep -c 'since the start, by overhead' stdout)" 3
	is "$(grep ' busy$' stdout | sort -u | xargs)" "100.00% 10 busy"
	is "$(grep -c ' busy$' stdout)" 3
	capture fake top -n 1 -d 0.1 --when "$when"
	has "$stdout" "recent, by overhead, rows: "
}

@test "acrctl top: names each CPU that somebody else took, also one that is lost later" {
	[ "$(nproc)" -ge 2 ] || skip "there is one CPU only"
	FAKE_TAKEN=1 FAKE_MORE_IF=$PWD/more fake_start top -a -d 0.1 --plain --when "$when" > stdout 2> stderr
	wait_until grep -q 'somebody else wrote .* on CPU 0' stderr
	is "$(grep -c 'as well' stderr || true)" 0
	touch more
	wait_until grep -q "': CPU 1 was taken as well$" stderr
	kill -INT $!
	! wait $! || false
	is "$(grep -c 'on CPU 0' stderr) $(grep -c 'as well' stderr)" "1 1"
}

@test "acrctl top: SIGTERM and SIGINT end it at once, with status 0, and release the session" {
	for sig in TERM INT; do
		rm -f log
		fake_start top -C 0 -d 3600 --when "$when" > stdout
		wait_until grep -q '^ENABLE' log
		kill -$sig $!
		wait $!
		is "$(grep -c '^CLOSE' log)" 1
	done
}

@test "acrctl top: ends quietly when its reader does" {
	fake top -C 0 -d 0.1 --when "$when" 2> stderr | head -n 1 > stdout
	is "${PIPESTATUS[*]}" "0 0"
	is "$(cat stderr)" ""
	is "$(grep -c '^CLOSE' log)" 1
}

@test "acrctl top: a signal ends it while its reader does not read" {
	mkfifo pipe
	exec 4<> pipe
	# a pipe holds 64 KiB
	head -c 65536 /dev/zero >&4
	fake_start top -a -d 0.1 --since-start --when "$when" > pipe
	# it is in poll() with two descriptors, without a time limit
	wait_until grep -qE '^7 0x[0-9a-f]+ 0x2 0xffffffff' /proc/$!/syscall
	kill -TERM $!
	wait $!
	exec 4<&-
	is "$(grep -c '^CLOSE' log)" 1
}

@test "acrctl top: an error of standard output is reported, with status 1" {
	[ -e /dev/full ] || skip "there is no /dev/full"
	status=0
	fake top -C 0 -d 0.1 --when "$when" > /dev/full 2> stderr || status=$?
	is "$status" 1
	has "$(cat stderr)" "acrctl: standard output: "
	status=0
	fake top -C 0 -n 3 -d 0.1 --when "$when" >&- 2> stderr || status=$?
	is "$status" 1
	has "$(cat stderr)" "acrctl: standard output: "
}

@test "acrctl top: what was lost and throttled is in each block, and warnings are at the end" {
	FAKE_RUN_MS=10000 FAKE_LOST=5 FAKE_THROTTLED=6 FAKE_STATE=32 capture fake top -n 1 -d 0.1 --when "$when" -- sleep 1000
	has "$stdout" " samples, 5 lost, 6 throttled, CPUs: $(getconf _NPROCESSORS_ONLN), every 0.1 s"
	has "$stderr" "acrctl: top: warning: a set-uid or otherwise privileged program was executed; it was not sampled, nor what it started; to see it, observe all CPUs with -a"
}

@test "acrctl top: explains a refused session and does not run the command" {
	FAKE_ERRNO=16 FAKE_REASON=33 capture fake top --when "$when" -- touch ran
	is "$status" 1
	has "$stderr" "acrctl: top: "
	[ ! -e ran ]
}

@test "acrctl top: says what to do where a process has more threads than there may be descriptors" {
	start_threads 29
	status=0
	(ulimit -n 30; FAKE_PERF=tasks faulty top --when "$when" -p $runner 2> stderr) || status=$?
	kill $runner
	is "$status" 1
	has "$(cat stderr)" "raise it with 'ulimit -n $((30 * $(getconf _NPROCESSORS_ONLN) + 64))' as root"
}

@test "acrctl top: without -e it samples cycles at user level, and says so" {
	capture fake top -d 3600 -- "$busy"
	is "$status" 0
	has "$stderr" "acrctl: top: no events were given: sampling cycles:u with period 1000003; choose others with -e"
	has "$stdout" " cycles:u, $busy"
}

@test "acrctl top: several events have a block each" {
	capture fake top -d 3600 -c 100000 -e cycles:u -e instructions:u -- "$busy"
	is "$(blocks)" 2
	has "$stdout" " cycles:u (event 1 of 2), $busy"
	has "$stdout" " instructions:u (event 2 of 2), $busy"
}

@test "acrctl top: on hybrid CPUs each kind of core has its condition" {
	export FAKE_KINDS=PE ACRCTL_CPUID=''
	{ starts "$busy"; halves "$busy" 6 4; halves "$busy" 2 1 session=1; } | play
	capture fake top --since-start -d 3600 --when "$when" -- true
	is "$status" 0
	is "$(blocks)" 2
	is "$(grep -c '^CREATE' log)" 2
	is "$(awk '/_half$/ { print $2 }' stdout | xargs)" "6 4 2 1"
}

@test "acrctl top: -F changes the length of windows" {
	FAKE_RUN_MS=1000 FAKE_OCCURS=0,2000000000 capture fake top -C 0 -d 3600 -F 1000 --when "$when"
	is "$status" 0
	is "$(sed -n '/^SET_PERIODS/,$s/^  event \(.\) period=/\1 /p' log)" $'0 20000000\n1 10000000'
}

@test "acrctl top: hostile names are printed without commands to a terminal" {
	cp "$busy" $'ev\033[2Jil\r'
	plays $'./ev\033[2Jil\r' 6 4
	capture fake top --since-start -d 3600 -s comm,dso,sym --when "$when" -- $'./ev\033[2Jil\r'
	is "$(rows | awk '{ print $2, $3, $5 }')" $'ev?[2Jil? ev?[2Jil? first_half\nev?[2Jil? ev?[2Jil? second_half'
	! grep -q $'[\033\r]' stdout || return 1
}
