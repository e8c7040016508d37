#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Builds everything, runs the test suites on this machine and in guests, and counts their test points.
# usage: check.sh [--torture] [SUITE...]   --torture: what is left out without names of suites
# KERNELS="6.1 6.12 newest" chooses kernels, JOBS=N how many run at once (default: one for each CPU)
set -u
# shellcheck source=selftests/model/common.sh
. "$(dirname "$0")/../model/common.sh"
# shellcheck source=selftests/run/suites.sh
. "$(dirname "$0")/suites.sh"
cd "$project" || exit 1
# Messages are compared, and a locale that is not installed makes programs complain.
export LC_ALL=C.UTF-8
unset LANGUAGE

kernels=${KERNELS:-6.1 newest}
jobs=${JOBS:-$(nproc)}
results=$BUILD/check
passed=0 failed=0 skipped=0

# count NAME SECONDS: adds the test points of build/check/NAME.tap to the totals and prints failures and skips.
count()
{
	local name=$1 seconds=$2 counts
	local -a n

	counts=$(awk -f "$project/selftests/run/tap.awk" "$results/$name.tap")
	read -ra n <<< "${counts%%$'\n'*}"
	passed=$((passed + n[0])) failed=$((failed + n[1])) skipped=$((skipped + n[2]))
	printf '%-36s %4d passed %3d failed %3d skipped  %4d s\n' "$name" "${n[@]}" "$seconds"
	sed -n '2,$s/^/    /p' <<< "$counts"
	[ "${n[1]}" = 0 ] || printf '    see build/check/%s.tap\n' "$name"
}

# step NAME COMMAND...: one step of the build as one test point; its output goes to build/check/build-NAME.log.
step()
{
	local name=$1 log=$results/build-$1.log

	shift
	steps=$((steps + 1))
	if "$@" > "$log" 2>&1 < /dev/null; then
		echo "ok $steps - $name is built"
	else
		echo "not ok $steps - $name is not built, see ${log#"$project"/}"
		tail -n 15 "$log" | sed 's/^/# /'
	fi
}

# build KERNEL...
build()
{
	local kernel steps=0

	step userspace make -j"$(nproc)" userspace
	# acrctl with a fake device, for tests of the command line
	step acrctl-fake make -j"$(nproc)" -C userspace check
	for kernel; do
		step "module-$(kernel_name "$kernel")" make_module acrpmu "$kernel"
		step "double-$(kernel_name "$kernel")" make_module "kvm rival acrpmu_fail" "$kernel"
	done
	step selftests make -j"$(nproc)" selftests
	echo "1..$steps"
}

