# SPDX-License-Identifier: GPL-2.0-only
# Checks that each file that an area names exists, or a suite would be left out for ever once a file is renamed; part of style.sh.
# shellcheck shell=bash disable=SC2154 # variables of style.sh, and of a suite

# alternatives PATTERN: one line for each of what its @(A|B) stand for
alternatives()
{
	local begin end each
	local -a list

	if [[ ! $1 =~ ^([^@]*)@\(([^()]*)\)(.*)$ ]]; then
		echo "$1"
		return
	fi
	begin=${BASH_REMATCH[1]} end=${BASH_REMATCH[3]}
	IFS='|' read -ra list <<< "${BASH_REMATCH[2]}"
	for each in "${list[@]}"; do alternatives "$begin$each$end"; done
}

suite_areas()
{
	local output=$log/areas suite pattern
	local -a changed paths

	mapfile -t changed < <(files)
	for suite in selftests/suites/*; do
		[ "${suite##*/}" != README ] || continue
		load_suite "$suite"
		read -rd '' -a paths <<< "$area" || true
		for pattern in "${paths[@]}"; do alternatives "$pattern"; done | while read -r pattern; do
			changed_in "$pattern" || echo "$suite: $pattern is the name of nothing"
		done
	done > "$output"
	no_lines "each pattern of an area is the name of something" "$output"
}
