#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The tests that fit the profile of this boot.
dir=$(dirname "$0")
case ${ACR_PROFILE:?} in
pantherlake-e) modprobe msr allow_writes=on; exec "$dir/run.sh" acr stale offcore ;;
*) exec "$dir/run.sh" sampling ;;
esac
