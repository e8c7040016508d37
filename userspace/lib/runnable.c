// SPDX-License-Identifier: LGPL-2.1-or-later
/* Checks that a group makes sense on the CPU that it runs on. */
#include "runnable.h"

#include <errno.h>
#include <string.h>

#include "../../kmod/core/extra_reg.h"
#include "../util/extra_term.h"
#include "../util/message.h"
#include "cpu_table.h"
#include "latency.h"

static int refuse_cpu(struct acrpmu_message *message, const struct acrpmu_spec_event *ev,
		      const char *cpu)
{
	struct acrpmu_message words;

	acrpmu_message_text(&words, "other-cpu", "'%s' is an event of %s, not of %s",
			    acrpmu_message_word(ev->name, strlen(ev->name)).text, ev->cpu, cpu);
	acrpmu_message_hint(&words, "take an event of %s, or describe it by cpu/event=N,umask=N/",
			    cpu);
	return acrpmu_message_refuse(message, ev, &words);
}

static int refuse_value(struct acrpmu_message *message, const struct acrpmu_spec_event *ev,
			const struct acrpmu_model *model)
{
	int reg = acrpmu_extra_reg_find(model, ev->attr.config);
	struct acrpmu_config_fields fields;
	struct acrpmu_message words;

	acrpmu_message_text(&words, "extra-missing", "'%s' counts nothing without a value of its "
			    "extra register", acrpmu_message_word(ev->name, strlen(ev->name)).text);
	acrpmu_config_split(ev->attr.config, &fields);
	acrpmu_message_hint(&words, "give the value, as in cpu/event=0x%x,umask=0x%x,%s=N/, or "
			    "take a name that has one", fields.select, fields.umask,
			    acrpmu_extra_term(model->extra_regs[reg].msr));
	return acrpmu_message_refuse(message, ev, &words);
}

static int refuse_pebs(struct acrpmu_message *message, const struct acrpmu_spec_event *ev)
{
	const struct message_word name = acrpmu_message_word(ev->name, strlen(ev->name));
	struct acrpmu_message words;

	acrpmu_message_text(&words, "event-pebs", "'%s' counts right with PEBS only, which acrpmu "
			    "does not use", name.text);
	acrpmu_message_hint(&words, "take another event, or 'perf record -e %s:pp'", name.text);
	return acrpmu_message_refuse(message, ev, &words);
}

/* A value of 0 that the user wrote is meant. */
static bool lacks_value(const struct acrpmu_model *model, const struct spec_event *ev)
{
	return !(ev->given & SPEC_GIVEN_EXTRA) && !ev->pub.attr.extra_value &&
	       acrpmu_extra_reg_find(model, ev->pub.attr.config) != ACRPMU_EXTRA_REG_NONE;
}

static bool may_lack_value(const struct spec_event *ev)
{
	const struct acrpmu_model *model = NULL;

	while ((model = acrpmu_model_next(model))) {
		if (lacks_value(model, ev))
			return true;
	}
	return false;
}

static int check_cpu(const struct spec_group *group, const char *cpu,
		     struct acrpmu_message *message)
{
	const struct acrpmu_model *model = acrpmu_cpu_table_model(cpu);
	bool has_mode = acrpmu_latency_has_mode(cpu);
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		const struct acrpmu_spec_event *ev = &group->ev[i].pub;

		if (*ev->cpu && strcmp(ev->cpu, cpu))
			return refuse_cpu(message, ev, cpu);
		if (model && lacks_value(model, &group->ev[i]))
			return refuse_value(message, ev, model);
		if (has_mode && acrpmu_latency_outstanding(&ev->attr)) {
			int err = acrpmu_latency_check(group, i, message);

			if (err)
				return err;
		}
	}
	return 0;
}

int acrpmu_runnable_group(const struct spec_group *group, struct acrpmu_message *message)
{
	const char *cpu = "";
	unsigned int i;

	for (i = 0; i < group->nr && !*cpu; i++)
		cpu = group->ev[i].pub.cpu;
	/* a single event may be encoded, as in libpfm */
	return *cpu && group->nr > 1 ? check_cpu(group, cpu, message) : 0;
}

bool acrpmu_runnable_needs_cpu(const struct spec_group *group)
{
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		const struct acrpmu_spec_event *ev = &group->ev[i].pub;

		/* only Goldmont and Goldmont Plus have that mode */
		if (*ev->cpu || acrpmu_latency_outstanding(&ev->attr) ||
		    group->ev[i].given & SPEC_NEEDS_PEBS || may_lack_value(&group->ev[i]))
			return true;
	}
	return false;
}

/**
 * acrpmu_spec_check_runnable() - check that a group makes sense on a CPU
 * @group: index of the group
 * @cpu: name of the CPU, as in struct acrpmu_cpu and struct acrpmu_cpu_info
 * @message: out, why not; may be NULL
 *
 * Refused are events named for another CPU; events that by their table count right with PEBS only
 * (code "event-pebs"); events that need a value of their extra register and
 * were given none, by name or by config1= (code "extra-missing"); and on Goldmont and Goldmont Plus
 * an event that counts outstanding requests, by name or by value, with responses or without
 * its partner in the group.
 * acrpmu_session_create() checks this; acrpmu_encode() does not.
 *
 * Return: 0, or -EINVAL.
 */
int acrpmu_spec_check_runnable(const struct acrpmu_spec *spec, unsigned int group, const char *cpu,
			       struct acrpmu_message *message)
{
	const struct spec_group *g;
	unsigned int i;

	acrpmu_message_clear(message);
	if (group >= spec->nr)
		return -EINVAL;
	g = spec->groups[group];
	for (i = 0; i < g->nr; i++) {
		if (g->ev[i].given & SPEC_NEEDS_PEBS)
			return refuse_pebs(message, &g->ev[i].pub);
	}
	return check_cpu(g, cpu, message);
}
