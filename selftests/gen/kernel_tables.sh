#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# own_tables.sh on the event files of a kernel's source, which it fetches.
# usage: kernel_tables.sh   BUILD= keeps what is fetched; KERNEL_SOURCE= is the package, default linux-source-7.2 or else the newest
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-$PWD/build}
dir=$BUILD/linux-events

skip_all() { echo "1..0 # SKIP $*"; exit 0; }
private() { APT_CONFIG=$BUILD/apt/apt.conf "$@"; }

# package: that of the lists that the tables were made from, or else the newest
package()
{
	local all

	all=$(private apt-cache pkgnames linux-source- | grep -E '^linux-source-[0-9]+\.[0-9]+$' | sort -V)
	grep -x "${KERNEL_SOURCE:-linux-source-7.2}" <<< "$all" || tail -n 1 <<< "$all"
}

# fetch: the event files of the package $1 into $dir
fetch()
{
	rm -rf "$dir"
	mkdir -p "$dir"
	(cd "$dir" && private apt-get -q download "$1") > "$dir/log" 2>&1 || return 1
	dpkg-deb --fsys-tarfile "$dir/$1"_*.deb | tar -xO "./usr/src/$1.tar.xz" |
		tar -xJ -C "$dir" --strip-components=4 "$1/tools/perf/pmu-events/arch/x86" &&
		touch "$dir/$1.done"
	rm -f "$dir"/*.deb
	[ -e "$dir/$1.done" ]
}

[ -e "$BUILD/apt/apt.conf" ] || skip_all "selftests/model/setup.sh has not run: there is no archive to fetch from"
name=$(package)
[ -n "$name" ] || skip_all "the archive has no source of a kernel"
[ -e "$dir/$name.done" ] || fetch "$name" || skip_all "$name cannot be fetched: see $dir/log"
echo "# event files of $name"
DATA=$dir/arch exec selftests/gen/own_tables.sh
