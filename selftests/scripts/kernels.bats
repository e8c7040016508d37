# SPDX-License-Identifier: GPL-2.0-only
# Which kernel the scripts of the model CPU fetch and boot.

load_common() { . "$BATS_TEST_DIRNAME/../model/common.sh"; }

# image RELEASE-TEXT: a file whose setup header points to the text, as a kernel image's does.
image()
{
	local file=$BATS_TEST_TMPDIR/vmlinuz offset_of_version=$((0x20e)) text_at=$((0x3200))

	{
		head -c "$offset_of_version" /dev/zero
		printf '\x00\x30'
		head -c $((text_at - offset_of_version - 2)) /dev/zero
		printf "$1"
		head -c 100 /dev/zero
	} > "$file"
	echo "$file"
}

@test "kernel_release: Debian's kernels" {
	load_common
	[ "$(kernel_release "$(image '6.1.0-50-cloud-amd64 (builder@host) #1 SMP PREEMPT_DYNAMIC\0')")" = 6.1.0-50-cloud-amd64 ]
}

@test "kernel_release: bytes after the text are ignored even where they are not UTF-8" {
	load_common
	export LC_ALL=C.UTF-8
	[ "$(kernel_release "$(image '7.3.0-rc1+ (me@here) #1\0\xff\xfe\n\x80 \xc3')")" = 7.3.0-rc1+ ]
}
