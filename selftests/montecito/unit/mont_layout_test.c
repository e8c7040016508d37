// SPDX-License-Identifier: GPL-2.0-only
/* libacrpfm's headers: constants, positions of fields in registers, offsets of members. */
#include <perfmon/pfmlib_montecito.h>

#include "../../unit/tap.h"

/* --- constants ------------------------------------------------------------------------------- */

#define IS(name, value)                                                                            \
	is_u64((unsigned long)(name), (unsigned long)(value), "%s is %s", #name, #value)

static void test_errors(void)
{
	IS(PFMLIB_SUCCESS, 0);
	IS(PFMLIB_ERR_NOTSUPP, -1);
	IS(PFMLIB_ERR_INVAL, -2);
	IS(PFMLIB_ERR_NOINIT, -3);
	IS(PFMLIB_ERR_NOTFOUND, -4);
	IS(PFMLIB_ERR_NOASSIGN, -5);
	IS(PFMLIB_ERR_FULL, -6);
	IS(PFMLIB_ERR_EVTMANY, -7);
	IS(PFMLIB_ERR_MAGIC, -8);
	IS(PFMLIB_ERR_FEATCOMB, -9);
	IS(PFMLIB_ERR_EVTSET, -10);
	IS(PFMLIB_ERR_EVTINCOMP, -11);
	IS(PFMLIB_ERR_TOOMANY, -12);
	IS(PFMLIB_ERR_IRRTOOBIG, -13);
	IS(PFMLIB_ERR_IRREMPTY, -14);
	IS(PFMLIB_ERR_IRRINVAL, -15);
	IS(PFMLIB_ERR_IRRTOOMANY, -16);
	IS(PFMLIB_ERR_DRRINVAL, -17);
	IS(PFMLIB_ERR_DRRTOOMANY, -18);
	IS(PFMLIB_ERR_BADHOST, -19);
	IS(PFMLIB_ERR_IRRALIGN, -20);
	IS(PFMLIB_ERR_IRRFLAGS, -21);
	IS(PFMLIB_ERR_UMASK, -22);
	IS(PFMLIB_ERR_NOMEM, -23);
}

static void test_generic_constants(void)
{
	IS(PFMLIB_VERSION, 0x3000a);
	IS(PFMLIB_MAJ_VERSION(0x3000a), 3);
	IS(PFMLIB_MIN_VERSION(0x3000a), 10);
	IS(PFMLIB_NO_PMU, -1);
	IS(PFMLIB_UNKNOWN_PMU, 0);
	IS(PFMLIB_GEN_IA64_PMU, 1);
	IS(PFMLIB_ITANIUM_PMU, 2);
	IS(PFMLIB_ITANIUM2_PMU, 3);
	IS(PFMLIB_MONTECITO_PMU, 4);
	IS(PFM_PLM0, 1);
	IS(PFM_PLM1, 2);
	IS(PFM_PLM2, 4);
	IS(PFM_PLM3, 8);
	IS(PFMLIB_MAX_PMCS, 512);
	IS(PFMLIB_MAX_PMDS, 512);
	IS(PFMLIB_REG_MAX, 512);
	IS(PFMLIB_MAX_MASKS_PER_EVENT, 48);
	IS(PFMLIB_PFP_SYSTEMWIDE, 1);
}

static void test_model_constants(void)
{
	IS(PMU_MONT_FIRST_COUNTER, 4);
	IS(PMU_MONT_NUM_COUNTERS, 12);
	IS(PMU_MONT_NUM_PMCS, 27);
	IS(PMU_MONT_NUM_PMDS, 36);
	IS(PMU_MONT_NUM_ETB, 16);
	IS(PMU_MONT_COUNTER_WIDTH, 47);
	IS(PFMLIB_MONT_FL_EVT_NO_QUALCHECK, 1);
	IS(PFMLIB_MONT_FL_EVT_ALL_THRD, 2);
	IS(PFMLIB_MONT_FL_EVT_ACTIVE_ONLY, 4);
	IS(PFMLIB_MONT_FL_EVT_ALWAYS, 8);
	IS(PFMLIB_MONT_RR_INV, 1);
	IS(PFMLIB_MONT_RR_NO_FINE_MODE, 2);
	IS(PFMLIB_MONT_IRR_DEMAND_FETCH, 4);
	IS(PFMLIB_MONT_IRR_PREFETCH_MATCH, 8);
	IS(PFMLIB_MONT_EAR_CACHE_MODE, 0);
	IS(PFMLIB_MONT_EAR_TLB_MODE, 1);
	IS(PFMLIB_MONT_EAR_ALAT_MODE, 2);
	IS(PFMLIB_MONT_EVT_NO_GRP, 0);
	IS(PFMLIB_MONT_EVT_L1D_CACHE_GRP, 1);
	IS(PFMLIB_MONT_EVT_L2D_CACHE_GRP, 2);
	IS(PFMLIB_MONT_EVT_NO_SET, -1);
	IS(PFMLIB_MONT_EVT_ACTIVE, 0);
	IS(PFMLIB_MONT_EVT_FLOATING, 1);
	IS(PFMLIB_MONT_EVT_CAUSAL, 2);
	IS(PFMLIB_MONT_EVT_SELF_FLOATING, 3);
}

/* --- fields of registers --------------------------------------------------------------------- */

static void check_field(const char *name, unsigned long value, unsigned int first,
			unsigned int width)
{
	is_u64(value, (width < 64 ? (1UL << width) - 1 : ~0UL) << first, "%s has bits %u to %u",
	       name, first, first + width - 1);
}

/* Ones in the field alone show in the whole register as its bits. */
static unsigned long ones = ~0UL;

#define FIELD(type, value, layout, field, first, width)                                           \
	do {                                                                                       \
		type reg_;                                                                         \
												   \
		memset(&reg_, 0, sizeof(reg_));                                                    \
		reg_.layout.field = ones;                                                          \
		check_field(#layout "." #field, reg_.value, first, width);                         \
	} while (0)
#define PMC(layout, field, first, width)                                                           \
	FIELD(pfm_mont_pmc_reg_t, pmc_val, layout, field, first, width)
#define PMD(layout, field, first, width)                                                           \
	FIELD(pfm_mont_pmd_reg_t, pmd_val, layout, field, first, width)

static void test_counter_pmc(void)
{
	PMC(pmc_mont_counter_reg, pmc_plm, 0, 4);
	PMC(pmc_mont_counter_reg, pmc_ev, 4, 1);
	PMC(pmc_mont_counter_reg, pmc_oi, 5, 1);
	PMC(pmc_mont_counter_reg, pmc_pm, 6, 1);
	PMC(pmc_mont_counter_reg, pmc_ig1, 7, 1);
	PMC(pmc_mont_counter_reg, pmc_es, 8, 8);
	PMC(pmc_mont_counter_reg, pmc_umask, 16, 4);
	PMC(pmc_mont_counter_reg, pmc_thres, 20, 3);
	PMC(pmc_mont_counter_reg, pmc_ig2, 23, 1);
	PMC(pmc_mont_counter_reg, pmc_ism, 24, 2);
	PMC(pmc_mont_counter_reg, pmc_all, 26, 1);
	PMC(pmc_mont_counter_reg, pmc_i, 27, 1);
	PMC(pmc_mont_counter_reg, pmc_s, 28, 1);
	PMC(pmc_mont_counter_reg, pmc_e, 29, 1);
	PMC(pmc_mont_counter_reg, pmc_m, 30, 1);
}

static void test_feature_pmcs(void)
{
	PMC(pmc32_34_mont_reg, opcm_mask, 0, 41);
	PMC(pmc32_34_mont_reg, opcm_b, 48, 1);
	PMC(pmc32_34_mont_reg, opcm_f, 49, 1);
	PMC(pmc32_34_mont_reg, opcm_i, 50, 1);
	PMC(pmc32_34_mont_reg, opcm_m, 51, 1);
	PMC(pmc32_34_mont_reg, opcm_inv, 56, 1);
	PMC(pmc32_34_mont_reg, opcm_ig_ad, 57, 1);
	PMC(pmc33_35_mont_reg, opcm_match, 0, 41);
	PMC(pmc36_mont_reg, opcm_ch0_ig_opcm, 0, 1);
	PMC(pmc36_mont_reg, opcm_ch1_ig_opcm, 1, 1);
	PMC(pmc36_mont_reg, opcm_ch2_ig_opcm, 2, 1);
	PMC(pmc36_mont_reg, opcm_ch3_ig_opcm, 3, 1);
	PMC(pmc37_mont_cache_reg, iear_plm, 0, 4);
	PMC(pmc37_mont_cache_reg, iear_pm, 4, 1);
	PMC(pmc37_mont_cache_reg, iear_umask, 5, 8);
	PMC(pmc37_mont_cache_reg, iear_ct, 13, 1);
	PMC(pmc37_mont_tlb_reg, iear_plm, 0, 4);
	PMC(pmc37_mont_tlb_reg, iear_pm, 4, 1);
	PMC(pmc37_mont_tlb_reg, iear_umask, 5, 7);
	PMC(pmc37_mont_tlb_reg, iear_ct, 12, 2);
	PMC(pmc38_mont_reg, iarc_ig_ibrp0, 1, 1);
	PMC(pmc38_mont_reg, iarc_ig_ibrp1, 4, 1);
	PMC(pmc38_mont_reg, iarc_ig_ibrp2, 7, 1);
	PMC(pmc38_mont_reg, iarc_ig_ibrp3, 10, 1);
	PMC(pmc38_mont_reg, iarc_fine, 13, 1);
	PMC(pmc39_mont_reg, etbc_plm, 0, 4);
	PMC(pmc39_mont_reg, etbc_pm, 6, 1);
	PMC(pmc39_mont_reg, etbc_ds, 7, 1);
	PMC(pmc39_mont_reg, etbc_tm, 8, 2);
	PMC(pmc39_mont_reg, etbc_ptm, 10, 2);
	PMC(pmc39_mont_reg, etbc_ppm, 12, 2);
	PMC(pmc39_mont_reg, etbc_brt, 14, 2);
	PMC(pmc40_mont_reg, dear_plm, 0, 4);
	PMC(pmc40_mont_reg, dear_pm, 6, 1);
	PMC(pmc40_mont_reg, dear_mode, 7, 2);
	PMC(pmc40_mont_reg, dear_umask, 16, 4);
	PMC(pmc40_mont_reg, dear_ism, 24, 2);
	PMC(pmc41_mont_reg, darc_cfg_dtag0, 3, 2);
	PMC(pmc41_mont_reg, darc_cfg_dtag1, 11, 2);
	PMC(pmc41_mont_reg, darc_cfg_dtag2, 19, 2);
	PMC(pmc41_mont_reg, darc_cfg_dtag3, 27, 2);
	PMC(pmc41_mont_reg, darc_ena_dbrp0, 45, 1);
	PMC(pmc41_mont_reg, darc_ena_dbrp1, 46, 1);
	PMC(pmc41_mont_reg, darc_ena_dbrp2, 47, 1);
	PMC(pmc41_mont_reg, darc_ena_dbrp3, 48, 1);
	PMC(pmc42_mont_reg, ipear_plm, 0, 4);
	PMC(pmc42_mont_reg, ipear_pm, 6, 1);
	PMC(pmc42_mont_reg, ipear_mode, 8, 3);
	PMC(pmc42_mont_reg, ipear_delay, 11, 8);
}

static void test_pmds(void)
{
	PMD(pmd_mont_counter_reg, pmd_count, 0, 47);
	PMD(pmd_mont_counter_reg, pmd_sxt47, 47, 17);
	PMD(pmd32_mont_reg, dear_daddr, 0, 64);
	PMD(pmd33_mont_reg, dear_latency, 0, 13);
	PMD(pmd33_mont_reg, dear_ov, 13, 1);
	PMD(pmd33_mont_reg, dear_stat, 14, 2);
	PMD(pmd34_mont_reg, iear_stat, 0, 2);
	PMD(pmd34_mont_reg, iear_iaddr, 5, 59);
	PMD(pmd35_mont_reg, iear_latency, 0, 12);
	PMD(pmd35_mont_reg, iear_ov, 12, 1);
	PMD(pmd36_mont_reg, dear_slot, 0, 2);
	PMD(pmd36_mont_reg, dear_bn, 2, 1);
	PMD(pmd36_mont_reg, dear_vl, 3, 1);
	PMD(pmd36_mont_reg, dear_iaddr, 4, 60);
	PMD(pmd38_mont_reg, etbi_ebi, 0, 4);
	PMD(pmd38_mont_reg, etbi_full, 5, 1);
	PMD(pmd48_63_etb_mont_reg, etb_s, 0, 1);
	PMD(pmd48_63_etb_mont_reg, etb_mp, 1, 1);
	PMD(pmd48_63_etb_mont_reg, etb_slot, 2, 2);
	PMD(pmd48_63_etb_mont_reg, etb_addr, 4, 60);
	PMD(pmd48_63_ipear_mont_reg, ipear_addr, 0, 60);
	PMD(pmd48_63_ipear_mont_reg, ipear_cycles, 60, 4);
	PMD(pmd48_63_ipear_ef_mont_reg, ipear_delay, 0, 8);
	PMD(pmd48_63_ipear_ef_mont_reg, ipear_addr, 8, 52);
	PMD(pmd48_63_ipear_ef_mont_reg, ipear_cycles, 60, 4);
}

/* PMD39: four bits for each of PMD48 to PMD63. */
#define PMD39(field, first, width) PMD(pmd39_mont_reg, field, first, width)
#define IPEAR(field, first, width) PMD(pmd39_ipear_mont_reg, field, first, width)

static void test_pmd39(void)
{
	PMD39(etb_pmd48ext_b1, 0, 1);
	PMD39(etb_pmd48ext_bruflush, 1, 1);
	IPEAR(ipear_pmd48ext_cycles, 0, 2);
	IPEAR(ipear_pmd48ext_f, 2, 1);
	IPEAR(ipear_pmd48ext_ef, 3, 1);
	PMD39(etb_pmd49ext_b1, 8, 1);
	PMD39(etb_pmd49ext_bruflush, 9, 1);
	IPEAR(ipear_pmd49ext_cycles, 8, 2);
	IPEAR(ipear_pmd49ext_f, 10, 1);
	IPEAR(ipear_pmd49ext_ef, 11, 1);
	PMD39(etb_pmd50ext_b1, 16, 1);
	PMD39(etb_pmd50ext_bruflush, 17, 1);
	IPEAR(ipear_pmd50ext_cycles, 16, 2);
	IPEAR(ipear_pmd50ext_f, 18, 1);
	IPEAR(ipear_pmd50ext_ef, 19, 1);
	PMD39(etb_pmd51ext_b1, 24, 1);
	PMD39(etb_pmd51ext_bruflush, 25, 1);
	IPEAR(ipear_pmd51ext_cycles, 24, 2);
	IPEAR(ipear_pmd51ext_f, 26, 1);
	IPEAR(ipear_pmd51ext_ef, 27, 1);
	PMD39(etb_pmd52ext_b1, 32, 1);
	PMD39(etb_pmd52ext_bruflush, 33, 1);
	IPEAR(ipear_pmd52ext_cycles, 32, 2);
	IPEAR(ipear_pmd52ext_f, 34, 1);
	IPEAR(ipear_pmd52ext_ef, 35, 1);
	PMD39(etb_pmd53ext_b1, 40, 1);
	PMD39(etb_pmd53ext_bruflush, 41, 1);
	IPEAR(ipear_pmd53ext_cycles, 40, 2);
	IPEAR(ipear_pmd53ext_f, 42, 1);
	IPEAR(ipear_pmd53ext_ef, 43, 1);
	PMD39(etb_pmd54ext_b1, 48, 1);
	PMD39(etb_pmd54ext_bruflush, 49, 1);
	IPEAR(ipear_pmd54ext_cycles, 48, 2);
	IPEAR(ipear_pmd54ext_f, 50, 1);
	IPEAR(ipear_pmd54ext_ef, 51, 1);
	PMD39(etb_pmd55ext_b1, 56, 1);
	PMD39(etb_pmd55ext_bruflush, 57, 1);
	IPEAR(ipear_pmd55ext_cycles, 56, 2);
	IPEAR(ipear_pmd55ext_f, 58, 1);
	IPEAR(ipear_pmd55ext_ef, 59, 1);
	PMD39(etb_pmd56ext_b1, 4, 1);
	PMD39(etb_pmd56ext_bruflush, 5, 1);
	IPEAR(ipear_pmd56ext_cycles, 4, 2);
	IPEAR(ipear_pmd56ext_f, 6, 1);
	IPEAR(ipear_pmd56ext_ef, 7, 1);
	PMD39(etb_pmd57ext_b1, 12, 1);
	PMD39(etb_pmd57ext_bruflush, 13, 1);
	IPEAR(ipear_pmd57ext_cycles, 12, 2);
	IPEAR(ipear_pmd57ext_f, 14, 1);
	IPEAR(ipear_pmd57ext_ef, 15, 1);
	PMD39(etb_pmd58ext_b1, 20, 1);
	PMD39(etb_pmd58ext_bruflush, 21, 1);
	IPEAR(ipear_pmd58ext_cycles, 20, 2);
	IPEAR(ipear_pmd58ext_f, 22, 1);
	IPEAR(ipear_pmd58ext_ef, 23, 1);
	PMD39(etb_pmd59ext_b1, 28, 1);
	PMD39(etb_pmd59ext_bruflush, 29, 1);
	IPEAR(ipear_pmd59ext_cycles, 28, 2);
	IPEAR(ipear_pmd59ext_f, 30, 1);
	IPEAR(ipear_pmd59ext_ef, 31, 1);
	PMD39(etb_pmd60ext_b1, 36, 1);
	PMD39(etb_pmd60ext_bruflush, 37, 1);
	IPEAR(ipear_pmd60ext_cycles, 36, 2);
	IPEAR(ipear_pmd60ext_f, 38, 1);
	IPEAR(ipear_pmd60ext_ef, 39, 1);
	PMD39(etb_pmd61ext_b1, 44, 1);
	PMD39(etb_pmd61ext_bruflush, 45, 1);
	IPEAR(ipear_pmd61ext_cycles, 44, 2);
	IPEAR(ipear_pmd61ext_f, 46, 1);
	IPEAR(ipear_pmd61ext_ef, 47, 1);
	PMD39(etb_pmd62ext_b1, 52, 1);
	PMD39(etb_pmd62ext_bruflush, 53, 1);
	IPEAR(ipear_pmd62ext_cycles, 52, 2);
	IPEAR(ipear_pmd62ext_f, 54, 1);
	IPEAR(ipear_pmd62ext_ef, 55, 1);
	PMD39(etb_pmd63ext_b1, 60, 1);
	PMD39(etb_pmd63ext_bruflush, 61, 1);
	IPEAR(ipear_pmd63ext_cycles, 60, 2);
	IPEAR(ipear_pmd63ext_f, 62, 1);
	IPEAR(ipear_pmd63ext_ef, 63, 1);
}

/* --- members of structures, with registers of 64 bits ---------------------------------------- */

static void check_layout(const char *name, size_t got, size_t want)
{
	is_u64(got, want, "%s is %zu", name, want);
}

#define SIZE(type, size)     check_layout("size of " #type, sizeof(type), size)
#define AT(type, member, at) \
	check_layout("offset of " #type "." #member, offsetof(type, member), at)

static void test_generic_structures(void)
{
	SIZE(pfmlib_regmask_t, 64);
	AT(pfmlib_regmask_t, bits, 0);
	SIZE(pfmlib_event_t, 232);
	AT(pfmlib_event_t, event, 0);
	AT(pfmlib_event_t, plm, 4);
	AT(pfmlib_event_t, flags, 8);
	AT(pfmlib_event_t, unit_masks, 16);
	AT(pfmlib_event_t, num_masks, 208);
	AT(pfmlib_event_t, reserved, 216);
	SIZE(pfmlib_reg_t, 32);
	AT(pfmlib_reg_t, reg_value, 0);
	AT(pfmlib_reg_t, reg_addr, 8);
	AT(pfmlib_reg_t, reg_num, 16);
	AT(pfmlib_reg_t, reg_reserved1, 20);
	AT(pfmlib_reg_t, reg_alt_addr, 24);
	SIZE(pfmlib_input_param_t, 118912);
	AT(pfmlib_input_param_t, pfp_event_count, 0);
	AT(pfmlib_input_param_t, pfp_dfl_plm, 4);
	AT(pfmlib_input_param_t, pfp_flags, 8);
	AT(pfmlib_input_param_t, reserved1, 12);
	AT(pfmlib_input_param_t, pfp_events, 16);
	AT(pfmlib_input_param_t, pfp_unavail_pmcs, 118800);
	AT(pfmlib_input_param_t, reserved, 118864);
	SIZE(pfmlib_output_param_t, 32832);
	AT(pfmlib_output_param_t, pfp_pmc_count, 0);
	AT(pfmlib_output_param_t, pfp_pmd_count, 4);
	AT(pfmlib_output_param_t, pfp_pmcs, 8);
	AT(pfmlib_output_param_t, pfp_pmds, 16392);
	AT(pfmlib_output_param_t, reserved, 32776);
	SIZE(pfmlib_options_t, 4);
}

static void test_feature_structures(void)
{
	SIZE(pfm_mont_pmc_reg_t, 8);
	SIZE(pfm_mont_pmd_reg_t, 8);
	SIZE(pfmlib_mont_counter_t, 8);
	AT(pfmlib_mont_counter_t, flags, 0);
	AT(pfmlib_mont_counter_t, thres, 4);
	SIZE(pfmlib_mont_opcm_t, 24);
	AT(pfmlib_mont_opcm_t, opcm_used, 0);
	AT(pfmlib_mont_opcm_t, opcm_m, 1);
	AT(pfmlib_mont_opcm_t, opcm_i, 2);
	AT(pfmlib_mont_opcm_t, opcm_f, 3);
	AT(pfmlib_mont_opcm_t, opcm_b, 4);
	AT(pfmlib_mont_opcm_t, opcm_match, 8);
	AT(pfmlib_mont_opcm_t, opcm_mask, 16);
	SIZE(pfmlib_mont_etb_t, 16);
	AT(pfmlib_mont_etb_t, etb_used, 0);
	AT(pfmlib_mont_etb_t, etb_plm, 4);
	AT(pfmlib_mont_etb_t, etb_ds, 8);
	AT(pfmlib_mont_etb_t, etb_tm, 9);
	AT(pfmlib_mont_etb_t, etb_ptm, 10);
	AT(pfmlib_mont_etb_t, etb_ppm, 11);
	AT(pfmlib_mont_etb_t, etb_brt, 12);
	SIZE(pfmlib_mont_ipear_t, 12);
	AT(pfmlib_mont_ipear_t, ipear_used, 0);
	AT(pfmlib_mont_ipear_t, ipear_plm, 4);
	AT(pfmlib_mont_ipear_t, ipear_delay, 8);
	SIZE(pfmlib_mont_ear_mode_t, 4);
	SIZE(pfmlib_mont_ear_t, 24);
	AT(pfmlib_mont_ear_t, ear_used, 0);
	AT(pfmlib_mont_ear_t, ear_mode, 4);
	AT(pfmlib_mont_ear_t, ear_plm, 8);
	AT(pfmlib_mont_ear_t, ear_umask, 16);
}

static void test_range_structures(void)
{
	SIZE(pfmlib_mont_input_rr_desc_t, 24);
	AT(pfmlib_mont_input_rr_desc_t, rr_plm, 0);
	AT(pfmlib_mont_input_rr_desc_t, rr_start, 8);
	AT(pfmlib_mont_input_rr_desc_t, rr_end, 16);
	SIZE(pfmlib_mont_output_rr_desc_t, 16);
	AT(pfmlib_mont_output_rr_desc_t, rr_soff, 0);
	AT(pfmlib_mont_output_rr_desc_t, rr_eoff, 8);
	SIZE(pfmlib_mont_input_rr_t, 112);
	AT(pfmlib_mont_input_rr_t, rr_flags, 0);
	AT(pfmlib_mont_input_rr_t, rr_limits, 8);
	AT(pfmlib_mont_input_rr_t, rr_used, 104);
	SIZE(pfmlib_mont_output_rr_t, 328);
	AT(pfmlib_mont_output_rr_t, rr_nbr_used, 0);
	AT(pfmlib_mont_output_rr_t, rr_infos, 8);
	AT(pfmlib_mont_output_rr_t, rr_br, 72);
}

static void test_model_structures(void)
{
	SIZE(pfmlib_mont_input_param_t, 456);
	AT(pfmlib_mont_input_param_t, pfp_mont_counters, 0);
	AT(pfmlib_mont_input_param_t, pfp_mont_flags, 96);
	AT(pfmlib_mont_input_param_t, pfp_mont_opcm1, 104);
	AT(pfmlib_mont_input_param_t, pfp_mont_opcm2, 128);
	AT(pfmlib_mont_input_param_t, pfp_mont_iear, 152);
	AT(pfmlib_mont_input_param_t, pfp_mont_dear, 176);
	AT(pfmlib_mont_input_param_t, pfp_mont_ipear, 200);
	AT(pfmlib_mont_input_param_t, pfp_mont_etb, 212);
	AT(pfmlib_mont_input_param_t, pfp_mont_drange, 232);
	AT(pfmlib_mont_input_param_t, pfp_mont_irange, 344);
	SIZE(pfmlib_mont_output_param_t, 656);
	AT(pfmlib_mont_output_param_t, pfp_mont_drange, 0);
	AT(pfmlib_mont_output_param_t, pfp_mont_irange, 328);
}

int main(void)
{
	plan(0);
	test_errors();
	test_generic_constants();
	test_model_constants();
	test_counter_pmc();
	test_feature_pmcs();
	test_pmds();
	test_pmd39();
	test_generic_structures();
	test_feature_structures();
	test_range_structures();
	test_model_structures();
	return done();
}
