// SPDX-License-Identifier: GPL-2.0-only
/* What the samples of a profile refer to: strings, functions, mappings and locations. */
#include "tables.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/utf8.h"
#include "../../util/util.h"

#define FIRST_WORDS	2	/* of the key of a location: mapping and address */
#define HEX_LEN		(2 * SYM_BUILD_ID_MAX + 1)

typedef Perftools__Profiles__Function function_msg;
typedef Perftools__Profiles__Location location_msg;
typedef Perftools__Profiles__Line line_msg;

static bool make_room(void **memory, size_t *room, size_t size)
{
	void *more;

	if (size <= *room)
		return true;
	more = realloc(*memory, 2 * size);
	if (!more)
		return false;
	*memory = more;
	*room = 2 * size;
	return true;
}

/**
 * pprof_put() - write members of the profile; repeated ones add to those written before
 */
void pprof_put(struct pprof_tables *t, const profile_msg *msg)
{
	size_t size = perftools__profiles__profile__get_packed_size(msg);

	if (!make_room((void **)&t->packed, &t->packed_room, size)) {
		t->err = -ENOMEM;
		return;
	}
	perftools__profiles__profile__pack(msg, t->packed);
	gzip_write(&t->gzip, t->packed, size);
}

static void put_string(struct pprof_tables *t, const char *text)
{
	profile_msg msg = PERFTOOLS__PROFILES__PROFILE__INIT;
	size_t room = UTF8_GROWTH * strlen(text) + 1;

	if (!make_room((void **)&t->clean, &t->clean_room, room)) {
		t->err = -ENOMEM;
		return;
	}
	utf8_clean(t->clean, t->clean_room, text);
	msg.n_string_table = 1;
	msg.string_table = &t->clean;
	pprof_put(t, &msg);
}

/**
 * pprof_string() - the index of a string, which need not be UTF-8; 0 for NULL
 */
__s64 pprof_string(struct pprof_tables *t, const char *text)
{
	size_t known = t->strings.nr, number;

	if (!text)
		return 0;
	number = intern_add(&t->strings, text);
	if (number == INTERN_FAILED) {
		t->err = -ENOMEM;
		return 0;
	}
	if (number == known)
		put_string(t, text);
	return number;
}

/**
 * pprof_tables_begin() - begin to write; pprof_tables_end() in any case
 *
 * Return: 0 or -ENOMEM.
 */
int pprof_tables_begin(struct pprof_tables *t, struct view *v, FILE *out)
{
	*t = (struct pprof_tables){ .view = v };
	t->err = gzip_begin(&t->gzip, out);
	if (!t->err)
		pprof_string(t, "");
	return t->err;
}

/* Returns the id of a function. */
static __u64 function_id(struct pprof_tables *t, const struct stack_frame *f)
{
	function_msg function = PERFTOOLS__PROFILES__FUNCTION__INIT, *list = &function;
	profile_msg msg = PERFTOOLS__PROFILES__PROFILE__INIT;
	uint64_t key[] = { pprof_string(t, f->symbol), pprof_string(t, f->file) };
	size_t number;
	bool added;

	number = tuples_add(&t->functions, key, ARRAY_SIZE(key), &added);
	if (number == TUPLES_FAILED) {
		t->err = -ENOMEM;
		return 0;
	}
	function.id = number + 1;
	if (added) {
		function.name = key[0];
		function.system_name = key[0];
		function.filename = key[1];
		msg.n_function = 1;
		msg.function = &list;
		pprof_put(t, &msg);
	}
	return function.id;
}

static const struct sym_build_id *build_id_of(const struct pprof_tables *t, const struct sym_dso *d)
{
	if (!strcmp(d->name, SYM_KERNEL_NAME))
		return &t->view->space.kernel_build_id;
	return d->build_id.size ? &d->build_id : &d->elf.build_id;
}

static __s64 build_id_string(struct pprof_tables *t, const struct sym_dso *dso)
{
	const struct sym_build_id *id = build_id_of(t, dso);
	char hex[HEX_LEN] = "";
	unsigned int i;

	for (i = 0; i < id->size; i++)
		sprintf(hex + 2 * i, "%02x", id->id[i]);
	return id->size ? pprof_string(t, hex) : 0;
}

static bool add_mapping(struct pprof_tables *t, size_t number, const struct sym_map *m)
{
	mapping_msg *mappings = reallocarray(t->mappings, number + 1, sizeof(*mappings));
	__u64 *leaves;

	if (!mappings)
		return false;
	t->mappings = mappings;
	leaves = reallocarray(t->leaves, number + 1, sizeof(*leaves));
	if (!leaves)
		return false;
	t->leaves = leaves;
	leaves[number] = 0;
	perftools__profiles__mapping__init(&mappings[number]);
	mappings[number].id = number + 1;
	mappings[number].memory_start = m->start;
	mappings[number].memory_limit = m->end;
	mappings[number].file_offset = m->pgoff;
	mappings[number].filename = pprof_string(t, t->view->space.dsos[m->dso].name);
	return true;
}

