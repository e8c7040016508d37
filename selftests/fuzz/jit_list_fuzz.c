// SPDX-License-Identifier: GPL-2.0-only
/* Fuzzer: any bytes as a list of compiled functions: a jitdump if they begin as one, else a map. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "userspace/symbols/jit_list.h"

#define FIRST_BYTE	0x44	/* of a jitdump */
/* that functions may take, times the size of the file: not enough for short ones */
#define MEMORY		8

static void check(int cond)
{
	if (!cond)
		abort();
}

/* One function is left of each address, and looking it up finds it or one that contains it. */
static void check_table(struct sym_table *t)
{
	size_t i;

	sym_table_latest(t);
	for (i = 0; i < t->nr; i++) {
		const struct sym_symbol *s = &t->symbols[i], *found;

		check(*sym_table_name(t, s) && s->end >= s->start);
		check(!i || t->symbols[i - 1].start < s->start);
		found = sym_table_find(t, s->start);
		check(found == s);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sym_table t = { 0 };
	const uint64_t memory = MEMORY * size;
	uint64_t nr_bad = ~0ULL, room = memory;
	FILE *f;
	int err;

	if (!size)
		return 0;
	f = fmemopen((void *)data, size, "r");
	check(!!f);
	if (*data == FIRST_BYTE)
		err = sym_jit_read_dump(&t, f, size, (__u64 *)&room, (__u64 *)&nr_bad);
	else
		err = sym_jit_read_map(&t, f, size, (__u64 *)&room, (__u64 *)&nr_bad);
	check(!err || err == -EFBIG || *data == FIRST_BYTE);
	check(room <= memory && t.nr * sizeof(*t.symbols) + t.names_size <= memory - room);
	/* each function takes some bytes of the file, and so does what is left out */
	check(nr_bad + t.nr <= size);
	fclose(f);
	check_table(&t);
	sym_table_free(&t);
	return 0;
}
