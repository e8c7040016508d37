#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Builds what test suites need, runs them on this machine and in guests, and counts their test points.
# usage: check.sh [--torture|--cover] [SUITE...]   --torture: what is left out without names of suites
# --cover: which lines of the module guests run; without names of suites it is an error if they are too few, or one has no reason
# KERNELS="6.1 6.12 newest" chooses kernels, JOBS=N how many run at once (default: one for each CPU), TORTURE_MINUTES=N when none starts
# any more, and ALL=1 suites of areas where nothing has changed
# shellcheck disable=SC2154 # variables of the files that it sources
set -u
# shellcheck source=selftests/model/common.sh
. "$(dirname "$0")/../model/common.sh"
cd "$project" || exit 1
for concept in changed suites build results jobs guests resume cover; do
	# shellcheck source=/dev/null
	. "selftests/run/$concept.sh"
done
# Messages are compared, and a locale that is not installed makes programs complain.
export LC_ALL=C.UTF-8
unset LANGUAGE
# The programs of the system: those of version managers are scripts that start 20 processes to start one.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:$PATH

kernels=${KERNELS:-6.1 newest}
jobs=${JOBS:-$(nproc)}
results=$BUILD/check
scope=check
declare -A origin=()	# of a result: "SUITE host" or "SUITE KERNEL PROFILE"

# fetch SUITE...: fetches what these suites need; sets `kernels` to names, or to none where no suite has a guest.
fetch()
{
	local purpose
	local -a more=()

	purpose=$(purpose_of "$@")
	# shellcheck disable=SC2086 # a list of kernels
	case $purpose in
	check)
		selftests/model/setup.sh --for check --kernels "$kernels" || exit 1
		# With KERNEL=DIR that one kernel is tested, whatever its version.
		kernels=$(resolve_kernels "${KERNEL:-$kernels}") || exit 1
		mapfile -t more < <(kernels_of "$scope" "$*" $kernels)
		[ ${#more[@]} = 0 ] || selftests/model/setup.sh --for check --kernels "${more[*]}" || exit 1 ;;
	*)
		selftests/model/setup.sh --for "$purpose" || exit 1
		kernels='' ;;
	esac
}

# build_for_jobs: with the kernels that they boot, and those for which style looks at a module that has changed
build_for_jobs()
{
	local begin=$SECONDS
	local -a built

	mapfile -t built < <({
		awk -F '\t' '$3 != "host" { print $3 }' "$results/jobs"
		! is_module_changed || tr ' ' '\n' <<< "$kernels"
	} | awk 'NF && !seen[$0]++')
	build "${built[@]}" > "$results/build.tap" 2>&1
	count build $((SECONDS - begin))
}

