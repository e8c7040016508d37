#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Inlined functions in the call chains of report and script, compared with those that addr2line finds.

bats_require_minimum_version 1.5.0
load device_helpers
load symbols_helpers

setup_file() { build_nested; }

setup()
{
	common_setup
	find_nested
}

# chains_of FILE: what script prints of user level, as "ADDRESS NAME" for each frame
chains_of() { "$acrctl" script -i "$1" -F ip,sym | awk 'NF { print $1, $2 }'; }

# by_addr2line FILE: the same by addr2line, which looks up the return addresses of callers one byte earlier
by_addr2line()
{
	python3 - "$1" "$BATS_FILE_TMPDIR/nested" "$(load_address)" <<-'PYTHON'
	import subprocess, sys
	path, program, base = sys.argv[1], sys.argv[2], int(sys.argv[3], 16)
	first, lines, wanted = True, [], []
	for line in open(path):
	    if not line.strip():
	        first = True
	        continue
	    address = int(line.split()[0], 16)
	    if base <= address < base + 0x100000:
	        wanted.append((address, address - base - (0 if first else 1)))
	    first = False
	out = subprocess.run(["addr2line", "-f", "-i", "-a", "-e", program] + [hex(a) for _, a in wanted],
	                     capture_output=True, text=True, check=True).stdout.split("\n0x")
	for (address, _), block in zip(wanted, out):
	    for name in block.split("\n")[1::2]:
	        if name and name != "??":
	            print("%x %s" % (address, name))
	PYTHON
}

@test "acrctl script: the functions that were inlined along a chain are those of addr2line" {
	"$acrctl" script -i "$nested" -F ip,sym --no-inline > plain
	by_addr2line plain > want
	# the C library, which may have no debug information, is left out
	chains_of "$nested" | grep -E ' (deepest|middle|outer|caller_inlined|run|main)$' > got
	grep -E ' (deepest|middle|outer|caller_inlined|run|main)$' want > want.ours
	[ "$(grep -c ' deepest$' got)" -gt 10 ]
	cmp got want.ours
}

@test "acrctl report -g: inlined functions are frames, also as JSON, and --no-inline leaves them out" {
	"$acrctl" report -g -i "$nested" > text
	grep -qE '^ +[0-9.]+% +\[\.\] deepest \(inlined\)$' text
	grep -qE '^ +\[\.\] middle \(inlined\)$' text
	grep -qE '^ +(\S+% +)?\[\.\] caller_inlined \(inlined\)$' text
	"$acrctl" report --call-graph caller --json -i "$nested" > caller.json
	python3 - <<-'PYTHON'
	import json
	event = json.load(open("caller.json"))["events"][0]
	entry = next(e for e in event["entries"] if e["symbol"] == "outer")
	path = {}
	for node in entry["callees"]:
	    path[node["depth"]] = (node["symbol"], node["inlined"])
	    if node["symbol"] == "deepest":
	        names = [path[d] for d in range(1, node["depth"] + 1)]
	        break
	assert names[-6:] == [("main", False), ("run", False), ("caller_inlined", True), ("outer", False),
	                      ("middle", True), ("deepest", True)], names
	PYTHON
	"$acrctl" report -g --no-inline -i "$nested" > text
	! grep -q inlined text || { cat text; return 1; }
	"$acrctl" script --no-inline -i "$nested" > text
	! grep -q inlined text || { cat text; return 1; }
}

@test "acrctl report -g: inlined functions come from the separate debug file of a stripped program" {
	objcopy --only-keep-debug "$BATS_FILE_TMPDIR/nested" nested.debug
	objcopy --strip-all --add-gnu-debuglink=nested.debug "$BATS_FILE_TMPDIR/nested" nested
	run_nested ./nested
	fake record -q -g -e "$group" -o stripped.data -- true
	"$acrctl" report -g -i stripped.data | grep -qE '\[\.\] deepest \(inlined\)$'
	rm nested.debug
	"$acrctl" report -g -i stripped.data > without
	! grep -q 'deepest (inlined)' without || { cat without; return 1; }
}

