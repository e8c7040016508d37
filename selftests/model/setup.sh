#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Fetches what the model CPU needs under build/: a Debian 13 root with QEMU, the kernels, and kernel test headers.
set -euo pipefail
# shellcheck source=selftests/model/common.sh
. "$(dirname "$0")/common.sh"

usage()
{
	cat <<-'USAGE'
	usage: setup.sh [--for tools|root|demo|check|bench|all] [--kernels "6.1 6.12 newest"]
	
	Makes each of these once (a second run downloads nothing):
	  build/root             Debian 13 with QEMU, perf, compilers and test tools
	  build/kernels/NAME     vmlinuz, modules, config, System.map of a kernel
	  build/perf-6.1         perf of Debian 12, for tests of perf.data
	  build/kselftest        checkpatch.pl and the kselftest headers of Linux 6.1
	
	--for tools   packages of this machine only
	--for root    the same and the Debian root
	--for demo    the newest kernel only, no build/kselftest, no build/perf-6.1
	--for check   kernels 6.1 and newest (default)
	--for bench   the same: its peers are perf of the root and of Debian 12, and the machine's libpfm4
	--for all     kernels 6.1, 6.12 and newest
	--kernels, KERNELS=   the kernels to fetch, instead of the default of --for
	
	A kernel's name is VERSION for Debian's cloud kernel, VERSION-generic for the one of usual hosts, or VERSION-rt for its real-time
	kernel. VERSION-debug (KASAN, lockdep), VERSION-kcsan and VERSION-clang (built by clang, with LTO and CFI) are built from
	Debian's source with selftests/model/debug-kernel*.config, in 20 to 30 minutes on two CPUs. VERSION is a number such as
	6.1, or newest.
	
	newest is the newest cloud kernel >= 6.17 in Debian 12, 13 or trixie-backports when it is first fetched. Suites after
	trixie are not searched: the headers of their kernels need a newer compiler and C library than the root has.
	build/stamps/newest keeps the number; remove that file to search again.
	
	Needs Debian and root. The archive comes from apt's own configuration; DEBIAN_MIRROR=URL overrides it.
	A qemu-system-x86_64 >= 11.1 found in PATH is used, and then none is fetched.
	
	On other machines set these instead, for setup.sh, boot.sh and make:
	  QEMU=PATH     a qemu-system-x86_64 >= 11.1 built with plugins; glib headers and a compiler of this machine
	  ROOTFS=DIR    a root directory with busybox (static), bash, kmod, mount, perf, bats; virtiofsd there or here
	  KERNEL=DIR    a directory with vmlinuz and modules/ (what lies in lib/modules/RELEASE, with build/ in it)
	  KSELFTEST=DIR tools/testing/selftests of a kernel source
	USAGE
}

purpose=check
kernels=${KERNELS:-}
while [ $# -gt 0 ]; do
	case $1 in
	--for) purpose=${2:?}; shift 2 ;;
	--kernels) kernels=${2:?}; shift 2 ;;
	--help|-h) usage; exit 0 ;;
	*) usage_error "unknown argument '$1'" ;;
	esac
done
case $purpose in
tools|root) kernels='' ;;
demo) kernels=${kernels:-newest} ;;
check|bench) kernels=${kernels:-6.1 newest} ;;
all) kernels=${kernels:-6.1 6.12 newest} ;;
*) usage_error "--for '$purpose': must be tools, root, demo, check, bench or all" ;;
esac

stamps=$BUILD/stamps
apt_dir=$BUILD/apt
logs=$BUILD/log
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
root_packages=(apt bats binutils busybox-static ca-certificates cpio gawk gcc gcc-12 jq kmod libc6-dev libcurl3t64-gnutls
	libdebuginfod1t64 libdw-dev libelf-dev libglib2.0-dev libjson-c5 libncursesw6 libnl-genl-3-200 libprotobuf-c1 libzstd1 make mount
	ncurses-base ncurses-bin pahole patch perl pkg-config procps shellcheck sparse tmux util-linux virtiofsd xz-utils zlib1g zstd)
backports_packages=(linux-perf)
mkdir -p "$stamps" "$logs"
# shellcheck source=selftests/model/debug-kernel.sh
. "$project/selftests/model/debug-kernel.sh"

# --- the machine's apt ------------------------------------------------------------------------------------------------

# Debian's main archive as this machine's apt is configured to use it.
find_mirror()
{
	[ -z "${DEBIAN_MIRROR:-}" ] || { printf '%s\n' "$DEBIAN_MIRROR"; return; }
	# shellcheck disable=SC2016 # apt's own fields
	apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT) $(LABEL)' 'Created-By: Packages' |
		awk '$3 == "main" && $2 !~ /-security$/ && $1 !~ /security\/?$/ &&
			($4 == "Debian" || $4 == "" || $4 ~ /LABEL/) { print $1; exit }'
}

