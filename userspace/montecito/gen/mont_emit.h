/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All that jevents calls of Montecito's wing: from a directory of JSON files to a table in C. */
#ifndef _ACRPMU_GEN_MONT_EMIT_H
#define _ACRPMU_GEN_MONT_EMIT_H

#include <stdbool.h>
#include <stddef.h>

#include "../../gen/event_dir.h"

int mont_generate(const char *dir, event_report_fn report, bool *was_read, char **text,
		  size_t *len);

#endif /* _ACRPMU_GEN_MONT_EMIT_H */
