// SPDX-License-Identifier: GPL-2.0-only
/* The properties that distinguish samples: what --sort takes, their texts, columns and JSON. */
#include "keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../terminal.h"

#define UNKNOWN_NUMBER	"-"

const struct view_choice keys_choices[HIST_NR_KEYS] = {
	[HIST_COMM] = { "comm", NULL },
	[HIST_PID] = { "pid", NULL },
	[HIST_TID] = { "tid", NULL },
	[HIST_CPU] = { "cpu", NULL },
	[HIST_DSO] = { "dso", NULL },
	[HIST_SYM] = { "sym", "symbol" },
};

const struct keys_column keys_columns[HIST_NR_KEYS] = {
	[HIST_COMM] = { "Command", "comm", 15 },
	[HIST_PID] = { "Pid", "pid", 7 },
	[HIST_TID] = { "Tid", "tid", 7 },
	[HIST_CPU] = { "CPU", "cpu", 4 },
	[HIST_DSO] = { "Shared Object", "dso", 24 },
	[HIST_SYM] = { "Symbol", "symbol", 0 },
};

/* The last component of a path; names in brackets and "//anon" stay whole. */
static const char *short_name(const char *dso)
{
	const char *slash = strrchr(dso, '/');

	return slash && slash[1] && dso[0] == '/' && dso[1] != '/' ? slash + 1 : dso;
}

static void put_number(char *text, const struct pd_sample *s, __u64 field, __u32 number)
{
	if (s->fields & field)
		snprintf(text, KEYS_NUMBER_LEN, "%u", number);
	else
		strcpy(text, UNKNOWN_NUMBER);
}

/**
 * keys_origin() - find where the chosen properties of a sample come from
 * @comm: of its thread, if that is chosen
 */
struct keys_origin keys_origin(struct view *v, const bool *chosen, const struct pd_sample *s,
			       const char *comm)
{
	struct keys_origin o = { .comm = comm };
	struct sym_location loc;

	if (!chosen[HIST_DSO] && !chosen[HIST_SYM])
		return o;
	view_resolve(v, s, chosen[HIST_SYM], &loc);
	o.dso = chosen[HIST_DSO] ? loc.dso : NULL;
	o.symbol = loc.symbol;
	if (chosen[HIST_SYM])
		o.level = view_is_guest(s) ? VIEW_LEVEL_GUEST :
			  view_is_kernel(s) ? VIEW_LEVEL_KERNEL : VIEW_LEVEL_USER;
	return o;
}

/**
 * keys_texts() - the chosen properties of a sample as text, those not chosen empty
 *
 * The texts are valid until the view ends or @numbers is gone.
 */
void keys_texts(const struct keys_origin *o, const bool *chosen, const struct pd_sample *s,
		struct keys_numbers *numbers, struct hist_entry *key)
{
	int i;

	for (i = 0; i < HIST_NR_KEYS; i++)
		key->keys[i] = chosen[i] ? numbers->text[i] : "";
	if (chosen[HIST_PID])
		put_number(numbers->text[HIST_PID], s, PERF_SAMPLE_TID, s->pid);
	if (chosen[HIST_TID])
		put_number(numbers->text[HIST_TID], s, PERF_SAMPLE_TID, s->tid);
	if (chosen[HIST_CPU])
		put_number(numbers->text[HIST_CPU], s, PERF_SAMPLE_CPU, s->cpu);
	if (chosen[HIST_COMM])
		key->keys[HIST_COMM] = o->comm ? o->comm : "[unknown]";
	if (chosen[HIST_DSO])
		key->keys[HIST_DSO] = o->dso ? short_name(o->dso) : "[unknown]";
	if (chosen[HIST_SYM] && o->symbol)
		key->keys[HIST_SYM] = o->symbol;
	else if (chosen[HIST_SYM])
		snprintf(numbers->text[HIST_SYM], KEYS_NUMBER_LEN, "0x%016llx", s->ip);
	key->level = o->level;
}

/**
 * keys_of() - both
 */
void keys_of(struct view *v, const bool *chosen, const struct pd_sample *s,
	     struct keys_numbers *numbers, struct hist_entry *key)
{
	const char *comm = chosen[HIST_COMM] ? sym_space_comm_of(&v->space, s->pid, s->tid) : NULL;
	struct keys_origin o = keys_origin(v, chosen, s, comm);

	keys_texts(&o, chosen, s, numbers, key);
}

/**
 * keys_print_titles() - print the rest of a heading
 */
void keys_print_titles(const bool *chosen)
{
	int i;

	for (i = 0; i < HIST_NR_KEYS; i++) {
		if (chosen[i])
			printf("  %-*s", keys_columns[i].width, keys_columns[i].title);
	}
	printf("\n");
}

/**
 * keys_print() - print the rest of an entry's line
 */
void keys_print(const bool *chosen, const struct hist_entry *e)
{
	int i;

	for (i = 0; i < HIST_NR_KEYS; i++) {
		if (!chosen[i])
			continue;
		fputs("  ", stdout);
		if (i == HIST_SYM) {
			putchar('[');
			putchar(e->level);
			fputs("] ", stdout);
		}
		terminal_print(stdout, -keys_columns[i].width, e->keys[i]);
	}
	putchar('\n');
}

static struct json_object *key_json(int key, const char *word)
{
	if (key != HIST_PID && key != HIST_TID && key != HIST_CPU)
		return jsonout_text(word);
	return strcmp(word, UNKNOWN_NUMBER) ? jsonout_count(strtoul(word, NULL, 10)) : jsonout_null;
}

/**
 * keys_set_json() - append the chosen properties of an entry
 */
void keys_set_json(struct json_object **json, const bool *chosen, const struct hist_entry *e)
{
	int i;

	for (i = 0; i < HIST_NR_KEYS; i++) {
		if (chosen[i])
			jsonout_set(json, keys_columns[i].json, key_json(i, e->keys[i]), NULL);
	}
	if (chosen[HIST_SYM])
		jsonout_set(json, "level", jsonout_text(view_level_name(e->level)), NULL);
}
