#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Time of 100,000 encodings of event names by libacrpmu against libpfm4, of names that both encode alike.
# usage: encode.sh   RUNS= of each
set -euo pipefail
# shellcheck source=selftests/bench/paired.sh
. "$(dirname "$0")/../paired.sh"

build encode
# short enough for many runs
"$bench/encode" $((3 * runs)) > "$work/pairs"
pairs "$work/pairs" part=encode name='100,000 encodings' peer_name=libpfm4
