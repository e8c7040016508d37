// SPDX-License-Identifier: LGPL-2.1-or-later
/* The identity of a CPU: its CPUID string, as in mapfiles, and the PMU of its core. */
#include "cpu_identity.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../kmod/regs.h"
#include "cpu.h"

#define VENDOR_INTEL		"GenuineIntel-"
#define SIGNATURE_STEPPING	0xf	/* bits of CPUID.01H:EAX */
#define FAMILY_EXTENDED		0xf
#define FIXED_SLOTS		3
#define PATH_LEN		256
#define LIST_LEN		64

/* PMUs of hybrid CPUs, E-cores first. */
static const char *const hybrid_pmus[] = { CPU_PMU_ATOM, CPU_PMU_LOWPOWER, CPU_PMU_CORE };

static __u32 get(__u32 reg, __u32 field)
{
	return (reg & field) >> __ffs64(field);
}

static __u32 put(__u32 value, __u32 field)
{
	return value << __ffs64(field) & field;
}

static __u32 family_of(__u32 signature)
{
	__u32 family = get(signature, CPUID_1_EAX_FAMILY);

	return family == FAMILY_EXTENDED ?
	       family + get(signature, CPUID_1_EAX_EXT_FAMILY) : family;
}

static __u32 model_of(__u32 signature)
{
	return get(signature, CPUID_1_EAX_MODEL) | get(signature, CPUID_1_EAX_EXT_MODEL) << 4;
}

static __u32 make_signature(__u32 family, __u32 model, __u32 stepping)
{
	__u32 base = family < FAMILY_EXTENDED ? family : FAMILY_EXTENDED;

	return put(base, CPUID_1_EAX_FAMILY) | put(family - base, CPUID_1_EAX_EXT_FAMILY) |
	       put(model, CPUID_1_EAX_MODEL) | put(model >> 4, CPUID_1_EAX_EXT_MODEL) |
	       put(stepping, SIGNATURE_STEPPING);
}

/* The first kind of E-core that the CPU table has for a hybrid CPU, 0 for other CPUs. */
static __u32 default_core_type(__u32 signature)
{
	const struct acrpmu_model *model = NULL;
	unsigned int i;

	while ((model = acrpmu_model_next(model))) {
		for (i = 0; i < model->nr_ids; i++) {
			const struct acrpmu_model_id *id = &model->ids[i];

			if (id->core_type && id->family == family_of(signature) &&
			    id->model == model_of(signature))
				return put(id->core_type, CPUID_1A_EAX_CORE_TYPE) |
				       id->native_model;
		}
	}
	return 0;
}

/* As the kernel names it; of two kinds of E-cores in a CPU the second is the low-power one. */
static const char *pmu_of(__u32 signature, __u32 core_type)
{
	const struct acrpmu_model *model = acrpmu_model_find(signature, core_type);

	if (!core_type)
		return CPU_PMU;
	if (get(core_type, CPUID_1A_EAX_CORE_TYPE) != CPUID_1A_CORE_TYPE_ATOM)
		return CPU_PMU_CORE;
	return model == acrpmu_model_find(signature, default_core_type(signature)) ?
	       CPU_PMU_ATOM : CPU_PMU_LOWPOWER;
}

void acrpmu_cpu_identity_set(struct cpu_identity *id, __u32 signature, __u32 core_type)
{
	*id = (struct cpu_identity){ .signature = signature, .core_type = core_type };
	snprintf(id->string, sizeof(id->string), VENDOR_INTEL "%u-%X-%X", family_of(signature),
		 model_of(signature), get(signature, SIGNATURE_STEPPING));
	snprintf(id->pmu, sizeof(id->pmu), "%s", pmu_of(signature, core_type));
}

/* Big cores alone have a register for what the front end retired, or fixed counter 3 for slots. */
static bool is_big(const struct acrpmu_model *model)
{
	unsigned int i;

	for (i = 0; i < model->nr_extra_regs; i++) {
		if (model->extra_regs[i].msr == MSR_PEBS_FRONTEND)
			return true;
	}
	for (i = 0; i < model->nr_fixed_events; i++) {
		if (model->fixed_events[i].fixed == FIXED_SLOTS)
			return true;
	}
	return false;
}

