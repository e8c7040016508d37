// SPDX-License-Identifier: LGPL-2.1-or-later
/* What only users need of each CPU model: short name, name of the core, leaves of a typical CPU. */
#include "cpu_table.h"

#include <string.h>

#include "../../kmod/regs.h"

#define SIGNATURE_STEPPING	0xfU	/* bits of CPUID.01H:EAX */

/* parts of CPUID leaves */
#define LEAF_A_EAX(version, nr_gp, width)	((version) | (nr_gp) << 8 | (width) << 16)
#define LEAF_A_EDX(nr_fixed, width)		((nr_fixed) | (width) << 5)
#define LEAF_1A(type, native)			((u32)(type) << 24 | (native))
#define LEAF_23_0_EAX_V6	(CPUID_23_0_EAX_COUNTERS | CPUID_23_0_EAX_ACR)
#define LEAF_23_0_EBX_V6	(CPUID_23_0_EBX_UMASK2 | CPUID_23_0_EBX_EQ)

/* native model ids (vol. 2A, leaf 0x1a) by kind, as Intel's event mapfile has them */
#define NATIVE_CRESTMONT	2
#define NATIVE_SKYMONT		3
#define NATIVE_DARKMONT		4
#define NATIVE_LIONCOVE		3

/* The rows of kmod/core/model_table.c, in their order. */
static const struct cpu_row rows[] = {
	{
		.name = "clearwaterforest", .short_name = "cwf", .core = "Darkmont",
		.cpuid = {
			.l1_eax = 0x000d06d0,
			.l7_1_eax = CPUID_7_1_EAX_PERFMON_EXT,
			.la_eax = LEAF_A_EAX(6, 8, 48), .la_ecx = 0x77, .la_edx = LEAF_A_EDX(3, 48),
			.l23_0_eax = LEAF_23_0_EAX_V6, .l23_0_ebx = LEAF_23_0_EBX_V6,
			.l23_1_eax = 0xff, .l23_1_ebx = 0x77,
			.l23_2_eax = 0xff, .l23_2_ebx = 0x7, .l23_2_ecx = 0xff, .l23_2_edx = 0x7,
			.perf_capabilities = PERF_CAP_FW_WRITES,
		},
	},
	{
		.name = "pantherlake-e", .short_name = "ptl_e", .core = "Darkmont",
		.cpuid = {
			.l1_eax = 0x000c06c0,
			.l7_1_eax = CPUID_7_1_EAX_PERFMON_EXT,
			.la_eax = LEAF_A_EAX(6, 8, 48), .la_ecx = 0x77, .la_edx = LEAF_A_EDX(3, 48),
			.l1a_eax = LEAF_1A(CPUID_1A_CORE_TYPE_ATOM, NATIVE_DARKMONT),
			.l23_0_eax = LEAF_23_0_EAX_V6, .l23_0_ebx = LEAF_23_0_EBX_V6,
			.l23_1_eax = 0xff, .l23_1_ebx = 0x77,
			/* general-purpose counters 0 and 1 have no reload registers there */
			.l23_2_eax = 0xfc, .l23_2_ebx = 0x7, .l23_2_ecx = 0xfc, .l23_2_edx = 0x7,
			.perf_capabilities = PERF_CAP_FW_WRITES,
		},
	},
	{
		.name = "skymont", .short_name = "skt", .core = "Skymont",
		.cpuid = {
			.l1_eax = 0x000b06d0,
			.l7_1_eax = CPUID_7_1_EAX_PERFMON_EXT,
			.la_eax = LEAF_A_EAX(6, 8, 48), .la_ecx = 0x77, .la_edx = LEAF_A_EDX(3, 48),
			.l1a_eax = LEAF_1A(CPUID_1A_CORE_TYPE_ATOM, NATIVE_SKYMONT),
			.l23_0_eax = LEAF_23_0_EAX_V6, .l23_0_ebx = LEAF_23_0_EBX_V6,
			.l23_1_eax = 0xff, .l23_1_ebx = 0x77,
			/* not published; the narrower masks of Panther Lake fit either way */
			.l23_2_eax = 0xfc, .l23_2_ebx = 0x7, .l23_2_ecx = 0xfc, .l23_2_edx = 0x7,
			.perf_capabilities = PERF_CAP_FW_WRITES,
		},
	},
	{
		.name = "arcticwolf", .short_name = "arw", .core = "Arctic Wolf",
		.cpuid = {
			.l1_eax = 0x00300f10,
			.l7_1_eax = CPUID_7_1_EAX_PERFMON_EXT,
			.la_eax = LEAF_A_EAX(6, 8, 48), .la_ecx = 0x77, .la_edx = LEAF_A_EDX(3, 48),
			.l1a_eax = LEAF_1A(CPUID_1A_CORE_TYPE_ATOM, 0),
			.l23_0_eax = LEAF_23_0_EAX_V6, .l23_0_ebx = LEAF_23_0_EBX_V6,
			.l23_1_eax = 0xff, .l23_1_ebx = 0x77,
			/* not published; the narrower masks of Panther Lake fit either way */
			.l23_2_eax = 0xfc, .l23_2_ebx = 0x7, .l23_2_ecx = 0xfc, .l23_2_edx = 0x7,
			.perf_capabilities = PERF_CAP_FW_WRITES,
		},
	},
	{
		.name = "sierraforest", .short_name = "srf", .core = "Crestmont",
		.cpuid = {
			.l1_eax = 0x000a06f0,
			.la_eax = LEAF_A_EAX(5, 8, 48), .la_ecx = 0x7, .la_edx = LEAF_A_EDX(3, 48),
			.perf_capabilities = PERF_CAP_FW_WRITES,
		},
	},
	{
		.name = "grandridge", .short_name = "grr", .core = "Crestmont",
		.cpuid = {
			.l1_eax = 0x000b0660,
			.la_eax = LEAF_A_EAX(5, 8, 48), .la_ecx = 0x7, .la_edx = LEAF_A_EDX(3, 48),
			.perf_capabilities = PERF_CAP_FW_WRITES,
		},
	},
	{
		.name = "crestmont", .short_name = "cmt", .core = "Crestmont",
		.cpuid = {
			.l1_eax = 0x000a06a0,
			.la_eax = LEAF_A_EAX(5, 8, 48), .la_ecx = 0x7, .la_edx = LEAF_A_EDX(3, 48),
			.l1a_eax = LEAF_1A(CPUID_1A_CORE_TYPE_ATOM, NATIVE_CRESTMONT),
			.perf_capabilities = PERF_CAP_FW_WRITES,
		},
	},
	{
		.name = "gracemont", .short_name = "adl_grt", .core = "Gracemont",
		.cpuid = {
			.l1_eax = 0x000b06e0,
			.la_eax = LEAF_A_EAX(5, 6, 48), .la_ecx = 0x7, .la_edx = LEAF_A_EDX(3, 48),
			.perf_capabilities = PERF_CAP_FW_WRITES,
		},
	},
	{
		.name = "panthercove", .short_name = "pnc", .core = "Panther Cove",
		.cpuid = {
			.l1_eax = 0x00400f10,
			.l7_1_eax = CPUID_7_1_EAX_PERFMON_EXT,
			.la_eax = LEAF_A_EAX(6, 8, 48), .la_ecx = 0xf, .la_edx = LEAF_A_EDX(4, 48),
			.l23_0_eax = LEAF_23_0_EAX_V6, .l23_0_ebx = LEAF_23_0_EBX_V6,
			.l23_1_eax = 0xff, .l23_1_ebx = 0xf,
			/* not published; the narrower masks of Panther Lake's E-cores may fit */
			.l23_2_eax = 0xfc, .l23_2_ebx = 0x7, .l23_2_ecx = 0xfc, .l23_2_edx = 0x7,
			.perf_capabilities = PERF_CAP_FW_WRITES,
		},
	},
	{
		.name = "coyotecove", .short_name = "cyc", .core = "Coyote Cove",
		.cpuid = {
			.l1_eax = 0x00300f10,
			.l7_1_eax = CPUID_7_1_EAX_PERFMON_EXT,
			.la_eax = LEAF_A_EAX(6, 8, 48), .la_ecx = 0x7, .la_edx = LEAF_A_EDX(3, 48),
			.l1a_eax = LEAF_1A(CPUID_1A_CORE_TYPE_CORE, 0),
			.l23_0_eax = LEAF_23_0_EAX_V6, .l23_0_ebx = LEAF_23_0_EBX_V6,
			.l23_1_eax = 0x3ff, .l23_1_ebx = 0xf,
			/* not published; the narrower masks of Panther Lake's E-cores may fit */
			.l23_2_eax = 0xfc, .l23_2_ebx = 0x7, .l23_2_ecx = 0xfc, .l23_2_edx = 0x7,
			.perf_capabilities = PERF_CAP_FW_WRITES,
		},
	},
	{
		.name = "lioncove", .short_name = "lnc", .core = "Lion Cove",
		.cpuid = {
			.l1_eax = 0x000b06d0,
			.l7_1_eax = CPUID_7_1_EAX_PERFMON_EXT,
			.la_eax = LEAF_A_EAX(6, 8, 48), .la_ecx = 0x7, .la_edx = LEAF_A_EDX(3, 48),
			.l1a_eax = LEAF_1A(CPUID_1A_CORE_TYPE_CORE, NATIVE_LIONCOVE),
			.l23_0_eax = CPUID_23_0_EAX_COUNTERS, .l23_0_ebx = LEAF_23_0_EBX_V6,
			.l23_1_eax = 0x3ff, .l23_1_ebx = 0xf,
			.perf_capabilities = PERF_CAP_FW_WRITES,
		},
	},
	{
		.name = "redwoodcove", .short_name = "rwc", .core = "Redwood Cove",
		.cpuid = {
			.l1_eax = 0x000a06d0,
			.la_eax = LEAF_A_EAX(5, 8, 48), .la_ecx = 0xf, .la_edx = LEAF_A_EDX(4, 48),
			.perf_capabilities = PERF_CAP_FW_WRITES,
		},
	},
	{
		.name = "goldencove", .short_name = "adl_glc", .core = "Golden Cove",
		.cpuid = {
			.l1_eax = 0x000806f0,
			.la_eax = LEAF_A_EAX(5, 8, 48), .la_ecx = 0xf, .la_edx = LEAF_A_EDX(4, 48),
			.perf_capabilities = PERF_CAP_FW_WRITES,
		},
	},
	{
		.name = "icelake", .short_name = "icl", .core = "Sunny Cove",
		.cpuid = {
			.l1_eax = 0x000706e0,
			.la_eax = LEAF_A_EAX(5, 8, 48), .la_ecx = 0xf, .la_edx = LEAF_A_EDX(4, 48),
			.perf_capabilities = PERF_CAP_FW_WRITES,
		},
	},
	{
		.name = "skylake", .short_name = "skl", .core = "Skylake",
		.cpuid = {
			.l1_eax = 0x000506e0,
			/* with both threads of a core on */
			.la_eax = LEAF_A_EAX(4, 4, 48), .la_edx = LEAF_A_EDX(3, 48),
			.perf_capabilities = PERF_CAP_FW_WRITES,
		},
	},
	{
		.name = "tremont", .short_name = "tmt", .core = "Tremont",
		.cpuid = {
			.l1_eax = 0x00080660,
			.la_eax = LEAF_A_EAX(5, 4, 48), .la_ecx = 0x7, .la_edx = LEAF_A_EDX(3, 48),
			.perf_capabilities = PERF_CAP_FW_WRITES,
		},
	},
	{
		.name = "goldmontplus", .short_name = "glp", .core = "Goldmont Plus",
		.cpuid = {
			.l1_eax = 0x000706a0,
			.la_eax = LEAF_A_EAX(4, 4, 48), .la_edx = LEAF_A_EDX(3, 48),
			.perf_capabilities = PERF_CAP_FW_WRITES,
		},
	},
	{
		.name = "goldmont", .short_name = "glm", .core = "Goldmont",
		.cpuid = {
			.l1_eax = 0x000506c0,
			.la_eax = LEAF_A_EAX(4, 4, 48), .la_edx = LEAF_A_EDX(3, 48),
			.perf_capabilities = PERF_CAP_FW_WRITES,
		},
	},
	{
		.name = "architectural", .short_name = "arch", .core = "unknown core",
		.cpuid = {
			.la_eax = LEAF_A_EAX(2, 4, 48), .la_edx = LEAF_A_EDX(3, 48),
		},
	},
};

