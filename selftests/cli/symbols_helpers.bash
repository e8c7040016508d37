# SPDX-License-Identifier: GPL-2.0-only
# What the tests of symbols, inlined functions and annotate share: a program with nested inlined functions, recorded with chains.

# shellcheck disable=SC2154 # acrctl and group are of record_helpers

# Built and recorded once for each file of tests.
# Nearly all instructions are deepest's, since CPUs differ in which one an interrupt finds.
build_nested()
{
	build_fixtures
	cat > "$BATS_FILE_TMPDIR/nested.c" <<-'C'
	#include <stdlib.h>
	#define INLINED static inline __attribute__((always_inline)) void
	INLINED deepest(volatile unsigned long *x)
	{
		(*x)++, (*x)++, (*x)++, (*x)++, (*x)++, (*x)++, (*x)++, (*x)++;
	}
	INLINED middle(volatile unsigned long *x)
	{
		unsigned int i;

		for (i = 0; i < 4; i++)
			deepest(x);
	}
	__attribute__((noinline)) void outer(unsigned long n)
	{
		volatile unsigned long x = 0;

		while (n--)
			middle(&x);
	}
	INLINED caller_inlined(unsigned long n)
	{
		outer(n);
		__asm__ volatile("");
	}
	__attribute__((noinline)) void run(unsigned long n)
	{
		caller_inlined(n);
		__asm__ volatile("nop");
	}
	int main(int argc, char **argv)
	{
		int i, rounds = argc > 1 ? atoi(argv[1]) : 1;

		for (i = 0; i < rounds; i++)
			run(1000000);
		return 0;
	}
	C
	(cd "$BATS_FILE_TMPDIR" && cc -O1 -g -fno-omit-frame-pointer -o nested nested.c)
	LD_PRELOAD=$BATS_FILE_TMPDIR/device.so "$acrctl" record -q -g -e "$group" -o "$BATS_FILE_TMPDIR/nested.data" -- \
		"$BATS_FILE_TMPDIR/nested" 5 || true
}

requires_nested()
{
	[ -s "$BATS_FILE_TMPDIR/nested.data" ] || requires_perf_events
	nested=$BATS_FILE_TMPDIR/nested.data
}

# load_address: where the program was loaded, from a symbol's addresses in the recording and in the program
load_address()
{
	local recorded symbol

	recorded=$("$acrctl" script -i "$nested" --json | jq -r '[.samples[].chain[] | select(.sym == "main") | "\(.ip) \(.symoff)"][0]')
	symbol=$(nm "$BATS_FILE_TMPDIR/nested" | awk '$3 == "main" { print $1 }')
	read -r recorded offset <<< "$recorded"
	printf '%#x\n' $((recorded - offset - 0x$symbol))
}