bool acrpmu_cpu_identity_has(const struct cpu_identity *id, const char *pmu)
{
	const struct acrpmu_model *model = acrpmu_model_find(id->signature, id->core_type);

	if (!id->signature || !strcmp(pmu, CPU_PMU) || !strcmp(pmu, id->pmu))
		return true;
	return !strcmp(id->pmu, CPU_PMU) && model->nr_ids &&
	       is_big(model) == !strcmp(pmu, CPU_PMU_CORE);
}

static bool read_number(const char **at, int base, unsigned long max, __u32 *value)
{
	unsigned long n;
	char *end;

	/* strtoul() would accept blanks, signs and 0x as well */
	if (!**at || !strchr(base == 16 ? "0123456789abcdefABCDEF" : "0123456789", **at))
		return false;
	if ((*at)[0] == '0' && ((*at)[1] == 'x' || (*at)[1] == 'X'))
		return false;
	n = strtoul(*at, &end, base);
	*at = end;
	*value = n;
	return n <= max;
}

int acrpmu_cpu_identity_parse(const char *string, __u32 core_type, struct cpu_identity *id)
{
	const char *at = string + strlen(VENDOR_INTEL);
	__u32 family, model, stepping = 0, signature;

	if (!*string || strlen(string) >= CPU_IDENTITY_LEN)
		return -EINVAL;
	if (strncmp(string, VENDOR_INTEL, strlen(VENDOR_INTEL))) {
		*id = (struct cpu_identity){ .pmu = CPU_PMU };
		strcpy(id->string, string);
		return 0;
	}
	if (!read_number(&at, 10, 0xff + FAMILY_EXTENDED, &family) || *at++ != '-' ||
	    !read_number(&at, 16, 0xff, &model))
		return -EINVAL;
	if (*at && (*at++ != '-' || !read_number(&at, 16, 0xf, &stepping) || *at))
		return -EINVAL;
	signature = make_signature(family, model, stepping);
	if (!core_type)
		core_type = default_core_type(signature);
	acrpmu_cpu_identity_set(id, signature, core_type);
	return 0;
}

int acrpmu_cpu_identity_first(const char *sysfs, const char *pmu)
{
	char path[PATH_LEN], list[LIST_LEN] = "";
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s/cpus", sysfs, pmu);
	f = fopen(path, "re");
	if (!f)
		return -1;
	if (!fgets(list, sizeof(list), f))
		list[0] = 0;
	fclose(f);
	return *list >= '0' && *list <= '9' ? atoi(list) : -1;
}

/* Read the CPUID of a CPU by running there; of the current one if that is not allowed. */
static int read_on(int cpu, struct acrpmu_cpuid *cpuid)
{
	cpu_set_t before, one;
	bool moved;
	int err;

	CPU_ZERO(&one);
	if (cpu >= 0 && cpu < CPU_SETSIZE)
		CPU_SET(cpu, &one);
	moved = CPU_COUNT(&one) && !sched_getaffinity(0, sizeof(before), &before) &&
		!sched_setaffinity(0, sizeof(one), &one);
	err = acrpmu_cpuid_read(cpuid);
	if (moved)
		sched_setaffinity(0, sizeof(before), &before);
	return err;
}

/* Others are left alone: on an isolated CPU the thread might wait forever. */
int acrpmu_cpu_identity_read(unsigned int cpu, struct acrpmu_cpuid *cpuid)
{
	cpu_set_t allowed;

	if (cpu >= CPU_SETSIZE || sched_getaffinity(0, sizeof(allowed), &allowed) ||
	    !CPU_ISSET(cpu, &allowed))
		return -EACCES;
	return read_on(cpu, cpuid);
}

int acrpmu_cpu_identity_here(const char *sysfs, const char *pmu, struct cpu_identity *id,
			     struct acrpmu_cpuid *cpuid)
{
	const char *found = NULL;
	int cpu = -1, err;
	unsigned int i;

	for (i = 0; cpu < 0 && i < ARRAY_SIZE(hybrid_pmus); i++) {
		if (pmu && strcmp(pmu, hybrid_pmus[i]))
			continue;
		cpu = acrpmu_cpu_identity_first(sysfs, hybrid_pmus[i]);
		found = hybrid_pmus[i];
	}
	if (pmu && cpu < 0 && strcmp(pmu, CPU_PMU))
		return -ENOENT;
	err = read_on(cpu, cpuid);
	if (err)
		return err;
	acrpmu_cpu_identity_set(id, cpuid->l1_eax, cpuid->l1a_eax);
	/* the kernel's name goes before ours */
	if (cpu >= 0)
		snprintf(id->pmu, sizeof(id->pmu), "%s", found);
	return 0;
}
