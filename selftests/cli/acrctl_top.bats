#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# acrctl top without a terminal, with a fake device that samples by perf's CPU clock: blocks of text, options, ends.

bats_require_minimum_version 1.5.0
load helpers
load record_helpers

setup_file() { build_fixtures; }
setup()
{
	common_setup
	export FAKE_LIVE=1
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
	requires_perf_events
	capture fake top --since-start -d 3600 --when "$when" -- "$busy" 5
	is "$status" 0
	is "$stderr" ""
	is "$(blocks)" 1
	grep -q '^CREATE flags=0x7 nr_events=2 ' log
	grep -q 'event 0 config=0xc0 period=200000 acr_mask=0x2 flags=0x5$' log
	grep -q 'event 1 config=0x3c period=100000 acr_mask=0x3 flags=0x1$' log
	# main is between the two halves, and the dynamic linker before
	is "$(rows | awk '$1 > 2 { print $2, $3, $4 }' | sort)" $'busy [.] first_half\nbusy [.] second_half'
	is "$(rows | awk '{ sum += $1 } END { print sum }')" "$(awk '/^  records/ { n = $2 } END { print n }' log)"
	has "$stdout" " $when, $busy 5"
	is "$(tail -n 2 log)" "CLOSE"$'\n'"INFO" || is "$(grep -c '^CLOSE' log)" 1
}

@test "acrctl top: -n ends after so many blocks, with the command, and without an escape sequence" {
	requires_perf_events
	capture fake top -n 2 -d 0.2 --when "$when" -- sh -c 'echo $$ > pid; exec sleep 1000'
	is "$status" 0
	is "$(blocks)" 2
	! grep -q $'\033' stdout || return 1
	! kill -0 "$(cat pid)" 2> kill.err || return 1
	is "$(grep -c '^CLOSE' log)" 1
}

@test "acrctl top: without a target it samples all CPUs; --plain and --stdio print text" {
	requires_perf_events
	for option in --plain --stdio; do
		rm -f log
		capture fake top $option -n 1 -d 0.1 --when "$when"
		is "$status" 0
		grep -q '^CREATE flags=0 .*cpus_size=[1-9]' log
		has "$stdout" " $when, all CPUs"
	done
}

@test "acrctl top: returns the command's exit status, 127 or 126" {
	requires_perf_events
	capture fake top -d 3600 --when "$when" -- sh -c 'exit 7'
	is "$status" 7
	capture fake top -d 3600 --when "$when" -- ./missing
	is "$status" 127
	has "$stderr" "cannot run './missing': No such file"
}

@test "acrctl top: what the command prints is not among the blocks" {
	requires_perf_events
	capture fake top -d 3600 --when "$when" -- echo from the command
	is "$status" 0
	is "$stderr" "from the command"
	! grep -q '^from' stdout || return 1
}

@test "acrctl top: keys distinguish rows, and programs that start in the meantime are known" {
	requires_perf_events
	cp "$busy" later
	capture fake top --since-start -d 3600 --per-task --when "$when" -- sh -c '"$0" 2; exec ./later 2' "$busy"
	is "$(grep '^# Overhead' stdout)" "# Overhead    Samples  Command          Pid      Shared Object             Symbol"
	is "$(rows | awk '$1 > 2 && $2 == $4 { print $2, $6 }' | sort)" "$(printf '%s\n' {busy,later}\ {first,second}_half)"
	capture fake top --since-start -d 3600 -s comm --when "$when" -- "$busy" 2
	is "$(grep '^# Overhead' stdout)" "# Overhead    Samples  Command"
	is "$(rows | awk '{ print $2 }')" busy
	capture fake top --since-start -d 3600 --per-cpu --when "$when" -- taskset -c 0 "$busy" 2
	is "$(rows | awk '$1 > 2 && $3 == "busy" { print $2, $5 }' | sort)" $'0 first_half\n0 second_half'
}

@test "acrctl top: --entries and --percent-limit leave rows out, and say so" {
	requires_perf_events
	capture fake top --since-start -d 3600 --entries 1 --when "$when" -- "$busy" 5
	is "$(rows | wc -l)" 1
	grep -qE '^# since the start, by overhead, rows: ([2-9]|[1-9][0-9]+), the first 1 are shown$' stdout
	capture fake top --since-start -d 3600 --percent-limit 20 --when "$when" -- "$busy" 5
	is "$(rows | wc -l)" 2
	has "$stdout" ", from 20% on"
}

# last_block: the newest block that is whole
last_block() { awk 'BEGIN { RS = "" } { before = last; last = $0 } END { print before }' stdout; }
last_has() { last_block | grep -qE "$1"; }
# has_blocks NR: there are so many
has_blocks() { [ "$(blocks)" -ge "$1" ]; }

