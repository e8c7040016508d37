// SPDX-License-Identifier: LGPL-2.1-or-later
/* Queries of Montecito's events; none needs a selected PMU. */
#include <perfmon/pfmlib_montecito.h>

#include "mont_event.h"

/* Return the event, or NULL if the descriptor is invalid. */
static const struct mont_event *get(unsigned int i)
{
	return i < mont_nr_events ? &mont_events[i] : NULL;
}

static enum mont_ear get_ear(unsigned int i)
{
	return i < mont_nr_events ? (enum mont_ear)mont_events[i].ear : MONT_EAR_NONE;
}

/**
 * pfm_mont_is_ear() - check whether an event stands for an event address register
 * @i: its descriptor
 *
 * Return: 1 or 0; 0 if there is no such event.
 */
int pfm_mont_is_ear(unsigned int i)
{
	return get_ear(i) != MONT_EAR_NONE;
}

/**
 * pfm_mont_is_dear() - check whether an event stands for the data EAR
 * @i: its descriptor
 *
 * Return: 1 or 0; 0 if there is no such event.
 */
int pfm_mont_is_dear(unsigned int i)
{
	return pfm_mont_is_dear_cache(i) || pfm_mont_is_dear_tlb(i) || pfm_mont_is_dear_alat(i);
}

/**
 * pfm_mont_is_dear_tlb() - check whether an event stands for the data EAR in TLB mode
 * @i: its descriptor
 *
 * Return: 1 or 0; 0 if there is no such event.
 */
int pfm_mont_is_dear_tlb(unsigned int i)
{
	return get_ear(i) == MONT_EAR_D_TLB;
}

/**
 * pfm_mont_is_dear_cache() - check whether an event stands for the data EAR in cache mode
 * @i: its descriptor
 *
 * Return: 1 or 0; 0 if there is no such event.
 */
int pfm_mont_is_dear_cache(unsigned int i)
{
	return get_ear(i) == MONT_EAR_D_CACHE;
}

/**
 * pfm_mont_is_dear_alat() - check whether an event stands for the data EAR in ALAT mode
 * @i: its descriptor
 *
 * Return: 1 or 0; 0 if there is no such event.
 */
int pfm_mont_is_dear_alat(unsigned int i)
{
	return get_ear(i) == MONT_EAR_D_ALAT;
}

/**
 * pfm_mont_is_iear() - check whether an event stands for the instruction EAR
 * @i: its descriptor
 *
 * Return: 1 or 0; 0 if there is no such event.
 */
int pfm_mont_is_iear(unsigned int i)
{
	return pfm_mont_is_iear_cache(i) || pfm_mont_is_iear_tlb(i);
}

/**
 * pfm_mont_is_iear_tlb() - check whether an event stands for the instruction EAR in TLB mode
 * @i: its descriptor
 *
 * Return: 1 or 0; 0 if there is no such event.
 */
int pfm_mont_is_iear_tlb(unsigned int i)
{
	return get_ear(i) == MONT_EAR_I_TLB;
}

/**
 * pfm_mont_is_iear_cache() - check whether an event stands for the instruction EAR in cache mode
 * @i: its descriptor
 *
 * Return: 1 or 0; 0 if there is no such event.
 */
int pfm_mont_is_iear_cache(unsigned int i)
{
	return get_ear(i) == MONT_EAR_I_CACHE;
}

/**
 * pfm_mont_is_etb() - check whether an event stands for the execution trace buffer
 * @i: its descriptor
 *
 * Return: 1 or 0; 0 if there is no such event.
 */
int pfm_mont_is_etb(unsigned int i)
{
	const struct mont_event *event = get(i);

	return event && event->etb;
}

/**
 * pfm_mont_support_opcm() - check whether an opcode matcher can restrict an event
 * @i: its descriptor
 *
 * Return: 1 or 0; 0 if there is no such event.
 */
int pfm_mont_support_opcm(unsigned int i)
{
	const struct mont_event *event = get(i);

	return event && event->opcm;
}

/**
 * pfm_mont_support_iarr() - check whether a code range can restrict an event
 * @i: its descriptor
 *
 * Return: 1 or 0; 0 if there is no such event.
 */
int pfm_mont_support_iarr(unsigned int i)
{
	const struct mont_event *event = get(i);

	return event && event->iarr;
}

/**
 * pfm_mont_support_darr() - check whether a data range can restrict an event
 * @i: its descriptor
 *
 * Return: 1 or 0; 0 if there is no such event.
 */
int pfm_mont_support_darr(unsigned int i)
{
	const struct mont_event *event = get(i);

	return event && event->darr;
}

/**
 * pfm_mont_support_all() - check whether an event can be counted for both threads of a core
 * @i: its descriptor
 *
 * Return: 1 or 0; 0 if there is no such event.
 */
