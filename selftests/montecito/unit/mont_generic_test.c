// SPDX-License-Identifier: GPL-2.0-only
/* libacrpfm's generic part where the facts have no case: selection, environment, sets, calls. */
#include <perfmon/pfmlib_montecito.h>
#include <stdlib.h>
#include <unistd.h>

#include "pfmlib_host.h"
#include "pfmlib_say.h"
#include "pfmlib_state.h"
#include "../../unit/tap.h"

static pfmlib_input_param_t in;
static pfmlib_output_param_t out;
static pfmlib_mont_input_param_t mont_in;
static pfmlib_mont_output_param_t mont_out;

static void test_host(void)
{
	ok(pfmlib_cpuid_is_montecito(0x20ULL << 24), "family 0x20 is Montecito");
	ok(pfmlib_cpuid_is_montecito(0x0000000020000704ULL), "whatever model and revision are");
	ok(pfmlib_cpuid_is_montecito(0xffffffff20ffffffULL), "whatever is around the family");
	ok(!pfmlib_cpuid_is_montecito(0x1fULL << 24), "family 0x1f is not");
	ok(!pfmlib_cpuid_is_montecito(0x21ULL << 24), "family 0x21 is not");
	ok(!pfmlib_cpuid_is_montecito(0x20ULL << 32), "a family in the wrong byte is not");
}

static void test_select(void)
{
	unsigned int nr = 0;

#ifndef __ia64__
	is_u64(pfm_initialize(), PFMLIB_ERR_NOTSUPP, "this host is refused");
	ok(strstr(pfmlib_last_reason(), "LIBPFM_FORCE_PMU=4"), "the reason includes the remedy");
	is_u64(pfm_get_num_events(&nr), PFMLIB_ERR_NOINIT, "nothing is selected then");
#endif
	is_u64(pfm_dispatch_events(&in, NULL, &out, NULL), PFMLIB_ERR_NOINIT,
	       "nor are there registers");
	is_str(pfmlib_last_reason(),
	       "no PMU was selected; call pfm_initialize() or pfm_force_pmu()",
	       "and that is reported");
	setenv("LIBPFM_FORCE_PMU", "2", 1);
	is_u64(pfm_initialize(), PFMLIB_ERR_NOTSUPP, "a PMU that is not there cannot be forced");
	setenv("LIBPFM_FORCE_PMU", "4x", 1);
	is_u64(pfm_initialize(), PFMLIB_ERR_NOTSUPP, "nor one that is no number");
	setenv("LIBPFM_FORCE_PMU", "", 1);
	is_u64(pfm_initialize(), PFMLIB_ERR_NOTSUPP, "nor an empty one");
	ok(strstr(pfmlib_last_reason(), "there is no PMU of type"), "and the reason names that");
	setenv("LIBPFM_FORCE_PMU", "4294967300", 1);
	is_u64(pfm_initialize(), PFMLIB_ERR_NOTSUPP, "nor one that is 4 in its lower half");
	is_u64(pfm_get_num_events(&nr), PFMLIB_ERR_NOINIT, "still nothing is selected");
	setenv("LIBPFM_FORCE_PMU", "4", 1);
	is_u64(pfm_initialize(), PFMLIB_SUCCESS, "Montecito can be forced by the environment");
	is_u64(pfm_get_num_events(&nr), PFMLIB_SUCCESS, "then there are events");
	unsetenv("LIBPFM_FORCE_PMU");
	is_u64(pfm_force_pmu(PFMLIB_ITANIUM2_PMU), PFMLIB_ERR_NOTSUPP, "another PMU is refused");
	is_u64(pfm_force_pmu(PFMLIB_NO_PMU), PFMLIB_ERR_NOTSUPP, "so is none");
	is_u64(pfm_get_num_events(&nr), PFMLIB_SUCCESS, "what was selected stays");
}

/* What the library prints on a descriptor while @act runs. */
static void capture(int fd, void (*act)(void), char *text, size_t size)
{
	FILE *f = tmpfile();
	const int old = dup(fd);
	size_t len;

	fflush(stdout);
	dup2(fileno(f), fd);
	act();
	fflush(stdout);
	dup2(old, fd);
	close(old);
	rewind(f);
	len = fread(text, 1, size - 1, f);
	text[len] = '\0';
	fclose(f);
}

