#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# acrctl monitor and ps while others record and count: what they hold, when that changes, and what they counted.
# shellcheck source=selftests/guest/record_common.sh
. "$(dirname "$0")/record_common.sh"
# shellcheck source=selftests/guest/monitor_common.sh
. "$(dirname "$0")/monitor_common.sh"
echo 0 > /proc/sys/kernel/nmi_watchdog
online=$(cat /sys/devices/system/cpu/online)
events='instructions/period=200000,acr_mask=0x2/u, cycles/period=100000,acr_mask=0x3/u'

# held_cntrs PID: the counters of the session of a process by their names, as the kernel shows them in another place
held_cntrs()
{
	sed -n 's/^counters:.*: //p' "/proc/$1/fdinfo"/* | tr ' ' '\n' | awk '{ print $1 < 32 ? "GP" $1 : "FIXED" $1 - 32 }' | xargs
}

# stat_counts: "EVENT COUNT" of what acrctl stat has written
stat_counts() { jq -r '.groups[].events[] | "\(.event):\(.modifiers) \(.value)"' "$work/stat" | sort; }

"$acrctl" ps > "$work/ps" 2> "$work/err"
is "$? $(cat "$work/ps" "$work/err")" "0 acrctl: ps: there is no session" "without a session there is nothing to show"

monitor all --topic sessions
mkfifo "$work/go"
"$acrctl" record -q -e "$fast" -o "$work/data" -- sh -c "read -r word < '$work/go'; exec '$phases' 3" &
recorder=$!
within "grep -q 'was enabled' '$work/all'"
"$acrctl" ps > "$work/ps"
read -r session pid user command state age cpus cntr event < <(sed -n 2p "$work/ps")
is "$pid $user $command $state $cpus" "$recorder root acrctl enabled $online" "ps shows process, user, command, state and CPUs"
is "$session" "$(line_of all created | sed -nE 's/.*session ([0-9]+), .*/\1/p')" "  the number of the session"
holds "  its age in seconds: $age" grep -qE '^[0-9]+(m[0-9]+)?s$' <<< "$age"
is "$event" 'instructions/period=200000,acr_mask=0x2/u' "  the event with its period and mask"
holds "  its counter: $cntr" grep -qE '^(GP|FIXED)[0-9]$' <<< "$cntr"
is "$(sed -n 3p "$work/ps" | awk '{ print $2 }')" 'cycles/period=100000,acr_mask=0x3/u' "  and the second event on a row of its own"
"$acrctl" ps --json > "$work/json"
is "$(jq -c '.sessions[] | [.session, .pid, .command, .user, .state, .cpus]' "$work/json")" "[$session,$recorder,\"acrctl\",\"root\",\"enabled\",\"$online\"]" \
	"the same as JSON"
is "$(jq -c '.sessions[0].placements | map([.cpus, .counters[0]])' "$work/json")" "[[\"$online\",\"$cntr\"]]" "  with its CPUs and counters"
cntrs=$(held_cntrs "$recorder")
is "$(jq -r '.sessions[0].placements[0].counters | join(" ")' "$work/json")" "$cntrs" "  which are those that /proc/PID/fdinfo has"
who="session $session, acrctl[$recorder] (root)"
monitor late
is "$(first_line late | sed 's/exists for [0-9ms]*/exists/')" "$who exists, enabled: $events; CPUs $online with ${cntrs// /, }" \
	"a monitor that begins later starts with the session"
echo go > "$work/go"
wait $recorder
is "$?" 0 "the recording goes on beside them"
within "grep -q ' ended after' '$work/late'"
is "$(line_of all created)" "$who was created, disabled: $events; CPUs $online with ${cntrs// /, }" \
	"the session was reported when it was created"
is "$(line_of all 'was enabled')" "$who was enabled on CPUs $online" "  when it was enabled"
is "$(line_of all 'was disabled')" "$who was disabled" "  when it was disabled"
samples=$(samples "$work/data")
is "$(line_of all 'ended after' | sed 's/after [0-9ms]*/after/; s/: [0-9]* inst/: N inst/; s/, [0-9]* cyc/, N cyc/; s/ samples.*/ samples/')" \
	"$who ended after: N instructions/period=200000,acr_mask=0x2/u (in whole periods), N cycles/period=100000,acr_mask=0x3/u (in whole periods); $samples samples" \
	"  and when it ended, with all $samples samples"
is "$(line_of late 'ended after' | cut -d: -f1)" "$(line_of all 'ended after' | cut -d: -f1)" "  which the other monitor prints, too"
is "$(times_sorted all)" yes "times do not go backwards"
stop late
stop all

# two sessions, of which one is chosen
monitor one --json
"$acrctl" stat -e instructions:u -e branches:u -o "$work/stat" --json -- "$phases" 3
within "[ \$(grep -c session-ended '$work/one') = 2 ]"
stop one
is "$(jq -r 'select(.type == "session-created") | .events[].event' "$work/one" | xargs)" "instructions:u branches:u" \
	"two groups are two sessions"
is "$(jq -r 'select(.type == "session-ended") | .counts[] | "\(.event) \(.value)"' "$work/one" | sort)" "$(stat_counts)" \
	"  each ends with the counts that stat prints"
is "$(jq -r .session "$work/one" | sort -un | wc -l)" 2 "  with numbers of their own"
mkfifo "$work/wait"
"$acrctl" stat -e instructions:u -e branches:u -o "$work/stat" -- sh -c "read -r word < '$work/wait'" &
counter=$!
within "[ \$('$acrctl' ps | wc -l) = 3 ]"
first=$("$acrctl" ps | awk 'NR == 2 { print $1 }')
"$acrctl" monitor -q --session "$first" > "$work/single" &
single=$!
within "[ -s '$work/single' ]"
echo go > "$work/wait"
wait $counter
wait $single
is "$?" 0 "a monitor of one session ends with it"
is "$(sed -E 's/.*session ([0-9]+),.*/\1/' "$work/single" | sort -u)" "$first" "  and shows no other"
finish
