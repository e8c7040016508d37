#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# acrctl annotate: the samples of each instruction are those that script prints, instructions and lines those of objdump.

bats_require_minimum_version 1.5.0
load device_helpers
load symbols_helpers
load helpers

setup_file()
{
	build_nested
	cd "$BATS_FILE_TMPDIR" || return 1
	# two files with functions of the same name, and a kernel; the addresses of the kernel are those of a recording
	cat > same.c <<-'C'
	__attribute__((noinline)) int same(int n) { __asm__ volatile("nop; nop; nop; nop"); return n; }
	__attribute__((noinline)) int other(int n) { __asm__ volatile("nop; nop"); return same(n) + 1; }
	int main(int argc, char **argv) { return other(argc) + !argv; }
	C
	cc -O1 -no-pie -Wl,--build-id -o one same.c
	cc -O2 -pie -fPIE -Wl,--build-id -o two same.c
	printf '.globl _text, work\n.text\n_text: nop\n.type work, @function\nwork: nop\nnop\nret\n.size work, . - work\n' > kernel.s
	cc -nostdlib -static -Wl,--build-id -Wl,-Ttext=0xffffffff81000000 -Wl,-e,_text -o vmlinux kernel.s
}

setup()
{
	common_setup
	export PYTHONPATH=$root/selftests/cli FIXTURES=$BATS_FILE_TMPDIR
}

# make_recording: recorded.data by the Python on stdin, which has f, at(PROGRAM, SYMBOL, OFFSET) and load(PROGRAM, ADDRESS)
make_recording()
{
	{
		cat <<-'PYTHON'
		import os, subprocess
		from perfdata import *
		f, bases = File(), {}
		def output(*command):
		    return subprocess.check_output(command).decode().splitlines()
		def path(name):
		    return os.environ["FIXTURES"] + "/" + name
		def load(name, pid, page):
		    line = next(h for h in output("readelf", "-lW", path(name)) if "LOAD" in h and "R E" in h).split()
		    offset, vaddr, size = int(line[1], 16), int(line[2], 16), int(line[4], 16)
		    f.mmap(pid, page, size, path(name).encode(), 1, pgoff=offset)
		    bases[name] = page - vaddr
		def at(name, symbol, offset):
		    line = next(l for l in output("nm", path(name)) if l.split()[-1] == symbol)
		    return bases[name] + int(line.split()[0], 16) + offset
		f.comm(5, 5, b"prog", 1)
		PYTHON
		sed 's/^\t//'
		echo 'f.write("recorded.data")'
	} | python3 -B -
}

# address_in PROGRAM: that of same
address_in() { nm "$BATS_FILE_TMPDIR/$1" | sed -nE 's/^0*([0-9a-f]+) T same$/\1/p'; }

annotate() { capture "$acrctl" annotate -i recorded.data "$@"; }

@test "acrctl annotate: every instruction of the hottest function has the samples that script prints" {
	find_nested
	"$acrctl" annotate -i "$nested" --json > got.json 2> err
	is "$(cat err)" ""
	objdump -d --no-show-raw-insn --disassemble=outer "$BATS_FILE_TMPDIR/nested" > want
	base=$(load_address)
	"$acrctl" script -i "$nested" --no-inline --json > samples.json
	python3 - "$((base))" <<-'PYTHON'
	import collections, json, re, sys
	base = int(sys.argv[1])
	got = json.load(open("got.json"))
	assert got["symbol"] == "outer" and got["unknown"] is None, got
	want = [(m[1], m[2].strip().replace("\t", " ")) for m in re.finditer(r"^ +([0-9a-f]+):\t(.*)$", open("want").read(), re.M)]
	assert [(l["address"][2:], l["instruction"]) for l in got["lines"]] == want, want
	counts = collections.Counter(hex(int(s["ip"], 16) - base) for s in json.load(open("samples.json"))["samples"] if s["sym"] == "outer")
	assert sum(counts.values()) > 10
	assert {l["address"]: l["counts"][0]["samples"] for l in got["lines"] if l["counts"][0]["samples"]} == counts, counts
	whole = got["events"][0]["function"]
	assert whole["samples"] == sum(counts.values())
	for line in got["lines"]:
	    count = line["counts"][0]
	    assert abs(count["percent"] - 100 * count["period"] / whole["period"]) < 1e-4
	PYTHON
}

