# SPDX-License-Identifier: GPL-2.0-only
# Test points and lists of files for the checks; part of style.sh.
# shellcheck shell=bash disable=SC2154 # variables of style.sh

# point NAME STATUS FILE: one test point; a failure shows the start of what FILE holds.
point()
{
	points=$((points + 1))
	if [ "$2" = 0 ]; then
		echo "ok $points - $1"
	else
		echo "not ok $points - $1"
		head -n "${STYLE_LINES:-20}" "$3" | sed 's/^/# /'
		echo "# all of it: ${3#"$project"/}"
		result=1
	fi
}

# no_lines NAME FILE: passes if FILE is empty.
no_lines() { if [ -s "$2" ]; then point "$1" 1 "$2"; else point "$1" 0 "$2"; fi; }

# files GLOB...: the tracked and the new files, without those that git ignores.
files() { in_git ls-files --cached --others --exclude-standard -- "$@" | while read -r f; do [ ! -e "$f" ] || echo "$f"; done; }
