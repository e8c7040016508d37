#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Beside the modules of a usual host and BPF programs: loaded after them, and before them.
# shellcheck disable=SC2317,SC2086 # functions are called by ok, arguments are a list
# shellcheck source=selftests/hw/tap.sh
. "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
acrctl=$ACR_BUILD/acrctl
others=(kvm nf_tables br_netfilter overlay vhost_net)
few=1000000 more=3000000

# The debug kernels are built without most of them.
lacks() { [[ $ACR_KERNEL =~ -(debug|kcsan|clang)$ ]] && ! modprobe -qn "$1"; }

# Without VMX it refuses, but not for lack of memory.
vendor_finds_memory() { ! modprobe kvm_intel 2>&1 | grep 'Cannot allocate memory'; }

others_load()
{
	local name

	for name in "${others[@]}"; do
		if lacks "$name"; then
			points=$((points + 1))
			echo "ok $points - $name loads $1 # SKIP $ACR_KERNEL is built without it"
		else
			ok "$name loads $1" modprobe "$name"
		fi
	done
	lacks kvm || ok "kvm_intel finds memory $1" vendor_finds_memory
}

# The root is on overlay.
others_unload()
{
	local name status=0

	for name in "${others[@]}"; do
		[ "$name" = overlay ] || lacks "$name" || modprobe -r "$name" || status=1
	done
	return $status
}

bpf_begin()
{
	rm -f "$work/input"
	mkfifo "$work/input"
	"$tools/hw_bpf" < "$work/input" > "$work/bpf" 2>&1 &
	bpf=$!
	exec 9> "$work/input"
	until grep -q '^ready' "$work/bpf" || ! kill -0 "$bpf"; do sleep 0.1; done
	cat "$work/bpf"
	grep -q '^ready' "$work/bpf"
}

bpf_end()
{
	local status=0

	exec 9>&-
	wait "$bpf" || status=$?
	cat "$work/bpf"
	return $status
}

# Addresses are fixed, and with them the number of instructions at start-up.
instructions() { setarch -R "$acrctl" stat -j -e instructions:u -- "$ACR_BUILD/workloads/loop" "$1" 2>&1 | jq '.groups[0].events[0].value'; }

# Six instructions an iteration
counts_exactly()
{
	local with_few with_more

	instructions $few > /dev/null
	with_few=$(instructions $few) with_more=$(instructions $more)
	echo "$with_few and $with_more instructions"
	[ $((with_more - with_few)) = $((6 * (more - few))) ]
}

# All samples are in the phase in which the condition holds.
samples_by_ratio()
{
	"$acrctl" record --when 'ipc:u > 2' -o "$work/data" -- "$ACR_BUILD/workloads/phases"
	"$acrctl" script -i "$work/data" -F sym 2> /dev/null | sort | uniq -c | tee "$work/symbols"
	[ "$(awk '{ print $2 }' "$work/symbols")" = phase_fast ]
}

echo 0 > /proc/sys/kernel/nmi_watchdog
others_load "before the module"
ok "BPF programs run" bpf_begin
ok "the module loads after them" insmod "$module" $module_args
ok "a session counts exactly beside them" counts_exactly
ok "a session samples by a ratio beside them" samples_by_ratio
ok "the module unloads beside them" rmmod acrpmu
ok "the BPF programs still run" bpf_end
ok "they unload" others_unload

ok "the module loads before them" insmod "$module" $module_args
others_load "after the module"
ok "BPF programs run beside the module" bpf_begin
ok "a session counts exactly with them loaded later" counts_exactly
ok "a session samples by a ratio with them loaded later" samples_by_ratio
ok "the BPF programs run after sessions" bpf_end
ok "they unload beside the module" others_unload
ok "the module unloads" rmmod acrpmu
ok "the kernel log has no warning" log_is_clean 'percpu data'
finish
