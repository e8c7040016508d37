#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# acrctl record --every --push to a server on loopback, with the real module, which fails and goes; --switch-output.
# shellcheck source=selftests/guest/record_common.sh
. "$(dirname "$0")/record_common.sh"
echo 0 > /proc/sys/kernel/nmi_watchdog
module=$ACR_BUILD/kernels/$ACR_KERNEL/acrpmu.ko
out=$ACR_OUT/server
mkdir -p "$out"
cd "$work" || exit 1

nr_requests() { wc -l < "$out/requests"; }
has_requests() { [ "$(nr_requests)" -ge "$1" ]; }

# rounds ARGUMENT...: takes rounds in the background, as process $recorder, with its output in the file err
rounds()
{
	"$acrctl" record -v -e "$fast" --every 2s --for 1s --spread 0 --push "http://127.0.0.1:$(cat "$out/port")" --push-finish 1m "$@" 2> err &
	recorder=$!
}

# Starts the watchdog anew: on 6.1 it gets no counter, and does not try again, if a round has reserved them at that moment.
watchdog_wins()
{
	local seen

	echo 0 > /proc/sys/kernel/nmi_watchdog
	echo 1 > /proc/sys/kernel/nmi_watchdog
	seen=$(nr_requests)
	# The round that goes on may still be good; the next one is not, if the watchdog has a counter.
	until [ "$(grep -c 'this round has failed' err)" -gt "$before" ]; do
		! has_requests $((seen + 2)) || return 1
		sleep 0.2
	done
}

# end_rounds NAME: by SIGTERM, which is a normal end
end_rounds()
{
	kill -TERM $recorder
	wait $recorder
	is "$?" 0 "$1: SIGTERM is a normal end"
	sed 's/^/# /' err
}

taskset -pc 1 $$ > /dev/null
taskset -c 0 "$phases" -s $settle 100000000 &
runner=$!
python3 "$ACR_PROJECT/selftests/cli/push_server.py" "$out" &
server=$!
wait_until test -s "$out/port"

rounds -p $runner
holds "a process: profiles arrive" wait_until has_requests 1
holds "the module can be unloaded between rounds" wait_until rmmod acrpmu
holds "without the module a round fails" wait_until grep -q 'this round has failed' err
insmod "$module" max_pmi_percent=100
seen=$(nr_requests)
holds "with the module the next one works" wait_until has_requests $((seen + 1))
before=$(grep -c 'this round has failed' err)
holds "while the watchdog holds a counter rounds fail" wait_until watchdog_wins
echo 0 > /proc/sys/kernel/nmi_watchdog
seen=$(nr_requests)
holds "and work again after it" wait_until has_requests $((seen + 1))
end_rounds "a process"
holds "everything was delivered" grep -Eq "profiles: $(nr_requests) delivered, 0 waiting in .* 0 rejected, 0 lost" err
# for fleet_profiles.sh on the host
sed -n 's/.* rounds: \([0-9]*\) samples.*/\1/p' err > "$ACR_OUT/samples"
cp "$out/requests" "$ACR_OUT/requests"

seen=$(nr_requests)
rounds -a --push-queue all.queue
holds "all CPUs: profiles arrive" wait_until has_requests $((seen + 1))
kill $runner
end_rounds "all CPUs"

taskset -c 0 "$phases" -s $settle 100000000 &
runner=$!
# with longer periods, since perf takes long for each sample here
"$acrctl" record -e "$(group 2000000 1000000)" -o switched.data --switch-output=1s -C 0 2> err &
recorder=$!
holds "--switch-output: files are complete while recording goes on" wait_until eval '[ "$(grep -c "is complete" err)" -ge 2 ]'
kill -TERM $recorder
wait $recorder
is "$?" 0 "--switch-output: SIGTERM is a normal end"
sum=0
for file in switched.data.*; do sum=$((sum + $(samples "$file"))); done
is "$sum" "$(sed -n 's/^acrctl: switched.data.\*: \([0-9]*\) samples.*/\1/p' err)" "together the files have all samples"
sum=0
for file in switched.data.*; do sum=$((sum + $(perf script -i "$file" -F ip,sym 2> /dev/null < /dev/null | grep -c 'phase_fast\|settle_'))); done
holds "and perf finds symbols in them ($sum)" [ "$sum" -gt 100 ]
kill $runner $server
finish