static void refused_call(void)
{
	memset(&in, 0, sizeof(in));
	pfm_dispatch_events(&in, NULL, &out, NULL);
}

static void good_call(void)
{
	memset(&in, 0, sizeof(in));
	in.pfp_dfl_plm = PFM_PLM3;
	in.pfp_event_count = 1;
	pfm_find_full_event("CPU_OP_CYCLES_ALL", &in.pfp_events[0]);
	pfm_dispatch_events(&in, NULL, &out, NULL);
}

static void set_options(bool verbose, bool debug)
{
	pfmlib_options_t options = { .pfm_verbose = verbose, .pfm_debug = debug };

	is_u64(pfm_set_options(&options), PFMLIB_SUCCESS, "options are set");
}

static void test_options(void)
{
	char text[4096];

	set_options(false, false);
	capture(STDERR_FILENO, refused_call, text, sizeof(text));
	is_str(text, "", "nothing is printed without options");
	capture(STDOUT_FILENO, refused_call, text, sizeof(text));
	is_str(text, "", "neither on standard output");
	set_options(true, false);
	capture(STDERR_FILENO, refused_call, text, sizeof(text));
	ok(strstr(text, "pfp_dfl_plm"), "with pfm_verbose the reason is printed");
	capture(STDERR_FILENO, good_call, text, sizeof(text));
	is_str(text, "", "nothing of what succeeds");
	set_options(false, true);
	capture(STDERR_FILENO, refused_call, text, sizeof(text));
	is_str(text, "", "with pfm_debug nothing of what is refused");
	capture(STDERR_FILENO, good_call, text, sizeof(text));
	ok(strstr(text, "PMC4 = 0x2001208"), "but the registers of what succeeds");
	set_options(false, false);
}

static void initialize(void)
{
	pfm_initialize();
}

static void test_environment(void)
{
	char text[4096];

	setenv("LIBPFM_FORCE_PMU", "4", 1);
	setenv("LIBPFM_VERBOSE", "1", 1);
	pfm_initialize();
	capture(STDERR_FILENO, refused_call, text, sizeof(text));
	ok(strstr(text, "pfp_dfl_plm"), "LIBPFM_VERBOSE=1 is pfm_verbose");
	setenv("LIBPFM_DEBUG_STDOUT", "", 1);
	pfm_initialize();
	capture(STDERR_FILENO, refused_call, text, sizeof(text));
	is_str(text, "", "with LIBPFM_DEBUG_STDOUT standard error stays empty");
	capture(STDOUT_FILENO, refused_call, text, sizeof(text));
	ok(strstr(text, "pfp_dfl_plm"), "... and it goes to standard output");
	unsetenv("LIBPFM_DEBUG_STDOUT");
	setenv("LIBPFM_VERBOSE", "x", 1);
	pfm_initialize();
	ok(pfmlib_state.options.pfm_verbose, "what is no digit changes nothing");
	setenv("LIBPFM_VERBOSE", "0", 1);
	setenv("LIBPFM_DEBUG", "1", 1);
	capture(STDERR_FILENO, initialize, text, sizeof(text));
	ok(strstr(text, "PMU of type 4 is selected"), "LIBPFM_DEBUG=1 prints the selected PMU");
	ok(!pfmlib_state.options.pfm_verbose, "LIBPFM_VERBOSE=0 takes it away");
	setenv("LIBPFM_VERBOSE", "x", 1);
	capture(STDERR_FILENO, initialize, text, sizeof(text));
	ok(!pfmlib_state.options.pfm_verbose, "what is no digit does not bring it back");
	ok(pfmlib_state.options.pfm_debug, "LIBPFM_DEBUG=1 is pfm_debug");
	setenv("LIBPFM_DEBUG", "0", 1);
	pfm_initialize();
	ok(!pfmlib_state.options.pfm_debug, "LIBPFM_DEBUG=0 takes it away");
	unsetenv("LIBPFM_VERBOSE");
	unsetenv("LIBPFM_DEBUG");
	unsetenv("LIBPFM_FORCE_PMU");
}

