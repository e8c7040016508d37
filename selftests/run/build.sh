# SPDX-License-Identifier: GPL-2.0-only
# What check.sh builds before the suites run, each step as one test point; sourced.
# shellcheck shell=bash disable=SC2154 # variables of check.sh

# step NAME COMMAND...: its output goes to build/check/build-NAME.log.
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
		# with the warnings that style looks into
		if [ "$target" = module ]; then selftests/run/module.sh "$2"; else make -j"$(nproc)" "double-$2"; fi ;;
	esac || { rm -f "${kos[@]/#/$dir/}"; return 1; }
}

# build KERNEL...: what guests need, and for a run without guests what its suites do not make themselves
build()
{
	local kernel steps=0

	step userspace make -j"$(nproc)" userspace
	# acrctl with a fake device, for tests of the command line
	step acrctl-fake make -j"$(nproc)" -C userspace check
	for kernel; do
		step "module-$(kernel_name "$kernel")" make_module acrpmu "$kernel"
		step "double-$(kernel_name "$kernel")" make_module "kvm rival acrpmu_fail no_tsc" "$kernel"
	done
	[ $# = 0 ] || step guests make -j"$(nproc)" -C selftests guests model workloads
	[ "$scope" != cover ] || step cover make -C selftests/cover
	echo "1..$steps"
}
