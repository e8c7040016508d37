# SPDX-License-Identifier: GPL-2.0-only
# acrctl encode: the documentation's examples, JSON, exit statuses, and where messages go.

load helpers

matrix='cycles restarts when instructions or cycles overflows; instructions restarts when cycles overflows; samples: instructions'

@test "acrctl encode: the IPC > 2 group with acr_mask, quoted, with backslash and line feed" {
	requires_jq
	capture "$acrctl" encode --pmu clearwaterforest --json -e '{cpu_atom/instructions,period=200000,acr_mask=0x2/, \
	cpu_atom/cycles,period=100000,acr_mask=0x3/}'
	is "$status" 0
	is "$(json .pmu)" clearwaterforest
	is "$(json '[.events[]|[.name,.config,.evtsel,.fixed,.period,.acr_mask,.extra_reg,.modifiers]]')" \
		'[["instructions","0xc0","0x5300c0",0,200000,"0x2",null,""],["cycles","0x3c","0x43003c",1,100000,"0x3",null,""]]'
	is "$(json '.groups[0].matrix')" "$matrix"
}

@test "acrctl encode: accepts the same group as a shell splits it without quotes" {
	requires_jq
	capture "$acrctl" encode --pmu clearwaterforest --json -e {cpu_atom/instructions,period=200000,acr_mask=0x2/, \
	cpu_atom/cycles,period=100000,acr_mask=0x3/}
	is "$status" 0
	is "$(json '[.events[]|[.name,.period,.acr_mask]]')" '[["instructions",200000,"0x2"],["cycles",100000,"0x3"]]'
}

@test "acrctl encode: the same group by ratio-to-prev gives the same registers" {
	requires_jq
	capture "$acrctl" encode --pmu cwf --json '{cpu_atom/instructions,period=200000,acr_mask=0x2/,cpu_atom/cycles,period=100000,acr_mask=0x3/}'
	by_mask=$(json '[.events[]|del(.text,.ratio)]')
	capture "$acrctl" encode --pmu cwf --json '{cpu_atom/instructions/, cpu_atom/cycles,period=100000,ratio-to-prev=0.5/}'
	is "$status" 0
	is "$(json '[.events[]|del(.text,.ratio)]')" "$by_mask"
	is "$(json '.events[1].ratio')" 0.5
}

@test "acrctl encode: the IPC < 2 group samples cycles" {
	requires_jq
	capture "$acrctl" encode --pmu cwf --json -e {cpu_atom/cycles/, \
	cpu_atom/instructions,period=200000,ratio-to-prev=2.0/}
	is "$status" 0
	is "$(json '[.events[]|[.name,.period,.acr_mask,.role]]')" \
		'[["cycles",100000,"0x2","sampled"],["instructions",200000,"0x3","quiet"]]'
}

@test "acrctl encode: text shows the matrix, the ratio and the registers" {
	capture "$acrctl" encode --pmu cwf -c 1000 '{cycles,branches/ratio-to-prev=0.3335/}'
	is "$status" 0
	has "$stdout" "branches restarts when cycles or branches overflows"
	has "$stdout" "ratio to the previous event: 0.334, asked for 0.3335"
	has "$stdout" "CFG_B"
}

# The periods are k times numerator and denominator, which are worked out by hand.
@test "acrctl encode: reloaded-by and resets give the masks of acr_mask, and the same matrix" {
	requires_jq
	capture "$acrctl" encode --pmu cwf --json '{cpu/instructions,period=200000,acr_mask=0x2/,cpu/cycles,period=100000,acr_mask=0x3/}'
	by_mask=$(json '[.events[]|del(.text)]')
	for group in '{cpu/instructions,period=200000,reloaded-by=cycles/,cpu/cycles,period=100000,reloaded-by=instructions+1/}' \
		'{cpu/instructions,period=200000,resets=cycles/,cpu/cycles,period=100000,resets=0+CYCLES/}' \
		'{cpu/instructions,period=200000,resets=1/,cpu/cycles,period=100000,acr_mask=0x3,resets=0+1/}'; do
		capture "$acrctl" encode --pmu cwf --json "$group"
		is "$status" 0
		is "$(json '[.events[]|del(.text)]')" "$by_mask"
		is "$(json '.groups[0].matrix')" "$matrix"
	done
	capture "$acrctl" encode --pmu cwf '{cpu/instructions,period=200000,resets=cycles/,cpu/cycles,period=100000,acr_mask=0x2/}'
	is "$status" 2
	has "$stderr" "'instructions' resets 'cycles', but the mask 0x2 does not have it"
	has "$stderr" "^ column 40"
}

