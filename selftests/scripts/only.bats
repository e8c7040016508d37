#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Which tests of a kselftest program run with ACR_TEST=.

setup()
{
	cd "$BATS_TEST_TMPDIR" || return 1
	cat > made_test.c <<-'C'
	FIXTURE(one) {};
	FIXTURE_SETUP(one) {}
	FIXTURE_TEARDOWN(one) {}
	TEST_F(one, both) {}
	TEST_F(one, two) {}
	FIXTURE(two) {};
	FIXTURE_SETUP(two) {}
	FIXTURE_TEARDOWN(two) {}
	TEST_F(two, both) {}
	TEST_HARNESS_MAIN
	C
	cc -I "${BUILD:-$BATS_TEST_DIRNAME/../../build}/kselftest/tools/testing/selftests" -include "$BATS_TEST_DIRNAME/../only.h" -o made_test made_test.c
}

# runs WANTED TEST...: with ACR_TEST=WANTED exactly these tests run
runs()
{
	[ "$(ACR_TEST=$1 ./made_test 2> /dev/null | sed -n 's/^ok [0-9]* //p' | sort | xargs)" = "${*:2}" ]
}

@test "only.h: a fixture, a test of any fixture, a test of one fixture, and all without a name" {
	runs one one.both one.two
	runs both one.both two.both
	runs two one.two two.both
	runs two.both two.both
	runs two.two
	runs on
	runs '' one.both one.two two.both
}
