#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# acrctl record on hybrid CPUs: each group samples on the CPUs of its kind only, in the right functions.
# shellcheck source=selftests/guest/hybrid_common.sh
. "$(dirname "$0")/hybrid_common.sh"
data=$work/perf.data

recording() { [ -e "$data" ]; }
# events: the names in the recording, without perf's dummy event
events() { "$acrctl" script -i "$data" -F event 2> /dev/null | tr -d ' :' | sort -u | paste -sd' '; }
# nr PATTERN: number of samples of the program with this event and function
nr() { "$acrctl" script -i "$data" -F comm,event,sym 2> /dev/null | awk '$1 == "phases"' | grep -c -E "$1"; }

# within A B TOLERANCE
within() { [ $(($1 - $2)) -le "$3" ] && [ $(($2 - $1)) -le "$3" ]; }

# missed PMU: whether the closing message states time on other CPUs
missed() { grep -q "^acrctl: record: $1: tasks also ran for [0-9.]* s on other CPUs" "$work/err"; }

# reported PMU: whether the report has all events of the recording, of which it has one, as missing that time
reported()
{
	"$acrctl" report -i "$data" --json 2> /dev/null |
		jq -e --arg pmu "$1/" '[.events[] | select(.name | startswith($pmu)) | .missed_ns] | length > 0 and all(. > 1000)' > /dev/null
}

for kind in $all_kinds; do
	reloads "$kind" || continue
	pmu=${pmu_of[$kind]} cpu=$(first_of "$kind")

	rm -f "$data"
	"$acrctl" record -e "$fast" -o "$data" -C "$cpu" 2> "$work/err" &
	recorder=$!
	wait_until recording
	taskset -c "$cpu" "$phases" -s "$settle" 4
	kill -INT $recorder
	wait $recorder
	is "$?" 0 "-C $cpu ends well"
	is "$(phases_in "$data")" phase_fast "-C $cpu: all samples of the phases where the ratio is above"
	holds "-C $cpu: on that CPU only" only_on "$data" "$cpu"

	"$acrctl" record -e "$(group_of "$kind")" -o "$data" -- taskset -c "$cpu" "$phases" -s "$settle" 4 2> "$work/err"
	is "$?" 0 "a program on $pmu is recorded"
	is "$(phases_in "$data")" phase_fast "$pmu: all samples of the phases where the ratio is above"
	holds "$pmu: on its CPUs only" only_on "$data" "$(cpus_of "$kind")"
	is "$(events)" "$(group_of "$kind" | sed 's/^{//; s|/u,cpu_.*|/u|')" "$pmu: samples of the event that is named"

	for other in $all_kinds; do
		[ "$other" != "$kind" ] || continue
		"$acrctl" record -e "$(group_of "$kind")" -o "$data" -- taskset -c "$(first_of "$other")" "$phases" 2 2> "$work/err"
		is "$? $(fields "$data" sym)" "0 " "$pmu: no sample on ${pmu_of[$other]}"
		holds "$pmu: the time on ${pmu_of[$other]} is stated" missed "$pmu"
		holds "$pmu: ... and reported" reported "$pmu"
		"$acrctl" record -e instructions:u -c 200000 -o "$data" -C "$(cpus_of "$other")" -- taskset -c "$cpu" "$phases" 2 2> "$work/err"
		is "$? $(fields "$data" sym)" "0 " "-C $(cpus_of "$other") with a program elsewhere: no sample"
	done
done

# Without a PMU: an event for each kind, with the group's period.
rm -f "$data"
cat > "$work/all" <<-SH
	#!/bin/sh
	$(for kind in $all_kinds; do echo "taskset -c $(cpus_of "$kind") $phases \$* 4"; done)
