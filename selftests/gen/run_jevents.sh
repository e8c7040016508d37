# SPDX-License-Identifier: GPL-2.0-only
# Running jevents in a test; sourced, with BUILD and a directory $work of the test's own.
# shellcheck shell=bash disable=SC2034,SC2154 # the tests use and set these

# jevents ARGUMENT...: run it; $status, $output and $errors are what came of it
jevents()
{
	output=$("$BUILD/jevents" "$@" 2> "$work/errors")
	status=$?
	errors=$(< "$work/errors")
	tap_why="status $status
$output
$errors"
}
