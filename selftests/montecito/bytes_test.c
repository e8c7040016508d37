// SPDX-License-Identifier: GPL-2.0-only
/* Calls as bytes and back: no part of the inputs is left out of what the fuzzer can reach. */
#include <stdlib.h>

#include "bytes.h"
#include "random.h"
#include "tap.h"

#define ROUNDS 200

static struct call call, again;
static uint8_t data[BYTES_SIZE];

static void fill(void *to, size_t size)
{
	unsigned char *byte = to;
	size_t i;

	for (i = 0; i < size; i++)
		byte[i] = random_u64();
}

static bool same_inputs(void)
{
	memset(&again, 0xa5, sizeof(again));
	bytes_read(data, bytes_write(&call, data), &again);
	return again.has_inp == call.has_inp && again.has_mod == call.has_mod &&
	       again.has_out == call.has_out && again.has_mod_out == call.has_mod_out &&
	       !memcmp(&again.inp, &call.inp, sizeof(call.inp)) &&
	       !memcmp(&again.mod, &call.mod, sizeof(call.mod));
}

static void test_same(void)
{
	unsigned int i, same = 0;

	for (i = 0; i < ROUNDS; i++) {
		random_call(&call);
		same += same_inputs();
	}
	is_u64(same, ROUNDS, "calls are the same after being bytes");
	for (i = same = 0; i < ROUNDS; i++) {
		fill(&call.inp, sizeof(call.inp));
		fill(&call.mod, sizeof(call.mod));
		same += same_inputs();
	}
	is_u64(same, ROUNDS, "so are inputs of which every byte is set");
}

/* The first byte does not select events by index. */
static void test_tame(void)
{
	unsigned int i, k, most = 0, wrong = 0;

	for (i = 0; i < ROUNDS; i++) {
		fill(data, sizeof(data));
		data[0] = 0;
		bytes_read(data, sizeof(data), &call);
		wrong += call.inp.pfp_event_count > 13;
		for (k = 0; k < PFMLIB_MAX_PMCS; k++) {
			const pfmlib_event_t *e = &call.inp.pfp_events[k];

			wrong += e->num_masks > PFMLIB_MAX_MASKS_PER_EVENT;
			most = e->num_masks > most ? e->num_masks : most;
		}
	}
	is_u64(wrong, 0, "other bytes have about as many events and masks as there can be");
	is_u64(most, PFMLIB_MAX_MASKS_PER_EVENT, "up to all unit masks");
}

int main(void)
{
	plan(0);
	random_seed(9);
	test_same();
	test_tame();
	return done();
}
