#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Renders the manual pages and the documentation into build/doc/ and fails on any warning of the formatters.
set -u
# shellcheck source=selftests/model/common.sh
. "$(dirname "$0")/../model/common.sh"
cd "$project" || exit 1
shopt -s nullglob

out=$BUILD/doc
result=0
mkdir -p "$out"
for page in Documentation/man/*.[1-9]; do
	if ! command -v groff > /dev/null; then
		say "manual pages are not rendered: install groff"
		break
	fi
	# a page that is another one by a further name
	if target=$(sed -n '1s,^\.so man[1-9]/,,p' "$page") && [ -n "$target" ]; then
		[ -e "Documentation/man/$target" ] || { echo "$page: there is no $target" >&2; result=1; }
		continue
	fi
	groff -man -Tutf8 -ww -t "$page" > "$out/${page##*/}.txt" 2> "$out/warnings" || result=1
	if [ -s "$out/warnings" ]; then
		cat "$out/warnings" >&2
		result=1
	fi
done
rst2html=$(command -v rst2html || command -v rst2html5 || command -v rst2html.py)
for text in Documentation/*.rst; do
	if [ -z "$rst2html" ]; then
		say "the documentation is not rendered: install python3-docutils; it reads well as it is, in Documentation/"
		break
	fi
	# Sphinx' own directives are plain text to docutils.
	"$rst2html" --report=severe "$text" "$out/$(basename "$text" .rst).html" || result=1
done
rm -f "$out/warnings"
say "see build/doc/"
exit $result
