// SPDX-License-Identifier: GPL-2.0-only
/* Reads a line of a file of vectors with json-c. */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "userspace/pfm/mont_event.h"
#include "vector.h"

/* What is missing is 0. A first error stays and is told at the end. */
struct reader {
	char *why;
	size_t size;
	bool failed;
};

static void fail(struct reader *r, const char *what, const char *which)
{
	if (!r->failed)
		snprintf(r->why, r->size, "%s '%s'", what, which);
	r->failed = true;
}

static uint64_t to_number(struct reader *r, struct json_object *o, const char *key)
{
	const char *text;
	uint64_t v;
	char *end;

	if (json_object_is_type(o, json_type_int))
		return json_object_get_int64(o);
	if (!json_object_is_type(o, json_type_string)) {
		fail(r, "no number at", key);
		return 0;
	}
	text = json_object_get_string(o);
	v = strtoull(text, &end, 0);
	if (end == text || *end)
		fail(r, "no number:", text);
	return v;
}

static struct json_object *member(struct json_object *o, const char *key)
{
	struct json_object *value = NULL;

	if (json_object_is_type(o, json_type_object))
		json_object_object_get_ex(o, key, &value);
	return value;
}

static uint64_t number(struct reader *r, struct json_object *o, const char *key)
{
	struct json_object *value = member(o, key);

	return value ? to_number(r, value, key) : 0;
}

/* Elements of an array, no more than there is room for. */
static unsigned int elements(struct reader *r, struct json_object *o, const char *key,
			     unsigned int max, struct json_object **array)
{
	*array = member(o, key);
	if (!*array)
		return 0;
	if (!json_object_is_type(*array, json_type_array) ||
	    json_object_array_length(*array) > max) {
		fail(r, "not an array, or a too long one:", key);
		return 0;
	}
	return json_object_array_length(*array);
}

static unsigned int find_event(struct reader *r, const char *name)
{
	unsigned int i;

	for (i = 0; i < mont_nr_events; i++) {
		if (!strcmp(mont_events[i].name, name))
			return i;
	}
	fail(r, "there is no event", name);
	return 0;
}

static void read_event(struct reader *r, struct json_object *o, pfmlib_event_t *e)
{
	struct json_object *masks;
	unsigned int i;

	if (member(o, "name"))
		e->event = find_event(r, json_object_get_string(member(o, "name")));
	else if (member(o, "bad_index_past_end"))
		e->event = mont_nr_events + number(r, o, "bad_index_past_end");
	else
		e->event = number(r, o, "bad_index");
	e->plm = number(r, o, "plm");
	e->num_masks = elements(r, o, "masks", PFMLIB_MAX_MASKS_PER_EVENT, &masks);
	for (i = 0; i < e->num_masks; i++)
		e->unit_masks[i] = to_number(r, json_object_array_get_idx(masks, i), "masks");
}

static void read_input(struct reader *r, struct json_object *in, pfmlib_input_param_t *inp)
{
	struct json_object *array;
	unsigned int i, nr;
	uint64_t pmc;

	inp->pfp_dfl_plm = number(r, in, "dfl_plm");
	inp->pfp_flags = number(r, in, "flags");
	inp->pfp_event_count = number(r, in, "event_count");
	nr = elements(r, in, "unavail_pmcs", PFMLIB_REG_MAX, &array);
	for (i = 0; i < nr; i++) {
		pmc = to_number(r, json_object_array_get_idx(array, i), "unavail_pmcs");
		if (pmc < PFMLIB_REG_MAX)
			inp->pfp_unavail_pmcs.bits[pmc / 64] |= 1UL << pmc % 64;
		else
			fail(r, "no register number in", "unavail_pmcs");
	}
	nr = elements(r, in, "events", PFMLIB_MAX_PMCS, &array);
	for (i = 0; i < nr; i++)
		read_event(r, json_object_array_get_idx(array, i), &inp->pfp_events[i]);
}

static void read_opcm(struct reader *r, struct json_object *o, pfmlib_mont_opcm_t *opcm)
{
	opcm->opcm_used = number(r, o, "used");
	opcm->opcm_m = number(r, o, "m");
	opcm->opcm_i = number(r, o, "i");
	opcm->opcm_f = number(r, o, "f");
	opcm->opcm_b = number(r, o, "b");
	opcm->opcm_match = number(r, o, "match");
	opcm->opcm_mask = number(r, o, "mask");
}

static void read_ear(struct reader *r, struct json_object *o, pfmlib_mont_ear_t *ear)
{
	ear->ear_used = number(r, o, "used");
	ear->ear_mode = number(r, o, "mode");
	ear->ear_plm = number(r, o, "plm");
	ear->ear_umask = number(r, o, "umask");
}

static void read_etb(struct reader *r, struct json_object *o, pfmlib_mont_etb_t *etb)
{
	etb->etb_used = number(r, o, "used");
	etb->etb_plm = number(r, o, "plm");
	etb->etb_ds = number(r, o, "ds");
	etb->etb_tm = number(r, o, "tm");
	etb->etb_ptm = number(r, o, "ptm");
	etb->etb_ppm = number(r, o, "ppm");
	etb->etb_brt = number(r, o, "brt");
}

