// SPDX-License-Identifier: GPL-2.0-only
/* Average latency of offcore requests: the groups that count it, and its computation. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "stat.h"

#define CONFIG_CYCLES	0x003c
#define CONFIG_REF	0x0300
#define NSEC_PER_SEC	1e9
#define GROUP_LEN	256
#define LIST_LEN	512
#define LEVELS		(ACRPMU_EVENT_USER | ACRPMU_EVENT_KERNEL)

/* One request of a list: "DMND_DATA_RD:u". */
struct request {
	const char *type;
	const char *levels;
};

/* ---- requests by name --------------------------------------------------------------------- */

static const char *find_request(const char *word, size_t len)
{
	const char *name = NULL;

	while ((name = acrpmu_latency_next_request(name))) {
		if (strlen(name) == len && !strncasecmp(name, word, len))
			return name;
	}
	return NULL;
}

static int refuse_request(const char *name, size_t len)
{
	const char *type = NULL, *sep = "";

	fprintf(stderr, "acrctl: stat: --offcore-latency: there is no request type '%.*s'; take ",
		(int)len, name);
	while ((type = acrpmu_latency_next_request(type))) {
		fprintf(stderr, "%s%s", sep, type);
		sep = ", ";
	}
	fputs("\n", stderr);
	return -EINVAL;
}

static int refuse_levels(const char *request, size_t len)
{
	fprintf(stderr,
		"acrctl: stat: --offcore-latency: '%.*s': behind the request type only :u and :k may follow, for user and kernel level\n",
		(int)len, request);
	return -EINVAL;
}

static int parse_request(const char *text, size_t len, struct request *request)
{
	const char *colon = memchr(text, ':', len);
	size_t name_len = colon ? (size_t)(colon - text) : len;

	request->levels = "";
	request->type = find_request(text, name_len);
	if (!request->type)
		return refuse_request(text, name_len);
	if (!colon)
		return 0;
	len -= name_len + 1;
	if (len != 1 || !strchr("uk", colon[1]))
		return refuse_levels(text, name_len + 1 + len);
	request->levels = colon[1] == 'u' ? ":u" : ":k";
	return 0;
}

/* ---- groups ------------------------------------------------------------------------------- */

/* The events of a pair by name, so that refusals and output use the names. */
static int add_group(struct stat *st, const char *cpu, const struct request *request)
{
	char text[GROUP_LEN];
	int none = 0;

	snprintf(text, sizeof(text),
		 "{%s::OFFCORE_RESPONSE_0:%s:OUTSTANDING,%s::OFFCORE_RESPONSE_1:%s:ANY_RESPONSE,cycles,ref-cycles}%s",
		 cpu, request->type, cpu, request->type, request->levels);
	return event_args_add(&st->opt.groups, text, 0, NULL, &none);
}

/* Read a list; with @cpu make groups of it. */
static int read_list(struct stat *st, const char *list, const char *cpu)
{
	struct request request;
	int err;

	do {
		size_t len = strcspn(list, ",");

		err = parse_request(list, len, &request);
		if (!err && cpu)
			err = add_group(st, cpu, &request);
		list += len;
	} while (!err && *list++);
	return err;
}

static int read_lists(struct stat *st, const char *cpu)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < st->opt.latency.nr; i++)
		err = read_list(st, st->opt.latency.strings[i], cpu);
	return err;
}

/**
 * stat_latency_check() - check the arguments of --offcore-latency
 *
 * Return: 0, or -EINVAL after a message.
 */
int stat_latency_check(struct stat *st)
{
	return read_lists(st, NULL);
}

static int refuse_cpu(const char *cpu)
{
	char list[LIST_LEN] = "";
	const char *name = NULL;
	size_t len = 0;

	while ((name = acrpmu_cpu_next_name(name))) {
		if (acrpmu_latency_has_mode(name) && len < sizeof(list))
			len += snprintf(list + len, sizeof(list) - len, "%s%s", len ? ", " : "",
					name);
	}
	fprintf(stderr,
		"acrctl: stat: --offcore-latency: this CPU (%s) cannot count outstanding requests next to their responses; it needs one of: %s\n",
		*cpu ? cpu : "unknown", list);
	return -EOPNOTSUPP;
}

