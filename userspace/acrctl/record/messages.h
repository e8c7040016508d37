/* SPDX-License-Identifier: GPL-2.0-only */
/* What a recording says to its user, all of it on stderr. */
#ifndef _ACRCTL_RECORD_WORDS_H
#define _ACRCTL_RECORD_WORDS_H

#include "record.h"

void record_words_sideband(const struct record *r, int err);
void record_words_sessions(const struct record *r);
void record_words_closing(const struct record *r, int err);

#endif /* _ACRCTL_RECORD_WORDS_H */
