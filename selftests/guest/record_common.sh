#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Shared by the guest's tests of acrctl record: TAP, the module, the documentation's group, counting symbols.

acrctl=${ACRCTL:-$ACR_BUILD/acrctl}
# shellcheck disable=SC2034 # for the tests
phases=$ACR_BUILD/workloads/phases
# More than 2 instructions a cycle, in user mode; with other periods it never or always triggers.
group() { echo "{cpu/instructions,period=$1,acr_mask=0x2/u,cpu/cycles,period=$2,acr_mask=0x3/u}"; }
# shellcheck disable=SC2034
fast=$(group 200000 100000)
# iterations that outlast any window of this group
# shellcheck disable=SC2034
settle=30000
work=$(mktemp -d)
count=0 failed=0

# is GOT WANT NAME
is()
{
	count=$((count + 1))
	if [ "$1" = "$2" ]; then
		echo "ok $count - $3"
	else
		echo "not ok $count - $3"
		echo "#   got  '$1'"
		echo "#   want '$2'"
		failed=1
	fi
}

# holds NAME COMMAND...
holds()
{
	local name=$1

	shift
	"$@"
	is "$?" 0 "$name"
}

# symbols FILE: "COUNT SYMBOL" for each function with samples
symbols() { "$acrctl" script -i "$1" -F sym 2> /dev/null | sort | uniq -c | awk '{print $1, $2}'; }
samples() { "$acrctl" script -i "$1" -F sym 2> /dev/null | wc -l; }

# wait_until COMMAND...: until it is true; the limit, much less than that of a program, is for what never comes
exec {never}<> <(:)
wait_until()
{
	local end=$((SECONDS + 300))

	until "$@" > /dev/null 2>&1; do
		[ $SECONDS -lt $end ] || { echo "# waited in vain for: $*"; return 1; }
		# without a process, which takes longer here
		read -rt 0.1 <&"$never" || true
	done
}

finish()
{
	rmmod acrpmu
	is "$?" 0 "the module can be unloaded: nothing holds it"
	rm -rf "$work"
	echo "1..$count"
	exit $failed
}

# A PMI takes long on a model CPU, and longer under KASAN: with a limit on its share of time, samples would be missing.
lsmod | grep -q '^acrpmu ' || insmod "$ACR_BUILD/kernels/$ACR_KERNEL/acrpmu.ko" max_pmi_percent=100 || {
	echo "1..1"
	echo "not ok 1 - the module loads"
	exit 1
}
