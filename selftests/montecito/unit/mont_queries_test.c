// SPDX-License-Identifier: GPL-2.0-only
/* Every answer of libpfm 3.10's queries about Montecito, as queries.json has them. */
#include <json-c/json.h>
#include <perfmon/pfmlib_montecito.h>
#include <stddef.h>
#include <stdlib.h>

#include "../../unit/tap.h"

#define POISON		0xcc
#define POISON_MODE	0x7c	/* positive as a whole */
#define NR(array)	(sizeof(array) / sizeof((array)[0]))

/* Runs the call that a text stands for; a text that nobody knows is a fault of this test. */
#define CALL(words, run)	do {				\
		if (!strcmp(call, words)) {			\
			*known = true;				\
			return run;				\
		}						\
	} while (0)

static char buf[128];
static int value;
static unsigned int number;
static unsigned long wide;
static size_t size;
static char *text;
static pfmlib_regmask_t mask, other;
static pfmlib_event_t event;
static pfmlib_input_param_t in;
static pfmlib_output_param_t out, zeroed;
static pfmlib_mont_output_param_t mont_out, mont_zeroed;
static pfmlib_mont_ear_mode_t mode;
static unsigned int nr_events, cycles, with_masks, an_ear;

static struct json_object *get(struct json_object *object, const char *key)
{
	struct json_object *member = NULL;

	if (!json_object_object_get_ex(object, key, &member))
		ok(false, "the facts have '%s'", key);
	return member;
}

static int get_int(struct json_object *object, const char *key)
{
	return json_object_get_int(get(object, key));
}

static const char *get_str(struct json_object *object, const char *key)
{
	return json_object_get_string(get(object, key));
}

static bool has(struct json_object *object, const char *key)
{
	return json_object_object_get_ex(object, key, NULL);
}

static unsigned int find(const char *name)
{
	unsigned int idx = ~0U;

	pfm_find_event_byname(name, &idx);
	return idx;
}

/* --- before a PMU is selected ---------------------------------------------------------------- */

static int nr_printed;

static int count_print(const char *fmt, ...)
{
	(void)fmt;
	return nr_printed++;
}

static int ask_early_of_events(const char *call, bool *known)
{
	CALL("pfm_find_event", pfm_find_event("CPU_OP_CYCLES_ALL", &number));
	CALL("pfm_find_event_byname", pfm_find_event_byname("CPU_OP_CYCLES_ALL", &number));
	CALL("pfm_find_event_bycode", pfm_find_event_bycode(0x12, &number));
	CALL("pfm_find_event_bycode_next", pfm_find_event_bycode_next(0x12, 0, &number));
	CALL("pfm_find_event_mask", pfm_find_event_mask(474, "M", &number));
	CALL("pfm_find_full_event", pfm_find_full_event("CPU_OP_CYCLES_ALL", &event));
	CALL("pfm_get_num_event_masks", pfm_get_num_event_masks(0, &number));
	CALL("pfm_get_event_name", pfm_get_event_name(0, buf, sizeof(buf)));
	CALL("pfm_get_full_event_name", pfm_get_full_event_name(&event, buf, sizeof(buf)));
	CALL("pfm_get_event_code", pfm_get_event_code(0, &value));
	CALL("pfm_get_event_mask_code", pfm_get_event_mask_code(474, 0, &number));
	CALL("pfm_get_event_counters", pfm_get_event_counters(0, &mask));
	CALL("pfm_get_event_description", pfm_get_event_description(0, &text));
	CALL("pfm_get_event_code_counter", pfm_get_event_code_counter(0, 4, &value));
	CALL("pfm_get_event_mask_name", pfm_get_event_mask_name(474, 0, buf, sizeof(buf)));
	CALL("pfm_get_event_mask_description", pfm_get_event_mask_description(474, 0, &text));
	CALL("pfm_get_cycle_event", pfm_get_cycle_event(&event));
	CALL("pfm_get_inst_retired_event", pfm_get_inst_retired_event(&event));
	CALL("pfm_mont_get_event_maxincr", pfm_mont_get_event_maxincr(0, &number));
	CALL("pfm_mont_is_ear", pfm_mont_is_ear(0));
	return 0;
}

static int ask_early(const char *call, bool *known)
{
	CALL("pfm_get_pmu_name", pfm_get_pmu_name(buf, sizeof(buf)));
	CALL("pfm_get_pmu_type", pfm_get_pmu_type(&value));
	CALL("pfm_is_pmu_supported", pfm_is_pmu_supported(PFMLIB_MONTECITO_PMU));
	CALL("pfm_get_pmu_name_bytype",
	     pfm_get_pmu_name_bytype(PFMLIB_MONTECITO_PMU, buf, sizeof(buf)));
	CALL("pfm_list_supported_pmus", pfm_list_supported_pmus(count_print));
	CALL("pfm_get_max_event_name_len", pfm_get_max_event_name_len(&size));
	CALL("pfm_get_num_events", pfm_get_num_events(&number));
	CALL("pfm_dispatch_events", pfm_dispatch_events(&in, NULL, &out, NULL));
	CALL("pfm_get_impl_pmcs", pfm_get_impl_pmcs(&mask));
	CALL("pfm_get_impl_pmds", pfm_get_impl_pmds(&mask));
	CALL("pfm_get_impl_counters", pfm_get_impl_counters(&mask));
	CALL("pfm_get_num_pmds", pfm_get_num_pmds(&number));
	CALL("pfm_get_num_pmcs", pfm_get_num_pmcs(&number));
	CALL("pfm_get_num_counters", pfm_get_num_counters(&number));
	CALL("pfm_get_hw_counter_width", pfm_get_hw_counter_width(&number));
	CALL("pfm_get_version", pfm_get_version(&number));
	return ask_early_of_events(call, known);
}

static void test_before_init(struct json_object *facts)
{
	in.pfp_dfl_plm = PFM_PLM3;
	json_object_object_foreach(facts, call, want) {
		bool known = false;
		const int ret = ask_early(call, &known);

		ok(known, "this test knows %s", call);
		is_u64(ret, json_object_get_int(want), "%s before a PMU is selected", call);
	}
	ok(nr_printed, "PMUs can be listed before one is selected");
}

