// SPDX-License-Identifier: LGPL-2.1-or-later
/* Queries of events: names, codes, counters, descriptions. */
#include <stdbool.h>
#include <string.h>

#include <perfmon/pfmlib_montecito.h>

#include "mont_event.h"
#include "pfmlib_masks.h"
#include "pfmlib_state.h"

#define ANY_COUNTER	0xffffffffU

/**
 * pfm_get_num_events() - how many events there are
 * @count: out; descriptors are 0 to @count - 1
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: @count is NULL.
 */
int pfm_get_num_events(unsigned int *count)
{
	if (!pfmlib_is_ready())
		return PFMLIB_ERR_NOINIT;
	if (!count)
		return PFMLIB_ERR_INVAL;
	*count = mont_nr_events;
	return PFMLIB_SUCCESS;
}

/* Includes a colon before each unit mask. */
static size_t longest_name(unsigned int event)
{
	size_t len = strlen(mont_events[event].name);
	unsigned int i;

	for (i = 0; pfmlib_has_masks(event) && i < PFMLIB_NR_MASKS; i++)
		len += 1 + strlen(pfmlib_mask_name(i));
	return len;
}

/**
 * pfm_get_max_event_name_len() - length of the longest full name of an event
 * @len: out, without the terminating 0
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: @len is NULL.
 */
int pfm_get_max_event_name_len(size_t *len)
{
	size_t max = 0;
	unsigned int i;

	if (!pfmlib_is_ready())
		return PFMLIB_ERR_NOINIT;
	if (!len)
		return PFMLIB_ERR_INVAL;
	for (i = 0; i < mont_nr_events; i++) {
		const size_t this = longest_name(i);

		if (this > max)
			max = this;
	}
	*len = max;
	return PFMLIB_SUCCESS;
}

/**
 * pfm_get_event_name() - name of an event
 * @idx: its descriptor
 * @name: out
 * @maxlen: bytes of @name
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: there is no such event, or @name is
 * NULL or has too few bytes.
 */
int pfm_get_event_name(unsigned int idx, char *name, size_t maxlen)
{
	size_t len;

	if (!pfmlib_is_ready())
		return PFMLIB_ERR_NOINIT;
	if (!pfmlib_is_event(idx) || !name)
		return PFMLIB_ERR_INVAL;
	len = strlen(mont_events[idx].name);
	if (maxlen <= len)
		return PFMLIB_ERR_INVAL;
	memcpy(name, mont_events[idx].name, len + 1);
	return PFMLIB_SUCCESS;
}

/* Append @text if it fits with its terminating 0. */
static bool append(char *name, size_t maxlen, size_t *len, const char *text)
{
	const size_t more = strlen(text);

	if (more >= maxlen - *len)
		return false;
	memcpy(name + *len, text, more + 1);
	*len += more;
	return true;
}

/* Return whether it fits. */
static bool put_full_name(const pfmlib_event_t *e, char *name, size_t maxlen)
{
	size_t len = 0;
	unsigned int i;

	if (!append(name, maxlen, &len, mont_events[e->event].name))
		return false;
	for (i = 0; i < e->num_masks; i++) {
		if (!append(name, maxlen, &len, ":") ||
		    !append(name, maxlen, &len, pfmlib_mask_name(e->unit_masks[i])))
			return false;
	}
	return true;
}

/**
 * pfm_get_full_event_name() - name of an event with its unit masks
 * @e: the event, as from pfm_find_full_event()
 * @name: out; after PFMLIB_ERR_FULL it may hold a part
 * @maxlen: bytes of @name
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: there is no such event, a pointer is
 * NULL, @maxlen is 0 or there are more than PFMLIB_MAX_MASKS_PER_EVENT unit masks;
 * PFMLIB_ERR_UMASK: the event has no such unit mask, or needs one; PFMLIB_ERR_FULL: @maxlen is too
 * small.
 */
int pfm_get_full_event_name(pfmlib_event_t *e, char *name, size_t maxlen)
{
	int ret;

	if (!pfmlib_is_ready())
		return PFMLIB_ERR_NOINIT;
	if (!e || !name || !maxlen || !pfmlib_is_event(e->event))
		return PFMLIB_ERR_INVAL;
	ret = pfmlib_check_masks(e, 0);
	if (ret)
		return ret;
	return put_full_name(e, name, maxlen) ? PFMLIB_SUCCESS : PFMLIB_ERR_FULL;
}

/**
 * pfm_get_event_code() - code of an event
 * @idx: its descriptor
 * @code: out
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: there is no such event or @code is
 * NULL.
 */
int pfm_get_event_code(unsigned int idx, int *code)
{
	if (!pfmlib_is_ready())
		return PFMLIB_ERR_NOINIT;
	if (!pfmlib_is_event(idx) || !code)
		return PFMLIB_ERR_INVAL;
	*code = mont_events[idx].code;
	return PFMLIB_SUCCESS;
}

static bool is_counter(unsigned int cnt)
{
	return cnt - PMU_MONT_FIRST_COUNTER < PMU_MONT_NUM_COUNTERS || cnt == ANY_COUNTER;
}

/**
 * pfm_get_event_code_counter() - code of an event on a counter; it is the same on all
 * @idx: its descriptor
 * @cnt: the counter, whether it can count the event or not; 0xffffffff: the first one
 * @code: out
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: there is no such event or counter,
 * or @code is NULL.
 */
int pfm_get_event_code_counter(unsigned int idx, unsigned int cnt, int *code)
{
	if (!pfmlib_is_ready())
		return PFMLIB_ERR_NOINIT;
	if (!is_counter(cnt))
		return PFMLIB_ERR_INVAL;
	return pfm_get_event_code(idx, code);
}

/**
 * pfm_get_event_counters() - which counters can count an event
 * @idx: its descriptor
 * @counters: out
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: there is no such event or @counters
 * is NULL.
 */
int pfm_get_event_counters(unsigned int idx, pfmlib_regmask_t *counters)
{
	if (!pfmlib_is_ready())
		return PFMLIB_ERR_NOINIT;
	if (!pfmlib_is_event(idx) || !counters)
		return PFMLIB_ERR_INVAL;
	memset(counters, 0, sizeof(*counters));
	counters->bits[0] = mont_events[idx].counters;
	return PFMLIB_SUCCESS;
}

/**
 * pfm_get_event_description() - what an event counts
 * @idx: its descriptor
 * @desc: out, to be freed by free()
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: there is no such event or @desc is
 * NULL; PFMLIB_ERR_NOMEM.
 */
int pfm_get_event_description(unsigned int idx, char **desc)
{
	char *copy;

	if (!pfmlib_is_ready())
		return PFMLIB_ERR_NOINIT;
	if (!pfmlib_is_event(idx) || !desc)
		return PFMLIB_ERR_INVAL;
	copy = strdup(mont_events[idx].desc);
	if (!copy)
		return PFMLIB_ERR_NOMEM;
	*desc = copy;
	return PFMLIB_SUCCESS;
}
