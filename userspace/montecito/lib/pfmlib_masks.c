// SPDX-License-Identifier: LGPL-2.1-or-later
/* Unit masks of events of the MESI kind: the states of a cache line. */
#include "pfmlib_masks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mont_event.h"
#include "pfmlib_say.h"
#include "pfmlib_state.h"

#define MAX_NUMBER_LEN	31
#define EVENT_LEN	128	/* of a name and a position */

/* The code of each is its index. */
static const struct {
	const char *name;
	const char *desc;
} masks[PFMLIB_NR_MASKS] = {
	{ "I", "Lines in state invalid." },
	{ "S", "Lines in state shared." },
	{ "E", "Lines in state exclusive." },
	{ "M", "Lines in state modified." },
};

static char to_upper(char c)
{
	return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}

/**
 * pfmlib_same_word() - compare with a name, ignoring case in any locale
 * @word: the first byte
 * @len: number of bytes
 * @name: the name, in capitals
 */
bool pfmlib_same_word(const char *word, size_t len, const char *name)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (!name[i] || to_upper(word[i]) != name[i])
			return false;
	}
	return !name[len];
}

/* Check whether a descriptor is valid. */
bool pfmlib_is_event(unsigned int event)
{
	return event < mont_nr_events;
}

/* Check whether a valid event has unit masks; if so it has all of them and needs one. */
bool pfmlib_has_masks(unsigned int event)
{
	return mont_events[event].mesi;
}

/* Return the name of a unit mask, which is below PFMLIB_NR_MASKS. */
const char *pfmlib_mask_name(unsigned int mask)
{
	return masks[mask].name;
}

static int find_code(const char *word, size_t len)
{
	char number[MAX_NUMBER_LEN + 1];
	unsigned long code;
	char *end;

	/* strtoul() would make "-18446744073709551615" a 1 */
	if (!len || len > MAX_NUMBER_LEN || memchr(word, '-', len) || memchr(word, '\0', len))
		return PFMLIB_ERR_UMASK;
	memcpy(number, word, len);
	number[len] = '\0';
	code = strtoul(number, &end, 0);
	if (end == number || *end || code >= PFMLIB_NR_MASKS)
		return PFMLIB_ERR_UMASK;
	return code;
}

/**
 * pfmlib_find_mask() - find a unit mask
 * @word: its name in either case, or its code as a C number
 * @len: bytes of @word
 *
 * Return: its index; PFMLIB_ERR_UMASK: there is none.
 */
int pfmlib_find_mask(const char *word, size_t len)
{
	unsigned int i;

	for (i = 0; i < PFMLIB_NR_MASKS; i++) {
		if (pfmlib_same_word(word, len, masks[i].name))
			return i;
	}
	return find_code(word, len);
}

/**
 * pfmlib_check_masks() - check the unit masks of an event
 * @e: the event, with a valid descriptor
 * @position: in the list of a call, from 1; 0: not in a list
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_INVAL: there are more than PFMLIB_MAX_MASKS_PER_EVENT;
 * PFMLIB_ERR_UMASK: the event needs a unit mask and has none selected, or one is selected that it
 * does not have.
 */
int pfmlib_check_masks(const pfmlib_event_t *e, unsigned int position)
{
	char name[EVENT_LEN];
	unsigned int i;

	snprintf(name, sizeof(name), position ? "%s at position %u of the list" : "%s",
		 mont_events[e->event].name, position);
	if (e->num_masks > PFMLIB_MAX_MASKS_PER_EVENT) {
		pfmlib_say("event %s has num_masks %u; the largest is %d", name, e->num_masks,
			   PFMLIB_MAX_MASKS_PER_EVENT);
		return PFMLIB_ERR_INVAL;
	}
	if (pfmlib_has_masks(e->event) && !e->num_masks) {
		pfmlib_say("event %s needs a unit mask; add one or more of I, S, E, M", name);
		return PFMLIB_ERR_UMASK;
	}
	if (!pfmlib_has_masks(e->event) && e->num_masks) {
		pfmlib_say("event %s has no unit masks; set num_masks to 0", name);
		return PFMLIB_ERR_UMASK;
	}
	for (i = 0; i < e->num_masks; i++) {
		if (e->unit_masks[i] >= PFMLIB_NR_MASKS) {
			pfmlib_say("event %s has no unit mask %u; the last one is %d", name,
				   e->unit_masks[i], PFMLIB_NR_MASKS - 1);
			return PFMLIB_ERR_UMASK;
		}
	}
	return PFMLIB_SUCCESS;
}

