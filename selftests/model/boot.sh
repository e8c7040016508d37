#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Boots a kernel on the model CPU, runs one command in the guest, and returns its output and status.
set -euo pipefail
# shellcheck source=selftests/model/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=selftests/model/disks.sh
. "$(dirname "$0")/disks.sh"

usage()
{
	cat <<-'USAGE'
	usage: boot.sh [OPTIONS] -- GUEST-COMMAND [ARGUMENTS...]
	
	--kernel NAME        such as 6.1, 6.12-rt or newest, or a directory as KERNEL= (default newest)
	--profile NAME       CPU of the model (default clearwaterforest); lunarlake.EP: a hybrid one with its kinds of core in this order
	--plugin-args ARGS   more arguments for the model, such as bp=on,mem=on
	--no-model           plain QEMU without the model
	--name NAME          results go to build/run/NAME (default: boot)
	--append ARGS        more kernel arguments
	--timeout SECONDS    for the whole run (default 300)
	--smp N              CPUs (default 2)
	--threads N          hardware threads of each core among them (default 1)
	--mem MIB            memory (default 1536)
	--virtual-time       the clock is the number of executed instructions, and skips idle time: however busy this machine is, events
	                     come at the same time but for some microseconds, with SEED=N at another; output comes at the end
	--console REGEX      lines of the kernel's log that report a fault and are expected
	--quiet              do not print the output of the command
	
	The guest sees the project at the same path, read-only; $ACR_OUT is build/run/NAME/out, which it may write.
	Changes to the root are lost. The run leaves in build/run/NAME:
	  console.log  the kernel's log          out/job.log  output of the command
	  model.jsonl  the model's own log       out/         what the command wrote there
	
	Exit status: that of the command; 124 after the time limit; 125 if the guest or its kernel failed.
	
	CPU=ARGS and PLUGIN=FILE[,ARGS] replace QEMU's -cpu and -plugin arguments.
	ACCEL=kvm uses KVM, without the model, where the CPU has it. QEMU=, KERNEL=, ROOTFS=: see setup.sh --help.
	USAGE
}

arguments=("$@")
kernel=${KERNEL:-newest} profile=clearwaterforest plugin_args='' model=yes name=boot append='' limit_s=300 smp=2 mem_mib=1536 threads=1
quiet='' virtual_time='' console=''
while [ $# -gt 0 ]; do
	case $1 in
	--kernel) kernel=${2:?}; shift 2 ;;
	--profile) profile=${2:?}; shift 2 ;;
	--plugin-args) plugin_args=${2?}; shift 2 ;;
	--no-model) model=''; shift ;;
	--name) name=${2:?}; shift 2 ;;
	--append) append=${2?}; shift 2 ;;
	--timeout) limit_s=${2:?}; shift 2 ;;
	--smp) smp=${2:?}; shift 2 ;;
	--threads) threads=${2:?}; shift 2 ;;
	--mem) mem_mib=${2:?}; shift 2 ;;
	--virtual-time) virtual_time=yes; shift ;;
	--console) console=${2?}; shift 2 ;;
	--quiet) quiet=yes; shift ;;
	--help|-h) usage; exit 0 ;;
	--) shift; break ;;
	*) usage_error "unknown argument '$1'" ;;
	esac
done
[ $# -gt 0 ] || usage_error "no command for the guest"
case $name in *[!A-Za-z0-9._-]*|.*) usage_error "--name '$name': only letters, digits, '.', '_' and '-'" ;; esac

case $smp$threads in *[!0-9]*) usage_error "--smp $smp --threads $threads: only numbers" ;; esac
if [ "$threads" -lt 1 ] || [ $((smp % threads)) != 0 ]; then
	usage_error "--smp $smp --threads $threads: the CPUs must make whole cores"
fi

