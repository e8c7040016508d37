# SPDX-License-Identifier: GPL-2.0-only
# checkpatch.pl on C files; part of style.sh.
# shellcheck shell=bash disable=SC2154 # variables of style.sh

# User space has the C library's types, functions and names, not the kernel's; its messages are sentences.
libc='PREFER_KERNEL_TYPES,CONSIDER_KSTRTO,SSCANF_TO_KSTRTO,NAKED_SSCANF,USE_NEGATIVE_ERRNO,STRCPY,STRLCPY,STRNCPY,ENOSYS'
libc+=',PREFER_PACKED,PREFER_ALIGNED,PREFER_PRINTF,PREFER_SCANF,PREFER_SECTION,PREFER_DEFINED_ATTRIBUTE_MACRO,NEW_TYPEDEFS'
libc+=',BIT_MACRO,ARRAY_SIZE,SPLIT_STRING,CAMELCASE,VOLATILE,AVOID_EXTERNS,REPEATED_WORD'
# The assertions of kselftest_harness.h are loops that may leave the function and need braces; tables of tests use macros as
# initializers.
harness='COMPLEX_MACRO,MACRO_WITH_FLOW_CONTROL,MACRO_ARG_REUSE,BRACES'

# Warnings that do not apply: compat.h tests kernel versions and names headers that moved, the ABI header has no BIT(), a pointer
# after a macro of kselftest_harness.h is no product, and mkdtemp() writes to its template.
accepted='^kmod/compat\.h:.*(LINUX_VERSION_CODE|CONSTANT_COMPARISON|EMBEDDED_FILENAME)|STATIC_CONST_CHAR_ARRAY'
accepted+='|^uapi/.*BIT_MACRO'
accepted+="|^selftests/.*SPACING: spaces preferred around that '\*'"

# checkpatch NAME IGNORED-TYPES GLOB...
checkpatch()
{
	local name=$1 ignored=$2 output list

	shift 2
	output=$log/checkpatch-$name list=$(checked "$@")
	: > "$output"
	# 20 files at a time, so that it is fast where CPUs are idle
	[ -z "$list" ] || xargs -d '\n' -n 20 -P "$(nproc)" perl "$BUILD/kselftest/scripts/checkpatch.pl" --no-tree --strict \
		--max-line-length=100 --show-types --terse --no-summary --ignore "FILE_PATH_CHANGES,EMAIL_SUBJECT${ignored:+,$ignored}" \
		-f <<< "$list" 2>&1 | grep -vE "$accepted" > "$output"
	no_lines "checkpatch --strict: $name" "$output"
}

c_style()
{
	checkpatch module '' 'kmod/*.c' 'kmod/*.h' 'uapi/*.h'
	checkpatch userspace "$libc" 'userspace/*.c' 'userspace/*.h'
	checkpatch selftests "$libc,$harness" 'selftests/*.c' 'selftests/*.h'
}
