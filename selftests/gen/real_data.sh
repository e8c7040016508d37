#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# jevents on the kernel's and Intel's event files: every event is encoded or reported, and encoded as an independent jq program computes it.
# usage: real_data.sh   DATA= is the directory with both trees, default ../shared/data
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/model/accept/tap.sh
. selftests/model/accept/tap.sh
# shellcheck source=selftests/gen/rows.sh
. selftests/gen/rows.sh
# shellcheck source=selftests/cli/each_line.bash
. selftests/cli/each_line.bash
BUILD=${BUILD:-$PWD/build}
DATA=${DATA:-../shared/data}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

skip_all() { echo "1..0 # SKIP $*"; exit 0; }

[ -d "$DATA/linux-pmu-events" ] && [ -d "$DATA/intel-perfmon" ] || skip_all "no event files in $DATA"
command -v jq > /dev/null || skip_all "jq is not installed"

# compare NAME: rows of jevents and of jq, which has no matrix; only events reported as left out may be missing
compare()
{
	local more missing

	LC_ALL=C sort "$work/$1.jq" > "$work/$1.want"
	awk -F'\t' '$4 !~ /_matrix$/' "$work/$1.rows" > "$work/$1.got"
	more=$(LC_ALL=C comm -13 "$work/$1.want" "$work/$1.got")
	missing=$(LC_ALL=C comm -23 "$work/$1.want" "$work/$1.got" | grep -c .)
	tap_why=$(diff "$work/$1.want" "$work/$1.got" | head -n 20)
	[ -s "$work/$1.got" ] && [ -z "$more" ] && [ "$missing" = "$left_out" ]
}

encoded_or_reported() { [ -n "$events" ] && [ "$events" -gt 0 ] && [ "$((events + left_out))" = "$1" ] && [ "$reported" -ge "$left_out" ]; }

# jevents may report what a tree lacks, but must know all its fields.
understood() { ! grep -qE "\(warning\)$" <<< "$tap_why"; }

# perf_tree ARCH WHOLE: a tree of the kernel's
perf_tree()
{
	local dir=$DATA/linux-pmu-events/$1 file count

	make_tables "$1" "$dir"
	verdict "$1: every field is known" understood
	verdict "$1: the C file compiles without warnings" [ -s "$work/$1.rows" ]
	count=$(find "$dir" -name '*.json' -exec cat {} + | jq -s '[.[] | arrays | .[] | select(.EventName)] | length')
	verdict "$1: each of $count events is encoded or reported" encoded_or_reported "$count"
	find "$dir" -mindepth 2 -name '*.json' | while read -r file; do
		work_out "$(basename "$(dirname "$file")")" cpu "$2" "$file"
	done > "$work/$1.jq"
	verdict "$1: names, PMUs, codes, umasks, registers, periods and counters are those of the files" compare "$1"
}

# Every request with every response of the matrix and the value of the register, also those that a file lists as events.
matrix_events()
{
	jq -r '[.Events[] | {q: .MATRIX_REQUEST, r: .MATRIX_RESPONSE, v: (.MATRIX_VALUE[2:] | ascii_downcase | gsub("\\s"; "") | explode |
		reduce .[] as $c (0; . * 16 + (if $c >= 97 then $c - 87 else $c - 48 end)))}] as $all |
		$all[] | select(.q != "Null") | . as $q | $all[] | select(.r != "Null") |
		"OFFCORE_RESPONSE.\($q.q).\(.r)\t\($q.v + .v * 65536)"' "$1" |
		while IFS=$'\t' read -r name value; do printf '%s\t%#x\n' "$name" "$value"; done | LC_ALL=C sort
}

same_matrix()
{
	matrix_events "$DATA/intel-perfmon/GLM/events/goldmont_matrix.json" > "$work/matrix.want"
	awk -F'\t' '$1 == "goldmont" && $2 ~ /^OFFCORE_RESPONSE\./ { print $2 "\t" $8 }' "$work/intel.rows" > "$work/matrix.got"
	tap_why=$(diff "$work/matrix.want" "$work/matrix.got" | head -n 20)
	[ -s "$work/matrix.want" ] && [ -z "$tap_why" ]
}

