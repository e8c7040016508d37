#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Checks the style of every source file, as TAP: any warning fails. Tools come from the Debian root, where there is one.
# usage: style.sh [--changed] [CHECK...]   --changed: the slow checks of single files, see style/changed.sh, leave out what did not change
# CHECK is a function of style/*.sh, by default all; KERNELS="6.1 newest" chooses the kernel headers for W=1
set -u
# shellcheck source=selftests/model/common.sh
. "$(dirname "$0")/../model/common.sh"
cd "$project" || exit 1

kernels=$(resolve_kernels "${KERNELS:-6.1 newest}") || exit 1
log=$BUILD/style
points=0 result=0
mkdir -p "$log"
[ -x "$root_dir/usr/bin/shellcheck" ] && in_root=("$project/selftests/model/in-root.sh") || in_root=()

for concept in selftests/run/{changed,suites}.sh selftests/run/style/*.sh; do
	# shellcheck source=/dev/null
	. "$concept"
done
[ -n "$(files Makefile)" ] || die "git lists no files: style is checked in a clone"
only_changed=no
# With ALL=1 sparse looks at a module that has not changed.
if [ "${1:-}" = --changed ]; then only_changed=yes; shift; else export ALL=1; fi
[ $# -gt 0 ] || set -- c_style module_style userspace_circles library_boundary netlink_boundary file_sizes folder_sizes \
	plain_words empty_parameters spdx_lines left_marks known_flaky suite_areas scripts
find_scope
for check; do "$check"; done
echo "1..$points"
exit $result
