// SPDX-License-Identifier: LGPL-2.1-or-later
/* Events by libpfm's names: "glm::EVENT:UMASK:u:k:i:e:c=2". */
#include "pfm_name.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../../kmod/regs.h"
#include "../util/suggest.h"
#include "cpu_table.h"
#include "event_term.h"
#include "perf_name.h"
#include "pfm_part.h"

#define EVENT_UMASK		(PERFEVTSEL_EVENT | PERFEVTSEL_UMASK)

/* ---- words -------------------------------------------------------------------------------- */

static const char *name_end(const char *start)
{
	static const bool in_name[UCHAR_MAX + 1] = {
		['0' ... '9'] = true, ['A' ... 'Z'] = true, ['a' ... 'z'] = true, ['_'] = true,
		['-'] = true, [':'] = true, ['.'] = true, ['='] = true,
	};
	const char *at = start;

	/* "c=+2" is a number to libpfm; elsewhere a plus joins two events */
	while (in_name[(unsigned char)*at] || (*at == '+' && at > start && at[-1] == '='))
		at++;
	return at;
}

/* The CPU or the event: up to a delimiter. */
static struct span first_word(const char *start, const char *end)
{
	struct span word = { start, 0 };

	while (start + word.len < end && !acrpmu_pfm_is_delimiter(start[word.len]))
		word.len++;
	return word;
}

static const struct acrpmu_model *find_cpu(const char *at, size_t len)
{
	char word[32];
	size_t i;

	if (!len || len >= sizeof(word))
		return NULL;
	for (i = 0; i < len; i++)
		word[i] = tolower((unsigned char)at[i]);
	word[len] = 0;
	return acrpmu_cpu_table_model(word);
}

static bool cpu_is(const struct pfm_name *n, const char *cpu)
{
	return !strcmp(n->cpu->name, cpu);
}

static const struct pfm_row *find_row(const struct pfm_name *n)
{
	return acrpmu_pfm_has_rows(n->cpu) ? acrpmu_pfm_find_event(n->event) : NULL;
}

/* ---- names of other CPUs ------------------------------------------------------------------ */

static int refuse_event(const struct pfm_name *n, struct span event,
			const struct pfm_tables *tables)
{
	const struct pfm_row *other = find_row(n), *row;
	struct suggestion best = { NULL };

	for (row = pfm_glm_rows; row; row = acrpmu_pfm_next_row(row)) {
		if (acrpmu_pfm_has_row(n->cpu, row))
			acrpmu_suggest_consider(&best, event.at, event.len, row->name);
	}
	acrpmu_text_refuse(n->text, event.at, CODE_NOT_FOUND, "",
			   "%s has no event '%s'", n->cpu->name, acrpmu_text_word(event).text);
	if (other && !acrpmu_pfm_has_row(n->cpu, other))
		acrpmu_message_hint(n->text->message, "only Goldmont has it; 'acrctl list %s"
				    PREFIX_END "' shows the events of this CPU",
				    acrpmu_cpu_table_row(n->cpu)->short_name);
	else if (best.word)
		acrpmu_message_hint(n->text->message, "did you mean '%s'?", best.word);
	else if (acrpmu_pfm_has_rows(n->cpu))
		acrpmu_message_hint(n->text->message, "'acrctl list %s" PREFIX_END "' shows its "
				    "events", acrpmu_cpu_table_row(n->cpu)->short_name);
	else if (tables && tables->find)
		acrpmu_message_hint(n->text->message, "'acrctl list --pmu %s' shows its events",
				    n->cpu->name);
	else
		acrpmu_message_hint(n->text->message, "there is no table of its events: write "
				    "cpu/event=N,umask=N/");
	return -EINVAL;
}

/* A modifier that is part of the event may be repeated, but not changed. */
static int check_wired(const struct pfm_name *n, __u64 config)
{
	static const struct {
		unsigned int modifier;
		__u64 field;
	} fields[] = {
		{ INVERT, PERFEVTSEL_INV }, { EDGE, PERFEVTSEL_EDGE }, { CMASK, PERFEVTSEL_CMASK },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		const struct pfm_modifier *m = &n->modifiers[fields[i].modifier];
		__u64 wired = (config & fields[i].field) >> __ffs64(fields[i].field);

		if (m->at && wired && wired != m->value)
			return acrpmu_text_refuse(n->text, m->at, CODE_SET, "leave it out",
						  "the event has another value of the modifier "
						  "'%c' by itself", *m->at);
	}
	return 0;
}

