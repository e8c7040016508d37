# SPDX-License-Identifier: GPL-2.0-only
# Which files the slow checks of single files look at: all, or with --changed those that differ from a commit that was clean; part of style.sh.
# shellcheck shell=bash disable=SC2154 # variables of style.sh

# clean_commit: where this branch left origin's. Where there is none of them, as in a clone of what is about to be merged, it is the commit
# in selftests/run/style/clean. Prints nothing if HEAD does not descend from it.
clean_commit()
{
	local recorded left

	left=$(in_git merge-base HEAD origin/HEAD 2> /dev/null)
	if [ -n "$left" ] && [ "$left" != "$(in_git rev-parse HEAD)" ]; then
		echo "$left"
		return
	fi
	recorded=$(grep -v '^#' selftests/run/style/clean)
	! in_git merge-base --is-ancestor "$recorded" HEAD 2> /dev/null || echo "$recorded"
}

# find_scope: sets $scope to `all`, or to the commit from which files must differ to be looked at. What decides how they are looked at is not
# among them.
find_scope()
{
	scope=all
	[ "$changed" = yes ] || return 0
	scope=$(clean_commit)
	[ -n "$scope" ] && in_git diff --quiet "$scope" -- selftests/run/style/{checkpatch,scripts}.sh || scope=all
	echo "# checkpatch and shellcheck: files that differ from ${scope/#all/no commit: all of them}"
}

# checked GLOB...: files that differ from $scope, and new ones
checked()
{
	[ "$scope" != all ] || { files "$@"; return; }
	files "$@" | grep -xFf <(in_git diff --name-only --no-renames "$scope"; in_git ls-files --others --exclude-standard)
}
