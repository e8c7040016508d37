/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The Itanium 2 9000 (Montecito) part of the libpfm 3 interface; libpfm_montecito(3). */
#ifndef __PFMLIB_MONTECITO_H__
#define __PFMLIB_MONTECITO_H__

#include <perfmon/pfmlib.h>

#if __SIZEOF_LONG__ != 8
#error "unsigned long must have 64 bits, since it describes 64-bit registers"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define PMU_MONT_FIRST_COUNTER		4	/* PMC4 controls PMD4, and so on */
#define PMU_MONT_NUM_COUNTERS		12
#define PMU_MONT_NUM_PMCS		27
#define PMU_MONT_NUM_PMDS		36
#define PMU_MONT_NUM_ETB		16	/* entries of the execution trace buffer */
#define PMU_MONT_COUNTER_WIDTH		47	/* bits that count */

/**
 * union pfm_mont_pmc_reg_t - the layouts of the PMCs
 * @pmc_val: the whole register
 * @pmc_mont_counter_reg: PMC4-15, a counter
 * @pmc32_34_mont_reg: PMC32 and PMC34, mask and slots of an opcode matcher
 * @pmc33_35_mont_reg: PMC33 and PMC35, the opcode to match
 * @pmc36_mont_reg: PMC36, channels that ignore the opcode matchers
 * @pmc37_mont_cache_reg: PMC37, I-EAR of the cache (iear_ct 1)
 * @pmc37_mont_tlb_reg: PMC37, I-EAR of the TLB (iear_ct 0)
 * @pmc38_mont_reg: PMC38, pairs of IBRs that are ignored, and fine mode
 * @pmc39_mont_reg: PMC39, the execution trace buffer
 * @pmc40_mont_reg: PMC40, the D-EAR
 * @pmc41_mont_reg: PMC41, what restricts each of the four channels of data events
 * @pmc42_mont_reg: PMC42, the IP-EAR
 */
typedef union {
	unsigned long pmc_val;
	struct {
		unsigned long pmc_plm:4;
		unsigned long pmc_ev:1;
		unsigned long pmc_oi:1;
		unsigned long pmc_pm:1;
		unsigned long pmc_ig1:1;
		unsigned long pmc_es:8;
		unsigned long pmc_umask:4;
		unsigned long pmc_thres:3;
		unsigned long pmc_ig2:1;
		unsigned long pmc_ism:2;
		unsigned long pmc_all:1;
		unsigned long pmc_i:1;
		unsigned long pmc_s:1;
		unsigned long pmc_e:1;
		unsigned long pmc_m:1;
		unsigned long pmc_res1:33;
	} pmc_mont_counter_reg;
	struct {
		unsigned long opcm_mask:41;
		unsigned long pmc32_res1:7;
		unsigned long opcm_b:1;
		unsigned long opcm_f:1;
		unsigned long opcm_i:1;
		unsigned long opcm_m:1;
		unsigned long pmc32_res2:4;
		unsigned long opcm_inv:1;
		unsigned long opcm_ig_ad:1;
		unsigned long pmc32_res3:6;
	} pmc32_34_mont_reg;
	struct {
		unsigned long opcm_match:41;
		unsigned long pmc33_res1:23;
	} pmc33_35_mont_reg;
	struct {
		unsigned long opcm_ch0_ig_opcm:1;
		unsigned long opcm_ch1_ig_opcm:1;
		unsigned long opcm_ch2_ig_opcm:1;
		unsigned long opcm_ch3_ig_opcm:1;
		unsigned long pmc36_res1:60;
	} pmc36_mont_reg;
	struct {
		unsigned long iear_plm:4;
		unsigned long iear_pm:1;
		unsigned long iear_umask:8;
		unsigned long iear_ct:1;
		unsigned long pmc37_res1:50;
	} pmc37_mont_cache_reg;
	struct {
		unsigned long iear_plm:4;
		unsigned long iear_pm:1;
		unsigned long iear_umask:7;
		unsigned long iear_ct:2;
		unsigned long pmc37_res1:50;
	} pmc37_mont_tlb_reg;
	struct {
		unsigned long pmc38_res1:1;
		unsigned long iarc_ig_ibrp0:1;
		unsigned long pmc38_res2:2;
		unsigned long iarc_ig_ibrp1:1;
		unsigned long pmc38_res3:2;
		unsigned long iarc_ig_ibrp2:1;
		unsigned long pmc38_res4:2;
		unsigned long iarc_ig_ibrp3:1;
		unsigned long pmc38_res5:2;
		unsigned long iarc_fine:1;
		unsigned long pmc38_res6:50;
	} pmc38_mont_reg;
	struct {
		unsigned long etbc_plm:4;
		unsigned long pmc39_res1:2;
		unsigned long etbc_pm:1;
		unsigned long etbc_ds:1;
		unsigned long etbc_tm:2;
		unsigned long etbc_ptm:2;
		unsigned long etbc_ppm:2;
		unsigned long etbc_brt:2;
		unsigned long pmc39_res2:48;
	} pmc39_mont_reg;
	struct {
		unsigned long dear_plm:4;
		unsigned long pmc40_res1:2;
		unsigned long dear_pm:1;
		unsigned long dear_mode:2;
		unsigned long pmc40_res2:7;
		unsigned long dear_umask:4;
		unsigned long pmc40_res3:4;
		unsigned long dear_ism:2;
		unsigned long pmc40_res4:38;
	} pmc40_mont_reg;
	struct {
		unsigned long pmc41_res1:3;
		unsigned long darc_cfg_dtag0:2;
		unsigned long pmc41_res2:6;
		unsigned long darc_cfg_dtag1:2;
		unsigned long pmc41_res3:6;
		unsigned long darc_cfg_dtag2:2;
		unsigned long pmc41_res4:6;
		unsigned long darc_cfg_dtag3:2;
		unsigned long pmc41_res5:16;
		unsigned long darc_ena_dbrp0:1;
		unsigned long darc_ena_dbrp1:1;
		unsigned long darc_ena_dbrp2:1;
		unsigned long darc_ena_dbrp3:1;
		unsigned long pmc41_res6:15;
	} pmc41_mont_reg;
	struct {
		unsigned long ipear_plm:4;
		unsigned long pmc42_res1:2;
		unsigned long ipear_pm:1;
		unsigned long pmc42_res2:1;
		unsigned long ipear_mode:3;
		unsigned long ipear_delay:8;
		unsigned long pmc42_res3:45;
	} pmc42_mont_reg;
} pfm_mont_pmc_reg_t;

