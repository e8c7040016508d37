#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The cost of a switch between two tasks, followed by sessions or by in-tree perf, or by nobody.
set -u
# shellcheck source=selftests/bench/lib.sh
. "$(dirname "$0")/../lib.sh"

# shellcheck disable=SC2016 # expanded in the guest
on() { guest_figures switch "$1" '"$ACR_BUILD/selftests/bench/guest/switch"'; }

each_kernel on
