# SPDX-License-Identifier: GPL-2.0-only
# What the tests of record, report and script share: a device that samples with perf's CPU clock, a busy program.

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd -P)
acrctl=${BUILD:-$root/build}/acrctl
group='{cpu/instructions,period=200000,acr_mask=0x2/u,cpu/cycles,period=100000,acr_mask=0x3/u}'

# Built once for each file of tests, in $BATS_FILE_TMPDIR: the device and a program with two functions.
build_fixtures()
{
	[ -x "$acrctl" ] || { echo "no $acrctl: make userspace" >&2; return 1; }
	cc -shared -fPIC -O1 -o "$BATS_FILE_TMPDIR/device.so" "$root/selftests/cli/clock_device.c" -ldl
	cc -shared -fPIC -O1 -o "$BATS_FILE_TMPDIR/faulty_libc.so" "$root/selftests/cli/faulty_libc.c" -ldl
	cat > "$BATS_FILE_TMPDIR/busy.c" <<-'C'
	#include <stdlib.h>
	__attribute__((noinline)) void first_half(unsigned long n) { while (n--) __asm__ volatile("nop"); }
	__attribute__((noinline)) void second_half(unsigned long n) { while (n--) __asm__ volatile("nop"); }
	int main(int argc, char **argv)
	{
		unsigned long i, rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : 1;
		for (i = 0; i < rounds; i++) {
			first_half(HALF);
			second_half(HALF);
		}
		return 0;
	}
	C
	sed -i "s/HALF/$(iterations_ms 15)/" "$BATS_FILE_TMPDIR/busy.c"
	cc -O1 -g -o "$BATS_FILE_TMPDIR/busy" "$BATS_FILE_TMPDIR/busy.c"
}

# iterations_ms N: how often a CPU of this machine, at its fastest, runs the loop of busy in N milliseconds
iterations_ms()
{
	cat > "$BATS_FILE_TMPDIR/speed.c" <<-'C'
	#include <stdio.h>
	#include <stdlib.h>
	#include <time.h>
	int main(int argc, char **argv)
	{
		clock_t best = CLOCKS_PER_SEC, start;
		unsigned long n;

		for (int i = 0; i < 10; i++) {
			start = clock();
			for (n = 5000000; n--;)
				__asm__ volatile("nop");
			best = clock() - start < best ? clock() - start : best;
		}
		printf("%.0f\n", 5e6 / best * CLOCKS_PER_SEC / 1000 * strtoul(argv[argc - 1], NULL, 0));
		return 0;
	}
	C
	cc -O1 -o "$BATS_FILE_TMPDIR/speed" "$BATS_FILE_TMPDIR/speed.c" && "$BATS_FILE_TMPDIR/speed" "$1"
}

requires_perf_events()
{
	[ "$(id -u)" = 0 ] || [ "$(cat /proc/sys/kernel/perf_event_paranoid 2> /dev/null || echo 9)" -lt 2 ] ||
		skip "perf events are not allowed here (kernel.perf_event_paranoid)"
	[ -e /proc/sys/kernel/perf_event_paranoid ] || skip "this kernel has no perf events"
}

common_setup()
{
	cd "$BATS_TEST_TMPDIR" || return 1
	busy=$BATS_FILE_TMPDIR/busy
	# perf's cache of this user, and servers, know files that a test removes
	export HOME=$BATS_TEST_TMPDIR
	unset DEBUGINFOD_URLS
	export FAKE_LOG=$BATS_TEST_TMPDIR/log
}

# no_session: acrctl has asked the device for its CPUs at most
no_session() { [ ! -e log ] || ! grep -q '^CREATE' log; }

# in_functions: reads lines that end with a function; prints the number of samples in each function of busy.c, and of all others together,
# which perf may name differently
in_functions()
{
	awk '{ nr[$NF ~ /^(first_half|second_half|main)$/ ? $NF : "elsewhere"]++ } END { for (name in nr) print nr[name], name }' | sort
}

# equal_functions OURS THEIRS: two outputs of in_functions are equal and have both functions
equal_functions()
{
	[ "$1" = "$2" ] && grep -q first_half <<< "$1" && grep -q second_half <<< "$1" || { echo "ours: $1"; echo "theirs: $2"; return 1; }
}

# acrctl on the device that is made of perf's clock
fake() { LD_PRELOAD=$BATS_FILE_TMPDIR/device.so "$acrctl" "$@"; }

# the same where calls of the C library fail
faulty() { LD_PRELOAD=$BATS_FILE_TMPDIR/faulty_libc.so:$BATS_FILE_TMPDIR/device.so "$acrctl" "$@"; }

# fake_start ARGUMENTS...: the same in the background, as process $!. A shell lets background commands ignore SIGINT.
fake_start() { env --default-signal=INT LD_PRELOAD="$BATS_FILE_TMPDIR/device.so" "$acrctl" "$@" 3>&- & }

# wait_until COMMAND...: until it is true, for a minute at most
wait_until()
{
	local tries

	for tries in {1..600}; do
		! "$@" > /dev/null 2>&1 || return 0
		sleep 0.1
	done
	echo "waited in vain for: $*"
	return 1
}

# runs_for_a_while PID: it has long left the dynamic linker behind
runs_for_a_while() { [ "$(ticks "$1")" -gt 1 ]; }

# ticks PID: hundredths of a second that it has run, at user level
ticks() { cut -d' ' -f14 "/proc/$1/stat"; }

# runs_on PID: waits until it has run for another tenth of a second, which gives many samples
runs_on()
{
	local after=$(($(ticks "$1") + 10))

	# shellcheck disable=SC2016 # expanded by eval
	wait_until eval '[ "$(ticks '"$1"')" -ge '$after' ]'
}

# enabled_or_gone PID NR: acrctl has enabled more than NR sessions since the log began, or has ended
enabled_or_gone() { [ "$(grep -c '^ENABLE' log)" -gt "$2" ] || ! kill -0 "$1"; }

# record_process PID COMMAND...: records a process by such a command, until there are samples; returns acrctl's status
record_process()
{
	local pid=$1 enabled recorder

	shift
	enabled=$(grep -c '^ENABLE' log 2> /dev/null) || true
	env --default-signal=INT "$@" 3>&- &
	recorder=$!
	wait_until enabled_or_gone $recorder "${enabled:-0}"
	runs_on "$pid"
	kill -INT $recorder 2> /dev/null || true
	wait $recorder
}

requires_perf() { command -v perf > /dev/null && perf --version > /dev/null 2>&1 || skip "no perf for this kernel is installed"; }

# perfs: a command for each perf here: the system's, and those that setup.sh has fetched
perfs()
{
	local version

	! perf --version > /dev/null 2>&1 || echo perf
	for version in 6.1 newest; do
		! "$root/selftests/model/perf.sh" $version --version > /dev/null 2>&1 || echo "$root/selftests/model/perf.sh $version"
	done
}

requires_perfs() { [ -n "$(perfs)" ] || skip "there is no perf to read recordings: install it, or fetch it with selftests/model/setup.sh"; }

# samples_of COMMAND FILE: number of samples that a perf or acrctl reads; its errors are in FILE.err
samples_of() { $1 script -i "$2" -F ip,sym 2> "$2.err" < /dev/null | grep -cE '^ *[0-9a-f]+ '; }

requires_mount_namespaces() { unshare -m true 2> /dev/null || skip "mount namespaces are not allowed here"; }
