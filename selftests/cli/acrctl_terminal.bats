#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What commands print on a terminal alone: colours.

bats_require_minimum_version 1.5.0
load helpers

setup_file()
{
	python3 -B - <<-PYTHON
	import sys
	sys.path.insert(0, "$root/selftests/cli")
	from perfdata import *
	f = File()
	f.comm(5, 5, b"prog", 1)
	for i in range(300):
	    f.sample(0x1000 if i else 0x2000, 5, 5, 2 + i)
	f.write("$BATS_FILE_TMPDIR/some.data")
	PYTHON
}

setup()
{
	command -v script > /dev/null || skip "script is not installed"
	cd "$BATS_TEST_TMPDIR" || return 1
	data=$BATS_FILE_TMPDIR/some.data
	export TERM=xterm
	unset NO_COLOR
	esc=$'\033'
}

# on_terminal COMMAND: its output on a terminal, in the file "shown"
on_terminal()
{
	status=0
	script -qec "$1" typescript < /dev/null > shown || status=$?
	cat -v shown
	[ "$status" = 0 ]
}

@test "colours: report marks hot code on a terminal" {
	on_terminal "$acrctl report -i $data"
	grep -qF "$esc[31m    99.67%$esc[m       299" shown
	grep -qF " 0.33%         1" shown
}

@test "colours: none in a file, with NO_COLOR, or on a dumb terminal" {
	on_terminal "$acrctl report -i $data > out"
	NO_COLOR=1 on_terminal "$acrctl report -i $data"
	if grep -F "$esc[" shown out; then false; fi
	TERM=dumb on_terminal "$acrctl report -i $data"
	if grep -F "$esc[" shown; then false; fi
	NO_COLOR='' on_terminal "$acrctl report -i $data"
	grep -qF "$esc[31m" shown
}
