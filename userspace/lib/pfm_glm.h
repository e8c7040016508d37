/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* libpfm's names of Goldmont's events and unit masks, and what each one encodes. */
#ifndef _ACRPMU_LIB_PFM_GLM_H
#define _ACRPMU_LIB_PFM_GLM_H

#include <linux/types.h>

#define PFM_UMASK	(1U << 0)	/* a unit mask of the event before it, otherwise an event */
#define PFM_DEFAULT	(1U << 1)	/* unit mask taken when none is given */
#define PFM_BARE	(1U << 2)	/* event without unit masks */
#define PFM_PRESET	(1U << 3)	/* event that stands for the next one with its default */
#define PFM_OFFCORE	(1U << 4)	/* event with unit masks in an extra register */
#define PFM_LEVELS	(1U << 5)	/* event of a fixed counter: no modifiers but u and k */
#define PFM_GLM_ONLY	(1U << 6)	/* not on Goldmont Plus */

/* config words of the events of OFFCORE_RSP_0 and 1 */
#define PFM_CONFIG_RSP_0	0x01b7
#define PFM_CONFIG_RSP_1	0x02b7

/* bits of the OFFCORE_RSP registers by category: vol. 3, "Off-core Response Event Encoding" */
#define PFM_REQUESTS		0x000000ffffULL
#define PFM_ANY_REQUEST		0x0000008000ULL
#define PFM_ANY_RESPONSE	0x0000010000ULL
#define PFM_L2_HIT		0x0000040000ULL
#define PFM_SNOOPS		0x3600000000ULL
#define PFM_OUTSTANDING		0x4000000000ULL	/* average latency: OFFCORE_RSP_0 only */

/**
 * struct pfm_row - an event or one of its unit masks
 * @code: event: config word without unit mask; unit mask: what it adds to that, or with PFM_OFFCORE
 *	to the extra register
 * @flags: PFM_UMASK and so on
 *
 * Unit masks follow their event; events one after another share those that follow.  Names are held
 * by value, so that the table needs no relocation.
 */
struct pfm_row {
	char name[40];
	__u64 code;
	__u8 flags;
};

/** pfm_glm_rows - the table */
extern const struct pfm_row pfm_glm_rows[];

/** pfm_glm_nr_rows - rows of it */
extern const unsigned int pfm_glm_nr_rows;

#endif /* _ACRPMU_LIB_PFM_GLM_H */
