/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The generic libpfm 3 interface, as far as encoding for Montecito needs it. */
#ifndef __PFMLIB_H__
#define __PFMLIB_H__

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* This library follows the names and results of libpfm 3.10. */
#define PFMLIB_VERSION		(3 << 16 | 10)
#define PFMLIB_MAJ_VERSION(v)	((v) >> 16)
#define PFMLIB_MIN_VERSION(v)	((v) & 0xffff)

#define PFMLIB_MAX_PMCS			512	/* entries of pfp_pmcs */
#define PFMLIB_MAX_PMDS			512	/* entries of pfp_pmds */
#define PFMLIB_MAX_MASKS_PER_EVENT	48
#define PFMLIB_REG_MAX			512	/* registers that a pfmlib_regmask_t holds */

#define PFMLIB_ULONG_BITS		(8 * sizeof(unsigned long))
#define PFMLIB_REG_BV			(PFMLIB_REG_MAX / PFMLIB_ULONG_BITS)

/* Types of PMU; only PFMLIB_MONTECITO_PMU can be selected. */
#define PFMLIB_NO_PMU			(-1)
#define PFMLIB_UNKNOWN_PMU		0
#define PFMLIB_GEN_IA64_PMU		1
#define PFMLIB_ITANIUM_PMU		2
#define PFMLIB_ITANIUM2_PMU		3
#define PFMLIB_MONTECITO_PMU		4

/* Privilege levels, to be or-ed; 0 is the kernel's, 3 the user's. */
#define PFM_PLM0			0x1
#define PFM_PLM1			0x2
#define PFM_PLM2			0x4
#define PFM_PLM3			0x8

/* pfp_flags: the counters belong to a CPU, not to a thread. */
#define PFMLIB_PFP_SYSTEMWIDE		0x1

/* Return values; pfm_strerror() describes them. */
#define PFMLIB_SUCCESS			0
#define PFMLIB_ERR_NOTSUPP		(-1)
#define PFMLIB_ERR_INVAL		(-2)
#define PFMLIB_ERR_NOINIT		(-3)
#define PFMLIB_ERR_NOTFOUND		(-4)
#define PFMLIB_ERR_NOASSIGN		(-5)
#define PFMLIB_ERR_FULL			(-6)
#define PFMLIB_ERR_EVTMANY		(-7)
#define PFMLIB_ERR_MAGIC		(-8)
#define PFMLIB_ERR_FEATCOMB		(-9)
#define PFMLIB_ERR_EVTSET		(-10)
#define PFMLIB_ERR_EVTINCOMP		(-11)
#define PFMLIB_ERR_TOOMANY		(-12)
#define PFMLIB_ERR_IRRTOOBIG		(-13)
#define PFMLIB_ERR_IRREMPTY		(-14)
#define PFMLIB_ERR_IRRINVAL		(-15)
#define PFMLIB_ERR_IRRTOOMANY		(-16)
#define PFMLIB_ERR_DRRINVAL		(-17)
#define PFMLIB_ERR_DRRTOOMANY		(-18)
#define PFMLIB_ERR_BADHOST		(-19)
#define PFMLIB_ERR_IRRALIGN		(-20)
#define PFMLIB_ERR_IRRFLAGS		(-21)
#define PFMLIB_ERR_UMASK		(-22)
#define PFMLIB_ERR_NOMEM		(-23)

/**
 * struct pfmlib_regmask_t - a set of registers
 * @bits: register n is bit n % PFMLIB_ULONG_BITS of element n / PFMLIB_ULONG_BITS
 */
typedef struct {
	unsigned long bits[PFMLIB_REG_BV];
} pfmlib_regmask_t;

/**
 * struct pfmlib_event_t - an event to be counted
 * @event: descriptor from pfm_find_event()
 * @plm: privilege levels; 0 takes pfp_dfl_plm
 * @flags: not used
 * @unit_masks: indexes of unit masks, repetitions are harmless
 * @num_masks: how many of @unit_masks, 0 to PFMLIB_MAX_MASKS_PER_EVENT
 * @reserved: not used
 */
typedef struct {
	unsigned int event;
	unsigned int plm;
	unsigned long flags;
	unsigned int unit_masks[PFMLIB_MAX_MASKS_PER_EVENT];
	unsigned int num_masks;
	unsigned long reserved[2];
} pfmlib_event_t;

/**
 * struct pfmlib_reg_t - a register and its value
 * @reg_value: what to write; 0 in a list of PMDs
 * @reg_addr: its address for the kernel
 * @reg_num: its number
 * @reg_reserved1: 0
 * @reg_alt_addr: alternative address, here @reg_addr
 */
typedef struct {
	unsigned long long reg_value;
	unsigned long long reg_addr;
	unsigned int reg_num;
	unsigned int reg_reserved1;
	unsigned long reg_alt_addr;
} pfmlib_reg_t;

/**
 * struct pfmlib_input_param_t - a measurement
 * @pfp_event_count: how many of @pfp_events
 * @pfp_dfl_plm: default privilege levels; not 0
 * @pfp_flags: PFMLIB_PFP_SYSTEMWIDE or 0
 * @reserved1: not used
 * @pfp_events: the events
 * @pfp_unavail_pmcs: PMCs that must not be used
 * @reserved: not used
 */
typedef struct {
	unsigned int pfp_event_count;
	unsigned int pfp_dfl_plm;
	unsigned int pfp_flags;
	unsigned int reserved1;
	pfmlib_event_t pfp_events[PFMLIB_MAX_PMCS];
	pfmlib_regmask_t pfp_unavail_pmcs;
	unsigned long reserved[6];
} pfmlib_input_param_t;

