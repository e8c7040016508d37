#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The tests that fit the profile of this boot.
dir=$(dirname "$0")
case ${ACR_PROFILE:?} in
pantherlake-e) modprobe msr allow_writes=on; exec "$dir/run.sh" acr stale offcore ;;
diamondrapids)
	modprobe msr allow_writes=on
	exec "$dir/run.sh" acr omr
	;;
v4)
	modprobe msr allow_writes=on
	"$dir/run.sh" allowed
	"$dir/../run/programs.sh" "$dir/../guest/stat_cntrs.sh"
	;;
*) exec "$dir/run.sh" sampling ;;
esac
