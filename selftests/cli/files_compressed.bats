#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Recordings that are compressed: ours for perf and acrctl, perf's for acrctl.

bats_require_minimum_version 1.5.0
load helpers
load device_helpers

setup_file()
{
	build_fixtures
	cd "$BATS_FILE_TMPDIR" || return 1
	plays ./busy 150 100
	fake record -q -z -e "$group" -o z.data -- ./busy
	fake record -q --compression-level=19 -e "$group" -o z19.data -- ./busy
	fake record -q -z3 -e "$group" -o - -- ./busy > stream.data
}

setup() { common_setup; requires_perfs; }

# samples COMMAND FILE: "ADDRESS FUNCTION" of each sample, in order
samples() { $1 script -i "$2" -F ip,sym 2> samples.err < /dev/null | awk 'NF { print $1, $2 }'; }

@test "record -z: samples are in compressed records, and the file says how" {
	for file in z.data z19.data stream.data; do
		records "$BATS_FILE_TMPDIR/$file" > types
		grep -q '^81 [1-9]' types
		! grep -q '^9 ' types || { cat types; return 1; }
		grep -q '^odd 0$' types
		is "$(samples "$acrctl" "$BATS_FILE_TMPDIR/$file" | in_functions | xargs)" "100 second_half 150 first_half"
	done
	"$acrctl" record -z0 --help > /dev/null
}

@test "record -z: perf reads as many samples of each function as acrctl, at the same addresses" {
	requires_perfs
	for file in z.data z19.data stream.data; do
		samples "$acrctl" "$BATS_FILE_TMPDIR/$file" | sort > ours
		is "$(wc -l < ours)" 250
		while read -r perf; do
			samples "$perf" "$BATS_FILE_TMPDIR/$file" | sort > theirs
			cmp ours theirs
			$perf report --stdio -i "$BATS_FILE_TMPDIR/$file" < /dev/null 2> /dev/null | grep -q '] first_half'
		done < <(perfs)
	done
	while read -r perf; do
		$perf report --header-only -i "$BATS_FILE_TMPDIR/z19.data" < /dev/null 2> /dev/null > header
		grep -qE 'compressed : Zstd, level = 19, ratio = [1-9]' header
	done < <(perfs)
}

@test "record -z: a recording that was killed before it was finished is read with all samples" {
	plays "$busy" 60 40
	status=0
	FAKE_AFTER=READ FAKE_WRITE=0:kill faulty record -q -z -e "$group" -o killed.data -- "$busy" || status=$?
	[ "$status" = 137 ]
	is "$(samples "$acrctl" killed.data | in_functions | xargs)" "40 second_half 60 first_half"
	run "$acrctl" report -i killed.data
	[ "$status" = 0 ]
	[[ $output = *"the recording was not closed"*first_half* ]]
	perfs | while read -r perf; do
		is "$(samples "$perf" "$PWD/killed.data" | wc -l)" 100
	done
}

@test "record -z: the same samples as without, record by record" {
	python3 -B - <<-PYTHON
	import struct, sys
	sys.path.insert(0, "$root/selftests/cli")
	from perfdata import *
	f = File()
	f.comm(5, 5, b"prog", 1)
	for i in range(3000):
	    f.sample(0x1000 + i * 7919, 5, 5, 2 + i)
	f.write("plain.data")
	open("records", "wb").write(b"".join(f.data))
	for data in f.data:
	    assert len(data) % 8 == 0
	PYTHON
	command -v zstd > /dev/null || skip "zstd is not installed"
	# pieces that end within records, by another compressor, in one frame
	zstd -q -1 records -o frame
	python3 -B - <<-PYTHON
	import struct
	plain, frame, raw = open("plain.data", "rb").read(), open("frame", "rb").read(), open("records", "rb").read()
	for type_ in (81, 83):
	    at, out = 0, b""
	    while at < len(frame):
	        part = frame[at:at + 1001]
	        at += len(part)
	        if type_ == 83:
	            fill = -len(part) % 8
	            part = struct.pack("<Q", len(part)) + part + b"\0" * fill
	        out += struct.pack("<IHH", type_, 0, 8 + len(part)) + part
	    offset, size = struct.unpack_from("<QQ", plain, 40)
	    head = bytearray(plain[:offset])
	    struct.pack_into("<Q", head, 48, len(out))
	    # the feature section lies behind the data
	    tail = bytearray(plain[offset + size:])
	    struct.pack_into("<Q", tail, 0, struct.unpack_from("<Q", tail)[0] - size + len(out))
	    open("type%d.data" % type_, "wb").write(head + out + tail)
	PYTHON
	"$acrctl" script -i plain.data > want
	[ "$(grep -c prog want)" = 3000 ]
	for type in 81 83; do
		"$acrctl" script -i type$type.data > got 2> err
		cmp want got
		[ ! -s err ]
		# also from a pipe
		"$acrctl" script -i - < type$type.data | cmp want -
	done
}

@test "record -z: refuses levels that zstd does not have" {
	for level in 23 x -1 ''; do
		run "$acrctl" record --compression-level="$level" -- true
		[ "$status" = 2 ]
		[[ $output = *"--compression-level '$level' is not a number from 0 to 22"* ]]
	done
}

@test "record -z: a disk that fills up ends the recording, and what was written is read" {
	requires_mount_namespaces
	# after what is read at first, at addresses and times that hardly compress
	{
		starts "$busy"
		halves "$busy" 6 4
		echo poll
		awk 'BEGIN { srand(1); for (i = 0; i < 3000; i++) printf "sample ip=%d time=1000%09d\n", rand() * 1e9, 1e8 + i * 1e5 + rand() * 1e5 }'
	} | play
	# shellcheck disable=SC2016 # expanded inside
	run unshare -m bash -c '
		mkdir small && mount -t tmpfs -o size=20k none small || exit 77
		LD_PRELOAD=$1/device.so "$2" record -z -e "$3" -o small/full.data -- sleep 1000
		echo "status $?"
		"$2" report -i small/full.data' bash "$BATS_FILE_TMPDIR" "$acrctl" "$group"
	[ "$status" != 77 ] || skip "tmpfs cannot be mounted"
	echo "$output"
	[[ $output = *"No space left on device"*"status 1"* ]]
	is "$(awk '/_half$/ { print $2, $NF }' <<< "$output" | xargs)" "6 first_half 4 second_half"
}