/**
 * union pfm_mont_pmd_reg_t - the layouts of the PMDs, to decode samples
 * @pmd_val: the whole register
 * @pmd_mont_counter_reg: PMD4-15, a count and its sign
 * @pmd32_mont_reg: PMD32, the D-EAR's data address
 * @pmd33_mont_reg: PMD33, the D-EAR's latency in cycles
 * @pmd34_mont_reg: PMD34, the I-EAR's address, in lines of 32 bytes
 * @pmd35_mont_reg: PMD35, the I-EAR's latency in cycles
 * @pmd36_mont_reg: PMD36, the instruction that the D-EAR caught
 * @pmd38_mont_reg: PMD38, the next entry of the trace buffer
 * @pmd39_mont_reg: PMD39, more of PMD48-63 where they hold branches
 * @pmd39_ipear_mont_reg: PMD39, more of PMD48-63 where they hold the IP-EAR's entries
 * @pmd48_63_etb_mont_reg: PMD48-63, a branch
 * @pmd48_63_ipear_mont_reg: PMD48-63, an entry of the IP-EAR
 * @pmd48_63_ipear_ef_mont_reg: PMD48-63, an entry of the IP-EAR after an early freeze
 */
typedef union {
	unsigned long pmd_val;
	struct {
		unsigned long pmd_count:47;
		unsigned long pmd_sxt47:17;
	} pmd_mont_counter_reg;
	struct {
		unsigned long dear_daddr:64;
	} pmd32_mont_reg;
	struct {
		unsigned long dear_latency:13;
		unsigned long dear_ov:1;
		unsigned long dear_stat:2;
		unsigned long pmd33_res1:48;
	} pmd33_mont_reg;
	struct {
		unsigned long iear_stat:2;
		unsigned long pmd34_res1:3;
		unsigned long iear_iaddr:59;
	} pmd34_mont_reg;
	struct {
		unsigned long iear_latency:12;
		unsigned long iear_ov:1;
		unsigned long pmd35_res1:51;
	} pmd35_mont_reg;
	struct {
		unsigned long dear_slot:2;
		unsigned long dear_bn:1;
		unsigned long dear_vl:1;
		unsigned long dear_iaddr:60;
	} pmd36_mont_reg;
	struct {
		unsigned long etbi_ebi:4;
		unsigned long pmd38_res1:1;
		unsigned long etbi_full:1;
		unsigned long pmd38_res2:58;
	} pmd38_mont_reg;
	struct {
		unsigned long etb_pmd48ext_b1:1;
		unsigned long etb_pmd48ext_bruflush:1;
		unsigned long pmd39_res1:2;
		unsigned long etb_pmd56ext_b1:1;
		unsigned long etb_pmd56ext_bruflush:1;
		unsigned long pmd39_res2:2;
		unsigned long etb_pmd49ext_b1:1;
		unsigned long etb_pmd49ext_bruflush:1;
		unsigned long pmd39_res3:2;
		unsigned long etb_pmd57ext_b1:1;
		unsigned long etb_pmd57ext_bruflush:1;
		unsigned long pmd39_res4:2;
		unsigned long etb_pmd50ext_b1:1;
		unsigned long etb_pmd50ext_bruflush:1;
		unsigned long pmd39_res5:2;
		unsigned long etb_pmd58ext_b1:1;
		unsigned long etb_pmd58ext_bruflush:1;
		unsigned long pmd39_res6:2;
		unsigned long etb_pmd51ext_b1:1;
		unsigned long etb_pmd51ext_bruflush:1;
		unsigned long pmd39_res7:2;
		unsigned long etb_pmd59ext_b1:1;
		unsigned long etb_pmd59ext_bruflush:1;
		unsigned long pmd39_res8:2;
		unsigned long etb_pmd52ext_b1:1;
		unsigned long etb_pmd52ext_bruflush:1;
		unsigned long pmd39_res9:2;
		unsigned long etb_pmd60ext_b1:1;
		unsigned long etb_pmd60ext_bruflush:1;
		unsigned long pmd39_res10:2;
		unsigned long etb_pmd53ext_b1:1;
		unsigned long etb_pmd53ext_bruflush:1;
		unsigned long pmd39_res11:2;
		unsigned long etb_pmd61ext_b1:1;
		unsigned long etb_pmd61ext_bruflush:1;
		unsigned long pmd39_res12:2;
		unsigned long etb_pmd54ext_b1:1;
		unsigned long etb_pmd54ext_bruflush:1;
		unsigned long pmd39_res13:2;
		unsigned long etb_pmd62ext_b1:1;
		unsigned long etb_pmd62ext_bruflush:1;
		unsigned long pmd39_res14:2;
		unsigned long etb_pmd55ext_b1:1;
		unsigned long etb_pmd55ext_bruflush:1;
		unsigned long pmd39_res15:2;
		unsigned long etb_pmd63ext_b1:1;
		unsigned long etb_pmd63ext_bruflush:1;
		unsigned long pmd39_res16:2;
	} pmd39_mont_reg;
	struct {
		unsigned long ipear_pmd48ext_cycles:2;
		unsigned long ipear_pmd48ext_f:1;
		unsigned long ipear_pmd48ext_ef:1;
		unsigned long ipear_pmd56ext_cycles:2;
		unsigned long ipear_pmd56ext_f:1;
		unsigned long ipear_pmd56ext_ef:1;
		unsigned long ipear_pmd49ext_cycles:2;
		unsigned long ipear_pmd49ext_f:1;
		unsigned long ipear_pmd49ext_ef:1;
		unsigned long ipear_pmd57ext_cycles:2;
		unsigned long ipear_pmd57ext_f:1;
		unsigned long ipear_pmd57ext_ef:1;
		unsigned long ipear_pmd50ext_cycles:2;
		unsigned long ipear_pmd50ext_f:1;
		unsigned long ipear_pmd50ext_ef:1;
		unsigned long ipear_pmd58ext_cycles:2;
		unsigned long ipear_pmd58ext_f:1;
		unsigned long ipear_pmd58ext_ef:1;
		unsigned long ipear_pmd51ext_cycles:2;
		unsigned long ipear_pmd51ext_f:1;
		unsigned long ipear_pmd51ext_ef:1;
		unsigned long ipear_pmd59ext_cycles:2;
		unsigned long ipear_pmd59ext_f:1;
		unsigned long ipear_pmd59ext_ef:1;
		unsigned long ipear_pmd52ext_cycles:2;
		unsigned long ipear_pmd52ext_f:1;
		unsigned long ipear_pmd52ext_ef:1;
		unsigned long ipear_pmd60ext_cycles:2;
		unsigned long ipear_pmd60ext_f:1;
		unsigned long ipear_pmd60ext_ef:1;
		unsigned long ipear_pmd53ext_cycles:2;
		unsigned long ipear_pmd53ext_f:1;
		unsigned long ipear_pmd53ext_ef:1;
		unsigned long ipear_pmd61ext_cycles:2;
		unsigned long ipear_pmd61ext_f:1;
		unsigned long ipear_pmd61ext_ef:1;
		unsigned long ipear_pmd54ext_cycles:2;
		unsigned long ipear_pmd54ext_f:1;
		unsigned long ipear_pmd54ext_ef:1;
		unsigned long ipear_pmd62ext_cycles:2;
		unsigned long ipear_pmd62ext_f:1;
		unsigned long ipear_pmd62ext_ef:1;
		unsigned long ipear_pmd55ext_cycles:2;
		unsigned long ipear_pmd55ext_f:1;
		unsigned long ipear_pmd55ext_ef:1;
		unsigned long ipear_pmd63ext_cycles:2;
		unsigned long ipear_pmd63ext_f:1;
		unsigned long ipear_pmd63ext_ef:1;
	} pmd39_ipear_mont_reg;
	struct {
		unsigned long etb_s:1;
		unsigned long etb_mp:1;
		unsigned long etb_slot:2;
		unsigned long etb_addr:60;
	} pmd48_63_etb_mont_reg;
	struct {
		unsigned long ipear_addr:60;
		unsigned long ipear_cycles:4;
	} pmd48_63_ipear_mont_reg;
	struct {
		unsigned long ipear_delay:8;
		unsigned long ipear_addr:52;
		unsigned long ipear_cycles:4;
	} pmd48_63_ipear_ef_mont_reg;
} pfm_mont_pmd_reg_t;