/* Returns the mapping of a frame, NULL if nothing was mapped there. */
static mapping_msg *mapping_of(struct pprof_tables *t, __u32 pid, const struct stack_frame *f)
{
	const struct sym_map *m = NULL;
	mapping_msg *mapping;
	uint64_t key[4];
	size_t number;
	bool added;

	if (f->level != VIEW_LEVEL_GUEST)
		m = sym_space_map_at(&t->view->space, f->level == VIEW_LEVEL_KERNEL, pid, f->ip);
	if (!m)
		return NULL;
	key[0] = m->dso;
	key[1] = m->start;
	key[2] = m->end;
	key[3] = m->pgoff;
	number = tuples_add(&t->maps, key, ARRAY_SIZE(key), &added);
	if (number == TUPLES_FAILED || (added && !add_mapping(t, number, m))) {
		t->err = -ENOMEM;
		return NULL;
	}
	mapping = &t->mappings[number];
	/* the file may have been read since it was last seen */
	if (!mapping->build_id)
		mapping->build_id = build_id_string(t, &t->view->space.dsos[m->dso]);
	return mapping;
}

static void describe(mapping_msg *mapping, const struct stack_frame *f)
{
	mapping->has_functions |= f->known;
	mapping->has_filenames |= !!f->file;
	mapping->has_line_numbers |= f->line != 0;
	mapping->has_inline_frames |= f->inlined;
}

static void put_location(struct pprof_tables *t, __u64 id, const uint64_t *key, size_t nr)
{
	location_msg location = PERFTOOLS__PROFILES__LOCATION__INIT, *list = &location;
	profile_msg msg = PERFTOOLS__PROFILES__PROFILE__INIT;
	size_t i, nr_lines = (nr - FIRST_WORDS) / 2;
	line_msg *lines = calloc(nr_lines + 1, sizeof(*lines));
	line_msg **line_list = calloc(nr_lines + 1, sizeof(*line_list));

	if (lines && line_list) {
		for (i = 0; i < nr_lines; i++) {
			perftools__profiles__line__init(&lines[i]);
			lines[i].function_id = key[FIRST_WORDS + 2 * i];
			lines[i].line = key[FIRST_WORDS + 2 * i + 1];
			line_list[i] = &lines[i];
		}
		location.id = id;
		location.mapping_id = key[0];
		location.address = key[1];
		location.n_line = nr_lines;
		location.line = line_list;
		msg.n_location = 1;
		msg.location = &list;
		pprof_put(t, &msg);
	} else {
		t->err = -ENOMEM;
	}
	free(line_list);
	free(lines);
}

/* Room for the key of a location with so many frames; NULL when out of memory. */
static uint64_t *key_of(struct pprof_tables *t, size_t nr_frames)
{
	size_t size = (FIRST_WORDS + 2 * nr_frames) * sizeof(*t->key);

	if (make_room((void **)&t->key, &t->key_room, size))
		return t->key;
	t->err = -ENOMEM;
	return NULL;
}

/**
 * pprof_location() - the location of a frame, and of those that it is inlined into
 * @from: index of the frame
 * @id: set to the id of the location; unchanged when out of memory
 *
 * A frame without a name has a location without functions.
 *
 * Return: index of the frame that follows.
 */
size_t pprof_location(struct pprof_tables *t, __u32 pid, const struct stack *st, size_t from,
		      __u64 *id)
{
	mapping_msg *mapping = mapping_of(t, pid, &st->frames[from]);
	uint64_t *key = key_of(t, st->nr - from);
	size_t i = from, nr = FIRST_WORDS, number;
	bool added, more;

	if (!key)
		return st->nr;
	key[0] = mapping ? mapping->id : 0;
	key[1] = st->frames[from].ip;
	if (mapping && !from)
		t->leaves[mapping->id - 1]++;
	do {
		const struct stack_frame *f = &st->frames[i++];

		if (mapping)
			describe(mapping, f);
		if (f->known || !mapping) {
			key[nr++] = function_id(t, f);
			key[nr++] = f->line;
		}
		more = f->inlined && i < st->nr;
	} while (more);
	number = tuples_add(&t->locations, key, nr, &added);
	if (number == TUPLES_FAILED) {
		t->err = -ENOMEM;
		return i;
	}
	if (added)
		put_location(t, number + 1, key, nr);
	*id = number + 1;
	return i;
}

/* Readers take the first for the program. */
static size_t main_mapping(const struct pprof_tables *t)
{
	size_t i, best = 0;

	for (i = 0; i < t->maps.nr; i++) {
		const char *name = t->strings.texts[t->mappings[i].filename];
		bool better = t->leaves[i] > t->leaves[best] ||
			      t->strings.texts[t->mappings[best].filename][0] != '/';

		if (name[0] == '/' && better)
			best = i;
	}
	return best;
}

/**
 * pprof_put_mappings() - write the mappings of all locations
 */
void pprof_put_mappings(struct pprof_tables *t)
{
	size_t i, first = t->maps.nr ? main_mapping(t) : 0;

	for (i = 0; i < t->maps.nr; i++) {
		profile_msg msg = PERFTOOLS__PROFILES__PROFILE__INIT;
		mapping_msg *list = &t->mappings[!i ? first : i <= first ? i - 1 : i];

		msg.n_mapping = 1;
		msg.mapping = &list;
		pprof_put(t, &msg);
	}
}

/**
 * pprof_tables_end() - write what is left, and free everything
 *
 * Return: 0; -ENOMEM if the profile is not complete; -errno if it could not be written.
 */
int pprof_tables_end(struct pprof_tables *t)
{
	int err = gzip_end(&t->gzip);

	intern_free(&t->strings);
	tuples_free(&t->functions);
	tuples_free(&t->locations);
	tuples_free(&t->maps);
	free(t->mappings);
	free(t->leaves);
	free(t->packed);
	free(t->key);
	free(t->clean);
	return t->err ? t->err : err;
}
