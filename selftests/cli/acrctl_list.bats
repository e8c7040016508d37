# SPDX-License-Identifier: GPL-2.0-only
# acrctl list, and named events in encode and record: which CPU, which files, JSON, suggestions, pages.

load helpers
load each_line

setup_file()
{
	build_each_line "$BATS_FILE_TMPDIR"
}

# events NAME...: a directory of events in $dir, in perf's form: two CPUs, and one of another vendor
events()
{
	dir=$BATS_TEST_TMPDIR/events
	mkdir -p "$dir"/goldmont "$dir"/lunarlake "$dir"/power8
	cat > "$dir"/mapfile.csv <<-END
		Family-model,Version,Filename,EventType
		GenuineIntel-6-5[CF],v1,goldmont,core
		GenuineIntel-6-BD,v1,lunarlake,core
		0x004[bcd][[:xdigit:]]{4},1,power8,core
	END
	cat > "$dir"/goldmont/pipeline.json <<-END
		[{"EventName": "OWN.EVENT", "EventCode": "0xC5", "UMask": "0x7", "Counter": "0,1", "SampleAfterValue": "4321",
		  "BriefDescription": "An event of one's own, with a description of so many words that it must be broken in lines."},
		 {"EventName": "OWN.OLD", "EventCode": "0xC5", "Deprecated": "1"},
		 {"EventName": "OWN.OFFCORE", "EventCode": "0xB7", "UMask": "0x1", "MSRIndex": "0x1a6,0x1a7", "MSRValue": "0x10001"}]
	END
	cat > "$dir"/lunarlake/pipeline.json <<-END
		[{"EventName": "OWN.EVENT", "EventCode": "0x11", "Unit": "cpu_atom"},
		 {"EventName": "OWN.EVENT", "EventCode": "0x22", "Unit": "cpu_core"},
		 {"EventName": "OWN.CORE", "EventCode": "0x33", "Unit": "cpu_core"}]
	END
	echo '[{"EventName": "PM_1PLUS_PPC_CMPL", "EventCode": "0x100f2", "BriefDescription": "x"}]' > "$dir"/power8/pipeline.json
}

@test "acrctl list: prints an event of the table as text" {
	capture "$acrctl" list --pmu goldmont br_misp_retired.all_branches
	is "$status" 0
	is "$stderr" ''
	is "$(head -n 2 <<< "$stdout")" 'goldmont (Goldmont), GenuineIntel-6-5C-0
events: goldmont, built in'
	has "$stdout" 'pipeline:
  BR_MISP_RETIRED.ALL_BRANCHES
'
	has "$stdout" '        cpu/event=0xc5,period=200003/  config 0xc5
        counters GP0-3'
	is "$(grep -c '^  [^ ]' <<< "$stdout")" 1
}

@test "acrctl list: on a CPU with auto counter reload prints which counters are reloadable and which can be causes" {
	capture "$acrctl" list --pmu cwf 'BR_MISP_RETIRED.ALL_BRANCHES'
	has "$stdout" 'counters GP0-7; reloadable: GP0-7; cause: GP0-7'
	capture "$acrctl" list --pmu darkmont 'BR_MISP_RETIRED.ALL_BRANCHES'
	has "$stdout" 'counters GP0-7; reloadable: GP2-7; cause: GP2-7'
	capture "$acrctl" list --pmu glm 'BR_MISP_RETIRED.ALL_BRANCHES'
	has "$stdout" 'no auto counter reload on this CPU'
}

@test "acrctl list: --json has these members, in this order" {
	requires_jq
	capture "$acrctl" list --pmu goldmont --json 'BR_MISP_RETIRED.ALL_BRANCHES'
	is "$status" 0
	is "$(json '.events[0]|keys_unsorted|join(" ")')" 'name pmu topic desc config extra_reg fixed counters period deprecated pebs'
	is "$(json '.events[0]|del(.desc)')" '{"name":"BR_MISP_RETIRED.ALL_BRANCHES","pmu":"goldmont","topic":"pipeline","config":"0xc5","extra_reg":null,"fixed":null,"counters":[0,1,2,3],"period":200003,"deprecated":false,"pebs":false}'
}

@test "acrctl list: --json has extra register, fixed counter and deprecation" {
	requires_jq
	events
	capture "$acrctl" list --pmu glm --events "$dir" --json 'OWN.O*'
	is "$(json '[.events[]|[.name,.config,.extra_reg,.deprecated]]')" \
		'[["OWN.OFFCORE","0x1b7",{"msr":"0x1a6","value":"0x10001"},false],["OWN.OLD","0xc5",null,true]]'
	capture "$acrctl" list --pmu glm --json 'inst_retired.any'
	is "$(json '.events[0]|[.name,.config,.fixed,.counters]')" '["INST_RETIRED.ANY","0xc0",0,[]]'
}

