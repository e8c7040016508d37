# SPDX-License-Identifier: GPL-2.0-only
# Paths and small functions that the scripts share; sourced, never run.
# shellcheck shell=bash disable=SC2034 # the sourcing scripts use the variables

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
BUILD=${BUILD:-$project/build}
root_dir=${ROOTFS:-$BUILD/root}
kernels_dir=$BUILD/kernels
program=${0##*/}
# What `newest` means in a list of kernels; setup.sh writes it once, so that a second run downloads nothing.
newest_file=$BUILD/stamps/newest
# The first kernel with auto counter reload in in-tree perf that is tested
newest_min=6.17

# Older QEMUs do not let a plugin redirect the guest's PC and write its memory.
qemu_min=11.1

die() { printf '%s: %s\n' "$program" "$*" >&2; exit 1; }
usage_error() { printf '%s: %s (see %s --help)\n' "$program" "$*" "$program" >&2; exit 2; }
say() { printf '%s: %s\n' "$program" "$*"; }

# A kernel is named by its version, and by a flavour after a hyphen if it is not the cloud kernel: 6.1, 6.1-debug, newest.
# is_debug_kernel NAME: true for a kernel that is built here, with options that find faults.
is_debug_kernel() { case $1 in *-debug|*-kcsan|*-clang) ;; *) return 1 ;; esac; }

# resolve_kernels LIST: prints a list of kernels with `newest` replaced by its number, and each kernel once.
resolve_kernels()
{
	local kernel list=()

	for kernel in $1; do
		case $kernel in newest|newest-*)
			[ -s "$newest_file" ] || die "the newest kernel is not fetched: run selftests/model/setup.sh"
			kernel=$(< "$newest_file")${kernel#newest} ;;
		esac
		case " ${list[*]} " in *" $kernel "*) ;; *) list+=("$kernel") ;; esac
	done
	printf '%s\n' "${list[*]}"
}

# kernel_name KERNEL: prints the name for results and modules of a kernel, given by its name or its directory.
kernel_name() { printf '%s\n' "${1##*/}"; }

# kernel_release IMAGE: prints the release of a kernel, the start of the text that the image's setup header points to.
kernel_release()
{
	local offset_of_version=0x20e setup_base=0x200 offset release

	offset=$(od -An -tu2 -j $((offset_of_version)) -N 2 "$1")
	# Not with sed, which depends on the locale: the bytes after the text may not be UTF-8.
	read -r -d ' ' release < <(dd if="$1" bs=1 skip=$((offset + setup_base)) count=100 status=none)
	printf '%s\n' "$release"
}

# kernel_version KERNEL: prints the version of a kernel, given by its name or its directory.
kernel_version() { case $1 in */*) kernel_release "$1/vmlinuz" ;; *) printf '%s\n' "${1%%-*}" ;; esac; }

# version_ge A B: true if version A is B or newer, by its first three numbers. It is asked often, and starts no process.
version_ge()
{
	local -a a b
	local i

	IFS='.-+' read -ra a <<< "$1"
	IFS='.-+' read -ra b <<< "$2"
	for i in 0 1 2; do
		a[i]=${a[i]:-0} b[i]=${b[i]:-0}
		a[i]=${a[i]%%[!0-9]*} b[i]=${b[i]%%[!0-9]*}
		[ "${a[i]:-0}" -eq "${b[i]:-0}" ] || { [ "${a[i]:-0}" -gt "${b[i]:-0}" ]; return; }
	done
}

# kernel_faults LOG [REGEX]: prints the lines of a kernel log that report a fault, without those of console-allow and of the expression;
# false if there are none.
kernel_faults()
{
	local faults='WARNING:|BUG:|Oops|Call Trace:|Kernel panic|unknown reason|general protection fault|unchecked MSR access'

	faults+='|soft lockup|hard LOCKUP|rcu: INFO|INFO: (task|trying to register)|ODEBUG:|UBSAN:|init: cannot'
	grep -aE "$faults" "$1" | grep -avEf <(grep -v '^#' "$project/selftests/model/console-allow"; echo "${2:-^$}")
}

# stale_breakpoint LOG: true if a CPU died of a breakpoint that was not in memory any more. The kernel removes one only when no CPU
# can meet it, so that it is QEMU that had kept a translation: one CPU may translate a page while another writes to it.
stale_breakpoint()
{
	tr -d '\r' < "$1" | awk '
		/ int3: 0000 / { dead = 1 }
		# Between < and > is the byte behind the breakpoint.
		dead && / Code: ([0-9a-f][0-9a-f] )+</ {
			stale = $0 !~ / cc </
			exit
		}
		END { exit !stale }'
}

# qemu_version COMMAND...: prints the version number of a QEMU; nothing if it does not run.
qemu_version()
{
	"$@" --version 2>/dev/null | sed -n 's/^QEMU emulator version \([0-9.]*\).*/\1/p'
}

# host_qemu: prints the path of a QEMU on this machine that is new enough; false if there is none.
host_qemu()
{
	local path=${QEMU:-$(command -v qemu-system-x86_64)} version

	[ -n "$path" ] || return 1
	version=$(qemu_version "$path")
	[ -n "$version" ] && version_ge "$version" "$qemu_min" && printf '%s\n' "$path"
}

# root_command PROGRAM [DIR]: sets the array `root_cmd` to run a program of the root, or of another root DIR, on this machine
# without entering it, so that every path means the same inside and outside.
root_command()
{
	local dir=${2:-$root_dir}

	root_cmd=("$dir/lib64/ld-linux-x86-64.so.2" --library-path
		"$dir/usr/lib/x86_64-linux-gnu:$dir/lib/x86_64-linux-gnu:$dir/usr/lib/x86_64-linux-gnu/pulseaudio" "$dir$1")
}