/* "EVENT:UMASK" is EVENT.UMASK in the tables; modifiers are taken out. */
static int read_other(struct pfm_name *n, const struct pfm_tables *tables, struct pfm_code *code)
{
	const char *at = n->event.at + n->event.len;
	char word[ACRPMU_NAME_LEN];
	struct pfm_part part;
	int len, err = 0;

	len = snprintf(word, sizeof(word), "%.*s", (int)n->event.len, n->event.at);
	while (!err && acrpmu_pfm_next_part(&at, n->end, &part)) {
		unsigned int i = acrpmu_pfm_find_modifier(n, part.name);

		if (i < NR_MODIFIERS)
			err = acrpmu_pfm_read_modifier(n, i, &part);
		else if (part.value.at || !part.name.len)
			err = acrpmu_pfm_refuse_part(n, &part);
		else if (len < (int)sizeof(word))
			len += snprintf(word + len, sizeof(word) - len, ".%.*s",
					(int)part.name.len, part.name.at);
	}
	if (err)
		return err;
	if (n->set_twice || n->fault)
		return acrpmu_pfm_check_parts(n);
	if (len >= (int)sizeof(word) || !tables || !tables->find ||
	    !tables->find(tables->arg, n->cpu->name, word, len, code))
		return refuse_event(n, (struct span){ n->event.at, n->end - n->event.at }, tables);
	err = check_wired(n, code->config);
	return err ? err : acrpmu_pfm_check_modifiers(n, code->config);
}

/* Whether libpfm's names say what the event is; Goldmont Plus has tables for the others. */
static bool is_known(const struct pfm_name *n, const struct pfm_tables *tables)
{
	const char *at = n->event.at + n->event.len;
	struct pfm_part part;

	if (!n->row || !acrpmu_pfm_has_rows(n->cpu))
		return false;
	if (cpu_is(n, CPU_GLM) || !tables || !tables->find)
		return cpu_is(n, CPU_GLM) || !(n->row->flags & PFM_GLM_ONLY);
	while (acrpmu_pfm_next_part(&at, n->end, &part)) {
		if (!acrpmu_pfm_find_umask(n->row, part.name) &&
		    acrpmu_pfm_find_modifier(n, part.name) == NR_MODIFIERS &&
		    strncasecmp(part.name.at, RAW_PREFIX, strlen(RAW_PREFIX)))
			return false;
	}
	return !(n->row->flags & PFM_GLM_ONLY);
}

/* ---- the event ---------------------------------------------------------------------------- */

/* The name without its modifiers. */
static char *short_name(const struct pfm_name *n)
{
	const char *start = n->prefix.at ? n->prefix.at : n->event.at;
	const char *at = n->event.at + n->event.len, *from = at;
	char *name = malloc(n->end - start + 1), *to;
	struct pfm_part part;

	if (!name)
		return NULL;
	to = mempcpy(name, start, at - start);
	for (; acrpmu_pfm_next_part(&at, n->end, &part); from = at) {
		if (acrpmu_pfm_find_modifier(n, part.name) == NR_MODIFIERS)
			to = mempcpy(to, from, at - from);
	}
	*to = 0;
	return name;
}

static void set_bit_of(struct spec_event *ev, const struct pfm_modifier *m, __u64 field,
		       __u64 value)
{
	if (!m->at)
		return;
	ev->config_set |= field;
	ev->modified_config |= value;
	ev->pub.attr.config = (ev->pub.attr.config & ~field) | value;
}

static int fill_event(const struct pfm_name *n, const struct pfm_code *code, struct spec_event *ev)
{
	const struct pfm_modifier *m = n->modifiers;
	const char *start = n->prefix.at ? n->prefix.at : n->event.at;

	ev->pub.attr.config = code->config;
	ev->config_set = EVENT_UMASK | code->config;
	ev->given |= SPEC_GIVEN_EVENT | SPEC_GIVEN_WHOLE;
	if (code->pebs)
		ev->given |= SPEC_NEEDS_PEBS;
	ev->table_cntrs = code->cntrs;
	if (code->has_extra) {
		ev->pub.attr.extra_value = code->extra;
		ev->pub.extra_column = acrpmu_text_column(n->text, start);
		ev->given |= SPEC_GIVEN_EXTRA;
	}
	set_bit_of(ev, &m[INVERT], PERFEVTSEL_INV, m[INVERT].value ? PERFEVTSEL_INV : 0);
	set_bit_of(ev, &m[EDGE], PERFEVTSEL_EDGE, m[EDGE].value ? PERFEVTSEL_EDGE : 0);
	set_bit_of(ev, &m[CMASK], PERFEVTSEL_CMASK, m[CMASK].value << PERFEVTSEL_CMASK_SHIFT);
	ev->levels = (m[USER].value ? ACRPMU_EVENT_USER : 0) |
		     (m[KERNEL].value ? ACRPMU_EVENT_KERNEL : 0);
	ev->pub.cpu = n->cpu->name;
	ev->short_name = short_name(n);
	if (!ev->short_name)
		return -ENOMEM;
	/* adds none, but sets the text that shows them */
	return acrpmu_term_modifiers(n->text, ev, 1, false, (struct span){ n->end, 0 });
}