# alike PMU [ARG...]: compares each event of its list, of long lists some 100, with what encode prints for it alone; $refused has the
# refused names. Of a name that each kind of core has, only that of the CPU can be encoded.
alike()
{
	"$acrctl" list --pmu "$1" --json "${@:2}" | jq '.events | (if length > 350 then length / 100 | floor else 1 end) as $step |
		(map(select(.pmu | startswith("cpu_") | not) | {(.name): 1}) | add // {}) as $own |
		[to_entries[] | select($step < 2 or .key % $step == 0) | .value |
		select((.pmu | startswith("cpu_") | not) or $own[.name] == null)]' > "$BATS_TEST_TMPDIR/list"
	jq -r '.[].name' "$BATS_TEST_TMPDIR/list" | each_line "$acrctl" encode --pmu "$1" --json -e {} > "$BATS_TEST_TMPDIR/encode" 2> /dev/null
	jq -r --slurpfile encode "$BATS_TEST_TMPDIR/encode" '
		def same($e): [.pmu, .name, .config, .extra_reg, .fixed, .period] ==
			[$e.pmu, ($e.events[0] | .name, .config, .extra_reg, .fixed, .period)];
		if length != ($encode | length) then "lengths" else to_entries[] | $encode[.key] as $e | .value |
		select($e.error == null and (same($e) | not)) | "\(.name) differs" end' "$BATS_TEST_TMPDIR/list"
	refused=$(jq -r --slurpfile encode "$BATS_TEST_TMPDIR/encode" 'to_entries[] | select($encode[.key].error) | .value.name' \
		"$BATS_TEST_TMPDIR/list" | sort)
}

# unusable PMU: names that the list marks as unusable, of those that alike() compares
unusable()
{
	"$acrctl" list --pmu "$1" | awk '/^  [^ ]/ { name = $1 } /^ *cannot be used: / { no[name] } /^ *counters / { usable[name] }
		END { for (name in no) if (!(name in usable)) print name }' | sort |
		comm -12 - <(jq -r '.[].name' "$BATS_TEST_TMPDIR/list" | sort -u)
}

@test "acrctl list: --json of every event of every table agrees with encode; what encode refuses is unusable" {
	requires_jq
	local pmu
	for pmu in $("$acrctl" list --pmu list | awk '!/only encoded/ { print $1 }'); do
		alike "$pmu" > "$BATS_TEST_TMPDIR/differ"
		is "$pmu $(< "$BATS_TEST_TMPDIR/differ")" "$pmu "
		is "$pmu $refused" "$pmu $(unusable "$pmu")"
		[ "$(jq length "$BATS_TEST_TMPDIR/list")" -gt 10 ]
	done
}

@test "acrctl list: --json of every name of libpfm agrees with encode" {
	requires_jq
	local pmu
	for pmu in glm glp; do
		alike $pmu --topic libpfm > "$BATS_TEST_TMPDIR/differ"
		is "$pmu $(< "$BATS_TEST_TMPDIR/differ") $refused" "$pmu  "
		[ "$(jq length "$BATS_TEST_TMPDIR/list")" -gt 130 ]
	done
}

@test "acrctl list: a prefix lists libpfm's names of its CPU, by category and with the default unit masks" {
	capture "$acrctl" list glm::OFFCORE_RESPONSE_0
	is "$status" 0
	is "$(head -n 1 <<< "$stdout")" 'goldmont (Goldmont), GenuineIntel-6-5C-0'
	is "$(sed -n '/^  glm/,$p' <<< "$stdout" | awk '/:$/ { kind = $1; if ($2) kind = kind $2; next } $2 ~ /^0x/ { print kind $1, $2, $3 }
		' | grep -E 'DMND_DATA_RD|ANY|L2_HIT|OUT')" 'requests:DMND_DATA_RD 0x1 
requests:ANY_REQUEST 0x8000 (default)
requests:ANY_PF_DATA_RD 0x3010 
requests:ANY_RFO 0x22 
responses:ANY_RESPONSE 0x10000 (default)
responses:L2_HIT 0x40000 
snoops:L2_MISS_SNP_ANY 0x3600000000 (default)
snoops:SNOOP_ANY 0x3600000000 
averagelatency:OUTSTANDING 0x4000000000 '
	has "$stdout" '          ANY_RFO                              0x22
            DMND_RFO, PF_RFO
'
	has "$stdout" '          LLC_HITM                             0x1000000000
            L2_MISS_HITM_OTHER_CORE
'
	capture "$acrctl" list glm::OFFCORE_RESPONSE_1
	has "$stdout" 'config 0x2b7, MSR 0x1a7'
	[[ $stdout != *OUTSTANDING* ]]
}

@test "acrctl list: finds libpfm's names by a pattern without prefix; JSON needs prefix or topic" {
	requires_jq
	capture "$acrctl" list --pmu goldmont 'OFFCORE_RESPONSE*'
	has "$stdout" '  OFFCORE_RESPONSE.ANY_READ.L2_HIT'
	has "$stdout" '  glm::OFFCORE_RESPONSE_0
'
	capture "$acrctl" list --pmu goldmont
	has "$stdout" 'names as in libpfm: acrctl list glm::'
	[[ $stdout != *'  glm::'* ]]
	capture "$acrctl" list --pmu goldmont --json 'icache.*'
	is "$(json '[.events[].name]|join(" ")')" 'ICACHE.ACCESSES ICACHE.HIT ICACHE.MISSES'
	capture "$acrctl" list --json glm::icache:m
	is "$(json '.events[0]|[.name,.pmu,.topic,.config]')" '["glm::ICACHE:MISSES","goldmont","libpfm","0x280"]'
	capture "$acrctl" list --pmu glm --json --topic libpfm 'itlb*'
	is "$(json '[.events[].name]')" '["glm::ITLB:MISS"]'
	capture "$acrctl" list --pmu glp glm::ITLB
	is "$status" 2
	has "$stderr" "'glm::' are names of goldmont, but the CPU is goldmontplus; choose that CPU with --pmu goldmont"
	capture "$acrctl" list glm::BR_MIPS_RETIRED
	is "$status" 1
	has "$stderr" "did you mean 'glm::BR_MISP_RETIRED'?"
	capture "$acrctl" list nocpu::X
	is "$status" 2
	has "$stderr" "there is no CPU 'nocpu'"
}

@test "acrctl list: on a CPU without names in libpfm a prefix lists those of the table" {
	requires_jq
	capture "$acrctl" list --json cwf::br_misp_retired:all_br
	is "$(json '[.events[]|[.name,.pmu]]')" '[["BR_MISP_RETIRED.ALL_BRANCHES","clearwaterforest"]]'
}

@test "acrctl encode: the hint for a wrong unit mask names all, or the command that lists them" {
	capture "$acrctl" encode glm::ICACHE:QQQQQQQQ
	has "$stderr" 'unit masks are HIT, MISSES, ACCESSES; modifiers are'
	capture "$acrctl" encode glm::OFFCORE_RESPONSE_0:QQQQQQQQ
	has "$stderr" "'acrctl list glm::OFFCORE_RESPONSE_0' shows its unit masks"
	[[ $stderr != *...* ]]
}

@test "acrctl list: --json names the CPU as encode does, other units and cores by their PMU" {
	requires_jq
	events
	capture "$acrctl" list --pmu skt --events "$dir" --json 'own*'
	is "$(json '[.events[]|[.name,.pmu]]|unique')" '[["OWN.CORE","cpu_core"],["OWN.EVENT","cpu_core"],["OWN.EVENT","skymont"]]'
	capture "$acrctl" list --pmu power8 --events "$dir" --json
	is "$(json '[.events[].pmu]')" '["power8"]'
	capture "$acrctl" list --pmu test --json 'test_box*'
	is "$(json '[.events[].pmu]')" '["uncore_cha"]'
}

@test "acrctl list: marks an event if the user fills its extra register, and encode accepts offcore_rsp for it" {
	requires_jq
	capture "$acrctl" list --pmu glm --topic cache 'OFFCORE_RESPONS?'
	has "$stdout" 'config 0x1b7, MSR 0x1a6 as given by offcore_rsp=N'
	capture "$acrctl" encode --pmu glm --json 'OFFCORE_RESPONSE/offcore_rsp=0x18000/'
	is "$(json '.events[0].extra_reg')" '{"msr":"0x1a6","value":"0x18000"}'
	is "$stderr" ''
	capture "$acrctl" encode --pmu glm OFFCORE_RESPONSE
	is "$status" 0
	is "$stderr" "acrctl: encode: note: 'OFFCORE_RESPONSE' counts nothing without a value of its extra register, and is refused where it would run; give the value, as in cpu/event=0xb7,umask=0x1,offcore_rsp=N/, or take a name that has one"
}

@test "acrctl list, encode: the term for a register is that of the CPU, in tables, groups of a condition and hints" {
	requires_jq
	cd "$BATS_TEST_TMPDIR"
	mkdir -p nvl/nvl
	printf '%s\n' '# CPU,version,directory,type,core type,native model,name' 'GenuineIntel-18-1,v1,nvl,hybridcore,0x40,,Core' 'GenuineIntel-18-1,v1,nvl,hybridcore,0x20,,Atom' > nvl/mapfile.csv
	echo '[{"EventName":"LOADS.FAR","EventCode":"0xD6","UMask":"0x1","Counter":"0,1,2,3","MSRIndex":"0x3E0,0x3E1,0x3E2,0x3E3",
		"MSRValue":"0xF5020000000001","Unit":"cpu_core"}, {"EventName":"SNOOPS","EventCode":"0x27","UMask":"0x1","Counter":"0,1",
		"MSRIndex":"0x1328","MSRValue":"0x3","Unit":"cpu_atom"}]' > nvl/nvl/cache.json
	capture "$acrctl" list --pmu coyotecove --events nvl 'LOADS*'
	has "$stdout" 'cpu_core/event=0xd6,umask=0x1,offmodule_rsp=0xf5020000000001/  config 0x1d6, MSR 0x3e0 0xf5020000000001'
	has "$stdout" 'counters GP0-3'
	capture "$acrctl" list --pmu arcticwolf --events nvl SNOOPS
	has "$stdout" 'cpu_atom/event=0x27,umask=0x1,snoop_rsp=0x3/  config 0x127, MSR 0x1328 0x3'
	capture "$acrctl" encode --pmu coyotecove --events nvl --json LOADS.FAR
	is "$(json '.events[0].extra_reg')" '{"msr":"0x3e0","value":"0xf5020000000001"}'
	capture "$acrctl" encode --pmu arcticwolf --when 'LLC-loads:e / instructions > 1/100'
	has "$stdout" 'event=0xb7,umask=0x1,offmodule_rsp=0x4000000000000009,edge=1'
	for list in 'coyotecove|r14f|event=0x4f,umask=0x1,offmodule_rsp=N' 'arcticwolf|r1b7|event=0xb7,umask=0x1,offmodule_rsp=N' \
			'arcticwolf|r227|event=0x27,umask=0x2,snoop_rsp=N' 'coyotecove|r3c6|event=0xc6,umask=0x3,frontend=N'; do
		IFS='|' read -r cpu event terms <<< "$list"
		capture "$acrctl" encode --pmu "$cpu" "$event"
		has "$stderr" "give the value, as in cpu/$terms/, or take a name that has one"
	done
	capture "$acrctl" list --pmu arcticwolf LLC-loads
	has "$stdout" 'event=0xb7,umask=0x1,offmodule_rsp=0x4000000000000009'
}

