# SPDX-License-Identifier: GPL-2.0-only
# Runs shellcheck on scripts; part of style.sh.
# shellcheck shell=bash disable=SC2154 # variables of style.sh

scripts()
{
	local output=$log/shellcheck list

	list=$(checked '*.sh' '*.bash' .ci/run selftests/model/profile-args | while read -r f; do
		case $f in *.sh|*.bash) echo "$f" ;; *) head -n 1 "$f" | grep -q 'sh$' && echo "$f" ;; esac; done)
	if [ ${#in_root[@]} = 0 ] && ! command -v shellcheck > /dev/null; then
		points=$((points + 1))
		echo "ok $points - shellcheck # SKIP shellcheck is not installed"
		return
	fi
	: > "$output"
	# Functions called through variables and traps look unreachable (SC2317), variables for sourcing scripts look unused (SC2034).
	# shellcheck disable=SC2086 # a list of files
	[ -z "$list" ] || "${in_root[@]}" shellcheck -x -S warning -e SC2317,SC2034 -f gcc -s bash $list > "$output" 2>&1
	no_lines "shellcheck" "$output"
}
