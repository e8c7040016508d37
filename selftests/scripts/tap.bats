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
	[ "$output" = "1 1 1 0
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
	[ "$output" = "1 1 0 0
not ok  first
$want" ]
	run -0 awk -f "$tap" <<< "1..1
$remarks
not ok 1 last"
	[ "$output" = "0 1 0 0
not ok  last
$want" ]
	run -0 awk -f "$tap" <<< "1..1
not ok 1 last
$remarks"
	[ "$output" = "0 1 0 0
not ok  last
$want" ]
}

@test "tap.awk: shows few remarks whole, and none of a point that passed" {
	run -0 awk -f "$tap" <<< "1..2
# passed
ok 1
$(seq -f '# %g' 1 8)
not ok 2 x"
	[ "$output" = "1 1 0 0
not ok  x
$(seq -f '        # %g' 1 8)" ]
}

@test "tap.awk: no plan, and a plan that differs from the points, are failures" {
	run -0 awk -f "$tap" <<< "ok 1"
	[ "${lines[0]}" = "1 1 0 1" ]
	run -0 awk -f "$tap" <<< "1..2
ok 1"
	[ "${lines[0]}" = "1 1 0 1" ]
}

@test "tap.awk: counts faults that never run again" {
	run -0 awk -f "$tap" <<< "1..6
# register 0x38f is 1
ok 1 a
# got 1
not ok 2 b
not ok 3 c
# Test terminated unexpectedly by signal 11
not ok 4 every register has its value from before
not ok 5 d
# it died of signal 6
not ok 6 e
# free(): double free detected in tcache 2"
	[ "${lines[0]}" = "1 5 0 4" ]
}

@test "tap.awk: says how a failure runs alone, for make and the shell" {
	run -0 awk -v suite=hw -v where=' KERNEL=6.1' -f "$tap" <<< "1..3
not ok 1 before any program
# program: build/selftests/hw/pmi_test
not ok 2 - pmi.it's \$1 # at 7
# program: build/selftests/hw/pmi_test took 3 s
# program:
not ok 3 after all"
	[ "$(grep 'run it alone' <<< "$output")" = "        run it alone: make try T='hw/pmi:pmi.it'\\''s \$\$1' KERNEL=6.1" ]
}

@test "tap.awk: a skip is expected by the name of the result and its text" {
	printf '# comment\n\nhw-.*\tno such CPU$\nhw\tother\n' > "$BATS_TEST_TMPDIR/skips"
	run -0 awk -v name=hw-6.1 -v skips="$BATS_TEST_TMPDIR/skips" -f "$tap" <<< "1..3
ok 1 # SKIP no such CPU
ok 2 # SKIP other
ok 3"
	[ "${lines[0]}" = "1 1 1 0" ]
	[ "${lines[2]}" = "not ok  this skip is not expected, see $BATS_TEST_TMPDIR/skips: # SKIP other" ]
}