/* flags of a counter */
#define PFMLIB_MONT_FL_EVT_NO_QUALCHECK	0x1	/* whatever qualifiers apply to the event */
#define PFMLIB_MONT_FL_EVT_ALL_THRD	0x2	/* both threads of the core; no event can */
#define PFMLIB_MONT_FL_EVT_ACTIVE_ONLY	0x4	/* changes nothing */
#define PFMLIB_MONT_FL_EVT_ALWAYS	0x8	/* changes nothing */

/**
 * struct pfmlib_mont_counter_t - settings of one event
 * @flags: PFMLIB_MONT_FL_EVT_*
 * @thres: count a cycle once if the event occurs more often than this in it; below its maxincr
 */
typedef struct {
	unsigned int flags;
	unsigned int thres;
} pfmlib_mont_counter_t;

/**
 * struct pfmlib_mont_opcm_t - an opcode matcher
 * @opcm_used: 1 if it is wanted, else 0
 * @opcm_m: match in M slots (memory)
 * @opcm_i: match in I slots (integer)
 * @opcm_f: match in F slots (floating point)
 * @opcm_b: match in B slots (branch)
 * @opcm_match: 41 bits of opcode
 * @opcm_mask: 41 bits; those set are not compared
 */
typedef struct {
	unsigned char opcm_used;
	unsigned char opcm_m;
	unsigned char opcm_i;
	unsigned char opcm_f;
	unsigned char opcm_b;
	unsigned long opcm_match;
	unsigned long opcm_mask;
} pfmlib_mont_opcm_t;

