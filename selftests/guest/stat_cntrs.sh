#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Events on the counters that their table or counters= allows, where two events count on one counter only: acrctl counts and samples right.
# shellcheck source=selftests/guest/stat_common.sh
. "$(dirname "$0")/stat_common.sh"

cat > "$work/pipeline.json" <<- END
	[{"EventName": "TEST.PRECISE", "EventCode": "0xc0", "UMask": "0x1", "Counter": "1", "SampleAfterValue": "100000"},
	 {"EventName": "TEST.PENDING", "EventCode": "0x48", "UMask": "0x1", "Counter": "2"}]
END

stat_json -e '{branches:u,cpu/event=0xc0,umask=1,counters=2/u,instructions:u}' -- "$loop" 100000
is $code 0 "an event with its counter is counted"
holds "rightly ($(values))" so '.groups[0].events|.[1].value == .[2].value and .[1].value > 600000'
stat_json -e '{branches:u,cpu/event=0xc0,umask=1,counters=0xd/u}' -- "$loop" 100000
is "$code $(json '.groups[0].events[1].value')" "0 0" "on others it counts nothing here"

stat_json --events "$work" -e '{branches:u,branch-misses:u,TEST.PRECISE:u,instructions:u}' -- "$loop" 100000
is $code 0 "an event of a table is counted on the table's counter"
holds "rightly ($(values))" so '.groups[0].events|.[2].value == .[3].value and .[2].value > 600000'
stat_json --events "$work" -e '{branches:u,TEST.PENDING:u}' -- "$ACR_BUILD/workloads/memory" 1 16
holds "so are cycles with a miss pending ($(values))" so '.groups[0].events[1].value > 1000000'

"$acrctl" stat -e '{branches:u,cpu/event=0xc0,umask=1/u}' -- touch "$work/ran" 2> "$work/err"
is "$?" 1 "without its counters it is refused"
holds "with the reason and the remedy ($(< "$work/err"))" grep -q "which counters can count .* is not known: .*counters=MASK" "$work/err"
holds "and nothing ran" [ ! -e "$work/ran" ]

"$acrctl" record -o "$work/data" --events "$work" -e TEST.PRECISE:u -- "$loop" 1000000 > "$work/out" 2> "$work/err"
is "$?" 0 "it is sampled as well"
nr=$(samples "$work/data")
is $((nr >= 59 && nr <= 61)) 1 "60 times in 6 million instructions ($nr)"
finish
