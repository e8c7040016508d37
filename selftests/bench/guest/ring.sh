#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What acrctl record and perf record execute for each sample, and whether samples are lost, at the smallest period with rings of 64 KiB.
# The reader has CPU 2 for itself, where the kernel runs nothing else (isolcpus=2), and the program that it samples has CPU 1.
set -u
# shellcheck source=selftests/bench/lib.sh
. "$(dirname "$0")/../lib.sh"

reader=$BUILD/selftests/bench/guest/ring_reader
cpu=2 period=1000 pages=16
# six instructions each: a warm-up of 4 batches and more, then 6,000 and 30,000 samples
warm=400000 small=1000000 large=5000000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# what takes long here is the model, not a PMI
echo 0 > /proc/sys/kernel/perf_cpu_time_max_percent

ours() { "$reader" run "$1" $cpu "$BUILD/acrctl" record -q -m $pages -c $period -e instructions:u -o "$work/data" -- "${@:2}"; }
peer()
{
	"$reader" run "$1" $cpu perf record -q -P -T --sample-cpu --sample-identifier -m $pages -c $period -e instructions:u \
		-o "$work/data" -- "${@:2}"
}

# one ours|peer ITERATIONS: prints "SAMPLES LOST BYTES SAMPLING ALL" of a recording, the last two in instructions of the reader after
# the warm-up: until the program has ended, and in all
one()
{
	rm -f "$work/notes" "$work"/data*
	"$1" "$work/notes" taskset -c 1 "$reader" work "$work/notes" $cpu $warm "$2" >&2 || return 1
	"$BUILD/acrctl" report -i "$work/data" 2> /dev/null | sed -nE 's/^# ([0-9]+) samples, ([0-9]+) lost.*/\1 \2/p' > "$work/counts"
	echo "$(head -n 1 "$work/counts") $(stat -c %s "$work/data")" \
		"$(awk '{ n[NR] = $1 + $2 } END { print n[2] - n[1], n[3] - n[1] }' "$work/notes")"
}

# least ours|peer ITERATIONS: makes two recordings and prints the same of the one that cost less in all, since to begin and to end may cost
# a recorder several times as much; LOST is what both have lost
least()
{
	local a b lost

	read -r -a a <<< "$(one "$1" "$2")"
	read -r -a b <<< "$(one "$1" "$2")"
	[ ${#a[@]} = 5 ] && [ ${#b[@]} = 5 ] || return 1
	lost=$((a[1] + b[1]))
	[ "${b[4]}" -gt "${a[4]}" ] || a=("${b[@]}")
	a[1]=$lost
	echo "${a[*]}"
}

# both ours|peer: sets `samples`, `lost`, `bytes`, `sampling`, `all`: counts of the longer recording, costs by the difference of two
both()
{
	local a b

	one "$1" $small > "$work/warm-up" || return 1
	read -r -a a <<< "$(least "$1" $small)"
	read -r -a b <<< "$(least "$1" $large)"
	printf '# %s: %s, then %s: samples, lost, bytes, instructions while sampling and in all\n' "$1" "${a[*]}" "${b[*]}" >&2
	[ ${#a[@]} = 5 ] && [ ${#b[@]} = 5 ] && [ "${b[0]}" -gt "${a[0]}" ] || return 1
	samples[$1]=${b[0]} lost[$1]=${b[1]}
	bytes[$1]=$(per_sample $((b[2] - a[2])) $((b[0] - a[0])))
	sampling[$1]=$(per_sample $((b[3] - a[3])) $((b[0] - a[0])))
	all[$1]=$(per_sample $((b[4] - a[4])) $((b[0] - a[0])))
}

per_sample() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }

# figure NAME UNIT OURS PEER [KEY=VALUE...]
figure()
{
	printf 'FIGURE '
	line figure part=ring name="$1" kernel="$ACR_KERNEL" unit="$2" ours="$3" peer="$4" peer_name='perf record' kind=count "${@:5}"
}

declare -A samples lost bytes sampling all
both ours && both peer || exit 1
figure 'reader: in all' 'instructions per sample' "${all[ours]}" "${all[peer]}"
figure 'reader: while sampling' 'instructions per sample' "${sampling[ours]}" "${sampling[peer]}"
figure 'file' 'bytes per sample' "${bytes[ours]}" "${bytes[peer]}"
figure 'lost at the smallest period' samples "${lost[ours]}" "${lost[peer]}"
figure 'recorded at the smallest period' samples "${samples[ours]}" "${samples[peer]}"
