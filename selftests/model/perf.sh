#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs perf of Debian 12 (6.1) or of the root (newest) here or in a guest, on files at the same paths.
# usage: perf.sh 6.1|newest ARGUMENTS...
set -euo pipefail
# shellcheck source=selftests/model/common.sh
. "$(dirname "$0")/common.sh"

case ${1:-} in
6.1) root_command /usr/bin/perf "$BUILD/perf-6.1" ;;
newest) root_command /usr/bin/perf ;;
*) usage_error "the first argument is 6.1 or newest" ;;
esac
[ -e "${root_cmd[-1]}" ] || die "no ${root_cmd[-1]}: run selftests/model/setup.sh"
shift
# perf puts its own folder first in PATH, and the objdump there does not find its libraries.
if [ "${1:-}" = annotate ] && objdump=$(command -v objdump); then
	shift
	set -- annotate --objdump="$objdump" "$@"
fi
exec "${root_cmd[@]}" "$@"