/* --- layouts --------------------------------------------------------------------------------- */

/*
 * The order of members is the manual page's: etb_ds is there, IP-EAR stands before ETB, and there
 * are no reserved members. NOWHERE: such a member is not there.
 */
#define NOWHERE	(-1)
static const struct decided {
	const char *what;
	int reference;
	int ours;
} decided[] = {
	{ "pfmlib_mont_etb_t", 12, 16 },
	{ "pfmlib_mont_etb_t.etb_tm", 8, 9 },
	{ "pfmlib_mont_etb_t.etb_ptm", 9, 10 },
	{ "pfmlib_mont_etb_t.etb_ppm", 10, 11 },
	{ "pfmlib_mont_etb_t.etb_brt", 11, 12 },
	{ "pfmlib_mont_input_param_t.pfp_mont_etb", 200, 212 },
	{ "pfmlib_mont_input_param_t.pfp_mont_ipear", 212, 200 },
	{ "pfmlib_mont_input_param_t.pfp_mont_drange", 224, 232 },
	{ "pfmlib_mont_input_param_t.pfp_mont_irange", 336, 344 },
	{ "pfmlib_mont_input_param_t.reserved", 448, NOWHERE },
	{ "pfmlib_mont_output_param_t", 704, 656 },
	{ "pfmlib_mont_output_param_t.reserved", 656, NOWHERE },
};

#define S(type)		{ #type, sizeof(type) }
#define O(type, member)	{ #type "." #member, offsetof(type, member) }
static const struct layout {
	const char *what;
	int at;
} layouts[] = {
	S(pfmlib_regmask_t), S(pfmlib_event_t), S(pfmlib_reg_t), S(pfmlib_input_param_t),
	S(pfmlib_output_param_t), S(pfmlib_options_t), S(pfm_mont_pmc_reg_t),
	S(pfm_mont_pmd_reg_t), S(pfmlib_mont_counter_t), S(pfmlib_mont_opcm_t),
	S(pfmlib_mont_etb_t), S(pfmlib_mont_ipear_t), S(pfmlib_mont_ear_mode_t),
	S(pfmlib_mont_ear_t), S(pfmlib_mont_input_rr_desc_t), S(pfmlib_mont_output_rr_desc_t),
	S(pfmlib_mont_input_rr_t), S(pfmlib_mont_output_rr_t), S(pfmlib_mont_input_param_t),
	S(pfmlib_mont_output_param_t), O(pfmlib_event_t, event), O(pfmlib_event_t, plm),
	O(pfmlib_event_t, flags), O(pfmlib_event_t, unit_masks), O(pfmlib_event_t, num_masks),
	O(pfmlib_event_t, reserved), O(pfmlib_reg_t, reg_value), O(pfmlib_reg_t, reg_addr),
	O(pfmlib_reg_t, reg_num), O(pfmlib_reg_t, reg_reserved1), O(pfmlib_reg_t, reg_alt_addr),
	O(pfmlib_input_param_t, pfp_event_count), O(pfmlib_input_param_t, pfp_dfl_plm),
	O(pfmlib_input_param_t, pfp_flags), O(pfmlib_input_param_t, pfp_events),
	O(pfmlib_input_param_t, pfp_unavail_pmcs), O(pfmlib_input_param_t, reserved),
	O(pfmlib_output_param_t, pfp_pmc_count), O(pfmlib_output_param_t, pfp_pmd_count),
	O(pfmlib_output_param_t, pfp_pmcs), O(pfmlib_output_param_t, pfp_pmds),
	O(pfmlib_output_param_t, reserved), O(pfmlib_mont_input_param_t, pfp_mont_counters),
	O(pfmlib_mont_input_param_t, pfp_mont_flags), O(pfmlib_mont_input_param_t, pfp_mont_opcm1),
	O(pfmlib_mont_input_param_t, pfp_mont_opcm2), O(pfmlib_mont_input_param_t, pfp_mont_iear),
	O(pfmlib_mont_input_param_t, pfp_mont_dear), O(pfmlib_mont_input_param_t, pfp_mont_etb),
	O(pfmlib_mont_input_param_t, pfp_mont_ipear),
	O(pfmlib_mont_input_param_t, pfp_mont_drange),
	O(pfmlib_mont_input_param_t, pfp_mont_irange),
	{ "pfmlib_mont_input_param_t.reserved", NOWHERE },
	O(pfmlib_mont_output_param_t, pfp_mont_drange),
	O(pfmlib_mont_output_param_t, pfp_mont_irange),
	{ "pfmlib_mont_output_param_t.reserved", NOWHERE }, O(pfmlib_mont_opcm_t, opcm_used),
	O(pfmlib_mont_opcm_t, opcm_m), O(pfmlib_mont_opcm_t, opcm_i),
	O(pfmlib_mont_opcm_t, opcm_f), O(pfmlib_mont_opcm_t, opcm_b),
	O(pfmlib_mont_opcm_t, opcm_match), O(pfmlib_mont_opcm_t, opcm_mask),
	O(pfmlib_mont_etb_t, etb_used), O(pfmlib_mont_etb_t, etb_plm),
	O(pfmlib_mont_etb_t, etb_tm), O(pfmlib_mont_etb_t, etb_ptm), O(pfmlib_mont_etb_t, etb_ppm),
	O(pfmlib_mont_etb_t, etb_brt), O(pfmlib_mont_ear_t, ear_used),
	O(pfmlib_mont_ear_t, ear_mode), O(pfmlib_mont_ear_t, ear_plm),
	O(pfmlib_mont_ear_t, ear_umask), O(pfmlib_mont_ipear_t, ipear_used),
	O(pfmlib_mont_ipear_t, ipear_plm), O(pfmlib_mont_ipear_t, ipear_delay),
	O(pfmlib_mont_input_rr_t, rr_flags), O(pfmlib_mont_input_rr_t, rr_limits),
	O(pfmlib_mont_input_rr_t, rr_used), O(pfmlib_mont_input_rr_desc_t, rr_plm),
	O(pfmlib_mont_input_rr_desc_t, rr_start), O(pfmlib_mont_input_rr_desc_t, rr_end),
	O(pfmlib_mont_output_rr_t, rr_nbr_used), O(pfmlib_mont_output_rr_t, rr_infos),
	O(pfmlib_mont_output_rr_t, rr_br),
};

