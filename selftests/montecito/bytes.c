// SPDX-License-Identifier: GPL-2.0-only
/* Calls as bytes: all of the structures, events last; bytes that are missing are 0. */
#include <string.h>

#include "bytes.h"
#include "userspace/montecito/lib/mont_event.h"

/* Bits of the first byte: pointers that are given, and whether events are taken as they are. */
enum {
	HAS_INP = 1,
	HAS_MOD = 2,
	HAS_OUT = 4,
	HAS_MOD_OUT = 8,
	RAW = 16,
};

/* What there is left to read or to write. */
struct cursor {
	uint8_t *at;
	size_t left;
};

static void take(struct cursor *c, void *to, size_t size)
{
	const size_t n = size < c->left ? size : c->left;

	memset(to, 0, size);
	if (n)
		memcpy(to, c->at, n);
	c->at += n;
	c->left -= n;
}

static void put(struct cursor *c, const void *from, size_t size)
{
	memcpy(c->at, from, size);
	c->at += size;
	c->left -= size;
}

/* Nearly every number becomes an event with unit masks that there are, or little is ever reached.
 */
static void tame(pfmlib_event_t *e)
{
	unsigned int i;

	e->event %= mont_nr_events + 1;
	e->num_masks %= PFMLIB_MAX_MASKS_PER_EVENT + 1;
	if (mont_events[e->event % mont_nr_events].mesi != !!e->num_masks)
		e->num_masks = !e->num_masks;
	for (i = 0; i < e->num_masks; i++)
		e->unit_masks[i] %= 4;
}

/**
 * bytes_read() - make a call of bytes
 * @data: any
 * @size: how many
 * @call: receives the call
 */
void bytes_read(const uint8_t *data, size_t size, struct call *call)
{
	struct cursor c = { .at = (uint8_t *)data, .left = size };
	pfmlib_input_param_t *inp = &call->inp;
	uint8_t what;
	unsigned int i;

	take(&c, &what, sizeof(what));
	call->has_inp = what & HAS_INP;
	call->has_mod = what & HAS_MOD;
	call->has_out = what & HAS_OUT;
	call->has_mod_out = what & HAS_MOD_OUT;
	take(&c, &inp->pfp_event_count, sizeof(inp->pfp_event_count));
	take(&c, &inp->pfp_dfl_plm, sizeof(inp->pfp_dfl_plm));
	take(&c, &inp->pfp_flags, sizeof(inp->pfp_flags));
	take(&c, &inp->pfp_unavail_pmcs, sizeof(inp->pfp_unavail_pmcs));
	take(&c, &inp->reserved1, sizeof(inp->reserved1));
	take(&c, inp->reserved, sizeof(inp->reserved));
	take(&c, &call->mod, sizeof(call->mod));
	if (!(what & RAW))
		inp->pfp_event_count %= 14;
	for (i = 0; i < PFMLIB_MAX_PMCS; i++) {
		take(&c, &inp->pfp_events[i], sizeof(inp->pfp_events[i]));
		if (!(what & RAW))
			tame(&inp->pfp_events[i]);
	}
}

/**
 * bytes_write() - make bytes of a call
 * @call: the call
 * @data: receives them, BYTES_SIZE at most
 *
 * Return: how many there are.
 */
size_t bytes_write(const struct call *call, uint8_t *data)
{
	struct cursor c = { .at = data, .left = BYTES_SIZE };
	const pfmlib_input_param_t *inp = &call->inp;
	const uint8_t what = RAW | (call->has_inp ? HAS_INP : 0) | (call->has_mod ? HAS_MOD : 0) |
			     (call->has_out ? HAS_OUT : 0) | (call->has_mod_out ? HAS_MOD_OUT : 0);
	size_t size;

	put(&c, &what, sizeof(what));
	put(&c, &inp->pfp_event_count, sizeof(inp->pfp_event_count));
	put(&c, &inp->pfp_dfl_plm, sizeof(inp->pfp_dfl_plm));
	put(&c, &inp->pfp_flags, sizeof(inp->pfp_flags));
	put(&c, &inp->pfp_unavail_pmcs, sizeof(inp->pfp_unavail_pmcs));
	put(&c, &inp->reserved1, sizeof(inp->reserved1));
	put(&c, inp->reserved, sizeof(inp->reserved));
	put(&c, &call->mod, sizeof(call->mod));
	put(&c, inp->pfp_events, sizeof(inp->pfp_events));
	for (size = c.at - data; size && !data[size - 1]; size--)
		;
	return size;
}
