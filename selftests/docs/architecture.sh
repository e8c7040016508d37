#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Tests that Documentation/architecture.rst names every source file of the module and of user space, and no other, as TAP.
#
# A section with the title of a folder, such as "kmod/core/", has a list of its files in double backquotes: ``ring.c``,
# ``ring.[ch]`` for both a source and its header, ``{attr,ring}.[ch]`` for several.
set -u
# shellcheck source=selftests/docs/point.sh
. "$(dirname "$0")/point.sh"
cd "$(dirname "$0")/../.." || exit 1

# tokens: the names as the document has them, each behind its folder.
tokens()
{
	awk '/^(kmod|userspace)[a-z\/]*\/$/ { title = $0; next }
		/^[-=]+$/ { folder = title; title = ""; next }
		{ item = /^- / || item && /^  / }
		item {
			while (folder && match($0, /``[^` ]*\.(c|h|\[ch\])``/)) {
				print folder substr($0, RSTART + 2, RLENGTH - 4)
				$0 = substr($0, RSTART + RLENGTH)
			}
		}' Documentation/architecture.rst
}

# braces: "a/{b,c}.d" becomes "a/b.d" and "a/c.d".
braces()
{
	awk 'match($0, /{[^}]*}/) {
			n = split(substr($0, RSTART + 1, RLENGTH - 2), part, ",")
			for (i = 1; i <= n; i++) print substr($0, 1, RSTART - 1) part[i] substr($0, RSTART + RLENGTH)
			next
		}
		{ print }'
}

named=$(tokens | braces | sed 's/\(.*\)\[ch\]$/\1c\n\1h/' | sort)
files=$(find kmod userspace -name '*.[ch]' | sort)
point "architecture.rst names files" "$([ -n "$named" ] || echo "no section has the title of a folder")"
point "architecture.rst names every file of kmod/ and userspace/" "$(comm -13 <(uniq <<< "$named") - <<< "$files")"
point "architecture.rst names no file that does not exist" "$(comm -23 <(uniq <<< "$named") - <<< "$files")"
point "architecture.rst names no file twice" "$(uniq -d <<< "$named")"
finish
