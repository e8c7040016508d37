#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The documented way to let a group use acrctl: members record the kernel too, others cannot run it, and the order of steps matters.
# shellcheck source=selftests/guest/record_common.sh
. "$(dirname "$0")/record_common.sh"
echo 0 > /proc/sys/kernel/nmi_watchdog
# as strict as mainline's kernels are
echo 2 > /proc/sys/kernel/perf_event_paranoid
group=4321 program=$work/acrctl
chmod 0755 "$work"
install -d -m 0777 "$work/out"

# allow FILE: what setcap cap_perfmon+ep does; capabilities(7), "File capability extended attribute versioning"
allow()
{
	python3 -c 'import os, struct, sys; os.setxattr(sys.argv[1], "security.capability", struct.pack("<5I", 0x02000001, 0, 0, 1 << 38 - 32, 0))' "$1"
}

# as GROUPS COMMAND...: as a user with these further groups and no capability. setpriv itself executes with those of root; env has none.
as() { setpriv --reuid 1000 --regid 1000 --groups "$1" env "${@:2}" 2> "$work/err"; }

cp "$acrctl" "$program"
chgrp $group "$program"
chmod 0750 "$program"
allow "$program" || echo "# no capabilities of files here"

as $group "$program" record -e "$fast" -o "$work/out/data" -- "$phases" 3
is "$?" 0 "a member of the group records"
is "$(symbols "$work/out/data")" "120 phase_fast" "with all samples"
as $group "$program" record -a -c 100000 -e cycles:k -o "$work/out/kernel" -- "$phases" 3
is "$?" 0 "and the kernel on all CPUs"
as 4322 "$program" record -e "$fast" -o "$work/out/data" -- "$phases" 3
is "$?" 126 "another user cannot run the program"
chgrp 4323 "$program"
as 4323 "$program" record -e "$fast" -o "$work/out/data" -- "$phases" 3
is "$?" 1 "a new group takes the capability away, so that it is given last"
holds "the message names the page" grep -q 'the caller may not use hardware counters; run it as root, or let root give it CAP_PERFMON for one group: acrctl(1), PERMISSION' "$work/err"
as 4323 "$program" info > "$work/info"
holds "so does acrctl info" grep -q 'let root give it CAP_PERFMON for one group: acrctl(1), PERMISSION' "$work/info"
finish
