#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# acrctl report --pprof: what pprof's own package and protoc read in it is what the recording has.

bats_require_minimum_version 1.5.0
load device_helpers

setup_file()
{
	command -v go > /dev/null || return 0
	export HOME=$BATS_FILE_TMPDIR GO111MODULE=off GOFLAGS='' GOPATH=/usr/share/gocode GOCACHE=$BATS_FILE_TMPDIR/go-cache
	go build -o "$BATS_FILE_TMPDIR/read" "$root/selftests/cli/pprof/read.go"
	cat > "$BATS_FILE_TMPDIR/program.c" <<-'C'
	__attribute__((noinline)) int leaf(int n) { __asm__ volatile("nop; nop; nop; nop"); return n; }
	__attribute__((noinline)) int middle(int n) { __asm__ volatile("nop; nop; nop; nop"); return leaf(n) + 1; }
	int main(int argc, char **argv) { return middle(argc) + !argv; }
	C
	cc -O1 -no-pie -Wl,--build-id -o "$BATS_FILE_TMPDIR/program" "$BATS_FILE_TMPDIR/program.c"
}

setup()
{
	command -v go > /dev/null || skip "go is not installed"
	cd "$BATS_TEST_TMPDIR" || return 1
	export PYTHONPATH=$root/selftests/cli PROGRAM=$BATS_FILE_TMPDIR/program
}

# make_recording [NR]: recorded.data and expected.json, a list of [stack, period, labels] with the number of such samples
make_recording()
{
	python3 - "${1:-300}" <<-'PYTHON'
	import collections, json, os, random, subprocess, sys
	import perfdata

	program = os.environ["PROGRAM"].encode()
	address = {}
	for line in subprocess.check_output(["nm", program]).decode().splitlines():
	    *_, where, kind, name = [""] + line.split()
	    if kind in "tT":
	        address[name] = int(where, 16)
	headers = subprocess.check_output(["readelf", "-lW", program]).decode().splitlines()
	_, offset, vaddr, _, size, *_ = next(h for h in headers if "LOAD" in h and "R E" in h).split()
	offset, vaddr, size = int(offset, 16), int(vaddr, 16), int(size, 16)
	random.seed(7)
	f = perfdata.File(name="cycles, \u00e9".encode() + b"\xff")
	comms = {10: b"one", 11: b"bad\xff\xc3\xa9"}
	for pid, comm in comms.items():
	    f.comm(pid, pid, comm, pid)
	    f.mmap(pid, vaddr, size, program, pid, pgoff=offset)
	f.mmap(10, 0x7000000000, 0x1000, b"/no/such\xfe/file", 12)
	f.lost(1, 5, 13)
	expected = collections.Counter()
	# the first sample is in another file than most
	f.sample(0x7000000010, 10, 10, 99, chain=[perfdata.CONTEXT_USER, 0x7000000010])
	expected[json.dumps([["?"], {"pid": "10", "tid": "10", "comm": "one", "cpu": "0"}], sort_keys=True)] += 1
	for i in range(int(sys.argv[1])):
	    pid = random.choice([10, 11])
	    names = random.choice([["leaf", "middle", "main"], ["middle", "main"], ["leaf", "main"], ["main"]])
	    chain = [perfdata.CONTEXT_USER] + [address[n] + 1 for n in names]
	    if pid == 10 and not i % 3:
	        chain.append(0x7000000010)
	        names = names + ["?"]
	    f.sample(address[names[0]] + 1, pid, pid, 100 + i, chain=chain)
	    comm = comms[pid].decode(errors="replace")
	    expected[json.dumps([names, {"pid": str(pid), "tid": str(pid), "comm": comm, "cpu": "0"}], sort_keys=True)] += 1
	f.write("recorded.data")
	with open("expected.json", "w") as out:
	    json.dump({k: v for k, v in expected.items()}, out)
	PYTHON
}

# check_profile FILE: pprof reads the samples that expected.json has
check_profile()
{
	"$BATS_FILE_TMPDIR/read" < "$1" > read.json
	python3 - <<-'PYTHON'
	import collections, json
	got, periods = collections.Counter(), collections.Counter()
	r = json.load(open("read.json"))
	for s in r["Samples"]:
	    labels = {k: v[0] for k, v in s["Labels"].items() if len(v) == 1}
	    key = json.dumps([s["Stack"], labels], sort_keys=True)
	    got[key] += s["Values"][0]
	    periods[key] += s["Values"][1]
	want = json.load(open("expected.json"))
	assert got == want, (got, want)
	assert periods == {k: 1000 * v for k, v in want.items()}, periods
	PYTHON
}

# profile: recorded.data as profile.pb.gz
profile() { "$acrctl" report -i recorded.data --pprof profile.pb.gz 2> notes; }

@test "acrctl report: --pprof has every stack with its labels and counts, equal samples once" {
	make_recording
	profile
	check_profile profile.pb.gz
	[ "$(jq '.Samples | length' read.json)" = "$(jq length expected.json)" ]
}

@test "acrctl report: --pprof names types, period, times, losses and files with their build-ids" {
	make_recording
	touch -d @1700000000 recorded.data
	profile
	check_profile profile.pb.gz
	name=$(printf 'cycles, \u00e9\ufffd')
	[ "$(jq -r '.Types | join("|")' read.json)" = "samples/count|$name/count" ]
	[ "$(jq -r '.Default, .Per, .Period' read.json | paste -sd'|')" = "samples|$name/count|1000" ]
	# 301 samples, a nanosecond apart; in digits, since jq rounds such numbers
	grep -q '"Time":1699999999999999700,"Duration":300,' read.json
	jq -e '.Comments | index("lost: 5") and index("samples: 301")' read.json
	id=$(readelf -n "$PROGRAM" | sed -n 's/.*Build ID: //p')
	jq -e --arg file "$PROGRAM" --arg id "$id" '.Mappings[0] | .File == $file and .BuildID == $id and .HasFunctions' read.json
	jq -e '.Mappings[] | select(.File == "/no/such\ufffd/file") | .Start == 481036337152 and .Limit == .Start + 4096' read.json
}

