#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Files of a recording that are not where they were: below --symfs, in perf's build-id cache, beside separate debug files.

bats_require_minimum_version 1.5.0
load device_helpers
load files_helpers

setup_file() { build_moved; }

setup()
{
	common_setup
	find_moved
}

# another FILE: the same program, another build
another() { cc -O1 -o "$1" "$BATS_FILE_TMPDIR/busy.c"; }

@test "report --symfs: finds programs below the directory, with or without a slash at its end" {
	finds_none "$acrctl" report -i "$data"
	grep -q "acrctl: $data: files that were not found: 1, such as $prog, build $id; .*--symfs, --buildid-dir or --debuginfod" err
	mkdir -p "root$(dirname "$prog")"
	cp "$BATS_FILE_TMPDIR/busy" "root$prog"
	finds_both "$acrctl" report -i "$data" --symfs root
	finds_both "$acrctl" report -i "$data" --symfs "$PWD/root//"
	"$acrctl" script -i "$data" --symfs root -F sym,dso > lines
	grep -q 'first_half.*moved/prog' lines
	"$acrctl" script -i "$data" --symfs root --fold > folded
	grep -q ';first_half [0-9]*$' folded
}

@test "report --symfs: another build below the directory is refused with its id" {
	mkdir -p "root$(dirname "$prog")"
	another "root$prog"
	[ "$(build_id_of "root$prog")" != "$id" ]
	finds_none "$acrctl" report -i "$data" --symfs root
	grep -q "moved/prog was rebuilt after the recording, or is another machine's: it is not build $id; .*--symfs" err
	[ "$(grep -c "not build $id" err)" = 1 ]
}

@test "report --symfs: debug files below it are found by build-id and by debuglink" {
	mkdir -p "root$(dirname "$prog")" "root/usr/lib/debug/.build-id/${id:0:2}"
	cp "$kept/prog" "root$prog"
	finds_none "$acrctl" report -i "$data" --symfs root
	cp "$kept/debug" "root/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
	finds_both "$acrctl" report -i "$data" --symfs root
	rm -r root/usr
	mkdir -p "root/usr/lib/debug$(dirname "$prog")"
	cp "$kept/debug" "root/usr/lib/debug$(dirname "$prog")/prog.debug"
	cp "$kept/debug" prog.debug
	objcopy --add-gnu-debuglink=prog.debug "$kept/prog" "root$prog"
	finds_both "$acrctl" report -i "$data" --symfs root
}

@test "report --symfs: this machine's kernel is not that of the recording, even if it is the same build" {
	grep -qE '^0*[1-9a-f][0-9a-f]* T _text$' /proc/kallsyms || skip "the kernel hides its addresses"
	[ -s /sys/kernel/notes ] || skip "the kernel has no build-id"
	python3 -B - <<-PYTHON
	import struct, sys
	sys.path.insert(0, "$root/selftests/cli")
	from perfdata import *
	notes, at, id_ = open("/sys/kernel/notes", "rb").read(), 0, None
	while at + 12 <= len(notes):
	    name, desc, type_ = struct.unpack_from("<III", notes, at)
	    body = at + 12 + (name + 3) // 4 * 4
	    if type_ == 3 and notes[at + 12:at + 16] == b"GNU\\0":
	        id_ = notes[body:body + desc]
	    at = body + (desc + 3) // 4 * 4
	text = next(int(line.split()[0], 16) for line in open("/proc/kallsyms") if line.split()[2] == "_text")
	f = File()
	f.flags |= BUILD_ID
	f.mmap2(0xffffffff, text, 0x1000000, b"[kernel.kallsyms]_text", 0, struct.pack("<BBH20s", 20, 0, 0, id_), KERNEL | MMAP_BUILD_ID, text, id_=0)
	f.sample(text, 5, 5, 2, KERNEL)
	f.write("kernel.data")
	PYTHON
	here=$("$acrctl" script -i kernel.data -F sym)
	grep -q " T $here$" /proc/kallsyms
	mkdir root
	[ "$("$acrctl" script -i kernel.data --symfs root -F sym)" = "[unknown]" ]
}

@test "report --symfs: refuses what is no directory" {
	run -1 "$acrctl" report -i "$data" --symfs nowhere
	[[ $output = "acrctl: report: --symfs nowhere: No such file or directory; name the directory "* ]]
	touch file
	run -1 "$acrctl" script -i "$data" --symfs file
	[[ $output = *"Not a directory"* ]]
}

@test "report: programs come from perf's cache of the user, by build-id" {
	finds_none "$acrctl" report -i "$data"
	put_cached .debug "$id" elf "$BATS_FILE_TMPDIR/busy"
	# of the same build-id, since the program is busy without its symbols
	[ "$(build_id_of "$BATS_FILE_TMPDIR/busy")" = "$id" ]
	finds_both "$acrctl" report -i "$data"
	HOME=/nonexistent finds_none "$acrctl" report -i "$data"
	finds_both "$acrctl" report -i "$data" --buildid-dir .debug
	mkdir -p root
	mv .debug root/.debug
	finds_both "$acrctl" report -i "$data" --symfs root
	finds_none "$acrctl" report -i "$data"
}

