# SPDX-License-Identifier: GPL-2.0-only
# The compiler's warnings and sparse for the module; part of style.sh.
# shellcheck shell=bash disable=SC2154 # variables of style.sh

# Builds the module with all warnings and sparse.
module_warnings()
{
	local kernel=$1 output=$log/module-$1 dir=$log/kmod-$1 status=0 source has_cpuid_api=0

	rm -rf "$dir"
	mkdir -p "$dir"
	cp -rsf "$project/Kbuild" "$project/kmod" "$project/uapi" "$dir/"
	# Debian's headers for a kernel include those that its flavours share.
	source=$root_dir$(sed -n 's,^include \(.*\)/Makefile$,\1,p' "$root_dir$(readlink "$kernels_dir/$kernel/modules/build")/Makefile")
	[ ! -e "$source/arch/x86/include/asm/cpuid/api.h" ] || has_cpuid_api=1
	# Debian's headers lack the script that lets C=2 through from 7.x on, hence KBUILD_CHECKSRC.
	"$project/selftests/model/in-root.sh" make -C "$kernels_dir/$kernel/modules/build" M="$dir" \
		W=1 C=2 KBUILD_CHECKSRC=2 CF="-D__CHECK_ENDIAN__ -DSPARSE_HAS_CPUID_API=$has_cpuid_api -include $project/selftests/run/sparse-compat.h" modules \
		> "$output.log" 2>&1 || status=$?
	# Kernel-doc of the module's own .c files describes only parameters that need it; core's headers describe all of theirs.
	grep -E 'warning:|error:|WARNING:|ERROR:' "$output.log" |
		grep -vE "/kmod/[a-z_]+\.c:[0-9]+: warning: Function parameter or member '[a-z_]+' not described in" > "$output"
	[ "$status" = 0 ] || echo "make: exit status $status, see $output.log" >> "$output"
	no_lines "W=1 and sparse: module for $kernel" "$output"
}

# module_percpu KERNEL: of the module that module_warnings has built
module_percpu()
{
	local kernel=$1 output=$log/percpu-$1 ko=$log/kmod-$1/acrpmu.ko bytes_max=512 bytes

	# The sizes are hexadecimal; a module without such data has no section.
	bytes=$(($(readelf -SW "$ko" 2>> "$output.log" | sed -nE 's/^ *\[ *[0-9]+\] \.data\.\.percpu[^ ]* +[A-Z]+ +[^ ]+ [^ ]+ ([0-9a-f]+) .*/+0x\1/p' | tr -d '\n')))
	if [ ! -e "$ko" ]; then
		echo "there is no $ko"
	elif [ "$bytes" -gt "$bytes_max" ]; then
		echo "acrpmu.ko for $kernel has $bytes bytes of static per-CPU data; at most $bytes_max are allowed"
		echo "all modules of a kernel share 8192 (PERCPU_MODULE_RESERVE): with too many, this one or a later one, such as kvm, cannot be loaded"
		echo "use alloc_percpu() instead of DEFINE_PER_CPU()"
	fi > "$output"
	no_lines "at most $bytes_max bytes of static per-CPU data: module for $kernel" "$output"
}

module_style()
{
	local kernel

	for kernel in $kernels; do
		module_warnings "$kernel"
		module_circles "$kernel"
		module_percpu "$kernel"
	done
}
