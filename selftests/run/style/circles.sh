# SPDX-License-Identifier: GPL-2.0-only
# No circles of symbols between objects and between folders; part of style.sh.
# shellcheck shell=bash disable=SC2154 # variables of style.sh

# no_circle NAME < LINES: each line is "OBJECT NODE".
no_circle()
{
	local output=$log/circles-$1 status=0

	selftests/run/circles.sh > "$output" 2>&1 || status=$?
	point "no circle of symbols: $1" "$status" "$output"
}

# module_objects KERNEL: those that module.sh has built
module_objects() { sed -nE "s,^acrpmu-y [:+]= (.*)\.o,$BUILD/kmod-$1/\1.o \1,p" Kbuild; }

module_circles() { no_circle "module-$1" < <(module_objects "$1"); }

# archive_circles ARCHIVE
archive_circles()
{
	no_circle "$1" < <(ar t "$BUILD/$1.a" | sed "s,\(.*\)\.o,$BUILD/$1.a[&] \1,")
}

# Each folder of acrctl is one node, and so are perfdata, push and symbols. Each file at the top of acrctl is a node: it starts the folders
# or is shared by them.
acrctl_objects()
{
	local source node

	files 'userspace/acrctl/*.c' 'userspace/montecito/acrctl/*.c' 'userspace/perfdata/*.c' 'userspace/push/*.c' 'userspace/symbols/*.c' |
		while read -r source; do
		node=${source#userspace/}
		case $node in
		acrctl/*/*|montecito/*|perfdata/*|push/*|symbols/*) node=${node%/*}/ ;;
		*) node=${node%.c} ;;
		esac
		echo "$BUILD/userspace/${source%.c}.o $node"
	done
}

userspace_circles()
{
	if ! make -s -C userspace BUILD="$BUILD" all > "$log/userspace" 2>&1; then
		point "userspace is built" 1 "$log/userspace"
		return
	fi
	archive_circles libacrpmu
	archive_circles libacrpfm
	no_circle acrctl < <(acrctl_objects)
}