# list_jobs SUITE...: one line for each job: "SUITE<tab>SECONDS<tab>host", or that of pack.awk; and `origin` of each result
list_jobs()
{
	local suite boot name
	local -a list

	for suite; do
		load_suite "selftests/suites/$suite"
		# shellcheck disable=SC2086 # a list of kernels
		mapfile -t list < <(boots "$scope" $kernels)
		[ ${#list[@]} -gt 0 ] || left_out "$suite"
		for boot in "${list[@]}"; do
			if [ "$boot" = host ]; then
				[ -z "${green_before[$suite]:-}" ] || continue
				origin[$suite]="$suite host"
				printf '%s\t%s\thost\n' "$suite" "$(expected "$suite")" >> "$results/jobs"
				continue
			fi
			name=$(result_name "$suite" "${boot%/*}" "${boot##*/}")
			[ -z "${green_before[$name]:-}" ] || continue
			origin[$name]="$suite ${boot%/*} ${boot##*/}"
			printf '%s\t%s\t%s\n' "$suite" "$(expected "$name")" "$(machine "${boot%/*}" "${boot##*/}")" >> "$results/guests"
		done
	done
	[ ! -e "$results/guests" ] || awk -f selftests/run/pack.awk "$results/guests" >> "$results/jobs"
	sort -t $'\t' -k 2,2nr -o "$results/jobs" "$results/jobs"
}

# left_out SUITE: says why a suite that was named has nothing in this run.
left_out()
{
	# shellcheck disable=SC2086 # a list of kernels
	if [ -z "$(boots all $kernels)" ]; then
		echo "$1: left out, it needs a kernel${kernel_min:+ >= $kernel_min}${kernel_max:+ <= $kernel_max}"
	elif [ "$scope" = check ] && is_as_clean host; then
		echo "$1: left out, nothing of it has changed since all was green (make check ALL=1)"
	elif [ "$scope" = check ]; then
		echo "$1: left out, it is for make torture"
	elif [ "$scope" = torture ] && [ -n "$named" ]; then
		echo "$1: left out, nothing of it is for make torture"
	fi
}

run_host()
{
	local name=$1 status=0 begin=$SECONDS

	load_suite "selftests/suites/$name"
	timeout -k 5 "$limit_s" bash -c "$host" > "$results/$name.tap" 2> "$results/$name.err" < /dev/null || status=$?
	if [ "$status" != 0 ] && ! grep -qE '^not ok|^Bail out' "$results/$name.tap"; then
		printf '1..1\nnot ok 1 - %s: exit status %s, see build/check/%s.err\n' "$name" "$status" "$name" >> "$results/$name.tap"
	fi
	used "$name"
	finished "$name" $((SECONDS - begin))
}

# results_of_job JOB KERNEL [PROFILE SUITES]: names of its results
results_of_job()
{
	local suite

	echo "$1"
	# shellcheck disable=SC2086 # a list of suites
	for suite in ${4:-}; do result_name "$suite" "$2" "$3"; done
}

# choose_job: sets `chosen`, the longest one that waits, and a guest if less than half of those that run are guests. A guest has more than
# one CPU: two guests on two CPUs wait for locks of CPUs that do not run.
choose_job()
{
	local i names kind guests=0 wanted=host

	for names in "${running[@]}"; do [[ $names != boot-* ]] || guests=$((guests + 1)); done
	[ $((2 * guests)) -ge "$jobs" ] || wanted=guest
	for i in "${!waiting[@]}"; do
		[[ ${waiting[i]} = boot-* ]] && kind=guest || kind=host
		chosen=$i
		[ $kind != $wanted ] || return 0
	done
	# There is only the other kind.
	for chosen in "${!waiting[@]}"; do return 0; done
}

run_jobs()
{
	local job kernel profile list name chosen
	local -a waiting=()
	local -A results_of=()

	while IFS=$'\t' read -r job _ kernel profile list; do
		results_of[$job]=$(results_of_job "$job" "$kernel" "$profile" "$list")
		for name in ${results_of[$job]}; do due[$name]=$(expected "$name"); done
	done < "$results/jobs"
	mapfile -t waiting < "$results/jobs"
	while [ ${#waiting[@]} -gt 0 ]; do
		wait_for_less_than "$jobs"
		! out_of_time || break
		choose_job
		IFS=$'\t' read -r job _ kernel profile list <<< "${waiting[chosen]}"
		unset "waiting[chosen]"
		if [ "$kernel" = host ]; then
			start "${results_of[$job]}" run_host "$job"
		else
			# shellcheck disable=SC2086 # a list of suites
			start "${results_of[$job]}" run_boot "$job" "$kernel" "$profile" $list
		fi
	done
	left=${#waiting[@]}
	wait_for_less_than 1
}

# run_again: runs what was red once more, each one alone, in a guest of its own. With more than three red results nothing runs again.
run_again()
{
	local name suite kernel profile

	[ ${#again[@]} -le 3 ] || return 0
	for name in "${again[@]}"; do
		echo "$name runs once more, alone"
		mv "$results/$name.tap" "$results/$name.red.tap"
		rm "$results/$name.seconds"
		read -r suite kernel profile <<< "${origin[$name]}"
		if [ "$kernel" = host ]; then
			run_host "$suite"
		else
			run_boot "$name-again" "$kernel" "$profile" "$suite"
		fi
		if is_green "$name" && has_all_of "$name" "$name.red" && { [ "$kernel" = host ] || is_green "$name-again"; }; then
			forgive "$name"
		else
			echo "$name is red again, see build/check/$name.tap"
		fi
	done
}

main()
{
	local suite named=''
	local -a suites

	case ${1:-} in
	--torture) scope=torture; shift; export ACR_LONG=1 ;;
	--cover) scope=cover; shift ;;
	esac
	suites=("$@")
	[ $# = 0 ] || named=yes
	# What is named runs whole.
	[ "$scope$named" != checkyes ] || scope=all
	check_minutes
	rm -rf "$results"
	mkdir -p "$results"
	[ ${#suites[@]} -gt 0 ] || mapfile -t suites < <(cd selftests/suites && printf '%s\n' * | grep -v README)
	[ "$scope$named" != cover ] || mapfile -t suites < <(covering_suites "${suites[@]}")
	for suite in "${suites[@]}"; do
		[ -e "selftests/suites/$suite" ] || die "no suite '$suite' in selftests/suites"
	done
	find_clean
	trap 'end_jobs; exit 130' INT TERM
	fetch "${suites[@]}"
	: > "$results/jobs"
	find_green
	list_jobs "${suites[@]}"
	if [ ! -s "$results/jobs" ]; then
		[ ${#green_before[@]} -gt 0 ] || die "no suite has anything to run"
		say "nothing is left to run; remove build/torture to begin anew"
		exit 0
	fi
	build_for_jobs
	run_jobs
	run_again
	[ "$scope" != cover ] || count_cover
	last_line
}

main "$@"