@test "acrctl annotate: shows on a terminal that it reads code" {
	find_nested
	command -v script > /dev/null || skip "script is not installed"
	cc -shared -fPIC -O1 -o fast_clock.so "$root/selftests/cli/fast_clock.c"
	# every look at the clock takes a second
	TERM=xterm script -qec "export LD_PRELOAD=$PWD/fast_clock.so; $acrctl annotate -i $nested --json > got.json" typescript \
		< /dev/null > shown
	grep -qE 'acrctl: reading code of outer: [0-9]+ instructions' shown
	grep -qE 'acrctl: reading code of outer: [0-9]+ %' shown
}

@test "acrctl annotate: lines of the source and inlined functions are those of addr2line" {
	find_nested
	"$acrctl" annotate -i "$nested" outer --json > got.json
	python3 - "$BATS_FILE_TMPDIR/nested" <<-'PYTHON'
	import json, subprocess, sys
	lines = json.load(open("got.json"))["lines"]
	out = subprocess.check_output(["addr2line", "-f", "-i", "-a", "-e", sys.argv[1]] + [l["address"] for l in lines], text=True)
	blocks = ["0x" + b if not b.startswith("0x") else b for b in out.strip().split("\n0x")]
	inlined = 0
	for line, block in zip(lines, blocks):
	    words = block.split("\n")
	    frames = list(zip(words[1::2], words[2::2]))
	    assert line["inlined"] == (frames[0][0] if len(frames) > 1 else None), (line, block)
	    assert "%s:%s" % (line["file"], line["line"]) == frames[0][1].split(" ")[0], (line, block)
	    inlined += len(frames) > 1
	assert inlined > 2
	PYTHON
	capture "$acrctl" annotate -i "$nested" outer
	is "$status" 0
	grep -qE '^ +:  nested\.c:[0-9]+ \(inlined deepest\)  \(\*x\)\+\+(, \(\*x\)\+\+){7};$' <(sed 's/  \+(\*x/  (*x/' stdout)
	grep -qE '^ +[0-9]+\.[0-9]{2}% : +[0-9a-f]+:  ' stdout
	capture "$acrctl" annotate -i "$nested" outer --no-source
	! grep -q nested.c: stdout || return 1
	capture "$acrctl" annotate -i "$nested" outer -M intel
	grep -q 'rbp,rsp' stdout
}

@test "acrctl annotate: instructions are those of the file below --symfs, not of another at the recorded path" {
	cp "$BATS_FILE_TMPDIR/one" "$BATS_FILE_TMPDIR/moved"
	make_recording <<-'PYTHON'
	load("moved", 5, 0x401000)
	f.sample(at("moved", "same", 2), 5, 5, 10)
	PYTHON
	mkdir -p "root$BATS_FILE_TMPDIR"
	mv "$BATS_FILE_TMPDIR/moved" "root$BATS_FILE_TMPDIR"
	annotate same --symfs root --json
	is "$status $(json .unknown)" "0 null"
	is "$(json '[.lines[] | select(.counts[0].samples > 0) | .instruction] | tostring')" '["nop"]'
	instructions=$(json '[.lines[].instruction] | tostring')
	cp "$BATS_FILE_TMPDIR/two" "$BATS_FILE_TMPDIR/moved"
	annotate same --symfs root --json
	is "$status $(json '[.lines[].instruction] | tostring')" "0 $instructions"
}

