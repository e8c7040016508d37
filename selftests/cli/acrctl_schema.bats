#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What each --json prints has the form of its schema, which is strict and documented.

bats_require_minimum_version 1.5.0
load device_helpers
load helpers
load monitor_helpers

schemas=$root/Documentation/schemas

setup_file()
{
	build_device
	build_monitor_fixtures
	cd "$BATS_FILE_TMPDIR" || return 1
	printf 'ffffffff81000000 T _text\nffffffff81001000 t inner\nffffffff81002000 t outer\nffffffff81003000 t last\n' > kallsyms
	python3 -B - <<-PYTHON
	import sys
	sys.path.insert(0, "$root/selftests/cli")
	from perfdata import *
	f = File()
	f.mmap(0xffffffff, 0xffffffff81000000, 0x1000000, b"[kernel.kallsyms]_text", 0, KERNEL, 0xffffffff81000000)
	f.comm(5, 5, b"prog", 1)
	f.mmap(5, 0x1000, 0x1000, b"/no/file", 1)
	f.lost(1, 3, 2)
	for i in range(20):
	    f.sample(0xffffffff81001010, 5, 5, 2 + i, KERNEL, [CONTEXT_KERNEL, 0xffffffff81001010, 0xffffffff81002010, CONTEXT_USER, 0x1100])
	f.sample(0, 6, 6, 30, USER, [CONTEXT_USER, 0, 0x1200])
	f.sample(0, 6, 6, 31, GUEST_USER, [])
	f.write("chains.data")
	PYTHON
}

setup()
{
	python3 -c 'import jsonschema' 2> /dev/null || skip "python3-jsonschema is not installed"
	cd "$BATS_TEST_TMPDIR" || return 1
	chains=(-i "$BATS_FILE_TMPDIR/chains.data" --kallsyms "$BATS_FILE_TMPDIR/kallsyms")
	export ACRCTL_CPUID=GenuineIntel-6-DD-0 ACRCTL_TSC_HZ=1500000000 FAKE_LOG=$BATS_TEST_TMPDIR/log
}

check_schema() { python3 -B "$root/selftests/cli/check_schema.py" "$@"; }

# conforms STATUS NAME COMMAND...: it ends with that status, and its output is of the schema of that name
conforms()
{
	local want=$1 name=$2

	shift 2
	capture "$@"
	is "$status" "$want"
	check_schema "$name" stdout
}

@test "schemas: each is valid, strict, describes every member, and is in the table" {
	for schema in "$schemas"/*.json; do
		name=${schema##*/}
		check_schema --form "${name%.json}"
		grep -q "\`${name%.json} <schemas/$name>\`_" "$root/Documentation/json.rst"
	done
}

@test "schemas: every command that has --json has one, and every schema has a test" {
	commands=$("$acrctl" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p')
	[ -n "$commands" ]
	for command in $commands; do
		if "$acrctl" "$command" --help | grep -q -- '--json'; then
			[ -e "$schemas/$command.json" ] || { echo "$command has no schema"; return 1; }
		fi
	done
	for schema in "$schemas"/*.json; do
		name=${schema##*/}
		grep -rqE "(conforms [0-9]+|check_schema(\.py)?\"?( --lines)?) ${name%.json} " "$root/selftests" || { echo "no test of $name"; return 1; }
	done
}

@test "schemas: info, with and without the module" {
	conforms 0 info "$acrctl_fake" info --json
	conforms 0 info "$acrctl" info --json
}

@test "schemas: list, of names and of none" {
	conforms 0 list "$acrctl" list --pmu goldmont --json 'offcore*'
	conforms 0 list "$acrctl" list --pmu glm --json --topic generic
	conforms 1 list "$acrctl" list --pmu goldmont --json nonsense
	conforms 0 list-montecito "$acrctl" list --pmu montecito --json 'l1*'
	conforms 1 list-montecito "$acrctl" list --pmu montecito --json nonsense
}

@test "schemas: encode, with a condition, an extra register, limited counters and refusals" {
	conforms 0 encode "$acrctl" encode --json --when 'ipc:u > 2'
	conforms 0 encode "$acrctl" encode --json --acr software --when 'ipc:u > 2'
	conforms 0 encode "$acrctl" encode --pmu goldmont --json -c 5000 'OFFCORE_RESPONSE/offcore_rsp=0x18000/'
	conforms 0 encode "$acrctl" encode --json -c 5000 '{branches/counters=0x6/}'
	conforms 0 encode "$acrctl" encode --json '{cpu/instructions/u,cpu/cycles,period=100000,ratio-to-prev=0.5/u}'
	conforms 2 encode "$acrctl" encode --json '{cycles/perod=100/}'
	conforms 2 encode "$acrctl" encode --json cycles '{cycles/perod=100/}'
	conforms 0 pmus "$acrctl" encode --pmu list --json
	conforms 0 pmus "$acrctl" list --pmu list --json
}

