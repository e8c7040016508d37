# SPDX-License-Identifier: GPL-2.0-only
# Test points of the shell tests; sourced.
# shellcheck shell=bash disable=SC2034 # the variables are for those who source it
points=0 failures=0
output=$(mktemp)

# ok NAME COMMAND...: a test point that passes if the command does; its output shows when it fails.
ok()
{
	local name=$1

	shift
	points=$((points + 1))
	if "$@" > "$output" 2>&1; then
		echo "ok $points - $name"
	else
		echo "not ok $points - $name"
		sed 's/^/# /' "$output"
		failures=$((failures + 1))
	fi
}

# finish: the plan, and the exit status of the script.
finish() { rm -f "$output"; echo "1..$points"; [ "$failures" = 0 ]; }

# log_is_clean [REGEX]: the kernel's log has no fault, nor what matches, but for what the suite expects.
log_is_clean()
{
	! dmesg | grep -E "acrpmu.*(WARN|BUG)|WARNING:|BUG:|unknown reason|general protection|unchecked MSR${1:+|$1}" | grep -vE "${ACR_CONSOLE:-^$}"
}

tools=${ACR_BUILD:?}/selftests/guest
# No limit on the handler's share of time, which is not real on a model CPU.
module=$ACR_BUILD/kernels/${ACR_KERNEL:?}/acrpmu.ko
module_args=max_pmi_percent=100