/**
 * pfm_get_num_event_masks() - how many unit masks an event has
 * @event_idx: its descriptor
 * @count: out
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: there is no such event or @count is
 * NULL.
 */
int pfm_get_num_event_masks(unsigned int event_idx, unsigned int *count)
{
	if (!pfmlib_is_ready())
		return PFMLIB_ERR_NOINIT;
	if (!pfmlib_is_event(event_idx) || !count)
		return PFMLIB_ERR_INVAL;
	*count = pfmlib_has_masks(event_idx) ? PFMLIB_NR_MASKS : 0;
	return PFMLIB_SUCCESS;
}

/**
 * pfm_get_event_mask_name() - name of a unit mask
 * @event_idx: descriptor of its event
 * @mask_idx: its index
 * @name: out
 * @maxlen: bytes of @name, the name's length and two more at least
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: there is no such event or unit mask,
 * or @name is NULL or is too small; PFMLIB_ERR_NOTSUPP: the event has no unit masks;
 * PFMLIB_ERR_FULL: @maxlen is too small.
 */
int pfm_get_event_mask_name(unsigned int event_idx, unsigned int mask_idx, char *name,
			    size_t maxlen)
{
	size_t len;

	if (!pfmlib_is_ready())
		return PFMLIB_ERR_NOINIT;
	if (!pfmlib_is_event(event_idx) || !name || !maxlen)
		return PFMLIB_ERR_INVAL;
	if (!pfmlib_has_masks(event_idx))
		return PFMLIB_ERR_NOTSUPP;
	if (mask_idx >= PFMLIB_NR_MASKS)
		return PFMLIB_ERR_INVAL;
	len = strlen(masks[mask_idx].name);
	if (maxlen < len + 2)
		return PFMLIB_ERR_FULL;
	memcpy(name, masks[mask_idx].name, len + 1);
	return PFMLIB_SUCCESS;
}

static bool is_mask(unsigned int event, unsigned int mask)
{
	return pfmlib_is_event(event) && pfmlib_has_masks(event) && mask < PFMLIB_NR_MASKS;
}

/**
 * pfm_get_event_mask_code() - code of a unit mask
 * @event_idx: descriptor of its event
 * @mask_idx: its index
 * @code: out
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: there is no such event or unit mask,
 * or @code is NULL.
 */
int pfm_get_event_mask_code(unsigned int event_idx, unsigned int mask_idx, unsigned int *code)
{
	if (!pfmlib_is_ready())
		return PFMLIB_ERR_NOINIT;
	if (!is_mask(event_idx, mask_idx) || !code)
		return PFMLIB_ERR_INVAL;
	*code = mask_idx;
	return PFMLIB_SUCCESS;
}

/**
 * pfm_get_event_mask_description() - what a unit mask stands for
 * @event_idx: descriptor of its event
 * @mask_idx: its index
 * @desc: out, to be freed by free()
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: there is no such event or unit mask,
 * or @desc is NULL; PFMLIB_ERR_NOMEM.
 */
int pfm_get_event_mask_description(unsigned int event_idx, unsigned int mask_idx, char **desc)
{
	char *copy;

	if (!pfmlib_is_ready())
		return PFMLIB_ERR_NOINIT;
	if (!is_mask(event_idx, mask_idx) || !desc)
		return PFMLIB_ERR_INVAL;
	copy = strdup(masks[mask_idx].desc);
	if (!copy)
		return PFMLIB_ERR_NOMEM;
	*desc = copy;
	return PFMLIB_SUCCESS;
}
