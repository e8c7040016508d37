#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Shared by the guest's tests of acrctl monitor and ps: monitors in the background, and their lines.
# shellcheck disable=SC2154 # acrctl and work are of record_common.sh
declare -A monitors

# within CONDITION: until a command line succeeds
within() { wait_until eval "$1"; }

# monitor NAME ARGUMENTS...: one in the background that listens, and writes to the file NAME
monitor()
{
	env --default-signal=INT "$acrctl" monitor "${@:2}" > "$work/$1" 2> "$work/$1.err" &
	monitors[$1]=$!
	# it has a socket of generic netlink as soon as it begins, which is when its events are kept for it
	within "[ -s '$work/$1' ] || grep -q listening '$work/$1.err'"
}

# stop NAME: by Ctrl-C; its exit status is checked
stop()
{
	kill -s INT "${monitors[$1]}"
	wait "${monitors[$1]}"
	is "$?" 0 "Ctrl-C ends monitor $1"
}

# line_of NAME WORDS: the line with these words, without its time
line_of() { sed -nE "/$2/s/^.{24}//p" "$work/$1"; }
first_line() { sed -nE '1s/^.{24}//p' "$work/$1"; }

# times_sorted NAME: whether the times of its lines do
times_sorted() { cut -c-23 "$work/$1" | sort -c 2> /dev/null && echo yes; }
