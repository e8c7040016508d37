#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs hardware tests in the guest between loading and unloading of the module, registers compared around them.
# usage: run.sh NAME...   names of build/selftests/hw/NAME_test, without the ending
dir=$(dirname "$0")
tests=()
for name in "$@"; do tests+=("${ACR_BUILD:?}/selftests/hw/${name}_test"); done
exec "$dir/restore_test.sh" "$dir/../run/programs.sh" "${tests[@]}"