static const struct decided *find_decided(const char *what)
{
	unsigned int i;

	for (i = 0; i < NR(decided); i++) {
		if (!strcmp(decided[i].what, what))
			return &decided[i];
	}
	return NULL;
}

static void test_layout(struct json_object *facts)
{
	json_object_object_foreach(facts, what, fact) {
		const struct decided *d = find_decided(what);
		const int reference = json_object_get_int(fact);
		unsigned int i = 0;

		while (i < NR(layouts) && strcmp(layouts[i].what, what))
			i++;
		if (!ok(i < NR(layouts), "this test knows %s", what))
			continue;
		if (d)
			is_u64(d->reference, reference, "%s differs as was decided", what);
		is_u64(layouts[i].at, d ? d->ours : reference, "layout of %s", what);
	}
}

/* --- global queries -------------------------------------------------------------------------- */

static void check_mask(struct json_object *want, int (*ask)(pfmlib_regmask_t *), const char *what)
{
	pfmlib_regmask_t expected;
	unsigned int i;

	memset(&mask, POISON, sizeof(mask));
	memset(&expected, 0, sizeof(expected));
	for (i = 0; i < json_object_array_length(want); i++) {
		const int reg = json_object_get_int(json_object_array_get_idx(want, i));

		expected.bits[reg / 64] |= 1UL << reg % 64;
	}
	is_u64(ask(&mask), 0, "%s", what);
	ok(!memcmp(&mask, &expected, sizeof(mask)), "%s: the registers", what);
}

static void test_numbers(struct json_object *facts)
{
	static const struct {
		const char *name;
		int (*ask)(unsigned int *number);
	} asked[] = {
		{ "num_events", pfm_get_num_events },
		{ "num_counters", pfm_get_num_counters },
		{ "num_pmcs", pfm_get_num_pmcs },
		{ "num_pmds", pfm_get_num_pmds },
		{ "hw_counter_width", pfm_get_hw_counter_width },
	};
	unsigned int i;

	for (i = 0; i < NR(asked); i++) {
		number = POISON;
		is_u64(asked[i].ask(&number), 0, "%s", asked[i].name);
		is_u64(number, get_int(facts, asked[i].name), "%s: the number", asked[i].name);
	}
}

static void test_special(const char *want, int (*ask)(pfmlib_event_t *), const char *what)
{
	static const pfmlib_event_t none;
	unsigned int idx;

	memset(&event, POISON, sizeof(event));
	is_u64(ask(&event), 0, "%s", what);
	idx = event.event;
	pfm_get_event_name(idx, buf, sizeof(buf));
	is_str(buf, want, "%s: its name", what);
	event.event = 0;
	ok(!memcmp(&event, &none, sizeof(event)), "%s: all else is 0", what);
}

static int get_code(struct json_object *codes, unsigned int i)
{
	return json_object_get_int(json_object_array_get_idx(codes, i));
}

static void test_strerror(struct json_object *codes)
{
	unsigned int i, j, nr = json_object_array_length(codes), same = 0;

	for (i = 0; i < nr; i++) {
		const int code = get_code(codes, i);

		ok(strcmp(pfm_strerror(code), pfm_strerror(1)), "words for code %d: %s", code,
		   pfm_strerror(code));
		for (j = 0; j < i; j++)
			same += !strcmp(pfm_strerror(code), pfm_strerror(get_code(codes, j)));
	}
	is_u64(same, 0, "all words differ");
	is_str(pfm_strerror(-(int)nr), pfm_strerror(1), "an unknown code has the common text");
	is_str(pfm_strerror(-2147483647 - 1), pfm_strerror(1), "the smallest code as well");
	is_str(pfm_strerror(2147483647), pfm_strerror(1), "and the largest");
}

static void test_globals(struct json_object *facts)
{
	pfm_get_version(&number);
	is_u64(PFMLIB_MAJ_VERSION(number), get_int(facts, "version_major"), "major version");
	is_u64(PFMLIB_MIN_VERSION(number), get_int(facts, "version_minor"), "minor version");
	is_u64(pfm_get_pmu_name(buf, sizeof(buf)), 0, "name of the PMU");
	is_str(buf, get_str(facts, "pmu_name"), "name of the PMU: the text");
	is_u64(pfm_get_pmu_type(&value), 0, "type of the PMU");
	is_u64(value, get_int(facts, "pmu_type"), "type of the PMU: the number");
	test_numbers(facts);
	is_u64(pfm_get_max_event_name_len(&size), 0, "longest name");
	is_u64(size, get_int(facts, "max_event_name_len"), "longest name: its length");
	check_mask(get(facts, "impl_pmcs"), pfm_get_impl_pmcs, "PMCs");
	check_mask(get(facts, "impl_pmds"), pfm_get_impl_pmds, "PMDs");
	check_mask(get(facts, "impl_counters"), pfm_get_impl_counters, "counters");
	test_special(get_str(facts, "cycle_event"), pfm_get_cycle_event, "cycle event");
	test_special(get_str(facts, "inst_retired_event"), pfm_get_inst_retired_event,
		     "instruction event");
	test_strerror(get(facts, "strerror_known_codes"));
}

/* --- calls in words -------------------------------------------------------------------------- */

