#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs a command inside the Debian root, in the same directory: the project lies at the same path there.
set -euo pipefail
# shellcheck source=selftests/model/common.sh
. "$(dirname "$0")/common.sh"

if [ $# = 0 ] || [ "$1" = --help ]; then
	echo "usage: in-root.sh COMMAND [ARGUMENTS...]   (runs as root; build/root is made by setup.sh)"
	exit $(($# == 0 ? 2 : 0))
fi
[ "$(id -u)" = 0 ] || die "entering $root_dir needs root"
[ -x "$root_dir/bin/sh" ] || die "no Debian root at $root_dir: run selftests/model/setup.sh first"

# The mounts live in this command's own mount namespace, so that none is left behind, however it ends.
propagation=private
# If / is no mount point (in a chroot), its propagation cannot be changed and is already private.
mountpoint -q / || propagation=unchanged
# shellcheck disable=SC2016 # expanded by the inner shell
exec unshare --mount --propagation "$propagation" sh -ec '
	root=$1 project=$2 dir=$3
	shift 3
	mount -t proc proc "$root/proc"
	mount --rbind /sys "$root/sys"
	mount --rbind /dev "$root/dev"
	mount -t tmpfs tmpfs "$root/tmp"
	mkdir -p "$root$project"
	mount --bind "$project" "$root$project"
	exec chroot "$root" env -C "$dir" -u LD_LIBRARY_PATH -u TMPDIR LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
' in-root "$root_dir" "$project" "$PWD" "$@"
