# SPDX-License-Identifier: GPL-2.0-only
# Which kernel the scripts of the model CPU fetch and boot.

load_common() { . "$BATS_TEST_DIRNAME/../model/common.sh"; }

# image RELEASE-TEXT: a file with a setup header that points to the text, as in a kernel image.
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

# archive VERSION...: apt-cache of an archive with these cloud kernels and a few others; each call leaves a line in `calls`.
archive()
{
	mkdir -p "$BATS_TEST_TMPDIR/bin"
	cat > "$BATS_TEST_TMPDIR/bin/apt-cache" <<-FAKE
	#!/bin/sh
	echo "apt-cache \$*" >> "$BATS_TEST_TMPDIR/calls"
	printf 'linux-source-%s\n' 6.1 7.3 | grep "^\$2"
	printf 'linux-image-%s\n' cloud-amd64 99.1.1+deb13-amd64 99.1.1+deb13-cloud-arm64 99.1-rc1-cloud-amd64 \
		6.12.9+deb13-rt-amd64 6.12.95+deb13-rt-amd64 \
		$(printf '%s-cloud-amd64 ' "$@") | grep "^\$2"
	FAKE
	printf '#!/bin/sh\necho "apt-get $*" >> "%s/calls"\nexit 1\n' "$BATS_TEST_TMPDIR" > "$BATS_TEST_TMPDIR/bin/apt-get"
	chmod +x "$BATS_TEST_TMPDIR"/bin/*
}

# setup_with KERNEL... -- ARGUMENTS...: runs setup.sh where these kernels and everything else are already fetched.
setup_with()
{
	local stamps=$BATS_TEST_TMPDIR/build/stamps

	[ "$(id -u)" = 0 ] || skip "setup.sh reads the archive as root only"
	mkdir -p "$stamps"
	touch "$stamps"/{apt,root,kselftest,perf-6.1}
	while [ "$1" != -- ]; do
		touch "$stamps/kernel-$1" "$stamps/headers-$1"
		mkdir -p "$BATS_TEST_TMPDIR/build/kernels/$1/modules"
		ln -sfn /headers "$BATS_TEST_TMPDIR/build/kernels/$1/modules/build"
		shift
	done
	shift
	: > "$BATS_TEST_TMPDIR/calls"
	env -u KERNEL -u KERNELS -u ROOTFS PATH="$BATS_TEST_TMPDIR/bin:$PATH" BUILD="$BATS_TEST_TMPDIR/build" \
		"$BATS_TEST_DIRNAME/../model/setup.sh" "$@"
}
has_called() { grep -qxF -- "$1" "$BATS_TEST_TMPDIR/calls"; }
newest() { cat "$BATS_TEST_TMPDIR/build/stamps/newest"; }

@test "setup.sh: newest is the archive's newest cloud kernel, by number" {
	archive 6.1.0-50 7.2.12+deb13 7.10.1+deb13 7.3.4+deb13
	setup_with 7.10 -- --kernels newest
	[ "$(newest)" = 7.10 ]
}

@test "setup.sh: newest is among the kernels of check and of demo" {
	archive 6.1.0-50 6.17.8+deb13
	setup_with 6.1 6.17 -- --for check
	[ "$(newest)" = 6.17 ]
	rm "$BATS_TEST_TMPDIR/build/stamps/newest"
	setup_with 6.17 -- --for demo
	[ "$(newest)" = 6.17 ]
}

@test "setup.sh: a second run keeps to the kernel it has and asks no archive, even if that has a newer one" {
	archive 7.3.4+deb13
	setup_with 7.3 -- --kernels newest
	archive 7.3.4+deb13 7.4.1+deb13
	setup_with 7.3 -- --kernels newest
	[ "$(newest)" = 7.3 ]
	[ ! -s "$BATS_TEST_TMPDIR/calls" ]
}

@test "setup.sh: newest is refused where all kernels are older than 6.17" {
	archive 6.1.0-50 6.12.94+deb13 6.16.12+deb13
	run setup_with 6.12 -- --kernels newest
	[ "$status" = 1 ]
	[[ "$output" = *'the archive has no cloud kernel >= 6.17: choose others with KERNELS=, or set KERNEL=DIR'* ]]
	[ ! -e "$BATS_TEST_TMPDIR/build/stamps/newest" ]
}

@test "setup.sh: newest is refused where the archive has no kernel at all" {
	archive
	run setup_with 6.12 -- --kernels newest
	[ "$status" = 1 ]
	[[ "$output" = *'the archive has no cloud kernel >= 6.17: '* ]]
}

@test "setup.sh: no archive is asked for kernels that are named by number" {
	archive 7.3.4+deb13
	setup_with 6.1 -- --kernels 6.1
	[ ! -s "$BATS_TEST_TMPDIR/calls" ]
}

@test "resolve_kernels: newest becomes its number, and no kernel comes twice" {
	BUILD=$BATS_TEST_TMPDIR
	mkdir "$BUILD/stamps"
	echo 7.3 > "$BUILD/stamps/newest"
	load_common
	[ "$(resolve_kernels '6.1 newest 7.3 /some/kernel')" = '6.1 7.3 /some/kernel' ]
	[ "$(resolve_kernels 'newest-rt 6.1 7.3-rt newest')" = '7.3-rt 6.1 7.3' ]
}

@test "boot.sh: the newest kernel is refused before setup.sh has fetched it" {
	run env -u KERNEL BUILD="$BATS_TEST_TMPDIR" "$BATS_TEST_DIRNAME/../model/boot.sh" -- true
	[ "$status" = 1 ]
	[ "$output" = 'boot.sh: the newest kernel is not fetched: run selftests/model/setup.sh' ]
}

@test "setup.sh: waits for another run, and does not repeat what that has fetched" {
	local stamps=$BATS_TEST_TMPDIR/build/stamps inode tries

	archive 7.3.4+deb13
	mkdir -p "$stamps"
	exec 8> "$stamps/lock"
	flock 8
	inode=$(stat -c %i "$stamps/lock")
	setup_with -- --kernels 6.1 > "$BATS_TEST_TMPDIR/output" 8>&- &
	for tries in {1..200}; do
		! grep -q -- "-> FLOCK .*:$inode " /proc/locks || break
		sleep 0.1
	done
	[ "$tries" -lt 200 ]
	[ ! -s "$BATS_TEST_TMPDIR/calls" ]
	mkdir -p "${stamps%/*}/kernels/6.1/modules"
	ln -s /headers "${stamps%/*}/kernels/6.1/modules/build"
	touch "$stamps"/{kernel,headers}-6.1
	exec 8>&-
	wait $!
	grep -q 'everything is there' "$BATS_TEST_TMPDIR/output"
	[ ! -s "$BATS_TEST_TMPDIR/calls" ]
}

@test "setup.sh: newest-rt has the number of the newest cloud kernel" {
	archive 7.3.4+deb13
	setup_with 7.3-rt -- --kernels newest-rt
	[ "$(newest)" = 7.3 ]
}

@test "setup.sh: a real-time kernel is the newest of its version and flavour" {
	archive 6.12.99+deb13
	run setup_with -- --kernels 6.12-rt
	has_called 'apt-get -q download linux-image-6.12.95+deb13-rt-amd64'
}

@test "setup.sh: a generic kernel is the newest of its version that has no flavour in its name" {
	archive 99.1.2+deb13
	run setup_with -- --kernels 99.1-generic
	has_called 'apt-get -q download linux-image-99.1.1+deb13-amd64'
}

@test "setup.sh: newest-generic has the number of the newest cloud kernel, even if the archive has a newer generic one" {
	archive 7.3.4+deb13
	setup_with 7.3-generic -- --kernels newest-generic
	[ "$(newest)" = 7.3 ]
}

@test "setup.sh: a flavour that the archive lacks is refused by name" {
	archive 7.3.4+deb13
	run setup_with -- --kernels 7.3-rt
	[ "$status" = 1 ]
	grep -qF 'the archive has no rt kernel 7.3: ' "$BATS_TEST_TMPDIR/build/log/kernel-7.3-rt.log"
}

@test "setup.sh: a debug kernel is refused if the archive lacks its source" {
	archive 7.3.4+deb13
	run setup_with -- --kernels 7.4-debug
	[ "$status" = 1 ]
	grep -qF 'the archive has no source of kernel 7.4: ' "$BATS_TEST_TMPDIR/build/log/kernel-7.4-debug.log"
}

@test "setup.sh: newest-kcsan is built from the source of the newest version" {
	archive 7.3.4+deb13
	run setup_with 7.3 -- --kernels newest-kcsan
	[ "$status" = 1 ]
	grep -q '^apt-get -q download linux-source-7.3 linux-config-7.3 ' "$BATS_TEST_TMPDIR/calls"
}

@test "setup.sh: newest-clang is fetched with the compiler that builds it and its modules" {
	archive 7.3.4+deb13
	run setup_with 7.3 -- --kernels newest-clang
	[ "$status" = 1 ]
	grep -qE '^apt-get -q download linux-source-7.3 linux-config-7.3 .* clang lld llvm$' "$BATS_TEST_TMPDIR/calls"
}

# make runs lines with a + even with -n
@test "make: modules for a kernel by clang are built by clang, others are not" {
	cd "$BATS_TEST_TMPDIR"
	printf '#!/bin/sh\necho "$@"\n' > in-root.sh
	chmod +x in-root.sh
	run make -n -C "$BATS_TEST_DIRNAME/../.." model_tools="$PWD" module-7.3-clang double-7.3-clang
	[ "$(grep -cE '^make .*-7.3-clang LLVM=1 +modules' <<< "$output")" = 2 ]
	run make -n -C "$BATS_TEST_DIRNAME/../.." model_tools="$PWD" module-7.3-debug double-7.3-debug module-7.3-kcsan double-7.3-kcsan
	[ "$(grep -cE '^make .*-7.3-(debug|kcsan) +(KCOV_INSTRUMENT=y +)?modules' <<< "$output")" = 4 ]
}

# make runs lines with a + even with -n
@test "make: the module of a debug kernel is built for KCOV, and nothing else" {
	cd "$BATS_TEST_TMPDIR"
	printf '#!/bin/sh\necho "$@"\n' > in-root.sh
	chmod +x in-root.sh
	run make -n -C "$BATS_TEST_DIRNAME/../.." model_tools="$PWD" module-7.3-debug double-7.3-debug module-7.3 module-7.3-kcsan
	[ "$(grep -cE '^make .* modules' <<< "$output")" = 4 ]
	[ "$(grep -E '^make .* modules' <<< "$output" | grep -c KCOV_INSTRUMENT)" = 1 ]
	grep -qE '^make .*/kmod-7.3-debug +KCOV_INSTRUMENT=y +modules' <<< "$output"
}

