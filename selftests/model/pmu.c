// SPDX-License-Identifier: GPL-2.0-only
/* The register file: MSR numbers, access rules and the reset state. */
#include <string.h>

#include "pmu.h"

/* The registers behind MSR numbers */
enum reg_type {
	REG_NOT_MINE,
	REG_ABSENT,
	REG_CNTR,		/* full-width counter */
	REG_CNTR_LEGACY,	/* the same counter; a write sign-extends 32 bits */
	REG_EVTSEL,
	REG_CFG_B,
	REG_CFG_C,
	REG_FIXED_CTRL,
	REG_GLOBAL_CTRL,
	REG_GLOBAL_STATUS,
	REG_STATUS_RESET,
	REG_STATUS_SET,
	REG_INUSE,
	REG_PERF_CAPABILITIES,
	REG_DEBUGCTL,
	REG_OFFCORE,
	REG_STORED,
	REG_METRICS,
	REG_PEBS,		/* where records go, of which there are none */
};

struct reg {
	enum reg_type type;
	unsigned int idx;	/* counter, or number among registers of one type */
};

static struct reg reg_of(enum reg_type type, unsigned int idx, bool present)
{
	return (struct reg){ present ? type : REG_ABSENT, idx };
}

static bool has_gp(const struct profile *p, unsigned int n)
{
	return n < PMU_MAX_GP && p->gp_cntrs >> n & 1;
}

static bool has_fixed(const struct profile *p, unsigned int n)
{
	return n < PMU_MAX_FIXED && p->fixed_cntrs >> n & 1;
}

static bool has_metrics(const struct profile *p)
{
	return p->perf_capabilities & PERF_CAP_METRICS;
}

static struct reg decode_v6(const struct profile *p, uint32_t msr)
{
	bool fixed = msr >= MSR_IA32_PMC_V6_FX0;
	unsigned int off = msr - (fixed ? MSR_IA32_PMC_V6_FX0 : MSR_IA32_PMC_V6_GP0);
	unsigned int n = off / PMC_V6_STRIDE;
	unsigned int idx = fixed ? PMU_FIXED_BASE + n : n;
	bool present = p->version >= 6 && (fixed ? has_fixed(p, n) : has_gp(p, n));

	switch (off % PMC_V6_STRIDE) {
	case PMC_V6_CTR:
		return reg_of(REG_CNTR, idx, present);
	case PMC_V6_CFG_A:
		return reg_of(REG_EVTSEL, idx, present && !fixed);
	case PMC_V6_CFG_B:
		return reg_of(REG_CFG_B, idx, present);
	default:
		return reg_of(REG_CFG_C, idx, present);
	}
}

static struct reg decode_global(const struct profile *p, uint32_t msr)
{
	switch (msr) {
	case MSR_IA32_PERF_CAPABILITIES:
		return reg_of(REG_PERF_CAPABILITIES, 0, p->perf_capabilities);
	case MSR_IA32_FIXED_CTR_CTRL:
		return reg_of(REG_FIXED_CTRL, 0, p->version >= 2);
	case MSR_IA32_PERF_GLOBAL_STATUS:
		return reg_of(REG_GLOBAL_STATUS, 0, p->version >= 2);
	case MSR_IA32_PERF_GLOBAL_CTRL:
		return reg_of(REG_GLOBAL_CTRL, 0, p->version >= 2);
	case MSR_IA32_PERF_GLOBAL_OVF_CTRL:
		return reg_of(REG_STATUS_RESET, 0, p->version >= 2);
	case MSR_IA32_PERF_GLOBAL_STATUS_SET:
		return reg_of(REG_STATUS_SET, 0, p->version >= 4);
	case MSR_IA32_PERF_GLOBAL_INUSE:
		return reg_of(REG_INUSE, 0, p->version >= 4);
	case MSR_OFFCORE_RSP_0:
	case MSR_OFFCORE_RSP_1:
		return reg_of(REG_OFFCORE, msr - MSR_OFFCORE_RSP_0,
			      p->offcore_valid[msr - MSR_OFFCORE_RSP_0]);
	case MSR_PERF_METRICS:
		return reg_of(REG_METRICS, 0, has_metrics(p));
	case MSR_IA32_DEBUGCTL:
		return reg_of(p->version ? REG_DEBUGCTL : REG_NOT_MINE, 0, true);
	case MSR_IA32_PEBS_BASE:
	case MSR_IA32_PEBS_INDEX:
		return reg_of(REG_PEBS, msr - MSR_IA32_PEBS_BASE, p->pebs_cntrs);
	case MSR_OMR_0:
	case MSR_OMR_1:
	case MSR_OMR_2:
	case MSR_OMR_3:
	case MSR_IA32_PEBS_ENABLE:
	case MSR_PEBS_DATA_CFG:
	case MSR_PEBS_LD_LAT:
	case MSR_PEBS_FRONTEND:
	case MSR_IA32_DS_AREA:
		return reg_of(REG_ABSENT, 0, false);
	}
	return reg_of(REG_NOT_MINE, 0, true);
}

