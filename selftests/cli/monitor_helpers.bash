# SPDX-License-Identifier: GPL-2.0-only
# What the tests of monitor and ps share: a module that plays messages, at 12:00 on a machine with two Clearwater Forest CPUs.
# shellcheck shell=bash disable=SC2154 # root and acrctl_fake are of helpers.bash

build_monitor_fixtures() { cc -shared -fPIC -O1 -o "$BATS_FILE_TMPDIR/netlink.so" "$root/selftests/cli/fake_netlink.c" -ldl; }

monitor_setup()
{
	cd "$BATS_TEST_TMPDIR" || return 1
	export TZ=UTC ACRCTL_CPUID=GenuineIntel-6-DD-0 FAKE_NETLINK=$BATS_TEST_TMPDIR FAKE_NETLINK_LOG=$BATS_TEST_TMPDIR/requests
	preload=$BATS_FILE_TMPDIR/netlink.so
}

# on_module ARGUMENTS...: acrctl, which the module answers with what the files have
on_module() { capture timeout 60 env LD_PRELOAD="$preload" "$acrctl_fake" "$@"; }

# messages: a program on stdin writes the files; it has a session of acrctl and one of a strange process that has exited
messages()
{
	python3 -B - "$root/selftests/cli" <<-PYTHON
	import sys
	sys.path.insert(0, sys.argv[1])
	from netlink_messages import *
	USER, KERNEL, SAMPLED, COUNT = 1, 2, 4, 8
	T = NOON - SECOND // 2
	mine = who(7, 4711, b"acrctl")
	sampling = dict(mine, CREATED=NOON - 312 * SECOND, FLAGS=3, STATE=1, NR_TASKS=3, CPUS=cpus(0, 1, 2, 3), EVENT=[
	    dict(CONFIG=0x3c, PERIOD=100000, ACR_MASK=3, FLAGS=USER | SAMPLED),
	    dict(CONFIG=0xc0, PERIOD=200000, ACR_MASK=2, FLAGS=USER)],
	    PLACEMENT=[dict(CPUS=cpus(0, 1, 2, 3), COUNTERS=bytes([0, 33]))])
	strange = dict(who(9, 0, b"x\x1b[31m\xff", 4000000000), CREATED=NOON - 90000 * SECOND, FLAGS=1 << 20, STATE=12, CPUS=b"",
	    EVENT=[dict(CONFIG=0x18411c2, EXTRA=0x1234, FLAGS=KERNEL | COUNT)])
	counting = dict(who(11, 99, b"stat"), CREATED=NOON - 3 * SECOND, FLAGS=0, STATE=0, CPUS=cpus(0, 1, 5, 300), UNPLACED=1, EVENT=[
	    dict(CONFIG=0xc4, FLAGS=USER | KERNEL | COUNT), dict(CONFIG=0x81d0, FLAGS=USER | KERNEL | COUNT)],
	    PLACEMENT=[dict(CPUS=cpus(0), COUNTERS=bytes([0, 1])), dict(CPUS=cpus(1, 5), COUNTERS=bytes([3, 32]))])
	accounts = dict(TIME_ENABLED=2000, TIME_RUNNING=1000, TIME_MISSED=0, RECORDS=0, LOST=0, THROTTLED=0, DISCARDED=0, GUEST=0, QUIET=0)
	unloaded = message("UNLOADED", TIME=NOON)
	def exists(*sessions):
	    return [message("SESSION_GET", **s) for s in sessions]
	$(cat)
	PYTHON
}

# lines: stdout without times, which are all of that day
lines() { sed -E 's/^2026-11-25 (11:59:59\.500|12:00:00\.000) //' stdout; }
