# SPDX-License-Identifier: GPL-2.0-only
# Words that read as translated; part of style.sh.
# shellcheck shell=bash disable=SC2154 # variables of style.sh

# There is almost always a plainer verb or a shorter sentence. Texts of vendors and licenses stay as they are.
plain_words()
{
	local output=$log/words lines_max=20

	# shellcheck disable=SC2046 # a list of files
	grep -niwE "told|shall|whose|meanwhile|can be had" $(files . ':!COPYING' ':!LICENSES' ':!userspace/events' \
		':!userspace/montecito/events' ':!selftests/fixtures' ':!selftests/run/style' ':!selftests/scripts/style.bats') > "$output"
	[ "$(wc -l < "$output")" -gt "$lines_max" ] || : > "$output"
	no_lines "at most $lines_max lines have a word that reads as translated" "$output"
}

# "@session: the session" documents nothing.
empty_parameters()
{
	local output=$log/parameters

	# shellcheck disable=SC2046 # a list of files
	grep -nE '^\s*/?\*+ @(\w+): (the|its) \1$' $(files kmod userspace) > "$output"
	no_lines 'every documented parameter is explained by more than its name' "$output"
}
