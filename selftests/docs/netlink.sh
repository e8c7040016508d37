#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Tests that Documentation/netlink.yaml says what uapi/acrpmu_netlink.h does, as TAP.
set -u
# shellcheck source=selftests/docs/point.sh
. "$(dirname "$0")/point.sh"
cd "$(dirname "$0")/../.." || exit 1

point "netlink.yaml has the names, numbers, types and messages of the header" \
	"$(python3 selftests/docs/netlink_spec.py Documentation/netlink.yaml uapi/acrpmu_netlink.h 2>&1)"
finish
