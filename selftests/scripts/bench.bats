#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# report.py and lib.sh of make bench: what is judged, what counts as missing or broken, and what the report shows.

bats_require_minimum_version 1.5.0

setup()
{
	cd "$BATS_TEST_DIRNAME/../.." || return 1
	limits=$BATS_TEST_TMPDIR/limits input=$BATS_TEST_TMPDIR/input
	: > "$limits"
	: > "$input"
}

# limit TEXT: adds a limit.
limit() { echo "$1" >> "$limits"; }

# figure NAME KEYS: adds a count of the part `a` on kernel 7.3.
figure()
{
	echo '{"t":"figure","part":"a","name":"'"$1"'","kernel":"7.3","unit":"u","kind":"count",'"$2"'}' >> "$input"
}

# timing KEYS: adds a time with all that it needs but for the keys given, which replace those of the same name.
timing()
{
	jq -c ". + $1" <<< '{"t":"figure","part":"a","name":"t","unit":"ms","kind":"time","ours":10,"peer":20,"peer_name":"p","ratio":0.5,
		"runs":11,"ours_spread":[9,12],"peer_spread":[18,25],"ratio_spread":[0.45,0.55],"on":"ratio","most":0.6}' >> "$input"
}

# at X Y [SERIES]: adds a point.
at()
{
	echo '{"t":"point","part":"a","series":"'"${3:-s}"'","kernel":"7.3","x":'"$1"',"y":'"$2"',"unit":"u","x_unit":"n"}' >> "$input"
}

report() { selftests/bench/report.py --limits "$limits" --parts a --kernels 7.3 "$@" "$input"; }

@test "report.py: a ratio on its limit is met, one above it is missed" {
	limit 'a | f | 7.3 | ratio | most 0.60'
	figure f '"ours":60,"peer":100,"peer_name":"p"'
	run -0 report
	[ "$output" = "bench: passed: 1 figures; of 1 limits 1 met, 0 missed; 0 problems" ]
	: > "$input"
	figure f '"ours":60.01,"peer":100,"peer_name":"p"'
	run -1 report
	[ "${lines[0]}" = "missed: a: f on 7.3" ]
	[ "${lines[1]}" = "bench: FAILED: 1 figures; of 1 limits 0 met, 1 missed; 0 problems" ]
}

@test "report.py: a limit of ours, and a least one" {
	limit 'a | f | 7.3 | ours | most 0'
	limit 'a | g | 7.3 | ratio | least 20'
	figure f '"ours":0'
	figure g '"ours":40,"peer":2,"peer_name":"p"'
	run -0 report
	: > "$input"
	figure f '"ours":0.01'
	figure g '"ours":39,"peer":2,"peer_name":"p"'
	run -1 report
	[ "${lines[-1]}" = "bench: FAILED: 2 figures; of 2 limits 0 met, 2 missed; 0 problems" ]
}

@test "report.py: a figure brings its own limit; one that contradicts the file is a problem" {
	figure f '"ours":5,"on":"ours","most":4'
	run -1 report
	[ "${lines[0]}" = "missed: a: f on 7.3" ]
	: > "$input"
	figure f '"ours":5,"on":"ours","most":6'
	run -0 report
	limit 'a | f | 7.3 | ours | most 5'
	run -1 report
	[[ ${lines[0]} = "problem: a: 'f' on 7.3 has more than one limit" ]]
}

@test "report.py: a limit is for its kernels" {
	limit 'a | f | >=6.17 | ours | most 1'
	limit 'a | f | 6.1 | ours | most 2'
	limit 'a | g | 6.1 | ours | most 1'
	figure f '"ours":1.5'
	run -1 report
	[ "${lines[0]}" = "missed: a: f on 7.3" ]
	sed -i 's/7\.3/6.1/' "$input"
	run -1 report --kernels 6.1
	[ "${lines[0]}" = "missed: a: g on 6.1" ]
	[ "${lines[1]}" = "problem: a: 'g' was not measured on 6.1" ]
	sed -i 's/6\.1/6.12/' "$input"
	run -0 report --kernels 6.12
}

@test "report.py: a figure that is missing fails, also one of two kernels" {
	limit 'a | f | every | ours | most 1'
	limit 'b | g | - | ours | most 1'
	figure f '"ours":1'
	run -0 report
	run -1 report --kernels '6.1 7.3'
	[ "${lines[1]}" = "problem: a: 'f' was not measured on 6.1" ]
	run -1 report --parts 'a b'
	[ "${lines[1]}" = "problem: b: no figure" ]
	[ "${lines[2]}" = "problem: b: 'g' was not measured" ]
}

@test "report.py: a part without a figure, one that failed, and a figure that is there twice fail" {
	run -1 report
	[ "${lines[0]}" = "problem: a: no figure" ]
	figure f '"ours":1'
	run -0 report
	run -1 report --failed a
	[ "${lines[0]}" = "problem: a: the part failed" ]
	figure f '"ours":1'
	run -1 report
	[ "${lines[0]}" = "problem: a: 'f' is there twice on 7.3" ]
}

