/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* libpfm's names of a CPU's events one after another, each with what it encodes. */
#ifndef _ACRPMU_LIB_EVENT_PFM_H
#define _ACRPMU_LIB_EVENT_PFM_H

#include "acrpmu_lib.h"
#include "pfm_name.h"

#define EVENT_PFM_TOPIC	"libpfm"

/**
 * struct event_pfm - a name of libpfm
 * @item: event and unit mask
 * @name: "glm::EVENT:UMASK"
 * @desc: its description
 * @named: what it encodes, with @name and @desc
 */
struct event_pfm {
	struct pfm_item item;
	char name[ACRPMU_NAME_LEN];
	char desc[ACRPMU_MESSAGE_LEN];
	struct acrpmu_named named;
};

/**
 * acrpmu_event_pfm_get() - one name after another
 * @events: the events of the CPU
 * @nr: 0 for the first
 * @pfm: out
 *
 * Return: 0; -ENOENT after the last, and for CPUs of which libpfm's names are not known; -ENOMEM.
 */
int acrpmu_event_pfm_get(const struct acrpmu_events *events, unsigned int nr,
			 struct event_pfm *pfm);

#endif /* _ACRPMU_LIB_EVENT_PFM_H */