@test "acrctl annotate: the address of a program and of a shared object are right, a name in both is refused with a list" {
	make_recording <<-'PYTHON'
	load("one", 5, 0x401000)
	load("two", 5, 0x7f0000001000)
	for i in range(3):
	    f.sample(at("one", "same", 2), 5, 5, 10 + i)
	for i in range(5):
	    f.sample(at("two", "same", 2), 5, 5, 20 + i)
	f.sample(at("two", "other", 0), 5, 5, 30)
	PYTHON
	annotate same
	is "$status $stdout" "1 "
	has "$stderr" "'same' is the name of 2 functions with samples; name the file of one with --dso"
	has "$stderr" "  same at 0x$(address_in one) in $BATS_FILE_TMPDIR/one: 3 samples"
	has "$stderr" "  same at 0x$(address_in two) in $BATS_FILE_TMPDIR/two: 5 samples"
	annotate same --dso one --json
	is "$(json '[.lines[] | select(.counts[0].samples > 0) | [.instruction, .counts[0].samples]] | tostring')" '[["nop",3]]'
	annotate same --dso "$BATS_FILE_TMPDIR/two" --json
	is "$(json '[.lines[] | select(.counts[0].samples > 0) | [.instruction, .counts[0].samples]] | tostring')" '[["nop",5]]'
	is "$(json .start)" "0x$(address_in two)"
	# by an address, and the hottest one
	annotate "0x$(address_in two)" --json
	is "$(json .dso)" "$BATS_FILE_TMPDIR/two"
	annotate --json
	is "$(json '.symbol + " " + .dso')" "same $BATS_FILE_TMPDIR/two"
	annotate othr
	is "$status" 1
	has "$stderr" "no sample is in a function 'othr'; did you mean 'other'?"
	annotate other --dso one
	has "$stderr" "no sample is in a function 'other' of a file 'one'"
	annotate same -s other
	is "$status" 2
}

