#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs suites one after another in a guest, and checks after each that it has left nothing behind.
# usage: in-guest.sh SUITE...   output and what a suite writes go to $ACR_OUT/SUITE; `seconds` there is written when it has ended
set -u
# shellcheck source=selftests/model/common.sh
. "$(dirname "$0")/../model/common.sh"
# shellcheck source=selftests/run/suites.sh
. "$(dirname "$0")/suites.sh"
boot_out=${ACR_OUT:?}
work=$(mktemp -d)
ours=(acrpmu acrpmu_fail no_tsc rival kvm)
# What suites set for themselves; in-tree perf lowers its sample rate on its own.
settings=(/sys/kernel/rcu_{normal,expedited} /proc/sys/debug/kprobes-optimization
	/proc/sys/kernel/{nmi_watchdog,perf_event_max_sample_rate,perf_cpu_time_max_percent,perf_event_paranoid,kptr_restrict})

keep_settings()
{
	local file

	for file in "${settings[@]}"; do
		[ ! -e "$file" ] || printf '%s %s\n' "$file" "$(< "$file")"
	done > "$work/settings"
}

restore_settings()
{
	local file value

	while read -r file value; do
		[ "$(< "$file")" = "$value" ] || echo "$value" > "$file"
	done < "$work/settings"
}

# What counts: the control of fixed counters, and each counter that is enabled. In-tree perf leaves the rest of its last events, and
# GLOBAL_CTRL set when it first uses a CPU.
counting()
{
	local regs status=0

	# Without a PMU that the model has, the kernel refuses even this.
	echo 0 2> /dev/null > /proc/sys/kernel/nmi_watchdog
	regs=$("${ACR_BUILD:?}/selftests/guest/hw_regs" 2>&1) || status=$?
	restore_settings
	[ "$status" = 0 ] || [[ ${ACR_PROFILE:?} == @(none|amd) ]] || { echo "$regs" >&2; return 1; }
	awk '
		$2 == "0x38d" || ($2 ~ /^0x(18[6-9a-f]|19[0-9a-f][159d])$/ && enabled($3)) { print }
		# bit 22, the third one of the sixth digit from the right
		function enabled(value,    digit) {
			sub(/^0x/, "", value)
			digit = length(value) > 5 ? index("0123456789abcdef", substr(value, length(value) - 5, 1)) - 1 : 0
			return int(digit / 4) % 2
		}' <<< "$regs"
}

# Programs of user space, without this script and those it starts; process 2 is the parent of kernel threads.
programs() { ps -e -o pid=,ppid=,args= --sort pid | awk -v self=$$ '$1 != self && $2 != self && $1 != 2 && $2 != 2 { $1 = $2 = ""; print }'; }

unload()
{
	local name status=0

	for name in "${ours[@]}"; do
		[ ! -e "/sys/module/$name" ] || rmmod "$name" || status=1
	done
	return $status
}

# left NAME COMMAND...: a test point that passes if the command prints nothing and succeeds. tap.awk knows the words "leaves nothing behind".
left()
{
	local name=$1

	shift
	point=$((point + 1))
	if "$@" > "$work/left" 2>&1 && [ ! -s "$work/left" ]; then
		echo "ok $point - $suite leaves nothing behind: $name"
	else
		echo "not ok $point - $suite leaves nothing behind: $name"
		sed 's/^/# /' "$work/left"
	fi
}

# nothing_new COMMAND: it prints what it did at the beginning.
nothing_new() { "$1" > "$work/now" && ! diff "$work/$1" "$work/now" | grep '^[<>]'; }
all_online() { [ "$(cat /sys/devices/system/cpu/online)" = "$(cat /sys/devices/system/cpu/present)" ]; }

# leaked: what nothing refers to any more, on kernels that look for it. It must be five seconds old, and is reported by the second scan.
leaked()
{
	local file=/sys/kernel/debug/kmemleak

	[ -e "$file" ] || return 0
	sleep 6
	echo scan > "$file" && echo scan > "$file" || return
	awk -f selftests/run/kmemleak.awk "$file"
	echo clear > "$file"
}

left_behind()
{
	local point=0

	left 'its modules unload' unload
	left 'every CPU is online' all_online
	left 'no counter counts that did not before' nothing_new counting
	left 'no program runs on' nothing_new programs
	left 'no memory is lost' leaked
	echo "1..$point"
}

run_one()
{
	local suite=$1 status=0

	mkdir -p "$boot_out/$suite"
	SECONDS=0
	load_suite "selftests/suites/$suite"
	adapt_to "${ACR_KERNEL:?}"
	ACR_OUT=$boot_out/$suite ACR_CONSOLE=$console timeout -k 5 "$limit_s" bash -c "$guest" > "$boot_out/$suite/job.log" 2>&1 < /dev/null || status=$?
	{
		if [ "$status" = 124 ] || [ "$status" = 137 ]; then
			printf '1..1\nnot ok 1 - %s: no end after %s s\n' "$suite" "$limit_s"
		elif [ "$status" != 0 ] && ! grep -qE '^not ok|^Bail out' "$boot_out/$suite/job.log"; then
			# A command that fails must have printed a failed test.
			printf '1..1\nnot ok 1 - %s: the command has exit status %s\n' "$suite" "$status"
		fi
		restore_settings
		left_behind
	} >> "$boot_out/$suite/job.log" 2>&1
	echo $SECONDS > "$boot_out/$suite/seconds.new"
	mv "$boot_out/$suite/seconds.new" "$boot_out/$suite/seconds"
}

cd "${ACR_PROJECT:?}" || exit 1
keep_settings
counting > "$work/counting"
programs > "$work/programs"
for suite; do run_one "$suite"; done