static struct reg decode(const struct profile *p, uint32_t msr)
{
	unsigned int n;

	for (n = 0; n < PROFILE_MAX_STORED && p->stored[n].msr; n++)
		if (p->stored[n].msr == msr)
			return reg_of(REG_STORED, n, true);

	if (msr >= MSR_IA32_PMC_V6_GP0 && msr <= MSR_IA32_PMC_V6_LAST)
		return decode_v6(p, msr);
	n = msr - MSR_IA32_PMC0;
	if (n < PMU_MAX_GP)
		return reg_of(REG_CNTR_LEGACY, n, has_gp(p, n));
	n = msr - MSR_IA32_A_PMC0;
	if (n < PMU_MAX_GP)
		return reg_of(REG_CNTR, n,
			      has_gp(p, n) && p->perf_capabilities & PERF_CAP_FW_WRITE);
	n = msr - MSR_IA32_PERFEVTSEL0;
	if (n < PMU_MAX_GP)
		return reg_of(REG_EVTSEL, n, has_gp(p, n));
	n = msr - MSR_IA32_FIXED_CTR0;
	if (n < PMU_MAX_FIXED)
		return reg_of(REG_CNTR, PMU_FIXED_BASE + n, has_fixed(p, n));
	return decode_global(p, msr);
}

static uint64_t fixed_ctrl_valid(const struct profile *p)
{
	uint64_t valid = 0;
	unsigned int i;

	for (i = 0; i < PMU_MAX_FIXED; i++)
		if (has_fixed(p, i))
			valid |= (p->fixed_valid |
				  (p->rdpmc_disable ? FIXED_CTR_CTRL_RDPMC_DISABLE : 0)) <<
				 i * FIXED_CTR_CTRL_BITS;
	return valid;
}

/* Bits of GLOBAL_CTRL, which GLOBAL_STATUS has, too */
static uint64_t global_valid(const struct profile *p)
{
	return profile_cntrs(p) | (has_metrics(p) ? GLOBAL_PERF_METRICS : 0);
}

/* Bits of GLOBAL_STATUS that the set and reset registers accept */
static uint64_t status_valid(const struct profile *p, bool reset)
{
	uint64_t valid = global_valid(p) | GLOBAL_STATUS_OVF_BUFFER;

	if (p->version >= 4)
		valid |= GLOBAL_STATUS_V4_OTHER;
	if (reset)
		valid |= GLOBAL_STATUS_COND_CHGD;
	return valid;
}

static enum pmu_access check_bits(uint64_t value, uint64_t valid, enum pmu_access otherwise)
{
	return value & ~valid ? otherwise : PMU_OK;
}

static uint64_t cfg_c_valid(const struct profile *p, unsigned int idx)
{
	if (p->pebs_cntrs >> idx & 1)
		return PMC_CFG_C_RELOAD | PMC_CFG_C_PEBS_GROUPS | PMC_CFG_C_PEBS_EN;
	return PMC_CFG_C_RELOAD;
}

/* Sub-leaves 2 and 5 of leaf 23H name the counters that have these registers */
static bool has_cfg(const struct profile *p, struct reg r)
{
	uint64_t cntrs = p->acr_reload_cntrs;

	if (r.type == REG_CFG_C)
		cntrs |= p->pebs_cntrs;
	return cntrs >> r.idx & 1;
}

