# SPDX-License-Identifier: GPL-2.0-only
# Limits on the size of files and folders; part of style.sh.
# shellcheck shell=bash disable=SC2154 # variables of style.sh

file_sizes()
{
	local output=$log/file-sizes lines_max=600

	# shellcheck disable=SC2046 # a list of files
	wc -l $(files 'kmod/*.c' 'userspace/*.c') | awk -v max="$lines_max" '$2 != "total" && $1 > max { print $2 ": " $1 " lines" }' > "$output"
	no_lines "no file of the product has more than $lines_max lines" "$output"
}

folder_sizes()
{
	local output=$log/folder-sizes files_max=25

	files ':(glob)userspace/acrctl/*.c' > "$output"
	[ "$(wc -l < "$output")" -gt "$files_max" ] || : > "$output"
	no_lines "at most $files_max files lie at the top of acrctl" "$output"
}
