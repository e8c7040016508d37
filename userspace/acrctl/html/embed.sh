#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Prints C with the text of page.html, cut at its marks, and with style and scripts in their places.
# usage: embed.sh DIR    that of page.html, page.css and the scripts
#
# A line "<!-- part NAME -->" ends a part and begins page_NAME; "<!-- style -->", "<!-- script -->" and "<!-- policy -->"
# stand for the style, the scripts, and what a browser may do: use these two, by their hashes, and nothing else.
set -eu
cd "$1"

style() { sed '1{/SPDX/d}' page.css; }

script()
{
	echo "'use strict';"
	for part in data flame lanes timeline table main; do sed '1{/SPDX/d}' $part.js; done
}

# A browser hashes all that is between the tags, and so the line breaks there.
hash_of() { { echo; "$1"; } | sha256sum | cut -c -64 | tr a-f A-F | basenc --base16 -d | base64; }

policy()
{
	cat <<-END
	<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-$(hash_of style)'; script-src 'sha256-$(hash_of script)'; base-uri 'none'; form-action 'none'">
	END
}

page()
{
	while IFS= read -r line; do
		case $line in
		'<!-- style -->') echo '<style>'; style; echo '</style>' ;;
		'<!-- script -->') echo '<script>'; script; echo '</script>' ;;
		'<!-- policy -->') policy ;;
		*) printf '%s\n' "$line" ;;
		esac
	done < page.html
}

echo '/* Made by embed.sh. */'
echo '#include "page.h"'
page | sed -e 's/[\\"]/\\&/g; s/^/	"/; s/$/\\n"/' -e '1s/^/const char page_begin[] =\n/; $s/$/;/' \
	-e 's/^	"<!-- part \([a-z]*\) -->\\n"$/	"";\nconst char page_\1[] =/'