@test "acrctl encode: a condition gives the same registers as its group by hand" {
	requires_jq
	capture "$acrctl" encode --pmu cwf --json '{cpu/instructions,period=200000,acr_mask=0x2/,cpu/cycles,period=100000,acr_mask=0x3/}'
	by_hand=$(json '[.events[]|del(.text)]')
	capture "$acrctl" encode --pmu cwf --json --when 'instructions / cycles > 2'
	is "$status" 0
	is "$(json '[.events[]|del(.text)]')" "$by_hand"
	is "$(json '.groups[0].matrix')" "$matrix"
	is "$(json '.groups[0].condition|[.window,.asked_window,.window_event]')" '[100000,100000,1]'
	is "$(json '.groups[0].condition.comparisons')" \
		'[{"a":"instructions","b":"cycles","relation":">","threshold":"2","numerator":2,"denominator":1}]'
	capture "$acrctl" encode --pmu cwf --json --when 'ipc < 2'
	is "$(json '[.events[]|[.name,.period,.acr_mask,.role]]')" \
		'[["cycles",100000,"0x2","sampled"],["instructions",200000,"0x3","quiet"]]'
}

@test "acrctl encode: a default window that makes a period too large is lowered, with the reason" {
	capture "$acrctl" encode --pmu skylake --when 'instructions / cache-misses > 5000'
	is "$status" 0
	has "$stdout" "periods 2147480000 / 429496"
	has "$stdout" "the window is 429496 x cache-misses instead of 1000000, so that no period is too large"
	capture "$acrctl" encode --pmu skylake --window 429497 --when 'instructions / cache-misses > 5000'
	is "$status" 2
	has "$stderr" "the largest that fits is --window 429496"
}

@test "acrctl encode: where software reloads, the smallest window is software's" {
	capture "$acrctl" encode --pmu skylake --window 10 --when 'ipc > 2'
	is "$status" 2
	has "$stderr" "the smallest that fits is --window 1000"
	capture "$acrctl" encode --pmu skylake --window 1000 --when 'ipc > 2'
	is "$status" 0
}

@test "acrctl encode: takes the conditions that --help shows" {
	"$acrctl" encode --help | grep -o "'[^']* [<>] [^']*'" | tr -d "'" > "$BATS_TEST_TMPDIR/conditions"
	is "$(wc -l < "$BATS_TEST_TMPDIR/conditions")" 3
	while read -r condition; do
		capture "$acrctl" encode --pmu cwf --when "$condition"
		is "$status" 0
	done < "$BATS_TEST_TMPDIR/conditions"
}

@test "acrctl encode: -e takes the group that --when prints" {
	requires_jq
	for condition in 'branch-misses:u / branches:u > 20%' 'cycles:i / BR_MISP_RETIRED.ALL_BRANCHES:ec=2 > 1' 'mpki(cache-misses) < 1/3 && ipc:uk > 0.7' \
		'cpu/event=0xc4,umask=0x7e/k / cpu/cycles,name=ticks/k < 3'; do
		capture "$acrctl" encode --pmu cwf --json --when "$condition"
		is "$status" 0
		events=$(json '[.events[]|del(.text,.name,.modifiers)]')
		capture "$acrctl" encode --pmu cwf --json -e "$(json ".groups[0].condition.events")"
		is "$status" 0
		is "$(json '[.events[]|del(.text,.name,.modifiers)]')" "$events"
	done
}

@test "acrctl encode: a condition as text shows the exact ratio, the window that differs, the group and the matrix" {
	capture "$acrctl" encode --pmu cwf --when 'cache-misses/instructions > 2/1000'
	is "$status" 0
	has "$stdout" "group 0: cache-misses / instructions > 0.002"
	has "$stdout" "exactly cache-misses / instructions > 0.002: periods 1000 / 500000"
	has "$stdout" "the window is 500000 x instructions instead of 100000, so that no period is too small"
	has "$stdout" "as events: {cpu/cache-misses,period=1000,acr_mask=0x2/,cpu/instructions,period=500000,acr_mask=0x3/}"
	has "$stdout" "instructions restarts when cache-misses or instructions overflows; cache-misses restarts when instructions overflows"
	capture "$acrctl" encode --pmu cwf --window 10000 --when 'ipc > 1/3'
	has "$stdout" "the window is 9999 x cycles instead of 10000, so that the ratio is exact"
	# the smallest period there is, but 1499 needs no more than to be rounded
	capture "$acrctl" encode --pmu cwf --window 1499 --when 'ipc > 2/3'
	has "$stdout" "the window is 1500 x cycles instead of 1499, so that the ratio is exact"
}