/* --- sets of registers, against arrays of truth values --------------------------------------- */

struct naive {
	bool has[PFMLIB_REG_MAX];
};

static bool is_same(pfmlib_regmask_t *mask, const struct naive *naive)
{
	unsigned int i, nr = 0, weight = ~0U;

	for (i = 0; i < PFMLIB_REG_MAX; i++) {
		nr += naive->has[i];
		if (pfm_regmask_isset(mask, i) != naive->has[i])
			return false;
	}
	return !pfm_regmask_weight(mask, &weight) && weight == nr;
}

static void fill(pfmlib_regmask_t *mask, struct naive *naive)
{
	unsigned int i;

	memset(mask, 0, sizeof(*mask));
	memset(naive, 0, sizeof(*naive));
	for (i = 0; i < 300; i++) {
		const unsigned int reg = rand() % PFMLIB_REG_MAX;
		const bool set = rand() % 3;

		naive->has[reg] = set;
		if (set)
			pfm_regmask_set(mask, reg);
		else
			pfm_regmask_clr(mask, reg);
	}
}

static void test_sets(void)
{
	pfmlib_regmask_t a, b, c;
	struct naive na, nb, nc;
	unsigned int i;

	srand(1);
	fill(&a, &na);
	fill(&b, &nb);
	ok(is_same(&a, &na) && is_same(&b, &nb), "set, clr, isset and weight");
	for (i = 0; i < PFMLIB_REG_MAX; i++)
		nc.has[i] = na.has[i] && nb.has[i];
	ok(!pfm_regmask_and(&c, &a, &b) && is_same(&c, &nc), "and");
	for (i = 0; i < PFMLIB_REG_MAX; i++)
		nc.has[i] = na.has[i] || nb.has[i];
	ok(!pfm_regmask_or(&c, &a, &b) && is_same(&c, &nc), "or");
	for (i = 0; i < PFMLIB_REG_MAX; i++)
		nc.has[i] = na.has[i] && !nb.has[i];
	ok(!pfm_regmask_andnot(&c, &a, &b) && is_same(&c, &nc), "andnot");
	ok(!pfm_regmask_andnot(&a, &a, &b) && is_same(&a, &nc), "andnot onto itself");
	ok(!pfm_regmask_copy(&c, &b) && is_same(&c, &nb), "copy");
	is_u64(pfm_regmask_eq(&c, &b), 1, "a copy is equal");
	pfm_regmask_not(&c);
	for (i = 0; i < PFMLIB_REG_MAX; i++)
		nc.has[i] = !nb.has[i];
	ok(is_same(&c, &nc), "not");
	pfm_regmask_copy(&c, &b);
	if (nb.has[511])
		pfm_regmask_clr(&c, 511);
	else
		pfm_regmask_set(&c, 511);
	is_u64(pfm_regmask_eq(&c, &b), 0, "sets that differ in the last register are not equal");
	is_u64(pfm_regmask_set(NULL, 1), PFMLIB_ERR_INVAL, "set without a set is refused");
	is_u64(pfm_regmask_isset(NULL, 1), 0, "nothing is in no set");
	is_u64(pfm_regmask_copy(NULL, &b), PFMLIB_ERR_INVAL, "copy to nowhere is refused");
	is_u64(pfm_regmask_andnot(NULL, &a, &b), PFMLIB_ERR_INVAL, "andnot to nowhere is refused");
}

/* --- names, there and back ------------------------------------------------------------------- */

/* Up to four masks in any order, each once, as pfm_find_full_event() gives them. */
static void choose_masks(pfmlib_event_t *e)
{
	unsigned int i, nr;

	pfm_get_num_event_masks(e->event, &nr);
	for (i = 0; i < nr; i++) {
		const unsigned int mask = (i + e->event) % nr;

		if (rand() % 2)
			e->unit_masks[e->num_masks++] = mask;
	}
	if (nr && !e->num_masks)
		e->unit_masks[e->num_masks++] = rand() % nr;
}