@test "report.py: a broken line fails, and the others are still judged" {
	local broken

	figure f '"ours":1'
	run -0 report
	for broken in 'insmod: no such file' '[]' '{"t":"other"}' '{"t":"figure","part":"a","name":"x","unit":"u","kind":"count"}' \
		'{"t":"figure","part":"a","name":"x","unit":"u","kind":"count","ours":NaN}' \
		'{"t":"figure","part":"a","name":"x","unit":"u","kind":"count","ours":"1"}' \
		'{"t":"figure","part":"a","name":"x","unit":"u","kind":"count","ours":1,"peer":2}' \
		'{"t":"figure","part":"a","name":"x","unit":"u","kind":"count","ours":1,"most":2}' \
		'{"t":"figure","part":"a","name":"x","unit":"u","kind":"count","ours":1,"on":"peer","most":2}' \
		'{"t":"figure","part":"a","name":"x","unit":"u","kind":"guess","ours":1}' \
		'{"t":"point","part":"a","series":"s","x":0,"y":1,"unit":"u","x_unit":"n"}' \
		'{"t":"row","part":"a","table":"t","group":"g","symbol":"s","unit":"u"}'; do
		: > "$input"
		figure f '"ours":1'
		echo "$broken" >> "$input"
		run -1 report
		[[ ${lines[0]} = "problem: line 2 is broken: "* ]]
		[ "${lines[1]}" = "bench: FAILED: 1 figures; of 0 limits 0 met, 0 missed; 1 problem" ]
	done
}

@test "report.py: a limit of a ratio without a peer, or with a peer of 0, fails" {
	limit 'a | f | 7.3 | ratio | most 1'
	figure f '"ours":0'
	run -1 report
	[ "${lines[1]}" = "problem: a: 'f' on 7.3 has a limit of the ratio, and no peer" ]
	: > "$input"
	figure f '"ours":0,"peer":0,"peer_name":"p"'
	run -1 report
}

@test "report.py: of times the median of the pairs' ratios is judged, not the ratio of the medians" {
	timing '{ratio: 0.61, ratio_spread: [0.5, 0.7]}'
	run -1 report
	: > "$input"
	timing '{ours: 19}'
	run -0 report
}

@test "report.py: a time without its spread, without runs, or of two runs is broken" {
	local without

	for without in '{ours_spread: [12, 9]}' '{runs: 2}' '{ratio_spread: [1]}'; do
		: > "$input"
		timing "$without"
		run -1 report
		[[ ${lines[0]} = "problem: line 1 is broken: "* ]]
	done
	for without in runs ratio ours_spread peer_spread ratio_spread; do
		: > "$input"
		timing '{}'
		sed -i -E "s/,\"$without\":(\[[^]]*\]|[0-9.]+)//" "$input"
		run -1 report
		[[ ${lines[0]} = "problem: line 1 is broken: a time without $without: "* ]]
	done
}

@test "report.py: eight times as many may cost 8.8 times as much" {
	at 1 100
	at 8 880
	at 16 1
	run -0 report
	[ "${lines[-1]}" = "bench: passed: 0 figures; of 1 limits 1 met, 0 missed; 0 problems" ]
	at 64 7745
	run -1 report
	[ "${lines[0]}" = "missed: a: s on 7.3" ]
	[ "${lines[1]}" = "bench: FAILED: 0 figures; of 2 limits 1 met, 1 missed; 0 problems" ]
}

@test "report.py: a series by which growth cannot be judged fails; what costs nothing may go on so" {
	at 1 100
	at 4 100
	run -1 report
	[ "${lines[0]}" = "problem: a: 's' on 7.3 has no two points with 8 times as many" ]
	: > "$input"
	at 1 0
	at 8 0
	run -0 report
	at 64 1
	run -1 report
}

@test "report.py: the report has limits, spreads, sums by group, and a plot of each series" {
	local name

	limit 'a | f | 7.3 | ours | most 4'
	figure f '"ours":5'
	timing '{}'
	at 1 100
	at 8 900
	echo '{"t":"row","part":"a","table":"f","kernel":"7.3","group":"ours","symbol":"small","value":2,"unit":"u"}' >> "$input"
	echo '{"t":"row","part":"a","table":"f","kernel":"7.3","group":"ours","symbol":"large<","value":40,"unit":"u"}' >> "$input"
	run -1 report --out "$BATS_TEST_TMPDIR"
	grep -Fx '| f | 7.3 | 5 |  |  | at most 4 | MISSED |' "$BATS_TEST_TMPDIR/report.md"
	grep -Fx '| t |  | 10 (9 to 12) | 20 (18 to 25) | 0.50 (0.45 to 0.55) | ratio at most 0.6 | met |' "$BATS_TEST_TMPDIR/report.md"
	grep -Fx '| s | 7.3 | 1 to 8 n | 100 to 900 u | 9.00 | at most 8.80 | MISSED |' "$BATS_TEST_TMPDIR/report.md"
	grep -A 2 -Fx '| large< | ours | 40.0 |' "$BATS_TEST_TMPDIR/report.md" | tail -n 1 | grep -Fx '| all | ours | 42.0 |'
	[ "$(jq -c '[.passed, (.figures[] | .verdict), (.growth[] | .verdict)]' "$BATS_TEST_TMPDIR/report.json")" = '[false,false,true,false]' ]
	[ "$(grep -o '<svg' "$BATS_TEST_TMPDIR/report.html" | wc -l)" = 2 ]
	grep -F 'large&lt;' "$BATS_TEST_TMPDIR/report.html"
	# nothing is fetched
	run -1 grep -E '(src|href)=|url\(' "$BATS_TEST_TMPDIR/report.html"
}