int pfm_mont_support_all(unsigned int i)
{
	const struct mont_event *event = get(i);

	return event && event->all_thrd;
}

/**
 * pfm_mont_get_event_maxincr() - how often an event can occur in a cycle
 * @i: its descriptor
 * @maxincr: out; thresholds are below it
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_INVAL: there is no such event or @maxincr is NULL.
 */
int pfm_mont_get_event_maxincr(unsigned int i, unsigned int *maxincr)
{
	const struct mont_event *event = get(i);

	if (!event || !maxincr)
		return PFMLIB_ERR_INVAL;
	*maxincr = event->maxincr;
	return PFMLIB_SUCCESS;
}

/**
 * pfm_mont_get_event_umask() - the unit mask that belongs to an event's name
 * @i: its descriptor
 * @umask: out; of an EAR event that of its EAR's register
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_INVAL: there is no such event or @umask is NULL.
 */
int pfm_mont_get_event_umask(unsigned int i, unsigned long *umask)
{
	const struct mont_event *event = get(i);

	if (!event || !umask)
		return PFMLIB_ERR_INVAL;
	*umask = event->umask;
	return PFMLIB_SUCCESS;
}

/**
 * pfm_mont_get_event_group() - the group of cache events that an event belongs to
 * @i: its descriptor
 * @grp: out, PFMLIB_MONT_EVT_*_GRP
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_INVAL: there is no such event or @grp is NULL.
 */
int pfm_mont_get_event_group(unsigned int i, int *grp)
{
	const struct mont_event *event = get(i);

	if (!event || !grp)
		return PFMLIB_ERR_INVAL;
	*grp = event->group;
	return PFMLIB_SUCCESS;
}

/**
 * pfm_mont_get_event_grp() - the same as pfm_mont_get_event_group()
 * @i: its descriptor
 * @grp: out, PFMLIB_MONT_EVT_*_GRP
 *
 * Return: as pfm_mont_get_event_group().
 */
int pfm_mont_get_event_grp(unsigned int i, int *grp)
{
	return pfm_mont_get_event_group(i, grp);
}

/**
 * pfm_mont_get_event_set() - the set within its group that an event belongs to
 * @i: its descriptor
 * @set: out, PFMLIB_MONT_EVT_NO_SET for an event without group
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_INVAL: there is no such event or @set is NULL.
 */
int pfm_mont_get_event_set(unsigned int i, int *set)
{
	const struct mont_event *event = get(i);

	if (!event || !set)
		return PFMLIB_ERR_INVAL;
	*set = event->set;
	return PFMLIB_SUCCESS;
}

/**
 * pfm_mont_get_event_type() - which thread an event belongs to
 * @i: its descriptor
 * @type: out, PFMLIB_MONT_EVT_ACTIVE and so on
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_INVAL: there is no such event or @type is NULL.
 */
int pfm_mont_get_event_type(unsigned int i, int *type)
{
	const struct mont_event *event = get(i);

	if (!event || !type)
		return PFMLIB_ERR_INVAL;
	*type = event->type;
	return PFMLIB_SUCCESS;
}

/**
 * pfm_mont_get_ear_mode() - the mode of the EAR that an event stands for
 * @i: its descriptor
 * @mode: out, untouched after an error
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_INVAL: there is no such event, it stands for no EAR, or @mode
 * is NULL.
 */
int pfm_mont_get_ear_mode(unsigned int i, pfmlib_mont_ear_mode_t *mode)
{
	if (!mode)
		return PFMLIB_ERR_INVAL;
	switch (get_ear(i)) {
	case MONT_EAR_I_CACHE:
	case MONT_EAR_D_CACHE:
		*mode = PFMLIB_MONT_EAR_CACHE_MODE;
		return PFMLIB_SUCCESS;
	case MONT_EAR_I_TLB:
	case MONT_EAR_D_TLB:
		*mode = PFMLIB_MONT_EAR_TLB_MODE;
		return PFMLIB_SUCCESS;
	case MONT_EAR_D_ALAT:
		*mode = PFMLIB_MONT_EAR_ALAT_MODE;
		return PFMLIB_SUCCESS;
	case MONT_EAR_NONE:
		break;
	}
	return PFMLIB_ERR_INVAL;
}

/**
 * pfm_mont_get_event_ear_mode() - the same as pfm_mont_get_ear_mode()
 * @i: its descriptor
 * @mode: out, untouched after an error
 *
 * Return: as pfm_mont_get_ear_mode().
 */
int pfm_mont_get_event_ear_mode(unsigned int i, pfmlib_mont_ear_mode_t *mode)
{
	return pfm_mont_get_ear_mode(i, mode);
}
