#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What commands print on a terminal alone: progress of what takes long, and colours.

bats_require_minimum_version 1.5.0
load helpers
load device_helpers

setup_file()
{
	cc -shared -fPIC -O1 -o "$BATS_FILE_TMPDIR/fast_clock.so" "$root/selftests/cli/fast_clock.c"
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

# on_terminal COMMAND: its output on a terminal, in the file "shown"; every look at the clock takes it a second
on_terminal()
{
	status=0
	script -qec "export LD_PRELOAD=$BATS_FILE_TMPDIR/fast_clock.so; $1" typescript < /dev/null > shown || status=$?
	cat -v shown
	[ "$status" = 0 ]
}

@test "progress: report shows on a terminal how far it has read, and erases it before its output" {
	on_terminal "$acrctl report -i $data"
	grep -qE $'acrctl: opening .*some.data: [0-9]+ %' shown
	grep -qE $'acrctl: reading .*some.data: 100 %' shown
	# lines that replaced one another: after the last of them come spaces, then the report
	tr '\r' '\n' < shown | grep -v '^$' > lines
	[ "$(grep -n 'acrctl: ' lines | tail -n 1 | cut -d: -f1)" -lt "$(grep -n '^ *$' lines | tail -n 1 | cut -d: -f1)" ]
	sed '1,/^ *$/d' lines | grep -q '99.67%'
	if sed -n '/^# /,$p' lines | grep 'acrctl: '; then false; fi
}

@test "progress: report --firefox shows how far it has written" {
	on_terminal "$acrctl report -i $data --firefox profile.json"
	grep -qE 'acrctl: writing threads: [0-9]+ %' shown
	python3 -m json.tool profile.json > /dev/null
}

@test "progress: goes to standard error alone, and nowhere if that is no terminal" {
	on_terminal "$acrctl report -i $data > out"
	grep -q 'acrctl: reading' shown
	"$acrctl" report -i "$data" > plain
	cmp out plain
	on_terminal "$acrctl report -i $data 2> err"
	[ ! -s err ]
	if grep 'acrctl: ' shown; then false; fi
}

@test "progress: script shows it only if its lines go to a file" {
	on_terminal "$acrctl script -i $data > out"
	grep -q 'acrctl: reading' shown
	on_terminal "$acrctl script -i $data"
	if grep 'acrctl: reading' shown; then false; fi
	on_terminal "$acrctl script -i $data | cat"
	if grep 'acrctl: reading' shown; then false; fi
}

@test "progress: a recording that is piped in is measured in MiB" {
	on_terminal "cat $data | $acrctl report -i -"
	grep -qE 'acrctl: opening standard input: 0\.[0-9] MiB' shown
}

@test "progress: a terminal that cannot overwrite gets none" {
	TERM=dumb on_terminal "$acrctl report -i $data"
	if grep 'acrctl: ' shown; then false; fi
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

@test "progress: record shows the processes that it reads maps of, and the search for files at its end" {
	build_device
	# shellcheck disable=SC2016 # expanded on the terminal
	on_terminal "LD_PRELOAD=\$LD_PRELOAD:$BATS_FILE_TMPDIR/device.so FAKE_LOG=$PWD/log $acrctl record -a -c 100000 -e cycles:u -o all.data -- true"
	grep -qE 'acrctl: reading maps in /proc: [0-9]+ processes' shown
	grep -qE 'acrctl: looking for files in all.data: [0-9]+ %' shown
	TERM=dumb on_terminal "LD_PRELOAD=\$LD_PRELOAD:$BATS_FILE_TMPDIR/device.so FAKE_LOG=$PWD/log $acrctl record -a -v -c 100000 -e cycles:u -o all.data -- true"
	if grep -F "$esc[" shown; then false; fi
	if grep -E 'reading maps|files in' shown; then false; fi
}