static int edge_pmu(const char *call, bool *known)
{
	CALL("pfm_set_options(NULL)", pfm_set_options(NULL));
	CALL("pfm_list_supported_pmus(NULL)", pfm_list_supported_pmus(NULL));
	CALL("pfm_force_pmu(123456)", pfm_force_pmu(123456));
	CALL("pfm_force_pmu(PFMLIB_MONTECITO_PMU)", pfm_force_pmu(PFMLIB_MONTECITO_PMU));
	CALL("pfm_is_pmu_supported(PFMLIB_MONTECITO_PMU)",
	     pfm_is_pmu_supported(PFMLIB_MONTECITO_PMU));
	CALL("pfm_is_pmu_supported(123456)", pfm_is_pmu_supported(123456));
	CALL("pfm_get_pmu_name(buf,128)", pfm_get_pmu_name(buf, 128));
	CALL("pfm_get_pmu_name(buf,6)", pfm_get_pmu_name(buf, 6));
	CALL("pfm_get_pmu_name(buf,1)", pfm_get_pmu_name(buf, 1));
	CALL("pfm_get_pmu_name(buf,0)", pfm_get_pmu_name(buf, 0));
	CALL("pfm_get_pmu_name(NULL,10)", pfm_get_pmu_name(NULL, 10));
	CALL("pfm_get_pmu_type(NULL)", pfm_get_pmu_type(NULL));
	CALL("pfm_get_pmu_name_bytype(PFMLIB_MONTECITO_PMU,buf,128)",
	     pfm_get_pmu_name_bytype(PFMLIB_MONTECITO_PMU, buf, 128));
	CALL("pfm_get_pmu_name_bytype(PFMLIB_MONTECITO_PMU,buf,4)",
	     pfm_get_pmu_name_bytype(PFMLIB_MONTECITO_PMU, buf, 4));
	CALL("pfm_get_pmu_name_bytype(PFMLIB_MONTECITO_PMU,buf,0)",
	     pfm_get_pmu_name_bytype(PFMLIB_MONTECITO_PMU, buf, 0));
	CALL("pfm_get_pmu_name_bytype(123456,buf,128)", pfm_get_pmu_name_bytype(123456, buf, 128));
	CALL("pfm_get_version(NULL)", pfm_get_version(NULL));
	CALL("pfm_get_num_events(NULL)", pfm_get_num_events(NULL));
	CALL("pfm_get_num_pmcs(NULL)", pfm_get_num_pmcs(NULL));
	CALL("pfm_get_num_pmds(NULL)", pfm_get_num_pmds(NULL));
	CALL("pfm_get_num_counters(NULL)", pfm_get_num_counters(NULL));
	CALL("pfm_get_hw_counter_width(NULL)", pfm_get_hw_counter_width(NULL));
	CALL("pfm_get_impl_pmcs(NULL)", pfm_get_impl_pmcs(NULL));
	CALL("pfm_get_impl_pmds(NULL)", pfm_get_impl_pmds(NULL));
	CALL("pfm_get_impl_counters(NULL)", pfm_get_impl_counters(NULL));
	CALL("pfm_get_max_event_name_len(NULL)", pfm_get_max_event_name_len(NULL));
	CALL("pfm_get_cycle_event(NULL)", pfm_get_cycle_event(NULL));
	CALL("pfm_get_inst_retired_event(NULL)", pfm_get_inst_retired_event(NULL));
	return 0;
}

static int edge_event(const char *call, bool *known)
{
	CALL("pfm_get_num_event_masks(num_events,&u)", pfm_get_num_event_masks(nr_events, &number));
	CALL("pfm_get_num_event_masks(0,NULL)", pfm_get_num_event_masks(0, NULL));
	CALL("pfm_get_event_name(num_events,buf,128)", pfm_get_event_name(nr_events, buf, 128));
	CALL("pfm_get_event_name(0,NULL,128)", pfm_get_event_name(0, NULL, 128));
	CALL("pfm_get_event_name(0,buf,0)", pfm_get_event_name(0, buf, 0));
	CALL("pfm_get_event_name(CPU_OP_CYCLES_ALL,buf,18)", pfm_get_event_name(cycles, buf, 18));
	CALL("pfm_get_event_name(CPU_OP_CYCLES_ALL,buf,17)", pfm_get_event_name(cycles, buf, 17));
	CALL("pfm_get_event_code(num_events,&v)", pfm_get_event_code(nr_events, &value));
	CALL("pfm_get_event_code(0,NULL)", pfm_get_event_code(0, NULL));
	CALL("pfm_get_event_code_counter(num_events,4,&v)",
	     pfm_get_event_code_counter(nr_events, 4, &value));
	CALL("pfm_get_event_code_counter(0,4,NULL)", pfm_get_event_code_counter(0, 4, NULL));
	CALL("pfm_get_event_counters(num_events,&mask)", pfm_get_event_counters(nr_events, &mask));
	CALL("pfm_get_event_description(num_events,&str)",
	     pfm_get_event_description(nr_events, &text));
	CALL("pfm_get_event_description(0,NULL)", pfm_get_event_description(0, NULL));
	return 0;
}

static int edge_mask(const char *call, bool *known)
{
	const unsigned int e = with_masks;

	CALL("pfm_get_event_mask_name(num_events,0,buf,16)",
	     pfm_get_event_mask_name(nr_events, 0, buf, 16));
	CALL("pfm_get_event_mask_name(CPU_OP_CYCLES_ALL,0,buf,16)",
	     pfm_get_event_mask_name(cycles, 0, buf, 16));
	CALL("pfm_get_event_mask_name(edge_mask_event,4,buf,16)",
	     pfm_get_event_mask_name(e, 4, buf, 16));
	CALL("pfm_get_event_mask_name(edge_mask_event,3,buf,3)",
	     pfm_get_event_mask_name(e, 3, buf, 3));
	CALL("pfm_get_event_mask_name(edge_mask_event,3,buf,2)",
	     pfm_get_event_mask_name(e, 3, buf, 2));
	CALL("pfm_get_event_mask_name(edge_mask_event,3,buf,1)",
	     pfm_get_event_mask_name(e, 3, buf, 1));
	CALL("pfm_get_event_mask_name(edge_mask_event,3,buf,0)",
	     pfm_get_event_mask_name(e, 3, buf, 0));
	CALL("pfm_get_event_mask_name(edge_mask_event,3,NULL,16)",
	     pfm_get_event_mask_name(e, 3, NULL, 16));
	CALL("pfm_get_event_mask_code(num_events,0,&u)",
	     pfm_get_event_mask_code(nr_events, 0, &number));
	CALL("pfm_get_event_mask_code(CPU_OP_CYCLES_ALL,0,&u)",
	     pfm_get_event_mask_code(cycles, 0, &number));
	CALL("pfm_get_event_mask_code(edge_mask_event,4,&u)",
	     pfm_get_event_mask_code(e, 4, &number));
	CALL("pfm_get_event_mask_code(edge_mask_event,0,NULL)",
	     pfm_get_event_mask_code(e, 0, NULL));
	CALL("pfm_get_event_mask_description(edge_mask_event,3,&str)",
	     pfm_get_event_mask_description(e, 3, &text));
	CALL("pfm_get_event_mask_description(edge_mask_event,4,&str)",
	     pfm_get_event_mask_description(e, 4, &text));
	CALL("pfm_get_event_mask_description(CPU_OP_CYCLES_ALL,0,&str)",
	     pfm_get_event_mask_description(cycles, 0, &text));
	CALL("pfm_get_event_mask_description(edge_mask_event,3,NULL)",
	     pfm_get_event_mask_description(e, 3, NULL));
	return 0;
}