@test "acrctl list: on Goldmonts what is precise only needs PEBS, not what their lists mark" {
	requires_jq
	capture "$acrctl" list --pmu goldmontplus --json
	is "$(json '[.events[]|select(.pebs)|.name]')" '["INST_RETIRED.PREC_DIST"]'
	capture env ACRCTL_CPUID=GenuineIntel-6-7A-1 "$acrctl" encode INST_RETIRED.PREC_DIST
	has "$stderr" "'INST_RETIRED.PREC_DIST' counts right with PEBS only"
	dir=$BATS_TEST_TMPDIR/marked
	mkdir -p "$dir"
	echo '[{"EventName": "MEM_UOPS_RETIRED.STORE_SAMPLE", "EventCode": "0xd0", "Counter": "0,1", "PEBS": "2"},
	       {"EventName": "BR_INST_RETIRED.COND", "EventCode": "0xc4", "Counter": "0,1", "PEBS": "2"}]' > "$dir/pipeline.json"
	for pmu in goldmont goldmontplus; do
		capture "$acrctl" list --pmu $pmu --events "$dir/pipeline.json" --json
		is "$(json '[.events[]|select(.pebs)|.name]')" '["MEM_UOPS_RETIRED.STORE_SAMPLE"]'
	done
}

@test "acrctl list: heads the table of a CPU that shares another's row with its own names" {
	for line in "pantherlake (Cougar Cove)" "lunarlake (Lion Cove)" "skylakex (Skylake)" "sapphirerapids (Golden Cove)" \
		"alderlaken (Gracemont)"; do
		capture "$acrctl" list --pmu "${line%% *}" INST_RETIRED.ANY
		has "$stdout" "$line, GenuineIntel-6-"
		has "$stdout" "events: ${line%% *}, built in"
	done
	capture "$acrctl" encode --pmu pantherlake cycles
	has "$stdout" "pmu: lioncove (Cougar Cove)"
	capture "$acrctl" encode --pmu lioncove cycles
	has "$stdout" "pmu: lioncove (Lion Cove)"
}

