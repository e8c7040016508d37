// SPDX-License-Identifier: LGPL-2.1-or-later
/* Resolving a name in an event string to a named event, or refusing it. */
#include "event_resolve.h"

#include <errno.h>
#include <string.h>

#include "../../kmod/regs.h"
#include "perf_name.h"
#include "events.h"

/* The CPU's name in messages. */
static const char *cpu_word(const struct acrpmu_events *events)
{
	if (events->caps.model)
		return events->caps.model->name;
	return *events->id.string ? events->id.string : "this CPU";
}

static int refuse_generic(const struct text *text, struct span name)
{
	struct message_word n = acrpmu_text_word(name);

	if (text->events && text->events->caps.model) {
		acrpmu_text_refuse(text, name.at, "event-unsupported", "",
				   "the kernel has no event for '%s' on %s", n.text,
				   cpu_word(text->events));
		acrpmu_message_hint(text->message, "'acrctl list --pmu %s' shows the names that "
				    "count something there", cpu_word(text->events));
		return -EINVAL;
	}
	return acrpmu_text_refuse(text, name.at, "event-unsupported",
				  "describe the event by cpu/event=N,umask=N/",
				  "'%s' counts something different on each CPU, and this CPU is "
				  "unknown", n.text);
}

static int refuse_pmu(const struct text *text, struct span name, const struct acrpmu_named *named)
{
	struct message_word n = acrpmu_text_word(name);

	if (!text->events->caps.model) {
		acrpmu_text_refuse(text, name.at, "event-pmu", "",
				   "'%s' is an event of %s, which acrpmu cannot program", n.text,
				   cpu_word(text->events));
		acrpmu_message_hint(text->message, "'acrctl list' shows its code: %s",
				    named->terms);
		return -EINVAL;
	}
	if (!strncmp(named->pmu, "cpu_", strlen("cpu_")))
		return acrpmu_text_refuse(text, name.at, "event-pmu",
					  "name an event that both kinds of cores have, or one of "
					  "these",
					  "'%s' is an event of other cores (%s) than %s", n.text,
					  named->pmu, text->events->id.pmu);
	return acrpmu_text_refuse(text, name.at, "event-pmu",
				  "only events of cores can be used here; 'perf stat' counts "
				  "others",
				  "'%s' is counted by the PMU %s, which is not part of a core",
				  n.text, named->pmu);
}

int acrpmu_resolve_check(const struct text *text, struct span name, __u64 config)
{
	if (!text->events || !acrpmu_events_lack(text->events, config))
		return 0;
	return acrpmu_text_refuse(text, name.at, "event-lacking",
				  "use an event that this CPU has; 'acrctl list' shows which ones "
				  "can be used",
				  "this CPU does not count '%s': CPUID leaf 0xa says that it lacks "
				  "the event", acrpmu_text_word(name).text);
}

static int refuse_unusable(const struct text *text, struct span name,
			   const struct acrpmu_named *named)
{
	struct message_word n = acrpmu_text_word(name);

	if (named->flags & ACRPMU_NAMED_OTHER_PMU)
		return refuse_pmu(text, name, named);
	if (named->flags & ACRPMU_NAMED_LACKING)
		return acrpmu_resolve_check(text, name, named->config);
	if (named->flags & ACRPMU_NAMED_BITS && named->config & EVENT_ANY_THREAD)
		return acrpmu_text_refuse(text, name.at, "config-bits",
					  "take an event without it: that counts for one hardware "
					  "thread only",
					  "'%s' has perf's term 'any', which is not supported: it "
					  "counts for all hardware threads of a core", n.text);
	if (named->flags & ACRPMU_NAMED_BITS)
		return acrpmu_text_refuse(text, name.at, "config-bits",
					  "use an event that this CPU has; 'acrctl list' shows "
					  "which ones can be used",
					  "bits 0x%llx of the code of '%s' are not part of an "
					  "event on %s",
					  (unsigned long long)(named->config &
							       ~text->events->caps.config_mask),
					  n.text, cpu_word(text->events));
	if (named->flags & ACRPMU_NAMED_NO_CNTR)
		return acrpmu_text_refuse(text, name.at, "event-cpu",
					  "use an event that this CPU has; 'acrctl list' shows "
					  "which ones can be used",
					  "no counter can count '%s' on %s", n.text,
					  cpu_word(text->events));
	if (named->extra_msr == MSR_PEBS_LD_LAT) {
		acrpmu_text_refuse(text, name.at, "event-extra", "",
				   "'%s' needs the register of load latencies (0x%x), which works "
				   "with PEBS only, and acrpmu does not use PEBS", n.text,
				   named->extra_msr);
		acrpmu_message_hint(text->message, "'perf record -e %s:pp' can sample it", n.text);
		return -EINVAL;
	}
	return acrpmu_text_refuse(text, name.at, "event-extra",
				  "take an event without it",
				  "'%s' needs the extra register 0x%x, which cannot be used on %s",
				  n.text, named->extra_msr, cpu_word(text->events));
}

int acrpmu_resolve_name(const struct text *text, const char *pmu, struct span name,
			struct acrpmu_named *named, bool *found)
{
	struct perf_name code;
	int err;

	*found = false;
	if (!text->events) {
		if (acrpmu_perf_name_code(NULL, name.at, name.len, &code) == PERF_NAME_UNSUPPORTED)
			return refuse_generic(text, name);
		return 0;
	}
	err = acrpmu_events_find_pmu(text->events, pmu, name.at, name.len, named);
	if (err == -ENOENT)
		return 0;
	if (err)
		return refuse_generic(text, name);
	if (named->flags & ACRPMU_NAMED_UNUSABLE)
		return refuse_unusable(text, name, named);
	*found = true;
	return 0;
}

void acrpmu_resolve_suggest(const struct acrpmu_events *events, struct suggestion *best,
			    struct span name)
{
	if (events)
		acrpmu_events_suggest(events, best, name.at, name.len);
	else
		acrpmu_perf_name_suggest(best, name.at, name.len);
}

bool acrpmu_resolve_no_table(const struct text *text, struct span name)
{
	const struct acrpmu_message *why = text->events ? &text->events->missing : NULL;

	if (!why || !*why->code)
		return false;
	acrpmu_text_refuse(text, name.at, RESOLVE_NO_TABLE, why->hint, "there is no event '%s': %s",
			   acrpmu_text_word(name).text, why->text);
	return true;
}

void acrpmu_resolve_hint(const struct text *text)
{
	struct acrpmu_message why;

	if (text->events && acrpmu_events_missing(text->events, &why))
		acrpmu_message_hint(text->message, "%s; %s", why.text, why.hint);
}

bool acrpmu_resolve_pfm(const void *arg, const char *cpu, const char *name, size_t len,
			struct pfm_code *code)
{
	const struct event_row *row = NULL;
	struct acrpmu_caps caps;

	if (arg)
		row = acrpmu_events_find_cpu(arg, cpu, name, len, &caps);
	if (!row || row->flags & EVENT_OTHER_PMU)
		return false;
	*code = (struct pfm_code){
		row->config, row->extra, row->extra_msr,
		acrpmu_events_allowed(&caps, row->config, row->gp_cntrs),
		acrpmu_events_needs_pebs(&caps, row, name, len),
	};
	return true;
}
