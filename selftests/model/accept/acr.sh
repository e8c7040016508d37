#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# In the guest: in-tree perf samples the right phase by auto counter reload on the model. Prints TAP.
# shellcheck source=selftests/model/accept/tap.sh
. "$(dirname "$0")/tap.sh"
# shellcheck source=selftests/model/accept/phases.sh
. "$(dirname "$0")/phases.sh"

# Arguments that run one phase only.
fast='1 0 20000000'
slow='1 2000000 0'

echo "TAP version 13"
tap_why=$(symbols "$(pair instructions 200000 cycles 100000)")
verdict "IPC > 2: at least 100 samples, all in phase_fast" only fast
tap_why=$(symbols "$(pair cycles 100000 instructions 200000)")
verdict "IPC < 2: at least 100 samples, all in phase_slow" only slow
tap_why=$(symbols '{cpu/instructions,period=200000/u,cpu/cycles,period=100000,ratio-to-prev=0.5/u}')
verdict "IPC > 2 by ratio-to-prev: all in phase_fast" only fast
tap_why=$(symbols '{cpu/cycles,period=100000/u,cpu/instructions,period=200000,ratio-to-prev=2.0/u}')
verdict "IPC < 2 by ratio-to-prev: all in phase_slow" only slow
tap_why=$(symbols "$(pair instructions 800000 cycles 100000)")
verdict "IPC > 8, which never happens: no sample" none
# Event codes put the pair on general-purpose counters.
tap_why=$(symbols "$(pair event=0xc0,umask=0 200000 event=0x3c,umask=0 100000)")
verdict "IPC > 2 on general-purpose counters: all in phase_fast" only fast
# phase_fast takes 8 instructions in 18 eighths of a cycle; 100000 cycles hold 355555 of them.
# shellcheck disable=SC2086 # several arguments
{
tap_why=$(symbols "$(pair instructions 355000 cycles 100000)" $fast)
verdict "a threshold just below the phase's IPC: samples" only fast
tap_why=$(symbols "$(pair instructions 356000 cycles 100000)" $fast)
verdict "a threshold just above it: no samples" none
# One in six instructions of phase_slow is a branch, one in eight of phase_fast.
dense='{cpu/branches,period=16000,acr_mask=0x2/u,cpu/instructions,period=100000,acr_mask=0x3/u}'
tap_why=$(symbols "$dense" $slow)
verdict "more than 16 branches in 100 instructions: samples in phase_slow" only slow
tap_why=$(symbols "$dense" $fast)
verdict "but none in phase_fast" none
# Only the window reloads instructions and branches, and they reload only it. In phase_fast the window never ends, so that
# both complete their periods.
three='{cpu/instructions,period=200000,acr_mask=0x4/u,cpu/branches,period=150000,acr_mask=0x4/u'
three+=',cpu/cycles,period=100000,acr_mask=0x7/u}'
tap_why=$(symbols "$three" $fast)
verdict "three events: samples in phase_fast" only fast
number() { perf script -i /tmp/perf.data -F event 2> /dev/null | grep -c "cpu/$1"; }
within_one() { [ $(($1 - $2)) -ge -1 ] && [ $(($1 - $2)) -le 1 ]; }
tap_why="$(number instructions) of instructions, $(number branches) of branches"
verdict "three events: one sample in 200000 instructions" within_one "$(number instructions)" $((20000000 * 8 / 200000))
verdict "three events: one sample in 150000 branches" within_one "$(number branches)" $((20000000 / 150000))
tap_why=$(symbols "$three" $slow)
verdict "three events: none in phase_slow" none
}
tap_done
