# SPDX-License-Identifier: GPL-2.0-only
# Kernels such as 6.1-debug, 7.3-kcsan and 7.3-clang: Debian's source and cloud configuration with debug-kernel.config and that of
# the flavour, built in the root; part of setup.sh.
# shellcheck shell=bash disable=SC2154 # variables of setup.sh

# What building a kernel needs besides what the root has
debug_tools=(bc bison flex libssl-dev m4)
clang_tools=(clang lld llvm)
clang_libraries='^(clang|lld|llvm|libclang|libllvm|libedit|libxml2|libbsd|libmd|libz3)'
# Only these modules are built: those of boot.sh, what they need, and the one with which tests write MSRs.
debug_modules=(virtio_pci virtio_ring virtio virtiofs fuse overlay msr)

debug_config() { cat "$project/selftests/model/debug-kernel.config" "$project/selftests/model/debug-kernel-${1##*-}.config"; }

# The stamp is the configuration that the kernel was built from.
debug_kernel_is_built() { debug_config "$1" | cmp -s - "$stamps/kernel-$1"; }

# compiler_of NAME: arguments of make for a kernel and its modules, besides .kernelvariables
compiler_of() { case $1 in *-clang) echo LLVM=1 ;; esac; }

# fetch_debug_kernel NAME: the source in build/kernels/NAME/source, with Debian's configuration, and the packages of the tools.
fetch_debug_kernel()
{
	local dir=$kernels_dir/$1 series=${1%-*} tools=("${debug_tools[@]}") tool deb compiler

	! debug_kernel_is_built "$1" || return 0
	[ -z "$(compiler_of "$1")" ] ||
		mapfile -t -O ${#tools[@]} tools < <(for tool in "${clang_tools[@]}"; do closure "$clang_libraries" "$tool"; done | sort -u)
	[ -n "$(apt_private apt-cache pkgnames "linux-source-$series" | grep -xF "linux-source-$series")" ] ||
		die "the archive has no source of kernel $series: choose others with KERNELS=, or set KERNEL=DIR"
	rm -rf "$dir"
	download "$dir/debs" "linux-source-$series" "linux-config-$series" "${tools[@]}"
	mkdir "$dir/source"
	deb=$(echo "$dir"/debs/linux-source-*.deb)
	dpkg-deb --fsys-tarfile "$deb" | tar -xO "./usr/src/linux-source-$series.tar.xz" | xz -dc |
		tar -x -C "$dir/source" --strip-components=1
	deb=$(echo "$dir"/debs/linux-config-*.deb)
	dpkg-deb --fsys-tarfile "$deb" | tar -xO "./usr/src/linux-config-$series/config.amd64_none_cloud-amd64.xz" | xz -dc \
		> "$dir/source/.config"
	rm "$dir"/debs/linux-*.deb
	debug_config "$1" > "$dir/source/debug-kernel.config"
	printf '%s 1 0\n' Module "${debug_modules[@]}" > "$dir/source/lsmod"
	[ -z "$(compiler_of "$1")" ] || return 0
	# Debian's makefile reads the file, for modules as well.
	compiler=$(sed -n 's/^CONFIG_CC_VERSION_TEXT=".*\(gcc-[0-9]*\) .*/\1/p' "$dir/source/.config")
	echo "CC = $compiler" > "$dir/source/.kernelvariables"
}

# configure_debug_kernel [LLVM=1]: runs in the source; fails if an option of debug-kernel.config there did not come to be.
configure_debug_kernel()
{
	local kernel_make=("$project/selftests/model/in-root.sh" make -s "$@") lost

	"${kernel_make[@]}" LSMOD="$PWD/lsmod" localmodconfig
	"$project/selftests/model/in-root.sh" scripts/kconfig/merge_config.sh -m .config debug-kernel.config
	"${kernel_make[@]}" olddefconfig
	lost=$(grep '^CONFIG_.*=y$' debug-kernel.config | grep -vxFf .config || true)
	[ -z "$lost" ] || die "these options of debug-kernel.config are not in the kernel's: ${lost//$'\n'/ }"
}

# Runs in the source. The sources themselves are needed no more, only what modules are built from.
install_debug_kernel()
{
	local dir=$1 release

	shift
	release=$(< include/config/kernel.release)
	"$project/selftests/model/in-root.sh" make -s "$@" modules_install INSTALL_MOD_PATH="$dir/tree" DEPMOD=true
	rm -f "$dir/tree/lib/modules/$release"/{build,source}
	ln -s ../../../../source "$dir/tree/lib/modules/$release/build"
	depmod -b "$dir/tree" "$release"
	ln -s "tree/lib/modules/$release" "$dir/modules"
	cp arch/x86/boot/bzImage "$dir/vmlinuz"
	cp System.map "$dir/System.map"
	cp .config "$dir/config"
	printf '%s\n' "$release" > "$dir/release"
	find . -type f \( -name '*.[coS]' -o -name '*.cmd' -o -name 'vmlinux*' \) ! -path './scripts/*' ! -path './tools/*' -delete
	rm -rf Documentation
}

# build_debug_kernel NAME: takes 10 to 30 minutes on two CPUs.
build_debug_kernel()
{
	local dir=$kernels_dir/$1 deb log=$logs/kernel-$1-build.log

	! debug_kernel_is_built "$1" || return 0
	say "building the kernel $1, which takes a while; see $log"
	# As plain files, like the kernel headers
	for deb in "$dir"/debs/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$root_dir" --keep-directory-symlink
	done
	# In the background, since bash ignores its -e on the left of ||.
	(
		cd "$dir/source" || exit
		# shellcheck disable=SC2046 # a word or none
		set -- $(compiler_of "$1")
		configure_debug_kernel "$@"
		# KCSAN would report the many races of the kernel itself; the modules that are tested are built without this.
		"$project/selftests/model/in-root.sh" make -s -j"$(nproc)" "$@" KCSAN_SANITIZE=n bzImage modules
		install_debug_kernel "$dir" "$@"
	) > "$log" 2>&1 < /dev/null &
	wait $! || die "building the kernel $1 failed, see $log"
	rm -rf "$dir/debs"
	debug_config "$1" > "$stamps/kernel-$1"
}
