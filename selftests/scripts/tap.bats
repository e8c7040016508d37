#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# tap.awk: what check.sh counts and shows of a suite.

bats_require_minimum_version 1.5.0

tap=$BATS_TEST_DIRNAME/../run/tap.awk

@test "tap.awk: counts passed, failed and skipped points of several streams" {
	run -0 awk -f "$tap" <<-END
	1..2
	ok 1 - a
	ok 2 b # SKIP no such CPU
	1..1
	not ok 1 c
	END
	[ "$output" = "1 1 1
skip    b # SKIP no such CPU
not ok  c" ]
}

@test "tap.awk: of a failure's remarks, before or after its line, shows the first and the last" {
	remarks=$(seq -f '# %g' 1 20)
	want="        # 1
        # 2
        # 3
        # 4
        ...
        # 17
        # 18
        # 19
        # 20"
	run -0 awk -f "$tap" <<< "1..2
not ok 1 first
$remarks
ok 2"
	[ "$output" = "1 1 0
not ok  first
$want" ]
	run -0 awk -f "$tap" <<< "1..1
$remarks
not ok 1 last"
	[ "$output" = "0 1 0
not ok  last
$want" ]
	run -0 awk -f "$tap" <<< "1..1
not ok 1 last
$remarks"
	[ "$output" = "0 1 0
not ok  last
$want" ]
}

@test "tap.awk: shows few remarks whole, and none of a point that passed" {
	run -0 awk -f "$tap" <<< "1..2
# passed
ok 1
$(seq -f '# %g' 1 8)
not ok 2 x"
	[ "$output" = "1 1 0
not ok  x
$(seq -f '        # %g' 1 8)" ]
}

@test "tap.awk: no plan, and a plan that differs from the points, are failures" {
	run -0 awk -f "$tap" <<< "ok 1"
	[ "${lines[0]}" = "1 1 0" ]
	run -0 awk -f "$tap" <<< "1..2
ok 1"
	[ "${lines[0]}" = "1 1 0" ]
}
