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
	if ! command -v mandoc > /dev/null; then
		say "manual pages are not rendered: install mandoc"
		break
	fi
	# an alias has no text of its own
	grep -q '^\.so ' "$page" || mandoc -Tutf8 -Wwarning "$page" > "$out/${page##*/}.txt" || result=1
done
rst2html=$(command -v rst2html || command -v rst2html5 || command -v rst2html.py)
for text in Documentation/*.rst; do
	if [ -z "$rst2html" ]; then
		say "the documentation is not rendered: install python3-docutils; it reads well as it is, in Documentation/"
		break
	fi
	"$rst2html" --report=warning "$text" "$out/$(basename "$text" .rst).html" || result=1
done
say "see build/doc/"
exit $result