@test "schemas: montecito, with ranges of code and data and refusals" {
	conforms 0 montecito "$acrctl" encode --pmu montecito --json --irange 0x6000000000009780+0x5960 --drange 0x10000-0x10020 \
		DATA_EAR_CACHE_LAT4096,LOADS_RETIRED
	conforms 0 montecito "$acrctl" encode --pmu montecito --json LOADS_RETIRED
	conforms 2 montecito "$acrctl" encode --pmu montecito --json nonsense
	conforms 2 montecito "$acrctl" encode --pmu montecito --json LOADS_RETIRED --irange x
	conforms 2 montecito "$acrctl" encode --pmu montecito --json "$(printf 'LOADS_RETIRED,%.0s' {1..12})LOADS_RETIRED"
}

# stat_lines ARGUMENTS...: counts on a device with its own clock; each line is of the schema
stat_lines()
{
	capture counting "$acrctl" stat --json "$@"
	is "$status" 0
	[ -s stdout ]
	check_schema --lines stat stdout
}

@test "schemas: stat, by interval, CPU and run, with conditions, twins and turns" {
	stat_lines -a -I 50 -e '{instructions,cycles}'
	stat_lines -C 0,1 -A -e '{instructions,cycles}'
	stat_lines -a --when 'ipc:u > 2'
	FAKE_NO_ACR=1 stat_lines -a --acr software --when 'ipc:u > 2'
	FAKE_CNTRS=2 stat_lines -a -e '{instructions,branches}' -e '{cycles,branch-misses}'
	stat_lines -a --twins -e '{instructions/period=200000,acr_mask=0x2/,cycles/period=100000,acr_mask=0x3/}'
	mkfifo fifo
	FAKE_FIFO=fifo stat_lines -r 3 -e instructions -- cat fifo
}

@test "schemas: report, by all keys, with chains from either end, and without samples" {
	conforms 0 report "$acrctl" report "${chains[@]}" --json
	conforms 0 report "$acrctl" report "${chains[@]}" --json --sort comm,pid,tid,cpu,dso,sym -g
	conforms 0 report "$acrctl" report "${chains[@]}" --json --sort pid --call-graph caller
}

@test "schemas: report, of a recording with a condition" {
	for how in hardware software 'hardware -F 100'; do
		# shellcheck disable=SC2086 # options
		FAKE_OCCURS=1000 capture fake record -q --acr $how --when 'ipc:u > 2' -o when.data -- true
		is "$status" 0
		conforms 0 report "$acrctl" report -i when.data --json
	done
	has "$(json '.ratios[0]|keys_unsorted|join(" ")')" 'name a b value unknown windows'
}

@test "schemas: script, with all fields, some, and chains" {
	conforms 0 script "$acrctl" script "${chains[@]}" --json
	conforms 0 script "$acrctl" script "${chains[@]}" --json -F sym,time
}

