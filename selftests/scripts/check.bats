#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# check.sh with suites and guests made up here: order, guests that die, what runs once more, skips.

bats_require_minimum_version 1.5.0

# A project with the scripts under test and stand-ins for fetching, building and booting. A file `die`, `lost` or `warn` in its out/SUITE
# ends the guest there.
setup()
{
	project=$BATS_TEST_TMPDIR/project
	mkdir -p "$project"/selftests/{run,model,suites}
	cp "$BATS_TEST_DIRNAME"/../run/*.{sh,awk} "$project/selftests/run"
	cp "$BATS_TEST_DIRNAME"/../model/common.sh "$project/selftests/model"
	echo '# none' | tee "$project/selftests/model/violation-allow" > "$project/selftests/model/console-allow"
	: > "$project/selftests/run/seconds"
	: > "$project/selftests/run/skips"
	printf '%%:\n\t@true\n' > "$project/Makefile"
	mkdir -p "$project/userspace"
	printf '%%:\n\t@true\n' | tee "$project/userspace/Makefile" > "$project/selftests/Makefile"
	printf '#!/bin/bash\nexit 0\n' | tee "$project/selftests/run/module.sh" > "$project/selftests/model/setup.sh"
	cat > "$project/selftests/model/boot.sh" <<-'SH'
	#!/bin/bash
	# shellcheck disable=all
	set -u
	. "$(dirname "$0")/common.sh"
	. "$(dirname "$0")/../run/suites.sh"
	while [ "$1" != -- ]; do [ "$1" != --name ] || name=$2; [ "$1" != --kernel ] || kernel=$2; shift; done
	shift 2
	run=$BUILD/run/$name
	mkdir -p "$run/out"
	: > "$run/console.log"
	: > "$run/out/begun"
	echo "$name $*" >> "$BUILD/boots"
	echo '{"t":"end","lines":0}' > "$run/model.jsonl"
	for suite; do
		mkdir -p "$run/out/$suite"
		load_suite "selftests/suites/$suite"
		ACR_OUT=$run/out/$suite ACR_KERNEL=$kernel bash -c "$guest" > "$run/out/$suite/job.log" 2>&1
		[ ! -e "$run/out/$suite/lost" ] || { rm "$run/out/begun"; exit 125; }
		[ ! -e "$run/out/$suite/die" ] || { echo "boot.sh: the kernel log has: BUG: x"; exit 125; }
		echo 1 > "$run/out/$suite/seconds"
	done
	SH
	chmod +x "$project"/selftests/model/*.sh
	export BUILD=$BATS_TEST_TMPDIR/build KERNELS=7.3
	unset ALL TORTURE_MINUTES JOBS
	mkdir -p "$BUILD"
	cd "$project" || return 1
}

# suite NAME LINE...
suite() { printf '%s\n' "${@:2}" > "selftests/suites/$1"; }
# passing TEXT, failing TEXT: a command that prints such a test point
passing() { echo "echo 1..1; echo \"ok 1 $1\""; }
failing() { echo "echo 1..1; echo \"not ok 1 $1\""; }
# once FIRST THEN: the first command at the first time, the second one afterwards
once() { echo "if mkdir $BATS_TEST_TMPDIR/${3:-once} 2> /dev/null; then $1; else $2; fi"; }
check() { run selftests/run/check.sh "$@"; echo "$output"; }
last() { [ "${lines[-1]}" = "$1" ] || { echo "want: $1"; return 1; }; }
# boots LINE...: these boots there were
boots() { [ "$(cat "$BUILD/boots")" = "$(printf '%s\n' "$@")" ] || { cat "$BUILD/boots"; return 1; }; }

@test "check.sh: suites that need the same guest share one, others have their own" {
	suite a "guest='$(passing a)'"
	suite b "guest='$(passing b)'" mem=2000
	suite c "guest='$(passing c)'"
	suite d "guest='$(passing d)'" alone=yes
	suite e "guest='$(passing e)'" profiles=goldmont
	suite f "host='$(passing f)'" needs=tools
	check
	[ "$status" = 0 ]
	sort -o "$BUILD/boots" "$BUILD/boots"
	boots 'boot-7.3-clearwaterforest-1 a c' 'boot-7.3-clearwaterforest-2 b' 'boot-7.3-clearwaterforest-3 d' 'boot-7.3-goldmont-1 e'
	# 5 steps of the build, 6 suites, 2 points of each boot
	last '19 passed, 0 failed, 0 skipped'
}

@test "check.sh: suites of areas where nothing has changed are left out, and run with ALL=1 or if they are named" {
	suite a "host='$(passing a)'" area=kmod
	suite b "host='$(passing b)'" area=userspace
	git init -q
	git add -A
	git -c user.name=x -c user.email=x commit -qm x
	echo "commit $(git rev-parse HEAD)" > selftests/run/clean
	echo > userspace/changed.c
	check
	[ "$status" = 0 ]
	[[ $output = *'a: left out, nothing of it has changed since all was green (make check ALL=1)'* ]]
	last '3 passed, 0 failed, 0 skipped'
	# another area, and then another command
	sed -i 's,=kmod,=kmod/core,' selftests/suites/a
	check
	last '3 passed, 0 failed, 0 skipped'
	suite a "host='$(passing a); true'" area=kmod
	check
	last '4 passed, 0 failed, 0 skipped'
	suite a "host='$(passing a)'" area=kmod
	# an earlier form of it with a variable of that time
	suite a "host=\"$(passing a | sed 's/"/\\"/g')\$gone\"" area=kmod
	git add -A
	git -c user.name=x -c user.email=x commit -qm x
	echo "commit $(git rev-parse HEAD)" > selftests/run/clean
	echo 2 > userspace/changed.c
	suite a "host='$(passing a)'" area=kmod
	check
	[[ $output != *unbound* ]]
	last '3 passed, 0 failed, 0 skipped'
	ALL=1 check
	last '7 passed, 0 failed, 0 skipped'
	check a
	last '3 passed, 0 failed, 0 skipped'
	check --torture
	[ "$status" = 0 ]
	last '6 passed, 0 failed, 0 skipped'
}

@test "check.sh: the module is built for kernels that boot, and for all of them if it has changed" {
	built() { (cd "$BUILD/check" && echo build-module-*.log); }

	suite a "guest='$(passing a)'" kernel_min=7
	suite b "host='$(passing b)'" needs=tools
	git init -q
	git add -A
	git -c user.name=x -c user.email=x commit -qm x
	echo "commit $(git rev-parse HEAD)" > selftests/run/clean
	export KERNELS='6.1 7.3'
	check
	[ "$status" = 0 ]
	[ "$(built)" = build-module-7.3.log ]
	mkdir kmod
	echo > kmod/new.c
	check
	[ "$(built)" = 'build-module-6.1.log build-module-7.3.log' ]
	# but for what fetches no kernel
	check b
	[ "$(built)" = 'build-module-*.log' ]
}

@test "check.sh: boots are not longer than their limit, and the longest job starts first" {
	mkdir -p "$BUILD/stamps"
	echo 7.3 > "$BUILD/stamps/newest"
	printf '%s\n' 'a-newest 150' 'b-newest 400' 'c-newest 160' 'h 300' 'i 5' > selftests/run/seconds
	for name in a b c; do suite $name "guest='$(passing $name)'"; done
	for name in h i; do suite $name "host='echo $name >> $BUILD/boots; $(passing $name)'"; done
	JOBS=1 check
	[ "$status" = 0 ]
	boots 'boot-7.3-clearwaterforest-1 b' 'boot-7.3-clearwaterforest-2 c a' h i
	[[ $output = *"b-7.3  "*" 1 passed"*"(11 min left)"*"c-7.3  "*"(8 min left)"*"i   "*"(0 min left)"* ]]
}

@test "check.sh: a guest runs beside a suite of the host, and two guests when there is no such suite left" {
	until_is() { echo "for i in \$(seq 600); do [ ! -e $1 ] || break; sleep 0.1; done"; }

	printf '%s\n' 'a-newest 200' 'b-newest 100' 'c-newest 90' 'h 50' > selftests/run/seconds
	mkdir -p "$BUILD/stamps"
	echo 7.3 > "$BUILD/stamps/newest"
	suite a alone=yes "guest='$(until_is "$BATS_TEST_TMPDIR/h"); $(until_is "$BATS_TEST_TMPDIR/c"); $(passing a)'"
	suite b alone=yes "guest='$(passing b)'"
	suite c alone=yes "guest='touch $BATS_TEST_TMPDIR/c; $(passing c)'"
	suite h "host='$(until_is "$BUILD/run/boot-7.3-clearwaterforest-1"); ls $BUILD/run; touch $BATS_TEST_TMPDIR/h; $(passing h)'"
	JOBS=2 check
	[ "$status" = 0 ]
	# A suite of the host began beside the first guest, and then a second one.
	[ "$(grep '^boot-' "$BUILD/check/h.tap")" = boot-7.3-clearwaterforest-1 ]
	boots 'boot-7.3-clearwaterforest-1 a' 'boot-7.3-clearwaterforest-2 b' 'boot-7.3-clearwaterforest-3 c'
}

@test "check.sh: what is red once is green if it is green alone, and is named" {
	suite host "host='$(once "$(failing x)" "$(passing x)" one)'"
	suite guest "guest='$(once "$(failing y)" "$(passing y)" two)'"
	suite other "guest='$(passing other)'"
	JOBS=1 check
	[ "$status" = 0 ]
	boots 'boot-7.3-clearwaterforest-1 guest other' 'guest-7.3-again guest'
	last '8 passed, 0 failed, 0 skipped, 2 flaky: guest-7.3 host'
	[ "$(sort "$BUILD/check/flaky")" = "$(printf '%s\t?\t%s\n' "$(date +%F)" 'guest-7.3: y' "$(date +%F)" 'host: x')" ]
}

@test "check.sh: what is red twice fails the run" {
	suite host "host='$(failing x)'"
	check
	[ "$status" = 1 ]
	[[ $output = *"host runs once more, alone"*"host is red again"* ]]
	last '5 passed, 1 failed, 0 skipped'
}

@test "check.sh: a crash, a wrong register and a hang never run once more" {
	for remark in '# Test terminated unexpectedly by signal 11' '# register 0x38f is 1' '# ==1==ERROR: AddressSanitizer: x' \
		'# hw leaves nothing behind: no program runs on'; do
		rm -rf "$BATS_TEST_TMPDIR/once"
		suite host "host='$(once "echo \"$remark\"; $(failing x)" "$(passing x)")'"
		check
		[ "$status" = 1 ]
		last '5 passed, 1 failed, 0 skipped'
	done
	rm -rf "$BATS_TEST_TMPDIR/once"
	suite host "host='$(once 'sleep 10' "$(passing x)")'" limit_s=1
	check
	[ "$status" = 1 ]
	rm -rf "$BATS_TEST_TMPDIR/once"
	suite host "host='$(once 'exit 3' "$(passing x)")'"
	check
	[ "$status" = 1 ]
}

@test "check.sh: more than three red results are no chance" {
	for name in a b c d; do suite $name "host='$(once "$(failing x)" "$(passing x)" $name)'"; done
	check
	[ "$status" = 1 ]
	[[ $output != *"once more"* ]]
	last '5 passed, 4 failed, 0 skipped'
}

@test "check.sh: the suite in which a guest dies is blamed, and the rest boots again" {
	suite a "guest='$(passing a)'"
	suite b "guest='$(passing b); : > \$ACR_OUT/die'"
	suite c "guest='$(passing c)'"
	JOBS=1 check
	[ "$status" = 1 ]
	boots 'boot-7.3-clearwaterforest-1 a b c' 'boot-7.3-clearwaterforest-1 c'
	[[ $output = *"b-7.3 "*" 1 failed"*"not ok  b: the guest died"* ]]
	[[ $output = *"not ok  boot-7.3-clearwaterforest-1: the guest runs to its end"*"BUG: x"* ]]
	[[ $output != *"once more"* ]]
	# the build, three suites, the second boot
	last '10 passed, 2 failed, 0 skipped'
}

@test "check.sh: a guest that QEMU lost boots again, and is counted as flaky; three times are a failure" {
	suite a "guest='$(once ': > $ACR_OUT/lost' "$(passing a)")'"
	check
	[ "$status" = 0 ]
	boots 'boot-7.3-clearwaterforest-1 a' 'boot-7.3-clearwaterforest-1 a'
	last '8 passed, 0 failed, 0 skipped, 1 flaky: boot-7.3-clearwaterforest-1'
	rm "$BUILD/boots"
	suite a "guest=': > \$ACR_OUT/lost'"
	check
	[ "$status" = 1 ]
	[ "$(wc -l < "$BUILD/boots")" = 3 ]
}

@test "check.sh: what is red when a lost guest boots again is not forgotten" {
	suite a "guest='$(once "$(passing a)" "$(failing a)" first)'"
	suite b "guest='$(once ': > $ACR_OUT/lost' "$(passing b)" second)'"
	check
	[ "$status" = 1 ]
	boots 'boot-7.3-clearwaterforest-1 a b' 'boot-7.3-clearwaterforest-1 a b'
	[[ $output = *"not ok  a"* ]]
}

@test "check.sh: a skip that is not listed is red" {
	suite a "host='$(passing 'x # SKIP no such thing')'"
	check
	[ "$status" = 1 ]
	[[ $output = *"not ok  this skip is not expected, see selftests/run/skips: x # SKIP no such thing"* ]]
	printf 'a\tno such\n' > selftests/run/skips
	check
	[ "$status" = 0 ]
	last '5 passed, 0 failed, 1 skipped'
	printf 'b\tno such\na\tother\n' > selftests/run/skips
	check
	[ "$status" = 1 ]
}

@test "check.sh: a model without a log, and one with a fault in it, are red" {
	suite a "guest='$(passing a); rm \$ACR_OUT/../../model.jsonl'"
	check
	[ "$status" = 1 ]
	[[ $output = *"not ok  boot-7.3-clearwaterforest-1: the model's log is whole"* ]]
	suite a "guest='$(passing a); sed -i \"1i {\\\"t\\\":\\\"viol\\\",\\\"m\\\":1}\" \$ACR_OUT/../../model.jsonl'"
	check
	[ "$status" = 1 ]
	[[ $output = *"no access faults in the model's log"* ]]
	echo "violations='\"m\":1'" >> selftests/suites/a
	check
	[ "$status" = 0 ]
}

@test "check.sh: what suites check after a boot is checked once for those that check the same, with the output of each" {
	suite a "guest='$(passing a); echo a > \$ACR_OUT/file'" "check='$(passing "log of \$ACR_KERNEL \$(ls \$ACR_RUN/out | wc -l)")'"
	suite b "guest='$(passing b)'" "check='$(passing "log of \$ACR_KERNEL \$(ls \$ACR_RUN/out | wc -l)")'"
	suite c "guest='$(passing c); echo c > \$ACR_OUT/file'" "check='$(failing "\$(cat \$ACR_OUT/file)")'"
	check
	[ "$status" = 1 ]
	[ "$(grep -c 'log of 7.3 4' "$BUILD/check/boot-7.3-clearwaterforest-1.tap")" = 1 ]
	[[ $output = *"not ok  c"* ]]
}

@test "check.sh: suites without a guest neither fetch nor build one" {
	echo 'echo "$@" >> "$BUILD/setup"' >> selftests/model/setup.sh
	sed -i '/^exit 0/d' selftests/model/setup.sh
	suite a "host='$(passing a)'" needs=tools
	suite b "host='$(passing b)'" needs=root
	suite c "guest='$(passing c)'"
	check a
	check a b
	check a b c
	[ "$(cat "$BUILD/setup")" = '--for tools
--for root
--for check --kernels 7.3' ]
	check a
	[[ $output != *double* ]]
}

@test "check.sh: a job that is killed leaves a failure, not a result that is missing" {
	# the parent of `timeout` is the job
	suite a "host='job=\$(ps -o ppid= -p \$PPID); kill -KILL \$job; sleep 1'"
	suite b "host='$(passing b)'"
	JOBS=1 check
	[ "$status" = 1 ]
	[[ $output = *"not ok  a was killed"*"b  "*"1 passed"* ]]
}

@test "check.sh: a failure says how its test runs alone" {
	suite a "guest='echo \"# program: x/pmi_test\"; $(failing pmi.together)'"
	check
	[[ $output = *"run it alone: make try T='a/pmi:pmi.together' KERNEL=7.3 PROFILE=clearwaterforest"* ]]
}

@test "check.sh --torture: goes on where the last run of the same tree ended, and begins anew with another one" {
	suite a "host='$(passing a)'" torture=.
	suite b "host='$(once "$(failing b)" "$(failing b)" never)'" torture=.
	suite c "guest='$(passing c)'" torture=.
	suite d "guest='$(passing d)'" torture=.
	git init -q
	git add -A
	git -c user.name=x -c user.email=x commit -qm x
	JOBS=1 check --torture
	[ "$status" = 1 ]
	boots 'boot-7.3-clearwaterforest-1 c d'
	rm "$BUILD/boots"
	# what was red runs again, and what is named always runs
	JOBS=1 check --torture
	[ "$status" = 1 ]
	[ ! -e "$BUILD/check/a.tap" ]
	[ ! -e "$BUILD/boots" ]
	[[ $output = *'4 results were green in the last run of this tree'* ]]
	JOBS=1 check --torture a
	last '6 passed, 0 failed, 0 skipped'
	# another tree
	suite b "host='$(passing b)'" torture=.
	JOBS=1 check --torture
	[ "$status" = 0 ]
	[[ $output = *a" "*1" passed"* ]]
	JOBS=1 check --torture
	[ "$status" = 0 ]
	[[ $output = *'nothing is left to run; remove build/torture to begin anew'* ]]
}

@test "check.sh --torture: a boot with a red suite runs again as a whole" {
	suite c "guest='$(passing c)'" torture=.
	suite d "guest='$(failing d)'" torture=.
	git init -q
	git add -A
	git -c user.name=x -c user.email=x commit -qm x
	check --torture
	boots 'boot-7.3-clearwaterforest-1 c d' 'd-7.3-again d'
	check --torture
	boots 'boot-7.3-clearwaterforest-1 c d' 'd-7.3-again d' 'boot-7.3-clearwaterforest-1 c d' 'd-7.3-again d'
}

@test "check.sh --torture: no job starts after TORTURE_MINUTES=, and the rest is for the next run" {
	suite a "host='$(passing a)'" torture=.
	suite b "host='$(passing b)'" torture=.
	TORTURE_MINUTES=0 check --torture
	[ "$status" = 0 ]
	[[ $output = *'2 jobs did not start in 0 minutes: make torture goes on with them'* ]]
	TORTURE_MINUTES=1 check --torture
	[ "$status" = 0 ]
	[[ $output != *'did not start'* ]]
	TORTURE_MINUTES=1h check --torture
	[ "$status" = 1 ]
	[ "$output" = "check.sh: TORTURE_MINUTES=1h is no number of minutes" ]
	TORTURE_MINUTES=1 check a
	[ "$status" = 1 ]
	[[ ${lines[-1]} = *'is for make torture without SUITES='* ]]
}

@test "check.sh --cover: the guests of suites log what runs, and too few lines are red unless suites are named" {
	suite a "guest='$(passing a)'" torture=.
	suite b "guest='$(passing b)'" plugin_args=mem=on "host='$(failing 'no host')'"
	suite c "host='$(failing 'no guest')'"
	mkdir -p selftests/cover "$BUILD/cover" kmod
	cp "$BATS_TEST_DIRNAME/../cover/table.awk" selftests/cover
	echo 'all:' > selftests/cover/Makefile
	printf '%s\n' 'int a(void)' '{' '	b();' '	c();' '	return 0;' > kmod/a.c
	# Two boots: line 3 runs in one, line 4 in the other, line 5 never.
	cat > "$BUILD/cover/lines" <<-'SH'
	#!/bin/bash
	[ "$1" = "$BUILD/kernels/7.3/acrpmu.ko" ] || exit 1
	case $2 in *-1/model.jsonl) ran=3 ;; *-2/model.jsonl) ran=4 ;; esac
	for line in 3 4 5; do echo "kmod/a.c:$line	$((line == ran))	1"; done
	SH
	chmod +x "$BUILD/cover/lines"
	sed -i 's,^run=.*,&; echo "$args" >> "$BUILD/args",; s/; kernel=$2/&/; s/while \[ "$1" != -- \]; do/& [ "$1" != --plugin-args ] || args=$2;/' \
		selftests/model/boot.sh
	JOBS=1 check --cover
	[ "$status" = 1 ]
	[ "$(sort "$BUILD/args")" = 'cover=on
mem=on,cover=on' ]
	[[ $output = *"kmod/a.c                      3      2   66.7 %"*"kmod/a.c:5: a: return 0;"*"not ok  at least 95 %"* ]]
	[[ $output != *'no host'* && $output != *'no guest'* ]]
	rm "$BUILD/args"
	check --cover a
	[ "$status" = 0 ]
	[ "$(< "$BUILD/args")" = cover=on ]
	[[ $output = *"kmod/a.c                      3      1   33.3 %"* ]]
	sed -i '1a exit 1' "$BUILD/cover/lines"
	check --cover a
	[ "$status" = 1 ]
	[[ ${lines[-1]} = *'the logs of these boots could not be read, see build/check/cover.err: boot-7.3-clearwaterforest-1' ]]
	rm -r selftests/cover
	check
	[ "$status" = 1 ]
	[ "$(tail -n 1 "$BUILD/args")" = mem=on ]
}
