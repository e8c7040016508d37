/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The identity of a CPU: its CPUID string, as in mapfiles, and the PMU of its core. */
#ifndef _ACRPMU_LIB_CPU_IDENTITY_H
#define _ACRPMU_LIB_CPU_IDENTITY_H

#include <linux/types.h>

#include "../../kmod/core/model.h"

#define CPU_IDENTITY_LEN		64	/* of a CPUID string, with its terminating 0 */
#define CPU_PMU_LEN		16	/* of a PMU's name */
#define CPU_SYSFS		"/sys/devices"

#define CPU_PMU			"cpu"	/* where all cores are alike */
#define CPU_PMU_CORE		"cpu_core"
#define CPU_PMU_ATOM		"cpu_atom"
#define CPU_PMU_LOWPOWER	"cpu_lowpower"

/**
 * struct cpu_identity - a CPU, or a kind of CPU
 * @string: its CPUID string ("GenuineIntel-6-DD-0"); other architectures and tests have others
 * @signature: CPUID.01H:EAX, 0 if @string is not that of an Intel CPU
 * @core_type: CPUID.1AH:EAX, 0 unless hybrid
 * @pmu: PMU of its core, CPU_PMU and so on
 */
struct cpu_identity {
	char string[CPU_IDENTITY_LEN];
	__u32 signature;
	__u32 core_type;
	char pmu[CPU_PMU_LEN];
};

/**
 * acrpmu_cpu_identity_set() - fill in an identity from signature and core type
 * @id: out
 * @signature: CPUID.01H:EAX of an Intel CPU
 * @core_type: CPUID.1AH:EAX, 0 unless hybrid
 */
void acrpmu_cpu_identity_set(struct cpu_identity *id, __u32 signature, __u32 core_type);

/**
 * acrpmu_cpu_identity_has() - check whether a core is of a PMU
 * @id: its CPU
 * @pmu: name of the PMU; where all cores are alike, those of hybrid CPUs with such cores will do
 *
 * Return: whether it is; true as well if nothing is known of the CPU.
 */
bool acrpmu_cpu_identity_has(const struct cpu_identity *id, const char *pmu);

/**
 * acrpmu_cpu_identity_parse() - read a CPUID string
 * @string: "GenuineIntel-FAMILY-MODEL" with family in decimal and model in hexadecimal digits, or
 *	with "-STEPPING" in hexadecimal ones behind it; any other string is taken as it is
 * @core_type: CPUID.1AH:EAX; 0: of a part that is always hybrid, its first kind of E-core
 * @id: out
 *
 * Return: 0, or -EINVAL if it is empty, too long, or a malformed string of Intel's.
 */
int acrpmu_cpu_identity_parse(const char *string, __u32 core_type, struct cpu_identity *id);

/**
 * acrpmu_cpu_identity_here() - a CPU of this machine
 * @sysfs: CPU_SYSFS, tests have another
 * @pmu: PMU of the CPU; NULL: an E-core if the machine is hybrid
 * @id: out, written only on success
 * @cpuid: out, its leaves, written only on success
 *
 * Migrates the calling thread to that CPU and back.
 *
 * Return: 0; -ENOENT if there is no such PMU; -EOPNOTSUPP if it is not an Intel CPU.
 */
int acrpmu_cpu_identity_here(const char *sysfs, const char *pmu, struct cpu_identity *id,
			     struct acrpmu_cpuid *cpuid);

/**
 * acrpmu_cpu_identity_read() - the leaves of a CPU on which the calling thread may run
 * @cpu: its number
 * @cpuid: out, its leaves, written only on success
 *
 * Migrates the calling thread to that CPU and back.
 *
 * Return: 0; -EACCES if its affinity lacks the CPU; -EOPNOTSUPP if it is not an Intel CPU.
 */
int acrpmu_cpu_identity_read(unsigned int cpu, struct acrpmu_cpuid *cpuid);

/**
 * acrpmu_cpu_identity_first() - the first CPU of a PMU
 * @sysfs: CPU_SYSFS, tests have another
 * @pmu: name of the PMU
 *
 * Return: its number, -1 if there is no such PMU or no list of its CPUs.
 */
int acrpmu_cpu_identity_first(const char *sysfs, const char *pmu);

#endif /* _ACRPMU_LIB_CPU_IDENTITY_H */
