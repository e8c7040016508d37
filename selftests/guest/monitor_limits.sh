#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# acrctl monitor and ps: who may see what, readers that go or are slow, and the end of the module.
# shellcheck source=selftests/guest/record_common.sh
. "$(dirname "$0")/record_common.sh"
# shellcheck source=selftests/guest/monitor_common.sh
. "$(dirname "$0")/monitor_common.sh"
echo 0 > /proc/sys/kernel/nmi_watchdog
chmod 0755 "$work"

# as UID COMMAND...: as that user, without capabilities
as() { setpriv --reuid "$1" --regid "$1" --clear-groups "${@:2}" 2> "$work/err"; }
# holder UID: a session of that user, as process $!, which ends after "stop_holder"
holder()
{
	rm -f "$work/wait"
	mkfifo -m 0666 "$work/wait"
	setpriv --reuid "$1" --regid "$1" --clear-groups env "$acrctl" stat -e instructions:u -- sh -c "read -r word < '$work/wait'" 2> /dev/null &
	within "'$acrctl' ps 2> /dev/null | grep -q ' $! '"
}
stop_holder() { echo go > "$work/wait"; wait "$1"; }

refusal="the caller may not see sessions; run it as root, or let root give it CAP_PERFMON for one group: acrctl(1), PERMISSION"
for command in ps monitor; do
	as 1000 "$acrctl" $command
	is "$? $(cat "$work/err")" "1 acrctl: $command: $refusal" "by default a user may not use $command"
done
echo 1 > /sys/module/acrpmu/parameters/unprivileged
echo 2 > /proc/sys/kernel/perf_event_paranoid
holder 1000
own=$!
as 1000 "$acrctl" ps > "$work/ps"
is "$(awk 'NR == 2 { print $2, $4, $NF }' "$work/ps")" "$own acrctl instructions:u" \
	"where the administrator allows it, a user sees the own session"
holds "  and that others' would not be shown" grep -q 'note: sessions of other users are not shown, which takes CAP_PERFMON' "$work/err"
as 1001 "$acrctl" ps > "$work/ps"
is "$(cat "$work/ps")" "" "another user does not see it"
unshare --pid --fork --mount-proc "$acrctl" ps > "$work/ps"
is "$(awk 'NR == 2 { print $2, $4 }' "$work/ps")" "- acrctl" "in another pid namespace its process has no number"
unshare --pid --fork "$acrctl" ps --json > "$work/json"
is "$(jq -c '.sessions[] | [.pid, .command]' "$work/json")" '[null,"acrctl"]' "  nor as JSON"

"$acrctl" monitor -q | head -1 > "$work/head"
is "${PIPESTATUS[0]} $(wc -l < "$work/head")" "0 1" "monitor ends when its reader does"
stop_holder $own

# received: messages that the slow one has got; those that it makes up for what it missed have no account of the session
received() { jq -r 'select(.type != "missed" and .type != "session" and (.type != "session-ended" or has("records"))) | .type' "$work/slow" | wc -l; }
# missed: messages that it reports as missed
missed() { jq -r 'select(.type == "missed") | .missed' "$work/slow" | awk '{ sum += $1 } END { print sum + 0 }'; }
# what a stopped monitor does not read does not fit its socket, which is as small as the kernel makes it
monitor all --json --topic sessions,conflicts
limit=$(cat /proc/sys/net/core/rmem_max)
echo 4096 > /proc/sys/net/core/rmem_max
monitor slow --json --topic sessions,conflicts
echo "$limit" > /proc/sys/net/core/rmem_max
kill -s STOP "${monitors[slow]}"
for _ in 1 2 3 4; do "$acrctl" stat -e instructions:u -e branches:u -- true 2> /dev/null; done
within "[ \$(grep -c session-ended '$work/all') = 8 ]"
kill -s CONT "${monitors[slow]}"
within "[ \$((\$(received) + \$(missed))) = \$(wc -l < '$work/all') ]"
holds "a monitor that did not read misses messages: $(missed)" test "$(missed)" -gt 0
is "$(($(received) + $(missed)))" "$(wc -l < "$work/all")" "  and they are counted: $(received) and $(missed)"
stop slow
stop all

env --default-signal=INT "$acrctl" monitor > "$work/last" 2> "$work/err" &
last=$!
within "grep -q listening '$work/err'"
finish_module()
{
	rmmod acrpmu
	is "$?" 0 "the module can be unloaded while a monitor listens"
	wait $last
	is "$?" 1 "  which ends it with status 1"
	is "$(sed -nE '$s/^.{24}//p' "$work/last")" "the module is being unloaded" "  after its last message"
	holds "  and the reason" grep -q 'acrctl: monitor: the module was unloaded; nothing more will happen' "$work/err"
	"$acrctl" ps 2> "$work/err"
	is "$? $(cut -d';' -f1 "$work/err")" "1 acrctl: ps: the module is not loaded: there is no /dev/acrpmu" "ps says that it is not loaded"
}
finish_module
insmod "$ACR_BUILD/kernels/$ACR_KERNEL/acrpmu.ko"
finish
