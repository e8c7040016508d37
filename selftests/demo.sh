#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Shows the main job: loads acrpmu.ko on a model CPU, records where more than 2 instructions a cycle run, prints the report.
set -euo pipefail
# shellcheck source=selftests/model/common.sh
. "$(dirname "$0")/model/common.sh"
cd "$project"

kernel=${KERNEL_VERSION:-newest}
demo=$BUILD/demo
samples_min=100
# The documentation's group: each 100000 cycles reload the instructions, which reach 200000 only above 2 a cycle.
group='{cpu/instructions,period=200000,acr_mask=0x2/u,cpu/cycles,period=100000,acr_mask=0x3/u}'

step() { printf '\n== %s\n' "$*"; }

build()
{
	local log=$demo/build.log

	{ make -j"$(nproc)" userspace model "module-$kernel"; } > "$log" 2>&1 < /dev/null || {
		tail -n 30 "$log" >&2
		die "the build failed, see $log"
	}
}

# The guest's script; its output is printed as it runs.
guest()
{
	cat <<-GUEST
	set -e
	# Prints a command as one would type it, then runs it.
	run()
	{
		local word line='$'

		for word; do case \$word in *[{}]*) line+=" '\$word'" ;; *) line+=" \$word" ;; esac; done
		echo "\$line"
		"\$@"
	}
	echo "Linux \$(uname -r) on a model of \$ACR_PROFILE"
	run insmod build/kernels/$kernel/acrpmu.ko
	run build/acrctl info
	# As a stream: only for streams perf prints symbols alone.
	echo "\$ build/acrctl record --pause-watchdog -e '$group' -o - -- build/workloads/phases > build/run/demo/out/perf.data"
	build/acrctl record --pause-watchdog -e '$group' -o - -- build/workloads/phases > build/run/demo/out/perf.data
	run rmmod acrpmu
	GUEST
}

# perf of this machine; that of the root if there is none or it is too old. Both see the file at the same path.
host_perf()
{
	if perf script -i "$demo/perf.data" -F ip > /dev/null 2>&1 < /dev/null; then
		perf "$@" 2>> "$demo/perf.log" < /dev/null
	else
		"$project/selftests/model/perf.sh" newest "$@" 2>> "$demo/perf.log" < /dev/null
	fi
}

verdict()
{
	local samples wrong

	host_perf script -i "$demo/perf.data" -F sym > "$demo/symbols"
	samples=$(grep -c . "$demo/symbols" || true)
	wrong=$(grep . "$demo/symbols" | grep -vc ' phase_fast$' || true)
	if [ "$samples" -ge "$samples_min" ] && [ "$wrong" = 0 ]; then
		echo "PASS: all $samples samples are in phase_fast, where the ratio is above 2; none in phase_slow"
	else
		echo "FAIL: $samples samples (at least $samples_min expected), $wrong of them outside of phase_fast"
		return 1
	fi
}

mkdir -p "$demo"
rm -f "$demo/perf.data"
step "fetching what is missing, building"
selftests/model/setup.sh --for demo --kernels "$kernel"
kernel=$(resolve_kernels "$kernel")
build
step "booting a model CPU (build/run/demo)"
selftests/model/boot.sh --name demo --kernel "$kernel" --timeout 120 -- bash -c "$(guest)"
cp "$BUILD/run/demo/out/perf.data" "$demo/perf.data"
step "acrctl report -i build/demo/perf.data"
"$BUILD/acrctl" report -i "$demo/perf.data"
step "perf report -i build/demo/perf.data"
host_perf report --stdio -i "$demo/perf.data" | grep -v '^$'
step "verdict after $SECONDS s"
verdict