# make_module NAMES KERNEL: acrpmu, or the stand-ins for others. If one does not build, old ones must not be tested.
make_module()
{
	local dir target=module
	local -a kos

	dir=$BUILD/kernels/$(kernel_name "$2")
	read -ra kos <<< "$1"
	kos=("${kos[@]/%/.ko}")
	[ "$1" = acrpmu ] || target=double
	case $2 in
	*/*)
		make -j"$(nproc)" "$target" KDIR="$2/modules/build" && mkdir -p "$dir" && cp "${kos[@]/#/$BUILD/}" "$dir" ;;
	*)
		make -j"$(nproc)" "$target-$2" ;;
	esac || { rm -f "${kos[@]/#/$dir/}"; return 1; }
}

# Checks the model's log for accesses that fault.
violation_point()
{
	local name=$1 log=$BUILD/run/$1/model.jsonl

	[ -e "$log" ] || return 0
	echo 1..1
	grep '"t":"viol"' "$log" | grep -vEf <(grep -v '^#' selftests/model/violation-allow) |
		grep -vE "${violations:-^$}" > "$results/$name.violations"
	if [ -s "$results/$name.violations" ]; then
		echo "not ok 1 - $name: no access faults in the model's log"
		head -n 5 "$results/$name.violations" | sed 's/^/# /'
	else
		echo "ok 1 - $name: no access faults in the model's log"
	fi
}

# The verdict of boot.sh on a boot, as test points after those of the guest.
boot_points()
{
	local status=$1 name=$2

	echo 1..1
	case $status in
	124|125)
		echo "not ok 1 - $name: the guest runs to its end, its kernel log is clean"
		sed 's/^/# /' "$results/$name.err" ;;
	*)
		echo "ok 1 - $name: the guest runs to its end, its kernel log is clean" ;;
	esac
	# A command that fails must have printed a failed test.
	if [ "$status" != 0 ] && ! grep -qE '^not ok|^Bail out' "$results/$name.tap" && [ "$status" -lt 124 ]; then
		printf '1..1\nnot ok 1 - %s: the guest command has exit status %s\n' "$name" "$status"
	fi
}

run_host()
{
	local name=$1 status=0

	timeout -k 5 "$limit_s" bash -c "$host" > "$results/$name.tap" 2> "$results/$name.err" < /dev/null || status=$?
	if [ "$status" != 0 ] && ! grep -qE '^not ok|^Bail out' "$results/$name.tap"; then
		printf '1..1\nnot ok 1 - %s: exit status %s, see build/check/%s.err\n' "$name" "$status" "$name" >> "$results/$name.tap"
	fi
}

run_guest()
{
	local name=$1 kernel=$2 profile=$3 run=$BUILD/run/$1 status=0

	adapt_to "$kernel"
	"$project/selftests/model/boot.sh" --name "$name" --kernel "$kernel" --profile "$profile" --plugin-args "$plugin_args" \
		--append "$append" --timeout "$limit_s" --smp "$smp" --threads "$threads" --mem "$mem" --quiet -- bash -c "$guest" \
		> "$results/$name.err" 2>&1 < /dev/null || status=$?
	cp "$run/out/job.log" "$results/$name.tap" 2> /dev/null || : > "$results/$name.tap"
	{ boot_points "$status" "$name"; violation_point "$name"; } >> "$results/$name.tap"
	[ -n "$check" ] || return 0
	status=0
	ACR_RUN=$run ACR_OUT=$run/out ACR_KERNEL=$(kernel_name "$kernel") ACR_PROFILE=$profile timeout -k 5 120 bash -c "$check" \
		>> "$results/$name.tap" 2>> "$results/$name.err" < /dev/null || status=$?
	if [ "$status" != 0 ] && ! grep -qE '^not ok|^Bail out' "$results/$name.tap"; then
		printf '1..1\nnot ok 1 - %s: the check has exit status %s\n' "$name" "$status" >> "$results/$name.tap"
	fi
}

# start NAME COMMAND...: runs a command in the background, at most `jobs` at a time; results are counted in the order of starts.
queue=()
declare -A running=() # names by process
start()
{
	local name=$1

	shift
	( SECONDS=0; "$@"; echo $SECONDS > "$results/$name.seconds" ) &
	running[$!]=$name
	queue+=("$name")
	[ ${#running[@]} -lt "$jobs" ] || finish_one
}

# Waits for whichever ends first, so that no CPU idles beside a long suite.
finish_one()
{
	local pid

	wait -n "${!running[@]}"
	# `wait -p` does not name one that was killed, such as when memory ran out.
	for pid in "${!running[@]}"; do
		kill -0 "$pid" 2> /dev/null || unset "running[$pid]"
	done
	while [ ${#queue[@]} -gt 0 ] && [[ " ${running[*]} " != *" ${queue[0]} "* ]]; do
		if [ ! -e "$results/${queue[0]}.seconds" ]; then
			printf '1..1\nnot ok 1 - %s was killed\n' "${queue[0]}" >> "$results/${queue[0]}.tap"
			echo 0 > "$results/${queue[0]}.seconds"
		fi
		count "${queue[0]}" "$(< "$results/${queue[0]}.seconds")"
		queue=("${queue[@]:1}")
	done
}

run_suite()
{
	local suite=$1 boot kernel profile name list

	load_suite "selftests/suites/$suite"
	# shellcheck disable=SC2086 # a list of kernels
	mapfile -t list < <(boots "$scope" $kernels)
	for boot in "${list[@]}"; do
		[ "$boot" != host ] || { start "$suite" run_host "$suite"; continue; }
		kernel=${boot%/*} profile=${boot##*/}
		name=$suite-$(kernel_name "$kernel")
		[ "$profiles" = "$profile" ] || name+=-$profile
		start "$name" run_guest "$name" "$kernel" "$profile"
	done
	[ ${#list[@]} = 0 ] || return 0
	# shellcheck disable=SC2086 # a list of kernels
	if [ -z "$(boots all $kernels)" ]; then
		echo "$suite: left out, it needs a kernel >= $kernel_min"
	elif [ "$scope" = check ]; then
		echo "$suite: left out, it is for make torture"
	elif [ -n "$named" ]; then
		echo "$suite: left out, nothing of it is for make torture"
	fi
}

main()
{
	local scope=check suite suites named='' more

	[ "${1:-}" != --torture ] || { scope=torture; shift; }
	suites=("$@")
	[ $# = 0 ] || named=yes
	# What is named runs whole.
	[ "$scope$named" != checkyes ] || scope=all
	rm -rf "$results"
	mkdir -p "$results"
	# Style first: it fails most often, and so long a suite at the end would run alone.
	[ ${#suites[@]} -gt 0 ] || mapfile -t suites < <(cd selftests/suites && printf '%s\n' style * | grep -v README | awk '!seen[$0]++')
	for suite in "${suites[@]}"; do
		[ -e "selftests/suites/$suite" ] || die "no suite '$suite' in selftests/suites"
	done
	selftests/model/setup.sh --for check --kernels "$kernels" || exit 1
	# With KERNEL=DIR that one kernel is tested, whatever its version.
	kernels=$(resolve_kernels "${KERNEL:-$kernels}") || exit 1
	# shellcheck disable=SC2086 # a list of kernels
	mapfile -t more < <(kernels_of "$scope" "${suites[*]}" $kernels)
	[ ${#more[@]} = 0 ] || selftests/model/setup.sh --for check --kernels "${more[*]}" || exit 1
	SECONDS=0
	# shellcheck disable=SC2086 # a list of kernels
	build $kernels "${more[@]}" > "$results/build.tap" 2>&1
	count build $SECONDS
	for suite in "${suites[@]}"; do run_suite "$suite"; done
	while [ ${#running[@]} -gt 0 ]; do finish_one; done
	printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
	[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}

main "$@"