static int edge_find(const char *call, bool *known)
{
	const unsigned int e = with_masks;

	CALL("pfm_find_event(NULL,&u)", pfm_find_event(NULL, &number));
	CALL("pfm_find_event(CPU_OP_CYCLES_ALL,NULL)", pfm_find_event("CPU_OP_CYCLES_ALL", NULL));
	CALL("pfm_find_event_byname(NULL,&u)", pfm_find_event_byname(NULL, &number));
	CALL("pfm_find_event_bycode(0x12,NULL)", pfm_find_event_bycode(0x12, NULL));
	CALL("pfm_find_event_bycode(0x100,&u)", pfm_find_event_bycode(0x100, &number));
	CALL("pfm_find_event_bycode(-1,&u)", pfm_find_event_bycode(-1, &number));
	CALL("pfm_find_event_bycode_next(0x12,0,NULL)", pfm_find_event_bycode_next(0x12, 0, NULL));
	CALL("pfm_find_event_bycode_next(0x12,num_events,&u)",
	     pfm_find_event_bycode_next(0x12, nr_events, &number));
	CALL("pfm_find_event_mask(edge_mask_event,NULL,&u)", pfm_find_event_mask(e, NULL, &number));
	CALL("pfm_find_event_mask(edge_mask_event,M,NULL)", pfm_find_event_mask(e, "M", NULL));
	CALL("pfm_find_event_mask(num_events,M,&u)", pfm_find_event_mask(nr_events, "M", &number));
	CALL("pfm_find_event_mask(CPU_OP_CYCLES_ALL,M,&u)",
	     pfm_find_event_mask(cycles, "M", &number));
	return 0;
}

/* The full name of an event with @nr masks, @a, @b and @c. */
static int full_name(unsigned int idx, unsigned int nr, unsigned int a, unsigned int b,
		     unsigned int c, size_t len)
{
	pfmlib_event_t e = { .event = idx, .num_masks = nr, .unit_masks = { a, b, c } };

	return pfm_get_full_event_name(&e, buf, len);
}

static int edge_full_name(const char *call, bool *known)
{
	const size_t len = strlen("L3_INSERTS");
	pfmlib_event_t e = { .event = cycles };

	CALL("pfm_get_full_event_name({CPU_OP_CYCLES_ALL},buf,128)",
	     full_name(cycles, 0, 0, 0, 0, 128));
	CALL("pfm_get_full_event_name({CPU_OP_CYCLES_ALL},buf,18)",
	     full_name(cycles, 0, 0, 0, 0, 18));
	CALL("pfm_get_full_event_name({CPU_OP_CYCLES_ALL},buf,17)",
	     full_name(cycles, 0, 0, 0, 0, 17));
	CALL("pfm_get_full_event_name({CPU_OP_CYCLES_ALL},buf,0)",
	     full_name(cycles, 0, 0, 0, 0, 0));
	CALL("pfm_get_full_event_name({CPU_OP_CYCLES_ALL},NULL,128)",
	     pfm_get_full_event_name(&e, NULL, 128));
	CALL("pfm_get_full_event_name(NULL,buf,128)", pfm_get_full_event_name(NULL, buf, 128));
	CALL("pfm_get_full_event_name({CPU_OP_CYCLES_ALL,masks=[0]},buf,128)",
	     full_name(cycles, 1, 0, 0, 0, 128));
	CALL("pfm_get_full_event_name({edge_mask_event},buf,128)",
	     full_name(with_masks, 0, 0, 0, 0, 128));
	CALL("pfm_get_full_event_name({edge_mask_event,masks=[3,0,2]},buf,128)",
	     full_name(with_masks, 3, 3, 0, 2, 128));
	CALL("pfm_get_full_event_name({edge_mask_event,masks=[3,0,2]},buf,len+7)",
	     full_name(with_masks, 3, 3, 0, 2, len + 7));
	CALL("pfm_get_full_event_name({edge_mask_event,masks=[3,0,2]},buf,len+6)",
	     full_name(with_masks, 3, 3, 0, 2, len + 6));
	CALL("pfm_get_full_event_name({edge_mask_event,masks=[3,4,2]},buf,128)",
	     full_name(with_masks, 3, 3, 4, 2, 128));
	CALL("pfm_get_full_event_name({num_events},buf,128)",
	     full_name(nr_events, 0, 0, 0, 0, 128));
	return 0;
}

