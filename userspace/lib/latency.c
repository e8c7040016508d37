// SPDX-License-Identifier: LGPL-2.1-or-later
/* Average latency of offcore requests: which events make a pair, and refusals of half a pair. */
#include "latency.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../../kmod/core/model.h"
#include "../../kmod/regs.h"
#include "../util/message.h"
#include "cpu_table.h"
#include "pfm_glm.h"

#define CODE_PAIR		"pfm-pair"

#define EVENT_UMASK		(PERFEVTSEL_EVENT | PERFEVTSEL_UMASK)
#define RESPONSES		(PFM_ANY_RESPONSE | PFM_L2_HIT | PFM_SNOOPS)
#define LEVELS			(ACRPMU_EVENT_USER | ACRPMU_EVENT_KERNEL)

/* ---- the two events ----------------------------------------------------------------------- */

/**
 * acrpmu_latency_has_mode() - check whether a CPU can count outstanding requests
 * @cpu: its name, as in struct acrpmu_cpu
 *
 * Where it can, OFFCORE_RSP_0 with OUTSTANDING counts in each cycle the requests under way, and the
 * responses counted on OFFCORE_RSP_1 divide the sum.
 *
 * Return: whether it can.
 */
bool acrpmu_latency_has_mode(const char *cpu)
{
	const struct acrpmu_model *model = acrpmu_cpu_table_model(cpu);

	return model && (!strcmp(model->name, "goldmont") || !strcmp(model->name, "goldmontplus"));
}

bool acrpmu_latency_outstanding(const struct acrpmu_event_attr *attr)
{
	return (attr->config & EVENT_UMASK) == PFM_CONFIG_RSP_0 &&
	       attr->extra_value & PFM_OUTSTANDING;
}

/**
 * acrpmu_latency_is_pair() - check whether two events give an average latency
 * @requests: an event with its final level flags
 * @responses: another one
 *
 * Return: true if the first counts outstanding requests and no response, the second any response to
 * the same requests at the same levels, and neither has edge, inversion or a counter mask.
 */
bool acrpmu_latency_is_pair(const struct acrpmu_event_attr *requests,
			    const struct acrpmu_event_attr *responses)
{
	__u64 asked = requests->extra_value & ~PFM_OUTSTANDING;

	/* configs are compared whole: with a modifier an event counts something else */
	return acrpmu_latency_outstanding(requests) && asked && !(asked & RESPONSES) &&
	       requests->config == PFM_CONFIG_RSP_0 && responses->config == PFM_CONFIG_RSP_1 &&
	       responses->extra_value == (asked | PFM_ANY_RESPONSE) &&
	       !((responses->flags ^ requests->flags) & LEVELS);
}

static bool has_modifiers(const struct acrpmu_event_attr *attr)
{
	return attr->config & ~EVENT_UMASK;
}

static bool is_responses(const struct acrpmu_event_attr *attr)
{
	return (attr->config & EVENT_UMASK) == PFM_CONFIG_RSP_1;
}

/* ---- requests by name --------------------------------------------------------------------- */

/* The request types of the table one after another; NULL after the last. */
static const struct pfm_row *next_request(const struct pfm_row *row)
{
	const struct pfm_row *end = pfm_glm_rows + pfm_glm_nr_rows;
	bool offcore = row;

	for (row = row ? row + 1 : pfm_glm_rows; row < end; row++) {
		offcore |= row->flags & PFM_OFFCORE;
		if (offcore && row->flags & PFM_UMASK && !(row->code & ~PFM_REQUESTS))
			return row;
	}
	return NULL;
}

/**
 * acrpmu_latency_next_request() - walk through the request types that have a latency
 * @name: NULL for the first, else the one before
 *
 * Return: a unit mask of libpfm's OFFCORE_RESPONSE_0, such as "DMND_DATA_RD"; NULL after the last
 * or if @name is none.
 */
const char *acrpmu_latency_next_request(const char *name)
{
	const struct pfm_row *row = next_request(NULL);

	if (name) {
		while (row && strcmp(row->name, name))
			row = next_request(row);
		row = row ? next_request(row) : NULL;
	}
	return row ? row->name : NULL;
}

/**
 * acrpmu_latency_requests() - name the requests that an event counts
 * @attr: an event of OFFCORE_RSP_0 or 1
 * @buf: out, "DMND_DATA_RD", or "requests 0x..." if no single name stands for them
 * @size: bytes of @buf
 *
 * Return: the length of the whole text, as snprintf().
 */
size_t acrpmu_latency_requests(const struct acrpmu_event_attr *attr, char *buf, size_t size)
{
	__u64 requests = attr->extra_value & PFM_REQUESTS;
	const struct pfm_row *row = NULL;

	while ((row = next_request(row)) && row->code != requests)
		;
	return row ? snprintf(buf, size, "%s", row->name) :
		     snprintf(buf, size, "requests 0x%llx", (unsigned long long)requests);
}

/* ---- in a group --------------------------------------------------------------------------- */