kernel=$(resolve_kernels "$kernel")
case $kernel in */*) kernel_dir=$(cd "$kernel" && pwd -P) ;; *) kernel_dir=$kernels_dir/$kernel ;; esac
[ -e "$kernel_dir/vmlinuz" ] || die "no kernel at $kernel_dir: run KERNELS=$kernel selftests/model/setup.sh"
[ -x "$root_dir/bin/sh" ] || die "no root at $root_dir: run selftests/model/setup.sh"
run=$BUILD/run/$name
rm -rf "$run"
mkdir -p "$run/out"

# The initial file system of the guest: busybox, the modules for the shared file systems, and guest/init.
build_initramfs()
{
	local image=$1 release file tree applet
	local -a wanted=(virtio_pci virtiofs overlay)

	[ "$fs" = virtiofs ] || wanted=(nfit nd_pmem ext4 overlay)

	release=$(kernel_release "$kernel_dir/vmlinuz")
	tree=$(mktemp -d)
	mkdir -p "$tree/bin" "$tree/modules"
	cp "$root_dir/bin/busybox" "$tree/bin/busybox"
	for applet in cat findfs insmod ip ln mkdir mount poweroff sed sh switch_root uname; do ln -s busybox "$tree/bin/$applet"; done
	cp "$project/selftests/model/guest/init" "$tree/init"
	mkdir -p "$tree/lib/modules"
	ln -s "$(readlink -f "$kernel_dir/modules")" "$tree/lib/modules/$release"
	for file in "${wanted[@]}"; do
		modprobe -d "$tree" -S "$release" --show-depends "$file"
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' > "$tree/paths"
	while read -r file; do
		case $file in
		*.xz) xz -dc "$file" > "$tree/modules/$(basename "$file" .xz)" ;;
		*.zst) zstd -qdc "$file" > "$tree/modules/$(basename "$file" .zst)" ;;
		*) cp "$file" "$tree/modules/" ;;
		esac
		basename "$file" | sed -E 's/\.(xz|zst)$//' >> "$tree/modules/order"
	done < "$tree/paths"
	touch "$tree/modules/order"
	rm -r "${tree:?}/paths" "${tree:?}/lib"
	mkdir -p "$(dirname "$image")"
	(cd "$tree" && find . | cpio -o -H newc --quiet) > "$image.$$"
	mv "$image.$$" "$image"
	rm -rf "$tree"
}

# Sets `qemu`, the command that starts QEMU: that of this machine, or the root's.
choose_qemu()
{
	local path dir

	if path=$(host_qemu); then
		qemu=("$path")
		return
	fi
	[ -z "${QEMU:-}" ] || die "QEMU=$QEMU does not run or is older than $qemu_min"
	[ -e "$root_dir/usr/bin/qemu-system-x86_64" ] || die "no QEMU >= $qemu_min: run selftests/model/setup.sh"
	root_command /usr/bin/qemu-system-x86_64
	qemu=("${root_cmd[@]}")
	for dir in qemu seabios; do qemu+=(-L "$root_dir/usr/share/$dir"); done
}

# Sets `cpu_args`, the accelerator, the CPU and the model.
choose_cpu()
{
	local plugin=$BUILD/model/acrmodel.so cpu=${CPU:-} threads_of_qemu=multi

	[ -z "$virtual_time" ] || threads_of_qemu=single
	cpu_args=(-accel "tcg,thread=$threads_of_qemu,tb-size=512")
	if [ "${ACCEL:-tcg}" = kvm ]; then
		grep -qwE 'vmx|svm' /proc/cpuinfo || die "ACCEL=kvm: this CPU has neither vmx nor svm"
		cpu_args=(-accel kvm -cpu host)
		return
	fi
	[ -n "$cpu" ] || cpu=$("$project/selftests/model/profile-args" "$profile") || die "no profile '$profile'"
	cpu_args+=(-cpu "$cpu")
	[ -n "$model" ] || return 0
	[ -z "${PLUGIN:-}" ] || { cpu_args+=(-plugin "$PLUGIN"); return 0; }
	[ -e "$plugin" ] || die "no $plugin: run make selftests"
	[ -z "$virtual_time" ] || plugin_args=one-thread=on${plugin_args:+,$plugin_args}
	cpu_args+=(-plugin "$plugin,profile=$profile,threads=$threads,log=$run/model.jsonl${plugin_args:+,$plugin_args}")
}

# share TAG DIR OPTIONS...: serves a directory of this machine to the guest; adds to `share_args`.
share()
{
	local tag=$1 dir=$2 socket=$sockets/$1

	shift 2
	"${virtiofsd[@]}" --shared-dir "$dir" --socket-path "$socket" --sandbox none --inode-file-handles=never "$@" \
		> "$run/virtiofsd-$tag.log" 2>&1 < /dev/null &
	daemons+=($!)
	share_args+=(-chardev "socket,id=$tag,path=$socket" -device "vhost-user-fs-pci,chardev=$tag,tag=$tag")
}

# Sets `virtiofsd`, the command that serves a directory to the guest: the root's, or that of this machine.
choose_virtiofsd()
{
	local path

	for path in /usr/libexec/virtiofsd /usr/lib/virtiofsd; do
		[ -e "$root_dir$path" ] || continue
		root_command "$path"
		virtiofsd=("${root_cmd[@]}")
		return
	done
	for path in $(command -v virtiofsd) /usr/libexec/virtiofsd /usr/lib/virtiofsd; do
		[ -x "$path" ] || continue
		virtiofsd=("$path")
		return
	done
	die "no virtiofsd in $root_dir nor on this machine: install it"
}

start_shares()
{
	local tag tries

	share_args=() daemons=()
	sockets=$(mktemp -d)
	choose_virtiofsd
	share root "$root_dir" --readonly --cache always
	share project "$project" --readonly --cache always
	share out "$run/out" --cache auto
	for tag in root project out; do
		for tries in {1..600}; do
			[ -S "$sockets/$tag" ] && break
			[ "$tries" -lt 600 ] || die "virtiofsd does not start, see $run/virtiofsd-$tag.log"
			sleep 0.05
		done
	done
}

# shellcheck disable=SC2317 # called by the trap
cleanup()
{
	[ -z "${qemu_pid:-}" ] || kill "$qemu_pid" 2> /dev/null || true
	[ ${#daemons[@]} = 0 ] || kill "${daemons[@]}" 2> /dev/null || true
	[ -z "${sockets:-}" ] || rm -rf "$sockets"
	rm -f "$run/run.ext4"
}

write_job()
{
	printf 'export ACR_PROJECT=%q ACR_BUILD=%q ACR_OUT=%q ACR_KERNEL=%q ACR_PROFILE=%q\ncd %q\n' \
		"$project" "$BUILD" "$run/out" "$(kernel_name "$kernel_dir")" "$profile" "$project"
	# what programs.sh leaves out, and how long loops are
	printf 'export ACR_TRY=%q ACR_LONG=%q\n' "${ACR_TRY:-}" "${ACR_LONG:-}"
	printf 'exec'
	printf ' %q' "$@"
	printf '\n'
}

[ -z "$virtual_time" ] && fs=virtiofs || fs=ext4
initramfs=$BUILD/initramfs/$(kernel_name "$kernel_dir")-$fs.img
for file in "$0" "$project/selftests/model/guest/init" "$kernel_dir/vmlinuz"; do
	[ "$initramfs" -nt "$file" ] || { build_initramfs "$initramfs"; break; }
done
write_job "$@" > "$run/job.sh"
: > "$run/out/job.log"
choose_qemu
choose_cpu
daemons=()
trap cleanup EXIT
trap 'exit 130' INT TERM
memory=$mem_mib machine=pc,memory-backend=ram clock=()
if [ -n "$virtual_time" ]; then
	# Four nanoseconds an instruction: about as fast as QEMU, so that ticks and PMI handlers have their usual share.
	# shellcheck disable=SC2054 # commas belong to QEMU's arguments
	clock=(-icount shift=2,sleep=off -rtc base=2030-01-01,clock=vm -seed "${SEED:-1}")
	memory+=M,slots=3,maxmem=$((mem_mib + 8192))M machine+=,nvdimm=on
	start_disks
else
	start_shares
fi

# Only older processors need page tables of the kernel's own, with which a syscall takes ten times as long here.
case $profile in goldmont* | skylake | v2 | v4) ;; *) append="pti=off $append" ;; esac
# Since 7.2 the clocksource watchdog waits for the other CPU with interrupts off; a slow guest may hang there while it changes clocks.
# shellcheck disable=SC2054 # commas belong to QEMU's arguments
command=(timeout -k 5 "$limit_s" "${qemu[@]}" -name "acr-$name" "${cpu_args[@]}" "${clock[@]}" -m "$memory"
	-smp "$smp,sockets=1,cores=$((smp / threads)),threads=$threads"
	-machine "$machine" -object "memory-backend-memfd,id=ram,size=${mem_mib}M,share=on"
	-nodefaults -display none -no-reboot -serial "file:$run/console.log" "${share_args[@]}"
	-kernel "$kernel_dir/vmlinuz" -initrd "$initramfs"
	-append "console=ttyS0 panic=-1 panic_on_warn=1 oops=panic nokaslr tsc=nowatchdog no_timer_check acr.project=$project acr.run=$run \
acr.kernel=$kernel_dir acr.fs=$fs $append")
printf '%q ' "${command[@]}" > "$run/qemu.cmd"
"${command[@]}" > "$run/qemu.log" 2>&1 < /dev/null &
qemu_pid=$!
if [ -z "$quiet$virtual_time" ]; then
	tail -n +1 -s 0.2 -f --pid="$qemu_pid" "$run/out/job.log" &
	tail_pid=$!
fi
# Unlike a foreground tail, `wait` lets the traps run at once.
qemu_status=0
wait "$qemu_pid" || qemu_status=$?
qemu_pid=''
if [ -n "$virtual_time" ]; then
	collect_output
	[ -n "$quiet" ] || cat "$run/out/job.log"
elif [ -z "$quiet" ]; then
	wait "$tail_pid"
fi

# The kernel died before it ran anything of ours, or of a breakpoint that was gone: QEMU may run what the kernel has just patched.
if [ "$qemu_status" != 124 ] && [ "$qemu_status" != 137 ] && [ "${ACR_BOOT:-1}" -lt 3 ] &&
	{ [ ! -e "$run/out/begun" ] || stale_breakpoint "$run/console.log"; }; then
	cp "$run/console.log" "$run.died-${ACR_BOOT:-1}.log"
	printf '%s: the kernel died, see %s; booting again\n' "$program" "$run.died-${ACR_BOOT:-1}.log" >&2
	cleanup
	ACR_BOOT=$((${ACR_BOOT:-1} + 1)) exec "$0" "${arguments[@]}"
fi
if faults=$(kernel_faults "$run/console.log" "$console"); then
	printf '%s: the kernel log %s has:\n%s\n' "$program" "$run/console.log" "$faults" >&2
	exit 125
fi
if [ "$qemu_status" = 124 ] || [ "$qemu_status" = 137 ]; then
	printf '%s: no end after %s s, see %s\n' "$program" "$limit_s" "$run" >&2
	exit 124
fi
if [ "$qemu_status" != 0 ] || [ ! -s "$run/out/status" ]; then
	printf '%s: the guest ended without a status (QEMU: %s), see %s\n' "$program" "$qemu_status" "$run" >&2
	cat "$run/qemu.log" >&2
	exit 125
fi
exit "$(cat "$run/out/status")"