intel_tree()
{
	local dir=$DATA/intel-perfmon file table pmu count

	make_tables intel "$dir"
	verdict "intel: every field is known" understood
	verdict "intel: the C file compiles without warnings" [ -s "$work/intel.rows" ]
	count=$(find "$dir" -name '*.json' -exec cat {} + | jq -s '[.[].Events[] | select(.EventName)] | length')
	events=$(awk -F'\t' '$4 !~ /_matrix$/' "$work/intel.rows" | wc -l)
	verdict "intel: each of $count events is encoded or reported" encoded_or_reported "$count"
	find "$dir" -name '*_core.json' | while read -r file; do
		table=$(basename -s _core.json "$file" | tr '[:upper:]' '[:lower:]')
		pmu=cpu
		! grep -q "/$table""_core.json,hybridcore,0x20" "$dir/mapfile.csv" || pmu=cpu_atom
		work_out "$table" "$pmu" 0 "$file"
	done > "$work/intel.jq"
	verdict "intel: names, PMUs, codes, umasks, registers, periods and counters are those of the files" compare intel
	verdict "intel: the matrix gives every request with every response" same_matrix
}

hex_to_decimal() { while read -r word; do if [ "${word#0x}" = "$word" ]; then echo "$word"; else echo $((word)); fi; done; }

# encoded TABLE PMU: acrctl encodes each event of its cores alone; load latency and front-end events need
# registers that the module does not have
encoded()
{
	local dir=$DATA/linux-pmu-events/x86/$1

	awk -F'\t' -v table="$1" '$1 == table && $3 !~ /^(uncore_|cpu_core)/ {
		print $2 "\t" ($9 == 1014 || $9 == 1015 ? "event-extra" : $5) }' "$work/x86.want" > "$work/names"
	cut -f 1 "$work/names" | each_line "$BUILD/acrctl" encode --pmu "$2" --events "$dir" --json -e {} 2> "$work/errors" |
		jq -r '.error.code // .events[0].config' | hex_to_decimal | paste <(cut -f 1 "$work/names") - > "$work/encoded"
	tap_why=$(diff "$work/names" "$work/encoded" | head -n 20)
	[ -s "$work/names" ] && [ -z "$tap_why" ]
}

# placed TABLE CPUID: each event that only some of four counters count is on one of these, on a CPU that the module has no table row for
placed()
{
	local name mask counter

	# under its own name the directory would be for its own CPU only
	mkdir -p "$work/own" && cp "$DATA/linux-pmu-events/x86/$1"/*.json "$work/own/"

	awk -F'\t' -v table="$1" '$1 == table && $3 == "cpu" && $11 % 16 && $11 % 16 != 15 { print $2, $11 }' "$work/x86.want" > "$work/masks"
	cut -d ' ' -f 1 "$work/masks" | ACRCTL_CPUID=$2 each_line "$BUILD/acrctl" encode --events "$work/own" --json -e {} |
		jq -r '.events[0].counter // .error.code' > "$work/counters"
	tap_why=$(while read -r name mask counter; do
		[[ $counter =~ ^[0-9]+$ ]] && [ $((mask >> counter & 1)) = 1 ] || echo "$name: $counter"
	done < <(paste -d ' ' "$work/masks" "$work/counters"))
	[ -s "$work/masks" ] && [ -z "$tap_why" ]
}

# Config word and register of each Goldmont event that both have.
both_agree()
{
	local keys='$1 == "goldmont" && $4 !~ /_matrix$/ { print $2, $5, $8, $12 }'

	tap_why=$(diff <(awk -F'\t' "$keys" "$work/x86.rows") <(awk -F'\t' "$keys" "$work/intel.rows") | head -n 20)
	[ -z "$tap_why" ] && [ "$(awk -F'\t' "$keys" "$work/x86.rows" | wc -l)" -gt 100 ]
}

build_each_line "$work"
perf_tree x86 0
perf_tree powerpc 1
intel_tree
verdict "the kernel's and Intel's form of Goldmont encode alike" both_agree
while read -r table pmu; do
	verdict "acrctl encodes every name of $table as the files say" encoded "$table" "$pmu"
done <<- END
	goldmont goldmont
	goldmontplus goldmontplus
	alderlaken gracemont
	sierraforest sierraforest
	grandridge grandridge
	lunarlake skymont
	pantherlake pantherlake-e
	clearwaterforest clearwaterforest
END
verdict "acrctl encodes the events of Skylake for the counters that the files name" placed skylake GenuineIntel-6-3C-3
verdict "power8: PM_1PLUS_PPC_CMPL is 0x100f2" grep -q "^power8	PM_1PLUS_PPC_CMPL	cpu	[a-z]*	$((0x100f2))	" "$work/powerpc.rows"
tap_done