static int refuse_lone(struct acrpmu_message *message, const struct acrpmu_spec_event *ev)
{
	struct acrpmu_message words;

	acrpmu_message_text(&words, "outstanding-alone", "'%s' counts outstanding requests, which "
			    "says nothing without the number of responses",
			    acrpmu_message_word(ev->name, strlen(ev->name)).text);
	acrpmu_message_hint(&words, "add OFFCORE_RESPONSE_1 with the same requests and "
			    "ANY_RESPONSE to the group: glm::OFFCORE_RESPONSE_0:R:OUTSTANDING+"
			    "glm::OFFCORE_RESPONSE_1:R:ANY_RESPONSE");
	return acrpmu_message_refuse(message, ev, &words);
}

/* The value must have requests, and apart from the mode nothing else. */
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
	return acrpmu_message_refuse(message, ev, &words);
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

		if (!is_responses(&ev->attr))
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
	return acrpmu_message_refuse(message, ev, &words);
}

/* Edge, inversion or a counter mask: an event so counted is none of the two halves. */
static int refuse_modifiers(struct acrpmu_message *message, const struct acrpmu_spec_event *ev)
{
	struct acrpmu_message words;

	acrpmu_message_text(&words, "outstanding-modifiers", "'%s' has edge, inv or cmask, with "
			    "which it is no half of an average latency",
			    acrpmu_message_word(ev->name, strlen(ev->name)).text);
	acrpmu_message_hint(&words, "leave edge, inv and cmask (in libpfm's names e, i and c) out");
	return acrpmu_message_refuse(message, ev, &words);
}

static bool has_partner(const struct spec_group *group, unsigned int event)
{
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		if (acrpmu_latency_is_pair(&group->ev[event].pub.attr, &group->ev[i].pub.attr))
			return true;
	}
	return false;
}

int acrpmu_latency_check(const struct spec_group *group, unsigned int event,
			 struct acrpmu_message *message)
{
	const struct acrpmu_spec_event *ev = &group->ev[event].pub, *other;
	__u64 extra = ev->attr.extra_value;

	if (extra & ~(PFM_REQUESTS | PFM_OUTSTANDING) || !(extra & PFM_REQUESTS))
		return refuse_bits(message, ev);
	if (has_partner(group, event))
		return 0;
	if (has_modifiers(&ev->attr))
		return refuse_modifiers(message, ev);
	other = find_responses(group, ev);
	if (!other)
		return refuse_lone(message, ev);
	if (has_modifiers(&other->attr))
		return refuse_modifiers(message, other);
	return refuse_other(message, ev, other);
}

/* ---- joined by a plus --------------------------------------------------------------------- */

static bool counts_responses(const struct acrpmu_event_attr *requests,
			     const struct acrpmu_event_attr *responses)
{
	return is_responses(responses) &&
	       (responses->extra_value ^ requests->extra_value) ==
	       (PFM_OUTSTANDING | PFM_ANY_RESPONSE) &&
	       responses->extra_value & PFM_ANY_RESPONSE;
}

/* Levels of an event that is not finished, where none means both. */
static __u32 levels_of(const struct spec_event *ev)
{
	return ev->levels ? ev->levels : LEVELS;
}

static const char *level_words(__u32 levels)
{
	if (levels == LEVELS)
		return "uk";
	return levels == ACRPMU_EVENT_USER ? "u" : "k";
}

static int check_pair_modifiers(const struct text *text, const char *at,
				const struct spec_event *requests,
				const struct spec_event *responses)
{
	__u64 modifiers = (requests->pub.attr.config | responses->pub.attr.config) & ~EVENT_UMASK;

	if (levels_of(requests) != levels_of(responses))
		return acrpmu_text_refuse(text, at, CODE_PAIR,
					  "give both the same of u and k, so that both count for "
					  "the same code",
					  "the levels of the pair differ: %s and %s",
					  level_words(levels_of(requests)),
					  level_words(levels_of(responses)));
	if (!modifiers)
		return 0;
	return acrpmu_text_refuse(text, at, CODE_PAIR, "leave i, e and c=N out",
				  "with modifiers (config bits 0x%llx) the pair counts no latency",
				  (unsigned long long)modifiers);
}

int acrpmu_latency_check_pair(const struct text *text, const char *plus, const char *at,
			      const struct spec_event *requests,
			      const struct spec_event *responses)
{
	const struct acrpmu_event_attr *first = &requests->pub.attr, *second = &responses->pub.attr;

	if (!acrpmu_latency_outstanding(first))
		return acrpmu_text_refuse(text, plus, CODE_PAIR,
					  "put other events in braces, with commas between them",
					  "a plus only joins OFFCORE_RESPONSE_0 with OUTSTANDING "
					  "and its partner");
	if (counts_responses(first, second))
		return check_pair_modifiers(text, at, requests, responses);
	if ((second->config & EVENT_UMASK) == PFM_CONFIG_RSP_1 &&
	    (second->extra_value & ~PFM_REQUESTS) == PFM_ANY_RESPONSE)
		return acrpmu_text_refuse(text, at, CODE_PAIR, "name the same requests in both",
					  "the requests of the pair differ: 0x%llx and 0x%llx",
					  (unsigned long long)(first->extra_value & PFM_REQUESTS),
					  (unsigned long long)(second->extra_value & PFM_REQUESTS));
	return acrpmu_text_refuse(text, at, CODE_PAIR,
				  "write OFFCORE_RESPONSE_1 with the same requests and "
				  "ANY_RESPONSE",
				  "the second event of the pair does not count the responses to "
				  "the requests of the first");
}
