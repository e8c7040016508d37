# SPDX-License-Identifier: GPL-2.0-only
# The checks of the style suite find what they look for, in a small tree made for it.

setup()
{
	cd "$BATS_TEST_TMPDIR"
	git init -q
	ln -s "$BATS_TEST_DIRNAME/.." selftests
	echo /selftests > .gitignore
	log=$BATS_TEST_TMPDIR/log BUILD=$BATS_TEST_TMPDIR/build points=0 result=0
	mkdir -p log userspace/{acrctl/stat,lib,perfdata,push,symbols,util,montecito/{acrctl,lib}} kmod
	for concept in selftests/run/{changed,suites}.sh selftests/run/style/*.sh; do . "$concept"; done
	write userspace/perfdata/reader.c '#include "reader.h"' '#include "../util/util.h"'
	write userspace/util/text.c '#include "text.h"' '#include "../lib/acrpmu_lib.h"'
	write userspace/push/url.c '#include "url.h"' '#include "../util/number.h"'
	write userspace/symbols/space.c '#include <elf.h>'
	write userspace/acrctl/main.c '#include <acrpmu_lib.h>' '#include "../lib/acrpmu_lib.h"' '#include "../../uapi/acrpmu.h"'
	write userspace/acrctl/stat/stat.c '#include "../cmd.h"' '#include "../../perfdata/reader.h"'
	write userspace/montecito/acrctl/text.c '#include "../lib/mont_ear.h"' '#include "../../acrctl/cmd.h"' '#include <perfmon/pfmlib.h>'
}

write() { printf '%s\n' "${@:2}" > "$1"; }
lines() { yes "$2" | head -n "$1"; }

# finds CHECK NAME TEXT: the check fails at the point NAME, and shows TEXT.
finds()
{
	run $1
	grep -q "^not ok [0-9]* - $2" <<< "$output"
	grep -qF "# $3" <<< "$output"
}

@test "style.sh: includes within the boundary pass" {
	run library_boundary
	echo "$output"
	[ "$(grep -c '^ok ' <<< "$output")" = 6 ]
	! grep '^not ok' <<< "$output"
}

@test "style.sh: acrctl may include no private header of the library" {
	write userspace/acrctl/stat/stat.c '// comment' '#  include "../../lib/message.h"'
	finds library_boundary 'acrctl includes of the library' 'userspace/acrctl/stat/stat.c:2 userspace/lib/message.h'
}

@test "style.sh: acrctl may include nothing of the module, not in headers either" {
	write userspace/acrctl/cmd.h '#include "../../kmod/core/types.h"'
	finds library_boundary 'acrctl includes of the library' 'userspace/acrctl/cmd.h:1 kmod/core/types.h'
}

@test "style.sh: acrctl may include nothing of Montecito's library, but its wing may" {
	write userspace/acrctl/main.c '#include <perfmon/pfmlib.h>'
	finds library_boundary 'acrctl includes of the library' 'userspace/acrctl/main.c:1 <perfmon/pfmlib.h>'
	grep -q '^ok [0-9]* - acrctl for Montecito' <<< "$output"
}

@test "style.sh: Montecito's wing may include no private header of libacrpmu" {
	write userspace/montecito/acrctl/text.c '#include "../../lib/text.h"'
	finds library_boundary 'acrctl for Montecito' 'userspace/montecito/acrctl/text.c:1 userspace/lib/text.h'
}

@test "style.sh: perfdata and symbols may include nothing of the library" {
	write userspace/perfdata/reader.c '#include "../lib/acrpmu_lib.h"'
	finds library_boundary 'perfdata includes' 'userspace/perfdata/reader.c:1 userspace/lib/acrpmu_lib.h'
	write userspace/symbols/space.c '#include "../perfdata/reader.h"'
	finds library_boundary 'symbols includes' 'userspace/symbols/space.c:1 userspace/perfdata/reader.h'
}

@test "style.sh: util may include no private header of the library, perfdata no message of it" {
	write userspace/util/text.c '#include "../lib/text.h"'
	finds library_boundary 'util includes' 'userspace/util/text.c:1 userspace/lib/text.h'
	write userspace/perfdata/reader.c '#include "../util/message.h"'
	finds library_boundary 'perfdata includes' 'userspace/perfdata/reader.c:1 userspace/util/message.h'
}

@test "style.sh: a boundary of no file at all is a failure" {
	rm userspace/symbols/space.c
	finds library_boundary 'symbols includes' 'no files match'
}

@test "style.sh: every object of Kbuild is searched for circles, the first one too" {
	cp "$BATS_TEST_DIRNAME/../../Kbuild" .
	[ "$(module_objects 6.1 | grep -c .)" = "$(grep -c '^acrpmu-y ' Kbuild)" ]
	module_objects 6.1 | grep -q ' kmod/main$'
}

@test "style.sh: 600 lines are no long file, 601 are" {
	lines 600 x > kmod/pmu.c
	run file_sizes
	grep -q '^ok ' <<< "$output"
	lines 601 x > userspace/acrctl/stat/stat.c
	finds file_sizes 'no file' 'userspace/acrctl/stat/stat.c: 601 lines'
}

@test "style.sh: 25 files may lie at the top of acrctl, not 26" {
	rm userspace/acrctl/main.c
	for n in {1..25}; do : > "userspace/acrctl/$n.c"; done
	run folder_sizes
	grep -q '^ok ' <<< "$output"
	: > userspace/acrctl/26.c
	finds folder_sizes 'at most 25 files' 'userspace/acrctl/26.c'
}

@test "style.sh: 20 lines may have a word that reads as translated, not 21" {
	lines 20 'the caller is told' > README.md
	run plain_words
	grep -q '^ok ' <<< "$output"
	echo 'It Shall be' > page.rst
	finds plain_words 'at most 20 lines' 'README.md:1:the caller is told'
}

@test "style.sh: a parameter may not be documented by its name alone" {
	printf ' * @session: the session that runs\n' > kmod/pmu.c
	run empty_parameters
	grep -q '^ok ' <<< "$output"
	printf ' * @session: the session\n' > kmod/pmu.c
	finds empty_parameters 'every documented parameter' 'kmod/pmu.c:1: * @session: the session'
}

# commit: records the tree, and prints the name of the commit
commit()
{
	git add -A
	git -c user.name=x -c user.email=x commit -qm x
	git rev-parse HEAD
}

# scope_of COMMIT: the files that are checked if that one is recorded as clean
scope_of()
{
	rm -rf selftests
	mkdir -p selftests/run/style
	printf '# comment\ncommit %s\n' "$1" > selftests/run/clean
	only_changed=yes
	find_scope > scope
	checked '*.c' | sort | tr '\n' ' '
}

@test "style.sh --changed: checks what differs from the recorded commit, also if it is not committed, and new files" {
	clean=$(commit)
	write kmod/pmu.c 'int a;'
	write kmod/gone.c 'int a;'
	commit
	rm kmod/gone.c
	write userspace/acrctl/main.c '#include "cmd.h"'
	write userspace/new.c 'int b;'
	[ "$(scope_of "$clean")" = 'kmod/pmu.c userspace/acrctl/main.c userspace/new.c ' ]
	grep -q "differ from $clean" scope
}

@test "style.sh --changed: checks what differs from where the branch left origin" {
	commit
	git update-ref refs/remotes/origin/HEAD HEAD
	write kmod/pmu.c 'int a;'
	commit
	[ "$(scope_of nothing)" = 'kmod/pmu.c ' ]
}

@test "style.sh --changed: checks all files if HEAD does not descend from the recorded commit, or how they are checked has changed" {
	clean=$(commit)
	all=$(files '*.c' | sort | tr '\n' ' ')
	git update-ref refs/remotes/origin/HEAD HEAD
	[ "$(scope_of 18f92f9739f0f939cbd921157c664f381eee35fb)" = "$all" ]
	grep -q 'all of them' scope
	[ "$(scope_of "$clean")" = '' ]
	git reset -q --hard "$(git commit-tree -m other "HEAD^{tree}")"
	[ "$(scope_of "$clean")" = "$all" ]
	echo > .gitignore
	mkdir -p selftests/run/style
	touch selftests/run/style/scripts.sh
	clean=$(commit)
	[ "$(scope_of "$clean")" = "$all" ]
}

@test "style.sh: without --changed all files are checked" {
	commit
	git update-ref refs/remotes/origin/HEAD HEAD
	only_changed=no
	find_scope
	[ "$(checked '*.c')" = "$(files '*.c')" ]
}

# module_with SOURCE: the module for kernel 6.1, as module.sh has built it
module_with()
{
	mkdir -p build/kmod-6.1
	gcc -c -x c -o build/kmod-6.1/acrpmu.ko - <<< "$1"
}

@test "style.sh: 512 bytes of static per-CPU data pass, and no such section" {
	local section='__attribute__((section(".data..percpu")))'

	module_with "char a[500] $section = { 1 }; char b[12] __attribute__((section(\".data..percpu..shared\"))) = { 1 };"
	run module_percpu 6.1
	[ "$output" = 'ok 1 - at most 512 bytes of static per-CPU data: module for 6.1' ]
	module_with 'int a;'
	run module_percpu 6.1
	[ "$output" = 'ok 1 - at most 512 bytes of static per-CPU data: module for 6.1' ]
}

@test "style.sh: more static per-CPU data is found in all sections, with the reason and the remedy" {
	module_with 'char a[8000] __attribute__((section(".data..percpu"))) = { 1 };
		char b[128] __attribute__((section(".data..percpu..shared"))) = { 1 };'
	finds 'module_percpu 6.1' 'at most 512 bytes' 'acrpmu.ko for 6.1 has 8128 bytes of static per-CPU data; at most 512 are allowed'
	finds 'module_percpu 6.1' 'at most 512 bytes' 'use alloc_percpu() instead of DEFINE_PER_CPU()'
}

@test "style.sh: a module that was not built has not little per-CPU data" {
	finds 'module_percpu 6.1' 'at most 512 bytes' "there is no $BUILD/kmod-6.1/acrpmu.ko"
}

@test "style.sh: each pattern of an area names a file, with each of its alternatives" {
	rm selftests
	mkdir -p selftests/suites kmod/core
	write kmod/core/ring.c 'int a;'
	echo "area='kmod/core kmod/@(core|pmu)/@(ring|rung).c userspace/*.x uapi'" > selftests/suites/a
	echo host=true > selftests/suites/b
	finds suite_areas 'each pattern of an area' 'selftests/suites/a: kmod/core/rung.c is the name of nothing'
	[ "$(grep -c ': .* is the name of nothing' <<< "$output")" = 5 ]
	! grep -F -e core/ring.c -e 'kmod/core is' <<< "$output" || false
	echo "area='kmod/core kmod/@(core|.)/ring.c userspace/*/*.c'" > selftests/suites/a
	write kmod/./ring.c 'int a;'
	finds suite_areas 'each pattern of an area' 'selftests/suites/a: kmod/./ring.c is the name of nothing'
	echo "area='kmod/core kmod/@(core/|)ring.c userspace/*/*.c'" > selftests/suites/a
	run suite_areas
	[ "$output" = 'ok 1 - each pattern of an area is the name of something' ]
}

@test "style.sh: tests that are red by chance are few, and mended before their file changes" {
	rm selftests
	mkdir -p selftests/run selftests/hw
	git config user.name x
	git config user.email x
	echo a > selftests/hw/a_test.c
	git add -f selftests/hw
	GIT_COMMITTER_DATE=2026-11-30T12:00:00Z git commit -qm 'a' --date 2026-11-30T12:00:00Z
	row() { printf '%s\tselftests/hw/%s_test.c\thw-6.1: a.b\n' "$1" "$2"; }
	{ echo '# comment'; row 2026-11-30 a; row 2026-12-01 a; } > selftests/run/flaky
	run known_flaky
	[[ $output = "ok "* ]]
	row 2026-11-29 a > selftests/run/flaky
	finds known_flaky 'at most 5' 'hw-6.1: a.b: selftests/hw/a_test.c has changed on 2026-11-30, after 2026-11-29'
	row 2026-11-30 b > selftests/run/flaky
	finds known_flaky 'at most 5' 'hw-6.1: a.b: there is no selftests/hw/b_test.c any more'
	for i in 1 2 3 4 5 6; do row 2026-11-30 a; done > selftests/run/flaky
	finds known_flaky 'at most 5' 'more than 5 tests'
}
