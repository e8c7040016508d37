# SPDX-License-Identifier: GPL-2.0-only
# Which boots of a suite `make check` and `make torture` have.

setup()
{
	. "$BATS_TEST_DIRNAME/../model/common.sh"
	. "$BATS_TEST_DIRNAME/../run/suites.sh"
	. "$BATS_TEST_DIRNAME/../run/changed.sh"
	unset ALL
}

# suite LINE...: a suite of these lines is loaded.
suite()
{
	printf '%s\n' "$@" > "$BATS_TEST_TMPDIR/suite"
	load_suite "$BATS_TEST_TMPDIR/suite"
}

# have SCOPE BOOT...: of the kernels 6.1 and 7.3 a run has exactly these boots.
have()
{
	local scope=$1

	shift
	[ "$(boots "$scope" 6.1 7.3)" = "$(printf '%s\n' "$@")" ]
}

@test "boots: without torture= check has the host command and each kernel and profile, torture has nothing" {
	suite host=true guest=true profiles='"goldmont v2"'
	have check host 6.1/goldmont 6.1/v2 7.3/goldmont 7.3/v2
	have all host 6.1/goldmont 6.1/v2 7.3/goldmont 7.3/v2
	have torture ''
}

@test "boots: torture=. belongs to torture alone, and to check where it is named" {
	suite host=true guest=true torture=.
	have check ''
	have torture host 6.1/clearwaterforest 7.3/clearwaterforest
	have all host 6.1/clearwaterforest 7.3/clearwaterforest
}

@test "boots: one profile, one kernel or the host command may belong to torture" {
	suite host=true guest=true profiles='"goldmont v2"' "torture='/v2\$'"
	have check host 6.1/goldmont 7.3/goldmont
	have torture 6.1/v2 7.3/v2
	suite guest=true profiles='"goldmont v2"' "torture='^6\\.1/'"
	have check 7.3/goldmont 7.3/v2
	have torture 6.1/goldmont 6.1/v2
	suite host=true guest=true torture=host
	have check 6.1/clearwaterforest 7.3/clearwaterforest
	have torture host
}

@test "boots: where nothing has changed in the area of a suite it belongs to torture, unless the kernel has" {
	clean=1234 changed=(kmod/core/ring.c kmodern/a.c userspace/Makefile) clean_kernels=' 6.1-x '
	kernel_release() { local name=${1%/vmlinuz}; echo "${name##*/}-x"; }
	suite host=true guest=true 'area="uapi kmod/cor userspace/make"'
	have check 7.3/clearwaterforest
	have torture host 6.1/clearwaterforest
	have all host 6.1/clearwaterforest 7.3/clearwaterforest
	clean_kernels+='7.3-x '
	have check ''
	suite host=true guest=true
	have check host 6.1/clearwaterforest 7.3/clearwaterforest
	for area in kmod kmod/core kmod/core/ring.c 'uapi userspace/Makefile' 'kmod/*.c' $'uapi\nkmod' 'kmod/core/@(ri|pi)ng.c'; do
		suite host=true "area='$area'"
		have check host
		have torture ''
	done
	suite host=true area=uapi
	changed+=("$BATS_TEST_TMPDIR/suite")
	have check host
	changed=()
	have check ''
	clean=''
	have check host
}

@test "find_clean: what has changed since the recorded commit, committed or not, and nothing is known with ALL=1 or on another branch" {
	cd "$BATS_TEST_TMPDIR"
	git init -q
	git config user.name x
	git config user.email x
	mkdir -p selftests/run
	echo 1 | tee committed new changed > same
	git add .
	git commit -qm x
	printf '# comment\ncommit %s\nkernel 6.1-x\nkernel 7.3-x\n' "$(git rev-parse HEAD)" > selftests/run/clean
	echo 2 > committed
	rm new
	git commit -qam y
	echo 2 > changed
	echo 1 > added
	find_clean
	[ "$(sort <<< "$(printf '%s\n' "${changed[@]}")")" = "$(printf '%s\n' added changed committed new selftests/run/clean)" ]
	[ "$clean_kernels" = ' 6.1-x 7.3-x ' ]
	[ "$clean" = "$(git rev-parse HEAD~)" ]
	ALL=1 find_clean
	[ -z "$clean" ]
	git checkout -q --orphan other
	git commit -qm z
	find_clean
	[ -z "$clean" ]
}

@test "is_module_changed: by its sources and by how they are checked; also where everything is, or nothing is known" {
	clean_commit() { echo 1234; }
	changed_since() { echo "$files"; }
	unset ALL ACR_LONG
	for files in kmod/core/ring.c Kbuild uapi/acrpmu.h selftests/run/module.sh selftests/run/circles.awk selftests/run/style/circles.sh; do
		is_module_changed
	done
	files=$'selftests/run/style/size.sh\nuserspace/kmod/x.c\nselftests/hw/pmi_test.c'
	! is_module_changed || false
	ALL=1 is_module_changed
	ACR_LONG=1 is_module_changed
	clean_commit() { :; }
	is_module_changed
}

@test "boots: no suite has the variables of the one before it" {
	suite guest=true torture=. kernel_min=7.0 profiles=v2
	suite guest=true
	have check 6.1/clearwaterforest 7.3/clearwaterforest
}

