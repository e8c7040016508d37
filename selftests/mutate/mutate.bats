#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The script of mutation testing, on a small project of which each mutant, and what notices it, is known.

bats_require_minimum_version 1.5.0

setup_file()
{
	command -v gcov > /dev/null || skip "gcov is not installed"
	mkdir "$BATS_FILE_TMPDIR/project"
	cd "$BATS_FILE_TMPDIR/project"
	cp -r "$BATS_TEST_DIRNAME/../fixtures/mutate/." .
	cp -r "$BATS_TEST_DIRNAME" selftests/
	unset TORTURE_MINUTES BUILD
	status=0
	selftests/mutate/run.py userspace/lib > out 2> err < /dev/null || status=$?
	echo $status > status
}

setup()
{
	cd "$BATS_FILE_TMPDIR/project"
	unset TORTURE_MINUTES BUILD
	cat out err
}

@test "mutate: the one hole of the tests is found" {
	[ "$(cat status)" = 1 ]
	[ "$(grep -c '^# userspace' out)" = 1 ]
	grep -A2 '^# userspace/lib/size.c:9: > to >=$' out > survivor
	grep -qxF '#   - return x > 100;' survivor
	grep -qxF '#   + return x >= 100;' survivor
	grep -q '^not ok 1 - userspace/lib: of .* noticed' out
}

@test "mutate: a survivor can be applied as a patch" {
	cp -r userspace patched
	id=$(sed -n 's/.*--show \([0-9a-f]*\) .*/\1/p' out)
	selftests/mutate/run.py --show "$id" | sed 's,userspace/,patched/,' | patch -p1
	diff userspace/lib/size.c patched/lib/size.c > difference || true
	[ "$(cat difference)" = "9c9
< 	return x > 100;
---
> 	return x >= 100;" ]
}

@test "mutate: what unit tests miss, tests of acrctl find, but not one that is red without a mutant" {
	grep -qF 'size.c:14 < to <= killed size.bats: acrctl: 10 (or more) is not small' err
	grep -qF 'size.c:9 constant plus 1 killed size_test' err
	! grep -F 'always red' err || false
}

@test "mutate: a loop without end is noticed" {
	grep -qF 'size.c:23 drop the statement killed size_test' err
}

@test "mutate: comments, definitions and tables are left alone" {
	[ "$(grep -cE 'size\.c:[1-5] ' err)" = 0 ]
}

@test "mutate: what the compiler makes the same code of does not count" {
	grep -qF 'size.c:21 drop the statement equivalent' err
	nr=$(grep -cE ' (killed|survived) ' err)
	grep -qF "of $nr mutants $((nr - 1)) are noticed" out
}

# made LETTERS FUNCTION: mutants of one function, by operators that begin with one of these letters
made()
{
	python3 -B - "$@" <<-'PYTHON'
	import sys
	sys.path.insert(0, "selftests/mutate")
	import mutants
	print([m.operator for m in mutants.mutants("x.c", sys.argv[2]) if m.operator[0] in sys.argv[1]])
	PYTHON
}

@test "mutate: which of two equal values is the greater one makes no mutant" {
	[ "$(made '<>' 'int f(int a, int b) { return a > b ? a : b; }')" = "[]" ]
	[ "$(made '<>' 'int f(struct s *p) { p->n = p->n <= LEAST ? LEAST : p->n; }')" = "[]" ]
	[ "$(made '<>' 'int f(int a, int b) { return 1 + a > b ? a : b; }')" = "['> to >=']" ]
	[ "$(made '<>' 'int f(int a, int b) { return a < b ? a : b + 1; }')" = "['< to <=']" ]
}

@test "mutate: room for more than one makes no mutant" {
	[ "$(made c 'void f(void) { p = calloc(1, sizeof(*p)); }')" = "[]" ]
	[ "$(made c 'void f(int n) { p = calloc(n, 8); }')" = "['constant plus 1']" ]
	[ "$(made c 'void f(void) { p = g(1, 8); }')" = "['constant plus 1', 'constant plus 1']" ]
}

@test "mutate: a second run takes the verdicts of the first" {
	before=$(wc -l < build/mutate/results)
	run -1 --separate-stderr selftests/mutate/run.py userspace/lib
	[ "$output" = "$(cat out)" ]
	[ "$(wc -l < build/mutate/results)" = "$before" ]
}

@test "mutate: without the tests of acrctl more survive, and all judge those again later" {
	sed -i '/size\.bats/d' build/mutate/results
	QUICK=1 run -1 --separate-stderr selftests/mutate/run.py userspace/lib
	[[ $output = *"size.c:14: < to <="* ]]
	run -1 --separate-stderr selftests/mutate/run.py userspace/lib
	[ "$output" = "$(cat out)" ]
}

@test "mutate: what a run of other folders has measured is not taken for all" {
	sed -i '/"size_test"/d' build/mutate/results
	QUICK=1 TORTURE_MINUTES=0 run -0 selftests/mutate/run.py userspace/acrctl
	MUTANTS=1 run -0 --separate-stderr selftests/mutate/run.py userspace/lib
	[[ $output = *"ok 1 - userspace/lib: of 1 mutants 1 are noticed"* ]]
}

@test "mutate: when the test is mended, the survivor is judged again" {
	cp -r . ../mended
	cd ../mended
	sed -i 's/is_large(101)/is_large(101) \&\& !is_large(100)/' selftests/unit/size_test.c
	# it is one of the first five
	MUTANTS=5 run -0 --separate-stderr selftests/mutate/run.py userspace/lib
	[[ $output = *"ok 1 - userspace/lib: of 5 mutants 5 "* ]]
	[[ $stderr = *"size.c:9 > to >= killed size_test"* ]]
	[[ $output != *"# userspace"* ]]
}

@test "mutate: without time nothing is judged, and that is a skip" {
	TORTURE_MINUTES=0 run -0 --separate-stderr selftests/mutate/run.py userspace/lib
	[ "${lines[1]}" = "ok 1 - userspace/lib # SKIP no time for a mutant" ]
}

@test "mutate: tests that fail without a mutant end the run" {
	cp -r . ../broken
	cd ../broken
	sed -i 's/digits(1) == 1/digits(1) == 7/' selftests/unit/size_test.c
	run -1 --separate-stderr selftests/mutate/run.py userspace/lib
	[[ $output = *"Bail out! unit: size_test fails without a mutant"* ]]
}
