/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Unit masks of events of the MESI kind: the states of a cache line. */
#ifndef ACRPFM_PFMLIB_MASKS_H
#define ACRPFM_PFMLIB_MASKS_H

#include <stdbool.h>
#include <stddef.h>

#include <perfmon/pfmlib.h>

#define PFMLIB_NR_MASKS	4

bool pfmlib_is_event(unsigned int event);
bool pfmlib_has_masks(unsigned int event);
const char *pfmlib_mask_name(unsigned int mask);
int pfmlib_find_mask(const char *word, size_t len);
int pfmlib_check_masks(const pfmlib_event_t *e, unsigned int position);
bool pfmlib_same_word(const char *word, size_t len, const char *name);

#endif