@test "schemas: ps, of sessions of all kinds and of none, and monitor, of all messages" {
	monitor_setup
	conforms 0 ps env LD_PRELOAD="$preload" "$acrctl_fake" ps --json
	messages <<-'END'
	about = dict(mine, TIME=T)
	write("dump.1", *exists(sampling, strange, counting))
	write("notices.1", message("SESSION_CREATED", TIME=T, **dict(sampling, SESSION=20)),
	    message("SESSION_CHANGED", CHANGE=5, STATE=0, CPUS=cpus(2), EVENT=sampling["EVENT"], **about), message("SESSION_CHANGED", CHANGE=77, STATE=0, CPUS=b"", **about),
	    message("SESSION_ENDED", CREATED=T, COUNT=[dict(VALUE=1 << 62, OVERFLOWS=2, FLAGS=1), dict(VALUE=0, OVERFLOWS=0, FLAGS=2)], **accounts, **about),
	    message("PMU_CLAIMED", CPUS=cpus(0), **about), message("PMU_RELEASED", CPUS=cpus(0), **about),
	    message("REFUSED", ERRNO=16, REASON=33, VALUE=1, LIMIT=0, CPU=3, HOLDER_PID=4711, HOLDER=b"a\xff", **about),
	    message("REFUSED", TIME=T, PID=0, COMM=b"a", UID=4000000000, ERRNO=12, REASON=0, VALUE=0, LIMIT=0, HOLDER_PID=0, EVENT_INDEX=0),
	    message("REGISTER_CHANGED", CPU=3, COUNTER=33, REGISTER=0x38d, EXPECTED=0xb0, FOUND=0, **about),
	    message("PMU_TAKEN", ERRNO=16, REASON=66, VALUE=0, LIMIT=0, CPU=3, HOLDER_PID=4711, HOLDER=b"perf", **about),
	    message("REGISTER_CHANGED", CPU=3, COUNTER=3, REGISTER=0x38d, EXPECTED=0xb0, **about), message("LOST", CPU=3, LOST=12, **about),
	    message("SESSION_ENDED", CREATED=T, **about), message("REGISTER_CHANGED", CPU=3, COUNTER=3, REGISTER=0x38d, **about),
	    message("LOST", CPU=3, **about), message("STOPPED", CPU=3, **about), message("RESUMED", CPU=3, **about),
	    message("STOPPED", CPU=3, THROTTLED=100, PAUSES=5, **about), message("RESUMED", CPU=3, THROTTLED=101, PAUSES=5, **about),
	    message("CPU_ONLINE", TIME=T, CPU=3), message("CPU_OFFLINE", TIME=T, CPU=3), message("CPU_LOST", CPU=3, **about),
	    message(42, **about), message("MISSED", MISSED=12, LEFT_OUT=3))
	write("dump.2", *exists(strange))
	write("notices.2", unloaded)
	END
	conforms 0 ps env LD_PRELOAD="$preload" "$acrctl_fake" ps --json
	is "$(json '.sessions | map(.session) | tostring')" "[7,9,11]"
	capture env LD_PRELOAD="$preload" "$acrctl_fake" monitor --json
	check_schema --lines monitor stdout
	is "$(json .type | sort -u | xargs)" "$(jq -r '.properties.type.enum[]' "$schemas/monitor.json" | sort -u | xargs)"
	is "$(json 'select(.counts) | .counts | map([.overflows, .taken]), .[1].value' | head -n 2 | xargs)" "[[2,false],[null,true]] null"
}

@test "schemas: what a recording does not have is null, and - in text" {
	PYTHONPATH=$root/selftests/cli python3 -B - <<-PYTHON
	import struct
	from perfdata import *
	f = File()
	# IDENTIFIER and IP alone, in samples and other records
	f.sample_type = f.second_type = 1 << 16 | 1
	f.flags = 0
	f.data.append(struct.pack("<IHHQQ", SAMPLE, USER, 24, 1, 0x1000))
	f.write("bare.data")
	PYTHON
	conforms 0 script "$acrctl" script -i bare.data --json
	is "$(json '.samples[0] | [.pid, .tid, .cpu, .time, .symoff, .ip]')" '[null,null,null,null,null,"0x1000"]'
	conforms 0 report "$acrctl" report -i bare.data --json --sort pid,tid,cpu
	is "$(json '.events[0].entries[0] | [.pid, .tid, .cpu, .samples]')" '[null,null,null,1]'
	conforms 0 report-diff "$acrctl" report -i bare.data --diff bare.data --json --sort cpu
	is "$("$acrctl" report -i bare.data --sort cpu | awk 'END { print $3 }')" -
	is "$("$acrctl" script -i bare.data -F cpu,time | xargs)" "[---] -:"
}

@test "schemas: report --diff, by all keys" {
	conforms 0 report-diff "$acrctl" report "${chains[@]}" --diff "${chains[1]}" --json --sort comm,pid,tid,cpu,dso,sym
	conforms 0 report-diff "$acrctl" report "${chains[@]}" --diff "${chains[1]}" --json
}

@test "schemas: annotate, of code that is in a file and of code that is not" {
	conforms 0 annotate "$acrctl" annotate "${chains[@]}" --json
	has "$(json .unknown)" "the kernel's file was not read"
	printf '.globl _text, inner\n.text\n_text: nop\n.org 0x1000\n.type inner, @function\ninner: .fill 32, 1, 0x90\n.size inner, . - inner\n' > kernel.s
	cc -nostdlib -static -Wl,-Ttext=0xffffffff81000000 -Wl,-e,_text -g -o vmlinux kernel.s
	conforms 0 annotate "$acrctl" annotate "${chains[@]:0:2}" --vmlinux vmlinux --json
	is "$(json '.lines | length')" 32
}

@test "schemas: the check refuses output that is cut, has a member twice, or another form" {
	"$acrctl" script "${chains[@]}" --json > good
	check_schema script good
	sed '$d' good > cut
	sed 's/"pid":5,/"pid":5,"pid":5,/' good > twice
	sed 's/"symoff":/"offset":/' good > renamed
	sed 's/"pid":5,/"pid":"5",/' good > typed
	for bad in cut twice renamed typed; do
		run check_schema script $bad
		[ "$status" = 1 ] || { echo "accepts $bad"; return 1; }
	done
}
