# SPDX-License-Identifier: GPL-2.0-only
# What the tests of symbols, inlined functions and annotate share: a program with nested inlined functions, recorded with chains.

# shellcheck disable=SC2154 # acrctl and group are of device_helpers

# Built and recorded once for each file of tests.
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
		(void)argv;
		run(argc);
		return 0;
	}
	C
	(cd "$BATS_FILE_TMPDIR" && cc -O1 -g -fno-omit-frame-pointer -o nested nested.c)
	run_nested "$BATS_FILE_TMPDIR/nested"
	fake record -q -g -e "$group" -o "$BATS_FILE_TMPDIR/nested.data" -- true
}

# addresses_of FUNCTION: those of the instructions of nested, each with what it does
addresses_of()
{
	objdump -d --no-show-raw-insn --disassemble="$1" "$BATS_FILE_TMPDIR/nested" | sed -n 's/^ *\([0-9a-f]*\):\t/0x\1 /p'
}

# return_to FUNCTION: the address after its call
return_to() { addresses_of "$1" | awk 'after { print $1; exit } $2 == "call" { after = 1 }'; }

# run_nested PROGRAM: the script is that this file runs, which has the code of nested, with a sample at every instruction of outer
run_nested()
{
	# as a kernel places a program that has no addresses of its own
	local load_at=$((0x555555554000)) callers address

	callers=$(printf '%#x,%#x' $(($(return_to run) + load_at)) $(($(return_to main) + load_at)))
	{
		starts "$1"
		addresses_of outer | while read -r address _; do echo "sample ip=$address+$load_at $callers"; done
	} | play
}

find_nested()
{
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
