#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Recordings that are compressed: ours for perf and acrctl, perf's for acrctl.

bats_require_minimum_version 1.5.0
load record_helpers

setup_file()
{
	build_fixtures
	cd "$BATS_FILE_TMPDIR" || return 1
	for o in z.data z19.data stream.data; do
		case $o in
		z.data) LD_PRELOAD=./device.so "$acrctl" record -q -z -e "$group" -o $o -- ./busy 20 || true ;;
		z19.data) LD_PRELOAD=./device.so "$acrctl" record -q --compression-level=19 -e "$group" -o $o -- ./busy 20 || true ;;
		*) LD_PRELOAD=./device.so "$acrctl" record -q -z3 -e "$group" -o - -- ./busy 20 > $o || true ;;
		esac
	done
}

setup()
{
	common_setup
	[ -s "$BATS_FILE_TMPDIR/z.data" ] || requires_perf_events
}

# records FILE: "TYPE NUMBER" of a file or stream, by another reader
records()
{
	python3 - "$1" <<-'PYTHON'
	import collections, struct, sys
	data = open(sys.argv[1], "rb").read()
	at, end = 16, len(data)
	if struct.unpack_from("<Q", data, 8)[0] != 16:
	    at, size = struct.unpack_from("<QQ", data, 40)
	    end = at + size
	types = collections.Counter()
	while at < end:
	    type_, _, size = struct.unpack_from("<IHH", data, at)
	    types[type_] += 1
	    types["odd"] += size % 8 != 0
	    at += size
	for type_, number in types.items():
	    print(type_, number)
	PYTHON
}

# samples COMMAND FILE: "ADDRESS FUNCTION" of each sample, in order; in libraries, where perf may choose another of several names,
# "ADDRESS"
samples()
{
	$1 script -i "$2" -F ip,sym 2> samples.err < /dev/null | awk 'NF { print $1 ($2 ~ /_half$/ ? " " $2 : "") }'
}

@test "record -z: samples are in compressed records, and the file says how" {
	for file in z.data z19.data stream.data; do
		records "$BATS_FILE_TMPDIR/$file" > types
		grep -q '^81 [1-9]' types
		! grep -q '^9 ' types || { cat types; return 1; }
		grep -q '^odd 0$' types
		[ "$(samples "$acrctl" "$BATS_FILE_TMPDIR/$file" | grep -c '_half$')" -gt 200 ]
	done
	"$acrctl" record -z0 --help > /dev/null
}

@test "record -z: perf reads as many samples of each function as acrctl, at the same addresses" {
	requires_perfs
	for file in z.data z19.data stream.data; do
		samples "$acrctl" "$BATS_FILE_TMPDIR/$file" | sort > ours
		[ -s ours ]
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
	requires_perf_events
	FAKE_AFTER=READ FAKE_WRITE=0:kill faulty record -q -z -e "$group" -o killed.data -- "$busy" 10 || [ $? = 137 ]
	written=$(awk '$1 == "records" { nr += $2 } END { print nr + 0 }' log)
	[ "$written" -gt 20 ]
	[ "$(samples "$acrctl" killed.data | wc -l)" = "$written" ]
	run "$acrctl" report -i killed.data
	[ "$status" = 0 ]
	[[ $output = *"the recording was not closed"*first_half* ]]
	while read -r perf; do
		[ "$(samples "$perf" "$PWD/killed.data" | wc -l)" = "$written" ]
	done < <(perfs)
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

# perf_records PERF FILE [-]: a compressed recording of perf's, or stream, that perf can read itself; fails if perf cannot record here.
# On a busy machine perf has now and then found no samples in its own.
perf_records()
{
	local perf=$1 file=$2 output=${3:-$PWD/$2} try

	for try in 1 2 3 4 5; do
		$perf record -q -z -e cpu-clock:u -F 5000 -m 4 -o "$output" -- "$busy" 10 < /dev/null > stream 2> /dev/null || return 1
		[ "$output" != - ] || mv stream "$file"
		samples "$perf" "$PWD/$file" > read
		[ ! -s read ] || return 0
		echo "# $perf reads no samples of $file in try $try: $(tr '\n' ' ' < samples.err)" >&3
	done
}

# reads_same PERF FILE: as many samples, at the same addresses; of functions with several names each may choose another
reads_same()
{
	samples "$1" "$PWD/$2" | cut -d' ' -f1 > want
	samples "$acrctl" "$2" > got
	[ "$(grep -c _half got)" -gt 20 ]
	cut -d' ' -f1 got | cmp want -
}

@test "acrctl reads what perf record -z wrote, files and streams" {
	requires_perf_events
	requires_perfs
	while read -r perf; do
		perf_records "$perf" theirs.data || { echo "# $perf cannot record here" >&3; continue; }
		records theirs.data > types
		grep -qE '^8[13] [1-9]' types
		reads_same "$perf" theirs.data
		perf_records "$perf" theirs.stream -
		reads_same "$perf" theirs.stream
	done < <(perfs)
}

@test "record -z: refuses levels that zstd does not have" {
	for level in 23 x -1 ''; do
		run "$acrctl" record --compression-level="$level" -- true
		[ "$status" = 2 ]
		[[ $output = *"--compression-level '$level' is not a number from 0 to 22"* ]]
	done
}

@test "record -z: a disk that fills up ends the recording, and what was written is read" {
	requires_perf_events
	requires_mount_namespaces
	# shellcheck disable=SC2016 # expanded inside
	run unshare -m bash -c '
		mkdir small && mount -t tmpfs -o size=64k none small || exit 77
		LD_PRELOAD=$1/device.so "$2" record -z -e "{cpu/instructions,period=2000,acr_mask=0x2/u,cpu/cycles,period=1000,acr_mask=0x3/u}" \
			-o small/full.data -- "$1/busy" 100
		echo "status $?"
		"$2" report -i small/full.data' bash "$BATS_FILE_TMPDIR" "$acrctl"
	[ "$status" != 77 ] || skip "tmpfs cannot be mounted"
	[[ $output = *"No space left on device"*"status 1"*first_half* ]] || [[ $output = *"status 0"* ]]
}