@test "report.py --tap: a point for each limit and each problem" {
	limit 'a | f | 7.3 | ours | most 4'
	limit 'a | g | 7.3 | ours | most 4'
	limit 'a | h | 7.3 | ours | most 4'
	figure f '"ours":4'
	figure g '"ours":5'
	run -1 report --tap
	[ "$output" = "1..3
ok 1 - a: f on 7.3: 4, limit: at most 4
not ok 2 - a: g on 7.3: 5, limit: at most 4
not ok 3 - a: 'h' was not measured on 7.3" ]
}

@test "report.py: a limit that cannot be read ends the run" {
	limit 'a | f | 7.3 | ours | about 4'
	figure f '"ours":4'
	run -1 report
	[[ $output = *'limits: not PART | FIGURE | KERNELS'* ]]
}

@test "report.py: writes its tables into the documentation, and finds limits that differ there" {
	doc=$BATS_TEST_TMPDIR/doc.rst
	limit 'a | f | every | ours | most 4'
	printf 'before\n\n.. begin of a\n\n.. end of a\n\nafter\n' > "$doc"
	figure f '"ours":4'
	figure g '"ours":4'
	at 1 1
	at 8 1
	run -1 selftests/bench/report.py --limits "$limits" --parts a --check-doc "$doc"
	[ "$output" = "a: 'f' is not in the documentation" ]
	run -0 report --doc "$doc"
	[ "$(head -n 1 "$doc") $(tail -n 1 "$doc")" = "before after" ]
	grep -E '^f +7\.3 +4 .* at most 4 +met$' "$doc"
	run -0 selftests/bench/report.py --limits "$limits" --parts a --check-doc "$doc"
	[ -z "$output" ]
	echo 'a | f | every | ours | most 5' > "$limits"
	run -1 selftests/bench/report.py --limits "$limits" --parts a --check-doc "$doc"
	[ "$output" = "a: 'f' on 7.3: the documentation says 'at most 4', selftests/bench/limits 'at most 5'" ]
	run -1 selftests/bench/report.py --limits "$limits" --parts 'a b' --check-doc "$doc"
	[[ ${lines[1]} = *"has no table of the part b" ]]
	run -1 report --parts 'a b' --doc "$doc"
}

@test "lib.sh: line prints what report.py reads, whatever the name" {
	. selftests/bench/lib.sh
	line figure part=a name='a "name" with \' unit=u ours=1 peer=2 peer_name=p on=ratio most=0.5 kind=count > "$input"
	line point part=a series=s x=1 y=1 unit=u x_unit=n >> "$input"
	line point part=a series=s x=8 y=8.8 unit=u x_unit=n >> "$input"
	line row part=a table=t group=g symbol=s value=1 unit=u >> "$input"
	run -0 report
}

@test "lib.sh: each_kernel prints lines in the order of kernels, and fails if it fails on one" {
	. selftests/bench/lib.sh
	# the first kernel's lines come last
	print() { [ "$1" != 6.1 ] || sleep 0.3; echo "begin $1"; [ "$1" != "${broken:-}" ] && echo "end $1"; }
	KERNELS="6.1 6.12" run each_kernel print
	[ "$status" = 0 ]
	[ "$output" = $'begin 6.1\nend 6.1\nbegin 6.12\nend 6.12' ]
	for broken in 6.1 6.12; do
		KERNELS="6.1 6.12" run each_kernel print
		[ "$status" = 1 ]
		[ "${#lines[@]}" = 3 ]
	done
}

@test "lib.sh: figures_of finds figures that follow other output on the same line" {
	. selftests/bench/lib.sh
	printf '# remark\nFIGURE {"t":"row"}\n# begun FIGURE {"t":"point"}\r\nok 1\n' > "$input"
	[ "$(figures_of "$input" | tr -d '\r')" = '{"t":"row"}
{"t":"point"}' ]
}

@test "bench: every part can be run, and every limit is of a part" {
	for part in $(sed '/^#/d; s/ .*//' selftests/bench/limits | sort -u); do
		[ -x "selftests/bench/parts/$part.sh" ]
	done
}