static void test_names(void)
{
	unsigned int i, nr, round, wrong = 0, too_long = 0;
	char name[64];
	size_t max;

	pfm_get_num_events(&nr);
	pfm_get_max_event_name_len(&max);
	for (i = 0; i < nr; i++) {
		for (round = 0; round < 8; round++) {
			pfmlib_event_t e = { .event = i }, found;

			choose_masks(&e);
			memset(&found, 0xcc, sizeof(found));
			if (pfm_get_full_event_name(&e, name, max + 1) ||
			    pfm_find_full_event(name, &found) || memcmp(&e, &found, sizeof(e)))
				wrong++;
			too_long += strlen(name) > max;
			/* no byte less will do */
			wrong += pfm_get_full_event_name(&e, name, strlen(name)) != PFMLIB_ERR_FULL;
		}
	}
	is_u64(wrong, 0, "every full name gives its event and unit masks back");
	is_u64(too_long, 0, "none is longer than the longest");
}

static void test_random_names(void)
{
	static const char letters[] = "L3_INSERTS:MmEeSsIi0123x +-:";
	unsigned int i, j, found = 0, refused = 0;
	char text[32];

	for (i = 0; i < 200000; i++) {
		pfmlib_event_t e;
		int ret;

		/* the event's name and any end, or all of it by chance */
		strcpy(text, i % 8 ? "L3_INSERTS" : "");
		for (j = strlen(text); j < 31 && rand() % 6; j++)
			text[j] = letters[rand() % (sizeof(letters) - 1)];
		text[j] = '\0';
		ret = pfm_find_full_event(text, &e);
		found += !ret;
		refused += ret == PFMLIB_ERR_UMASK || ret == PFMLIB_ERR_NOTFOUND;
		if (!ret && (!e.num_masks || e.num_masks > 4))
			refused = 0;
	}
	ok(found > 500, "random names are found, such as %u", found);
	is_u64(found + refused, 200000, "or refused for their name or unit mask");
}

/* --- pointers that the reference does not survive -------------------------------------------- */

static void test_pointers(void)
{
	pfmlib_event_t event = { .num_masks = PFMLIB_MAX_MASKS_PER_EVENT + 1 };
	char name[32];

	is_u64(pfm_get_event_counters(0, NULL), PFMLIB_ERR_INVAL, "counters without a set");
	is_u64(pfm_mont_get_ear_mode(~0U, &(pfmlib_mont_ear_mode_t){ 0 }), PFMLIB_ERR_INVAL,
	       "EAR mode of a descriptor that is none");
	is_u64(pfm_get_full_event_name(&event, name, sizeof(name)), PFMLIB_ERR_INVAL,
	       "the name of an event with too many unit masks");
	pfm_find_full_event("L3_INSERTS:M", &event);
	is_u64(pfm_get_full_event_name(&event, name, 11), PFMLIB_ERR_FULL,
	       "a buffer with room for the bare name alone");
	is_u64(pfm_find_event_bycode_next(0x58, ~0U, &event.event), PFMLIB_ERR_NOTFOUND,
	       "nothing comes after the largest number");
	is_u64(pfm_get_pmu_name(name, -1), PFMLIB_ERR_INVAL, "a buffer of less than nothing");
	is_u64(pfm_find_full_event(NULL, &event), PFMLIB_ERR_INVAL, "a full event without name");
	is_u64(pfm_find_full_event("L3_MISSES", NULL), PFMLIB_ERR_INVAL, "a full event to nowhere");
	is_u64(pfm_find_event_mask(474, "-18446744073709551615", &event.event), PFMLIB_ERR_UMASK,
	       "a negative number that is 1 in 64 bits");
}

/* A buffer on the heap, so that a byte behind it is noticed. */
static void test_cut_name(void)
{
	static const char whole[] = "dual-core Itanium 2";
	char *name = malloc(sizeof(whole));

	is_u64(pfm_get_pmu_name(name, sizeof(whole)), PFMLIB_SUCCESS, "a name that just fits");
	is_str(name, whole, "is whole");
	free(name);
	name = malloc(strlen(whole));
	is_u64(pfm_get_pmu_name(name, strlen(whole)), PFMLIB_SUCCESS, "a byte less");
	is_str(name, "dual-core Itanium ", "cuts it");
	free(name);
	name = malloc(1);
	is_u64(pfm_get_pmu_name_bytype(PFMLIB_MONTECITO_PMU, name, 1), PFMLIB_SUCCESS, "one byte");
	is_str(name, "", "is the end of the text");
	free(name);
}

