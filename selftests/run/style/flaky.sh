# SPDX-License-Identifier: GPL-2.0-only
# The list of tests that are red by chance stays short and fresh; part of style.sh.
# shellcheck shell=bash disable=SC2154 # variables of style.sh

known_flaky()
{
	local output=$log/flaky names_max=5 date file name changed

	grep -v '^#' selftests/run/flaky | while IFS=$'\t' read -r date file name; do
		changed=$(git -c safe.directory='*' log -1 --format=%cs -- "$file")
		if [ ! -e "$file" ]; then
			echo "$name: there is no $file any more: remove the line"
		elif [[ $changed > $date ]]; then
			echo "$name: $file has changed on $changed, after $date: mend the test, and remove the line"
		fi
	done > "$output"
	[ "$(grep -vc '^#' selftests/run/flaky)" -le $names_max ] || echo "more than $names_max tests: mend some" >> "$output"
	no_lines "at most $names_max tests are known to be red by chance, and none after a change of its file" "$output"
}
