// SPDX-License-Identifier: LGPL-2.1-or-later
/* What groups must fulfil to make sense where they run, beyond what one event can tell. */
#include "runnable.h"

#include <errno.h>
#include <string.h>

#include "message.h"
#include "pfm_name.h"

static int refuse(struct acrpmu_message *message, const struct acrpmu_spec_event *ev,
		  const struct acrpmu_message *words)
{
	if (!message)
		return -EINVAL;
	*message = *words;
	message->string = ev->string;
	message->column = ev->column;
	return -EINVAL;
}

static int refuse_cpu(struct acrpmu_message *message, const struct acrpmu_spec_event *ev,
		      const char *cpu)
{
	struct acrpmu_message words;

	acrpmu_message_text(&words, "other-cpu", "'%s' is an event of %s, not of %s",
			    acrpmu_message_word(ev->name, strlen(ev->name)).text, ev->cpu, cpu);
	acrpmu_message_hint(&words, "take an event of %s, or describe it by cpu/event=N,umask=N/",
			    cpu);
	return refuse(message, ev, &words);
}

static int refuse_lone(struct acrpmu_message *message, const struct acrpmu_spec_event *ev)
{
	struct acrpmu_message words;

	acrpmu_message_text(&words, "outstanding-alone", "'%s' counts outstanding requests, which "
			    "says nothing without the number of responses",
			    acrpmu_message_word(ev->name, strlen(ev->name)).text);
	acrpmu_message_hint(&words, "add OFFCORE_RESPONSE_1 with the same requests and "
			    "ANY_RESPONSE to the group: glm::OFFCORE_RESPONSE_0:R:OUTSTANDING+"
			    "glm::OFFCORE_RESPONSE_1:R:ANY_RESPONSE");
	return refuse(message, ev, &words);
}

static bool has_partner(const struct spec_group *group, unsigned int event)
{
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		if (acrpmu_pfm_is_pair(&group->ev[event].pub.attr, &group->ev[i].pub.attr))
			return true;
	}
	return false;
}

static int check_cpu(const struct spec_group *group, const char *cpu,
		     struct acrpmu_message *message)
{
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		const struct acrpmu_spec_event *ev = &group->ev[i].pub;

		if (*ev->cpu && strcmp(ev->cpu, cpu))
			return refuse_cpu(message, ev, cpu);
		if (acrpmu_pfm_outstanding(cpu, &ev->attr) && !has_partner(group, i))
			return refuse_lone(message, ev);
	}
	return 0;
}

int acrpmu_runnable_group(const struct spec_group *group, struct acrpmu_message *message)
{
	const char *cpu = "";
	unsigned int i;

	for (i = 0; i < group->nr && !*cpu; i++)
		cpu = group->ev[i].pub.cpu;
	/* one event alone may be looked at, as libpfm allows */
	return *cpu && group->nr > 1 ? check_cpu(group, cpu, message) : 0;
}

bool acrpmu_runnable_needs_cpu(const struct spec_group *group)
{
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		const struct acrpmu_spec_event *ev = &group->ev[i].pub;

		/* only Goldmont's kind of cores have the mode at all */
		if (*ev->cpu || acrpmu_pfm_outstanding("goldmont", &ev->attr))
			return true;
	}
	return false;
}

/**
 * acrpmu_spec_check_runnable() - check that a group makes sense where it would run
 * @spec: the groups
 * @group: index of the group
 * @cpu: name of the CPU, as in struct acrpmu_cpu and struct acrpmu_cpu_info
 * @message: out, why not; may be NULL
 *
 * Refused are events named for another CPU, and on Goldmont and Goldmont Plus an event that counts
 * outstanding requests without its partner in the group, whether by name or by value.
 * acrpmu_session_create() checks this; acrpmu_encode() does not.
 *
 * Return: 0, or -EINVAL.
 */
int acrpmu_spec_check_runnable(const struct acrpmu_spec *spec, unsigned int group, const char *cpu,
			       struct acrpmu_message *message)
{
	acrpmu_message_clear(message);
	return group < spec->nr ? check_cpu(spec->groups[group], cpu, message) : -EINVAL;
}