@test "acrctl report -g: a damaged program is reported without a crash, and what cannot be read is said" {
	python3 - "$BATS_FILE_TMPDIR/nested" <<-'PYTHON'
	import random, shutil, subprocess, sys
	random.seed(7)
	sections = {}
	for line in subprocess.run(["readelf", "-SW", sys.argv[1]], capture_output=True, text=True).stdout.splitlines():
	    words = line.replace("[ ", "[").split()
	    if len(words) > 5 and words[0].startswith("[") and words[0] != "[Nr]":
	        sections[words[1]] = (int(words[4], 16), int(words[5], 16))
	for name in (".debug_info", ".debug_abbrev", ".debug_line"):
	    shutil.copy(sys.argv[1], "damaged" + name)
	    with open("damaged" + name, "r+b") as f:
	        offset, size = sections[name]
	        for _ in range(size // 20):
	            f.seek(offset + random.randrange(size))
	            f.write(bytes([random.randrange(256)]))
	        # a unit that is longer than the section
	        if name == ".debug_info":
	            f.seek(offset)
	            f.write(b"\xff\xff\xff\x7f")
	PYTHON
	mkdir -p copy
	cp "$BATS_FILE_TMPDIR/nested" copy/nested
	run_nested copy/nested
	fake record -q -g -e "$group" -o copy.data -- true
	for name in .debug_info .debug_abbrev .debug_line; do
		cp "damaged$name" copy/nested
		"$acrctl" report -g -i copy.data > out 2> err
		grep -q ' outer$' out
		[ $name != .debug_info ] ||
			grep -q "copy/nested: some of its debug information is damaged or too large" err
	done
	cp damaged.debug_info copy/nested
	truncate -s -1 copy/nested
	"$acrctl" report -g -i copy.data > out
}

@test "acrctl report -g: damaged debug information of the kernel is reported, too" {
	cat > kernel.c <<-'C'
	__attribute__((noinline)) void _text(void) { __asm__ volatile("nop"); }
	static inline __attribute__((always_inline)) void inner(void) { __asm__ volatile("nop; nop; nop"); }
	__attribute__((noinline)) void outer(void) { inner(); __asm__ volatile("nop"); }
	int main(void) { _text(); outer(); return 0; }
	C
	cc -O1 -g -no-pie -o kernel kernel.c
	python3 -B - "$root/selftests/cli" <<-'PYTHON'
	import subprocess, sys
	sys.path.insert(0, sys.argv[1])
	from perfdata import *
	address = {}
	for line in subprocess.check_output(["nm", "kernel"], text=True).splitlines():
	    address[line.split()[-1]] = line.split()[0]
	base = 0xffffffff81000000
	f = File()
	f.mmap(0xffffffff, base, 0x1000000, b"[kernel.kallsyms]_text", 0, KERNEL, base)
	ip = base + int(address["outer"], 16) - int(address["_text"], 16)
	f.sample(ip, 5, 5, 1, KERNEL, [CONTEXT_KERNEL, ip])
	f.write("kernel.data")
	PYTHON
	"$acrctl" report -g -i kernel.data --vmlinux kernel > out 2> err
	grep -q inner out
	offset=$(readelf -SW kernel | tr -d '[]' | awk '$2 == ".debug_info" { print $5 }')
	# entries that are none
	printf '\377%.0s' {1..60} | dd of=kernel bs=1 seek=$((0x$offset + 60)) conv=notrunc 2> /dev/null
	"$acrctl" report -g -i kernel.data --vmlinux kernel > out 2> err
	cat err
	grep -q "^acrctl: kernel: some of its debug information is damaged or too large" err
}

@test "acrctl script --fold: inlined functions are marked frames in front of those that they are inlined into" {
	"$acrctl" script -i "$nested" --fold > folded
	grep -qE '^nested;(.*;)?main;run;caller_inlined_\[i\];outer;middle_\[i\];deepest_\[i\] [0-9]+$' folded
	"$acrctl" script -i "$nested" --fold --no-inline > folded
	grep -qE '^nested;(.*;)?main;run;outer [0-9]+$' folded
	if grep -F '_[i]' folded; then false; fi
}

@test "acrctl report -g: 200 functions inlined at each of 7,900 frames are no more than can be shown" {
	python3 -B - <<-'PYTHON' > deep.c
	head = "static inline __attribute__((always_inline)) void f%d(volatile int *x) { %s; }"
	print(head % (200, "(*x)++"))
	for i in reversed(range(200)):
	    print(head % (i, "f%d(x)" % (i + 1)))
	print("__attribute__((noinline)) void outer(volatile int *x) { f0(x); }")
	print("int main(void) { int x = 0; outer(&x); return x; }")
	PYTHON
	cc -g -O1 -no-pie -o deep deep.c
	PYTHONPATH=$root/selftests/cli python3 -B - "$PWD/deep" <<-'PYTHON'
	import subprocess, sys
	from perfdata import *
	def output(*command):
	    return subprocess.check_output(command).decode().splitlines()
	load = next(l for l in output("readelf", "-lW", sys.argv[1]) if "LOAD" in l and "R E" in l).split()
	outer = int(next(l for l in output("nm", sys.argv[1]) if l.endswith(" outer")).split()[0], 16)
	f = File()
	f.comm(5, 5, b"deep", 1)
	f.mmap(5, int(load[2], 16), 0x1000, sys.argv[1].encode(), 1, pgoff=int(load[1], 16))
	f.sample(outer, 5, 5, 2, chain=[CONTEXT_USER] + [outer + 1] * 7900)
	f.write("deep.data")
	PYTHON
	for format in --stdio --json; do
		"$acrctl" report -g -i deep.data $format > out
		grep -q f200 out
	done
}
