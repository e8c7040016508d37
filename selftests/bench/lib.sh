# SPDX-License-Identifier: GPL-2.0-only
# What the parts of make bench share: lines of JSON, kernels, boots; sourced, never run. A part prints lines alone on standard output.
# shellcheck shell=bash

# shellcheck source=selftests/model/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../model/common.sh"
cd "$project" || exit 1

# The start of a guest's command: no time limit on PMIs, and no other user of the counters.
# shellcheck disable=SC2016 # expanded in the guest
load_module='insmod "$ACR_BUILD/kernels/$ACR_KERNEL/acrpmu.ko" max_pmi_percent=100 && echo 0 > /proc/sys/kernel/nmi_watchdog'

# bench_kernels: prints the kernels to measure on.
bench_kernels() { resolve_kernels "${KERNELS:-6.1 newest}"; }

# each_kernel COMMAND...: runs it with each kernel as its last argument, on all at once, and prints their lines in the order of kernels.
# Only for counts that do not depend on what else the CPUs do.
each_kernel()
{
	local dir pid status=0 i
	local -a versions pids=()

	read -ra versions <<< "$(bench_kernels)"
	dir=$(mktemp -d) || return 1
	for i in "${!versions[@]}"; do
		"$@" "${versions[i]}" > "$dir/$i" &
		pids+=($!)
	done
	for pid in "${pids[@]}"; do wait "$pid" || status=1; done
	for i in "${!versions[@]}"; do cat "$dir/$i"; done
	rm -r "$dir"
	return "$status"
}

# line TYPE KEY=VALUE...: prints one line, such as: line figure part=ring name='bytes per sample' unit=bytes ours=56 peer=64 \
# peer_name='in-tree perf' on=ratio most=1 kind=count
line()
{
	local text="{\"t\":\"$1\"" pair key value

	shift
	for pair; do
		key=${pair%%=*} value=${pair#*=}
		case $key in
		ours|peer|most|least|ratio|runs|x|y|value|*_spread) text+=",\"$key\":$value" ;;
		*)
			value=${value//\\/\\\\}
			text+=",\"$key\":\"${value//\"/\\\"}\"" ;;
		esac
	done
	printf '%s}\n' "$text"
}

# figures_of LOG: prints the lines that figure.h left in the output of a guest.
figures_of() { sed -n 's/^.*FIGURE {"t"/{"t"/p' "$1"; }

# guest_figures PART KERNEL COMMAND [OPTION...]: boots the model CPU, with these options of boot.sh, runs the command with the module
# loaded, prints its figures.
guest_figures()
{
	local status=0 name log

	name=bench-$1-$(kernel_name "$2")
	log=$BUILD/run/$name/out/job.log
	"$project/selftests/model/boot.sh" --name "$name" --kernel "$2" --timeout 300 --quiet "${@:4}" -- bash -c "$load_module && $3" >&2 ||
		status=$?
	[ ! -e "$log" ] || figures_of "$log"
	if [ "$status" != 0 ]; then
		printf '%s on %s: exit status %s, see %s\n' "$1" "$2" "$status" "$log" >&2
		grep -vE 'FIGURE|^ok' "$log" | tail -n 20 >&2
	fi
	return "$status"
}
