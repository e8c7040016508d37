#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The descriptions for syzkaller agree with the headers, and what does not is noticed.

bats_require_minimum_version 1.5.0

setup() { descriptions=$BATS_TEST_DIRNAME/../kcov; }

# changed SED-EXPRESSION: compares descriptions that were changed
changed()
{
	sed "$1" "$descriptions/acrpmu.txt" > "$BATS_TEST_TMPDIR/acrpmu.txt"
	! cmp -s "$descriptions/acrpmu.txt" "$BATS_TEST_TMPDIR/acrpmu.txt" || return 9
	run -1 "$descriptions/descriptions.py" "$BATS_TEST_TMPDIR/acrpmu.txt"
}

# header_changed SED-EXPRESSION: compares with headers that were changed
header_changed()
{
	mkdir -p "$BATS_TEST_TMPDIR/uapi"
	cp "$descriptions"/../../uapi/*.h "$BATS_TEST_TMPDIR/uapi"
	sed -i "$1" "$BATS_TEST_TMPDIR"/uapi/*.h
	! cmp -s "$descriptions/../../uapi/acrpmu.h" "$BATS_TEST_TMPDIR/uapi/acrpmu.h" || return 9
	run -1 "$descriptions/descriptions.py" "$descriptions/acrpmu.txt" "$BATS_TEST_TMPDIR/uapi"
}

@test "every command, struct and flag of the headers is described as it is" {
	run -0 "$descriptions/descriptions.py"
	[[ $output = *'ok 5 - '* ]]
}

@test "a member that is left out is noticed" {
	changed '/^	wakeup_bytes/d'
	[[ $output = *'# members of acrpmu_session_attr: '*'not ok 2 - '* ]]
}

@test "a member of another size is noticed" {
	changed 's/^	core_type		int32/	core_type		int64/'
	[[ $output = *'# acrpmu_cpu_info.core_type: described at 16 with 8 bytes, it is at 16 with 4'* ]]
	[[ $output = *'# acrpmu_cpu_info is described with 200 bytes, and has 192'* ]]
}

@test "members in another order are noticed" {
	changed '/^	start		int64/d; s/^	cfg_a		int64/	start		int64\n&/'
	[[ $output = *'# members of acrpmu_event_hw: '* ]]
}

@test "a constant that does not exist is noticed" {
	changed 's/ACRPMU_EVENT_SAMPLED/ACRPMU_EVENT_SAMPLES/'
	[[ $output = *'# the headers do not have ACRPMU_EVENT_SAMPLES'*'not ok 1 - '* ]]
}

@test "a flag that is left out is noticed" {
	changed 's/, ACRPMU_SESSION_SOFTWARE//'
	[[ $output = *'# no set of flags has ACRPMU_SESSION_SOFTWARE'*'not ok 4 - '* ]]
}

@test "a command that is left out is noticed" {
	changed '/^ioctl.ACRPMU_ATTACH/d'
	[[ $output = *'# no call for ACRPMU_ATTACH'*'not ok 3 - '* ]]
}

@test "a member, a flag and a command that come are noticed" {
	header_changed 's/^	__u32 jitter;/&\n	__u64 more;/; s/^#define ACRPMU_ATTACH_PROCESS.*/&\n#define ACRPMU_ATTACH_MORE	(1U << 1)/
		s/^#define ACRPMU_ATTACH	.*/&\n#define ACRPMU_MORE	_IO(ACRPMU_IOC_TYPE, 0x19)/'
	[[ $output = *"# members of acrpmu_session_attr: "*"'more'"* ]]
	[[ $output = *'# no set of flags has ACRPMU_ATTACH_MORE'* ]]
	[[ $output = *'# no call for ACRPMU_MORE'* ]]
}

@test "headers in which no structs, commands or flags are found are noticed" {
	header_changed 's/^struct [a-z_]* /& /'
	[[ $output = *'no structs in the headers'* ]]
	header_changed 's/_IO(/_IO (/'
	[[ $output = *'no commands in the headers'* ]]
	header_changed 's/\<1\(U*L*\) <</1\1  <</'
	[[ $output = *'no bits in the headers'* ]]
}
