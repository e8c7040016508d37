# SPDX-License-Identifier: GPL-2.0-only
# The variables of a suite, which of its boots a run includes, and what they need; sourced.
# shellcheck shell=bash disable=SC2034,SC2154 # variables for and of check.sh

# load_suite FILE: sets the variables of a suite, described in selftests/suites/README.
load_suite()
{
	host='' guest='' check='' kernel_min='' kernel_max='' profiles=clearwaterforest plugin_args='' append='' limit_s=7200 smp=2 threads=1 mem=1536
	violations='' console='' torture='' area='' flavours='' alone='' needs=guests virtual_time='' suite_file=$1
	# shellcheck source=/dev/null
	. "$1"
}

# adapt_to KERNEL: gives the suite that is loaded what it needs on this kernel. KASAN needs memory, and every debugging option time; a
# delay of at least 100,000 instructions is one beyond a switch of the kernel, which takes longer as well.
adapt_to()
{
	is_debug_kernel "$(kernel_name "$1")" || return 0
	[ "$mem" -ge 3072 ] || mem=3072
	# It has only the drivers of the other kind of boot.
	virtual_time=''
	limit_s=$((limit_s * 4))
	[[ ! $plugin_args =~ pmi-delay=([0-9]{6,}) ]] || plugin_args=${plugin_args/"${BASH_REMATCH[0]}"/pmi-delay=$((BASH_REMATCH[1] * 20))}
}

# settings FILE: what a suite runs, and where. An earlier form of it may have variables that are not set any more.
settings()
(
	set +u
	load_suite "$1"
	printf '%s\n' "$host" "$guest" "$check" "$kernel_min" "$kernel_max" "$profiles" "$plugin_args" "$append" "$limit_s" "$smp" "$threads" "$mem" \
		"$console" "$violations" "$flavours" "$alone" "$needs" "$virtual_time"
)

# has_other_settings: whether that of the suite that is loaded has changed since all was green
has_other_settings()
{
	changed_in "$suite_file" && ! cmp -s <(settings "$suite_file") <(settings <(in_git show "$clean:$suite_file" 2> /dev/null))
}

# is_as_clean BOOT: true if the suite that is loaded has an area, nothing has changed there since all was green, and the kernel is that of then
is_as_clean()
{
	local boot=$1
	local -a paths

	[ -n "$area" ] && [ -n "${clean:-}" ] || return 1
	read -rd '' -a paths <<< "$area"
	! changed_in "${paths[@]}" && ! has_other_settings || return 1
	[ "$boot" = host ] || [[ $clean_kernels = *" $(kernel_release "$kernels_dir/${boot%/*}/vmlinuz" 2> /dev/null) "* ]]
}

# included SCOPE BOOT: true if a run of this scope has the boot, KERNEL/PROFILE or `host`, of the suite that is loaded.
included()
{
	local scope=$1 boot=$2 part=check

	if [ "$scope" = cover ]; then
		covers "$boot"
		return
	fi
	if [[ -n $torture && $boot =~ $torture ]] || is_as_clean "$boot"; then part=torture; fi
	[ "$scope" = all ] || [ "$scope" = "$part" ]
}

# with_flavours KERNEL...: sets `list` to the kernels, and of each that a version alone names the flavours that the suite that is loaded has
with_flavours()
{
	local kernel each

	list=()
	for kernel; do
		for each in "" $flavours; do
			[[ -z $each || $kernel =~ ^[0-9.]+$ ]] || continue
			each=$kernel${each:+-$each}
			[[ " ${list[*]} " = *" $each "* ]] || list+=("$each")
		done
	done
}

# boots SCOPE KERNEL...: prints `host` and KERNEL/PROFILE for each boot that a run of this scope has of the suite that is loaded.
boots()
{
	local scope=$1 kernel profile
	local -a list

	shift
	with_flavours "$@"
	if [ -n "$host" ] && included "$scope" host; then echo host; fi
	[ -n "$guest" ] || return 0
	for kernel in "${list[@]}"; do
		[ -z "$kernel_min" ] || version_ge "$(kernel_version "$kernel")" "$kernel_min" || continue
		[ -z "$kernel_max" ] || version_ge "$kernel_max" "$(kernel_version "$kernel")" || continue
		for profile in $profiles; do
			if included "$scope" "${kernel##*/}/$profile"; then echo "$kernel/$profile"; fi
		done
	done
}

# kernels_of SCOPE SUITES KERNEL...: prints the kernels on which a run boots these suites, besides those of the list.
kernels_of()
{
	local scope=$1 suites=$2 suite

	shift 2
	for suite in $suites; do
		load_suite "selftests/suites/$suite"
		boots "$scope" "$@"
	done | sed -n 's,/[^/]*$,,p' | awk '!seen[$0]++' | grep -vxFf <(printf '%s\n' "$@")
}

# purpose_of SUITE...: prints what setup.sh has to fetch for them: check if any has a guest or is silent about it, root or tools.
purpose_of()
{
	local suite purpose=tools

	for suite; do
		load_suite "selftests/suites/$suite"
		case ${guest:+guests}$needs in
		guests*) echo check; return ;;
		root) purpose=root ;;
		esac
	done
	echo $purpose
}