@test "acrctl encode: a condition that cannot be is refused at its column with the nearest that can" {
	requires_jq
	capture "$acrctl" encode --pmu cwf --when 'ipc > 1 && ipc < 2'
	is "$status" 2
	has "$stderr" "take one of the two, 'ipc > 1' or 'ipc < 2'"
	has "$stderr" "^ column 12"
	capture "$acrctl" encode --pmu cwf --json --when 'branches / instructions >= 20%'
	is "$status" 2
	is "$(json '.error|[.code,.column]')" '["condition-relation",1]'
	has "$(json .error.hint)" "branches / instructions > 20%"
	capture "$acrctl" encode --pmu cwf --json --window 100 --when 'mpki(branch-misses) > 5'
	is "$status" 2
	is "$(json .error.code)" window-small
	has "$(json .error.hint)" "--window 200000"
}

@test "acrctl encode: --when excludes events and -c, and --window needs it" {
	for args in '-e cycles' cycles '-c 1000' '--when cpi>1' '--window 0' '--window x' '--pmu montecito' \
		'--window 100000 --window 100000'; do
		# shellcheck disable=SC2086 # options and their arguments
		capture "$acrctl" encode --when 'ipc > 2' $args
		is "$status" 2
		has "$stderr" "acrctl: encode:"
	done
	capture "$acrctl" encode --window 1000 cycles
	is "$status" 2
	has "$stderr" "there is no --when"
	capture "$acrctl" encode --when 'ipc > 2' --window 100000 --window 200000
	has "$stderr" "--window is given twice"
}

@test "acrctl encode: a condition that does not fit the counters is made smaller by a comparison less" {
	requires_jq
	condition='r1 / r2 > 2'
	for code in 3 4 5 6 7 8 9 a; do condition+=" && r1 / r$code > 2"; done
	capture "$acrctl" encode --pmu cwf --json --when "$condition"
	is "$status" 2
	is "$(json '.error|[.code,.hint]')" '["no-assignment","leave a comparison out"]'
	capture "$acrctl" encode --pmu alderlake --acr software --when 'TOPDOWN.BAD_SPEC_SLOTS / TOPDOWN.BR_MISPREDICT_SLOTS > 1'
	has "$stderr" "; choose other events"
	capture "$acrctl" encode --when 'ipc ≥ 2'
	has "$stderr" "ipc ??? 2"
	capture "$acrctl" encode --pmu cwf --json -e '{r1,r2,r3,r4,r5,r6,r7,r8,r9}'
	is "$(json '.error|[.code,.hint]')" '["no-assignment","leave an event out, or split the group"]'
}

@test "acrctl: --help says the same of --window for encode, stat and record" {
	for command in encode stat record; do "$acrctl" $command --help | grep -A 1 '^ *--window N' > "$BATS_TEST_TMPDIR/$command"; done
	cd "$BATS_TEST_TMPDIR"
	has "$(cat encode)" "software 1000000; more or fewer"
	cmp encode stat
	cmp encode record
	is "$("$acrctl" encode --help | sed '/^$/q' | grep -c -- '--acr HOW')" 2
}

@test "acrctl encode: several -e give several groups with their index" {
	requires_jq
	capture "$acrctl" encode --pmu goldmont --json -c 5000 -e cycles:u -e '{instructions,branches}:k'
	is "$status" 0
	is "$(json '[.events[]|[.name,.group,.modifiers]]')" '[["cycles",0,"u"],["instructions",1,"k"],["branches",1,"k"]]'
}

@test "acrctl encode: an offcore response shows its extra register" {
	requires_jq
	capture "$acrctl" encode --pmu goldmont --json 'cpu/event=0xb7,umask=0x1,offcore_rsp=0x10001,period=1000/u'
	is "$status" 0
	is "$(json '.events[0]|[.config,.evtsel,.fixed,.extra_reg]')" '["0x1b7","0x5101b7",null,{"msr":"0x1a6","value":"0x10001"}]'
}

