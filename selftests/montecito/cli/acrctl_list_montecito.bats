# SPDX-License-Identifier: GPL-2.0-only
# acrctl list --pmu montecito: what is known of each event, as text and as JSON; patterns; what is refused.

load ../../cli/helpers

setup() { requires_jq; }

@test "list montecito: an event as text" {
	capture "$acrctl" list --pmu montecito L2D_OZQ_CANCELS0_ACQ
	is "$status" 0
	is "$stderr" ''
	is "$(sed -n '1,2p;5p' <<< "$stdout" | grep -c .)" 3
	is "$(head -n 2 <<< "$stdout")" 'montecito (dual-core Itanium 2), of libacrpfm: encoded, but not counted
events: montecito, built in'
	has "$stdout" '
  L2D_OZQ_CANCELS0_ACQ
        '
	has "$stdout" '
        code 0xe0, umask 0x6; floating; group L2D, set 0; qualifiers opcm, iarr, darr
        counters PMC4-15; at most 4 in a cycle: thres=0 to 3'
}

@test "list montecito: unit masks, EAR kind, trace buffer, restricted counters" {
	capture "$acrctl" list --pmu montecito L3_WRITES_L2_WB_HIT
	has "$stdout" '
        code 0xde, umask 0x9; floating; qualifiers opcm, iarr, darr
        counters PMC4-15; at most 1 in a cycle
        unit masks, at least one: I, S, E, M'
	capture "$acrctl" list --pmu montecito DATA_EAR_ALAT
	has "$stdout" '
        event address register: data ALAT'
	capture "$acrctl" list --pmu montecito ETB_EVENT
	has "$stdout" '
        execution trace buffer'
	capture "$acrctl" list --pmu montecito CPU_OP_CYCLES_HALTED
	has "$stdout" '
        code 0x18, umask 0x0; causal
        counters PMC10; at most 7 in a cycle: thres=0 to 6'
	capture "$acrctl" list --pmu montecito BUS_IO_SELF
	has "$stdout" '
        counters PMC4-9; '
}

@test "list montecito: JSON has these members, in this order" {
	capture "$acrctl" list --pmu montecito --json L1I_EAR_CACHE_LAT256
	is "$status" 0
	is "$(json '.events[0]|keys_unsorted|join(" ")')" 'name pmu desc code umask type group set counters maxincr qualifiers umasks ear etb'
	is "$(json '.events[0]|del(.desc)')" '{"name":"L1I_EAR_CACHE_LAT256","pmu":"montecito","code":"0x43","umask":"0xe0","type":"floating","group":null,"set":null,"counters":[4,5,6,7,8,9,10,11,12,13,14,15],"maxincr":1,"qualifiers":["iarr"],"umasks":[],"ear":"instruction cache","etb":false}'
	capture "$acrctl" list --pmu montecito --json L1D_READ_MISSES_ALL
	is "$(json '.events[0]|[.group,.set,.maxincr]')" '["L1D",2,2]'
}

@test "list montecito: text and JSON have the same properties of every event" {
	capture "$acrctl" list --pmu montecito --json
	is "$(json '.events|length')" 637
	is "$(json '[.events[]|select(.desc == null or .desc == "")]|length')" 0
	json '.events[]|[.name, "code \(if (.code|length) == 3 then "0x0" + .code[2:] else .code end), umask \(.umask); \(.type)"
		+ (if .group then "; group \(.group), set \(.set)" else "" end)
		+ (if .qualifiers == [] then "" else "; qualifiers " + (.qualifiers|join(", ")) end),
		"at most \(.maxincr) in a cycle" + (if .maxincr > 1 then ": thres=0 to \(.maxincr - 1)" else "" end),
		if .umasks == [] then "" else "unit masks, at least one: " + (.umasks|join(", ")) end,
		if .ear then "event address register: \(.ear)" else "" end,
		if .etb then "execution trace buffer" else "" end]|map(select(. != ""))|join("|")' > "$BATS_TEST_TMPDIR/json"
	capture "$acrctl" list --pmu montecito
	awk '/^  [^ ]/ { if (line) print line; line = $1 }
		/^        (code 0x|unit masks,|event address register:|execution trace buffer$)/ { sub("^ *", ""); line = line "|" $0 }
		/^        counters PMC/ { sub(".*; at most", "at most"); line = line "|" $0 }
		END { print line }' <<< "$stdout" > "$BATS_TEST_TMPDIR/text"
	is "$(diff "$BATS_TEST_TMPDIR/json" "$BATS_TEST_TMPDIR/text" | head -n 5)" ''
}