static int edge_mont(const char *call, bool *known)
{
	const unsigned int n = nr_events;

	CALL("pfm_mont_get_event_maxincr(num_events,&u)", pfm_mont_get_event_maxincr(n, &number));
	CALL("pfm_mont_get_event_maxincr(0,NULL)", pfm_mont_get_event_maxincr(0, NULL));
	CALL("pfm_mont_get_event_umask(num_events,&ul)", pfm_mont_get_event_umask(n, &wide));
	CALL("pfm_mont_get_event_umask(0,NULL)", pfm_mont_get_event_umask(0, NULL));
	CALL("pfm_mont_get_event_group(num_events,&v)", pfm_mont_get_event_group(n, &value));
	CALL("pfm_mont_get_event_group(0,NULL)", pfm_mont_get_event_group(0, NULL));
	CALL("pfm_mont_get_event_set(num_events,&v)", pfm_mont_get_event_set(n, &value));
	CALL("pfm_mont_get_event_set(0,NULL)", pfm_mont_get_event_set(0, NULL));
	CALL("pfm_mont_get_event_type(num_events,&v)", pfm_mont_get_event_type(n, &value));
	CALL("pfm_mont_get_event_type(0,NULL)", pfm_mont_get_event_type(0, NULL));
	CALL("pfm_mont_get_ear_mode(DATA_EAR_CACHE_LAT4,NULL)",
	     pfm_mont_get_ear_mode(an_ear, NULL));
	CALL("pfm_mont_is_ear(num_events)", pfm_mont_is_ear(n));
	CALL("pfm_mont_is_dear(num_events)", pfm_mont_is_dear(n));
	CALL("pfm_mont_is_dear_tlb(num_events)", pfm_mont_is_dear_tlb(n));
	CALL("pfm_mont_is_dear_cache(num_events)", pfm_mont_is_dear_cache(n));
	CALL("pfm_mont_is_dear_alat(num_events)", pfm_mont_is_dear_alat(n));
	CALL("pfm_mont_is_iear(num_events)", pfm_mont_is_iear(n));
	CALL("pfm_mont_is_iear_tlb(num_events)", pfm_mont_is_iear_tlb(n));
	CALL("pfm_mont_is_iear_cache(num_events)", pfm_mont_is_iear_cache(n));
	CALL("pfm_mont_is_etb(num_events)", pfm_mont_is_etb(n));
	CALL("pfm_mont_support_opcm(num_events)", pfm_mont_support_opcm(n));
	CALL("pfm_mont_support_iarr(num_events)", pfm_mont_support_iarr(n));
	CALL("pfm_mont_support_darr(num_events)", pfm_mont_support_darr(n));
	CALL("pfm_mont_support_all(num_events)", pfm_mont_support_all(n));
	CALL("pfm_mont_irange_is_fine(NULL,&mo)", pfm_mont_irange_is_fine(NULL, &mont_out));
	CALL("pfm_mont_irange_is_fine(&o,NULL)", pfm_mont_irange_is_fine(&out, NULL));
	CALL("pfm_mont_irange_is_fine(&zeroed,&zeroed)",
	     pfm_mont_irange_is_fine(&zeroed, &mont_zeroed));
	return 0;
}

static int edge_regmask(const char *call, bool *known)
{
	pfmlib_regmask_t *m = &mask;

	CALL("pfm_regmask_set(&m,511)", pfm_regmask_set(m, 511));
	CALL("pfm_regmask_set(&m,512)", pfm_regmask_set(m, 512));
	CALL("pfm_regmask_isset(&m,511)", pfm_regmask_isset(m, 511));
	CALL("pfm_regmask_isset(&m,512)", pfm_regmask_isset(m, 512));
	CALL("pfm_regmask_clr(&m,512)", pfm_regmask_clr(m, 512));
	CALL("pfm_regmask_clr(NULL,1)", pfm_regmask_clr(NULL, 1));
	CALL("pfm_regmask_weight(NULL,&w)", pfm_regmask_weight(NULL, &number));
	CALL("pfm_regmask_weight(&m,NULL)", pfm_regmask_weight(m, NULL));
	CALL("pfm_regmask_copy(&b,NULL)", pfm_regmask_copy(&other, NULL));
	CALL("pfm_regmask_eq(&m,NULL)", pfm_regmask_eq(m, NULL));
	CALL("pfm_regmask_eq(&m,&m)", pfm_regmask_eq(m, m));
	CALL("pfm_regmask_and(NULL,&m,&m)", pfm_regmask_and(NULL, m, m));
	CALL("pfm_regmask_or(&m,NULL,&m)", pfm_regmask_or(m, NULL, m));
	CALL("pfm_regmask_andnot(&m,&m,NULL)", pfm_regmask_andnot(m, m, NULL));
	CALL("pfm_regmask_not(NULL)", pfm_regmask_not(NULL));
	return 0;
}

static int edge(const char *call, bool *known)
{
	static int (* const parts[])(const char *call, bool *known) = {
		edge_pmu, edge_event, edge_mask, edge_find, edge_full_name, edge_mont, edge_regmask,
	};
	unsigned int i;
	int ret = 0;

	for (i = 0; !*known && i < NR(parts); i++)
		ret = parts[i](call, known);
	return ret;
}

static void test_edge_calls(struct json_object *facts)
{
	unsigned int i;

	for (i = 0; i < json_object_array_length(facts); i++) {
		struct json_object *fact = json_object_array_get_idx(facts, i);
		const char *call = get_str(fact, "call");
		bool known = false;
		int ret;

		memset(buf, POISON, sizeof(buf));
		text = NULL;
		ret = edge(call, &known);
		ok(known, "this test knows %s", call);
		is_u64(ret, get_int(fact, "ret"), "%s", call);
		if (has(fact, "text"))
			is_str(buf, get_str(fact, "text"), "%s: the text", call);
		free(text);
	}
}

/* --- strings --------------------------------------------------------------------------------- */

static void check_found(struct json_object *fact, int ret, unsigned int idx, const char *what,
			const char *str)
{
	is_u64(ret, get_int(fact, "ret"), "%s of '%s'", what, str);
	if (ret) {
		is_u64(idx, POISON, "%s of '%s': nothing is written", what, str);
		return;
	}
	pfm_get_event_name(idx, buf, sizeof(buf));
	is_str(buf, get_str(fact, "name"), "%s of '%s': the event", what, str);
}

