#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Files of a recording from a debuginfod server on this machine, which fails in every way.

bats_require_minimum_version 1.5.0
load device_helpers
load files_helpers

setup_file() { build_moved; }

setup()
{
	common_setup
	find_moved
	mkdir -p "server/$id"
	cp "$kept/prog" "server/$id/executable"
	cp "$kept/debug" "server/$id/debuginfo"
	cp "$BATS_FILE_TMPDIR/device.so" server/other
	serve serve
	export DEBUGINFOD_CACHE_PATH=$PWD/fetched DEBUGINFOD_URLS=$url DEBUGINFOD_RETRY_LIMIT=0
}

teardown() { [ -z "$server" ] || kill "$server" 2> /dev/null || true; }

# serve MODE: starts the server, which does this; its address is then in $url
serve()
{
	echo "$1" > server/mode
	python3 "$root/selftests/cli/debuginfod_server.py" server 2> server/errors 3>&- &
	server=$!
	wait_until test -e server/port
	url=http://127.0.0.1:$(cat server/port)
}

# requested PATH: how often
requested() { grep -c "^/buildid/$1$" server/requests || true; }

# fails_with MODE TEXT: nothing is found, that is said once, and it is no failure of the command
fails_with()
{
	echo "$1" > server/mode
	rm -rf fetched
	finds_none "$acrctl" report -i "$data"
	[ "$(grep -c 'acrctl: debuginfod: ' err)" = 1 ]
	grep -q "acrctl: debuginfod: $url: .*$2.*; symbols may be missing" err || { cat err; return 1; }
	"$acrctl" report -i "$data" > /dev/null 2>&1
}

@test "debuginfod: a missing program and its debug information are fetched by build-id, once" {
	finds_both "$acrctl" report -i "$data"
	[ "$(requested "$id/executable")" = 1 ]
	[ "$(requested "$id/debuginfo")" = 1 ]
	# from the library's own cache
	finds_both "$acrctl" report -i "$data"
	[ "$(requested "$id/executable")" = 1 ]
	"$acrctl" report -i "$data" --pprof profile 2> /dev/null
	zcat profile | grep -qa first_half
}

@test "debuginfod: no request where the program is, with --no-debuginfod, or without servers" {
	finds_none "$acrctl" report -i "$data" --no-debuginfod
	DEBUGINFOD_URLS='' finds_none "$acrctl" report -i "$data"
	DEBUGINFOD_URLS=' ' finds_none "$acrctl" report -i "$data"
	mkdir -p "root$(dirname "$prog")"
	cp "$BATS_FILE_TMPDIR/busy" "root$prog"
	finds_both "$acrctl" report -i "$data" --symfs root
	! grep -q "$id" server/requests 2> /dev/null || { cat server/requests; return 1; }
}

@test "debuginfod: --debuginfod names servers, or demands those of the environment" {
	DEBUGINFOD_URLS='' finds_both "$acrctl" report -i "$data" --debuginfod="$url"
	finds_both "$acrctl" report -i "$data" --no-debuginfod --debuginfod
	unset DEBUGINFOD_URLS
	run -1 "$acrctl" report -i "$data" --debuginfod
	[[ $output = *"DEBUGINFOD_URLS names no server; name one with --debuginfod=URL"* ]]
}

@test "debuginfod: the kernel is fetched only if the option is given" {
	cc -shared -nostdlib -Wl,-Ttext-segment=0x81000000 -Wl,--build-id=0x000102030405060708090a0b0c0d0e0f10111213 -x c -o vmlinux - <<-'C'
	__attribute__((section(".text.a"))) void _text(void) { __asm__ volatile(".skip 64"); }
	void fetched_function(void) { __asm__ volatile(".skip 64"); }
	C
	mkdir server/000102030405060708090a0b0c0d0e0f10111213
	cp vmlinux server/000102030405060708090a0b0c0d0e0f10111213/debuginfo
	text=$(nm vmlinux | awk '$3 == "_text" { print "0x" $1 }')
	python3 -B - "$text" "$(nm vmlinux | awk '$3 == "fetched_function" { print "0x" $1 }')" <<-PYTHON
	import struct, sys
	sys.path.insert(0, "$root/selftests/cli")
	from perfdata import *
	# not where it was linked, as with KASLR
	text, function = int(sys.argv[1], 16), int(sys.argv[2], 16)
	base = 0xffffffff90000000
	f = File()
	f.flags |= BUILD_ID
	f.mmap2(0xffffffff, base, 0x1000000, b"[kernel.kallsyms]_text", 0, struct.pack("<BBH20s", 20, 0, 0, bytes(range(20))),
	        KERNEL | MMAP_BUILD_ID, base, id_=0)
	f.sample(base + function - text + 4, 5, 5, 2, KERNEL)
	f.write("kernel.data")
	PYTHON
	[[ $("$acrctl" script -i kernel.data -F sym 2> /dev/null) != *fetched_function* ]]
	[ ! -e server/requests ]
	[ "$("$acrctl" script -i kernel.data -F sym,symoff --debuginfod)" = "fetched_function+0x4" ]
}

@test "debuginfod: one server of several is enough" {
	DEBUGINFOD_URLS="http://127.0.0.1:1 $url" finds_both "$acrctl" report -i "$data"
}

@test "debuginfod: a file that is not there, an error and an answer that is cut off are said once" {
	fails_with 404 'files that are not there.*: 1'
	fails_with 500 'were not sent whole: 1'
	fails_with close 'were not sent whole: 1'
	fails_with cut 'were not sent whole: 1'
}

@test "debuginfod: a file of another build, or none at all, is not used and said" {
	fails_with other 'a file has another build-id'
	fails_with garbage 'a file has another build-id'
	# and not kept: the right one is fetched when the server has it
	fails_with other 'a file has another build-id'
	echo serve > server/mode
	finds_both "$acrctl" report -i "$data"
}

@test "debuginfod: a server without an answer is given up after its time, and not asked again" {
	export DEBUGINFOD_TIMEOUT=1
	echo hang > server/mode
	finds_none "$acrctl" report -i "$data"
	grep -q "acrctl: debuginfod: $url: no answer in time; " err
	# the first file that is missing, and no other
	[ "$(sort -u server/requests | wc -l)" = 1 ]
}

@test "debuginfod: no server at the address is said" {
	kill "$server"
	wait "$server" || true
	server=
	finds_none "$acrctl" report -i "$data"
	grep -q "acrctl: debuginfod: $url: .*symbols may be missing; see that it answers, or use --no-debuginfod" err || { cat err; return 1; }
}

@test "debuginfod: fetching is shown on a terminal when it takes long" {
	command -v script > /dev/null || skip "script is not installed"
	# a faster clock would also be that of libcurl, which then gives up
	echo slow > server/mode
	TERM=xterm script -qec "$acrctl report -i $data" typescript < /dev/null > shown
	grep -q "acrctl: fetching program $id: " shown || { cat -v shown; return 1; }
	if grep 'fetching debuginfo' shown; then false; fi
	grep -q first_half shown
}
