#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# acrctl top on a terminal, which is one of tmux's, with a device that plays scripts.

bats_require_minimum_version 1.5.0
load helpers
load device_helpers

setup_file() { build_fixtures; }
setup()
{
	common_setup
	command -v tmux > /dev/null || skip "tmux is not installed"
	# samples all the time
	{ cat "$FAKE_SCRIPT"; echo again; } > again
	play < again
	export TERM=xterm LC_ALL=C.UTF-8
	unset NO_COLOR
	servers=0
	when='instructions:u / cycles:u > 2'
}
teardown()
{
	[ -z "${servers-}" ] || on kill-server 2> /dev/null || true
	rm -f "${TMUX_TMPDIR:-/tmp}/tmux-$(id -u)/top.$$.$BATS_TEST_NUMBER."*
}

# Each terminal has a server of its own: one that ends still takes connections, and refuses what they ask for.
on() { tmux -L "top.$$.$BATS_TEST_NUMBER.$servers" "$@"; }
keys() { on send-keys -t top "$@"; }
screen() { on capture-pane -p -t top; }
shows() { screen | grep -qF -- "$1"; }
# shows_not TEXT: the table is there, and the text is not
shows_not() { shows Overhead && ! shows "$1"; }
# wait_for TEXT, wait_without TEXT; a failure prints the screen
wait_for() { wait_until shows "$1" || { screen; return 1; }; }
wait_without() { wait_until shows_not "$1" || { screen; return 1; }; }

# open_top WIDTH HEIGHT ARGUMENTS...: acrctl in a terminal; its status and what the terminal is like go to the file done
open_top()
{
	local size=(-x "$1" -y "$2")

	shift 2
	{
		echo '#!/bin/bash'
		[ -z "${inner_term-}" ] || echo "export TERM=$inner_term"
		printf 'LD_PRELOAD=%q %q top' "$BATS_FILE_TMPDIR/device.so" "$acrctl"
		printf ' %q' "$@"
		# shellcheck disable=SC2016 # for the script
		echo '; status=$?; { echo "status $status"; stty -a; } > done.new; mv done.new done; sleep 1000'
	} > run.sh
	chmod +x run.sh
	rm -f done
	servers=$((servers + 1))
	on -f /dev/null new-session -d -s top "${size[@]}" ./run.sh
}

# is_done STATUS: acrctl has ended with it, the session is closed, and the terminal is as a shell expects it
is_done()
{
	wait_until test -e done || { screen; return 1; }
	is "$(head -n 1 done)" "status $1"
	grep -qE '(^| )icanon' done
	grep -qE '(^| )echo( |;|$)' done
	is "$(grep -c '^CLOSE' log)" 1
}

# fits WIDTH HEIGHT: the screen has these lines, none of which is wider
fits()
{
	is "$(on display-message -p -t top '#{pane_width} #{pane_height}')" "$1 $2"
	is "$(screen | awk -v w="$1" 'length($0) > w' | head -n 1)" ""
	is "$(screen | wc -l)" "$2"
}

@test "acrctl top: at 80x24 it shows header, titles, rows and keys; q leaves the terminal as it was" {
	open_top 80 24 -d 0.2 --when "$when" -- sleep 1000
	wait_for "[.] first_half"
	wait_for "[.] second_half"
	fits 80 24
	screen
	has "$(screen | sed -n 1p)" "$when, sleep 1000"
	has "$(screen | sed -n 2p)" " samples, 0 lost, 0 throttled, CPUs: "
	has "$(screen | sed -n 3p)" "recent, by overhead, rows: "
	is "$(screen | sed -n 4p)" "Overhead    Samples  Shared Object             Symbol"
	has "$(screen | sed -n 24p)" "? help  q quit"
	keys q
	is_done 0
	wait_until eval 'screen | grep -qE "^acrctl: top: [0-9]+ samples, 0 lost, 0 throttled$"'
	! shows "Overhead" || return 1
}

@test "acrctl top: Ctrl-C ends it and releases the session" {
	open_top 200 50 -d 0.2 --when "$when"
	wait_for "Overhead"
	fits 200 50
	keys C-c
	is_done 0
}

@test "acrctl top: follows the size of the terminal, and says when that is too small" {
	open_top 80 24 -d 0.2 --when "$when" -- sleep 1000
	wait_for "first_half"
	on resize-window -t top -x 200 -y 50
	wait_until eval 'screen | sed -n 50p | grep -q "? help"'
	fits 200 50
	wait_for "$when, sleep 1000"
	on resize-window -t top -x 30 -y 6
	wait_for "30x6 is too small"
	fits 30 6
	on resize-window -t top -x 40 -y 8
	wait_for "first_half"
	fits 40 8
	on resize-window -t top -x 80 -y 24
	wait_until eval 'screen | sed -n 24p | grep -q "? help"'
	keys q
	is_done 0
}

@test "acrctl top: the filter shows rows with a text until Esc" {
	open_top 80 24 -d 0.2 --when "$when" -- sleep 1000
	wait_for "second_half"
	keys / FIRST
	wait_for "filter: FIRST_"
	wait_without "second_half"
	shows "first_half"
	keys Enter
	wait_for ", filter 'FIRST'"
	wait_without "filter: "
	keys Escape
	wait_for "second_half"
	keys / q BSpace Escape
	wait_without ", filter"
	keys q
	is_done 0
}

