/* SPDX-License-Identifier: GPL-2.0-only */
/* What the samples of a profile refer to: strings, functions, mappings and locations. */
#ifndef _ACRCTL_PPROF_TABLES_H
#define _ACRCTL_PPROF_TABLES_H

#include "../../util/intern.h"
#include "../../util/tuples.h"
#include "../stack.h"
#include "../view.h"
#include "gzip.h"
#include "profile.pb-c.h"

typedef Perftools__Profiles__Profile profile_msg;
typedef Perftools__Profiles__Mapping mapping_msg;

/* Each entry is written when it is first seen, mappings at the end, when all is known of them. */
struct pprof_tables {
	struct view *view;
	struct gzip gzip;
	int err;			/* -ENOMEM after a failure to keep something */
	struct intern strings;		/* numbers are indexes of string_table */
	struct tuples functions;	/* name, file; a number + 1 is the id */
	struct tuples locations;	/* mapping, address, then function and line of each */
	struct tuples maps;		/* file, start, end, offset */
	mapping_msg *mappings;		/* by number of @maps */
	__u64 *leaves;			/* by number of @maps: samples */
	unsigned char *packed;		/* room for a message */
	size_t packed_room;
	uint64_t *key;			/* room for that of a location */
	size_t key_room;		/* in bytes */
	char *clean;			/* room for a string */
	size_t clean_room;
};

int pprof_tables_begin(struct pprof_tables *t, struct view *v, FILE *out);
void pprof_put(struct pprof_tables *t, const profile_msg *msg);
__s64 pprof_string(struct pprof_tables *t, const char *text);
size_t pprof_location(struct pprof_tables *t, __u32 pid, const struct stack *st, size_t from,
		      __u64 *id);
void pprof_put_mappings(struct pprof_tables *t);
int pprof_tables_end(struct pprof_tables *t);

#endif /* _ACRCTL_PPROF_TABLES_H */
