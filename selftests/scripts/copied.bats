# SPDX-License-Identifier: GPL-2.0-only
# The Makefile in a tree that was copied together with what had been built in it.

# A kernel's build directory that makes a module of its sources, one after another.
fake_kernel()
{
	mkdir "$BATS_TEST_TMPDIR/kernel"
	printf 'modules:\n\tcat $(M)/%s $(M)/uapi/*.h > $(M)/%s.ko\n' 'kmod/*.c' acrpmu > "$BATS_TEST_TMPDIR/kernel/Makefile"
	mkdir "$BATS_TEST_TMPDIR/double"
	printf 'modules:\n\tcat $(M)/%s > $(M)/%s.ko\n' 'kvm.c' kvm > "$BATS_TEST_TMPDIR/double/Makefile"
}

# make_in TREE TARGET KERNEL
make_in() { make -s -C "$BATS_TEST_TMPDIR/$1" "$2" KDIR="$BATS_TEST_TMPDIR/$3"; }

setup()
{
	fake_kernel
	unset BUILD MAKEFLAGS
	cd "$BATS_TEST_TMPDIR"
	mkdir -p first/kmod first/uapi first/selftests/double
	cp "$BATS_TEST_DIRNAME/../../Makefile" first/
	touch first/Kbuild first/uapi/acrpmu.h first/kmod/gone.c
	echo old > first/kmod/main.c
	echo old > first/selftests/double/kvm.c
	make_in first module kernel
	make_in first double double
	cp -a first second
	rm second/kmod/gone.c
}

@test "make module: in a copied tree it is built from the sources there, not from those that were copied" {
	[ "$(cat first/build/acrpmu.ko)" = old ]
	echo new > first/kmod/main.c
	make_in second module kernel
	[ "$(cat second/build/acrpmu.ko)" = old ]
	echo newer > second/kmod/main.c
	make_in second module kernel
	[ "$(cat second/build/acrpmu.ko)" = newer ]
	[ -z "$(find second/build/kmod-host -lname "$PWD/first/*")" ]
}

@test "make module: a source that the copied tree no longer has is gone from its links" {
	[ -e second/build/kmod-host/kmod/gone.c ]
	make_in second module kernel
	[ ! -L second/build/kmod-host/kmod/gone.c ]
	[ "$(readlink second/build/kmod-host/kmod/main.c)" = "$PWD/second/kmod/main.c" ]
}

@test "make double: in a copied tree it is built from the sources there" {
	echo new > first/selftests/double/kvm.c
	make_in second double double
	[ "$(cat second/build/kvm.ko)" = old ]
}

@test "make module: links that lead into the tree stay as they are" {
	before=$(stat -c %i first/build/kmod-host/kmod/main.c)
	make_in first module kernel
	[ "$(stat -c %i first/build/kmod-host/kmod/main.c)" = "$before" ]
}