/* Unit masks as C numbers, with zeros in front. */
static void test_mask_numbers(void)
{
	unsigned int event, mask = 0;

	is_u64(pfm_find_event("L3_INSERTS", &event), PFMLIB_SUCCESS, "an event with unit masks");
	is_u64(pfm_find_event_mask(event, "0x01", &mask), PFMLIB_SUCCESS, "0x01 is found");
	is_u64(mask, 1, "and is 1");
	is_u64(pfm_find_event_mask(event, "0003", &mask), PFMLIB_SUCCESS, "0003 is found");
	is_u64(mask, 3, "and is 3");
	is_u64(pfm_find_event_mask(event, "0004", &mask), PFMLIB_ERR_UMASK, "0004 is none");
}

/* What a caller left in the outputs: 511 PMCs are as many as a call can give. */
static void test_is_fine(void)
{
	memset(&out, 0, sizeof(out));
	memset(&mont_out, 0, sizeof(mont_out));
	mont_out.pfp_mont_irange.rr_nbr_used = 4;
	out.pfp_pmcs[0].reg_num = 38;
	out.pfp_pmcs[0].reg_value = 1 << 13;
	out.pfp_pmc_count = 511;
	is_u64(pfm_mont_irange_is_fine(&out, &mont_out), 1, "fine mode among 511 PMCs");
	out.pfp_pmc_count = 512;
	is_u64(pfm_mont_irange_is_fine(&out, &mont_out), 0, "512 are not believed");
	out.pfp_pmc_count = ~0U;
	is_u64(pfm_mont_irange_is_fine(&out, &mont_out), 0, "nor is the largest number");
}

/* --- checks of a call ------------------------------------------------------------------------ */

static int dispatch(void)
{
	return pfm_dispatch_events(&in, &mont_in, &out, &mont_out);
}

static void start(const char *name)
{
	memset(&in, 0, sizeof(in));
	memset(&mont_in, 0, sizeof(mont_in));
	memset(&mont_out, 0, sizeof(mont_out));
	memset(&out, 0xcc, sizeof(out));
	in.pfp_dfl_plm = PFM_PLM3;
	in.pfp_event_count = 1;
	pfm_find_full_event(name, &in.pfp_events[0]);
}

static void test_call_pointers(void)
{
	start("CPU_OP_CYCLES_ALL");
	is_u64(dispatch(), PFMLIB_SUCCESS, "a good call");
	is_u64(out.pfp_pmc_count, 1, "its output begins with 0");
	is_u64(out.reserved[6], 0, "and is 0 up to the end");
	is_u64(pfm_dispatch_events(NULL, NULL, &out, NULL), PFMLIB_ERR_INVAL, "no input");
	is_u64(pfm_dispatch_events(NULL, &mont_in, &out, &mont_out), PFMLIB_ERR_INVAL,
	       "no generic input");
	is_u64(pfm_dispatch_events(&in, NULL, NULL, NULL), PFMLIB_ERR_INVAL, "no output");
	is_u64(pfm_dispatch_events(&in, &mont_in, NULL, &mont_out), PFMLIB_ERR_INVAL,
	       "no generic output");
	is_u64(pfm_dispatch_events(&in, NULL, &out, NULL), PFMLIB_SUCCESS, "nothing of the model");
}

