# SPDX-License-Identifier: GPL-2.0-only
# Boots of check.sh: several suites in one guest, each with a result of its own, and one for the boot; sourced.
# shellcheck shell=bash disable=SC2154 # variables of check.sh and suites.sh

# result_name SUITE KERNEL PROFILE: name of the result of a suite in a guest
result_name()
{
	local name

	load_suite "selftests/suites/$1"
	name=$1-$(kernel_name "$2")
	[ "$profiles" = "$3" ] || name+=-$3
	echo "$name"
}

# machine KERNEL PROFILE: what the suite that is loaded needs of a guest. Suites that need the same share one.
machine()
{
	adapt_to "$1"
	printf '%s\t' "$1" "$2" "$plugin_args" "$append" "$smp" "$threads" "$mem" "$virtual_time" "$console"
	[ -z "$alone" ] || printf '%s' "$suite"
	echo
}

# violation_points NAME: checks the model's log of a boot for accesses that fault.
violation_points()
{
	local name=$1 log=$BUILD/run/$1/model.jsonl

	echo 1..1
	if ! grep -q '"t":"end"' "$log" 2> /dev/null; then
		echo "not ok 1 - $name: the model's log is whole"
		return
	fi
	grep '"t":"viol"' "$log" | grep -vEf <(grep -v '^#' selftests/model/violation-allow) |
		grep -vE "${violations:-^$}" > "$results/$name.violations"
	if [ -s "$results/$name.violations" ]; then
		echo "not ok 1 - $name: no access faults in the model's log"
		head -n 5 "$results/$name.violations" | sed 's/^/# /'
	else
		echo "ok 1 - $name: no access faults in the model's log"
	fi
}

# boot_point NAME STATUS: the verdict of boot.sh on a boot
boot_point()
{
	local what="the guest runs to its end, its kernel log is clean"

	echo 1..1
	if [ "$2" = 0 ]; then
		echo "ok 1 - $1: $what"
	else
		echo "not ok 1 - $1: $what"
		sed 's/^/# /' "$results/$1.err"
	fi
}

# check_points NAME KERNEL PROFILE SUITE...: what the suites check after the boot, once for those that check the same
check_points()
{
	local name=$1 kernel=$2 profile=$3 suite status
	local -A checked=()

	shift 3
	for suite; do
		load_suite "selftests/suites/$suite"
		[ -n "$check" ] && [ -z "${checked["$check"]:-}" ] || continue
		checked["$check"]=1
		status=0
		echo "# check of $suite"
		ACR_RUN=$BUILD/run/$name ACR_OUT=$BUILD/run/$name/out/$suite ACR_KERNEL=$(kernel_name "$kernel") ACR_PROFILE=$profile \
			timeout -k 5 "$limit_s" bash -c "$check" > "$results/$name.check" 2>> "$results/$name.err" < /dev/null || status=$?
		cat "$results/$name.check"
		if [ "$status" != 0 ] && ! grep -qE '^not ok|^Bail out' "$results/$name.check"; then
			printf '1..1\nnot ok 1 - %s: the check has exit status %s\n' "$suite" "$status"
		fi
	done
}

# collect NAME KERNEL PROFILE SUITE...: makes results of the suites that have ended
collect()
{
	local run=$BUILD/run/$1 kernel=$2 profile=$3 suite name

	shift 3
	for suite; do
		[ -e "$run/out/$suite/seconds" ] || continue
		name=$(result_name "$suite" "$kernel" "$profile")
		[ ! -e "$results/$name.seconds" ] || continue
		cp "$run/out/$suite/job.log" "$results/$name.tap"
		finished "$name" "$(< "$run/out/$suite/seconds")"
	done
}

# points_again NAME KERNEL PROFILE SUITE...: what was red in the last boot, of suites that have results of a boot that was lost
points_again()
{
	local run=$BUILD/run/$1 kernel=$2 profile=$3 suite log

	shift 3
	for suite; do
		log=$run/out/$suite/job.log
		! cmp -s "$log" "$results/$(result_name "$suite" "$kernel" "$profile").tap" && grep -q '^not ok' "$log" || continue
		echo "1..$(grep -c '^not ok' "$log")"
		grep '^not ok' "$log"
	done
}

