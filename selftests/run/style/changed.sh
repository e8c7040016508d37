# SPDX-License-Identifier: GPL-2.0-only
# Which files the slow checks of single files look at: all, or with --changed those that differ from a commit that was clean; part of style.sh.
# shellcheck shell=bash disable=SC2034,SC2154 # variables for and of style.sh

# find_scope: sets $scope to `all`, or to the commit from which files must differ to be looked at. What decides how they are looked at is not
# among them.
find_scope()
{
	scope=all
	[ "$only_changed" = yes ] || return 0
	scope=$(clean_commit)
	[ -n "$scope" ] && in_git diff --quiet "$scope" -- selftests/run/style/{checkpatch,scripts}.sh || scope=all
	# An unchanged module is looked at where something boots it.
	[ "$scope" = all ] || is_module_changed || kernels=$(resolve_kernels newest) || exit 1
	echo "# checkpatch and shellcheck: files that differ from ${scope/#all/no commit: all of them}"
}

# checked GLOB...: files that differ from $scope, and new ones
checked()
{
	[ "$scope" != all ] || { files "$@"; return; }
	files "$@" | grep -xFf <(changed_since "$scope")
}
