#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Names of the built-in table on Skylake: counters that its list allows, the front-end register, events that need PEBS.
# shellcheck source=selftests/guest/stat_common.sh
. "$(dirname "$0")/stat_common.sh"

# not_run NAME WORDS ARGUMENTS...: acrctl stat refuses, with WORDS (a regular expression), and runs nothing
not_run()
{
	local name=$1 words=$2

	shift 2
	"$acrctl" stat "$@" -- touch "$work/ran" 2> "$work/err"
	is "$?" 1 "$name"
	holds "with the reason ($(head -n 1 "$work/err"))" grep -qE "$words" "$work/err"
	holds "and nothing ran" [ ! -e "$work/ran" ]
}

"$acrctl" list 'frontend_retired.l1i_miss' > "$work/list"
holds "this machine's table is Skylake's" grep -q '^events: skylake, built in' "$work/list"

# The list has counters 0 to 3 for all of these; a mask brings that to the module, which knows eight. The claim may have one of them.
names='{BR_MISP_RETIRED.CONDITIONAL:u,BR_MISP_RETIRED.NEAR_CALL:u,BR_INST_RETIRED.CONDITIONAL:u'
codes='{r01c5:u,r02c5:u,r01c4:u'
[ "$ACR_PROFILE" = skylake ] && mask='"0xf"' || mask=null
"$acrctl" encode --json -e "$names}" > "$work/json"
is "$(json '[.events[]|[.allowed_counters,.counter < 4]]|unique')" "[[$mask,true]]" "named events have the counters of the list"
stat_json -e "$names}" -- "$loop" 100000
is $code 0 "three of them are counted"
not_run "five are too many" 'general-purpose 0,1,2,3;' -e "$names,BR_INST_RETIRED.NEAR_RETURN:u,BR_INST_RETIRED.NOT_TAKEN:u}"
if [ "$ACR_PROFILE" = skylake ]; then
	stat_json -e "$codes,r08c4:u,r10c4:u}" -- "$loop" 100000
	is $code 0 "five codes are not, where there are eight counters"
fi

stat_json -e '{FRONTEND_RETIRED.L1I_MISS:u,instructions:u}' -- "$loop" 100000
is $code 0 "an event of the front-end register is counted"
not_run "two values of it are not" '0x3f7' -e '{FRONTEND_RETIRED.L1I_MISS:u,FRONTEND_RETIRED.L2_MISS:u}'

not_run "a precise distribution is refused" "'INST_RETIRED.PREC_DIST' counts right with PEBS only" -e INST_RETIRED.PREC_DIST:u
not_run "so is what the list marks" "'FRONTEND_RETIRED.LATENCY_GE_1' counts right with PEBS only" -e FRONTEND_RETIRED.LATENCY_GE_1:u
"$acrctl" stat -e MEM_TRANS_RETIRED.LOAD_LATENCY_GT_4:u -- touch "$work/ran" 2> "$work/err"
is "$?" 2 "and a load latency, when its name is read"
holds "with the reason ($(head -n 1 "$work/err"))" grep -q 'works with PEBS only' "$work/err"
"$acrctl" record -o "$work/data" -e INST_RETIRED.PREC_DIST:u -- touch "$work/ran" 2> "$work/err"
is "$?" 1 "record refuses as stat does"
holds "with the same reason" grep -q 'counts right with PEBS only' "$work/err"
holds "and nothing ran" [ ! -e "$work/ran" ]
finish
