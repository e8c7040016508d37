// SPDX-License-Identifier: GPL-2.0-only
/* The events of sessions as event strings: by name where a table has one, else by their fields. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "monitor.h"

#define TOPIC_CACHE	"generic-cache"

/* ---- which names -------------------------------------------------------------------------- */

static __u32 core_type_of(const struct acrpmu_cpu_info *cpu)
{
	return cpu->flags & ACRPMU_CPU_HYBRID ? cpu->core_type : 0;
}

/* Where that fails, events of the kind have no names. */
static void add_kind(struct event_names *names, const char *command,
		     const struct acrpmu_cpu_info *cpu)
{
	__u32 core_type = cpu ? core_type_of(cpu) : 0;
	struct names *kind = &names->kinds[names->nr];
	unsigned int k;

	for (k = 0; k < names->nr; k++) {
		if (names->core_types[k] == core_type)
			return;
	}
	if (names->nr == ACRPMU_MAX_KINDS)
		return;
	*kind = (struct names){ .command = command, .cpu = core_type ? cpu : NULL };
	names->core_types[names->nr++] = core_type;
	names_open(kind, NULL);
}

/**
 * event_names_open() - find the named events of this machine; event_names_close() in any case
 *
 * Only the module knows all kinds of cores.
 */
void event_names_open(struct event_names *names, const char *command)
{
	struct acrpmu_device *device = NULL;
	struct acrpmu_info info;
	struct acrpmu_cpu cpu;
	unsigned int i;

	*names = (struct event_names){ .nr = 0 };
	if (!acrpmu_open(acrctl_ops, &device, NULL) &&
	    !acrpmu_device_info(device, &info, &names->cpus))
		names->nr_cpus = info.nr_cpus;
	acrpmu_close(device);
	for (i = 0; i < names->nr_cpus; i++) {
		if (names->cpus[i].flags & ACRPMU_CPU_USABLE)
			add_kind(names, command, &names->cpus[i]);
	}
	if (!names->cpus && !acrpmu_cpu_probe(&cpu) && !(cpu.flags & ACRPMU_CPU_HYBRID))
		add_kind(names, command, NULL);
}

/**
 * event_names_close() - undo event_names_open()
 */
void event_names_close(struct event_names *names)
{
	unsigned int k;

	for (k = 0; k < names->nr; k++)
		names_close(&names->kinds[k]);
	free(names->cpus);
	*names = (struct event_names){ .nr = 0 };
}

static unsigned int first_cpu(const struct acrpmu_cpu_set *cpus)
{
	unsigned int cpu = 0;

	while (cpu < cpus->size * CPUS_PER_BYTE && !cpus_have(cpus, cpu))
		cpu++;
	return cpu;
}

/* A session counts on one kind of cores.  NULL: it is not known which. */
static const struct acrpmu_events *events_of(const struct event_names *names,
					     const struct acrpmu_cpu_set *cpus)
{
	unsigned int k, cpu = first_cpu(cpus);

	if (names->nr == 1)
		return names->kinds[0].events;
	for (k = 0; cpus->size && cpu < names->nr_cpus && k < names->nr; k++) {
		if (names->core_types[k] == core_type_of(&names->cpus[cpu]))
			return names->kinds[k].events;
	}
	return NULL;
}

/*
 * The shortest of perf's own names, which come first ("cycles", not "cpu-cycles"), else the first
 * of the table, else one of a cache event.
 */
static bool find_name(const struct acrpmu_events *events, const struct acrpmu_notice_event *ev,
		      struct acrpmu_named *best)
{
	const __u32 unfit = ACRPMU_NAMED_UNUSABLE | ACRPMU_NAMED_DEPRECATED | ACRPMU_NAMED_OPEN;
	struct acrpmu_named named, cache = { .name = NULL };
	unsigned int i;

	best->name = NULL;
	for (i = 0; events && !acrpmu_events_get(events, i, &named); i++) {
		if (best->name && !(named.flags & ACRPMU_NAMED_GENERIC))
			break;
		if (named.config != ev->config || named.extra_value != ev->extra_value ||
		    named.flags & unfit)
			continue;
		if (!strcmp(named.topic, TOPIC_CACHE))
			cache = named;
		else if (!best->name || strlen(named.name) < strlen(best->name))
			*best = named;
	}
	if (!best->name)
		*best = cache;
	return best->name;
}

/* ---- as text ------------------------------------------------------------------------------ */

__attribute__((format(printf, 2, 3)))
static void add(char text[EVENT_TEXT_LEN], const char *format, ...)
{
	size_t len = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + len, EVENT_TEXT_LEN - len, format, args);
	va_end(args);
}

static void add_fields(char text[EVENT_TEXT_LEN], const struct acrpmu_notice_event *ev)
{
	struct acrpmu_config_fields f;

	acrpmu_config_split(ev->config, &f);
	add(text, "event=0x%02x,umask=0x%02x", f.select, f.umask);
	if (f.umask2)
		add(text, ",umask2=0x%02x", f.umask2);
	if (f.cmask)
		add(text, ",cmask=%u", f.cmask);
	add(text, "%s%s%s", f.edge ? ",edge" : "", f.inv ? ",inv" : "", f.eq ? ",eq" : "");
	if (ev->extra_value)
		add(text, ",config1=0x%llx", ev->extra_value);
}

static const char *levels(__u64 flags)
{
	const __u64 both = ACRPMU_EVENT_USER | ACRPMU_EVENT_KERNEL;

	if ((flags & both) == both)
		return "";
	return flags & ACRPMU_EVENT_USER ? "u" : flags & ACRPMU_EVENT_KERNEL ? "k" : "";
}

/**
 * event_text() - an event of a session as an event string
 * @cpus: that the session holds
 * @text: out
 */
void event_text(const struct event_names *names, const struct acrpmu_cpu_set *cpus,
		const struct acrpmu_notice_event *ev, char text[EVENT_TEXT_LEN])
{
	const struct acrpmu_events *events = events_of(names, cpus);
	const char *pmu = names->nr > 1 && events ? acrpmu_events_pmu(events) : NULL;
	bool terms = ev->period || ev->acr_mask;
	struct acrpmu_named named;
	const char *sep = ",";

	*text = 0;
	if (!find_name(events, ev, &named)) {
		add(text, "%s/", pmu ? pmu : "cpu");
		add_fields(text, ev);
		terms = true;
	} else if (pmu) {
		add(text, "%s/%s", pmu, named.name);
		terms = true;
	} else {
		add(text, "%s%s", named.name, terms ? "/" : "");
		sep = "";
	}
	if (ev->period) {
		add(text, "%speriod=%llu", sep, ev->period);
		sep = ",";
	}
	if (ev->acr_mask)
		add(text, "%sacr_mask=0x%llx", sep, ev->acr_mask);
	add(text, "%s%s", terms ? "/" : *levels(ev->flags) ? ":" : "", levels(ev->flags));
}
