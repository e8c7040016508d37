// SPDX-License-Identifier: LGPL-2.1-or-later
/* The reload matrix of a group in words: which event restarts when which others overflow. */
#include <stdarg.h>
#include <stdio.h>

#include "../../kmod/core/types.h"
#include "spec.h"

/* Text that grows; what does not fit is counted but not written. */
struct out {
	char *buf;
	size_t size;
	size_t len;
};

static void add(struct out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct out *out, const char *format, ...)
{
	bool room = out->len < out->size;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(room ? out->buf + out->len : NULL, room ? out->size - out->len : 0, format,
		      args);
	va_end(args);
	if (n > 0)
		out->len += n;
}

static void add_label(struct out *out, const struct spec_group *group, unsigned int event)
{
	add(out, "%s", group->ev[event].pub.name);
	if (!acrpmu_spec_name_unique(group, event))
		add(out, " (event %u)", event);
}

/* "a", "a or b", "a, b or c" */
static void add_list(struct out *out, const struct spec_group *group, __u64 events,
		     const char *last)
{
	unsigned int i, left = hweight64(events);
	const char *before = "";

	for (i = 0; i < group->nr; i++) {
		if (!(events & BIT_ULL(i)))
			continue;
		add(out, "%s", before);
		add_label(out, group, i);
		left--;
		before = left > 1 ? ", " : last;
	}
}

/* One sentence for each event that some event reloads; returns their number. */
static unsigned int add_reloads(struct out *out, const struct spec_group *group, bool quiet)
{
	unsigned int i, nr = 0;

	for (i = 0; i < group->nr; i++) {
		__u64 causes = group->ev[i].pub.attr.acr_mask;

		if (!causes || !(causes & BIT_ULL(i)) == quiet)
			continue;
		add_label(out, group, i);
		add(out, " restarts when ");
		add_list(out, group, causes, " or ");
		add(out, " overflows; ");
		nr++;
	}
	return nr;
}

static __u64 with_flag(const struct spec_group *group, __u32 flag)
{
	__u64 events = 0;
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		if (group->ev[i].pub.attr.flags & flag)
			events |= BIT_ULL(i);
	}
	return events;
}

/**
 * acrpmu_spec_matrix() - the reload matrix of a group as text
 * @group: index of the group
 * @buf: out, 0-terminated unless @size is 0
 * @size: its bytes
 *
 * Events that reload themselves come first, since they are the windows that the others are held
 * against: "cycles restarts when instructions or cycles overflows; instructions restarts when
 * cycles overflows; samples: instructions".
 *
 * Return: length of the whole text, as snprintf(); 0 if there is no such group.
 */
size_t acrpmu_spec_matrix(const struct acrpmu_spec *spec, unsigned int group, char *buf,
			  size_t size)
{
	struct out out = { buf, size, 0 };
	const struct spec_group *g;
	__u64 sampled, counted;

	if (size)
		*buf = 0;
	if (group >= spec->nr)
		return 0;
	g = spec->groups[group];
	if (!(add_reloads(&out, g, true) + add_reloads(&out, g, false)))
		add(&out, "nothing restarts; ");
	sampled = with_flag(g, ACRPMU_EVENT_SAMPLED);
	counted = with_flag(g, ACRPMU_EVENT_COUNT);
	add(&out, "samples: ");
	if (sampled)
		add_list(&out, g, sampled, ", ");
	else
		add(&out, "nothing");
	if (counted) {
		add(&out, "; counts: ");
		add_list(&out, g, counted, ", ");
	}
	return out.len;
}
