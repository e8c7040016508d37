# SPDX-License-Identifier: GPL-2.0-only
# What has changed since a commit at which all was green; sourced.
# shellcheck shell=bash disable=SC2034 # variables for check.sh

in_git() { git -c safe.directory='*' "$@"; }

# clean_commit: prints where this branch left origin's. Where there is none of them, as in a clone of what is about to be merged, it is the
# commit in selftests/run/clean. Prints nothing if HEAD does not descend from it.
clean_commit()
{
	local recorded left

	left=$(in_git merge-base HEAD origin/HEAD 2> /dev/null)
	if [ -n "$left" ] && [ "$left" != "$(in_git rev-parse HEAD)" ]; then
		echo "$left"
		return
	fi
	recorded=$(sed -n 's/^commit //p' selftests/run/clean)
	! in_git merge-base --is-ancestor "$recorded" HEAD 2> /dev/null || echo "$recorded"
}

# changed_since COMMIT: prints the files that differ from it, and new ones.
changed_since() { in_git diff --name-only --no-renames "$1"; in_git ls-files --others --exclude-standard; }

# find_clean: sets clean to the commit, and clean_kernels and changed to what belongs to it; with ALL=1 clean is empty.
find_clean()
{
	clean='' clean_kernels='' changed=()
	[ -z "${ALL:-}" ] && clean=$(clean_commit) && [ -n "$clean" ] || return 0
	clean_kernels=" $(sed -n 's/^kernel //p' selftests/run/clean | tr '\n' ' ')"
	mapfile -t changed < <(changed_since "$clean")
}

# changed_in PATTERN...: whether any file of that name, or below such a directory, is among them
changed_in()
{
	local pattern file

	for pattern; do
		for file in "${changed[@]}"; do
			# shellcheck disable=SC2053 # a pattern
			[[ $file != $pattern && $file != $pattern/* ]] || return 0
		done
	done
	return 1
}

# is_module_changed: also true where that is not known, and where everything runs
is_module_changed()
{
	local commit

	[ -z "${ALL:-}${ACR_LONG:-}" ] && commit=$(clean_commit) && [ -n "$commit" ] || return 0
	changed_since "$commit" | grep -qE '^(Kbuild|Makefile|kmod/.*|uapi/.*|selftests/run/(circles\..*|module\.sh|sparse-compat\.h|style/(circles|module)\.sh))$'
}
