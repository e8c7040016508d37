// SPDX-License-Identifier: GPL-2.0-only
/* Files of a space, found by name and build-id. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* FNV-1a */
static size_t hash_of(const char *name)
{
	__u64 hash = 0xcbf29ce484222325ULL;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 0x100000001b3ULL;
	return hash ^ hash >> 32;
}

static void hash_dso(struct sym_space *sp, size_t index)
{
	size_t *at = &sp->dso_hash[hash_of(sp->dsos[index].name) & (sp->nr_hash - 1)];

	/* append, so that builds of a file stay in the order of the recording */
	while (*at != SYM_NO_DSO)
		at = &sp->dsos[*at].next;
	*at = index;
	sp->dsos[index].next = SYM_NO_DSO;
}

static int grow_hash(struct sym_space *sp)
{
	size_t i, nr = sp->nr_hash ? sp->nr_hash * 2 : SYM_FIRST_ROOM;
	size_t *hash;

	if (sp->nr_dsos < sp->nr_hash)
		return 0;
	hash = reallocarray(NULL, nr, sizeof(*hash));
	if (!hash)
		return -ENOMEM;
	free(sp->dso_hash);
	sp->dso_hash = hash;
	sp->nr_hash = nr;
	for (i = 0; i < nr; i++)
		hash[i] = SYM_NO_DSO;
	for (i = 0; i < sp->nr_dsos; i++)
		hash_dso(sp, i);
	return 0;
}

/* Another build of a file, as after an upgrade during the recording, is another file. */
static size_t find_dso(const struct sym_space *sp, const char *name, const struct sym_build_id *id)
{
	size_t i = sp->nr_hash ? sp->dso_hash[hash_of(name) & (sp->nr_hash - 1)] : SYM_NO_DSO;

	for (; i != SYM_NO_DSO; i = sp->dsos[i].next) {
		const struct sym_dso *dso = &sp->dsos[i];

		if (!strcmp(dso->name, name) && (!id->size || !dso->build_id.size ||
						 sym_build_id_equal(id, &dso->build_id)))
			break;
	}
	return i;
}

/**
 * sym_dso_get() - find or add a file
 *
 * Return: 0 or -ENOMEM.
 */
int sym_dso_get(struct sym_space *sp, const char *name, const struct sym_build_id *id,
		size_t *index)
{
	size_t i = find_dso(sp, name, id);
	struct sym_dso *dso;

	*index = i;
	if (i != SYM_NO_DSO) {
		if (id->size && !sp->dsos[i].build_id.size)
			sp->dsos[i].build_id = *id;
		return 0;
	}
	dso = sym_grow(sp->dsos, sp->nr_dsos, &sp->room_dsos, sizeof(*dso));
	if (!dso)
		return -ENOMEM;
	sp->dsos = dso;
	if (grow_hash(sp))
		return -ENOMEM;
	dso += sp->nr_dsos;
	memset(dso, 0, sizeof(*dso));
	dso->name = strdup(name);
	if (!dso->name)
		return -ENOMEM;
	dso->build_id = *id;
	dso->jit = sym_jit_is_code(name);
	*index = sp->nr_dsos++;
	hash_dso(sp, *index);
	return 0;
}