/* Most names differ in their first two letters. */
static bool same(const char *a, const char *b)
{
	return *a == *b && a[!!*a] == b[!!*a] && !strcmp(a, b);
}

const struct cpu_row *acrpmu_cpu_table_row(const struct acrpmu_model *model)
{
	const struct cpu_row *row = rows;

	while (!same(row->name, model->name))
		row++;
	return row;
}

/* Cores that have the row of an older one, without stepping. */
static const struct {
	const char *name;
	u32 signature;
	const char *core;
} other_cores[] = {
	{ "lioncove", 0x000c06c0, "Cougar Cove" },	/* Panther Lake */
	{ "lioncove", 0x000d0650, "Cougar Cove" },
	{ "lioncove", 0x000e0650, "Cougar Cove" },
};

const char *acrpmu_cpu_table_core(const struct acrpmu_model *model, u32 signature)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(other_cores); i++) {
		if (other_cores[i].signature == (signature & ~SIGNATURE_STEPPING) &&
		    !strcmp(other_cores[i].name, model->name))
			return other_cores[i].core;
	}
	return acrpmu_cpu_table_row(model)->core;
}

const struct acrpmu_model *acrpmu_cpu_table_model(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (same(rows[i].name, name) || same(rows[i].short_name, name))
			return acrpmu_model_next(NULL) + i;
	}
	return NULL;
}
