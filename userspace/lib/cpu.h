/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Converting CPUs between the public interface and the shared core. */
#ifndef _ACRPMU_LIB_CPU_H
#define _ACRPMU_LIB_CPU_H

#include "../../kmod/core/model.h"
#include "acrpmu_lib.h"

/**
 * acrpmu_cpu_show() - convert capabilities to a description
 * @caps: the capabilities
 * @cpu: out
 */
void acrpmu_cpu_show(const struct acrpmu_caps *caps, struct acrpmu_cpu *cpu);

/**
 * acrpmu_cpu_caps() - convert a description back to capabilities
 * @cpu: the description
 * @caps: out
 *
 * Return: 0, or -EINVAL if it names no row of the CPU table.
 */
int acrpmu_cpu_caps(const struct acrpmu_cpu *cpu, struct acrpmu_caps *caps);

/**
 * acrpmu_cpuid_read() - read the leaves of the CPU that this thread runs on
 * @cpuid: out
 *
 * Return: 0, or -EOPNOTSUPP if it is not an Intel CPU.
 */
int acrpmu_cpuid_read(struct acrpmu_cpuid *cpuid);

/**
 * acrpmu_cpuid_caps() - the capabilities of the CPU that leaves were read on
 * @cpuid: the leaves; its perf_capabilities are filled in
 * @caps: out, always filled
 *
 * Return: 0, or -EOPNOTSUPP as acrpmu_model_caps().
 */
int acrpmu_cpuid_caps(struct acrpmu_cpuid *cpuid, struct acrpmu_caps *caps);

#endif /* _ACRPMU_LIB_CPU_H */