@test "acrctl annotate: events that are sampled together have columns, and an address between instructions a line" {
	make_recording <<-'PYTHON'
	f.names = [b"first", b"second"]
	load("one", 5, 0x401000)
	for i in range(3):
	    f.sample(at("one", "same", 2 + i // 2), 5, 5, 10 + i)
	body = struct.pack("<QQIIQIIQ", 2, at("one", "same", 3), 5, 5, 20, 0, 0, 500)
	f.data.append(struct.pack("<IHH", SAMPLE, USER, 8 + len(body)) + body)
	# within the first instruction, which has two bytes
	f.sample(at("one", "same", 1), 5, 5, 40)
	PYTHON
	annotate same
	has "$stdout" "# column 1: 4 of 4 samples of event 'first', 100.00% of its occurrences"
	has "$stdout" "# column 2: 1 of 1 samples of event 'second', 100.00% of its occurrences"
	start=0x$(address_in one)
	grep -qE "^   25\.00%          : +$(printf %x $((start + 1))):  \(no instruction begins here\)$" stdout
	grep -qE "^   50\.00%          : +$(printf %x $((start + 2))):  nop$" stdout
	grep -qE "^   25\.00%  100\.00% : +$(printf %x $((start + 3))):  nop$" stdout
}

@test "acrctl annotate: the kernel needs its file, which must be the recorded build" {
	id=$(readelf -n "$BATS_FILE_TMPDIR/vmlinux" | sed -n 's/.*Build ID: //p')
	cat > kernel.py <<-'PYTHON'
	import os
	which = bytes([20, 0, 0, 0]) + bytes.fromhex(os.environ["ID"])
	f.flags |= BUILD_ID
	# as booted, 2 MiB above the addresses of the file
	f.mmap2(0xffffffff, 0xffffffff81200000, 0x1000, b"[kernel.kallsyms]_text", 1, which, KERNEL | MMAP_BUILD_ID, 0xffffffff81200000)
	for i in range(4):
	    f.sample(0xffffffff81200002, 0, 0, 10 + i, KERNEL)
	PYTHON
	printf 'ffffffff81200000 T _text\nffffffff81200001 T work\nffffffff81200010 T end\n' > kallsyms
	ID=$id make_recording < kernel.py
	annotate work --vmlinux "$BATS_FILE_TMPDIR/vmlinux" --json
	is "$status $stderr" "0 "
	is "$(json '[.lines[] | [.address, .instruction, .counts[0].samples]] | tostring')" \
		'[["0xffffffff81000001","nop",0],["0xffffffff81000002","nop",4],["0xffffffff81000003","ret",0]]'
	annotate work --kallsyms kallsyms
	is "$status" 0
	has "$stdout" "# addresses only: the kernel's file was not read; name it with --vmlinux"
	has "$stdout" " 100.00% :  ffffffff81200002:"
	ID=${id//[0-9]/e} make_recording < kernel.py
	annotate work --vmlinux "$BATS_FILE_TMPDIR/vmlinux"
	is "$status $stdout" "1 "
	has "$stderr" "is not the kernel that was recorded: its build-id is another"
}

@test "acrctl annotate: a program that was rebuilt is not shown, one without a build-id in the recording with a warning" {
	find_nested
	mkdir copy
	cp "$BATS_FILE_TMPDIR/one" copy/one
	make_recording <<-'PYTHON'
	load("one", 5, 0x401000)
	f.sample(at("one", "same", 1), 5, 5, 10)
	PYTHON
	annotate same
	is "$status" 0
	has "$stderr" "the recording has no build-id of it; if it has changed since, the instructions are wrong"
	cp "$BATS_FILE_TMPDIR/nested" copy/program
	run_nested copy/program
	fake record -q -e "$group" -o copy.data -- true
	cp "$BATS_FILE_TMPDIR/two" copy/program
	capture "$acrctl" annotate -i copy.data outer
	is "$status $stdout" "1 "
	has "$stderr" "no sample is in a function 'outer'"
	has "$stderr" "copy/program was rebuilt after the recording, or is another machine's: "
}

@test "acrctl annotate: the instructions come from where the file was found, not from another build at its path" {
	find_nested
	mkdir -p copy "root$PWD/copy"
	cp "$BATS_FILE_TMPDIR/nested" copy/program
	run_nested copy/program
	fake record -q -e "$group" -o copy.data --buildid-cache --buildid-dir cache -- true
	annotate -i copy.data outer
	is "$status" 0
	cp stdout wanted
	mv copy/program "root$PWD/copy/"
	annotate -i copy.data outer
	is "$status $stdout" "1 "
	for other in "$BATS_FILE_TMPDIR/two" ''; do
		[ -z "$other" ] || cp "$other" copy/program
		[ -n "$other" ] || rm copy/program
		annotate -i copy.data --symfs root outer
		is "$status $stdout" "0 $(cat wanted)"
		annotate -i copy.data --buildid-dir cache outer
		is "$status $stdout" "0 $(cat wanted)"
	done
}

@test "acrctl annotate: code that was made at run time is shown as addresses" {
	make_recording <<-'PYTHON'
	import os
	pid = 999999
	f.comm(pid, pid, b"jit", 1)
	f.mmap(pid, 0x10000, 0x1000, b"//anon", 2)
	f.sample(0x10008, pid, pid, 10)
	f.sample(0x10008, pid, pid, 11)
	PYTHON
	echo '10000 20 compiled' > /tmp/perf-999999.map
	annotate compiled
	rm /tmp/perf-999999.map
	is "$status" 0
	has "$stdout" "# addresses only: it was made at run time, and such code is not recorded"
	has "$stdout" " 100.00% :     10008:"
}

@test "acrctl annotate: a missing or failing objdump, and a recording without samples, are refused with the remedy" {
	make_recording <<-'PYTHON'
	load("one", 5, 0x401000)
	f.sample(at("one", "same", 1), 5, 5, 10)
	PYTHON
	annotate same --objdump /no/such
	is "$status $stdout" "1 "
	has "$stderr" "there is no program '/no/such'; install binutils, or name one with --objdump"
	annotate same --objdump false
	is "$status $stdout" "1 "
	has "$stderr" "'false' failed for $BATS_FILE_TMPDIR/one"
	# words are arguments, never a command of a shell
	annotate same --objdump 'objdump; touch shell' -M '$(touch shell)'
	is "$status" 1
	[ ! -e shell ]
	make_recording < /dev/null
	annotate
	is "$status" 1
	has "$stderr" "recorded.data has no samples"
}

@test "acrctl annotate: colours on a terminal alone, and hostile names cannot command it" {
	command -v script > /dev/null || skip "script is not installed"
	make_recording <<-'PYTHON'
	load("one", 5, 0x401000)
	f.names[0] = b"\x1b[2Jevent"
	f.sample(at("one", "same", 1), 5, 5, 10)
	PYTHON
	annotate same
	! grep -q $'\033' stdout || return 1
	has "$stdout" "event '?[2Jevent'"
	for pager in cat 'less -FRX'; do
		PAGER=$pager TERM=xterm NO_COLOR='' script -qec "$acrctl annotate -i recorded.data same" typescript < /dev/null > shown
		grep -q $'\033\\[31m *100\\.00%\033\\[m' shown
		! grep -q $'\033\\[2J' shown || return 1
		PAGER=$pager TERM=xterm NO_COLOR=1 script -qec "$acrctl annotate -i recorded.data same" typescript < /dev/null > shown
		! grep -q $'\033\\[31m' shown || return 1
	done
}
