// SPDX-License-Identifier: GPL-2.0-only
/* Locations of a profile: of each, all the functions that are inlined there. */
#include <stdlib.h>
#include <zlib.h>

#include "tap.h"
#include "userspace/acrctl/pprof/tables.h"

#define NR_INLINED	100
#define PLAIN_MAX	65536

/* A function and what it is inlined into, on and on; the last is the caller of all. */
static void make_stack(struct stack *st, struct stack_frame *frames)
{
	static char names[NR_INLINED + 1][16];
	size_t i;

	for (i = 0; i <= NR_INLINED; i++) {
		snprintf(names[i], sizeof(names[i]), "function %zu", i);
		/* which has no mapping */
		frames[i] = (struct stack_frame){
			.symbol = names[i], .dso = "[guest]", .level = VIEW_LEVEL_GUEST,
			.known = true, .inlined = i + 1 < NR_INLINED, .ip = 0x1000, .line = i + 1,
		};
	}
	*st = (struct stack){ .frames = frames, .nr = NR_INLINED + 1 };
}

static profile_msg *unpack(const char *data, size_t size)
{
	static unsigned char plain[PLAIN_MAX];
	z_stream z = {
		.next_in = (unsigned char *)data, .avail_in = size,
		.next_out = plain, .avail_out = sizeof(plain),
	};

	/* with the header of gzip */
	if (inflateInit2(&z, 15 + 16) || inflate(&z, Z_FINISH) != Z_STREAM_END)
		abort();
	inflateEnd(&z);
	return perftools__profiles__profile__unpack(NULL, z.total_out, plain);
}

int main(void)
{
	struct stack_frame frames[NR_INLINED + 1];
	struct pprof_tables t;
	struct view v = { 0 };
	struct stack st;
	__u64 id = 0;
	size_t size, i, wrong = 0;
	profile_msg *p;
	char *data;
	FILE *out;

	plan(0);
	out = open_memstream(&data, &size);
	make_stack(&st, frames);
	is_u64(pprof_tables_begin(&t, &v, out), 0, "the tables begin");
	is_u64(pprof_location(&t, 1, &st, 0, &id), NR_INLINED, "one location has all inlined");
	is_u64(id, 1, "it is the first");
	is_u64(pprof_location(&t, 1, &st, 0, &id), NR_INLINED, "once more");
	is_u64(id, 1, "it is the same");
	is_u64(pprof_tables_end(&t), 0, "the tables end");
	fclose(out);
	p = unpack(data, size);
	ok(p && p->n_location == 1, "one location is written");
	is_u64(p->location[0]->n_line, NR_INLINED, "with all functions");
	for (i = 0; i < p->location[0]->n_line; i++)
		wrong += p->location[0]->line[i]->line != (int64_t)i + 1;
	is_u64(wrong, 0, "the innermost first");
	perftools__profiles__profile__free_unpacked(p, NULL);
	free(data);
	return done();
}
