// SPDX-License-Identifier: GPL-2.0-only
/* Threads that use libacrpfm at the same time, each with its own structures. */
#include <perfmon/pfmlib_montecito.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pfmlib_say.h"

#define NR_THREADS	4
#define NR_ROUNDS	2000

/**
 * struct work - what a thread has
 * @nr: its number
 * @wrong: answers that were not as they should be
 * @in: what it asks for
 * @mont_in: the same, of Montecito
 * @out: what it gets
 * @mont_out: the same, of Montecito
 */
struct work {
	unsigned int nr;
	unsigned int wrong;
	pfmlib_input_param_t in;
	pfmlib_mont_input_param_t mont_in;
	pfmlib_output_param_t out;
	pfmlib_mont_output_param_t mont_out;
};

static void ask(struct work *w, unsigned int event)
{
	pfmlib_regmask_t counters;
	char name[64], *desc;
	unsigned int found;
	int code;

	w->wrong += pfm_get_event_name(event, name, sizeof(name)) != PFMLIB_SUCCESS;
	w->wrong += pfm_find_event(name, &found) != PFMLIB_SUCCESS || found != event;
	w->wrong += pfm_get_event_code(event, &code) != PFMLIB_SUCCESS;
	w->wrong += pfm_get_event_counters(event, &counters) != PFMLIB_SUCCESS;
	w->wrong += pfm_get_event_description(event, &desc) != PFMLIB_SUCCESS;
	free(desc);
}

/* Every third call is refused, and the reason has to be this thread's own. */
static void dispatch(struct work *w, unsigned int round)
{
	const unsigned int bad = 1000 * (w->nr + 1) + round % 3;
	char reason[32];
	int ret;

	memset(&w->in, 0, sizeof(w->in));
	memset(&w->mont_in, 0, sizeof(w->mont_in));
	w->in.pfp_dfl_plm = PFM_PLM3;
	w->in.pfp_event_count = 1;
	pfm_find_full_event("IA64_INST_RETIRED", &w->in.pfp_events[0]);
	w->mont_in.pfp_mont_irange.rr_used = round & 1;
	w->mont_in.pfp_mont_irange.rr_limits[0].rr_start = 0x10000;
	w->mont_in.pfp_mont_irange.rr_limits[0].rr_end = 0x10010 + 16 * round;
	if (round % 3 == 0)
		w->in.pfp_events[0].event = bad;
	ret = pfm_dispatch_events(&w->in, &w->mont_in, &w->out, &w->mont_out);
	snprintf(reason, sizeof(reason), "no event %u", bad);
	w->wrong += (round % 3 == 0) != !!strstr(pfmlib_last_reason(), reason);
	w->wrong += (round % 3 == 0) != (ret == PFMLIB_ERR_INVAL);
}

static void *run(void *arg)
{
	struct work *w = arg;
	unsigned int round;

	for (round = 0; round < NR_ROUNDS; round++) {
		ask(w, (round * 7 + w->nr) % 637);
		dispatch(w, round % 500);
	}
	return NULL;
}

int main(void)
{
	static struct work works[NR_THREADS];
	pthread_t threads[NR_THREADS];
	unsigned int i, wrong = 0;

	if (pfm_force_pmu(PFMLIB_MONTECITO_PMU))
		return 1;
	for (i = 0; i < NR_THREADS; i++) {
		works[i].nr = i;
		if (pthread_create(&threads[i], NULL, run, &works[i]))
			return 1;
	}
	for (i = 0; i < NR_THREADS; i++) {
		pthread_join(threads[i], NULL);
		wrong += works[i].wrong;
	}
	printf("%u wrong\n", wrong);
	return !!wrong;
}
