// SPDX-License-Identifier: LGPL-2.1-or-later
/* Naming a group after the PMU of its kind of core. */
#include "kind_name.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cond_text.h"
#include "text.h"

static char *join(const char *pmu, struct span name, struct span terms, const char *modifiers)
{
	char *text;

	if (asprintf(&text, "%s/%.*s%s%.*s/%s", pmu, (int)name.len, name.at,
		     name.len && terms.len ? "," : "", (int)terms.len, terms.at, modifiers) < 0)
		return NULL;
	return text;
}

/* Replace a string that belongs to an event. */
static int replace(char **old, char *text)
{
	free(*old);
	*old = text;
	return text ? 0 : -ENOMEM;
}

static int name_text(struct spec_event *ev, const char *pmu)
{
	const char *text = ev->owned.text, *open = strchr(text, '/');
	struct span name = { text, 0 }, terms = { text, 0 };

	if (!open)
		name.len = strcspn(text, ":");
	else
		terms = (struct span){ open + 1, strrchr(text, '/') - open - 1 };
	/* otherwise "cpu" is before the slash */
	if (open && !*ev->pub.pmu)
		name.len = open - text;
	return replace(&ev->owned.text, join(pmu, name, terms, ev->pub.modifiers));
}

static int name_event(struct spec_event *ev, const char *pmu)
{
	char **own = ev->owned.name ? &ev->owned.name : ev->short_name ? &ev->short_name : NULL;
	int err;

	/* a name of libpfm names the core itself */
	if (*ev->pub.cpu) {
		ev->pub.pmu = pmu;
		return 0;
	}
	err = name_text(ev, pmu);
	if (!err && own) {
		struct span name = { *own, strlen(*own) }, none = { "", 0 };

		err = replace(own, join(pmu, name, none, ev->pub.modifiers));
	}
	if (err)
		return err;
	ev->pub.pmu = pmu;
	ev->pub.text = ev->owned.text;
	ev->pub.name = own ? *own : ev->owned.text;
	if (ev->owned.name)
		ev->pub.given_name = ev->owned.name;
	return 0;
}

static char *group_text(const struct spec_group *group)
{
	bool braces = *group->text == '{';
	size_t size;
	char *text;
	FILE *f = open_memstream(&text, &size);
	unsigned int i;

	if (!f)
		return NULL;
	for (i = 0; i < group->nr; i++)
		fprintf(f, "%s%s", i ? "," : braces ? "{" : "", group->ev[i].owned.text);
	if (braces)
		fputc('}', f);
	if (!fclose(f))
		return text;
	free(text);
	return NULL;
}

int acrpmu_kind_name(struct spec_group *group, const char *pmu)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < group->nr; i++)
		err = name_event(&group->ev[i], pmu);
	if (err)
		return err;
	return replace(&group->text,
		       group->condition ? acrpmu_cond_text(group) : group_text(group));
}