@test "acrctl list, encode: what counts for all threads of a core is refused in words, by name as by term" {
	capture "$acrctl" list --pmu skylake CPU_CLK_UNHALTED.THREAD_P_ANY
	has "$stdout" "cannot be used: counts for all hardware threads of a core"
	capture "$acrctl" encode --pmu skylake CPU_CLK_UNHALTED.THREAD_P_ANY
	is "$status" 2
	has "$stderr" "'CPU_CLK_UNHALTED.THREAD_P_ANY' has perf's term 'any', which is not supported: it counts for all hardware threads of a core; "
	has "$stderr" "take an event without it: that counts for one hardware thread only"
	capture "$acrctl" encode --pmu skylake cpu/event=0x3c,any=1/
	is "$status" 2
	has "$stderr" "perf's term 'any' is not supported; leave it out: the event counts for one hardware thread only"
}

@test "acrctl list: marks an event that needs PEBS; encode shows it with a note, but no load latency" {
	requires_jq
	capture "$acrctl" list --pmu skylake inst_retired.prec_dist
	has "$stdout" 'INST_RETIRED.PREC_DIST  (needs PEBS: cannot be run)'
	capture "$acrctl" list --pmu skylake --json 'inst_retired.*'
	is "$(json '[.events[]|select(.pebs)|.name]')" '["INST_RETIRED.PREC_DIST","INST_RETIRED.TOTAL_CYCLES_PS"]'
	capture "$acrctl" encode --pmu icelake --json INST_RETIRED.PREC_DIST
	is "$status" 0
	is "$(json '.events[0].fixed')" 0
	has "$stderr" "'INST_RETIRED.PREC_DIST' counts right with PEBS only, which acrpmu does not use, and is refused where it would run"
	capture "$acrctl" encode --pmu skylake mem_trans_retired.load_latency_gt_4
	is "$status" 2
	has "$stderr" 'needs the register of load latencies (0x3f6), which works with PEBS only'
}