/**
 * struct pfmlib_mont_etb_t - the execution trace buffer
 * @etb_used: 1 if it is wanted, else 0
 * @etb_plm: privilege levels; 0 takes pfp_dfl_plm
 * @etb_ds: data selector, 0 or 1
 * @etb_tm: 0 none, 1 branches not taken, 2 taken, 3 both
 * @etb_ptm: 0 none, 1 target mispredicted, 2 predicted, 3 both
 * @etb_ppm: 0 none, 1 path mispredicted, 2 predicted, 3 both
 * @etb_brt: 0 every kind of branch, 1 IP-relative ones, 2 returns, 3 indirect ones but returns
 */
typedef struct {
	unsigned char etb_used;
	unsigned int etb_plm;
	unsigned char etb_ds;
	unsigned char etb_tm;
	unsigned char etb_ptm;
	unsigned char etb_ppm;
	unsigned char etb_brt;
} pfmlib_mont_etb_t;

/**
 * struct pfmlib_mont_ipear_t - the trace buffer as a record of retiring instructions
 * @ipear_used: 1 if it is wanted, else 0; not together with the ETB
 * @ipear_plm: privilege levels; 0 takes pfp_dfl_plm
 * @ipear_delay: cycles from a PMU interrupt until it freezes, 0 to 255
 */