# lost_guest RUN: the guest died before it ran anything of ours, or of a breakpoint that QEMU met when the kernel had removed it.
lost_guest() { [ ! -e "$1/out/begun" ] || stale_breakpoint "$1/console.log"; }

# blame SUITE NAME KERNEL PROFILE: the result of the suite in which the guest of a boot died
blame()
{
	local suite=$1 boot=$2 result

	result=$(result_name "$1" "$3" "$4")
	cat "$BUILD/run/$boot/out/$suite/job.log" > "$results/$result.tap" 2> /dev/null
	printf '1..1\nnot ok 1 - %s: the guest died\n' "$suite" >> "$results/$result.tap"
	finished "$result" 0
}

# boot_once NAME LIMIT_S KERNEL PROFILE SUITE...: one boot of the suites; 0 if its guest ran to its end
boot_once()
{
	local name=$1 limit=$2 kernel=$3 profile=$4 pid args=$plugin_args

	shift 4
	[ "$scope" != cover ] || args+=${args:+,}cover=on
	rm -rf "${BUILD:?}/run/$name"
	# Booting again is for run_boot to decide.
	ACR_BOOT=3 selftests/model/boot.sh --name "$name" --kernel "$kernel" --profile "$profile" --plugin-args "$args" \
		--append "$append" --timeout "$limit" --smp "$smp" --threads "$threads" --mem "$mem" ${virtual_time:+--virtual-time} \
		--console "$console" --quiet -- selftests/run/in-guest.sh "$@" > "$results/$name.err" 2>&1 < /dev/null &
	pid=$!
	while kill -0 $pid 2> /dev/null; do
		sleep 1
		collect "$name" "$kernel" "$profile" "$@"
	done
	wait $pid
}

# run_boot NAME KERNEL PROFILE SUITE...: boots suites that need the same guest. If it dies the rest boots again, and all if QEMU lost it.
run_boot()
{
	local name=$1 kernel=$2 profile=$3 run=$BUILD/run/$1 suite status limit=600 lost=0 faults=0 allowed='^$' begin=$SECONDS
	local -a rest this

	shift 3
	for suite; do
		load_suite "selftests/suites/$suite"
		adapt_to "$kernel"
		limit=$((limit + limit_s))
		[ -z "$violations" ] || allowed+="|$violations"
	done
	violations=$allowed rest=("$@")
	: > "$results/$name.tap"
	while [ ${#rest[@]} -gt 0 ]; do
		this=("${rest[@]}") status=0
		boot_once "$name" "$limit" "$kernel" "$profile" "${this[@]}" || status=$?
		collect "$name" "$kernel" "$profile" "${this[@]}"
		mapfile -t rest < <(for suite in "${this[@]}"; do [ -e "$run/out/$suite/seconds" ] || echo "$suite"; done)
		[ ${#rest[@]} -gt 0 ] || break
		cp "$run/console.log" "$run.died-$((lost + faults + 1)).log"
		if [ $lost -lt 2 ] && lost_guest "$run"; then
			lost=$((lost + 1))
			echo "$name $run.died-$((lost + faults)).log" >> "$results/lost"
			# All of them again: what those that have ended check needs a whole log.
			rest=("${this[@]}")
		else
			faults=$((faults + 1))
			blame "${rest[0]}" "$name" "$kernel" "$profile"
			boot_point "$name" "$status" >> "$results/$name.tap"
			status=''
			rest=("${rest[@]:1}")
		fi
	done
	{
		[ -z "$status" ] || boot_point "$name" "$status"
		points_again "$name" "$kernel" "$profile" "${this[@]}"
		violation_points "$name"
		check_points "$name" "$kernel" "$profile" "${this[@]}"
	} >> "$results/$name.tap"
	used "$name"
	finished "$name" $((SECONDS - begin))
}
