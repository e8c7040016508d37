#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The tests that fit the profile of this boot.
dir=$(dirname "$0")
case ${ACR_PROFILE:?} in
pantherlake-e) modprobe msr allow_writes=on; exec "$dir/run.sh" acr stale offcore ;;
diamondrapids)
	modprobe msr allow_writes=on
	"$dir/run.sh" acr omr
	# spy_test loads the module itself, too, and its events of in-tree perf leave something in counters.
	[ -e /sys/module/acrpmu ] || insmod "$ACR_BUILD/kernels/$ACR_KERNEL/acrpmu.ko"
	"$dir/../run/programs.sh" "$ACR_BUILD/selftests/hw/spy_test"
	;;
v4)
	modprobe msr allow_writes=on
	"$dir/run.sh" allowed
	"$dir/../run/programs.sh" "$dir/../guest/stat_cntrs.sh"
	;;
*) exec "$dir/run.sh" sampling ;;
esac
