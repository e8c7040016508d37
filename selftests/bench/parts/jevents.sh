#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Time of jevents against perf's jevents.py on the event files of the newest kernel source in the archive, which it fetches.
# usage: jevents.sh   RUNS= of each; KERNEL_SOURCE= is the package
set -euo pipefail
# shellcheck source=selftests/bench/paired.sh
. "$(dirname "$0")/../paired.sh"

dir=$BUILD/linux-perf
tree=$dir/pmu-events

private() { APT_CONFIG=$BUILD/apt/apt.conf "$@"; }

# the newest is there under its version, not in its name
package()
{
	private apt-cache pkgnames linux-source- | grep -E '^linux-source-[0-9]+\.[0-9]+$' | sort -V | tail -n 1
}

# fetch PACKAGE: its jevents.py and event files
fetch()
{
	rm -rf "$dir"
	mkdir -p "$dir"
	(cd "$dir" && private apt-get -q download "$1") >&2
	dpkg-deb --fsys-tarfile "$dir/$1"_*.deb | tar -xO "./usr/src/$1.tar.xz" |
		tar -xJ -C "$dir" --strip-components=3 "$1/tools/perf/pmu-events"
	rm -f "$dir"/*.deb
	touch "$dir/$1.done"
}

peer() { command=(python3 "$tree/jevents.py" all all "$tree/arch" "$work/peer.c"); }
# perf's makes one table of all architectures, ours one of each
ours()
{
	local arch

	command=("$BUILD/jevents")
	for arch in "$tree/arch"/*/; do
		command+=("$arch" "$work/$(basename "$arch").c")
	done
}

[ -e "$BUILD/apt/apt.conf" ] || die "no $BUILD/apt: run selftests/model/setup.sh first"
source=${KERNEL_SOURCE:-$(package)}
[ -e "$dir/$source.done" ] || fetch "$source"
build run_once
both ours peer > "$work/pairs"
# as many architectures with events as there are folders, and an event of a known table in both
folders=("$tree/arch"/*/)
[ "$(grep -cE ' files, [1-9][0-9]* events in ' "$work/ours.err")" = ${#folders[@]} ] || die "an architecture has no events"
for output in "$work/powerpc.c" "$work/peer.c"; do
	grep -q 'event=0x100f2' "$output" || die "a table was not made"
done
echo "event files of $source" >&2
pairs "$work/pairs" part=jevents name='event files' memory_name='event files: memory' peer_name=jevents.py
