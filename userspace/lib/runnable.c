// SPDX-License-Identifier: LGPL-2.1-or-later
/* What groups must fulfil to make sense where they run, beyond what one event can tell. */
#include "runnable.h"

#include <errno.h>
#include <string.h>

#include "../../kmod/core/extra_reg.h"
#include "../util/message.h"
#include "pfm_glm.h"
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

static int refuse_value(struct acrpmu_message *message, const struct acrpmu_spec_event *ev)
{
	struct acrpmu_message words;

	acrpmu_message_text(&words, "extra-missing", "'%s' counts nothing without a value of its "
			    "extra register", acrpmu_message_word(ev->name, strlen(ev->name)).text);
	acrpmu_message_hint(&words, "give the value, as in OFFCORE_RESPONSE/offcore_rsp=N/, or "
			    "take a name that has one");
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

/* Of the event's own value: requests, and nothing else beside the mode. */
static int refuse_bits(struct acrpmu_message *message, const struct acrpmu_spec_event *ev)
{
	struct acrpmu_message words;
	__u64 extra = ev->attr.extra_value;

	if (extra & PFM_REQUESTS)
		acrpmu_message_text(&words, "outstanding-bits", "'%s' counts outstanding requests "
				    "by response (0x%llx), which the register cannot",
				    acrpmu_message_word(ev->name, strlen(ev->name)).text,
				    (unsigned long long)(extra & ~(PFM_REQUESTS |
								   PFM_OUTSTANDING)));
	else
		acrpmu_message_text(&words, "outstanding-bits", "'%s' counts outstanding requests "
				    "of no type",
				    acrpmu_message_word(ev->name, strlen(ev->name)).text);
	acrpmu_message_hint(&words, "beside bit 38 give requests, bits 0 to 15, and nothing else");
	return refuse(message, ev, &words);
}

static __u64 wanted_responses(const struct acrpmu_spec_event *ev)
{
	return (ev->attr.extra_value & PFM_REQUESTS) | PFM_ANY_RESPONSE;
}

/* The responses of the group that come nearest to being the partner; NULL: there are none. */
static const struct acrpmu_spec_event *find_responses(const struct spec_group *group,
						      const struct acrpmu_spec_event *requests)
{
	const struct acrpmu_spec_event *found = NULL;
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		const struct acrpmu_spec_event *ev = &group->ev[i].pub;

		if (!acrpmu_pfm_is_responses(&ev->attr))
			continue;
		if (ev->attr.extra_value == wanted_responses(requests))
			return ev;
		if (!found)
			found = ev;
	}
	return found;
}

static int refuse_other(struct acrpmu_message *message, const struct acrpmu_spec_event *ev,
			const struct acrpmu_spec_event *other)
{
	__u64 want = wanted_responses(ev);
	struct acrpmu_message words;
	struct message_word name = acrpmu_message_word(other->name, strlen(other->name));

	if (other->attr.extra_value != want)
		acrpmu_message_text(&words, "outstanding-alone", "'%s' counts other responses than "
				    "those to the outstanding requests: 0x%llx, not 0x%llx",
				    name.text, (unsigned long long)other->attr.extra_value,
				    (unsigned long long)want);
	else
		acrpmu_message_text(&words, "outstanding-alone", "'%s' counts at other levels than "
				    "the outstanding requests", name.text);
	acrpmu_message_hint(&words, "give both the same requests and levels, and "
			    "OFFCORE_RESPONSE_1 ANY_RESPONSE");
	return refuse(message, ev, &words);
}

/* Edge, inversion or a counter mask: an event so counted is none of the two halves. */
static int refuse_modifiers(struct acrpmu_message *message, const struct acrpmu_spec_event *ev)
{
	struct acrpmu_message words;

	acrpmu_message_text(&words, "outstanding-modifiers", "'%s' has edge, inv or cmask, with "
			    "which it is no half of an average latency",
			    acrpmu_message_word(ev->name, strlen(ev->name)).text);
	acrpmu_message_hint(&words, "leave edge, inv and cmask (in libpfm's names e, i and c) out");
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

static int check_outstanding(const struct spec_group *group, unsigned int event,
			     struct acrpmu_message *message)
{
	const struct acrpmu_spec_event *ev = &group->ev[event].pub, *other;
	__u64 extra = ev->attr.extra_value;

	if (extra & ~(PFM_REQUESTS | PFM_OUTSTANDING) || !(extra & PFM_REQUESTS))
		return refuse_bits(message, ev);
	if (has_partner(group, event))
		return 0;
	if (acrpmu_pfm_has_modifiers(&ev->attr))
		return refuse_modifiers(message, ev);
	other = find_responses(group, ev);
	if (!other)
		return refuse_lone(message, ev);
	if (acrpmu_pfm_has_modifiers(&other->attr))
		return refuse_modifiers(message, other);
	return refuse_other(message, ev, other);
}

/* Whoever writes a 0 means it. */
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
	const struct acrpmu_model *model = acrpmu_model_by_name(cpu);
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		const struct acrpmu_spec_event *ev = &group->ev[i].pub;

		if (*ev->cpu && strcmp(ev->cpu, cpu))
			return refuse_cpu(message, ev, cpu);
		if (model && lacks_value(model, &group->ev[i]))
			return refuse_value(message, ev);
		if (acrpmu_pfm_outstanding(cpu, &ev->attr)) {
			int err = check_outstanding(group, i, message);

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
	/* one event alone may be looked at, as libpfm allows */
	return *cpu && group->nr > 1 ? check_cpu(group, cpu, message) : 0;
}

bool acrpmu_runnable_needs_cpu(const struct spec_group *group)
{
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		const struct acrpmu_spec_event *ev = &group->ev[i].pub;

		/* only Goldmont's kind of cores have the mode at all */
		if (*ev->cpu || acrpmu_pfm_outstanding("goldmont", &ev->attr) ||
		    may_lack_value(&group->ev[i]))
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
 * Refused are events named for another CPU; events that need a value of their extra register and
 * were given none, by name or by offcore_rsp= (code "extra-missing"); and on Goldmont and Goldmont
 * Plus an event that counts outstanding requests, by name or by value, with responses or without
 * its partner in the group.
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
