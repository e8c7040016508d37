/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What only users need of each CPU model: short name, name of the core, leaves of a typical CPU. */
#ifndef _ACRPMU_LIB_CPU_TABLE_H
#define _ACRPMU_LIB_CPU_TABLE_H

#include "../../kmod/core/model.h"

/**
 * struct cpu_row - one CPU model
 * @name: acrpmu_model.name ("clearwaterforest")
 * @short_name: libpfm4's or else a short name ("cwf")
 * @core: name of the core ("Darkmont")
 * @cpuid: leaves of a typical one, for encoding where no such CPU is at hand
 */
struct cpu_row {
	const char *name;
	const char *short_name;
	const char *core;
	struct acrpmu_cpuid cpuid;
};

/** acrpmu_cpu_table_row() - the row of a model; each has one */
const struct cpu_row *acrpmu_cpu_table_row(const struct acrpmu_model *model);

/**
 * acrpmu_cpu_table_core() - name of a core
 * @model: its model, which may stand for several kinds of cores
 * @signature: CPUID.01H:EAX, 0 if unknown
 *
 * Return: the name ("Darkmont").
 */
const char *acrpmu_cpu_table_core(const struct acrpmu_model *model, u32 signature);

/**
 * acrpmu_cpu_table_model() - find a model by name
 * @name: name or short name, exact spelling
 *
 * Return: the model, or NULL.
 */
const struct acrpmu_model *acrpmu_cpu_table_model(const char *name);

#endif /* _ACRPMU_LIB_CPU_TABLE_H */