# two events that count on one counter only, and one that the CPU announces: codes and counters as on Skylake and Haswell
restricted_events()
{
	mkdir "$BATS_TEST_TMPDIR/own"
	cat > "$BATS_TEST_TMPDIR/own/pipeline.json" <<-END
		[{"EventName": "TEST.PRECISE", "EventCode": "0xc0", "UMask": "0x1", "Counter": "1"},
		 {"EventName": "TEST.PENDING", "EventCode": "0x48", "UMask": "0x1", "Counter": "2"},
		 {"EventName": "TEST.OTHER", "EventCode": "0x0e", "UMask": "0x1", "Counter": "0,1,2,3"},
		 {"EventName": "TEST.BRANCHES", "EventCode": "0xc4", "Counter": "0,1,2,3"}]
	END
}

@test "acrctl encode: events get counters that their table has" {
	requires_jq
	restricted_events
	capture "$acrctl" encode --pmu arch --events "$BATS_TEST_TMPDIR/own" --json '{TEST.BRANCHES,TEST.PENDING,TEST.PRECISE,TEST.OTHER}'
	is "$status" 0
	is "$(json '[.events[]|[.counter,.allowed_counters]]')" '[[0,null],[2,"0x4"],[1,"0x2"],[3,"0xf"]]'
	capture "$acrctl" encode --pmu arch --events "$BATS_TEST_TMPDIR/own" TEST.PENDING
	has "$stdout" "counter GP2 of GP2"
}

@test "acrctl encode: counters= chooses, and narrows what a table has" {
	requires_jq
	restricted_events
	capture "$acrctl" encode --pmu cwf --json '{branches/counters=0x6/,instructions/counters=0x100000000/,cycles/counters=0x80/}'
	is "$status" 0
	is "$(json '[.events[]|[.counter,.allowed_counters]]')" '[[1,"0x6"],[32,"0x100000000"],[7,"0x80"]]'
	capture "$acrctl" encode --pmu arch --events "$BATS_TEST_TMPDIR/own" --json TEST.OTHER/counters=0xc/
	is "$(json '.events[0]|[.counter,.allowed_counters]')" '[2,"0xc"]'
	capture "$acrctl" encode --pmu arch --events "$BATS_TEST_TMPDIR/own" TEST.PENDING/counters=0x3/
	is "$status" 2
	is "$stderr" "acrctl: encode: the event's table has none of the counters 0x3; it counts on 0x4: give some of these, or leave counters= out
  TEST.PENDING/counters=0x3/
               ^ column 14"
}

@test "acrctl encode: on a CPU without a row an event needs counters, unless it is architectural" {
	capture "$acrctl" encode --pmu arch '{branches,r01c0}'
	is "$status" 2
	has "$stderr" "which counters can count 'r01c0' is not known: the CPU is not in the CPU table, and the event not architectural; give them as counters=MASK"
	has "$stderr" "column 11"
	capture "$acrctl" encode --pmu arch '{branches,r01c0/counters=2/}'
	is "$status" 0
	has "$stdout" "counter GP1 of GP1"
	capture "$acrctl" encode --pmu arch '{branches,cache-misses,ref-cycles}'
	is "$status" 0
}

@test "acrctl encode: prints a syntax error on stderr with a pointer, and nothing on stdout" {
	capture "$acrctl" encode --pmu cwf '{cycles/perod=100/}'
	is "$status" 2
	is "$stdout" ""
	is "$stderr" "acrctl: encode: there is no term 'perod'; did you mean 'period'?
  {cycles/perod=100/}
          ^ column 9"
}

@test "acrctl encode: --json prints the error on stdout, with exit status 2" {
	requires_jq
	capture "$acrctl" encode --pmu cwf --json '{cycles/perod=100/}'
	is "$status" 2
	is "$stderr" ""
	is "$(json '.error|[.code,.column,.hint]')" "[\"unknown-term\",9,\"did you mean 'period'?\"]"
	[ -n "$(json .error.message)" ]
}

@test "acrctl encode: --json has the index of the refused string only if there are several" {
	requires_jq
	capture "$acrctl" encode --json cycles '{cycles/perod=100/}'
	is "$status" 2
	is "$(json '.error|keys_unsorted')" '["code","column","message","hint","string"]'
	is "$(json '.error|[.string,.column]')" '[1,9]'
	capture "$acrctl" encode --json '{cycles/perod=100/}'
	is "$(json '.error|has("string")')" false
}

