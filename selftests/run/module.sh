#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Builds the module for a kernel of the model with W=1, and sparse for the newest, and prints the log of that, which style.sh looks into.
# usage: module.sh KERNEL   builds either all objects, so that the log is complete, or none if no source is newer than the log
set -u
# shellcheck source=selftests/model/common.sh
. "$(dirname "$0")/../model/common.sh"
# shellcheck source=selftests/run/changed.sh
. "$(dirname "$0")/changed.sh"
cd "$project" || exit 1
kernel=$(resolve_kernels "${1:?a kernel}") || exit 1
dir=$BUILD/kmod-$kernel log=$BUILD/kmod-$kernel.log

# Sparse takes as long as the compiler, so that make check runs it on one kernel, for a module that has changed. Kernels that are built here
# may have options unknown to it.
has_sparse()
{
	! is_debug_kernel "$kernel" && is_module_changed && { [ "$kernel" = "$(resolve_kernels newest)" ] || [ -n "${ACR_LONG:-}" ]; }
}
is_checked() { grep -qE '^  CHECK .*kmod/main\.c$' "$1"; }

up_to_date()
{
	[ -e "$log" ] && [ -e "$kernels_dir/$kernel/acrpmu.ko" ] && { ! has_sparse || is_checked "$log"; } &&
		[ -z "$(find Kbuild Makefile kmod uapi selftests/run/module.sh selftests/run/sparse-compat.h "$BUILD/stamps/headers-$kernel" \
			-newer "$log" -print -quit 2> /dev/null)" ]
}

# sparse_args: for the kernel's headers; those of Debian include what its flavours share
sparse_args()
{
	local headers has_cpuid_api=0

	headers=$root_dir$(sed -n 's,^include \(.*\)/Makefile$,\1,p' "$root_dir$(readlink "$kernels_dir/$kernel/modules/build")/Makefile")
	[ ! -e "$headers/arch/x86/include/asm/cpuid/api.h" ] || has_cpuid_api=1
	echo "-D__CHECK_ENDIAN__ -DSPARSE_HAS_CPUID_API=$has_cpuid_api -include $project/selftests/run/sparse-compat.h"
}

build()
{
	local args=

	is_debug_kernel "$kernel" || args='W=1'
	! has_sparse || args+=" C=2 KBUILD_CHECKSRC=2 CF=\"$(sparse_args)\""
	# Debian's headers lack the script that lets C=2 through from 7.x on, hence KBUILD_CHECKSRC.
	make --no-print-directory -j"$(nproc)" "module-$kernel" MODULE_ARGS="$args"
}

if ! up_to_date; then
	rm -f "$log"
	[ ! -d "$dir" ] || find "$dir" -name '*.o' -delete
	status=0
	# A source that changes in the meantime is newer than the log.
	touch "$log.begin"
	build > "$log.new" 2>&1 || status=$?
	[ "$status" = 0 ] || { cat "$log.new"; exit "$status"; }
	! has_sparse || is_checked "$log.new" || echo 'error: sparse did not run' >> "$log.new"
	touch -r "$log.begin" "$log.new"
	mv "$log.new" "$log"
fi
cat "$log"