static void read_range(struct reader *r, struct json_object *o, pfmlib_mont_input_rr_t *rr)
{
	struct json_object *limits;
	unsigned int i, nr;

	rr->rr_used = number(r, o, "used");
	rr->rr_flags = number(r, o, "flags");
	nr = elements(r, o, "limits", 4, &limits);
	for (i = 0; i < nr; i++) {
		struct json_object *limit = json_object_array_get_idx(limits, i);

		rr->rr_limits[i].rr_plm = number(r, limit, "plm");
		rr->rr_limits[i].rr_start = number(r, limit, "start");
		rr->rr_limits[i].rr_end = number(r, limit, "end");
	}
}

static void read_model(struct reader *r, struct json_object *o, pfmlib_mont_input_param_t *mod)
{
	struct json_object *array;
	unsigned int i, nr;

	nr = elements(r, o, "counters", PMU_MONT_NUM_COUNTERS, &array);
	for (i = 0; i < nr; i++) {
		struct json_object *counter = json_object_array_get_idx(array, i);

		mod->pfp_mont_counters[i].flags = number(r, counter, "flags");
		mod->pfp_mont_counters[i].thres = number(r, counter, "thres");
	}
	read_opcm(r, member(o, "opcm1"), &mod->pfp_mont_opcm1);
	read_opcm(r, member(o, "opcm2"), &mod->pfp_mont_opcm2);
	read_ear(r, member(o, "iear"), &mod->pfp_mont_iear);
	read_ear(r, member(o, "dear"), &mod->pfp_mont_dear);
	read_etb(r, member(o, "etb"), &mod->pfp_mont_etb);
	mod->pfp_mont_ipear.ipear_used = number(r, member(o, "ipear"), "used");
	mod->pfp_mont_ipear.ipear_plm = number(r, member(o, "ipear"), "plm");
	mod->pfp_mont_ipear.ipear_delay = number(r, member(o, "ipear"), "delay");
	read_range(r, member(o, "irange"), &mod->pfp_mont_irange);
	read_range(r, member(o, "drange"), &mod->pfp_mont_drange);
}

static unsigned int read_regs(struct reader *r, struct json_object *o, const char *key,
			      unsigned int max, struct naive_reg *regs)
{
	struct json_object *array;
	unsigned int i, nr = elements(r, o, key, max, &array);

	for (i = 0; i < nr; i++) {
		struct json_object *reg = json_object_array_get_idx(array, i);

		regs[i].num = number(r, reg, "reg_num");
		regs[i].addr = number(r, reg, "reg_addr");
		regs[i].value = number(r, reg, "reg_value");
		if (number(r, reg, "reg_alt_addr") != regs[i].addr)
			fail(r, "a register has two addresses in", key);
	}
	return nr;
}

static void read_infos(struct reader *r, struct json_object *o, struct naive_ranges *out)
{
	struct json_object *array;
	unsigned int i, nr;

	nr = elements(r, o, "rr_infos", 4, &array);
	for (i = 0; i < nr; i++) {
		out->soff[i] = number(r, json_object_array_get_idx(array, i), "rr_soff");
		out->eoff[i] = number(r, json_object_array_get_idx(array, i), "rr_eoff");
	}
	out->nr = read_regs(r, o, "rr_br", 8, out->br);
	if (out->nr != number(r, o, "rr_nbr_used"))
		fail(r, "registers are not as many as said in", "rr_nbr_used");
}

static void read_output(struct reader *r, struct json_object *o, struct naive_result *out)
{
	if (!member(o, "ret"))
		fail(r, "there is no", "out.ret");
	out->ret = number(r, o, "ret");
	if (out->ret)
		return;
	out->nr_pmcs = read_regs(r, o, "pmcs", NAIVE_MAX_PMCS, out->pmcs);
	out->nr_pmds = read_regs(r, o, "pmds", NAIVE_MAX_PMDS, out->pmds);
	if (!member(o, "irange"))
		return;
	out->has_mod = true;
	read_infos(r, member(o, "irange"), &out->irange);
	read_infos(r, member(o, "drange"), &out->drange);
	out->fine = number(r, o, "irange_is_fine");
}

static void read_vector(struct reader *r, struct json_object *o, struct vector *v)
{
	struct json_object *in = member(o, "in"), *args = member(in, "args");

	if (!args || !member(o, "out") || !json_object_is_type(member(o, "id"), json_type_string)) {
		fail(r, "not a vector: it needs", "id, in.args, out");
		return;
	}
	snprintf(v->id, sizeof(v->id), "%s", json_object_get_string(member(o, "id")));
	v->call.has_inp = number(r, args, "inp");
	v->call.has_mod = number(r, args, "mont_in");
	v->call.has_out = number(r, args, "out");
	v->call.has_mod_out = number(r, args, "mont_out");
	if (v->call.has_inp)
		read_input(r, in, &v->call.inp);
	if (v->call.has_mod)
		read_model(r, member(in, "mont"), &v->call.mod);
	read_output(r, member(o, "out"), &v->out);
}

/**
 * vector_read() - read a line
 * @line: JSON
 * @vector: receives the call and the result; its id is empty if even that could not be read
 * @why: receives why it could not be read
 * @size: of @why
 *
 * Return: false if something in it cannot be understood.
 */
bool vector_read(const char *line, struct vector *vector, char *why, size_t size)
{
	struct reader r = { .why = why, .size = size };
	struct json_object *o = json_tokener_parse(line);

	memset(vector, 0, sizeof(*vector));
	if (o)
		read_vector(&r, o, vector);
	else
		fail(&r, "not JSON:", "this line");
	json_object_put(o);
	return !r.failed;
}
