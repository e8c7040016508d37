#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Tests of the documentation in .rst and .md, as TAP: it renders without a warning, and every link leads to a file.
set -u
# shellcheck source=selftests/docs/point.sh
. "$(dirname "$0")/point.sh"
cd "$(dirname "$0")/../.." || exit 1

# links FILE: the relative targets of links, without anchors.
links()
{
	case $1 in
	*.rst) grep -oE '<[^<>` ]+>`_' "$1" | sed 's/^<//; s/>`_$//' ;;
	*.md) grep -oE '\]\([^) ]+\)' "$1" | sed 's/^](//; s/)$//' ;;
	esac | grep -v '^[a-z]*://' | sed 's/#.*//' | sort -u
}

texts=(Documentation/*.rst)
if rst2html=$(command -v rst2html || command -v rst2html5 || command -v rst2html.py); then
	for text in "${texts[@]}"; do
		point "${text##*/} renders without a warning" "$("$rst2html" --report=warning "$text" 2>&1 > /dev/null)"
	done
else
	skip "the documentation renders without a warning" "docutils is not installed"
fi
point "every link of the documentation leads to a file" \
	"$(for text in "${texts[@]}" README.md selftests/model/*.md; do
		links "$text" | while read -r target; do
			[ -e "${text%/*}/$target" ] || [ -e "$target" ] || echo "$text: there is no $target"
		done
	done)"
point "index.rst names every page beside it" \
	"$(for text in "${texts[@]##*/}"; do
		[ "$text" = index.rst ] || grep -q "<$text>" Documentation/index.rst || echo "$text is not in index.rst"
	done)"
# On a program that everybody may run it gives the kernel to every local user.
point "whatever advises setcap first restricts the file to a group" \
	"$(grep -rl setcap README.md Documentation userspace kmod uapi | while read -r text; do
		tr '\n' ' ' < "$text" | grep -q 'chgrp [^ ]* [^ ]*acrctl.*chmod 0750 [^ ]*acrctl.*setcap [^ ]* [^ ]*acrctl' || echo "$text"
	done)"
finish
