#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# acrctl report --firefox: its samples are those that script prints, its tables those of the format, also as speedscope reads them.

bats_require_minimum_version 1.5.0
load device_helpers
load symbols_helpers
load helpers

setup_file() { build_nested; }

setup()
{
	common_setup
	export PYTHONPATH=$root/selftests/cli
	printf 'ffffffff81000000 T _text\nffffffff81001000 t inner\nffffffff81002000 t outer\nffffffff81003000 t last\n' > kallsyms
}

# make_data: recorded.data by the Python on stdin, with f, a file of perfdata.py
make_data()
{
	{
		printf 'from perfdata import *\nf = File()\n'
		cat
		printf '\nf.write("recorded.data")\n'
	} | python3 -B -
}

# profile FILE [OPTION...]: its profile.json, and read.json, what firefox.py reads in it
profile()
{
	local data=$1

	shift
	"$acrctl" report -i "$data" "$@" --firefox profile.json 2> notes
	python3 -B "$root/selftests/cli/firefox.py" profile.json > read.json
}

# same_samples FILE [OPTION...]: read.json has the samples that script prints, thread by thread, with all frames
same_samples()
{
	local data=$1

	shift
	"$acrctl" script -i "$data" "$@" --json > script.json
	python3 - <<-'PYTHON'
	import json
	got, want = {}, {}
	profile = json.load(open("read.json"))
	samples = json.load(open("script.json"))["samples"]
	begin = min(int(s["time"]) for s in samples)
	for s in samples:
	    chain = s.get("chain") or [{k: s[k] for k in ("ip", "sym", "dso")} | {"inlined": False}]
	    frames = [(f["sym"] or "0x%016x" % int(f["ip"], 16), f["inlined"]) for f in chain]
	    want.setdefault((s["pid"], s["tid"]), []).append((int(s["time"]) - begin, s["period"], frames))
	for t in profile["threads"]:
	    assert (t["pid"], t["tid"]) not in got, "a thread is there twice"
	    got[t["pid"], t["tid"]] = [(round(s["time_ms"] * 1e6), s["weight"], [(f["name"], f["depth"] > 0) for f in s["frames"]])
	                               for s in t["samples"]]
	assert got == want, "the samples differ"
	assert sum(map(len, got.values())) > 10
	PYTHON
}

@test "acrctl report --firefox: has the samples that script prints, with inlined functions, times and periods" {
	find_nested
	profile "$nested"
	is "$(cat notes)" ""
	same_samples "$nested"
	is "$(jq -r '[.threads[] | [.process, .main]] | unique | tostring' read.json)" '[["nested",true]]'
	jq -e '[.threads[].samples[].frames[] | select(.name == "deepest") | [.depth, (.file | test("nested.c$")), .line]] | unique == [[2, true, 5]]' read.json
}

@test "acrctl report --firefox: addresses and symbols are those of nm, and the build-id that of readelf" {
	find_nested
	profile "$nested"
	id=$(readelf -n "$BATS_FILE_TMPDIR/nested" | sed -n 's/.*Build ID: //p')
	ID=$id PROGRAM=$BATS_FILE_TMPDIR/nested python3 - <<-'PYTHON'
	import json, os, subprocess, uuid
	program = os.environ["PROGRAM"]
	profile = json.load(open("read.json"))
	lib = next(l for l in profile["libs"] if l["path"] == program)
	code = os.environ["ID"]
	guid = uuid.UUID(bytes_le=bytes.fromhex(code)[:16]).hex.upper()
	assert lib["codeId"] == code and lib["breakpadId"] == guid + "0" and lib["name"] == lib["debugName"] == "nested", lib
	nm = {n: int(a, 16) for a, _, n in (l.split() for l in subprocess.check_output(["nm", "--defined-only", program], text=True).splitlines())}
	seen = set()
	for t in profile["threads"]:
	    for s in t["samples"]:
	        for i, f in enumerate(s["frames"]):
	            if f["lib"] != program:
	                continue
	            symbol = f["symbol"]
	            assert symbol["address"] == nm[symbol["name"]] <= f["address"] < symbol["address"] + symbol["size"], f
	            assert f["depth"] or f["name"] == symbol["name"]
	            seen.add((symbol["name"], f["address"]))
	# run is left by a call, which has five bytes: the address points into it
	out = subprocess.check_output(["objdump", "-d", "--no-show-raw-insn", "--disassemble=run", program], text=True)
	call = next(int(l.split(":")[0], 16) for l in out.splitlines() if "\tcall" in l)
	assert ("run", call + 4) in seen, seen
	assert any(n == "outer" for n, _ in seen)
	PYTHON
}

