// SPDX-License-Identifier: GPL-2.0-only
/* Tests of the counts by block and by call: a made-up program, counted by hand. */
#include <stdlib.h>

#include "code.h"
#include "tap.h"

#define MAIN	0xffffffff81000000ULL
#define LEAF	0xffffffff81000100ULL
#define AFTER	0xffffffff81000020ULL
#define STACK	0xffffc90000001000ULL
#define FULL	(4 * CODE_MAX_BLOCKS)

static uint64_t insns_of(const struct code *code, uint64_t pc, enum code_part part)
{
	uint64_t insns = 0;
	unsigned int i;

	for (i = 0; i < CODE_MAX_BLOCKS; i++)
		if (code->block[i].pc == pc)
			insns += code->block[i].insns[part];
	return insns;
}

static void blocks(struct code *code)
{
	struct block main = { .start = MAIN, .nr = 7 }, leaf = { .start = LEAF, .nr = 5 };

	code_begin(code, LEVEL_KERNEL);
	code_run(code, &main, main.start, CODE_OUTSIDE);
	code_run(code, &leaf, leaf.start, CODE_INSIDE);
	code_run(code, &leaf, leaf.start, CODE_INSIDE);
	is_u64(insns_of(code, MAIN, CODE_OUTSIDE), 7, "a block that ran once");
	is_u64(insns_of(code, MAIN, CODE_INSIDE), 0, "and not in a handler");
	is_u64(insns_of(code, LEAF, CODE_INSIDE), 10, "one that ran twice");
	code_cut(code, &leaf, 2);
	is_u64(insns_of(code, LEAF, CODE_INSIDE), 7, "the rest of a block that ended early is not");
	code_cut(code, &leaf, 2);
	is_u64(insns_of(code, LEAF, CODE_INSIDE), 7, "which happens once");
	code_cut(code, &main, 2);
	is_u64(insns_of(code, MAIN, CODE_OUTSIDE), 7, "nor to an earlier block");
	code_begin(code, LEVEL_KERNEL);
	is_u64(insns_of(code, LEAF, CODE_INSIDE), 0, "a new beginning forgets");
}

/* All that does not fit is counted somewhere. */
static void room(struct code *code)
{
	struct block b = { .nr = 3 };
	uint64_t sum = 0;
	unsigned int i;

	code_begin(code, LEVEL_KERNEL);
	for (i = 0; i < FULL; i++) {
		b.start = MAIN + 16 * i;
		code_run(code, &b, b.start, CODE_OUTSIDE);
	}
	for (i = 0; i < CODE_MAX_BLOCKS; i++)
		sum += code->block[i].insns[CODE_OUTSIDE];
	ok(code->other > 0, "a full table counts the rest together");
	is_u64(sum + code->other, 3ULL * FULL, "and loses nothing");
}

static void inclusive(struct code *code)
{
	const struct code_call *call;

	ok(code_watch(code, LEAF), "a function is watched");
	ok(code_watch(code, LEAF), "a second time changes nothing");
	code_begin(code, LEVEL_KERNEL);
	call = code_call_of(code, LEAF);
	ok(code_is_call(code, LEAF) && !code_is_call(code, AFTER), "its entry is a call");
	code_call_block(code, LEAF, STACK, AFTER, 100);
	ok(code_is_call(code, AFTER), "where it returns to is looked at");
	code_call_block(code, LEAF, STACK - 64, AFTER, 110);
	code_call_block(code, AFTER, STACK - 56, 0, 120);
	is_u64(call->nr, 0, "a call within it is part of it");
	code_call_block(code, AFTER, STACK + 8, 0, 130);
	is_u64(call->nr, 1, "it returned");
	is_u64(call->insns, 30, "with all that it called");
	ok(!code_call_of(code, MAIN), "another function is not watched");
	ok(code_watch(code, 1) && code_watch(code, 2) && code_watch(code, 3), "four functions");
	ok(!code_watch(code, 4), "a fifth is refused");
	code_begin(code, LEVEL_KERNEL);
	is_u64(call->nr, 0, "a new beginning forgets calls, not functions");
}

int main(void)
{
	struct code *code = calloc(1, sizeof(*code));

	plan(0);
	blocks(code);
	room(code);
	inclusive(code);
	code_end(code);
	ok(!code_counts(code), "the end");
	free(code);
	return done();
}
