// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds events by name and code. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "mont_event.h"
#include "pfmlib_masks.h"
#include "pfmlib_state.h"

#define CYCLE_EVENT	"CPU_OP_CYCLES_ALL"
#define INST_EVENT	"IA64_INST_RETIRED"

/* Unit masks follow a colon. */
static int find_name(const char *name, unsigned int *idx)
{
	const size_t len = strcspn(name, ":");
	unsigned int i;

	for (i = 0; i < mont_nr_events; i++) {
		if (pfmlib_same_word(name, len, mont_events[i].name)) {
			*idx = i;
			return PFMLIB_SUCCESS;
		}
	}
	return PFMLIB_ERR_NOTFOUND;
}

/* The first event from @first on. */
static int find_code(int code, unsigned int first, unsigned int *idx)
{
	unsigned int i;

	for (i = first; i < mont_nr_events; i++) {
		if (mont_events[i].code == code) {
			*idx = i;
			return PFMLIB_SUCCESS;
		}
	}
	return PFMLIB_ERR_NOTFOUND;
}

/**
 * pfm_find_event_byname() - find an event by its name
 * @name: the name in either case; text after a colon is ignored
 * @idx: out, its descriptor
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: an argument is NULL;
 * PFMLIB_ERR_NOTFOUND: there is no such event.
 */
int pfm_find_event_byname(const char *name, unsigned int *idx)
{
	if (!pfmlib_is_ready())
		return PFMLIB_ERR_NOINIT;
	if (!name || !idx)
		return PFMLIB_ERR_INVAL;
	return find_name(name, idx);
}

/**
 * pfm_find_event_bycode() - find the first event with a code
 * @idx: out, its descriptor
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: @idx is NULL; PFMLIB_ERR_NOTFOUND:
 * there is no such event.
 */
int pfm_find_event_bycode(int code, unsigned int *idx)
{
	if (!pfmlib_is_ready())
		return PFMLIB_ERR_NOINIT;
	return idx ? find_code(code, 0, idx) : PFMLIB_ERR_INVAL;
}

/**
 * pfm_find_event_bycode_next() - find another event with a code
 * @start: descriptor after which to look
 * @next: out, its descriptor
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: @next is NULL; PFMLIB_ERR_NOTFOUND:
 * there is no other.
 */
int pfm_find_event_bycode_next(int code, unsigned int start, unsigned int *next)
{
	if (!pfmlib_is_ready())
		return PFMLIB_ERR_NOINIT;
	if (!next)
		return PFMLIB_ERR_INVAL;
	return pfmlib_is_event(start) ? find_code(code, start + 1, next) : PFMLIB_ERR_NOTFOUND;
}

/**
 * pfm_find_event() - find an event by its name or code
 * @str: a name as for pfm_find_event_byname(), or a code as a C number
 * @idx: out, its descriptor
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: an argument is NULL, or a number is
 * followed by something or above INT_MAX; PFMLIB_ERR_NOTFOUND: there is no such event.
 */
int pfm_find_event(const char *str, unsigned int *idx)
{
	unsigned long code;
	char *end;

	if (!pfmlib_is_ready())
		return PFMLIB_ERR_NOINIT;
	if (!str || !idx)
		return PFMLIB_ERR_INVAL;
	if (*str < '0' || *str > '9')
		return find_name(str, idx);
	code = strtoul(str, &end, 0);
	if (*end || code > INT_MAX)
		return PFMLIB_ERR_INVAL;
	return find_code(code, 0, idx);
}

/**
 * pfm_find_event_mask() - find a unit mask of an event
 * @event_idx: descriptor of the event
 * @str: its name in either case, or its code as a C number
 * @mask_idx: out, its index
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: there is no such event, or a pointer
 * is NULL; PFMLIB_ERR_UMASK: the event has no such unit mask.
 */
int pfm_find_event_mask(unsigned int event_idx, const char *str, unsigned int *mask_idx)
{
	int mask;

	if (!pfmlib_is_ready())
		return PFMLIB_ERR_NOINIT;
	if (!pfmlib_is_event(event_idx) || !str || !mask_idx)
		return PFMLIB_ERR_INVAL;
	if (!pfmlib_has_masks(event_idx))
		return PFMLIB_ERR_UMASK;
	mask = pfmlib_find_mask(str, strlen(str));
	if (mask < 0)
		return mask;
	*mask_idx = mask;
	return PFMLIB_SUCCESS;
}

static void add_mask(pfmlib_event_t *e, unsigned int mask)
{
	unsigned int i;

	for (i = 0; i < e->num_masks; i++) {
		if (e->unit_masks[i] == mask)
			return;
	}
	e->unit_masks[e->num_masks++] = mask;
}

/* @at points to a colon or to the end. */
static int add_masks(pfmlib_event_t *e, const char *at)
{
	while (*at) {
		const char *word = at + 1;
		const size_t len = strcspn(word, ":");
		const int mask = pfmlib_has_masks(e->event) ? pfmlib_find_mask(word, len) :
				 PFMLIB_ERR_UMASK;

		if (mask < 0)
			return mask;
		add_mask(e, mask);
		at = word + len;
	}
	return pfmlib_check_masks(e, 0);
}

/**
 * pfm_find_full_event() - find an event and its unit masks
 * @str: a name and any number of unit masks, each after a colon
 * @e: out, with event, unit_masks and num_masks; all else is 0
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: an argument is NULL;
 * PFMLIB_ERR_NOTFOUND: there is no such event; PFMLIB_ERR_UMASK: it has no such unit mask, or needs
 * one.
 */
int pfm_find_full_event(const char *str, pfmlib_event_t *e)
{
	pfmlib_event_t found;
	int ret;

	if (!pfmlib_is_ready())
		return PFMLIB_ERR_NOINIT;
	if (!str || !e)
		return PFMLIB_ERR_INVAL;
	memset(&found, 0, sizeof(found));
	ret = find_name(str, &found.event);
	if (!ret)
		ret = add_masks(&found, str + strcspn(str, ":"));
	if (!ret)
		*e = found;
	return ret;
}

static int find_special(const char *name, pfmlib_event_t *e)
{
	if (!pfmlib_is_ready())
		return PFMLIB_ERR_NOINIT;
	if (!e)
		return PFMLIB_ERR_INVAL;
	memset(e, 0, sizeof(*e));
	return find_name(name, &e->event);
}

/**
 * pfm_get_cycle_event() - the event that counts cycles
 * @e: out
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: @e is NULL.
 */
int pfm_get_cycle_event(pfmlib_event_t *e)
{
	return find_special(CYCLE_EVENT, e);
}

/**
 * pfm_get_inst_retired_event() - the event that counts instructions
 * @e: out
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: @e is NULL.
 */
int pfm_get_inst_retired_event(pfmlib_event_t *e)
{
	return find_special(INST_EVENT, e);
}
