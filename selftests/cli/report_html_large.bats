#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# acrctl report --html of recordings that do not fit a page as they are.

bats_require_minimum_version 1.5.0
load helpers
. "$BATS_TEST_DIRNAME/html/browser.sh"

setup()
{
	export PYTHONPATH=$root/selftests/cli PYTHONDONTWRITEBYTECODE=1
	cd "$BATS_TEST_TMPDIR" || return 1
}

# large ARGUMENTS...: a recording and its page; sets size, of the page, and kib, the memory that it took
large()
{
	python3 "$root/selftests/cli/html/make_large.py" large.data "$@"
	/usr/bin/time -f %M -o memory "$acrctl" report -i large.data --kallsyms large.data.kallsyms --html page.html
	rm large.data
	size=$(stat -c %s page.html)
	kib=$(cat memory)
	echo "# $*: $size bytes, $kib KiB, $(sed -n 's/.*<dt>Added up<.dt><dd>\(.*\)<.dd>.*/\1/p' page.html)" | tee /dev/fd/3
}

# total: samples in all cells of page.html
total()
{
	python3 - <<-'PYTHON'
	import base64, json, re, zlib
	packed = re.search(r'id="cells">\n(.*?)</script>', open("page.html").read()).group(1)
	total = 0
	for cell in json.loads(zlib.decompress(base64.b64decode(packed))):
	    rest = iter(cell[2:])
	    total += sum(next(rest) if step < 0 else 1 for step in rest)
	print(total)
	PYTHON
}

@test "acrctl report: --html of a million samples in 20000 stacks has less than 5 MB and all of them" {
	large 1000000
	[ "$size" -lt 5000000 ]
	[ "$kib" -lt 400000 ]
	[ "$(total)" = 1000000 ]
	run grep -c 'in rare stacks' page.html
	[ "$status" = 1 ]
	# for the next test
	cp page.html "$BATS_FILE_TMPDIR"
}

@test "acrctl report: --html of a million samples makes no more elements in Chromium than a bounded number" {
	python=$(browser_python) || skip "$python"
	[ -e "$BATS_FILE_TMPDIR/page.html" ] || { large 1000000; cp page.html "$BATS_FILE_TMPDIR"; }
	mkdir chromium
	capture "$python" "$root/selftests/cli/html/elements.py" "$BATS_FILE_TMPDIR/page.html" chromium
	is "$status" 0
	is "$(json '.shown')" "all 1,000,000 samples"
	is "$(json '[.fault, .errors, .rows, .lanes]')" '["",[],500,41]'
	[ "$(json '.first')" -lt 2500 ]
	[ "$(json '.all')" -lt 6000 ]
}

@test "acrctl report: --html of a million samples in 300000 stacks has less than 5 MB, says what it merged, and counts all" {
	large 1000000 300000
	[ "$size" -lt 5000000 ]
	[ "$kib" -lt 500000 ]
	[ "$(total)" = 1000000 ]
	grep -q 'samples in rare stacks' page.html
}