# This machine's options for downloads (proxies, certificates, retries), without empty values.
acquire_options()
{
	apt-config dump Acquire | grep -Ev '^Acquire::(IndexTargets|Changelogs|CompressionTypes|cdrom)' | grep -v ' "";$' || true
}

# apt_private TOOL ARGS...: apt on the archive's three suites with a private state; the machine's state stays untouched.
apt_private()
{
	local tool=$1

	shift
	APT_CONFIG=$apt_dir/apt.conf "$tool" "$@"
}

prepare_apt()
{
	local mirror

	# Older lists may name packages that the archive no longer has.
	[ -z "$(find "$stamps/apt" -mmin -720 2> /dev/null)" ] || return 0
	say "reading the package lists"
	mirror=$(find_mirror)
	[ -n "$mirror" ] || die "apt has no Debian archive configured: set DEBIAN_MIRROR=URL"
	[ -e "$keyring" ] || die "no $keyring: install debian-archive-keyring"
	rm -rf "$apt_dir"
	mkdir -p "$apt_dir"/{state/lists/partial,cache/archives/partial,none}
	touch "$apt_dir/status"
	{ echo 'Acquire::Retries "3";'; acquire_options; } > "$apt_dir/acquire.conf"
	printf 'deb [signed-by=%s] %s %s main\n' "$keyring" "$mirror" bookworm "$keyring" "$mirror" trixie \
		"$keyring" "$mirror" trixie-backports > "$apt_dir/sources.list"
	{
		cat "$apt_dir/acquire.conf"
		printf 'Dir::State "%s/state"; Dir::State::status "%s/status"; Dir::Cache "%s/cache";\n' \
			"$apt_dir" "$apt_dir" "$apt_dir"
		printf 'Dir::Etc::sourcelist "%s/sources.list"; Dir::Etc::sourceparts "%s/none";\n' "$apt_dir" "$apt_dir"
		printf 'Dir::Etc::preferences "%s/none/none"; Dir::Etc::preferencesparts "%s/none";\n' "$apt_dir" "$apt_dir"
		printf 'APT::Architecture "amd64"; APT::Architectures { "amd64"; }; APT::Sandbox::User "root";\n'
	} > "$apt_dir/apt.conf"
	apt_private apt-get -q update > "$logs/apt-update.log" 2>&1 ||
		die "apt-get update failed, see $logs/apt-update.log"
	touch "$stamps/apt"
}