@test "acrctl report --firefox: kernel and user code, threads, guests and files without symbols" {
	make_data <<-'PYTHON'
	f.mmap(0xffffffff, 0xffffffff81000000, 0x1000000, b"[kernel.kallsyms]_text", 0, KERNEL, 0xffffffff81000000)
	for pid, comm in (5, b"prog"), (6, b"other"):
	    f.comm(pid, pid, comm, 1)
	    f.mmap(pid, 0x1000, 0x1000, b"/no/file.so", 1)
	f.fork(5, 5, 55, 5, 2)
	f.comm(5, 55, b"worker", 2)
	for i in range(300):
	    pid, tid = [(5, 5), (5, 55), (6, 6)][i % 3]
	    kernel = [0xffffffff81001010, 0xffffffff81002010][i % 2:]
	    f.sample(kernel[0], pid, tid, 1000 + i, KERNEL, [CONTEXT_KERNEL] + kernel + [CONTEXT_USER, 0x1100 + i % 7])
	f.sample(0x1234, 7, 7, 2000, GUEST_USER, [])
	PYTHON
	profile recorded.data --kallsyms kallsyms
	same_samples recorded.data --kallsyms kallsyms
	is "$(jq -c '[.threads[] | [.pid, .tid, .name, .process, .main]]' read.json)" \
		'[[5,5,"prog","prog",true],[5,55,"worker","prog",false],[6,6,"other","other",true],[7,7,"[unknown]","[unknown]",true]]'
	is "$(jq -c '[.threads[].samples[].frames[] | [.category, .lib]] | unique' read.json)" \
		'[["Guest",null],["Kernel","[kernel.kallsyms]"],["User","/no/file.so"]]'
	# the interrupted instruction has its own address, callers that of the call before
	is "$(jq -c '[.threads[].samples[].frames[] | select(.name == "outer") | .address] | unique | sort' read.json)" "[$((0x200f)),$((0x2010))]"
	is "$(jq -c '[.threads[].samples[].frames[] | select(.name == "inner") | .symbol.address] | unique' read.json)" "[$((0x1000))]"
}

@test "acrctl report --firefox: events that are sampled together have threads of their own" {
	make_data <<-'PYTHON'
	f.names = [b"first", b"second"]
	f.comm(5, 5, b"prog", 1)
	f.sample(0x1000, 5, 5, 4)
	body = struct.pack("<QQIIQIIQ", 2, 0x1000, 5, 5, 6, 0, 0, 70)
	f.data.append(struct.pack("<IHH", SAMPLE, USER, 8 + len(body)) + body)
	PYTHON
	profile recorded.data
	is "$(jq -c '[.threads[] | [.name, .main, [.samples[].weight]]]' read.json)" '[["prog (first)",true,[1000]],["prog (second)",false,[70]]]'
}

@test "acrctl report --firefox: more samples than are kept in memory, of many threads, in the order of their times" {
	make_data <<-'PYTHON'
	for i in range(20000):
	    f.sample(0x1000 + i % 50, 5, 5 + i * i % 97, 10 + i)
	PYTHON
	profile recorded.data
	same_samples recorded.data
}