@test "acrctl encode: other events use the register of front-end events of P-cores, with their own values" {
	requires_jq
	for pmu in alderlake sapphirerapids graniterapids lunarlake; do
		capture "$acrctl" encode --pmu "$pmu" --json INT_MISC.UNKNOWN_BRANCH_CYCLES
		is "$status" 0
		is "$(json '.events[0]|[.config,.extra_reg.msr,.extra_reg.value]')" '["0x40ad","0x3f7","0x7"]'
	done
	capture "$acrctl" encode --pmu pantherlake --json '{UOPS_RETIRED.MS,FRONTEND_RETIRED.L1I_MISS}'
	is "$status" 2
	has "$(json .error.message)" 'none is left for that'
}

@test "acrctl encode: does not suggest an event of Goldmont for Goldmont Plus" {
	capture "$acrctl" encode --pmu glp glp::DL1
	is "$status" 2
	has "$stderr" "goldmontplus has no event 'DL1'; only Goldmont has it; 'acrctl list glp::' shows the events of this CPU"
	capture "$acrctl" encode --pmu glp glp::ICACH
	has "$stderr" "did you mean 'ICACHE'?"
}

@test "acrctl list: prints a note about files once, also if the CPU is guessed" {
	events
	echo 'GenuineIntel-6-DD,v1,nowhere,core' >> "$dir/mapfile.csv"
	capture "$acrctl" list --pmu list --events "$dir"
	is "$(grep -c "there is no 'nowhere'" <<< "$stderr")" 1
}

@test "acrctl encode: finds Intel's table of a hybrid CPU by CPUID string, table and CPU name" {
	requires_jq
	local cpu
	dir=$BATS_TEST_TMPDIR/intel
	mkdir -p "$dir/X/events"
	cat > "$dir/mapfile.csv" <<-END
		Family-model,Version,Filename,EventType,Core Type,Native Model ID,Core Role Name
		GenuineIntel-6-97,V1,/X/events/x_gracemont_core.json,hybridcore,0x20,0x000001,Atom
		GenuineIntel-6-97,V1,/X/events/x_goldencove_core.json,hybridcore,0x40,0x000001,Core
	END
	echo '[{"EventName": "OWN.EVENT", "EventCode": "0x11"}]' > "$dir/X/events/x_gracemont_core.json"
	echo '[{"EventName": "OWN.EVENT", "EventCode": "0x22"}]' > "$dir/X/events/x_goldencove_core.json"
	ACRCTL_CPUID=GenuineIntel-6-97-2 capture "$acrctl" encode --events "$dir" --json OWN.EVENT
	is "$(json '[.pmu,.events[0].config]')" '["gracemont","0x11"]'
	for cpu in gracemont adl_grt x_gracemont; do
		capture "$acrctl" encode --pmu "$cpu" --events "$dir" --json OWN.EVENT
		is "$cpu $(json '[.pmu,.events[0].config]')" "$cpu "'["gracemont","0x11"]'
	done
	capture "$acrctl" list --pmu gracemont --events "$dir" --json OWN.EVENT
	is "$(json '[.events[].pmu]')" '["gracemont"]'
}

