// SPDX-License-Identifier: GPL-2.0-only
/* Event encoding: select, umask and modifiers to and from a config word and control values. */
#include "event.h"
#include "../regs.h"

#define EVENT_UMASK	(PERFEVTSEL_EVENT | PERFEVTSEL_UMASK)
#define GP_CNTRS	GENMASK_ULL(ACRPMU_FIXED_BASE - 1, 0)

/* vol. 3, "Pre-defined Architectural Performance Events": by bit of CPUID.0AH:EBX */
static const u16 architectural_events[] = {
	0x003c, 0x00c0, 0x013c, 0x4f2e, 0x412e, 0x00c4, 0x00c5,
	0x01a4, 0x02a4, 0x0073, 0x019c, 0x02c2, 0x01e4,
};

u64 acrpmu_event_config(const struct acrpmu_event_fields *fields)
{
	return fields->select |
	       (u64)fields->umask << PERFEVTSEL_UMASK_SHIFT |
	       (u64)fields->cmask << PERFEVTSEL_CMASK_SHIFT |
	       (u64)fields->umask2 << PERFEVTSEL_UMASK2_SHIFT |
	       (fields->edge ? PERFEVTSEL_EDGE : 0) |
	       (fields->inv ? PERFEVTSEL_INV : 0) |
	       (fields->eq ? PERFEVTSEL_EQ : 0);
}

void acrpmu_event_split(u64 config, struct acrpmu_event_fields *fields)
{
	fields->select = config & PERFEVTSEL_EVENT;
	fields->umask = (config & PERFEVTSEL_UMASK) >> PERFEVTSEL_UMASK_SHIFT;
	fields->cmask = (config & PERFEVTSEL_CMASK) >> PERFEVTSEL_CMASK_SHIFT;
	fields->umask2 = (config & PERFEVTSEL_UMASK2) >> PERFEVTSEL_UMASK2_SHIFT;
	fields->edge = config & PERFEVTSEL_EDGE;
	fields->inv = config & PERFEVTSEL_INV;
	fields->eq = config & PERFEVTSEL_EQ;
}

u64 acrpmu_event_config_all(void)
{
	return EVENT_UMASK | PERFEVTSEL_EDGE | PERFEVTSEL_INV |
	       PERFEVTSEL_CMASK | PERFEVTSEL_UMASK2 |
	       PERFEVTSEL_EQ;
}

u64 acrpmu_event_evtsel(u64 config, u32 flags)
{
	return config | PERFEVTSEL_EN |
	       (flags & ACRPMU_EVENT_USER ? PERFEVTSEL_USR : 0) |
	       (flags & ACRPMU_EVENT_KERNEL ? PERFEVTSEL_OS : 0) |
	       (flags & ACRPMU_EVENT_SAMPLED ? PERFEVTSEL_INT : 0);
}

u64 acrpmu_event_fixed_ctrl(unsigned int fixed, u32 flags)
{
	u64 bits = (flags & ACRPMU_EVENT_USER ? FIXED_CTR_CTRL_USR : 0) |
		   (flags & ACRPMU_EVENT_KERNEL ? FIXED_CTR_CTRL_OS : 0) |
		   (flags & ACRPMU_EVENT_SAMPLED ? FIXED_CTR_CTRL_PMI : 0);

	return bits << (FIXED_CTR_CTRL_BITS * fixed);
}

u64 acrpmu_event_fixed_field(const struct acrpmu_caps *caps, unsigned int fixed)
{
	u64 field = FIXED_CTR_CTRL_FIELD | (caps->rdpmc_disable ? FIXED_CTR_CTRL_RDPMC_DISABLE : 0);

	return field << (FIXED_CTR_CTRL_BITS * fixed);
}

u64 acrpmu_event_canonical(const struct acrpmu_caps *caps, u64 config)
{
	const struct acrpmu_model *model = caps->model;
	unsigned int i;

	for (i = 0; i < model->nr_fixed_events; i++) {
		const struct acrpmu_fixed_event *fixed = &model->fixed_events[i];

		if ((config & EVENT_UMASK) == fixed->pseudo && fixed->config)
			return (config & ~EVENT_UMASK) | fixed->config;
	}
	return config;
}

u64 acrpmu_event_architectural(u64 config)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(architectural_events); i++) {
		if ((config & (EVENT_UMASK | PERFEVTSEL_UMASK2)) == architectural_events[i])
			return BIT_ULL(i);
	}
	return 0;
}

u64 acrpmu_event_fixed_cntrs(const struct acrpmu_caps *caps, u64 config)
{
	u64 real = acrpmu_event_canonical(caps, config);
	const struct acrpmu_model *model = caps->model;
	u64 cntrs = 0;
	unsigned int i;

	for (i = 0; i < model->nr_fixed_events; i++) {
		const struct acrpmu_fixed_event *fixed = &model->fixed_events[i];

		/* compared whole: with a modifier it is not what the fixed counter counts */
		if (real == (fixed->config ? fixed->config : fixed->pseudo))
			cntrs |= BIT_ULL(ACRPMU_FIXED_BASE + fixed->fixed);
	}
	return cntrs & caps->cntrs;
}

bool acrpmu_event_is_architectural(const struct acrpmu_caps *caps, u64 config)
{
	u64 bit = acrpmu_event_architectural(acrpmu_event_canonical(caps, config));

	/* that of fixed counter 2 has no bit */
	return bit ? !(caps->lacking_events & bit) : acrpmu_event_fixed_cntrs(caps, config);
}

u64 acrpmu_event_gp_cntrs(const struct acrpmu_caps *caps, u64 config)
{
	u64 real = acrpmu_event_canonical(caps, config);
	const struct acrpmu_model *model = caps->model;
	unsigned int i;

	/* event select 0 is no event; perf uses it for pseudo codes */
	if (!(real & PERFEVTSEL_EVENT))
		return 0;

	for (i = 0; i < model->nr_constraints; i++) {
		const struct acrpmu_event_constraint *constraint = &model->constraints[i];

		if ((real & constraint->config_mask) == constraint->config)
			return constraint->cntrs & caps->cntrs & GP_CNTRS;
	}
	return caps->cntrs & GP_CNTRS;
}