# Packages on this machine: for fetching, building and testing, and those in userspace/DEPENDS.
install_host_tools()
{
	local package missing=() wanted=(mmdebstrap cpio xz-utils kmod util-linux gcc make libc6-dev)

	[ "$purpose" = demo ] || wanted+=(bats binutils chromium chromium-driver clang curl git
		golang-github-google-pprof-dev golang-go jq libclang-rt-dev libpfm4-dev mandoc openssl perl python3 python3-docutils
		python3-jsonschema python3-selenium python3-yaml tmux)
	# another nodejs, which npm of Debian may not go with, is left as it is
	[ "$purpose" = demo ] || command -v node > /dev/null || wanted+=(nodejs npm)
	mapfile -t -O ${#wanted[@]} wanted < <(grep -v '^#' "$project/userspace/DEPENDS" 2> /dev/null)
	for package in "${wanted[@]}"; do
		[ -e "/var/lib/dpkg/info/$package.list" ] || [ -e "/var/lib/dpkg/info/$package:amd64.list" ] || missing+=("$package")
	done
	[ ${#missing[@]} -gt 0 ] || return 0
	say "installing ${missing[*]}"
	{ apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -qy --no-install-recommends install "${missing[@]}"; } \
		> "$logs/host-tools.log" 2>&1 < /dev/null || die "installing ${missing[*]} failed, see $logs/host-tools.log"
}

# --- the root ---------------------------------------------------------------------------------------------------------

# The archive that prepare_apt uses.
archive() { sed -n 's/^deb \[[^]]*\] \([^ ]*\) trixie main$/\1/p' "$apt_dir/sources.list"; }

make_root()
{
	local preferences=$apt_dir/preferences packages mirror log=$logs/root.log

	[ -z "${ROOTFS:-}" ] || return 0
	[ ! -e "$stamps/root" ] || return 0
	host_qemu > /dev/null || backports_packages+=(qemu-system-x86)
	packages="${root_packages[*]} ${backports_packages[*]}"
	mirror=$(archive)
	printf 'Package: qemu-* linux-perf libbpf* seabios\nPin: release n=trixie-backports\nPin-Priority: 900\n' > "$preferences"
	rm -rf --one-file-system "$root_dir"
	mmdebstrap --mode=root --variant=apt --architectures=amd64 --format=directory \
		--include="${packages// /,}" --aptopt="$apt_dir/acquire.conf" --aptopt='Apt::Install-Recommends "false"' \
		--dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
		--dpkgopt='path-exclude=/usr/share/doc/*' \
		--setup-hook="cp '$preferences' \"\$1/etc/apt/preferences\"" \
		trixie "$root_dir" \
		"deb [signed-by=$keyring] $mirror trixie main" "deb [signed-by=$keyring] $mirror trixie-backports main" \
		> "$log" 2>&1 < /dev/null || die "making the Debian root failed, see $log"
	touch "$stamps/root"
}

# perf 6.1 with its libraries, as files only, for perf.sh.
make_perf()
{
	local mirror log=$logs/perf-6.1.log dir=$BUILD/perf-6.1

	[ ! -e "$stamps/perf-6.1" ] || return 0
	mirror=$(archive)
	rm -rf "$dir"
	mmdebstrap --mode=root --variant=extract --architectures=amd64 --format=directory --include=linux-perf \
		--aptopt="$apt_dir/acquire.conf" --aptopt='Apt::Install-Recommends "false"' --dpkgopt='path-exclude=/usr/share/*' \
		bookworm "$dir" "deb [signed-by=$keyring] $mirror bookworm main" > "$log" 2>&1 < /dev/null ||
		die "unpacking perf 6.1 failed, see $log"
	touch "$stamps/perf-6.1"
}

# Kernel headers go into the root as plain files: their packages run nothing when installed.
add_headers()
{
	local version=$1 deb modules=$kernels_dir/$1/modules

	[ -z "${ROOTFS:-}" ] || return 0
	# The link is in no package of the kernel.
	ln -sfn "/usr/src/linux-headers-$(< "$kernels_dir/$version/release")" "$modules/build"
	[ ! -e "$stamps/headers-$version" ] || return 0
	for deb in "$kernels_dir/$version"/debs/headers/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$root_dir" --keep-directory-symlink
	done
	rm -rf "$kernels_dir/$version/debs"
	touch "$stamps/headers-$version"
}

# --- kernels ----------------------------------------------------------------------------------------------------------

# kernel_packages FLAVOUR [SERIES]: the cloud, rt or generic kernels of the archive, such as linux-image-6.1.0-50-cloud-amd64 for 6.1;
# the newest last, no release candidates. Names of the generic ones have no flavour.
kernel_packages()
{
	local flavour=-$1

	[ "$1" != generic ] || flavour=''
	apt_private apt-cache pkgnames "linux-image-${2:+$2.}" |
		sed -nE "/^linux-image-[0-9.]+(-[0-9]+|\+deb[0-9]+)$flavour-amd64\$/p" | sort -V
}

# Looks up `newest` in the archive, unless an earlier run has.
find_newest()
{
	local series

	[ ! -s "$newest_file" ] || return 0
	require_debian
	prepare_apt
	series=$(kernel_packages cloud | sed -nE '$s/^linux-image-([0-9]+\.[0-9]+)\..*/\1/p')
	[ -n "$series" ] && version_ge "$series" "$newest_min" ||
		die "the archive has no cloud kernel >= $newest_min: choose others with KERNELS=, or set KERNEL=DIR"
	printf '%s\n' "$series" > "$newest_file"
}

# closure PATTERN PACKAGE: the package and all dependencies, at any depth, that match the pattern.
closure()
{
	local dependency

	printf '%s\n' "$2"
	for dependency in $(apt_private apt-cache depends "$2" | sed -n 's/^ *Depends: //p' | grep -E -- "$1" || true); do
		closure "$1" "$dependency"
	done
}

download()
{
	local dir=$1

	shift
	mkdir -p "$dir"
	(cd "$dir" && apt_private apt-get -q download "$@")
}

fetch_kernel()
{
	local version=$1 dir=$kernels_dir/$1 flavour=cloud image release file packages headers

	[ ! -e "$stamps/kernel-$version" ] || return 0
	case $version in *-*) flavour=${version#*-} ;; esac
	image=$(kernel_packages "$flavour" "${version%%-*}" | tail -n 1)
	[ -n "$image" ] || die "the archive has no $flavour kernel ${version%%-*}: choose others with KERNELS=, or set KERNEL=DIR"
	release=${image#linux-image-}
	rm -rf "$dir"
	mapfile -t packages < <(closure '^linux-(binary|modules|base)-[0-9]' "$image" | sort -u)
	mapfile -t headers < <(closure '^linux-(headers|kbuild)-[0-9]' "linux-headers-$release" | sort -u)
	download "$dir/debs/image" "${packages[@]}"
	download "$dir/debs/headers" "${headers[@]}"
	for file in "$dir"/debs/image/*.deb; do
		dpkg-deb -x "$file" "$dir/tree"
	done
	rm -rf "$dir/tree/usr/share"
	[ -d "$dir/tree/lib" ] || mv "$dir/tree/usr/lib" "$dir/tree/lib"
	ln -s "tree/lib/modules/$release" "$dir/modules"
	for file in vmlinuz System.map config; do
		if [ -e "$dir/tree/boot/$file-$release" ]; then
			ln -s "tree/boot/$file-$release" "$dir/$file"
		else
			ln -s "modules/$file" "$dir/$file"
		fi
	done
	printf '%s\n' "$release" > "$dir/release"
	depmod -b "$dir/tree" "$release"
	touch "$stamps/kernel-$version"
}

# --- kernel test headers ----------------------------------------------------------------------------------------------

fetch_kselftest()
{
	local series=6.1 dir=$BUILD/kselftest deb prefix

	[ ! -e "$stamps/kselftest" ] || return 0
	rm -rf "$dir"
	download "$dir" "linux-source-$series"
	deb=$(echo "$dir"/linux-source-*.deb)
	prefix=linux-source-$series
	dpkg-deb --fsys-tarfile "$deb" | tar -xO "./usr/src/$prefix.tar.xz" | xz -dc | tar -x -C "$dir" --strip-components=1 \
		"$prefix/scripts/checkpatch.pl" "$prefix/scripts/spelling.txt" "$prefix/scripts/const_structs.checkpatch" \
		"$prefix/tools/testing/selftests/kselftest.h" "$prefix/tools/testing/selftests/kselftest_harness.h" \
		"$prefix/tools/testing/selftests/kselftest" "$prefix/tools/testing/selftests/lib.mk"
	rm -f "$deb"
	touch "$stamps/kselftest"
}

# --- in parallel ------------------------------------------------------------------------------------------------------

have_kernel()
{
	if is_debug_kernel "$1"; then
		debug_kernel_is_built "$1"
	else
		[ -e "$stamps/kernel-$1" ] && [ -e "$stamps/headers-$1" ] && [ -L "$kernels_dir/$1/modules/build" ]
	fi
}

# True if everything requested is already there.
complete()
{
	local version

	[ "$purpose" != tools ] || return 0
	if [ -z "${ROOTFS:-}" ]; then
		[ -e "$stamps/root" ] || return 1
		[ "$purpose" = demo ] || [ "$purpose" = root ] || { [ -e "$stamps/kselftest" ] && [ -e "$stamps/perf-6.1" ]; } || return 1
	fi
	[ -n "${KERNEL:-}" ] || for version in $kernels; do
		have_kernel "$version" || return 1
	done
}

require_debian()
{
	command -v apt-get > /dev/null && [ "$(id -u)" = 0 ] ||
		die "making the root needs Debian and root; elsewhere set QEMU=, KERNEL= and ROOTFS= (see --help)"
}

main()
{
	local version fetch lock pid pids=() status=0

	[ "$(id -u)" != 0 ] || ! command -v apt-get > /dev/null || [ -n "${ROOTFS:-}" ] || install_host_tools
	if [ -z "${KERNEL:-}" ]; then
		case " $kernels" in *" newest"*) find_newest ;; esac
		kernels=$(resolve_kernels "$kernels")
	fi
	complete && { say "everything is there"; return; }
	require_debian
	# What another run is fetching or building is not there yet, and must not be begun again.
	exec {lock}> "$stamps/lock"
	flock "$lock"
	complete && { say "everything is there"; return; }
	prepare_apt
	say "fetching the Debian root${kernels:+ and kernels $kernels}"
	make_root & pids+=($!)
	for version in $kernels; do
		if is_debug_kernel "$version"; then fetch=fetch_debug_kernel; else fetch=fetch_kernel; fi
		"$fetch" "$version" > "$logs/kernel-$version.log" 2>&1 & pids+=($!)
	done
	if [ "$purpose" != demo ] && [ "$purpose" != root ]; then
		fetch_kselftest > "$logs/kselftest.log" 2>&1 & pids+=($!)
		make_perf & pids+=($!)
	fi
	for pid in "${pids[@]}"; do wait "$pid" || status=1; done
	[ $status = 0 ] || die "fetching failed, see $logs"
	for version in $kernels; do
		if is_debug_kernel "$version"; then build_debug_kernel "$version"; else add_headers "$version"; fi
	done
	say "done in $SECONDS s"
}

main