@test "acrctl list: a pattern is a part of the name, or a glob for all of it, in upper or lower case" {
	requires_jq
	events
	for pattern in own.ev EVENT own.event 'own.e*' '*EVENT' 'OWN.[E]VENT' 'OWN?EVENT'; do
		capture "$acrctl" list --pmu glm --events "$dir" --json "$pattern"
		is "$(json '[.events[]|.name]')" '["OWN.EVENT"]'
	done
	capture "$acrctl" list --pmu glm --events "$dir" --json 'own.e?'
	is "$status" 1
	capture "$acrctl" list --pmu glm --events "$dir" --json own.ol own.of
	is "$(json '[.events[]|.name]')" '["OWN.OFFCORE","OWN.OLD"]'
}

@test "acrctl list: --topic selects events, and a misspelt one gets a suggestion" {
	requires_jq
	capture "$acrctl" list --pmu glm --json --topic virtual-memory
	is "$(json '[.events[]|.topic]|unique|join(" ")')" virtual-memory
	has "$(json '[.events[]|.name]')" '"ITLB.MISS"'
	capture "$acrctl" list --pmu glm --topic Generic --json
	is "$(json '[.events[]|.name]|join(" ")')" 'cpu-cycles cycles instructions ref-cycles branch-instructions branches branch-misses cache-references cache-misses bus-cycles'
	capture "$acrctl" list --pmu glm --topic pipelin
	is "$status" 1
	is "$stderr" "acrctl: list: there is no topic 'pipelin'; did you mean 'pipeline'?"
	# libpfm has names only of some CPUs
	capture "$acrctl" list --pmu glm --topic libpfn
	is "$stderr" "acrctl: list: there is no topic 'libpfn'; did you mean 'libpfm'?"
	capture "$acrctl" list --pmu cwf --topic libpfm
	is "$status" 1
	is "$stderr" "acrctl: list: there is no topic 'libpfm'; 'acrctl list' without --topic shows them all"
}

@test "acrctl list: finding nothing is exit status 1, with suggestions" {
	events
	capture "$acrctl" list --pmu glm --events "$dir" OWN.EVNT
	is "$status" 1
	is "$stdout" ''
	is "$stderr" "acrctl: list: no event of goldmont has a name like 'OWN.EVNT'; did you mean 'OWN.EVENT'?"
	capture "$acrctl" list --pmu glm --events "$dir" 'OWN.F*' --json
	is "$status" 1
	is "$stdout" '{"schema":"acrctl-list/1","events":[]}'
	has "$stderr" "did you mean 'OWN."
	capture "$acrctl" list --pmu glm --events "$dir" QQQQQQQQ
	has "$stderr" "'acrctl list' without a pattern shows them all"
}

@test "acrctl list: lists a CPU of another architecture by the directory of its table" {
	requires_jq
	events
	capture "$acrctl" list --pmu power8 --events "$dir" PM_1PLUS_PPC_CMPL
	is "$status" 0
	has "$stdout" 'event=0x100f2/  config 0x100f2'
	has "$stdout" "acrpmu does not know this CPU's registers"
	capture "$acrctl" list --pmu power8 --events "$dir" --json
	is "$(json '[.events[]|[.name,.pmu,.config]]')" '[["PM_1PLUS_PPC_CMPL","power8","0x100f2"]]'
	capture "$acrctl" encode --pmu power8 --events "$dir" -e PM_1PLUS_PPC_CMPL
	is "$status" 2
	has "$stderr" "'PM_1PLUS_PPC_CMPL' is an event of power8, which acrpmu cannot program; 'acrctl list' shows its code: event=0x100f2"
	capture "$acrctl" encode --pmu power8 --events "$dir" -e cycles
	is "$status" 2
	has "$stderr" 'the registers of power8 are not known here'
}