static enum pmu_access check_write(const struct profile *p, struct reg r, uint64_t value)
{
	switch (r.type) {
	case REG_CNTR:
		return check_bits(value, MASK_ULL(p->width), PMU_GP_WIDTH);
	case REG_EVTSEL:
		return check_bits(value, p->evtsel_valid, PMU_GP_RESERVED);
	case REG_CFG_B:
		return check_bits(value, p->acr_cause_cntrs, PMU_GP_CAUSE);
	case REG_CFG_C:
		return check_bits(value, cfg_c_valid(p, r.idx), PMU_GP_RELOAD_RANGE);
	case REG_FIXED_CTRL:
		return check_bits(value, fixed_ctrl_valid(p), PMU_GP_RESERVED);
	case REG_GLOBAL_CTRL:
		return check_bits(value, global_valid(p), PMU_GP_RESERVED);
	case REG_STATUS_RESET:
		return check_bits(value, status_valid(p, true), PMU_GP_RESERVED);
	case REG_STATUS_SET:
		return check_bits(value, status_valid(p, false), PMU_GP_RESERVED);
	case REG_DEBUGCTL:
		return check_bits(value, p->hypervisor ? DEBUGCTL_KVM_VALID : DEBUGCTL_VALID,
				  PMU_GP_RESERVED);
	case REG_OFFCORE:
		return check_bits(value, p->offcore_valid[r.idx], PMU_GP_RESERVED);
	case REG_STORED:
		return check_bits(value, p->stored[r.idx].valid, PMU_GP_RESERVED);
	case REG_GLOBAL_STATUS:
	case REG_INUSE:
	case REG_PERF_CAPABILITIES:
		return PMU_GP_READ_ONLY;
	default:
		return PMU_OK;
	}
}

static enum pmu_access check_reg(const struct profile *p, struct reg r, bool write,
				 uint64_t value)
{
	if (r.type == REG_NOT_MINE)
		return PMU_NOT_MINE;
	if (r.type == REG_ABSENT)
		return PMU_GP_ABSENT;
	if ((r.type == REG_CFG_B || r.type == REG_CFG_C) && !has_cfg(p, r))
		return PMU_GP_NOT_RELOADABLE;
	return write ? check_write(p, r, value) : PMU_OK;
}

bool pmu_shares(const struct pmu *pmu, uint32_t msr)
{
	return decode(pmu->profile, msr).type == REG_OFFCORE;
}

enum pmu_access pmu_check(const struct pmu *pmu, uint32_t msr, bool write, uint64_t value)
{
	return check_reg(pmu->profile, decode(pmu->profile, msr), write, value);
}

static uint64_t inuse(const struct pmu *pmu)
{
	uint64_t mask = 0;
	unsigned int i;

	for (i = 0; i < PMU_MAX_GP; i++) {
		if (pmu->evtsel[i] & EVTSEL_EVENT)
			mask |= BIT_ULL(i);
		if (pmu->evtsel[i] & EVTSEL_INT)
			mask |= GLOBAL_INUSE_PMI;
	}
	for (i = 0; i < PMU_MAX_FIXED; i++) {
		unsigned int f = pmu->fixed_ctrl >> i * FIXED_CTR_CTRL_BITS;

		if (f & FIXED_CTR_CTRL_EN)
			mask |= BIT_ULL(PMU_FIXED_BASE + i);
		if (f & FIXED_CTR_CTRL_PMI)
			mask |= GLOBAL_INUSE_PMI;
	}
	return mask;
}

enum pmu_access pmu_rdmsr(const struct pmu *pmu, uint32_t msr, uint64_t *value)
{
	struct reg r = decode(pmu->profile, msr);
	enum pmu_access access = check_reg(pmu->profile, r, false, 0);

	if (access != PMU_OK)
		return access;
	switch (r.type) {
	case REG_CNTR:
	case REG_CNTR_LEGACY:
		*value = pmu->cntr[r.idx].value;
		break;
	case REG_EVTSEL:
		*value = pmu->evtsel[r.idx];
		break;
	case REG_CFG_B:
		*value = pmu->cfg_b[r.idx];
		break;
	case REG_CFG_C:
		*value = pmu->cfg_c[r.idx];
		break;
	case REG_FIXED_CTRL:
		*value = pmu->fixed_ctrl;
		break;
	case REG_GLOBAL_CTRL:
		*value = pmu->global_ctrl;
		break;
	case REG_GLOBAL_STATUS:
		*value = pmu->global_status;
		break;
	case REG_INUSE:
		*value = inuse(pmu);
		break;
	case REG_PERF_CAPABILITIES:
		*value = pmu->profile->perf_capabilities;
		break;
	case REG_PEBS:
		*value = pmu->pebs[r.idx];
		break;
	case REG_DEBUGCTL:
		*value = pmu->debugctl;
		break;
	case REG_OFFCORE:
		*value = __atomic_load_n(&pmu->shared->offcore_rsp[r.idx], __ATOMIC_ACQUIRE);
		break;
	case REG_STORED:
		*value = pmu->profile->stored[r.idx].thread ? pmu->stored[r.idx] :
			 __atomic_load_n(&pmu->shared->stored[r.idx], __ATOMIC_ACQUIRE);
		break;
	case REG_METRICS:
		*value = pmu->metrics;
		break;
	default:
		/* The status set and reset registers read as zero */
		*value = 0;
	}
	return PMU_OK;
}