static void test_find_event(struct json_object *facts)
{
	unsigned int i, idx;

	for (i = 0; i < json_object_array_length(facts); i++) {
		struct json_object *fact = json_object_array_get_idx(facts, i);
		const char *str = get_str(fact, "str");
		int ret;

		idx = POISON;
		ret = pfm_find_event(str, &idx);
		check_found(get(fact, "find_event"), ret, idx, "pfm_find_event", str);
		idx = POISON;
		ret = pfm_find_event_byname(str, &idx);
		check_found(get(fact, "find_event_byname"), ret, idx, "pfm_find_event_byname", str);
	}
}

static void test_find_mask(struct json_object *facts)
{
	unsigned int i, idx;

	for (i = 0; i < json_object_array_length(facts); i++) {
		struct json_object *fact = json_object_array_get_idx(facts, i);
		const char *str = get_str(fact, "str");

		idx = POISON;
		is_u64(pfm_find_event_mask(with_masks, str, &idx), get_int(fact, "ret"),
		       "pfm_find_event_mask of '%s'", str);
		is_u64(idx, has(fact, "mask") ? get_int(fact, "mask") : POISON,
		       "pfm_find_event_mask of '%s': the mask", str);
	}
}

/* What is not named in the facts is 0. */
static void check_full(struct json_object *fact, const char *str)
{
	static const pfmlib_event_t none;
	struct json_object *masks = NULL;
	unsigned int i, nr = 0;

	json_object_object_get_ex(fact, "masks", &masks);
	if (masks)
		nr = json_object_array_length(masks);
	is_u64(event.num_masks, nr, "'%s': number of masks", str);
	for (i = 0; i < nr; i++) {
		is_u64(event.unit_masks[i],
		       json_object_get_int(json_object_array_get_idx(masks, i)),
		       "'%s': mask %u", str, i);
		event.unit_masks[i] = 0;
	}
	pfm_get_event_name(event.event, buf, sizeof(buf));
	is_str(buf, has(fact, "name") ? get_str(fact, "name") : "L3_INSERTS", "'%s': the event",
	       str);
	event.event = 0;
	event.num_masks = 0;
	ok(!memcmp(&event, &none, sizeof(event)), "'%s': all else is 0", str);
}

static void test_find_full(struct json_object *facts)
{
	pfmlib_event_t poison;
	unsigned int i;

	memset(&poison, POISON, sizeof(poison));
	for (i = 0; i < json_object_array_length(facts); i++) {
		struct json_object *fact = json_object_array_get_idx(facts, i);
		const char *str = get_str(fact, "str");
		int ret;

		memset(&event, POISON, sizeof(event));
		ret = pfm_find_full_event(str, &event);
		is_u64(ret, get_int(fact, "ret"), "pfm_find_full_event of '%s'", str);
		if (ret)
			ok(!memcmp(&event, &poison, sizeof(event)), "'%s': nothing is written",
			   str);
		else
			check_full(fact, str);
	}
}

/* --- every event ----------------------------------------------------------------------------- */

static unsigned int wrong;

static void expect(const char *name, const char *what, long long got, long long want)
{
	if (got == want)
		return;
	wrong++;
	printf("# %s: %s is %lld, should be %lld\n", name, what, got, want);
}

static void check_names(struct json_object *fact, unsigned int idx, const char *name)
{
	struct json_object *want = get(fact, "find");
	char strings[3][80];
	unsigned int i, j;

	snprintf(strings[0], sizeof(strings[0]), "%s", name);
	snprintf(strings[1], sizeof(strings[1]), "%s", name);
	snprintf(strings[2], sizeof(strings[2]), "%s:anything", name);
	for (j = 0; strings[1][j]; j++) {
		if (strings[1][j] >= 'A' && strings[1][j] <= 'Z')
			strings[1][j] |= 0x20;
	}
	for (i = 0; i < 3; i++) {
		number = POISON;
		expect(name, "return of find", pfm_find_event(strings[i], &number), 0);
		expect(name, strings[i], number,
		       json_object_get_int(json_object_array_get_idx(want, i)));
	}
	memset(buf, POISON, sizeof(buf));
	expect(name, "return of name", pfm_get_event_name(idx, buf, sizeof(buf)), 0);
	expect(name, "comparison of names", strcmp(buf, name), 0);
	expect(name, "return of find_full", pfm_find_full_event(name, &event),
	       get_int(fact, "find_full_bare_ret"));
}

static void check_codes(struct json_object *fact, unsigned int idx, const char *name,
			struct json_object *counter_ret)
{
	struct json_object *next = get(fact, "bycode_next");
	const int code = get_int(fact, "code");
	unsigned int i;

	value = POISON;
	expect(name, "return of code", pfm_get_event_code(idx, &value), 0);
	expect(name, "code", value, code);
	for (i = 0; i < json_object_array_length(counter_ret); i++)
		expect(name, "return of code_counter", pfm_get_event_code_counter(idx, i, &value),
		       json_object_get_int(json_object_array_get_idx(counter_ret, i)));
	value = POISON;
	expect(name, "return of code_counter of the first",
	       pfm_get_event_code_counter(idx, 0xffffffff, &value), 0);
	expect(name, "code on the first counter", value, code);
	expect(name, "return of bycode", pfm_find_event_bycode(code, &number), 0);
	expect(name, "event by code", number, get_int(fact, "bycode"));
	expect(name, "return of bycode_next", pfm_find_event_bycode_next(code, idx, &number),
	       get_int(next, "ret"));
	if (has(next, "index"))
		expect(name, "next event by code", number, get_int(next, "index"));
	memset(&mask, POISON, sizeof(mask));
	expect(name, "return of counters", pfm_get_event_counters(idx, &mask), 0);
	expect(name, "counters", mask.bits[0], strtoul(get_str(fact, "counters"), NULL, 0));
	for (i = 1; i < PFMLIB_REG_BV; i++)
		expect(name, "further words of counters", mask.bits[i], 0);
}

/* Returned texts are the caller's, who may write to them. */
static void check_text(const char *name, int ret)
{
	expect(name, "return of description", ret, 0);
	expect(name, "whether there is a description", text && strlen(text) > 10, 1);
	if (text)
		text[0] = '\0';
	free(text);
	text = NULL;
}

