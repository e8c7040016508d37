// SPDX-License-Identifier: LGPL-2.1-or-later
/* A group that samples a condition, as text: the condition, and the same as an event string. */
#include "cond_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../kmod/core/types.h"
#include "text.h"

#define THRESHOLD_LEN	64
#define DECIMAL_SHOWN	12	/* longer ones are written as a fraction */

/**
 * acrpmu_comparison_threshold() - what a comparison compares with, exactly
 * @comparison: of struct acrpmu_condition
 * @buf: out, "0.2", or "1/3" if it has no end or a late one; 0-terminated unless @size is 0
 * @size: its bytes
 *
 * Return: length of the whole text, as snprintf().
 */
size_t acrpmu_comparison_threshold(const struct acrpmu_comparison *comparison, char *buf,
				   size_t size)
{
	char decimal[THRESHOLD_LEN];
	size_t len = acrpmu_decimal_print(comparison->num, comparison->den, decimal,
					  sizeof(decimal));

	if (len <= DECIMAL_SHOWN && !strchr(decimal, '/'))
		return snprintf(buf, size, "%s", decimal);
	return snprintf(buf, size, "%llu/%llu", (unsigned long long)comparison->num,
			(unsigned long long)comparison->den);
}

char *acrpmu_cond_text(const struct spec_group *group)
{
	const struct acrpmu_condition *c = group->condition;
	char *text, threshold[THRESHOLD_LEN];
	unsigned int i;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	for (i = 0; i < c->nr_comparisons; i++) {
		const struct acrpmu_comparison *comparison = &c->comparisons[i];

		acrpmu_comparison_threshold(comparison, threshold, sizeof(threshold));
		fprintf(f, "%s%s / %s %c %s", i ? " && " : "",
			group->ev[comparison->a].pub.text, group->ev[comparison->b].pub.text,
			comparison->below ? '<' : '>', threshold);
	}
	if (!fclose(f))
		return text;
	free(text);
	return NULL;
}

/* An event with what the condition decided as two terms more. */
static void print_event(FILE *f, const struct acrpmu_spec_event *ev)
{
	const char *text = ev->text, *close = strrchr(text, '/');
	struct span name = { text, strlen(text) }, terms = { "", 0 };
	const char *modifiers = ev->modifiers;

	if (*ev->cpu) {
		/* a name of libpfm has its modifiers inside */
		modifiers = "";
	} else if (close) {
		name.len = strchr(text, '/') - text;
		terms = (struct span){ text + name.len + 1, close - text - name.len - 1 };
	} else {
		terms = (struct span){ text, strcspn(text, ":") };
		name = (struct span){ "cpu", strlen("cpu") };
	}
	fprintf(f, "%.*s/%.*s%speriod=%llu,acr_mask=0x%llx/%s", (int)name.len, name.at,
		(int)terms.len, terms.at, terms.len ? "," : "",
		(unsigned long long)ev->attr.period, (unsigned long long)ev->attr.acr_mask,
		modifiers);
}

/**
 * acrpmu_spec_group_string() - a group that samples a condition, as an event string
 * @group: index of the group
 * @buf: out, "{cpu/instructions,period=200000,acr_mask=0x2/u,cpu/cycles,...}"; 0-terminated unless
 *	@size is 0
 * @size: its bytes
 *
 * acrpmu_spec_parse() makes the same group of it, but for the columns.
 *
 * Return: length of the whole text, as snprintf(); 0 if there is no such group, it was not made
 * from a condition, or there is no memory.
 */
size_t acrpmu_spec_group_string(const struct acrpmu_spec *spec, unsigned int group, char *buf,
				size_t size)
{
	const struct spec_group *g = group < spec->nr ? spec->groups[group] : NULL;
	unsigned int i;
	size_t len;
	char *text;
	FILE *f;

	if (size)
		*buf = 0;
	f = g && g->condition ? open_memstream(&text, &len) : NULL;
	if (!f)
		return 0;
	for (i = 0; i <= g->condition->nr_comparisons; i++) {
		fputc(i ? ',' : '{', f);
		print_event(f, &g->ev[i].pub);
	}
	fputc('}', f);
	if (fclose(f))
		len = 0;
	else
		snprintf(buf, size, "%s", text);
	free(text);
	return len;
}
