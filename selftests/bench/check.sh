#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Holds the exact counts that the suite `bench` left in its guest's log to their limits, as TAP.
# usage: check.sh PART...   ACR_OUT= and ACR_KERNEL= are those of the suite
set -u
# shellcheck source=selftests/bench/lib.sh
. "$(dirname "$0")/lib.sh"

case ${ACR_KERNEL:?} in
*-*)
	echo "1..0 # SKIP the limits are those of kernels without debugging and real-time options"
	exit 0 ;;
esac
figures_of "${ACR_OUT:?}/job.log" | selftests/bench/report.py --tap --parts "$*" --kernels "$ACR_KERNEL"