static void test_call_counts(void)
{
	unsigned int i;

	start("CPU_OP_CYCLES_ALL");
	in.pfp_dfl_plm = 0;
	is_u64(dispatch(), PFMLIB_ERR_INVAL, "no default level");
	ok(*pfmlib_last_reason(), "a refusal has a reason: %s", pfmlib_last_reason());
	start("CPU_OP_CYCLES_ALL");
	in.pfp_event_count = 0;
	is_u64(dispatch(), PFMLIB_SUCCESS, "no events are fine");
	is_str(pfmlib_last_reason(), "", "and the reason is gone");
	start("CPU_OP_CYCLES_ALL");
	for (i = 1; i < 13; i++)
		in.pfp_events[i] = in.pfp_events[0];
	in.pfp_event_count = 12;
	is_u64(dispatch(), PFMLIB_SUCCESS, "twelve events");
	in.pfp_event_count = 13;
	is_u64(dispatch(), PFMLIB_ERR_NOASSIGN, "thirteen events");
	in.pfp_event_count = 511;
	is_u64(dispatch(), PFMLIB_ERR_NOASSIGN, "one less than entries");
	in.pfp_event_count = 512;
	is_u64(dispatch(), PFMLIB_ERR_INVAL, "as many as entries");
	in.pfp_event_count = ~0U;
	is_u64(dispatch(), PFMLIB_ERR_INVAL, "the largest number");
}

static void test_call_events(void)
{
	unsigned int i, nr;

	pfm_get_num_events(&nr);
	start("CPU_OP_CYCLES_ALL");
	in.pfp_events[0].event = nr;
	is_u64(dispatch(), PFMLIB_ERR_INVAL, "a descriptor that is one too large");
	in.pfp_events[0].event = ~0U;
	is_u64(dispatch(), PFMLIB_ERR_INVAL, "the largest descriptor");
	start("CPU_OP_CYCLES_ALL");
	in.pfp_events[0].num_masks = 1;
	is_u64(dispatch(), PFMLIB_ERR_UMASK, "a unit mask of an event without");
	start("L3_INSERTS:M");
	is_u64(dispatch(), PFMLIB_SUCCESS, "an event with a unit mask");
	in.pfp_events[0].num_masks = 0;
	is_u64(dispatch(), PFMLIB_ERR_UMASK, "without its unit mask");
	in.pfp_events[0].num_masks = 1;
	in.pfp_events[0].unit_masks[0] = 4;
	is_u64(dispatch(), PFMLIB_ERR_UMASK, "a unit mask that is one too large");
	for (i = 0; i < PFMLIB_MAX_MASKS_PER_EVENT; i++)
		in.pfp_events[0].unit_masks[i] = i % 4;
	in.pfp_events[0].num_masks = PFMLIB_MAX_MASKS_PER_EVENT;
	is_u64(dispatch(), PFMLIB_SUCCESS, "as many unit masks as there is room for");
	is_u64(out.pfp_pmcs[0].reg_value >> 27 & 0xf, 0xf, "are all in the counter");
	for (i = 0; i < PFMLIB_MAX_MASKS_PER_EVENT; i++) {
		memset(in.pfp_events[0].unit_masks, 0, sizeof(in.pfp_events[0].unit_masks));
		in.pfp_events[0].unit_masks[i] = 3;
		if (dispatch() || (out.pfp_pmcs[0].reg_value >> 27 & 0xf) != 0x9)
			break;
		in.pfp_events[0].unit_masks[i] = 4;
		if (dispatch() != PFMLIB_ERR_UMASK)
			break;
	}
	is_u64(i, PFMLIB_MAX_MASKS_PER_EVENT, "each of them is looked at");
	in.pfp_events[0].unit_masks[i - 1] = 0;
	in.pfp_events[0].num_masks++;
	is_u64(dispatch(), PFMLIB_ERR_INVAL, "one more");
	in.pfp_events[0].num_masks = ~0U;
	is_u64(dispatch(), PFMLIB_ERR_INVAL, "the largest number of them");
}

int main(void)
{
	static const char * const names[] = {
		"LIBPFM_FORCE_PMU", "LIBPFM_VERBOSE", "LIBPFM_DEBUG", "LIBPFM_DEBUG_STDOUT",
	};
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unsetenv(names[i]);
	plan(0);
	test_host();
	test_select();
	test_options();
	test_environment();
	test_sets();
	test_names();
	test_random_names();
	test_pointers();
	test_cut_name();
	test_mask_numbers();
	test_is_fine();
	test_call_pointers();
	test_call_counts();
	test_call_events();
	return done();
}