@test "list montecito: the properties of every event match the facts" {
	facts=$root/selftests/montecito/events.csv
	capture "$acrctl" list --pmu montecito --json
	json '.events|to_entries[]|.key as $i|.value|[$i, .name, .code, .umask, .counters, .maxincr, .type, (.group // "none"|ascii_downcase), (.set // -1),
		(.qualifiers|index("opcm") != null), (.qualifiers|index("iarr") != null), (.qualifiers|index("darr") != null),
		(.umasks|length), (.ear // "none"), .etb]|map(tostring)|join(" ")' > "$BATS_TEST_TMPDIR/json"
	awk -F, 'function truth(x) { return x == 1 ? "true" : "false" }
		BEGIN { all = "[4,5,6,7,8,9,10,11,12,13,14,15]"; counters["0xfff0"] = all; counters["0x03f0"] = "[4,5,6,7,8,9]"
			counters["0x0400"] = "[10]"; ear["none"] = "none"; ear["iear_cache"] = "instruction cache"
			ear["iear_tlb"] = "instruction TLB"; ear["dear_cache"] = "data cache"; ear["dear_tlb"] = "data TLB"
			ear["dear_alat"] = "data ALAT" }
		NR > 1 { sub("\r", ""); sub("^0x0", "0x", $3); if ($3 == "0x") $3 = "0x0"; sub("_", "-", $7)
			print $1, $2, $3, $4, counters[$5], $6, $7, $8, $10, truth($11), truth($12), truth($13), $15, ear[$16], truth($17) }' \
		"$facts" > "$BATS_TEST_TMPDIR/facts"
	is "$(wc -l < "$BATS_TEST_TMPDIR/facts")" 637
	is "$(diff "$BATS_TEST_TMPDIR/facts" "$BATS_TEST_TMPDIR/json" | head -n 5)" ''
}

@test "list montecito: patterns in either case, with wildcards, after the name of the CPU" {
	local names='["L1D_READS_SET0","L1D_READS_SET1"]'
	capture "$acrctl" list --pmu mont --json cancels0_rel
	is "$(json '.events|map(.name)')" '["L2D_OZQ_CANCELS0_REL"]'
	capture "$acrctl" list --pmu montecito --json 'l1d_reads_set?'
	is "$(json '.events|map(.name)|sort')" "$(jq -c sort <<< "$names")"
	capture "$acrctl" list --json 'montecito::L1D_READS_SET?'
	is "$(json '.events|map(.name)|sort')" "$(jq -c sort <<< "$names")"
	ACRCTL_CPUID=GenuineIntel-32-1-7 capture "$acrctl" list --json ETB_EVENT
	is "$(json '.events|map(.name)')" '["ETB_EVENT"]'
	capture "$acrctl" list --json mont:: ETB_EVENT
	is "$(json '.events|length')" 637
	capture "$acrctl" list --pmu montecito --json ETB_EVENT DATA_EAR_ALAT
	is "$(json '.events|map(.name)')" '["DATA_EAR_ALAT","ETB_EVENT"]'
}

@test "list montecito: no match: exit status 1 and the nearest name" {
	capture "$acrctl" list --pmu montecito DATA_EAR_ALTA nonsense
	is "$status" 1
	is "$stdout" ''
	is "$stderr" "acrctl: list: no event of montecito has a name like 'DATA_EAR_ALTA'; did you mean 'DATA_EAR_ALAT'?
acrctl: list: no event of montecito has a name like 'nonsense'; 'acrctl list --pmu montecito' shows them all"
	capture "$acrctl" list --pmu montecito --json nonsense
	is "$status $stdout" '1 {"schema":"acrctl-list-montecito/1","events":[]}'
}

@test "list montecito: options without meaning there and patterns of other CPUs are refused" {
	capture "$acrctl" list --pmu montecito --topic cache
	is "$status" 2
	is "$stderr" 'acrctl: list: the events of montecito have no topics; leave --topic out and use a part of their names, like L2D'
	capture "$acrctl" list --pmu montecito --events /nowhere
	is "$status" 2
	is "$stderr" 'acrctl: list: the events of montecito are not read from files; leave --events out'
	capture "$acrctl" list --pmu montecito 'glm::*'
	is "$status" 2
	is "$stderr" 'acrctl: list: a pattern names another CPU than montecito; leave out the text before the two colons'
	capture "$acrctl" list --pmu goldmont 'Mont::ETB_EVENT'
	is "$status" 2
	is "$stderr" "acrctl: list: 'Mont::' are names of montecito, but the CPU is goldmont; choose that CPU with --pmu montecito"
}

@test "list montecito: --pmu list and help name it once, and a misspelled name gets a suggestion" {
	local word
	for word in list help; do
		capture "$acrctl" list --pmu $word
		is "$status" 0
		has "$stdout" 'montecito         mont     dual-core Itanium 2 only encoded'
		is "$(grep -c '^montecito' <<< "$stdout")" 1
	done
	capture "$acrctl" list --pmu montecto
	is "$status" 2
	is "$stderr" "acrctl: list: there is no CPU 'montecto'; did you mean 'montecito'?"
}

@test "list montecito: each listed event can be encoded, with its code, unit mask and lowest counter" {
	capture "$acrctl" list --pmu montecito --json
	json '.events[]|[.name + (if .umasks == [] then "" else ":M" end), .code, (if .ear then "0x0" else .umask end)]|join(" ")' > "$BATS_TEST_TMPDIR/events"
	# one call for each would take long: every seventh
	awk 'NR % 7 == 1' "$BATS_TEST_TMPDIR/events" > "$BATS_TEST_TMPDIR/some"
	while read -r name code umask; do
		"$acrctl" encode --pmu montecito --json "$name" > "$BATS_TEST_TMPDIR/encoded"
		is "$name $(jq -r '.pmcs[0].fields|map({(.name): .value})|add|"\(.pmc_es) \(.pmc_umask)"' "$BATS_TEST_TMPDIR/encoded")" \
			"$name $code 0x$(printf '%x' $((umask & 15)))"
	done < "$BATS_TEST_TMPDIR/some"
	[ "$(wc -l < "$BATS_TEST_TMPDIR/some")" -ge 90 ]
}