/**
 * struct pfmlib_output_param_t - the registers of a measurement
 * @pfp_pmc_count: how many of @pfp_pmcs
 * @pfp_pmd_count: how many of @pfp_pmds
 * @pfp_pmcs: configuration registers with values; the first ones belong to the events, in order
 * @pfp_pmds: data registers that hold results; the first ones belong to the events, in order
 * @reserved: 0
 */
typedef struct {
	unsigned int pfp_pmc_count;
	unsigned int pfp_pmd_count;
	pfmlib_reg_t pfp_pmcs[PFMLIB_MAX_PMCS];
	pfmlib_reg_t pfp_pmds[PFMLIB_MAX_PMDS];
	unsigned long reserved[7];
} pfmlib_output_param_t;

/**
 * struct pfmlib_options_t - what the library prints on standard error
 * @pfm_debug: how it gets a result
 * @pfm_verbose: why it refuses a call
 * @pfm_reserved: not used
 */
typedef struct {
	unsigned int pfm_debug:1;
	unsigned int pfm_verbose:1;
	unsigned int pfm_reserved:30;
} pfmlib_options_t;

/* Start; pfm_initialize(3) and pfm_set_options(3). */
int pfm_set_options(pfmlib_options_t *opt);
int pfm_initialize(void);
int pfm_get_version(unsigned int *version);
char *pfm_strerror(int code);

/* The PMU; pfm_force_pmu(3) and pfm_get_pmu_name(3). */
int pfm_list_supported_pmus(int (*pf)(const char *fmt, ...));
int pfm_force_pmu(int type);
int pfm_is_pmu_supported(int type);
int pfm_get_pmu_type(int *type);
int pfm_get_pmu_name(char *name, int maxlen);
int pfm_get_pmu_name_bytype(int type, char *name, size_t maxlen);
int pfm_get_impl_pmcs(pfmlib_regmask_t *impl_pmcs);
int pfm_get_impl_pmds(pfmlib_regmask_t *impl_pmds);
int pfm_get_impl_counters(pfmlib_regmask_t *impl_counters);
int pfm_get_num_pmcs(unsigned int *num);
int pfm_get_num_pmds(unsigned int *num);
int pfm_get_num_counters(unsigned int *num);
int pfm_get_hw_counter_width(unsigned int *width);

/* Events by name and code; pfm_find_event(3). */
int pfm_find_event(const char *str, unsigned int *idx);
int pfm_find_event_byname(const char *name, unsigned int *idx);
int pfm_find_event_bycode(int code, unsigned int *idx);
int pfm_find_event_bycode_next(int code, unsigned int start, unsigned int *next);
int pfm_find_event_mask(unsigned int event_idx, const char *str, unsigned int *mask_idx);
int pfm_find_full_event(const char *str, pfmlib_event_t *e);
int pfm_get_cycle_event(pfmlib_event_t *e);
int pfm_get_inst_retired_event(pfmlib_event_t *e);

/* Queries of events; pfm_get_event_name(3). */
int pfm_get_num_events(unsigned int *count);
int pfm_get_max_event_name_len(size_t *len);
int pfm_get_event_name(unsigned int idx, char *name, size_t maxlen);
int pfm_get_full_event_name(pfmlib_event_t *e, char *name, size_t maxlen);
int pfm_get_event_code(unsigned int idx, int *code);
int pfm_get_event_code_counter(unsigned int idx, unsigned int cnt, int *code);
int pfm_get_event_counters(unsigned int idx, pfmlib_regmask_t *counters);
int pfm_get_event_description(unsigned int idx, char **desc);
int pfm_get_num_event_masks(unsigned int event_idx, unsigned int *count);
int pfm_get_event_mask_name(unsigned int event_idx, unsigned int mask_idx, char *name,
			    size_t maxlen);
int pfm_get_event_mask_code(unsigned int event_idx, unsigned int mask_idx, unsigned int *code);
int pfm_get_event_mask_description(unsigned int event_idx, unsigned int mask_idx, char **desc);

/* Events to registers; pfm_dispatch_events(3). */
int pfm_dispatch_events(pfmlib_input_param_t *inp, void *model_in, pfmlib_output_param_t *outp,
			void *model_out);

/* Sets of registers; pfm_regmask_set(3). */
int pfm_regmask_isset(pfmlib_regmask_t *h, unsigned int b);
int pfm_regmask_set(pfmlib_regmask_t *h, unsigned int b);
int pfm_regmask_clr(pfmlib_regmask_t *h, unsigned int b);
int pfm_regmask_weight(pfmlib_regmask_t *h, unsigned int *w);
int pfm_regmask_eq(pfmlib_regmask_t *h1, pfmlib_regmask_t *h2);
int pfm_regmask_and(pfmlib_regmask_t *dst, pfmlib_regmask_t *h1, pfmlib_regmask_t *h2);
int pfm_regmask_andnot(pfmlib_regmask_t *dst, pfmlib_regmask_t *h1, pfmlib_regmask_t *h2);
int pfm_regmask_or(pfmlib_regmask_t *dst, pfmlib_regmask_t *h1, pfmlib_regmask_t *h2);
int pfm_regmask_copy(pfmlib_regmask_t *dst, pfmlib_regmask_t *src);
int pfm_regmask_not(pfmlib_regmask_t *dst);

#ifdef __cplusplus
}
#endif

#endif