@test "acrctl top: s, c and t choose the rows, < and > their order, r reverses it, d shows all samples" {
	open_top 100 24 -d 0.2 --when "$when" -- sleep 1000
	wait_for "first_half"
	wait_for "second_half"
	keys c
	wait_for "Overhead    Samples  CPU   Shared Object"
	keys t
	wait_for "Overhead    Samples  Command          Pid      Shared Object"
	keys s
	wait_for "Overhead    Samples  Shared Object             Symbol"
	keys '<'
	wait_for "by sym,"
	keys r
	wait_for "by sym reversed"
	is "$(screen | grep -oE '(first|second)_half')" $'second_half\nfirst_half'
	keys r
	wait_for "by sym,"
	is "$(screen | grep -oE '(first|second)_half')" $'first_half\nsecond_half'
	keys '>' d
	wait_for "since the start, by overhead"
	keys q
	is_done 0
}

@test "acrctl top: p pauses what is shown, z forgets all samples" {
	{ sed '$d' again; printf '%s\n' "say round" again; } | play
	open_top 80 24 -d 0.2 --since-start --when "$when" -- sleep 1000
	wait_for "first_half"
	keys p
	wait_for "PAUSED"
	before=$(screen)
	# there are hundreds of samples more
	rounds() { [ "$(grep -c '^round' log)" -ge "$1" ]; }
	wait_until rounds $(($(grep -c '^round' log) + 30))
	keys j k
	is "$(screen)" "$before"
	keys z
	wait_for " 0 samples,"
	wait_for "rows: 0"
	keys p
	wait_for "first_half"
	keys q
	is_done 0
}

@test "acrctl top: ? explains the keys, Enter shows a row in full, any key goes back" {
	open_top 80 24 -d 0.2 --when "$when" -- sleep 1000
	wait_for "first_half"
	keys '?'
	wait_for "forget all samples"
	fits 80 24
	keys q
	wait_for "Overhead"
	keys / first Enter
	wait_without "second_half"
	keys Enter
	wait_for "any key goes back"
	is "$(screen | head -n 4)" $'Shared Object\nbusy\nSymbol\nfirst_half'
	keys Enter
	wait_for "Overhead"
	keys q
	is_done 0
}

@test "acrctl top: the command gets no terminal, and its end is shown until q" {
	open_top 80 24 -d 0.2 --when "$when" -- sh -c 'echo gar""bage; echo gar""bage >&2; read -r key; "$0"; exit 7' "$busy"
	wait_for "what was sampled has ended; q quits"
	wait_for "first_half"
	! shows garbage || return 1
	shows ", ended"
	keys q
	is_done 7
}

@test "acrctl top: hostile names do not command the terminal, and letters of other languages are shown" {
	cp "$busy" $'x\033[2J\033]0;y\a\r'
	cp "$busy" $'漢字\xe2\x80\xae\xff'
	{
		echo "fork pid=4000001"
		for name in x* 漢*; do
			[[ $name = x* ]] && keys=pid=4000001 || keys=
			starts "$name" $keys
			halves "$name" 6 4 $keys
		done
		echo again
	} | play
	open_top 80 24 -d 0.2 -s comm --when "$when" -- sleep 1000
	wait_for "x?[2J?]0;y??"
	wait_for "漢字??"
	fits 80 24
	keys q
	is_done 0
}

@test "acrctl top: colours, unless NO_COLOR is set" {
	open_top 80 24 -d 0.2 --when "$when" -- sleep 1000
	wait_for "first_half"
	on capture-pane -e -p -t top | grep -q $'\033\\[31m'
	keys q
	is_done 0
	on kill-server
	rm -f log
	NO_COLOR=1 open_top 80 24 -d 0.2 --when "$when" -- sleep 1000
	wait_for "first_half"
	! on capture-pane -e -p -t top | grep -qE $'\033\\[([0-9]+;)*3[0-7]m' || return 1
	keys q
	is_done 0
}

@test "acrctl top: ends with its terminal" {
	open_top 80 24 -d 0.2 --when "$when"
	wait_for "Overhead"
	on kill-server
	wait_until grep -q '^CLOSE' log
}

@test "acrctl top: --entries limits the rows on a terminal too" {
	open_top 80 24 -d 0.2 --entries 1 --when "$when" -- sleep 1000
	wait_for ", the first 1 are shown"
	# at first it may be one of the dynamic linker
	wait_for "_half"
	is "$(screen | grep -c _half)" 1
	keys q
	is_done 0
}

@test "acrctl top: -n ends it on a terminal too" {
	open_top 80 24 -d 0.2 -n 2 --when "$when"
	is_done 0
}

@test "acrctl top: on a terminal without abilities it prints text, on an unknown one it says what to do" {
	inner_term=dumb open_top 80 24 -d 0.2 -n 1 --entries 3 --when "$when"
	is_done 0
	wait_for "# Overhead"
	on kill-server
	rm -f log
	inner_term=nonsense open_top 80 24 -d 0.2 -n 1 --when "$when"
	is_done 1
	wait_for "acrctl: top: the terminal 'nonsense' is not known here; set TERM, or print text"
}