@test "report: a stripped program and its debug file in the cache, also where another build is in its place" {
	put_cached cache "$id" elf "$kept/prog"
	finds_none "$acrctl" report -i "$data" --buildid-dir cache
	put_cached cache "$id" debug "$kept/debug"
	finds_both "$acrctl" report -i "$data" --buildid-dir cache
	another "$prog"
	finds_both "$acrctl" report -i "$data" --buildid-dir cache
	[ ! -s err ]
	rm "$prog"
}

@test "report: a file of another build in the cache is not used, nor is a cache that does not exist" {
	another other
	put_cached cache "$id" elf other
	finds_none "$acrctl" report -i "$data" --buildid-dir cache
	grep -q "not build $id" err
	run -1 "$acrctl" report -i "$data" --buildid-dir nowhere
	[[ $output = *"--buildid-dir nowhere: No such file or directory; name a cache "* ]]
}

@test "report: a cache of old perf has the program itself in place of a directory" {
	mkdir -p "cache/.build-id/${id:0:2}"
	cp "$BATS_FILE_TMPDIR/busy" "cache/.build-id/${id:0:2}/${id:2}"
	finds_both "$acrctl" report -i "$data" --buildid-dir cache
}

@test "report: the kernel's symbols come from kallsyms in the cache, moved to where it was recorded" {
	python3 -B - <<-PYTHON
	import struct, sys
	sys.path.insert(0, "$root/selftests/cli")
	from perfdata import *
	f = File()
	f.flags |= BUILD_ID
	f.mmap2(0xffffffff, 0xffffffff82000000, 0x1000000, b"[kernel.kallsyms]_text", 0, struct.pack("<BBH20s", 20, 0, 0, bytes(range(20))),
	        KERNEL | MMAP_BUILD_ID, 0xffffffff82000000, id_=0)
	f.sample(0xffffffff82001010, 5, 5, 2, KERNEL)
	f.write("kernel.data")
	PYTHON
	printf 'ffffffff81000000 T _text\nffffffff81001000 t cached_function\nffffffff81002000 t last\n' > kallsyms
	put_cached .debug 000102030405060708090a0b0c0d0e0f10111213 kallsyms kallsyms
	[ "$("$acrctl" script -i kernel.data -F sym,symoff)" = "cached_function+0x10" ]
	"$acrctl" report -i kernel.data --vmlinux "$BATS_FILE_TMPDIR/busy" > /dev/null 2> err
	grep -q "busy is not the recorded kernel, build 000102030405060708090a0b0c0d0e0f10111213; its symbols may be wrong" err
}

@test "record --buildid-cache: adds what samples hit, as perf has it, and perf lists and reads it" {
	cp "$BATS_FILE_TMPDIR/busy" ./mine
	plays ./mine 6 4
	fake record -q -e "$group" -o perf.data -- ./mine
	[ ! -e .debug ]
	fake record -q -e "$group" --buildid-cache -o perf.data -- ./mine
	cmp mine ".debug$PWD/mine/$id/elf"
	[ "$(readlink ".debug/.build-id/${id:0:2}/${id:2}")" = "../..$PWD/mine/$id" ]
	fake record -q -e "$group" --buildid-cache --buildid-dir new/cache -o perf.data -- ./mine
	cmp mine "new/cache$PWD/mine/$id/elf"
	# as no file is in two states: nothing but whole files
	[ -z "$(find .debug new -name '*.??????')" ]
	rm -rf .debug
	fake record -q -e "$group" --buildid-cache -N -o perf.data -- ./mine
	[ ! -e .debug ]
	while read -r perf; do
		$perf --buildid-dir "$PWD/new/cache" buildid-cache --list < /dev/null > list 2> list.err || { cat list.err; return 1; }
		grep -q "^$id .*/mine$" list
	done < <(perfs)
	rm mine
	while read -r perf; do
		$perf --buildid-dir "$PWD/new/cache" report --stdio -i "$PWD/perf.data" < /dev/null 2> /dev/null > report
		grep -q '] first_half' report
	done < <(perfs)
}

@test "record --buildid-cache: others cannot read the copy of what they cannot read" {
	umask 022
	cp "$BATS_FILE_TMPDIR/busy" ./mine
	plays ./mine 6 4
	for mode in 755:644 711:600 700:600; do
		chmod "${mode%:*}" mine
		fake record -q -e "$group" --buildid-cache --buildid-dir "cache$mode" -o perf.data -- ./mine
		[ "$(stat -c %a "cache$mode$PWD/mine/$id/elf")" = "${mode#*:}" ]
	done
}

@test "record --buildid-cache: what cannot be added is said, and the recording is whole" {
	touch blocked
	plays "$busy" 6 4
	fake record -q -e "$group" --buildid-cache --buildid-dir blocked -o perf.data -- "$BATS_FILE_TMPDIR/busy" 2> err
	[ "$(grep -c 'to the cache blocked: Not a directory; the recording is complete without it' err)" = 1 ]
	"$acrctl" report -i perf.data | grep -q first_half
	run -2 "$acrctl" record --buildid-cache -o - -- true
	[[ $output = *"a stream ends before they are known"* ]]
	run -2 "$acrctl" record --buildid-cache -B -- true
	[[ $output = *"-B leaves build-ids out"* ]]
	run -2 "$acrctl" record --buildid-dir x -- true
	[[ $output = *"has no effect without --buildid-cache"* ]]
}