@test "acrctl encode: prints the part of a long string around the error, with dots where it is cut" {
	events=$(printf 'cycles,%.0s' {1..9})
	# 60 bytes before the column and 30 from it on
	capture "$acrctl" encode --pmu cwf "{${events}nonsense,cycles,cycles,cycles,cycles}"
	is "$status" 2
	is "$(sed -n '2,$p' <<< "$stderr")" "  ...$(printf '%s' "{$events" | tail -c 60)nonsense,cycles,cycles,cycles,...
  $(printf '%63s' "")^ column 65"
	capture "$acrctl" encode --pmu cwf "{${events}nonsense,cycles,cycles,cycles}"
	is "$(sed -n '2,$p' <<< "$stderr")" "  ...$(printf '%s' "{$events" | tail -c 60)nonsense,cycles,cycles,cycles}
  $(printf '%63s' "")^ column 65"
	capture "$acrctl" encode --pmu cwf "{nonsense,$events}"
	is "$(sed -n '2,$p' <<< "$stderr")" "  {nonsense,cycles,cycles,cycles,...
   ^ column 2"
}

@test "acrctl encode: --json has its members in the documented order" {
	requires_jq
	capture "$acrctl" encode --pmu goldmont --json 'cpu/event=0xb7,umask=0x1,offcore_rsp=0x10001,period=1000/u'
	is "$status" 0
	is "$(json keys_unsorted)" '["schema","pmu","events","groups"]'
	is "$(json '.events[0]|keys_unsorted[:8]')" '["name","config","evtsel","fixed","period","acr_mask","extra_reg","modifiers"]'
	is "$(json '.events[0].extra_reg|keys_unsorted')" '["msr","value"]'
	capture "$acrctl" encode --json '{cycles/perod=100/}'
	is "$(json '.error|keys_unsorted')" '["code","column","message","hint"]'
}

@test "acrctl encode: --json is UTF-8 for any bytes in events: malformed ones become U+FFFD" {
	requires_jq
	# good: two, three and four bytes; bad: alone, too long, a surrogate, beyond the last character, cut off
	good=$'\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80'
	capture "$acrctl" encode --pmu cwf --json "cycles/name=$good"$'\xff|\xc0\x80|\xed\xa0\x80|\xf4\x90\x80\x80|\xe2\x82/'
	is "$status" 0
	iconv -f UTF-8 -t UTF-8 "$BATS_TEST_TMPDIR/stdout" > /dev/null
	bad=$'\xef\xbf\xbd'
	is "$(json '.events[0].name')" "$good$bad|$bad$bad|$bad$bad$bad|$bad$bad$bad$bad|$bad$bad"
}

@test "acrctl encode: --json escapes quotes, backslashes and control characters" {
	requires_jq
	capture "$acrctl" encode --pmu cwf --json $'cycles/name=\'a"b\\c\td\x01e\'/'
	is "$status" 0
	is "$(json '.events[0].name|explode')" '[97,34,98,92,99,9,100,1,101]'
}

@test "acrctl encode: refuses a group that the CPU cannot run, with its column" {
	requires_jq
	capture "$acrctl" encode --json --acr=hardware --pmu goldmont '{instructions,cycles/period=100000,ratio-to-prev=0.5/}'
	is "$status" 2
	is "$(json '.error|[.code,.column]')" '["no-acr",36]'
	has "$(json .error.hint)" "--acr=software"
}

@test "acrctl encode: --acr chooses how counters reload; auto takes hardware where the CPU has it" {
	requires_jq
	group='{cpu/instructions,period=200000,acr_mask=0x2/u,cpu/cycles,period=100000,acr_mask=0x3/u}'
	while read -r how pmu want; do
		capture "$acrctl" encode --json --acr="$how" --pmu "$pmu" "$group"
		is "$status" 0
		is "$(json '.groups[0].reload')" "$want"
		capture "$acrctl" encode --acr "$how" --pmu "$pmu" "$group"
		has "$stdout" "auto counter reload: ${want/software/in software}" || has "$stdout" "auto counter reload: by $want"
	done <<-'TABLE'
	auto cwf hardware
	hardware cwf hardware
	software cwf software
	auto goldmont software
	software goldmont software
	auto goldencove software
	TABLE
	# both interrupt; no counter reloads
	capture "$acrctl" encode --json --acr=software --pmu cwf "$group"
	is "$(json '[.events[]|.cfg_a,.cfg_b]')" '["0xa","0x0","0xa0","0x0"]'
	capture "$acrctl" encode --acr=software --pmu cwf "$group"
	is "$(grep -c ' interrupt$' <<< "$stdout")" 2
	# nothing reloads
	capture "$acrctl" encode --json --acr=software --pmu cwf cycles
	is "$(json '.groups[0]|has("reload")')" false
	capture "$acrctl" encode --acr=soft cycles
	is "$status" 2
	has "$stderr" "acrctl: encode: --acr 'soft' is no way to reload counters; use hardware, software or auto"
}

@test "acrctl encode: in software the default window of a condition is longer, and each period must be large enough" {
	requires_jq
	capture "$acrctl" encode --json --pmu goldmont --when 'instructions / cycles > 2'
	is "$(json '[.events[].period]')" '[2000000,1000000]'
	capture "$acrctl" encode --json --pmu cwf --when 'instructions / cycles > 2'
	is "$(json '[.events[].period]')" '[200000,100000]'
	capture "$acrctl" encode --json --pmu goldmont --window 500 --when 'instructions / cycles > 2'
	is "$status $(json .error.code)" "2 window-small"
	has "$(json .error.hint)" "--window 1000"
	capture "$acrctl" encode --json --pmu cwf --window 500 --when 'instructions / cycles > 2'
	is "$status $(json '[.events[].period]')" "0 [1000,500]"
	capture "$acrctl" encode --json --pmu goldmont '{instructions/period=2000,acr_mask=0x2/,cycles/period=999,acr_mask=0x3/}'
	is "$status $(json .error.code)" "2 period-cause"
}

@test "acrctl encode: with one bad group of two prints nothing of the good one" {
	capture "$acrctl" encode --pmu cwf -c 5000 -e cycles -e 'cpu/event=0,umask=9/'
	is "$status" 2
	is "$stdout" ""
	has "$stderr" "no counter can count"
}

@test "acrctl encode: reports an unclosed brace, also if arguments follow" {
	capture "$acrctl" encode -e '{cycles,' branches --
	is "$status" 2
	has "$stderr" "never closed"
	has "$stderr" "column 1"
}

@test "acrctl encode: refuses an unknown CPU and suggests a similar name" {
	capture "$acrctl" encode --pmu goldmnt cycles
	is "$status" 2
	has "$stderr" "did you mean 'goldmont'?"
}

@test "acrctl encode: refuses -c with 0, letters or suffixes" {
	for count in 0 abc 100k -5 ''; do
		capture "$acrctl" encode "-c$count" cycles
		is "$status" 2
	done
}

@test "acrctl encode: --json turns every error of the command line into an error object with exit status 2" {
	requires_jq
	for args in '-c 0 --json cycles' '--json -c 10k cycles' '--bogus --json' '--json --bogus cycles' '-x --json' '-x -j' '--json -c' \
		'--json --pmu' '--json --json=yes cycles' '--json' '--json --pmu nonsense cycles' '--json --bogus --help'; do
		# shellcheck disable=SC2086 # several arguments
		capture "$acrctl" encode $args
		is "$status" 2
		is "$stderr" ""
		is "$(json '.error|keys_unsorted|join(" ")')" "code column message hint"
		[ -n "$(json '.error.message|select(length > 0)')" ]
	done
}

@test "acrctl encode: reports the first error of the command line on stderr" {
	while IFS='|' read -r args message; do
		# shellcheck disable=SC2086 # several arguments
		capture "$acrctl" encode $args
		is "$status" 2
		is "$stdout" ""
		has "$stderr" "acrctl: encode: $message"
	done <<-'END'
	-c 0 cycles|-c '0' is not a period; give a whole number above 0
	-c 99999999999999999999 cycles|-c '99999999999999999999' needs more than 64 bits; the largest number is 18446744073709551615
	cycles/period=99999999999999999999/|the number '99999999999999999999' of 'period' needs more than 64 bits; the largest number is 18446744073709551615
	--bogus -c 0 cycles|there is no option '--bogus'
	-x cycles|there is no option '-x'
	cycles --count|the option '--count' needs an argument
	--json=yes cycles|the option '--json=yes' takes no argument
	END
}

@test "acrctl encode: --pmu list --json is JSON with the names" {
	requires_jq
	capture "$acrctl" encode --pmu list --json
	is "$status" 0
	is "$(json '.pmus[]|select(.name == "goldmont")|[.short_name,.core,.acr]')" '["glm","Goldmont",false]'
	is "$(json '[.pmus[]|select(.acr)|.name]|index("clearwaterforest")|type')" number
}

four='branches,branches,branches,branches'

@test "acrctl encode: assigns counters to groups in order, as a recording does" {
	requires_jq
	capture "$acrctl" encode --pmu goldmont --json -c 5000 -e '{branches,branches}' -e branches -e cycles -e cycles:u
	is "$status" 0
	# the second event of cycles finds the fixed counter taken and gets a general-purpose one
	is "$(json '[.events[].counter]')" '[0,1,2,33,3]'
}

@test "acrctl encode: refuses a group that finds its counters taken by earlier groups" {
	requires_jq
	capture "$acrctl" encode --pmu goldmont --json -c 5000 -e "{$four}" -e branches:u
	is "$status" 2
	is "$(json '.error|[.code,.string,.column]')" '["counters-held",1,1]'
	has "$(json .error.message)" "taken by the groups before it: general-purpose 0,1,2,3"
	# an extra register is shared by equal values only
	capture "$acrctl" encode --pmu goldmont --json -c 5000 cpu/event=0xb7,umask=1,config1=1/ cpu/event=0xb7,umask=1,config1=2/ \
		cpu/event=0xb7,umask=1,config1=1/
	is "$status" 0
	is "$(json '[.events[].extra_reg.msr]')" '["0x1a6","0x1a7","0x1a6"]'
	capture "$acrctl" encode --pmu goldmont --json -c 5000 cpu/event=0xb7,umask=1,config1=1/ cpu/event=0xb7,umask=1,config1=2/ \
		cpu/event=0xb7,umask=1,config1=4/
	is "$status" 2
	is "$(json '.error|[.code,.string]')" '["extra-register-busy",2]'
}

@test "acrctl encode: text notes that the claim may hold a counter, from version 4 on" {
	claim='one general-purpose counter may be held by the claim'
	for cpu in clearwaterforest goldmont; do
		capture "$acrctl" encode --pmu $cpu -c 5000 cycles
		is "$status" 0
		is "$stderr" ""
		has "$stdout" "$claim"
	done
	# version 2
	capture "$acrctl" encode --pmu architectural -c 5000 cycles
	is "$status" 0
	[[ $stdout != *"$claim"* ]]
}

@test "acrctl encode: notes the claim, without an error, if events need every general-purpose counter" {
	requires_jq
	capture "$acrctl" encode --pmu clearwaterforest -c 5000 -e "{$four}" -e "{$four}"
	is "$status" 0
	has "$stderr" "acrctl: encode: note: the claim"
	capture "$acrctl" encode --pmu clearwaterforest -c 5000 --json "{$four,$four}"
	is "$status" 0
	has "$stderr" "acrctl: encode: note: the claim"
	is "$(json '[.events[].counter]|sort')" '[0,1,2,3,4,5,6,7]'
	# seven leave it one
	capture "$acrctl" encode --pmu clearwaterforest -c 5000 "{$four,branches,branches,branches,cycles}"
	is "$status" 0
	is "$stderr" ""
	# four of version 4, and of version 2, which no kernel claims
	capture "$acrctl" encode --pmu goldmont -c 5000 "{$four}"
	is "$status" 0
	has "$stderr" "acrctl: encode: note: the claim that keeps in-tree perf off takes one general-purpose counter on kernels that address the registers of version 6 or can give the PMU to guests (7.0 and later), and "
	capture "$acrctl" encode --pmu architectural -c 5000 "{$four}"
	is "$status" 0
	is "$stderr" ""
}

@test "acrctl encode: prints no unprintable byte of a name" {
	capture "$acrctl" encode --pmu cwf -c 5000 $'{cycles/name=\e]0;x\a/,branches/name=b\x9b2J/}'
	is "$status" 0
	is "$(LC_ALL=C tr -d '\n -~' <<< "$stdout" | od -An -c)" ""
	has "$stdout" "event 0: ?]0;x?"
	has "$stdout" "event 1: b?2J"
}

@test "acrctl encode: refuses a command line without events" {
	capture "$acrctl" encode
	is "$status" 2
	has "$stderr" "no event is given"
}

@test "acrctl encode: --pmu list names the CPUs" {
	capture "$acrctl" encode --pmu list
	is "$status" 0
	has "$stdout" clearwaterforest
	has "$stdout" goldmont
}

@test "acrctl encode: names the CPU that it assumes where --events has none for this machine" {
	requires_jq
	local dir=$BATS_TEST_TMPDIR/events
	mkdir -p "$dir/own"
	echo '[]' > "$dir/own/own.json"
	# in no machine: even a refused directory names the CPU
	printf '%s\n' 'Family-model,Version,Filename,EventType' 'GenuineIntel-6-01,v1,own,core' > "$dir/mapfile.csv"
	capture env ACRCTL_CPUID= "$acrctl" encode --events "$dir" cycles
	is "$status" 2
	has "$stderr" "events are those of clearwaterforest"
	echo 'GenuineIntel-6-DD,v1,own,core' >> "$dir/mapfile.csv"
	capture env ACRCTL_CPUID= "$acrctl" encode --events "$dir" nosuch
	is "$status" 2
	has "$stderr" "events are those of clearwaterforest"
	capture env ACRCTL_CPUID= "$acrctl" encode --events "$dir" --json nosuch
	is "$status" 2
	is "$(json .error.code)" unknown-event
	has "$stderr" "events are those of clearwaterforest"
	# this one names its CPU
	capture env ACRCTL_CPUID= "$acrctl" encode --events "$dir" glm::NOSUCH
	is "$status" 2
	[[ $stderr != *clearwaterforest* ]]
}

@test "acrctl encode: on an unknown CPU it names the CPU that it encodes for" {
	requires_jq
	unknown=(env ACRCTL_CPUID= "$acrctl" encode)
	note="note: this machine's CPU is not known, so events are those of clearwaterforest; --pmu chooses another"
	grep -q GenuineIntel /proc/cpuinfo && skip "this machine has an Intel CPU"
	capture "${unknown[@]}" cycles
	is "$status" 0
	has "$stdout" "pmu: clearwaterforest (Darkmont), since this machine's CPU is not known; --pmu chooses"
	is "$stderr" ""
	capture "${unknown[@]}" --json cycles
	is "$status" 0
	is "$(json .pmu)" clearwaterforest
	is "$stderr" "acrctl: encode: $note"
	# more events than the CPU has counters
	capture "${unknown[@]}" "{$(printf 'instructions:u,%.0s' {1..12})cycles}"
	is "$status" 2
	has "$stderr" "$note"
	for args in nosuch "--json nosuch"; do
		# shellcheck disable=SC2086 # several arguments
		capture "${unknown[@]}" $args
		is "$status" 2
		has "$stderr" "$note"
	done
	# these name their CPU, or are given one
	for args in "--json glm::UNHALTED_CORE_CYCLES" "glm::NOSUCH" "--pmu gracemont --json cycles"; do
		# shellcheck disable=SC2086 # several arguments
		capture "${unknown[@]}" $args
		[[ $stderr != *"$note"* ]]
	done
}

@test "acrctl encode: E-cores of Arrow Lake have the names of their own list, not those of relatives" {
	for cpuid in GenuineIntel-6-C5-2 GenuineIntel-6-C6-0; do
		export ACRCTL_CPUID=$cpuid
		capture "$acrctl" encode 'cpu_atom/MEM_BOUND_STALLS_LOAD.LLC_HIT/'
		is "$status" 0
		has "$stdout" "pmu: skymont (Skymont)"
		has "$stdout" "config 0x634,"
		# of Lunar Lake, of the low-power cores of Arrow Lake and of its P-cores
		for name in OCR.DEMAND_DATA_RD.MEMSIDE_CACHE L2_LINES_OUT.SILENT MEM_INST_RETIRED.ANY; do
			capture "$acrctl" encode "$name"
			is "$status" 2
		done
	done
	capture env ACRCTL_CPUID=GenuineIntel-6-BD-0 "$acrctl" encode OCR.DEMAND_DATA_RD.MEMSIDE_CACHE
	is "$status" 0
	# a table for several kinds of cores means the P-core
	capture env -u ACRCTL_CPUID "$acrctl" encode --pmu arrowlake MEM_INST_RETIRED.ANY
	is "$status" 0
	has "$stdout" "pmu: lioncove"
}

@test "acrctl encode: perf's terms for call chains are refused with the option of acrctl record that does the same" {
	for list in "call-graph=fp|acrctl record has the option -g, for all sampled events" \
			"max-stack=8|acrctl record has the option --max-stack, for all sampled events" \
			"stack-size=8|leave it out: call chains follow frame pointers, no copy of the stack"; do
		capture "$acrctl" encode --pmu cwf -c 100000 "cpu/cycles,${list%|*}/"
		is "$status" 2
		has "$stderr" "perf's term '${list%=*}' is not supported; ${list#*|}"
		capture "$acrctl" record --help
		[[ $list = stack-size* ]] || has "$stdout" "$(sed -E 's/.*option (-[a-z-]+).*/\1/' <<< "$list")"
	done
}