static int refuse_cpu(const struct pfm_name *n)
{
	struct suggestion best = { NULL };
	const struct acrpmu_model *cpu = NULL;

	while ((cpu = acrpmu_model_next(cpu))) {
		acrpmu_suggest_consider(&best, n->prefix.at, n->prefix.len, cpu->name);
		acrpmu_suggest_consider(&best, n->prefix.at, n->prefix.len,
					acrpmu_cpu_table_row(cpu)->short_name);
	}
	acrpmu_text_refuse(n->text, n->prefix.at, CODE_NOT_FOUND,
			   "write the CPU's name or short name before the two colons, like glm::",
			   "there is no CPU '%s'", acrpmu_text_word(n->prefix).text);
	if (best.word)
		acrpmu_message_hint(n->text->message, "did you mean '%s" PREFIX_END "'?",
				    best.word);
	return -EINVAL;
}

static int check_forced(const struct pfm_name *n, const struct acrpmu_model *forced)
{
	if (!forced || forced == n->cpu)
		return 0;
	acrpmu_text_refuse(n->text, n->prefix.at, "other-cpu", "",
			   "'%s' names an event of %s, but the CPU is %s",
			   acrpmu_text_word(n->prefix).text, n->cpu->name, forced->name);
	acrpmu_message_hint(n->text->message, "take an event of %s; 'acrctl encode --pmu %s' shows "
			    "this one on any machine", forced->name, n->cpu->name);
	return -EINVAL;
}

/* Split off the prefix and choose the CPU; returns false if it is no such name at all. */
static bool read_start(struct pfm_name *n, const char *start, const char *pmu,
		       const struct acrpmu_model *forced)
{
	struct span word;
	__u64 config;

	n->end = name_end(start);
	word = first_word(start, n->end);
	n->event = word;
	n->cpu = forced;
	if (strncmp(word.at + word.len, PREFIX_END, strlen(PREFIX_END)))
		return word.len && forced && acrpmu_pfm_has_rows(forced) &&
		       acrpmu_pfm_find_event(word);
	n->prefix = word;
	n->event = first_word(word.at + word.len + strlen(PREFIX_END), n->end);
	if (forced && acrpmu_text_is(word, pmu))
		return true;
	n->cpu = pmu && acrpmu_text_is(word, pmu) ? NULL : find_cpu(word.at, word.len);
	/* "cycles::u" is an event with a colon too many */
	return word.len && (n->cpu || !acrpmu_perf_name_find(word.at, word.len, &config));
}

int acrpmu_pfm_read(const struct text *text, const char **at, const char *pmu,
		    const struct pfm_tables *tables, struct spec_event *ev, bool *found)
{
	const struct acrpmu_model *forced = pmu ? find_cpu(pmu, strlen(pmu)) : NULL;
	struct pfm_name n = { .text = text };
	struct pfm_code code;
	int err;

	*found = read_start(&n, *at, pmu, forced);
	if (!*found)
		return 0;
	if (!n.cpu)
		return refuse_cpu(&n);
	err = n.prefix.at ? check_forced(&n, forced) : 0;
	if (err)
		return err;
	*at = n.end;
	n.row = find_row(&n);
	if (is_known(&n, tables)) {
		err = acrpmu_pfm_read_parts(&n);
		if (!err)
			err = acrpmu_pfm_check_parts(&n);
		if (!err)
			acrpmu_pfm_get_code(&n, &code);
	} else if (cpu_is(&n, CPU_GLM)) {
		err = refuse_event(&n, n.event, tables);
	} else {
		n.row = NULL;
		err = read_other(&n, tables, &code);
	}
	return err ? err : fill_event(&n, &code, ev);
}
