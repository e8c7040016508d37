# SPDX-License-Identifier: GPL-2.0-only
# The compiler's warnings and sparse for the module; part of style.sh.
# shellcheck shell=bash disable=SC2154 # variables of style.sh

module_warnings()
{
	local kernel=$1 output=$log/module-$1 status=0

	selftests/run/module.sh "$kernel" > "$output.log" 2>&1 || status=$?
	# Kernel-doc of the module's own .c files describes only parameters that need it; core's headers describe all of theirs.
	grep -E 'warning:|error:|WARNING:|ERROR:' "$output.log" |
		grep -vE "/kmod/[a-z_]+\.c:[0-9]+: warning: Function parameter or member '[a-z_]+' not described in" > "$output"
	[ "$status" = 0 ] || echo "make: exit status $status, see $output.log" >> "$output"
	no_lines "W=1, and sparse for the newest kernel: module for $kernel" "$output"
}

# module_percpu KERNEL: of the module that module.sh has built
module_percpu()
{
	local kernel=$1 output=$log/percpu-$1 ko=$BUILD/kmod-$1/acrpmu.ko bytes_max=512 bytes

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
