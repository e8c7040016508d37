#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Checks the style of every source file, as TAP: any warning fails. Tools come from the Debian root, where there is one.
# usage: style.sh   KERNELS="6.1 newest" chooses the kernels whose headers W=1 and sparse use
set -u
# shellcheck source=selftests/model/common.sh
. "$(dirname "$0")/../model/common.sh"
cd "$project" || exit 1

kernels=$(resolve_kernels "${KERNELS:-6.1 newest}") || exit 1
log=$BUILD/style
points=0 result=0
mkdir -p "$log"
[ -x "$root_dir/usr/bin/shellcheck" ] && in_root=("$project/selftests/model/in-root.sh") || in_root=()

# point NAME STATUS FILE: one test point; a failure shows the start of what FILE holds.
point()
{
	points=$((points + 1))
	if [ "$2" = 0 ]; then
		echo "ok $points - $1"
	else
		echo "not ok $points - $1"
		head -n "${STYLE_LINES:-20}" "$3" | sed 's/^/# /'
		echo "# all of it: ${3#"$project"/}"
		result=1
	fi
}

# no_lines NAME FILE: passes if FILE is empty.
no_lines() { if [ -s "$2" ]; then point "$1" 1 "$2"; else point "$1" 0 "$2"; fi; }

# files GLOB...: the tracked and the new files, without those that git ignores.
files() { git -c safe.directory='*' ls-files --cached --others --exclude-standard -- "$@" | while read -r f; do [ ! -e "$f" ] || echo "$f"; done; }

# What checkpatch says of files that cannot do otherwise: compat.h tests kernel versions and names headers that moved, the ABI
# header has no BIT(), and a pointer after a macro of kselftest_harness.h is no product.
# mkdtemp() writes into its template, so that it cannot be const.
accepted='^kmod/compat\.h:.*(LINUX_VERSION_CODE|CONSTANT_COMPARISON|EMBEDDED_FILENAME)|STATIC_CONST_CHAR_ARRAY'
accepted+='|^uapi/.*BIT_MACRO'
accepted+="|^selftests/.*SPACING: spaces preferred around that '\*'"

# checkpatch NAME IGNORED-TYPES GLOB...
checkpatch()
{
	local name=$1 ignored=$2 output list

	shift 2
	output=$log/checkpatch-$name list=$(files "$@")
	[ -n "$list" ] || return 0
	# shellcheck disable=SC2086 # a list of files
	perl "$BUILD/kselftest/scripts/checkpatch.pl" --no-tree --strict --max-line-length=100 --show-types --terse --no-summary \
		--ignore "FILE_PATH_CHANGES,EMAIL_SUBJECT${ignored:+,$ignored}" -f $list 2>&1 | grep -vE "$accepted" > "$output"
	no_lines "checkpatch --strict: $name" "$output"
}

# The module with all warnings and sparse; only lines about our files or about none at all count.
module_warnings()
{
	local kernel=$1 output=$log/module-$1 dir=$log/kmod-$1 status=0

	rm -rf "$dir"
	mkdir -p "$dir"
	cp -rsf "$project/Kbuild" "$project/kmod" "$project/uapi" "$dir/"
	# Debian's headers lack the script that lets C=2 through from 7.x on, hence KBUILD_CHECKSRC.
	"$project/selftests/model/in-root.sh" make -C "/usr/src/linux-headers-$(cat "$kernels_dir/$kernel/release")" M="$dir" \
		W=1 C=2 KBUILD_CHECKSRC=2 CF="-D__CHECK_ENDIAN__ -include $project/selftests/run/sparse-compat.h" modules \
		> "$output.log" 2>&1 || status=$?
	grep -E 'warning:|error:|WARNING:|ERROR:' "$output.log" > "$output"
	[ "$status" = 0 ] || echo "make: exit status $status, see $output.log" >> "$output"
	no_lines "W=1 and sparse: module for $kernel" "$output"
}

spdx_lines()
{
	local output=$log/spdx file

	files '*.c' '*.h' '*.sh' '*.bash' '*.bats' '*.awk' '*.py' '*Makefile' Kbuild .ci/run 'selftests/suites/*' 'selftests/model/guest/*' |
		grep -v README | while read -r file; do
		head -n 2 "$file" | grep -q 'SPDX-License-Identifier: ' || echo "$file: no SPDX line at the top"
	done > "$output"
	no_lines "SPDX line in every source file" "$output"
}

left_marks()
{
	local output=$log/marks

	# shellcheck disable=SC2046 # a list of files
	grep -nE '\b(TODO|FIXME|XXX|HACK)\b' $(files '*.c' '*.h' '*.sh' '*.bats' '*.rst' '*Makefile' Kbuild README.md) 2> /dev/null |
		grep -v '^selftests/run/style.sh:' > "$output"
	no_lines "no marks of unfinished work" "$output"
}

scripts()
{
	local output=$log/shellcheck list

	list=$(files '*.sh' '*.bash' .ci/run selftests/model/profile-args | while read -r f; do
		case $f in *.sh|*.bash) echo "$f" ;; *) head -n 1 "$f" | grep -q 'sh$' && echo "$f" ;; esac; done)
	if [ ${#in_root[@]} = 0 ] && ! command -v shellcheck > /dev/null; then
		points=$((points + 1))
		echo "ok $points - shellcheck # SKIP shellcheck is not installed"
		return
	fi
	# Functions called through variables and traps look unreachable (SC2317), variables for those who source unused (SC2034).
	# shellcheck disable=SC2086 # a list of files
	"${in_root[@]}" shellcheck -x -S warning -e SC2317,SC2034 -f gcc -s bash $list > "$output" 2>&1
	no_lines "shellcheck" "$output"
}

# Userspace has the C library's types, functions and names, not the kernel's; its messages are sentences.
libc='PREFER_KERNEL_TYPES,CONSIDER_KSTRTO,SSCANF_TO_KSTRTO,NAKED_SSCANF,USE_NEGATIVE_ERRNO,STRCPY,STRLCPY,STRNCPY,ENOSYS'
libc+=',PREFER_PACKED,PREFER_ALIGNED,PREFER_PRINTF,PREFER_SCANF,PREFER_SECTION,PREFER_DEFINED_ATTRIBUTE_MACRO,NEW_TYPEDEFS'
libc+=',BIT_MACRO,ARRAY_SIZE,SPLIT_STRING,CAMELCASE,VOLATILE,AVOID_EXTERNS,REPEATED_WORD'
# The assertions of kselftest_harness.h are loops that may leave the function, and want braces around them; tables of tests are
# made of macros for initialisers.
harness='COMPLEX_MACRO,MACRO_WITH_FLOW_CONTROL,MACRO_ARG_REUSE,BRACES'
[ -n "$(files Makefile)" ] || die "git lists no files: style is checked in a clone"
checkpatch module '' 'kmod/*.c' 'kmod/*.h' 'uapi/*.h'
checkpatch userspace "$libc" 'userspace/*.c' 'userspace/*.h'
checkpatch selftests "$libc,$harness" 'selftests/*.c' 'selftests/*.h'
for kernel in $kernels; do
	[ ! -e Kbuild ] || module_warnings "$kernel"
done
spdx_lines
left_marks
scripts
echo "1..$points"
exit $result