@test "acrctl list: ACRCTL_CPUID chooses any CPU and stepping; --pmu overrides it" {
	requires_jq
	ACRCTL_CPUID=GenuineIntel-6-5F-1 capture "$acrctl" list LLC-prefetches
	is "$(head -n 1 <<< "$stdout")" 'goldmont (Goldmont), GenuineIntel-6-5F-1'
	ACRCTL_CPUID=GenuineIntel-6-CC-1 capture "$acrctl" list cycles
	is "$(head -n 2 <<< "$stdout")" 'pantherlake-e (Darkmont), GenuineIntel-6-CC-1
events: darkmont, built in'
	ACRCTL_CPUID=GenuineIntel-6-5F-1 capture "$acrctl" encode --json branches
	is "$(json .pmu)" goldmont
	ACRCTL_CPUID=GenuineIntel-6-5F-1 capture "$acrctl" encode --pmu cwf --json branches
	is "$(json .pmu)" clearwaterforest
	ACRCTL_CPUID=GenuineIntel-5F capture "$acrctl" list
	is "$status" 2
	has "$stderr" "'GenuineIntel-5F' is not a CPUID string; write it like GenuineIntel-6-DD-0"
}

@test "acrctl list: --pmu list names the CPUs, and a misspelt one gets a suggestion" {
	capture "$acrctl" list --pmu list
	is "$status" 0
	has "$stdout" 'goldmont          glm      Goldmont       PMU version 4'
	has "$stdout" 'darkmont                   table of events'
	capture "$acrctl" list --pmu goldmnt
	is "$status" 2
	is "$stderr" "acrctl: list: there is no CPU 'goldmnt'; did you mean 'goldmont'?"
}

@test "acrctl list: refuses files of other CPUs and a missing directory" {
	events
	capture "$acrctl" list --pmu cwf --events "$dir"
	is "$status" 2
	is "$stderr" "acrctl: list: no table in '$dir' is for the CPU 'GenuineIntel-6-DD-0'; name one of its directories with --pmu, or see whether its mapfile.csv has that CPU"
	capture "$acrctl" list --pmu cwf --events "$dir/nowhere"
	is "$status" 2
	has "$stderr" "the events in '$dir/nowhere' cannot be read: No such file or directory"
	capture "$acrctl" list --pmu cwf --events "$dir/goldmont" own.event
	is "$status" 2
	has "$stderr" "are those of 'goldmont', but the CPU is 'clearwaterforest'; choose that CPU with --pmu, or give the directory of events of this one"
	capture "$acrctl" list --pmu glm --events "$dir/goldmont" own.event
	is "$status" 0
	has "$stdout" 'OWN.EVENT'
}

@test "acrctl list: reports errors in a file with file, line and field, and lists the rest" {
	events
	echo '[{"EventName": "OWN.GOOD", "EventCode": "0x1"},
{"EventName": "OWN.BAD", "EventCode": "0xzz"}]' > "$dir"/goldmont/other.json
	capture "$acrctl" list --pmu glm --events "$dir" OWN.GOOD
	is "$status" 0
	has "$stderr" "acrctl: list: $dir/goldmont/other.json:2: EventCode: "
	has "$stdout" OWN.GOOD
}

@test "acrctl encode: a name has its code, its extra register and its period" {
	requires_jq
	events
	capture "$acrctl" encode --pmu glm --events "$dir" --json -e own.event -e own.offcore
	is "$status" 0
	is "$(json '[.events[]|[.name,.config,.extra_reg,.period,.role]]')" \
		'[["own.event","0x7c5",null,4321,"sampled"],["own.offcore","0x1b7",{"msr":"0x1a6","value":"0x10001"},0,"counted"]]'
	capture "$acrctl" encode --pmu glm --events "$dir" --json -c 9999 own.event
	is "$(json '[.events[]|.period]')" '[9999]'
}

@test "acrctl encode: encodes perf's cache events as the kernel does on that CPU" {
	requires_jq
	capture "$acrctl" encode --pmu glm --json LLC-load-misses
	is "$(json '.events[0]|[.config,.extra_reg.msr,.extra_reg.value]')" '["0x1b7","0x1a6","0x3600000001"]'
	capture "$acrctl" encode --pmu cwf --json LLC-load-misses
	is "$(json '.events[0]|[.config,.extra_reg.msr,.extra_reg.value]')" '["0x1b7","0x1a6","0x33fbfc00001"]'
	capture "$acrctl" encode --pmu cwf LLC-prefetches
	is "$status" 2
	has "$stderr" "the kernel has no event for 'LLC-prefetches' on clearwaterforest; 'acrctl list --pmu clearwaterforest' shows"
}

