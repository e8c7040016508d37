#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The perf tool and a session: the second user is refused or not counted, and counts exactly later.
# shellcheck disable=SC2317,SC2086 # functions are called by ok, arguments are a list
# shellcheck source=selftests/hw/tap.sh
. "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
loops=2000000
exact=$((loops * 6))

hold_begin()
{
	mkfifo "$work/input"
	"$tools/hw_hold" < "$work/input" > "$work/hold" 2>&1 &
	hold=$!
	exec 9> "$work/input"
	until grep -q '^re' "$work/hold" || ! kill -0 "$hold"; do sleep 0.05; done
	cat "$work/hold"
	grep -q '^ready' "$work/hold"
}

hold_end()
{
	exec 9>&-
	wait "$hold"
	local status=$?

	rm -f "$work/input"
	cat "$work/hold"
	return $status
}

# The count that `perf stat -x,` printed last, or the text it printed instead.
counted() { awk -F, '/instructions/ { print $1 }' "$work/stat"; }

stat_is_exact()
{
	perf stat -x, -e instructions:u -o "$work/stat" "$tools/hw_loop" $loops
	cat "$work/stat"
	local count
	count=$(counted)
	# A program's own start is some 200000 instructions.
	[ "$count" -ge $exact ] && [ "$count" -le $((exact + 300000)) ]
}

stat_is_not_counted()
{
	local status=0

	# a number of an earlier run would be taken for this one's
	rm -f "$work/stat"
	perf stat -x, -e instructions "$@" -o "$work/stat" "$tools/hw_loop" $loops 2> "$work/err" || status=$?
	cat "$work/stat" "$work/err"
	# Refused as busy, or not counted; a number would be wrong.
	[ $status != 0 ] && grep -qiE 'busy|EBUSY' "$work/err" && return 0
	[ "$(counted)" = '<not counted>' ] || [ "$(counted)" = '<not supported>' ]
}

record_takes_no_sample()
{
	local status=0 samples

	rm -f "$work/data"
	perf record -q -e instructions -c 100000 -o "$work/data" "$@" -- "$tools/hw_loop" $loops > "$work/err" 2>&1 || status=$?
	cat "$work/err"
	[ $status != 0 ] && grep -qiE 'busy|EBUSY' "$work/err" && return 0
	# A recording that is none has no samples either.
	[ $status = 0 ] && perf script -i "$work/data" --show-task-events -F comm,event > "$work/events" 2> "$work/err" || return 1
	grep -q 'hw_loop.*PERF_RECORD_EXIT' "$work/events" || { cat "$work/events"; return 1; }
	samples=$(perf script -i "$work/data" -F ip 2> "$work/err" | grep -c .)
	echo "$samples samples"
	[ "$samples" = 0 ]
}

# Instructions use fixed counter 0: wait until IA32_FIXED_CTR_CTRL enables it. perf record reads symbols first.
wait_until_counting()
{
	until "$tools/hw_regs" | grep -q '0x38d 0x' || ! kill -0 "$1"; do sleep 0.1; done
}

refused_beside()
{
	"$@" > "$work/perf" 2>&1 &
	local perf=$! status=0

	wait_until_counting "$perf"
	"$tools/hw_hold" < /dev/null > "$work/hold" 2>&1 || status=$?
	kill -TERM "$perf"
	wait "$perf" 2> /dev/null
	cat "$work/hold" "$work/perf"
	# EBUSY, by name of the holder
	[ "$status" = 2 ] && grep -q "^refused -16 .*by 'perf'" "$work/hold"
}

# warns USERS: whether acrctl info warns of virtual machines while KVM has this many users
warns()
{
	local status

	echo "kvm_intel 380928 $1 - Live 0x0000000000000000" > "$work/modules"
	mount --bind "$work/modules" /proc/modules || return
	"$ACR_BUILD/acrctl" info > "$work/info"
	umount /proc/modules
	grep -A1 '^  virtual machines' "$work/info"
	grep -q '^  virtual machines  run here: guests that use counters count nothing where a session holds them$' "$work/info"
	status=$?
	[ $status = 0 ] || grep -q '^  virtual machines  none$' "$work/info" || status=2
	return $status
}

warns_not() { warns "$1"; [ $? = 1 ]; }

echo 0 > /proc/sys/kernel/nmi_watchdog
[ -d /sys/module/acrpmu ] || insmod "$module" $module_args

ok "perf stat counts a known loop exactly before the session" stat_is_exact
ok "a session is refused while perf stat -a runs" refused_beside perf stat -a -e instructions
"$tools/hw_loop" 100000000000 &
busy=$!
ok "a session is refused while perf stat counts a busy task" refused_beside perf stat -e instructions -p $busy
ok "a session is refused while perf record -a runs" \
	refused_beside perf record -q -a -e instructions -c 1000000 -o "$work/d"
kill $busy
ok "acrctl info warns of virtual machines that starve" warns 4
ok "acrctl info does not warn where KVM is loaded without any" warns_not 0
ok "a session samples on all CPUs" hold_begin
ok "perf stat counts nothing during the session" stat_is_not_counted
ok "perf stat -a counts nothing during the session" stat_is_not_counted -a
ok "perf record samples nothing during the session" record_takes_no_sample
ok "the session's accounts add up" hold_end
ok "perf stat counts a known loop exactly after the session" stat_is_exact
finish