typedef struct {
	unsigned char ipear_used;
	unsigned int ipear_plm;
	unsigned short ipear_delay;
} pfmlib_mont_ipear_t;

/**
 * enum pfmlib_mont_ear_mode_t - the misses that an event address register catches
 * @PFMLIB_MONT_EAR_CACHE_MODE: cache misses
 * @PFMLIB_MONT_EAR_TLB_MODE: TLB misses
 * @PFMLIB_MONT_EAR_ALAT_MODE: ALAT misses; the D-EAR only
 */
typedef enum {
	PFMLIB_MONT_EAR_CACHE_MODE = 0,
	PFMLIB_MONT_EAR_TLB_MODE = 1,
	PFMLIB_MONT_EAR_ALAT_MODE = 2
} pfmlib_mont_ear_mode_t;

/**
 * struct pfmlib_mont_ear_t - an event address register
 * @ear_used: 1 if these values override those of an EAR event in the list, else 0
 * @ear_mode: kind of misses
 * @ear_plm: privilege levels; 0 takes pfp_dfl_plm
 * @ear_umask: unit mask of the register: I-EAR 8 bits for the cache, 7 for the TLB; D-EAR 4 bits
 */
typedef struct {
	unsigned char ear_used;
	pfmlib_mont_ear_mode_t ear_mode;
	unsigned int ear_plm;
	unsigned long ear_umask;
} pfmlib_mont_ear_t;

/* rr_flags */
#define PFMLIB_MONT_RR_INV		0x1	/* outside of what is covered */
#define PFMLIB_MONT_RR_NO_FINE_MODE	0x2	/* code ranges by mask in any case */
#define PFMLIB_MONT_IRR_DEMAND_FETCH	0x4	/* of events of both kinds: on demand */
#define PFMLIB_MONT_IRR_PREFETCH_MATCH	0x8	/* of events of both kinds: prefetches */

/**
 * struct pfmlib_mont_input_rr_desc_t - a range of addresses
 * @rr_plm: privilege levels; 0 takes pfp_dfl_plm
 * @rr_start: first byte; of code: a multiple of 16
 * @rr_end: first byte after it; of code: a multiple of 16
 */
typedef struct {
	unsigned int rr_plm;
	unsigned long rr_start;
	unsigned long rr_end;
} pfmlib_mont_input_rr_desc_t;

/**
 * struct pfmlib_mont_output_rr_desc_t - how far a cover exceeds a range
 * @rr_soff: bytes covered before it
 * @rr_eoff: bytes covered after it
 */
typedef struct {
	unsigned long rr_soff;
	unsigned long rr_eoff;
} pfmlib_mont_output_rr_desc_t;

/**
 * struct pfmlib_mont_input_rr_t - ranges that restrict what is counted
 * @rr_flags: PFMLIB_MONT_RR_* and PFMLIB_MONT_IRR_*
 * @rr_limits: the ranges; one with start and end 0 ends the list
 * @rr_used: 1 to use them, else 0
 */
typedef struct {
	unsigned int rr_flags;
	pfmlib_mont_input_rr_desc_t rr_limits[4];
	unsigned char rr_used;
} pfmlib_mont_input_rr_t;

/**
 * struct pfmlib_mont_output_rr_t - the debug registers of ranges
 * @rr_nbr_used: how many of @rr_br, 0 to 8
 * @rr_infos: the excess of each range
 * @rr_br: debug registers with their values; bits 60-63 are left to the kernel
 */
typedef struct {
	unsigned int rr_nbr_used;
	pfmlib_mont_output_rr_desc_t rr_infos[4];
	pfmlib_reg_t rr_br[8];
} pfmlib_mont_output_rr_t;

