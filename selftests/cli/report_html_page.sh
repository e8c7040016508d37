#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Pages of acrctl report --html in Chromium, as TAP: html/page_test.py uses them, this makes them.
set -u
cd "$(dirname "$0")" || exit 1
acrctl=${BUILD:-../../build}/acrctl
acrctl=$(realpath "$acrctl")

. html/browser.sh

python=$(browser_python) || { echo "1..0 # SKIP $python"; exit 0; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export PYTHONPATH=$PWD PYTHONDONTWRITEBYTECODE=1

# page NAME: NAME.data to NAME.html and NAME.json
page()
{
	local symbols=()

	[ ! -e "$dir/$1.data.kallsyms" ] || symbols=(--kallsyms "$dir/$1.data.kallsyms")
	"$acrctl" report -i "$dir/$1.data" "${symbols[@]}" --html "$dir/$1.html" 2> "$dir/$1.notes" &&
		"$acrctl" script -i "$dir/$1.data" "${symbols[@]}" --json > "$dir/$1.json" 2>> "$dir/$1.notes" && return
	echo "1..1"
	echo "not ok 1 - a page is made of $1"
	sed 's/^/# /' "$dir/$1.notes"
	exit 1
}

cc -O1 -g -no-pie -o "$dir/program" html/program.c
"$python" html/make_recording.py "$dir/program" "$dir/plain.data"
"$python" html/make_recording.py "$dir/program" "$dir/periods.data" 1000 --periods
"$python" html/make_large.py "$dir/large.data" 40000
"$python" html/make_odd.py "$dir"
for name in plain periods large hostile deep wide empty bare timed; do
	page $name
done
"$python" html/page_test.py "$dir"