@test "version_ge: compares three numbers, whatever follows" {
	local pair

	for pair in '6.17 6.2' '7.3 6.17' '6.17 6.17' '7.3.4+deb13-cloud-amd64 7.3' '7.0-rc1 7.0' '7 6.17' '6.1.8-09 6.1.8'; do
		version_ge $pair
	done
	for pair in '6.1 6.17' '6.9 6.10' '6.1.8 6.1.10' '7.3 7.3.4' '6.17 7'; do
		! version_ge $pair || false
	done
}

@test "boots: kernel_min holds for torture too, and a directory is a kernel" {
	suite guest=true kernel_min=6.17 torture=.
	have torture 7.3/clearwaterforest
	suite guest=true
	[ "$(boots check /some/kernel)" = /some/kernel/clearwaterforest ]
}

@test "boots: kernel_max leaves newer kernels out" {
	suite guest=true kernel_max=6.11
	have all 6.1/clearwaterforest
	suite guest=true kernel_max=6.0
	have all ''
}

@test "boots: the name of a directory is what torture= matches" {
	suite guest=true "torture='^6\\.1/'"
	[ "$(boots torture /some/6.1)" = /some/6.1/clearwaterforest ]
	[ "$(boots check /some/6.1-mine)" = /some/6.1-mine/clearwaterforest ]
}

@test "boots: a flavour has the version of its kernel" {
	suite guest=true kernel_min=6.12
	[ "$(boots check 6.1-debug 6.12-rt 7.3-rt)" = '6.12-rt/clearwaterforest
7.3-rt/clearwaterforest' ]
}

@test "adapt_to: a debug kernel gets memory and time, others have what the suite says" {
	suite guest=true mem=2000 limit_s=100
	adapt_to 6.1
	adapt_to 6.12-rt
	[ "$mem $limit_s" = '2000 100' ]
	adapt_to /some/6.1-debug
	[ "$mem $limit_s" = '3072 400' ]
	suite guest=true mem=2000 limit_s=100
	adapt_to 7.3-kcsan
	[ "$mem $limit_s" = '3072 400' ]
	suite guest=true mem=4000
	adapt_to 6.1-debug
	[ "$mem" = 4000 ]
}

@test "adapt_to: no debug kernel runs in virtual time, for which it has no drivers" {
	suite guest=true virtual_time=yes
	adapt_to 7.3
	[ "$virtual_time" = yes ]
	adapt_to 7.3-debug
	[ -z "$virtual_time" ]
}

@test "suites: each boot is in check or in torture, never in both" {
	local file

	for file in "$BATS_TEST_DIRNAME"/../suites/[a-z]*; do
		load_suite "$file"
		[ "$({ boots check 6.1 7.3; boots torture 6.1 7.3; } | sort)" = "$(boots all 6.1 7.3 | sort)" ]
		[ -n "$(boots all 6.1 7.3)" ]
	done
}

@test "check.sh: an unknown suite is refused by make torture too" {
	run env BUILD="$BATS_TEST_TMPDIR" "$BATS_TEST_DIRNAME/../run/check.sh" --torture no-such-suite
	[ "$status" = 1 ]
	[ "$output" = "check.sh: no suite 'no-such-suite' in selftests/suites" ]
}

@test "boots: a suite's flavours are kernels too, of those that a version alone names" {
	suite guest=true flavours=generic "torture='-generic/'"
	have check 6.1/clearwaterforest 7.3/clearwaterforest
	have torture 6.1-generic/clearwaterforest 7.3-generic/clearwaterforest
	suite guest=true flavours=generic kernel_min=6.12
	[ "$(boots all 6.1 7.3-rt 6.12 6.12-generic)" = '7.3-rt/clearwaterforest
6.12/clearwaterforest
6.12-generic/clearwaterforest' ]
}

@test "kernels_of: the kernels that only some suites boot, once each, and only in a run that boots them" {
	cd "$BATS_TEST_TMPDIR"
	mkdir -p selftests/suites
	printf '%s\n' guest=true flavours=generic "torture='-generic/'" > selftests/suites/host
	cp selftests/suites/host selftests/suites/again
	printf '%s\n' host=true guest=true > selftests/suites/other
	[ "$(kernels_of torture 'host other again' 6.1 7.3)" = '6.1-generic
7.3-generic' ]
	[ -z "$(kernels_of check 'host other' 6.1 7.3)" ]
	[ "$(kernels_of all host 6.1-generic 6.1)" = '' ]
	[ -z "$(kernels_of torture other /some/kernel)" ]
}

@test "boots: cover has the guests of the last kernel, of others those of what differs there, and none that repeats them" {
	. "$BATS_TEST_DIRNAME/../run/cover.sh"
	kernels='6.1 7.3'
	suite host=true guest=true profiles='"goldmont v2"' torture=.
	have cover 7.3/goldmont 7.3/v2
	suite guest=true kernel_max=6.11
	have cover 6.1/clearwaterforest
	mv "$BATS_TEST_TMPDIR/suite" "$BATS_TEST_TMPDIR/hw_crowd"
	load_suite "$BATS_TEST_TMPDIR/hw_crowd"
	have cover ''
}
