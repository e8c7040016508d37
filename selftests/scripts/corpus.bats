#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Stored inputs of fuzzers: corpus.py and replay.c read the same bytes, which are those that were stored.

bats_require_minimum_version 1.5.0

setup_file()
{
	cd "$BATS_FILE_TMPDIR"
	fuzz=$BATS_TEST_DIRNAME/../fuzz
	mkdir inputs
	# what is written in another way, and what follows could be taken for a part of it
	printf '\0001' > inputs/1
	printf '\\0\\x41\\' > inputs/2
	printf '# \r\n\177\377' > inputs/3
	printf '\\\\x\0' > inputs/4
	printf 'plain' > inputs/5
	"$fuzz/corpus.py" pack inputs > test.corpus
	cat > print.c <<-'C'
	#include <stddef.h>
	#include <stdint.h>
	#include <stdio.h>

	int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
	{
		printf("# ");
		while (size--)
			printf("%02x", *data++);
		printf("\n");
		return 0;
	}
	C
	cc -D_GNU_SOURCE -fsanitize=address -DINPUTS='"test.corpus"' -o print print.c "$fuzz/replay.c"
}

setup() { cd "$BATS_FILE_TMPDIR"; }

# hex FILE...: the bytes of each, on a line of their own, sorted
hex() { for file; do od -An -v -tx1 "$file" | tr -d ' \n'; echo; done | sort; }

@test "corpus: what is unpacked is what was packed" {
	"$BATS_TEST_DIRNAME/../fuzz/corpus.py" unpack test.corpus unpacked
	[ "$(hex unpacked/*)" = "$(hex inputs/*)" ]
}

@test "corpus: a replay reads the same" {
	run -0 ./print
	[ "$(sed -n 's/^# //p' <<< "$output" | sort)" = "$(hex inputs/*)" ]
}

@test "corpus: a replay reads zeros as they were written before" {
	mkdir old
	cd old
	printf '%s\n' '\x00\x0a' > test.corpus
	run -0 ../print
	[[ $output = *'# 000a'* ]]
}
