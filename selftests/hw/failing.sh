# SPDX-License-Identifier: GPL-2.0-only
# One of the module's calls of a kernel function fails, by acrpmu_fail.ko; sourced after tap.sh.
# shellcheck shell=bash disable=SC2034,SC2154 # variables of tap.sh, and for those who source it
doubles=$ACR_BUILD/kernels/$ACR_KERNEL
acrctl=$ACR_BUILD/acrctl
no_memory=-12
echo 0 > /proc/sys/kernel/nmi_watchdog
# An optimised probe of a function that ftrace does not trace cannot return in its place.
echo 0 > /proc/sys/debug/kprobes-optimization

# Of alloc_workqueue() and the like newer kernels have another name.
first_of() { for name; do if grep -q " [Tt] $name\$" /proc/kallsyms; then echo "$name"; return; fi; done; }

is_absent() { ! [ -e /sys/module/acrpmu ] && ! [ -e /dev/acrpmu ]; }
fails() { cat "/sys/module/acrpmu_fail/parameters/$1"; }
# Each call but the one that failed was undone.
is_undone() { echo "$(fails calls) calls, $(fails undone) undone"; [ $(($(fails calls) - 1)) = "$(fails undone)" ]; }

# without_call NTH FUNCTION RESULT UNDO COMMAND...: that call of the function fails while a command runs, which returns 0 if it works and
# 2 if it is refused. Sets `refused`, and `reached` if the call came. By its end UNDO has undone all others; '' for UNDO: not looked at.
without_call()
{
	local nth=$1 undo=$4 status=0

	refused='' reached=''
	insmod "$doubles/acrpmu_fail.ko" function="$2" nth="$nth" result="$3" ${undo:+undo="$undo"} || return
	shift 4
	"$@" || status=$?
	[ "$(fails calls)" -ge "$nth" ] && reached=yes
	if [ $status = 2 ]; then
		refused=yes
		[ -z "$reached" ] || status=0
	fi
	[ -z "$reached" ] || [ -z "$undo" ] || is_undone || status=1
	rmmod acrpmu_fail
	return $status
}

# without_any LEAST FUNCTION RESULT UNDO COMMAND...: as without_call, for one call after another. At least so many of them are
# needed: `refusals`.
without_any()
{
	local least=$1 nth

	refusals=0
	shift
	for nth in {1..50}; do
		without_call "$nth" "$@" || { echo "without call $nth"; return 1; }
		[ -n "$reached" ] || break
		[ -z "$refused" ] || refusals=$((refusals + 1))
	done
	echo "$((nth - 1)) calls, of which $refusals are needed"
	[ "$nth" -gt 1 ] && [ -z "$reached" ] && [ "$refusals" -ge "$least" ]
}

# needs SUBJECT COMMAND LEAST FUNCTION RESULT UNDO
needs() { ok "$1 works or is refused when a call of $4 fails, and needs $3 or more" without_any "${@:3}" "$2"; }

# copes SUBJECT COMMAND FUNCTION RESULT UNDO
copes() { ok "$1 works whichever call of $3 fails" works_without_any "${@:3}" "$2"; }
works_without_any() { without_any 0 "$@" && [ "$refusals" = 0 ]; }