static void check_masks(struct json_object *fact, unsigned int idx, const char *name)
{
	struct json_object *masks = get(fact, "masks");
	unsigned int i;

	number = POISON;
	expect(name, "return of num_masks", pfm_get_num_event_masks(idx, &number), 0);
	expect(name, "num_masks", number, get_int(fact, "num_masks"));
	expect(name, "masks listed", number, json_object_array_length(masks));
	for (i = 0; i < json_object_array_length(masks); i++) {
		struct json_object *m = json_object_array_get_idx(masks, i);

		expect(name, "return of mask_name",
		       pfm_get_event_mask_name(idx, i, buf, sizeof(buf)), 0);
		expect(name, "comparison of mask names", strcmp(buf, get_str(m, "name")), 0);
		expect(name, "return of mask_code", pfm_get_event_mask_code(idx, i, &number), 0);
		expect(name, "mask code", number, get_int(m, "code"));
		check_text(name, pfm_get_event_mask_description(idx, i, &text));
	}
	check_text(name, pfm_get_event_description(idx, &text));
}

static void check_mode(struct json_object *ear, const char *name, int ret)
{
	unsigned int poison;

	memset(&poison, POISON_MODE, sizeof(poison));
	expect(name, "return of ear_mode", ret, get_int(ear, "ret"));
	expect(name, "ear_mode", mode,
	       has(ear, "mode") ? (unsigned int)get_int(ear, "mode") : poison);
}

static void check_kind(struct json_object *fact, unsigned int i, const char *name)
{
	static const struct {
		const char *name;
		int (*ask)(unsigned int i);
	} asked[] = {
		{ "is_ear", pfm_mont_is_ear },
		{ "is_dear", pfm_mont_is_dear },
		{ "is_dear_tlb", pfm_mont_is_dear_tlb },
		{ "is_dear_cache", pfm_mont_is_dear_cache },
		{ "is_dear_alat", pfm_mont_is_dear_alat },
		{ "is_iear", pfm_mont_is_iear },
		{ "is_iear_tlb", pfm_mont_is_iear_tlb },
		{ "is_iear_cache", pfm_mont_is_iear_cache },
		{ "is_etb", pfm_mont_is_etb },
		{ "support_opcm", pfm_mont_support_opcm },
		{ "support_iarr", pfm_mont_support_iarr },
		{ "support_darr", pfm_mont_support_darr },
		{ "support_all", pfm_mont_support_all },
	};
	struct json_object *ear = get(fact, "ear_mode");
	unsigned int j;

	for (j = 0; j < NR(asked); j++)
		expect(name, asked[j].name, asked[j].ask(i), get_int(fact, asked[j].name));
	memset(&mode, POISON_MODE, sizeof(mode));
	check_mode(ear, name, pfm_mont_get_ear_mode(i, &mode));
	memset(&mode, POISON_MODE, sizeof(mode));
	check_mode(ear, name, pfm_mont_get_event_ear_mode(i, &mode));
}

/* Of an event without group the reference answers 7; the page has a name for that, which is 0. */
static int decided_group(int reference)
{
	return reference == 7 ? PFMLIB_MONT_EVT_NO_GRP : reference;
}

static void check_values(struct json_object *fact, unsigned int i, const char *name)
{
	const int group = decided_group(get_int(fact, "group"));

	expect(name, "return of maxincr", pfm_mont_get_event_maxincr(i, &number), 0);
	expect(name, "maxincr", number, get_int(fact, "maxincr"));
	expect(name, "return of umask", pfm_mont_get_event_umask(i, &wide), 0);
	expect(name, "umask", wide, get_int(fact, "umask"));
	value = POISON;
	expect(name, "return of group", pfm_mont_get_event_group(i, &value), 0);
	expect(name, "group", value, group);
	value = POISON;
	expect(name, "return of grp", pfm_mont_get_event_grp(i, &value), 0);
	expect(name, "grp", value, group);
	expect(name, "return of set", pfm_mont_get_event_set(i, &value), 0);
	expect(name, "set", value, get_int(fact, "set"));
	expect(name, "return of type", pfm_mont_get_event_type(i, &value), 0);
	expect(name, "type", value, get_int(fact, "type"));
}

static void test_events(struct json_object *facts, struct json_object *counter_ret)
{
	unsigned int i, nr_without_group = 0;

	is_u64(json_object_array_length(facts), nr_events, "the facts are of every event");
	for (i = 0; i < json_object_array_length(facts); i++) {
		struct json_object *fact = json_object_array_get_idx(facts, i);
		const char *name = get_str(fact, "name");

		wrong = 0;
		expect(name, "place in the facts", get_int(fact, "index"), i);
		check_names(fact, i, name);
		check_codes(fact, i, name, counter_ret);
		check_masks(fact, i, name);
		check_kind(fact, i, name);
		check_values(fact, i, name);
		ok(!wrong, "every query of %u, %s", i, name);
		nr_without_group += get_int(fact, "group") == 7;
	}
	is_u64(nr_without_group, 545, "the group was decided for the events without one");
}

int main(void)
{
	struct json_object *facts = json_object_from_file(FACTS);

	plan(0);
	if (!ok(facts, "the facts are read"))
		return done();
	test_before_init(get(facts, "before_init"));
	is_u64(pfm_force_pmu(PFMLIB_MONTECITO_PMU), 0, "Montecito is selected");
	pfm_get_num_events(&nr_events);
	cycles = find("CPU_OP_CYCLES_ALL");
	with_masks = find(get_str(facts, "edge_mask_event"));
	an_ear = find("DATA_EAR_CACHE_LAT4");
	test_layout(get(facts, "sizeof_lp64"));
	test_layout(get(facts, "offsetof_lp64"));
	test_globals(get(facts, "globals"));
	test_edge_calls(get(facts, "edge_calls"));
	test_find_event(get(facts, "find_event_strings"));
	test_find_mask(get(facts, "find_mask_strings"));
	test_find_full(get(facts, "find_full_event_suffixes"));
	test_find_full(get(facts, "find_full_event_others"));
	test_events(get(facts, "events"), get(facts, "code_counter_ret"));
	json_object_put(facts);
	return done();
}
