#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# acrctl top of a program with known windows: blocks of text with exact numbers, and a terminal, which is one of tmux's.
# shellcheck source=selftests/guest/record_common.sh
. "$(dirname "$0")/record_common.sh"
echo 0 > /proc/sys/kernel/nmi_watchdog
when='instructions:u / cycles:u > 2'

# rows FILE: "SAMPLES SYMBOL" of its last block
rows() { awk '/^# Overhead/ { n = 0 } /^ / { row[n++] = $2 " " $NF } END { for (i = 0; i < n; i++) print row[i] }' "$1"; }

# In 20 rounds, as in record_command.sh: 40 windows of 200000 instructions with more than 2 per cycle.
setarch -R "$acrctl" top --since-start -d 3600 --when "$when" -- "$phases" > "$work/text" 2> "$work/err"
is $? 0 "a command: it ends with it"
is "$(rows "$work/text" | grep phase_)" "800 phase_fast" "a command: each window of the fast phase, none of the slow one"
holds "a command: nothing was lost or throttled" grep -q ' samples, 0 lost, 0 throttled, CPUs: 2, every 3600 s, ended$' "$work/text"

# Until it is killed; windows that span a change of phase end in functions of other names.
"$phases" -s $settle 1000000000 &
runner=$!
"$acrctl" top --since-start --when "$when" -n 2 -d 3 -p $runner > "$work/text" 2> "$work/err"
is $? 0 "a process: -n ends it"
is "$(grep -c '^# Overhead' "$work/text")" 2 "a process: two blocks"
holds "a process: the fast phase is first" [ "$(rows "$work/text" | head -n 1 | cut -d' ' -f2)" = phase_fast ]
is "$(grep -c phase_slow "$work/text")" 0 "a process: the slow phase is in neither"
"$acrctl" top --when "$when" -n 1 -d 3 --per-task -C 0,1 > "$work/text" 2> "$work/err"
holds "CPUs: the program is found by name and number" grep -qE " phases +$runner +phases +\[\.\] phase_fast$" "$work/text"
is "$(grep -c phase_slow "$work/text")" 0 "CPUs: the slow phase is not there"

# shows TEXT, wait_for TEXT: on the terminal
on() { tmux -u -L top "$@"; }
shows() { on capture-pane -p -t top 2> /dev/null | grep -qF -- "$1"; }
wait_for() { wait_until shows "$1" || { on capture-pane -p -t top | sed 's/^/# /'; return 1; }; }

export TERM=xterm LC_ALL=C.UTF-8
on -f /dev/null new-session -d -s top -x 80 -y 24 \
	"$acrctl top --when '$when' -d 1 -p $runner 2> $work/closing; echo \$? > $work/status; sleep 1000"
holds "a terminal: the fast phase is shown" wait_for '[.] phase_fast'
holds "a terminal: the slow phase is not" eval '! shows phase_slow'
on send-keys -t top /
on send-keys -t top nothing
holds "a terminal: keys arrive" wait_for 'filter: nothing_'
on send-keys -t top Escape
holds "a terminal: without a filter it is there again" wait_for '[.] phase_fast'
on resize-window -t top -x 200 -y 50
holds "a terminal: another size" wait_for "$when, process $runner"
on send-keys -t top C-c
wait_until [ -s "$work/status" ]
is "$(cat "$work/status")" 0 "a terminal: Ctrl-C ends it"
holds "a terminal: the closing line has all samples" grep -qE '^acrctl: top: [1-9][0-9]* samples, 0 lost, 0 throttled$' "$work/closing"
on kill-server
kill $runner
finish