static void set_evtsel(struct pmu *pmu, unsigned int i, uint64_t value)
{
	if (pmu->evtsel[i] != value)
		pmu->cntr[i].filter = (struct cycle_filter){ 0 };
	pmu->evtsel[i] = value;
}

static void write_reg(struct pmu *pmu, struct reg r, uint64_t value)
{
	uint64_t width = MASK_ULL(pmu->profile->width);

	switch (r.type) {
	case REG_CNTR:
		pmu->cntr[r.idx].value = value;
		break;
	case REG_CNTR_LEGACY:
		pmu->cntr[r.idx].value = (uint64_t)(int32_t)(value & PMC_CFG_C_RELOAD) & width;
		break;
	case REG_EVTSEL:
		set_evtsel(pmu, r.idx, value);
		break;
	case REG_CFG_B:
		pmu->cfg_b[r.idx] = value;
		break;
	case REG_CFG_C:
		pmu->cfg_c[r.idx] = value;
		break;
	case REG_FIXED_CTRL:
		pmu->fixed_ctrl = value;
		break;
	case REG_GLOBAL_CTRL:
		pmu->global_ctrl = value;
		break;
	case REG_STATUS_RESET:
		pmu->global_status &= ~value;
		break;
	case REG_STATUS_SET:
		pmu->global_status |= value;
		break;
	case REG_PEBS:
		pmu->pebs[r.idx] = value;
		break;
	case REG_DEBUGCTL:
		pmu->debugctl = value;
		break;
	case REG_OFFCORE:
		__atomic_store_n(&pmu->shared->offcore_rsp[r.idx], value, __ATOMIC_RELEASE);
		__atomic_add_fetch(&pmu->shared->writes, 1, __ATOMIC_ACQ_REL);
		break;
	case REG_STORED:
		if (pmu->profile->stored[r.idx].thread)
			pmu->stored[r.idx] = value;
		else
			__atomic_store_n(&pmu->shared->stored[r.idx], value, __ATOMIC_RELEASE);
		break;
	case REG_METRICS:
		pmu->metrics = value;
		break;
	default:
		break;
	}
}

enum pmu_access pmu_wrmsr(struct pmu *pmu, uint32_t msr, uint64_t value)
{
	struct reg r = decode(pmu->profile, msr);
	enum pmu_access access = check_reg(pmu->profile, r, true, value);

	if (access != PMU_OK)
		return access;
	write_reg(pmu, r, value);
	if (r.type != REG_CNTR && r.type != REG_CNTR_LEGACY)
		pmu_refresh(pmu);
	return PMU_OK;
}

static bool is_kept_from_user(const struct pmu *pmu, bool fixed, unsigned int n)
{
	if (fixed)
		return pmu->fixed_ctrl >> n * FIXED_CTR_CTRL_BITS & FIXED_CTR_CTRL_RDPMC_DISABLE;
	return pmu->evtsel[n] & EVTSEL_RDPMC_DISABLE;
}

bool pmu_rdpmc(const struct pmu *pmu, uint32_t ecx, bool user, uint32_t *msr, uint64_t *value)
{
	unsigned int n = ecx & RDPMC_INDEX, fixed = ecx & RDPMC_FIXED;

	if (ecx == RDPMC_METRICS && has_metrics(pmu->profile)) {
		*msr = MSR_PERF_METRICS;
		*value = pmu->metrics;
		return true;
	}
	if (ecx & ~(uint32_t)(RDPMC_FIXED | RDPMC_INDEX) ||
	    !(fixed ? has_fixed(pmu->profile, n) : has_gp(pmu->profile, n)))
		return false;
	*msr = (fixed ? MSR_IA32_PMC_V6_FX0 : MSR_IA32_PMC_V6_GP0) + n * PMC_V6_STRIDE;
	*value = user && is_kept_from_user(pmu, fixed, n) ? 0 :
		 pmu->cntr[fixed ? PMU_FIXED_BASE + n : n].value;
	return true;
}