@test "acrctl report: --pprof writes more stacks than it keeps in memory, each with its count" {
	python3 - <<-'PYTHON'
	import json, perfdata
	f = perfdata.File()
	nr = 70000
	for i in range(nr):
	    # each process has one sample, then another
	    f.sample(0x1000, 1 + i % nr, 1 + i % nr, i)
	for i in range(nr):
	    f.sample(0x1000, 1 + i, 1 + i, nr + i)
	f.write("recorded.data")
	PYTHON
	profile
	"$BATS_FILE_TMPDIR/read" < profile.pb.gz > read.json
	python3 - <<-'PYTHON'
	import collections, json
	got = collections.Counter()
	for s in json.load(open("read.json"))["Samples"]:
	    got[s["Labels"]["pid"][0]] += s["Values"][0]
	assert len(got) == 70000 and set(got.values()) == {2}, (len(got), set(got.values()))
	PYTHON
}

@test "acrctl report: --pprof is what protoc decodes by the schema, to a file or to standard output" {
	command -v protoc > /dev/null || skip "protoc is not installed"
	make_recording 20
	profile
	"$acrctl" report -i recorded.data --pprof - > stream.pb.gz 2> notes
	cmp profile.pb.gz stream.pb.gz
	schema=/usr/share/gocode/src/github.com/google/pprof/proto
	gunzip -c profile.pb.gz | protoc -I$schema --decode=perftools.profiles.Profile profile.proto > decoded
	# a field that the schema lacks has a number in place of a name
	run grep -E '^ *[0-9]+' decoded
	[ "$status" = 1 ]
	[ "$(sed -n '/^string_table/{p;q}' decoded)" = 'string_table: ""' ]
	grep -q '^sample {' decoded
}

@test "acrctl report: --pprof has the condition and the host of the recording as labels" {
	build_fixtures
	# options may be abbreviated
	for option in --when=ipc:u\>2 --whe; do
		[ $option != --whe ] || set -- 'ipc:u > 2'
		fake record -q $option "$@" -o recorded.data -- true
		profile
		"$BATS_FILE_TMPDIR/read" < profile.pb.gz > read.json
		jq -e '[.Samples[].Labels.condition[0]] | unique == ["instructions:u / cycles:u > 2"]' read.json
	done
	jq -e --arg host "$(hostname)" '[.Samples[].Labels.host[0]] | unique == [$host]' read.json
	# two events: each has a column, and samples name theirs
	jq -e '(.Types | length) == 3 and ([.Samples[].Labels.event[0]] | unique | length) == 1' read.json
	# an option of the program is none of ours
	fake record -q -e '{cycles:u,instructions:u}' -c 100000 -o recorded.data true 1 --when 'ipc:u > 2'
	profile
	"$BATS_FILE_TMPDIR/read" < profile.pb.gz > read.json
	jq -e '[.Samples[].Values[0]] | add == 10' read.json
	jq -e '.Samples | all(.Labels.condition == null)' read.json
}

@test "acrctl report: --pprof refuses to go with options for text, and keeps an old file when it fails" {
	make_recording 20
	for option in --json -g --sort=comm; do
		run "$acrctl" report -i recorded.data --pprof p $option
		[ "$status" = 2 ]
		[[ $output = *"--pprof writes everything"* ]]
	done
	run "$acrctl" report -i recorded.data --pprof p --pprof q
	[ "$status" = 2 ]
	[[ $output = *"one file is written at a time"* ]]
	cp recorded.data same.data
	ln -s same.data link
	for name in same.data link; do
		run "$acrctl" report -i same.data --pprof $name
		[ "$status" = 2 ]
		[[ $output = *"--pprof $name: is the recording; name another file" ]]
		cmp recorded.data same.data
	done
	echo old > profile.pb.gz
	run "$acrctl" report -i missing --pprof profile.pb.gz
	[ "$status" = 1 ]
	[ "$(cat profile.pb.gz)" = old ]
	run "$acrctl" report -i recorded.data --pprof /dev/full
	[ "$status" = 1 ]
	[[ $output = *"No space left on device"* ]]
}

@test "acrctl report: --pprof replaces the file that a symbolic link leads to, and keeps the link" {
	make_recording 20
	mkdir elsewhere
	echo old > elsewhere/profile
	ln -s elsewhere/profile link
	"$acrctl" report -i recorded.data --pprof link 2> notes
	[ -L link ]
	check_profile elsewhere/profile
}

@test "acrctl report: --pprof has all of a long command line, and the condition without what is not part of it" {
	build_fixtures
	name=$(printf '%04500d' 7)
	fake record -q --when "ipc:u > 2$(printf '%05000d' 0 | tr 0 ' ')" -o recorded.data -- true 1 "$name"
	profile
	"$BATS_FILE_TMPDIR/read" < profile.pb.gz > read.json
	jq -e --arg tail " 1 $name" '.Comments[] | select(startswith("recorded by: ")) | endswith($tail)' read.json
	jq -e '[.Samples[].Labels.condition[0]] | unique == ["instructions:u / cycles:u > 2"]' read.json
}
