# SPDX-License-Identifier: GPL-2.0-only
# How `make torture` goes on where an earlier run of the same tree ended: build/torture has its name, and what was green; sourced.
# shellcheck shell=bash disable=SC2154 # variables of check.sh

declare -A green_before=()
torture_file=$BUILD/torture
end_s=''	# no job starts after so many seconds
left=0		# jobs that did not start

# tree_name: a name of all that git knows of the tree and of what differs; nothing without git
tree_name()
{
	in_git rev-parse HEAD > /dev/null 2>&1 || return
	{
		in_git rev-parse HEAD
		in_git diff HEAD
		in_git ls-files -z --others --exclude-standard | xargs -0r sha256sum
		echo "$kernels"
	} | sha256sum | cut -d ' ' -f 1
}

# check_minutes: refuses TORTURE_MINUTES= where it would mean nothing, before anything is built.
check_minutes()
{
	[ -n "${TORTURE_MINUTES:-}" ] || return 0
	[ "$scope" = torture ] && [ -z "$named" ] ||
		die "TORTURE_MINUTES=$TORTURE_MINUTES is for make torture without SUITES=, which goes on where it ended"
	case $TORTURE_MINUTES in *[!0-9]*) die "TORTURE_MINUTES=$TORTURE_MINUTES is no number of minutes" ;; esac
}

# find_green: sets green_before if the last run was of this tree, or begins anew.
find_green()
{
	local name tree

	[ "$scope" = torture ] && [ -z "$named" ] || return 0
	[ -z "${TORTURE_MINUTES:-}" ] || end_s=$((SECONDS + TORTURE_MINUTES * 60))
	tree=$(tree_name)
	if [ -n "$tree" ] && [ -e "$torture_file" ] && [ "$(head -n 1 "$torture_file")" = "$tree" ]; then
		while read -r name; do green_before[$name]=yes; done < <(tail -n +2 "$torture_file")
		[ ${#green_before[@]} = 0 ] || echo "${#green_before[@]} results were green in the last run of this tree (build/torture)"
	else
		echo "$tree" > "$torture_file"
	fi
}

# note_green RESULT...: those of a job that has ended, if all of them are green
note_green()
{
	local name

	[ "$scope" = torture ] && [ -z "$named" ] || return 0
	for name; do is_green "$name" || return 0; done
	printf '%s\n' "$@" >> "$torture_file"
}

# out_of_time: whether no job may start any more
out_of_time() { [ -n "$end_s" ] && [ $SECONDS -ge "$end_s" ]; }
