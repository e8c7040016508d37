#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Keeps what a boot of run.sh has found for the next one, and counts its calls: build/kcov/KERNEL-PROFILE. Prints TAP.
set -eu
cd "$(dirname "$0")/../.."
kept=${BUILD:-$PWD/build}/kcov/${ACR_KERNEL:?}-${ACR_PROFILE:?}
wanted=10000000

mkdir -p "$kept"
# A guest that died in a program leaves it, and no number of calls.
[ -e "${ACR_OUT:?}/calls" ] || cp "$ACR_OUT/current" "$kept/died-$(date +%s)"
calls=$(< "$ACR_OUT/calls")
# What a boot runs first it writes again.
[ ! -s "$ACR_OUT/corpus" ] || cp "$ACR_OUT/corpus" "$kept/corpus"
total=$((calls + $(cat "$kept/calls" 2> /dev/null || echo 0)))
echo $total > "$kept/calls"
echo 1..1
echo "ok 1 - $calls calls more, $total of $wanted so far; what they found is in ${kept#"$PWD"/}"
