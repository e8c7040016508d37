#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Builds what one test needs and runs it, in one boot if it is a guest's.
# usage: try.sh SUITE/PROGRAM[:TEST]   such as hw/pmi:together; KERNEL=6.1 PROFILE=goldmont choose another boot than the suite's last
set -euo pipefail
# shellcheck source=selftests/model/common.sh
. "$(dirname "$0")/../model/common.sh"
# shellcheck source=selftests/run/suites.sh
. "$(dirname "$0")/suites.sh"
cd "$project"

case ${1:-} in
*/*) suite=${1%%/*} ;;
*) usage_error "give T=SUITE/PROGRAM[:TEST], such as T=hw/pmi:together; suites are in selftests/suites" ;;
esac
[ -e "selftests/suites/$suite" ] || usage_error "no suite '$suite' in selftests/suites"
export ACR_TRY=${1#*/} LC_ALL=C.UTF-8
load_suite "selftests/suites/$suite"
program=${ACR_TRY%%:*} log=$BUILD/try.log
mkdir -p "$BUILD"

# build TARGET...: quietly, unless it fails
build() { make -s -j"$(nproc)" "$@" > "$log" 2>&1 < /dev/null || { cat "$log"; die "what the test needs is not built"; }; }

# ran: that program has run, and one of its tests
ran()
{
	grep -q '^# program: .' "$log" || die "the suite '$suite' runs no program '$program'"
	sed -n '/^# program: .* took /q; /^# program: /,$p' "$log" | grep -qE '^(not )?ok\b' || die "'$program' has no test '${ACR_TRY#*:}'"
}

# Where a suite has both, only one knows the program.
on_host() { [ -n "$host" ] && { [ -z "$guest" ] || grep -qE "/${program}(\.bats|\.sh|_test\b)" <<< "$host"; }; }

if on_host; then
	selftests/model/setup.sh --for "$(purpose_of "$suite" | sed 's/check/root/')" > "$log" || { cat "$log"; exit 1; }
	build userspace
	status=0
	bash -c "$host" 2>&1 < /dev/null | tee "$log" || status=$?
	ran
	exit $status
fi
kernel=${KERNEL:-newest}
# a directory for other scripts
unset KERNEL
case $kernel in */*) usage_error "KERNEL=$kernel: give the name of a kernel, such as 6.1" ;; esac
selftests/model/setup.sh --for check --kernels "$kernel" > "$log" || { cat "$log"; exit 1; }
kernel=$(resolve_kernels "$kernel")
boot=$(boots all "$kernel" | grep "/${PROFILE:-[^/]*}\$" | tail -n 1) || true
[ -n "$boot" ] || die "the suite '$suite' has no boot on $kernel${PROFILE:+ with the CPU $PROFILE}"
adapt_to "$kernel"
build userspace
selftests/run/module.sh "$kernel" > "$log" 2>&1 < /dev/null || { cat "$log"; die "the module is not built"; }
build "double-$kernel"
build -C selftests guests model workloads
status=0
ACR_BOOT=1 selftests/model/boot.sh --name try --kernel "$kernel" --profile "${boot##*/}" --plugin-args "$plugin_args" --append "$append" \
	--timeout "$limit_s" --smp "$smp" --threads "$threads" --mem "$mem" ${virtual_time:+--virtual-time} --console "$console" -- \
	env ACR_CONSOLE="$console" bash -c "$guest" 2>&1 < /dev/null | tee "$log" || status=$?
ran
exit $status