@test "acrctl report --firefox: hostile names are JSON, and standard output has the same as a file" {
	make_data <<-'PYTHON'
	names = [b'quote"', b"back\\", b"new\nline", b"\xff\xfe", b"\x1b[2J", b"</script>", b"\xc3\xa9"]
	for i, name in enumerate(names):
	    f.comm(10 + i, 10 + i, name, 1)
	    f.mmap(10 + i, 0x1000, 0x1000, b"/no/" + name, 1)
	    f.sample(0x1000, 10 + i, 10 + i, 2 + i)
	PYTHON
	profile recorded.data
	python3 - <<-'PYTHON'
	import json
	want = ['quote"', "back\\", "new\nline", "\ufffd\ufffd", "\x1b[2J", "</script>", "\u00e9"]
	read = json.load(open("read.json"))
	assert [t["name"] for t in read["threads"]] == want, read["threads"]
	assert [l["path"] for l in read["libs"]] == ["/no/" + w for w in want]
	PYTHON
	"$acrctl" report -i recorded.data --firefox - > stream.json
	cmp profile.json stream.json
}

# speedscope_reads FILE LEAST [OPTION...]: speedscope finds the stacks that script prints, each as often, at least LEAST of them
speedscope_reads()
{
	local data=$1 least=$2

	shift 2
	profile "$data" "$@"
	python3 -B "$root/selftests/cli/firefox.py" --rows profile.json rows.json
	node "$root/selftests/cli/npm/speedscope.js" "$packages" rows.json > speedscope.json
	"$acrctl" script -i "$data" "$@" --json > script.json
	LEAST=$least python3 - <<-'PYTHON'
	import collections, json, os
	got, want = collections.Counter(), collections.Counter()
	profile, = json.load(open("speedscope.json"))
	for stack, weight in profile["stacks"]:
	    got[tuple(stack)] += weight
	for s in json.load(open("script.json"))["samples"]:
	    want[tuple(f["sym"] or "0x%016x" % int(f["ip"], 16) for f in reversed(s["chain"]))] += 1
	assert got == want and len(want) >= int(os.environ["LEAST"]), (got, want)
	PYTHON
}

@test "acrctl report --firefox: speedscope reads every stack with its count" {
	find_nested
	command -v npm > /dev/null || skip "npm is not installed"
	packages=$("$root/selftests/cli/npm_packages.sh") || skip "npm cannot fetch packages here"
	# nearly all instructions are deepest's, so that there may be one stack only
	speedscope_reads "$nested" 1
	make_data <<-'PYTHON'
	f.mmap(0xffffffff, 0xffffffff81000000, 0x1000000, b"[kernel.kallsyms]_text", 0, KERNEL, 0xffffffff81000000)
	f.mmap(5, 0x1000, 0x1000, b"/no/file.so", 1)
	for i in range(300):
	    kernel = [0xffffffff81001010, 0xffffffff81002010][i % 2:]
	    f.sample(kernel[0], 5, 5, 1000 + i, KERNEL, [CONTEXT_KERNEL] + kernel + [CONTEXT_USER, 0x1100 + i % 7])
	PYTHON
	speedscope_reads recorded.data 14 --kallsyms kallsyms
}

@test "acrctl report --firefox: refuses options for text, and keeps an old file when it fails" {
	make_data <<-'PYTHON'
	for i in range(200):
	    f.sample(0x1000, 5, 5, 10 + i)
	PYTHON
	for option in --json -g --sort=comm --diff=x; do
		capture "$acrctl" report -i recorded.data --firefox p $option
		is "$status" 2
		has "$stderr" "--firefox writes everything"
	done
	echo old > profile.json
	capture "$acrctl" report -i missing --firefox profile.json
	is "$status $(cat profile.json)" "1 old"
	capture "$acrctl" report -i recorded.data --firefox /dev/full
	is "$status" 1
	has "$stderr" "No space left on device"
	TMPDIR=missing capture "$acrctl" report -i recorded.data --firefox p
	is "$status" 1
	has "$stderr" "the temporary file: No such file or directory; set TMPDIR to"
	[ ! -e p ]
	# without samples it is a profile still
	make_data < /dev/null
	profile recorded.data
	is "$(jq -c .threads read.json)" "[]"
}