@test "setup.sh: the debug kernels of a version have one of KASAN, KCSAN and CFI" {
	grep -qx CONFIG_KASAN=y "$BATS_TEST_DIRNAME/../model/debug-kernel-debug.config"
	grep -qx CONFIG_KCSAN=y "$BATS_TEST_DIRNAME/../model/debug-kernel-kcsan.config"
	grep -qx CONFIG_CFI=y "$BATS_TEST_DIRNAME/../model/debug-kernel-clang.config"
	! grep -qE 'K[AC]SAN|CFI' "$BATS_TEST_DIRNAME/../model/debug-kernel.config"
}

@test "setup.sh: the debug kernel is built again only if its configuration has changed" {
	local stamp=$BATS_TEST_TMPDIR/build/stamps/kernel-6.1-debug

	archive 6.1.0-50
	mkdir -p "${stamp%/*}"
	cat "$BATS_TEST_DIRNAME"/../model/debug-kernel{,-debug}.config > "$stamp"
	setup_with -- --kernels 6.1-debug
	[ ! -s "$BATS_TEST_TMPDIR/calls" ]
	sed -i s/KASAN=y/KASAN=n/ "$stamp"
	run setup_with -- --kernels 6.1-debug
	[ "$status" = 1 ]
	grep -q '^apt-get -q download linux-source-6.1 linux-config-6.1 ' "$BATS_TEST_TMPDIR/calls"
}

@test "kernel_version: a name has its number, whatever its flavour; a directory has that of its image" {
	load_common
	[ "$(kernel_version 6.12)" = 6.12 ]
	[ "$(kernel_version 6.1-debug)" = 6.1 ]
	[ "$(kernel_version 7.3-kcsan)" = 7.3 ]
	[ "$(kernel_version 6.12-rt)" = 6.12 ]
	image '7.3.0-rc1+ (me@here)\0'
	[ "$(kernel_version "$BATS_TEST_TMPDIR")" = 7.3.0-rc1+ ]
}
