#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# kmemleak.awk: which of the allocations that the kernel thinks lost are those of modules of ours.
bats_require_minimum_version 1.5.0

# report CALLER...: one that is not ours, one from there, and another one
report()
{
	local other='unreferenced object 0xffff888001 (size 8):
  comm "kthreadd [acrpmu] 0xffffffffc0a01234", pid 2, jiffies 4294900000
  backtrace (crc 12ab34cd):
    kmalloc+0x1a0/0x2b0'

	printf '%s\n' "$other" 'unreferenced object 0xffffffffc0a02 (size 128):' '  comm "x", pid 300, jiffies 4294900000' \
		'  hex dump (first 32 bytes):' '    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  ................' \
		'  backtrace (crc 12ab34cd):' '    kmalloc+0x1a0/0x2b0' "$@" '    ret_from_fork+0x10/0x20' "$other" |
		awk -f "$BATS_TEST_DIRNAME/../run/kmemleak.awk"
}

# shows CALLER...: that one alone is shown
shows()
{
	local output

	output=$(report "$@")
	[ "$(grep -c '^unreferenced object' <<< "$output")" = 1 ]
	[[ $output = 'unreferenced object 0xffffffffc0a02 (size 128):'*"$1"* ]]
}

@test "kmemleak.awk: an allocation by a module of ours is shown whole, and alone" {
	shows '    acrpmu_session_create+0x30/0x50 [acrpmu]'
	shows '    hold+0x30/0x50 [rival]' '    do_init_module+0x10/0x20'
	shows '    [<00000000aabbccde>] acrpmu_session_create+0x30/0x50 [acrpmu]'
}

@test "kmemleak.awk: one by a module that is gone is shown" {
	shows '    0xffffffffc0a01234'
	shows '    [<00000000aabbccde>] 0xffffffffc0a01234'
}

@test "kmemleak.awk: others are not" {
	[ -z "$(report '    [<00000000aabbccde>] fuse_init+0x30/0x50 [fuse]')" ]
	[ -z "$(report)" ]
}