SH
chmod +x "$work/all"
"$acrctl" record -c 200000 -e instructions:u -o "$data" -- "$work/all" 2> "$work/err"
is "$?" 0 "a program on all kinds of cores is recorded"
sed 's/^/# /' "$work/err"
# in a round 8 instructions in each of 1000000 iterations, and 6 in each of 498140
for kind in $all_kinds; do
	event=${pmu_of[$kind]}/instructions/u
	"$acrctl" script -i "$data" -F cpu,event 2> /dev/null | awk -v e="$event:" '$2 == e { print $1 }' | tr -d '[]' | sed 's/^0*//; s/^$/0/' |
		sort -u | paste -sd, > "$work/cpus"
	holds "$event: on the CPUs of its kind only ($(cat "$work/cpus"))" \
		[ -z "$(tr , '\n' < "$work/cpus" | grep -vxFf <(cpus_of "$kind" | tr , '\n'))" ]
	holds "$event: samples in phase_fast ($(nr "$event.*phase_fast"))" within "$(nr "$event.*phase_fast")" 160 3
	holds "$event: samples in phase_slow ($(nr "$event.*phase_slow"))" within "$(nr "$event.*phase_slow")" 59 3
	holds "${pmu_of[$kind]}: the time on other kinds is stated" missed "${pmu_of[$kind]}"
	holds "${pmu_of[$kind]}: ... and reported" reported "${pmu_of[$kind]}"
done
is "$(perf script -i "$data" -F ip 2> /dev/null < /dev/null | grep -c .)" "$(samples "$data")" "perf reads all samples"
is "$(perf evlist -i "$data" 2> /dev/null | grep -v dummy | paste -sd' ')" \
	"$(for kind in $all_kinds; do echo "${pmu_of[$kind]}/instructions/u"; done | paste -sd' ')" "perf knows the events"

# A process that is bound to one CPU is awaited on all others, of its kind and of the other.
order="$(cpus_of P | tr , '\n' | head -n 2) $(first_of E)"
rm -f "$data"
rings=
has_samples_of() { "$acrctl" script -i "$data" -F cpu | grep -q "$(printf '\[%03d\]' "$1")"; }
taskset -c "$(first_of P)" "$phases" 100000000 &
runner=$!
"$acrctl" record -c 200000 -e instructions:u -o "$data" -p $runner 2> "$work/err" &
recorder=$!
for cpu in $order; do
	taskset -pc "$cpu" $runner > /dev/null
	wait_until has_samples_of "$cpu"
	rings="$rings $(grep -cF 'anon_inode:[acrpmu]' /proc/$recorder/maps)"
done
kill -INT $recorder
wait $recorder
kill $runner
is "$(fields "$data" cpu,event | tr -d ' ')" "$(for cpu in $order; do printf '[%03d]%s/instructions/u:\n' "$cpu" "${pmu_of[$(kind_of "$cpu")]}"; done | sort)" \
	"a process has samples wherever it goes"
is "$rings" " $(seq -s ' ' "$(wc -w <<< "$order")")" "only rings of CPUs that it has reached are mapped"

# A group that hardware reloads is for the kinds that can: by masks, and by a condition.
for option in -e --when; do
	condition='instructions:u / cycles:u > 2'
	[ $option = --when ] || condition=$fast
	"$acrctl" record --acr=hardware $option "$condition" -o "$data" -- "$work/all" 2> "$work/err"
	is "$?" 0 "$option: a group that reloads is recorded where it can be"
	for kind in $all_kinds; do
		pmu=${pmu_of[$kind]}
		if reloads "$kind"; then
			is "$(nr "$pmu/.*phase_slow")" 0 "$option, $pmu: no sample where the ratio is below"
			holds "$option, $pmu: samples where the ratio is above" [ "$(nr "$pmu/.*phase_fast")" -ge 50 ]
		else
			holds "$option: $pmu is left out, which is stated" \
				grep -q "^acrctl: record: $pmu is left out: .*auto counter reload" "$work/err"
			is "$(nr "$pmu/")" 0 "$option, $pmu: no samples"
		fi
	done
done
# In software all kinds can, and the same on all. Without --acr acrctl chooses that where some of the CPUs lack hardware for it. The
# random part of windows there moves them against the phases.
options=(--acr=software)
for kind in $all_kinds; do reloads "$kind" || options=(); done
"$acrctl" record "${options[@]}" --window 100000 --when 'instructions:u / cycles:u > 2' -o "$data" -- \
	"$work/all" -s "$settle" 2> "$work/err"
is "$?" 0 "a condition is recorded in software${options[0]:+ if asked for}"
holds "... which is stated" grep -q "(reload in software, " "$work/err"
for kind in $all_kinds; do
	pmu=${pmu_of[$kind]}
	is "$(nr "$pmu/.*phase_slow")" 0 "software, $pmu: no sample where the ratio is below"
	holds "software, $pmu: samples where the ratio is above" [ "$(nr "$pmu/.*phase_fast")" -ge 50 ]
done
finish
