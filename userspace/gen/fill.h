/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Filling the tables of an arch directory from their files. */
#ifndef _ACRPMU_GEN_FILL_H
#define _ACRPMU_GEN_FILL_H

#include "sources.h"

/* Read the events that others refer to (ArchStdEvent). Return: 0 or -ENOMEM. */
int fill_standard_events(struct loading *l, const struct json_dir *dir);

/* Make all tables, in the order of their names. Return: 0 or -ENOMEM. */
int fill_tables(struct loading *l);

#endif /* _ACRPMU_GEN_FILL_H */