/**
 * stat_latency_add_groups() - make event groups of the arguments of --offcore-latency
 *
 * Return: 0, or -errno after a message.
 */
int stat_latency_add_groups(struct stat *st)
{
	struct acrpmu_cpu cpu;

	if (!st->opt.latency.nr)
		return 0;
	if (!acrpmu_latency_has_mode(st->cpu) || acrpmu_cpu_by_name(st->cpu, &cpu))
		return refuse_cpu(st->cpu);
	return read_lists(st, *cpu.short_name ? cpu.short_name : cpu.name);
}

/* ---- computation -------------------------------------------------------------------------- */

static void name_requests(const struct acrpmu_event_attr *attr, char *name, size_t size)
{
	static const char *const levels[] = {
		[ACRPMU_EVENT_USER] = ":u", [ACRPMU_EVENT_KERNEL] = ":k", [LEVELS] = "",
	};
	size_t len = acrpmu_latency_requests(attr, name, size);

	if (len < size)
		snprintf(name + len, size - len, "%s", levels[attr->flags & LEVELS]);
}

static const struct acrpmu_event_attr *attr_of(const struct stat *st, unsigned int group,
					       unsigned int event)
{
	return &acrpmu_spec_event(st->spec, group, event)->attr;
}

/* A plain counter of the group at the levels of another event; NULL: there is none. */
static const struct stat_event *beside(const struct stat *st, const struct stat_cell *cell,
				       unsigned int group, const struct acrpmu_event_attr *other,
				       __u64 config)
{
	unsigned int i;

	for (i = 0; i < st->groups[group].nr_events; i++) {
		const struct acrpmu_event_attr *attr = attr_of(st, group, i);

		if (attr->config == config && attr->flags & ACRPMU_EVENT_COUNT &&
		    (attr->flags & LEVELS) == (other->flags & LEVELS))
			return &cell->ev[i];
	}
	return NULL;
}

static void divide(const struct stat *st, const struct stat_cell *cell, unsigned int group,
		   struct stat_latency *l)
{
	const struct acrpmu_event_attr *attr = attr_of(st, group, l->outstanding);
	const struct stat_event *cycles = beside(st, cell, group, attr, CONFIG_CYCLES);
	const struct stat_event *ref = beside(st, cell, group, attr, CONFIG_REF);
	__u64 responses = cell->ev[l->responses].total, hz = tsc_hz();

	l->has_clock = cycles && ref;
	l->known = cell->counted && responses;
	if (!l->known)
		return;
	l->cycles = (double)cell->ev[l->outstanding].total / responses;
	l->has_ns = l->has_clock && cycles->total && ref->total && hz;
	if (l->has_ns)
		l->ns = l->cycles * ref->total / cycles->total / hz * NSEC_PER_SEC;
}

static bool find_partner(const struct stat *st, unsigned int group, struct stat_latency *l)
{
	const struct acrpmu_event_attr *attr = attr_of(st, group, l->outstanding);

	for (l->responses = 0; l->responses < st->groups[group].nr_events; l->responses++) {
		if (acrpmu_latency_is_pair(attr, attr_of(st, group, l->responses)))
			return true;
	}
	return false;
}

/**
 * stat_latency_next() - find the next average latency of a group, from event @from on
 *
 * Return: whether there is one; @latency is written only then.
 */
bool stat_latency_next(const struct stat *st, const struct stat_cell *cell, unsigned int group,
		       unsigned int from, struct stat_latency *latency)
{
	struct stat_latency l = { 0 };

	for (l.outstanding = from; l.outstanding < st->groups[group].nr_events; l.outstanding++) {
		const struct acrpmu_event_attr *attr = attr_of(st, group, l.outstanding);

		/* what hardware reloads has no count */
		if (!(attr->flags & ACRPMU_EVENT_COUNT) || !acrpmu_latency_has_mode(st->cpu) ||
		    !find_partner(st, group, &l))
			continue;
		if (!(attr_of(st, group, l.responses)->flags & ACRPMU_EVENT_COUNT))
			continue;
		name_requests(attr, l.name, sizeof(l.name));
		divide(st, cell, group, &l);
		*latency = l;
		return true;
	}
	return false;
}