@test "acrctl top: -z shows the last interval, --since-start all samples, otherwise recent ones" {
	requires_perf_events
	# the program has samples, and then it sleeps
	for mode in -z --since-start; do
		rm -f log slept
		fake_start top $mode -d 0.2 -s comm --when "$when" -- sh -c '"$0" 3; : > slept; exec sleep 1000' "$busy" > stdout
		wait_until test -e slept
		case $mode in
		-z) wait_until last_has "last interval, by overhead, rows: 0" ;;
		*) wait_until has_blocks $(($(blocks) + 4)) && last_has "since the start, by overhead" && last_has " busy$" ;;
		esac
		kill -INT $!
		wait $! || true
	done
	capture fake top -n 1 -d 0.1 --when "$when"
	has "$stdout" "recent, by overhead, rows: "
}

@test "acrctl top: names each CPU that somebody else took, also one that is lost later" {
	requires_perf_events
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
	requires_perf_events
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
	requires_perf_events
	fake top -C 0 -d 0.1 --when "$when" 2> stderr | head -n 1 > stdout
	is "${PIPESTATUS[*]}" "0 0"
	is "$(cat stderr)" ""
	is "$(grep -c '^CLOSE' log)" 1
}

# is_full: the pipe has as much as half a second ago
is_full()
{
	local before=$in_pipe

	sleep 0.5
	in_pipe=$(python3 -c 'import array, fcntl, termios; n = array.array("i", [0]); fcntl.ioctl(4, termios.FIONREAD, n); print(n[0])')
	[ "$in_pipe" -gt 0 ] && [ "$in_pipe" = "$before" ]
}

@test "acrctl top: a signal ends it while its reader does not read" {
	requires_perf_events
	mkfifo pipe
	exec 4<> pipe
	fake_start top -a -d 0.1 --entries 0 --since-start --when "$when" > pipe
	in_pipe=0
	wait_until is_full
	kill -TERM $!
	wait $!
	exec 4<&-
	is "$(grep -c '^CLOSE' log)" 1
}

@test "acrctl top: an error of standard output is reported, with status 1" {
	requires_perf_events
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
	requires_perf_events
	FAKE_LOST=5 FAKE_THROTTLED=6 FAKE_STATE=32 capture fake top -n 1 -d 0.1 --when "$when" -- sleep 1000
	has "$stdout" " samples, 5 lost, 6 throttled, CPUs: $(getconf _NPROCESSORS_ONLN), every 0.1 s"
	has "$stderr" "acrctl: top: warning: a set-uid or otherwise privileged program was executed; it was not sampled, nor what it started; to see it, observe all CPUs with -a"
}

@test "acrctl top: explains a refused session and does not run the command" {
	requires_perf_events
	FAKE_ERRNO=16 FAKE_REASON=33 capture fake top --when "$when" -- touch ran
	is "$status" 1
	has "$stderr" "acrctl: top: "
	[ ! -e ran ]
}

@test "acrctl top: says what to do where a process has more threads than there may be descriptors" {
	requires_perf_events
	python3 -c '
import threading, time
for _ in range(29): threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
print("ready", flush=True)
time.sleep(600)' > ready 3>&- &
	wait_until grep -q ready ready
	(ulimit -n 30; FAKE_PERF=tasks faulty top --when "$when" -p $! 2> stderr) || status=$?
	kill $!
	is "$status" 1
	has "$(cat stderr)" "raise it with 'ulimit -n $((30 * $(getconf _NPROCESSORS_ONLN) + 64))' as root"
}

@test "acrctl top: without -e it samples cycles at user level, and says so" {
	requires_perf_events
	capture fake top -d 3600 -- "$busy"
	is "$status" 0
	has "$stderr" "acrctl: top: no events were given: sampling cycles:u with period 1000003; choose others with -e"
	has "$stdout" " cycles:u, $busy"
}

@test "acrctl top: several events have a block each" {
	requires_perf_events
	capture fake top -d 3600 -c 100000 -e cycles:u -e instructions:u -- "$busy" 2
	is "$(blocks)" 2
	has "$stdout" " cycles:u (event 1 of 2), $busy 2"
	has "$stdout" " instructions:u (event 2 of 2), $busy 2"
}

@test "acrctl top: on hybrid CPUs each kind of core has its condition" {
	requires_perf_events
	export FAKE_KINDS=PE ACRCTL_CPUID=''
	capture fake top -d 3600 --when "$when" -- "$busy" 2
	is "$status" 0
	is "$(blocks)" 2
	is "$(grep -c '^CREATE' log)" 2
}

@test "acrctl top: -F changes the length of windows" {
	requires_perf_events
	FAKE_OCCURS=0,2000000000 fake_start top -C 0 -d 3600 -F 1000 --when "$when" > stdout
	wait_until grep -q '^SET_PERIODS' log
	kill -INT $!
	wait $!
}

@test "acrctl top: hostile names are printed without commands to a terminal" {
	requires_perf_events
	cp "$busy" $'ev\033[2Jil\r'
	capture fake top --since-start -d 3600 -s comm,dso,sym --when "$when" -- $'./ev\033[2Jil\r' 2
	is "$(rows | awk '$1 > 2 { print $2, $3, $5 }' | sort)" $'ev?[2Jil? ev?[2Jil? first_half\nev?[2Jil? ev?[2Jil? second_half'
	! grep -q $'[\033\r]' stdout || return 1
}
