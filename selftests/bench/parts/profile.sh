#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# How far profiles of programs by function are from where their instructions go, against in-tree perf with as many samples.
set -u
# shellcheck source=selftests/bench/lib.sh
. "$(dirname "$0")/../lib.sh"

on()
{
	guest_figures profile "$1" selftests/bench/guest/profile.sh --timeout 550 &&
		selftests/bench/profile.py "$BUILD/run/bench-profile-$(kernel_name "$1")" "$(kernel_name "$1")" "$BUILD/root"
}

each_kernel on
