#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# After a boot of a hybrid profile: each CPU's registers were those of its kind, by the model's log. Prints TAP.
# usage: hybrid-log.sh   the boot is $ACR_RUN
# shellcheck source=selftests/model/accept/tap.sh
. "$(dirname "$0")/tap.sh"
log=${ACR_RUN:?directory of the boot}/model.jsonl
kinds=$(sed -n '1s/.*"kinds":"\([A-Z]*\)".*/\1/p' "$log")
metrics=0x1000000000000

# written CPU MSR: the values written to a register, each once.
written() { grep "^{\"t\":\"msr\",\"c\":$1,\"op\":\"wr\",\"m\":\"$2\"," "$log" | sed 's/.*"v":"\([^"]*\)".*/\1/' | sort -u; }
any_metrics() { local value; for value in $tap_why; do [ $((value & metrics)) = 0 ] || return 0; done; return 1; }
no_metrics() { ! any_metrics; }

echo "TAP version 13"
tap_why=$(head -n 1 "$log")
verdict "the log has the kind of each CPU" [ "${#kinds}" -ge 2 ]
for ((cpu = 0; cpu < ${#kinds}; cpu++)); do
	tap_why=$(written "$cpu" 0x38f)
	if [ "${kinds:cpu:1}" = P ]; then
		verdict "CPU $cpu: the kernel enables metrics on a P-core" any_metrics
	else
		verdict "CPU $cpu: it does not on another core" no_metrics
		tap_why=$(written "$cpu" 0x329)
		verdict "CPU $cpu: nor does it write them there" [ -z "$tap_why" ]
	fi
done
tap_why=$(written "$(awk -v k="$kinds" 'BEGIN { print index(k, "P") - 1 }')" 0x329)
verdict "PERF_METRICS of a P-core was written" [ -n "$tap_why" ]
tap_done
