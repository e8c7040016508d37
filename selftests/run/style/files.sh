# SPDX-License-Identifier: GPL-2.0-only
# What every file must have or must not have; part of style.sh.
# shellcheck shell=bash disable=SC2154 # variables of style.sh

spdx_lines()
{
	local output=$log/spdx file

	files '*.c' '*.h' '*.sh' '*.bash' '*.bats' '*.awk' '*.py' '*Makefile' Kbuild .ci/run 'selftests/suites/*' 'selftests/model/guest/*' |
		grep -v README | while read -r file; do
		head -n 2 "$file" | grep -q 'SPDX-License-Identifier: ' || echo "$file: no SPDX line at the top"
	done > "$output"
	no_lines "SPDX line in every source file" "$output"
}

left_marks()
{
	local output=$log/marks

	# shellcheck disable=SC2046 # a list of files
	grep -nE '\b(TODO|FIXME|XXX|HACK)\b' $(files '*.c' '*.h' '*.sh' '*.bats' '*.rst' '*Makefile' Kbuild README.md) 2> /dev/null |
		grep -v '^selftests/run/style/' > "$output"
	no_lines "no marks of unfinished work" "$output"
}