@test "acrctl encode: takes the E-core's event of a hybrid CPU, and refuses events of other cores only" {
	requires_jq
	events
	capture "$acrctl" encode --pmu skymont --events "$dir" --json own.event
	is "$(json '.events[0].config')" 0x11
	capture "$acrctl" encode --pmu skymont --events "$dir" own.core
	is "$status" 2
	has "$stderr" "'own.core' is an event of other cores (cpu_core) than cpu_atom"
	capture "$acrctl" list --pmu skymont --events "$dir" own.core
	has "$stdout" 'cannot be used: counted by the PMU cpu_core'
}

@test "acrctl encode: reports a misspelt name with its column" {
	events
	capture "$acrctl" encode --pmu glm --events "$dir" '{cycles,own.evnt}'
	is "$status" 2
	is "$stderr" "acrctl: encode: there is no event 'own.evnt'; did you mean 'OWN.EVENT'?
  {cycles,own.evnt}
          ^ column 9"
}

@test "acrctl record: resolves names and periods, or refuses them, before a session is created" {
	events
	ACRCTL_CPUID=GenuineIntel-6-5C-1 FAKE_LOG=$BATS_TEST_TMPDIR/log capture "$acrctl_fake" record --events "$dir" -e OWN.EVNT -- true
	is "$status" 2
	has "$stderr" "acrctl: record: there is no event 'OWN.EVNT'; did you mean 'OWN.EVENT'?"
	is "$(grep -cv -e '^open' -e '^INFO' -e '^close' "$BATS_TEST_TMPDIR/log")" 0
	rm "$BATS_TEST_TMPDIR/log"
	ACRCTL_CPUID=GenuineIntel-6-5C-1 FAKE_LOG=$BATS_TEST_TMPDIR/log FAKE_OPEN_ERRNO=2 \
		capture "$acrctl_fake" record --events "$dir" -e OWN.EVENT -- true
	is "$status" 1
	is "$(head -n 1 "$BATS_TEST_TMPDIR/log")" 'open 2'
	ACRCTL_CPUID=GenuineIntel-6-5C-1 capture "$acrctl_fake" record --events "$dir" -e OWN.OLD -- true
	is "$status" 2
	has "$stderr" "'OWN.OLD' has no period"
}

# on_terminal COLUMNS COMMAND: its output on a terminal, in $stdout
on_terminal()
{
	command -v script > /dev/null || skip 'script(1) is not installed'
	capture script -qec "stty cols $1; $2" /dev/null < /dev/null
	stdout=${stdout//$'\r'/}
}

@test "acrctl list: on a terminal goes through PAGER, in lines that fit" {
	events
	on_terminal 50 "PAGER='sed s/^/paged:/' $acrctl list --pmu glm --events $dir OWN.EVENT"
	is "$status" 0
	is "$(tail -n +4 <<< "$stdout" | head -n 7)" "paged:
paged:pipeline:
paged:  OWN.EVENT
paged:        An event of one's own, with a description
paged:        of so many words that it must be broken in
paged:        lines.
paged:        cpu/event=0xc5,umask=0x7,period=4321/  config 0x7c5"
}

@test "acrctl list: a pager that ends early is no error; PAGER=cat means none" {
	events
	on_terminal 80 "PAGER=true $acrctl list --pmu skymont; echo status \$?"
	has "$stdout" 'status 0'
	on_terminal 80 "PAGER=cat $acrctl list --pmu glm --events $dir OWN.OLD"
	has "$stdout" 'OWN.OLD  (deprecated)'
}

@test "acrctl list: fails if the pager cannot be run, and explains how to do without" {
	on_terminal 80 "PAGER=/nonexistent/pager $acrctl list --pmu skymont; echo status \$?"
	has "$stdout" "acrctl: list: the pager '/nonexistent/pager' could not be run; unset PAGER"
	has "$stdout" 'status 1'
}

@test "acrctl list: starts no pager if output is no terminal" {
	events
	PAGER='sed s/^/paged:/' capture "$acrctl" list --pmu glm --events "$dir" OWN.EVENT
	is "$(head -n 1 <<< "$stdout")" 'goldmont (Goldmont), GenuineIntel-6-5C-0'
}

@test "acrctl list: output that cannot be written fails" {
	status=0
	"$acrctl" list --pmu glm > /dev/full 2> "$BATS_TEST_TMPDIR/stderr" || status=$?
	is "$status" 1
	has "$(cat "$BATS_TEST_TMPDIR/stderr")" 'standard output'
}

@test "acrctl list: refuses wrong usage" {
	capture "$acrctl" list --nonsense
	is "$status" 2
	capture "$acrctl" list --help
	is "$status" 0
	has "$stdout" 'Usage: acrctl list'
}