static uint8_t levels(bool usr, bool os)
{
	return usr << LEVEL_USER | os << LEVEL_KERNEL;
}

static void refresh_gp(struct pmu *pmu, unsigned int i, const uint64_t offcore_rsp[2])
{
	uint64_t evtsel = pmu->evtsel[i];
	struct cntr *c = &pmu->cntr[i];

	c->kinds = event_kinds(evtsel, pmu->profile->kind == PROFILE_P_CORE,
			       pmu->profile->offcore, offcore_rsp);
	if (pmu->profile->one_cntr_events)
		c->kinds |= event_one_cntr_kinds(evtsel, i);
	c->levels = levels(evtsel & EVTSEL_USR, evtsel & EVTSEL_OS);
	c->pmi = evtsel & EVTSEL_INT;
	/* INV without CMASK has no effect; EDGE and EQ do */
	c->filter.on = evtsel & (EVTSEL_CMASK | EVTSEL_EDGE | EVTSEL_EQ);
	if (evtsel & EVTSEL_EN && c->levels)
		pmu->enabled |= BIT_ULL(i);
}

static void refresh_fixed(struct pmu *pmu, unsigned int i)
{
	unsigned int f = pmu->fixed_ctrl >> i * FIXED_CTR_CTRL_BITS;
	struct cntr *c = &pmu->cntr[PMU_FIXED_BASE + i];

	c->kinds = event_fixed_kinds(i);
	c->levels = levels(f & FIXED_CTR_CTRL_USR, f & FIXED_CTR_CTRL_OS);
	c->pmi = f & FIXED_CTR_CTRL_PMI;
	if (c->levels)
		pmu->enabled |= BIT_ULL(PMU_FIXED_BASE + i);
}

void pmu_refresh(struct pmu *pmu)
{
	uint64_t offcore_rsp[2];
	unsigned int i;

	/* first, so that later writes are noticed */
	pmu->seen_writes = __atomic_load_n(&pmu->shared->writes, __ATOMIC_ACQUIRE);
	for (i = 0; i < 2; i++)
		offcore_rsp[i] = __atomic_load_n(&pmu->shared->offcore_rsp[i], __ATOMIC_ACQUIRE);
	pmu->enabled = 0;
	for (i = 0; i < PMU_MAX_GP; i++)
		refresh_gp(pmu, i, offcore_rsp);
	for (i = 0; i < PMU_MAX_FIXED; i++)
		refresh_fixed(pmu, i);
	pmu->enabled &= pmu->global_ctrl;
	if (pmu->global_status & GLOBAL_STATUS_CTR_FRZ)
		pmu->enabled = 0;
}

void pmu_catch_up(struct pmu *pmu)
{
	if (__atomic_load_n(&pmu->shared->writes, __ATOMIC_ACQUIRE) != pmu->seen_writes)
		pmu_refresh(pmu);
}

void pmu_reset(struct pmu *pmu, const struct profile *profile, struct pmu_shared *shared)
{
	memset(pmu, 0, sizeof(*pmu));
	memset(shared, 0, sizeof(*shared));
	pmu->profile = profile;
	pmu->shared = shared;
	/* SDM vol. 3, "IA-32 Processor States Following Power-up, Reset, or INIT" */
	pmu->global_ctrl = profile->gp_cntrs;
	pmu_refresh(pmu);
}

const char *pmu_access_name(enum pmu_access access)
{
	static const char *const names[NR_PMU_ACCESS] = {
		[PMU_OK] = "ok",
		[PMU_NOT_MINE] = "not a PMU register",
		[PMU_GP_ABSENT] = "absent",
		[PMU_GP_READ_ONLY] = "read-only",
		[PMU_GP_RESERVED] = "reserved bit",
		[PMU_GP_WIDTH] = "wider than the counter",
		[PMU_GP_CAUSE] = "cause cannot reload",
		[PMU_GP_NOT_RELOADABLE] = "counter is not reloadable",
		[PMU_GP_RELOAD_RANGE] = "reload value beyond 32 bits",
		[PMU_GP_INJECTED] = "injected",
	};

	return names[access];
}