/**
 * struct pfmlib_mont_input_param_t - Montecito's features
 * @pfp_mont_counters: one for each of pfp_events, in order
 * @pfp_mont_flags: not used
 * @pfp_mont_opcm1: opcode matcher of PMC32 and PMC33
 * @pfp_mont_opcm2: opcode matcher of PMC34 and PMC35
 * @pfp_mont_iear: instruction EAR, PMC37
 * @pfp_mont_dear: data EAR, PMC40
 * @pfp_mont_ipear: IP-EAR, PMC42
 * @pfp_mont_etb: execution trace buffer, PMC39
 * @pfp_mont_drange: ranges of data, up to 4
 * @pfp_mont_irange: ranges of code, up to 4
 */
typedef struct {
	pfmlib_mont_counter_t pfp_mont_counters[PMU_MONT_NUM_COUNTERS];
	unsigned long pfp_mont_flags;
	pfmlib_mont_opcm_t pfp_mont_opcm1;
	pfmlib_mont_opcm_t pfp_mont_opcm2;
	pfmlib_mont_ear_t pfp_mont_iear;
	pfmlib_mont_ear_t pfp_mont_dear;
	pfmlib_mont_ipear_t pfp_mont_ipear;
	pfmlib_mont_etb_t pfp_mont_etb;
	pfmlib_mont_input_rr_t pfp_mont_drange;
	pfmlib_mont_input_rr_t pfp_mont_irange;
} pfmlib_mont_input_param_t;

/**
 * struct pfmlib_mont_output_param_t - the debug registers of a measurement
 * @pfp_mont_drange: DBRs
 * @pfp_mont_irange: IBRs
 */
typedef struct {
	pfmlib_mont_output_rr_t pfp_mont_drange;
	pfmlib_mont_output_rr_t pfp_mont_irange;
} pfmlib_mont_output_param_t;

/* groups of events */
#define PFMLIB_MONT_EVT_NO_GRP		0
#define PFMLIB_MONT_EVT_L1D_CACHE_GRP	1
#define PFMLIB_MONT_EVT_L2D_CACHE_GRP	2

#define PFMLIB_MONT_EVT_NO_SET		(-1)

/* types of events: the thread that they belong to where two threads share a core */
#define PFMLIB_MONT_EVT_ACTIVE		0	/* of the thread that runs */
#define PFMLIB_MONT_EVT_FLOATING	1	/* also of a thread that does not run */
#define PFMLIB_MONT_EVT_CAUSAL		2	/* of no thread */
#define PFMLIB_MONT_EVT_SELF_FLOATING	3	/* floating with the suffix .me, else causal */

/* Queries of events; libpfm_montecito(3). */
int pfm_mont_is_ear(unsigned int i);
int pfm_mont_is_dear(unsigned int i);
int pfm_mont_is_dear_tlb(unsigned int i);
int pfm_mont_is_dear_cache(unsigned int i);
int pfm_mont_is_dear_alat(unsigned int i);
int pfm_mont_is_iear(unsigned int i);
int pfm_mont_is_iear_tlb(unsigned int i);
int pfm_mont_is_iear_cache(unsigned int i);
int pfm_mont_is_etb(unsigned int i);
int pfm_mont_support_opcm(unsigned int i);
int pfm_mont_support_iarr(unsigned int i);
int pfm_mont_support_darr(unsigned int i);
int pfm_mont_support_all(unsigned int i);
int pfm_mont_get_event_maxincr(unsigned int i, unsigned int *maxincr);
int pfm_mont_get_event_umask(unsigned int i, unsigned long *umask);
int pfm_mont_get_event_group(unsigned int i, int *grp);
int pfm_mont_get_event_grp(unsigned int i, int *grp);
int pfm_mont_get_event_set(unsigned int i, int *set);
int pfm_mont_get_event_type(unsigned int i, int *type);
int pfm_mont_get_ear_mode(unsigned int i, pfmlib_mont_ear_mode_t *mode);
int pfm_mont_get_event_ear_mode(unsigned int i, pfmlib_mont_ear_mode_t *mode);

/* The mode of code ranges after a successful pfm_dispatch_events(). */
int pfm_mont_irange_is_fine(pfmlib_output_param_t *outp, pfmlib_mont_output_param_t *mod_out);

#ifdef __cplusplus
}
#endif

#endif
