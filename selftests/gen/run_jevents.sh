# SPDX-License-Identifier: GPL-2.0-only
# Runs jevents in a test; source it with BUILD and a private directory $work set.
# shellcheck shell=bash disable=SC2034,SC2154 # the tests use and set these

# jevents ARGUMENT...: run it and set $status, $output and $errors
jevents()
{
	output=$("$BUILD/jevents" "$@" 2> "$work/errors")
	status=$?
	errors=$(< "$work/errors")
	tap_why="status $status
$output
$errors"
}
