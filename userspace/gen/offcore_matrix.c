// SPDX-License-Identifier: LGPL-2.1-or-later
/* Intel's offcore matrix files: requests times responses are OFFCORE_RESPONSE events. */
#include "offcore_matrix.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "number.h"

#define OFFCORE_EVENT	0xb7
#define OFFCORE_UMASK	0x1
#define OFFCORE_MSR	0x1a6
/* Files give response values without the 16 bits of requests below them. */
#define RESPONSE_SHIFT	16
#define REQUEST_MAX	0xffff
#define RESPONSE_MAX	0xffffffffffffULL
/* Default counters: all CPUs with this event have these. */
#define FIRST_CNTRS	0x3

#define NAME_LEN	256
#define DESC_LEN	1024
#define TERMS_LEN	128

static int refuse(const struct json_event *event, enum json_field field, const char *why,
		  struct reporter *reporter)
{
	report_say(reporter, REPORT_NOTE, event->path, json_event_line(event, field),
		   json_field_name(field), "%s; this part of the matrix is left out", why);
	return -EINVAL;
}

/* Return: whether it is a list of 0 and 1. */
static bool get_registers(const struct json_value *value, unsigned int *registers)
{
	const char *at = value->at, *word;
	size_t len = value->len, word_len;
	__u64 nr;

	*registers = 0;
	while (number_next(&at, &len, &word, &word_len)) {
		if (!number_parse(word, word_len, &nr) || nr > 1)
			return false;
		*registers |= 1U << nr;
	}
	return *registers;
}

static int copy_value(const struct json_value *value, struct arena *arena, const char **copy)
{
	*copy = arena_copy(arena, value->at ? value->at : "", value->at ? value->len : 0);
	return *copy ? 0 : -ENOMEM;
}

int matrix_add(struct offcore_matrix *matrix, const struct json_event *event, const char *topic,
	       struct arena *arena, struct reporter *reporter)
{
	const bool request = event->values[JSON_MATRIX_REQUEST].at;
	const enum json_field field = request ? JSON_MATRIX_REQUEST : JSON_MATRIX_RESPONSE;
	const struct json_value *value = &event->values[JSON_MATRIX_VALUE];
	unsigned int *nr = request ? &matrix->nr_requests : &matrix->nr_responses;
	struct matrix_part *parts = request ? matrix->requests : matrix->responses;
	struct matrix_part part = { .path = event->path, .line = event->line, .topic = topic };

	if (request && event->values[JSON_MATRIX_RESPONSE].at)
		return refuse(event, JSON_MATRIX_RESPONSE, "an entry is a request or a response",
			      reporter);
	if (*nr == MATRIX_MAX_PARTS)
		return refuse(event, field, "there are more than 128 of them", reporter);
	if (!value->at || !number_parse(value->at, value->len, &part.value))
		return refuse(event, JSON_MATRIX_VALUE, "this is no number", reporter);
	if (part.value > (request ? REQUEST_MAX : RESPONSE_MAX))
		return refuse(event, JSON_MATRIX_VALUE, "this number is too large", reporter);
	if (!get_registers(&event->values[JSON_MATRIX_REGISTER], &part.registers))
		return refuse(event, JSON_MATRIX_REGISTER, "this is no list of registers 0 and 1",
			      reporter);
	if (!request)
		part.value <<= RESPONSE_SHIFT;
	if (copy_value(&event->values[field], arena, &part.name) ||
	    copy_value(&event->values[JSON_DESCRIPTION], arena, &part.desc))
		return -ENOMEM;
	parts[(*nr)++] = part;
	return 0;
}

/* An event of the same table that uses the register: its counters are those of all. */
static void take_counters(struct event_row *row, const struct table *table)
{
	unsigned int i;

	row->gp_cntrs = FIRST_CNTRS;
	for (i = 0; i < table->nr; i++) {
		const struct event_row *like = &table->rows[i].row;

		if (like->extra_msr != OFFCORE_MSR || table->rows[i].made)
			continue;
		row->gp_cntrs = like->gp_cntrs;
		row->period = like->period;
		return;
	}
}

static int add_formatted(struct text_pool *pool, const char *text, int len, size_t size,
			 __u32 *offset)
{
	return text_pool_add(pool, text, (size_t)len < size ? (size_t)len : size - 1, offset);
}

static int add_strings(struct event_row *row, const struct matrix_part *request,
		       const struct matrix_part *response, struct text_pool *pool)
{
	char name[NAME_LEN], desc[DESC_LEN], terms[TERMS_LEN];
	int ret, len;

	len = snprintf(name, sizeof(name), "OFFCORE_RESPONSE.%s.%s", request->name, response->name);
	ret = add_formatted(pool, name, len, sizeof(name), &row->name);
	if (ret)
		return ret;
	len = snprintf(desc, sizeof(desc), "%s%s%s", request->desc,
		       *request->desc && *response->desc ? " that " : "", response->desc);
	ret = add_formatted(pool, desc, len, sizeof(desc), &row->desc);
	if (ret)
		return ret;
	len = snprintf(terms, sizeof(terms), "event=0x%x,umask=0x%x,offcore_rsp=0x%llx",
		       OFFCORE_EVENT, OFFCORE_UMASK, (unsigned long long)row->extra);
	if (row->period)
		len += snprintf(terms + len, sizeof(terms) - len, ",period=%llu",
				(unsigned long long)row->period);
	return add_formatted(pool, terms, len, sizeof(terms), &row->terms);
}

/* Both registers count the same; the module uses the other one if this one is busy. */
static bool is_in_first(const struct matrix_part *request, const struct matrix_part *response,
			struct reporter *reporter)
{
	if (request->registers & response->registers & 1)
		return true;
	report_say(reporter, REPORT_NOTE, request->path, request->line,
		   json_field_name(JSON_MATRIX_REGISTER),
		   "%s with %s (line %u) is not in register 0; this event is left out",
		   request->name, response->name, response->line);
	return false;
}

static int add_event(const struct event_row *like, const struct matrix_part *request,
		     const struct matrix_part *response, struct table *table,
		     struct text_pool *pool)
{
	struct table_row made = {
		.row = *like,
		.path = request->path,
		.line = request->line,
		.made = true,
	};
	int ret;

	made.row.extra = request->value | response->value;
	ret = add_strings(&made.row, request, response, pool);
	if (!ret)
		ret = text_pool_add(pool, request->topic, strlen(request->topic), &made.row.topic);
	return ret ? ret : table_add(table, &made);
}

int matrix_expand(const struct offcore_matrix *matrix, const char *pmu, struct table *table,
		  struct text_pool *pool, struct reporter *reporter, unsigned int *nr_left_out)
{
	struct event_row like = {
		.config = OFFCORE_EVENT | OFFCORE_UMASK << 8,
		.extra_msr = OFFCORE_MSR,
		.fixed = EVENT_NO_FIXED,
	};
	unsigned int i, j;
	int ret;

	take_counters(&like, table);
	ret = text_pool_add(pool, pmu, strlen(pmu), &like.pmu);
	for (i = 0; !ret && i < matrix->nr_requests; i++) {
		for (j = 0; !ret && j < matrix->nr_responses; j++) {
			const struct matrix_part *request = &matrix->requests[i];
			const struct matrix_part *response = &matrix->responses[j];

			if (is_in_first(request, response, reporter))
				ret = add_event(&like, request, response, table, pool);
			else
				(*nr_left_out)++;
		}
	}
	return ret;
}
