// SPDX-License-Identifier: GPL-2.0-only
/* Where instructions of one level go: counts by block, and inclusive counts of kernel functions. */
#include <string.h>

#include "code.h"

#define HASH_FACTOR	0x9e3779b97f4a7c15ULL
#define HASH_SHIFT	49	/* leaves the bits of CODE_MAX_BLOCKS */
#define MAX_PROBES	64

void code_begin(struct code *code, enum event_level level)
{
	unsigned int i;

	memset(code->block, 0, sizeof(code->block));
	code->other = 0;
	code->level = level;
	code->last = NULL;
	for (i = 0; i < code->nr_calls; i++)
		code->call[i] = (struct code_call){ .entry = code->call[i].entry };
	__atomic_store_n(&code->on, true, __ATOMIC_RELEASE);
}

void code_end(struct code *code)
{
	__atomic_store_n(&code->on, false, __ATOMIC_RELEASE);
}

static uint64_t *insns_at(struct code *code, uint64_t pc, enum code_part part)
{
	uint64_t i = pc * HASH_FACTOR >> HASH_SHIFT;
	unsigned int probes;

	for (probes = 0; probes < MAX_PROBES; probes++, i++) {
		struct code_block *block = &code->block[i % CODE_MAX_BLOCKS];

		if (!block->pc)
			block->pc = pc;
		if (block->pc == pc)
			return &block->insns[part];
	}
	return &code->other;
}

void code_run(struct code *code, const struct block *b, uint64_t pc, enum code_part part)
{
	code->last = b;
	code->last_insns = insns_at(code, pc, part);
	*code->last_insns += b->nr;
}

void code_cut(struct code *code, const struct block *b, uint32_t nr)
{
	if (code->last != b)
		return;
	*code->last_insns -= b->nr - nr;
	code->last = NULL;
}

bool code_watch(struct code *code, uint64_t entry)
{
	if (code_call_of(code, entry))
		return true;
	if (code->nr_calls == CODE_MAX_CALLS)
		return false;
	code->call[code->nr_calls++] = (struct code_call){ .entry = entry };
	return true;
}

bool code_is_call(const struct code *code, uint64_t pc)
{
	unsigned int i;

	for (i = 0; i < code->nr_calls; i++)
		if (pc == code->call[i].entry || pc == code->call[i].back)
			return true;
	return false;
}

/* The outermost call counts; the stack pointer tells its return from others to the same place. */
void code_call_block(struct code *code, uint64_t pc, uint64_t sp, uint64_t top, uint64_t insns)
{
	unsigned int i;

	for (i = 0; i < code->nr_calls; i++) {
		struct code_call *call = &code->call[i];

		if (call->back && pc == call->back && sp == call->sp + sizeof(top)) {
			call->nr++;
			call->insns += insns - call->before;
			call->back = 0;
		} else if (!call->back && pc == call->entry) {
			call->back = top;
			call->sp = sp;
			call->before = insns;
		}
	}
}

const struct code_call *code_call_of(const struct code *code, uint64_t entry)
{
	unsigned int i;

	for (i = 0; i < code->nr_calls; i++)
		if (code->call[i].entry == entry)
			return &code->call[i];
	return NULL;
}
