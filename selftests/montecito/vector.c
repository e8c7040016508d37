// SPDX-License-Identifier: GPL-2.0-only
/* Reads a line of a file of vectors with json-c. */
#include <ctype.h>
#include <errno.h>
#include <json-c/json.h>
#include <json-c/json_visit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "userspace/montecito/lib/mont_event.h"
#include "vector.h"

#define ID_CHARS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"

/* A missing member of the input is 0. The first error is kept and reported at the end. */
struct reader {
	char *why;
	size_t size;
	bool failed;
};

/* The names of 0 and of the errors below it. */
static const char *const error_names[] = {
	"PFMLIB_SUCCESS",	 "PFMLIB_ERR_NOTSUPP",	  "PFMLIB_ERR_INVAL",
	"PFMLIB_ERR_NOINIT",	 "PFMLIB_ERR_NOTFOUND",	  "PFMLIB_ERR_NOASSIGN",
	"PFMLIB_ERR_FULL",	 "PFMLIB_ERR_EVTMANY",	  "PFMLIB_ERR_MAGIC",
	"PFMLIB_ERR_FEATCOMB",	 "PFMLIB_ERR_EVTSET",	  "PFMLIB_ERR_EVTINCOMP",
	"PFMLIB_ERR_TOOMANY",	 "PFMLIB_ERR_IRRTOOBIG",  "PFMLIB_ERR_IRREMPTY",
	"PFMLIB_ERR_IRRINVAL",	 "PFMLIB_ERR_IRRTOOMANY", "PFMLIB_ERR_DRRINVAL",
	"PFMLIB_ERR_DRRTOOMANY", "PFMLIB_ERR_BADHOST",	  "PFMLIB_ERR_IRRALIGN",
	"PFMLIB_ERR_IRRFLAGS",	 "PFMLIB_ERR_UMASK",	  "PFMLIB_ERR_NOMEM",
};

static void fail(struct reader *r, const char *what, const char *which)
{
	if (!r->failed)
		snprintf(r->why, r->size, "%s '%s'", what, which);
	r->failed = true;
}

static struct json_object *member(struct json_object *o, const char *key)
{
	struct json_object *value = NULL;

	if (json_object_is_type(o, json_type_object))
		json_object_object_get_ex(o, key, &value);
	return value;
}

/* Whether a list of words with a space behind each has this one. */
static bool has_word(const char *words, const char *word)
{
	const size_t len = strlen(word);
	const char *at;

	for (at = words; *at; at = strchr(at, ' ') + 1) {
		if (!strncmp(at, word, len) && at[len] == ' ')
			return true;
	}
	return false;
}

/* Checks that something is an object without other keys than these; each has a space behind it. */
static void only_keys(struct reader *r, struct json_object *o, const char *what, const char *keys)
{
	if (!json_object_is_type(o, json_type_object)) {
		fail(r, "not an object:", what);
		return;
	}
	json_object_object_foreach(o, key, value)
	{
		if (!has_word(keys, key))
			fail(r, "unknown key", key);
		else if (!value)
			fail(r, "null at", key);
	}
}

/* An object that may be missing: then it is not looked at. */
static struct json_object *optional(struct reader *r, struct json_object *o, const char *key,
				    const char *keys)
{
	struct json_object *value = member(o, key);

	if (value)
		only_keys(r, value, key, keys);
	return value;
}

static void require(struct reader *r, struct json_object *o, const char *key)
{
	if (!member(o, key))
		fail(r, "there is no", key);
}

static uint64_t to_number(struct reader *r, struct json_object *o, const char *key, uint64_t max)
{
	const char *text;
	uint64_t v = 0;
	char *end;

	if (json_object_is_type(o, json_type_int)) {
		if (json_object_get_int64(o) < 0)
			fail(r, "a number below 0 at", key);
		v = json_object_get_uint64(o);
	} else if (json_object_is_type(o, json_type_string)) {
		text = json_object_get_string(o);
		errno = 0;
		v = strtoull(text, &end, 0);
		if (!isdigit((unsigned char)*text) || *end || errno)
			fail(r, "no number:", text);
	} else {
		fail(r, "no number at", key);
	}
	if (v > max)
		fail(r, "a number that is too wide at", key);
	return v;
}

static uint64_t number(struct reader *r, struct json_object *o, const char *key, uint64_t max)
{
	struct json_object *value = member(o, key);

	return value ? to_number(r, value, key, max) : 0;
}

/* Reads a number into an unsigned member, which it has to fit. */
#define READ(r, o, key, to) ((to) = number(r, o, key, (uint64_t)(__typeof__(to))-1))

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

	only_keys(r, o, "events", "name bad_index_past_end bad_index plm masks ");
	if (member(o, "name"))
		e->event = find_event(r, json_object_get_string(member(o, "name")));
	else if (member(o, "bad_index_past_end"))
		e->event = mont_nr_events +
			   number(r, o, "bad_index_past_end", UINT32_MAX - mont_nr_events);
	else if (member(o, "bad_index"))
		READ(r, o, "bad_index", e->event);
	else
		fail(r, "an event without", "name");
	READ(r, o, "plm", e->plm);
	e->num_masks = elements(r, o, "masks", PFMLIB_MAX_MASKS_PER_EVENT, &masks);
	for (i = 0; i < e->num_masks; i++)
		e->unit_masks[i] =
			to_number(r, json_object_array_get_idx(masks, i), "masks", UINT32_MAX);
}

static void read_input(struct reader *r, struct json_object *in, pfmlib_input_param_t *inp)
{
	struct json_object *array;
	unsigned int i, nr;
	uint64_t pmc;

	READ(r, in, "dfl_plm", inp->pfp_dfl_plm);
	READ(r, in, "flags", inp->pfp_flags);
	READ(r, in, "event_count", inp->pfp_event_count);
	nr = elements(r, in, "unavail_pmcs", PFMLIB_REG_MAX, &array);
	for (i = 0; i < nr; i++) {
		pmc = to_number(r, json_object_array_get_idx(array, i), "unavail_pmcs",
				PFMLIB_REG_MAX - 1);
		if (pmc < PFMLIB_REG_MAX)
			inp->pfp_unavail_pmcs.bits[pmc / 64] |= 1UL << pmc % 64;
	}
	nr = elements(r, in, "events", PFMLIB_MAX_PMCS, &array);
	for (i = 0; i < nr; i++)
		read_event(r, json_object_array_get_idx(array, i), &inp->pfp_events[i]);
}

static void read_opcm(struct reader *r, struct json_object *o, pfmlib_mont_opcm_t *opcm)
{
	READ(r, o, "used", opcm->opcm_used);
	READ(r, o, "m", opcm->opcm_m);
	READ(r, o, "i", opcm->opcm_i);
	READ(r, o, "f", opcm->opcm_f);
	READ(r, o, "b", opcm->opcm_b);
	READ(r, o, "match", opcm->opcm_match);
	READ(r, o, "mask", opcm->opcm_mask);
}

static void read_ear(struct reader *r, struct json_object *o, pfmlib_mont_ear_t *ear)
{
	READ(r, o, "used", ear->ear_used);
	ear->ear_mode = number(r, o, "mode", UINT32_MAX);
	READ(r, o, "plm", ear->ear_plm);
	READ(r, o, "umask", ear->ear_umask);
}

static void read_etb(struct reader *r, struct json_object *o, pfmlib_mont_etb_t *etb)
{
	READ(r, o, "used", etb->etb_used);
	READ(r, o, "plm", etb->etb_plm);
	READ(r, o, "ds", etb->etb_ds);
	READ(r, o, "tm", etb->etb_tm);
	READ(r, o, "ptm", etb->etb_ptm);
	READ(r, o, "ppm", etb->etb_ppm);
	READ(r, o, "brt", etb->etb_brt);
}

static void read_ipear(struct reader *r, struct json_object *o, pfmlib_mont_ipear_t *ipear)
{
	READ(r, o, "used", ipear->ipear_used);
	READ(r, o, "plm", ipear->ipear_plm);
	READ(r, o, "delay", ipear->ipear_delay);
}

static void read_range(struct reader *r, struct json_object *o, pfmlib_mont_input_rr_t *rr)
{
	struct json_object *limits;
	unsigned int i, nr;

	READ(r, o, "used", rr->rr_used);
	READ(r, o, "flags", rr->rr_flags);
	nr = elements(r, o, "limits", 4, &limits);
	for (i = 0; i < nr; i++) {
		struct json_object *limit = json_object_array_get_idx(limits, i);

		only_keys(r, limit, "limits", "plm start end ");
		READ(r, limit, "plm", rr->rr_limits[i].rr_plm);
		READ(r, limit, "start", rr->rr_limits[i].rr_start);
		READ(r, limit, "end", rr->rr_limits[i].rr_end);
	}
	if (limits && nr != 4)
		fail(r, "not four elements:", "limits");
}

static void read_model(struct reader *r, struct json_object *o, pfmlib_mont_input_param_t *mod)
{
	static const char opcm[] = "used m i f b match mask ", ear[] = "used mode plm umask ",
			  range[] = "used flags limits ";
	struct json_object *array;
	unsigned int i, nr;

	nr = elements(r, o, "counters", PMU_MONT_NUM_COUNTERS, &array);
	for (i = 0; i < nr; i++) {
		struct json_object *counter = json_object_array_get_idx(array, i);

		only_keys(r, counter, "counters", "flags thres ");
		READ(r, counter, "flags", mod->pfp_mont_counters[i].flags);
		READ(r, counter, "thres", mod->pfp_mont_counters[i].thres);
	}
	read_opcm(r, optional(r, o, "opcm1", opcm), &mod->pfp_mont_opcm1);
	read_opcm(r, optional(r, o, "opcm2", opcm), &mod->pfp_mont_opcm2);
	read_ear(r, optional(r, o, "iear", ear), &mod->pfp_mont_iear);
	read_ear(r, optional(r, o, "dear", ear), &mod->pfp_mont_dear);
	read_etb(r, optional(r, o, "etb", "used plm ds tm ptm ppm brt "), &mod->pfp_mont_etb);
	read_ipear(r, optional(r, o, "ipear", "used plm delay "), &mod->pfp_mont_ipear);
	read_range(r, optional(r, o, "irange", range), &mod->pfp_mont_irange);
	read_range(r, optional(r, o, "drange", range), &mod->pfp_mont_drange);
}

static unsigned int read_regs(struct reader *r, struct json_object *o, const char *key,
			      unsigned int max, bool has_values, struct naive_reg *regs)
{
	unsigned int i, alt_addr, nr;
	struct json_object *array;

	require(r, o, key);
	nr = elements(r, o, key, max, &array);
	for (i = 0; i < nr; i++) {
		struct json_object *reg = json_object_array_get_idx(array, i);

		only_keys(r, reg, key, "reg_num reg_addr reg_alt_addr reg_value ");
		require(r, reg, "reg_num");
		require(r, reg, "reg_addr");
		require(r, reg, "reg_alt_addr");
		if (has_values)
			require(r, reg, "reg_value");
		READ(r, reg, "reg_num", regs[i].num);
		READ(r, reg, "reg_addr", regs[i].addr);
		READ(r, reg, "reg_value", regs[i].value);
		READ(r, reg, "reg_alt_addr", alt_addr);
		if (alt_addr != regs[i].addr)
			fail(r, "a register has two addresses in", key);
	}
	return nr;
}

static void read_ranges(struct reader *r, struct json_object *o, const char *key,
			struct naive_ranges *out)
{
	struct json_object *array, *info,
		*ranges = optional(r, o, key, "rr_nbr_used rr_infos rr_br ");
	unsigned int i, nr;

	require(r, o, key);
	require(r, ranges, "rr_nbr_used");
	nr = elements(r, ranges, "rr_infos", 4, &array);
	if (nr != 4)
		fail(r, "not four elements:", "rr_infos");
	for (i = 0; i < nr; i++) {
		info = json_object_array_get_idx(array, i);
		only_keys(r, info, "rr_infos", "rr_soff rr_eoff ");
		require(r, info, "rr_soff");
		require(r, info, "rr_eoff");
		READ(r, info, "rr_soff", out->soff[i]);
		READ(r, info, "rr_eoff", out->eoff[i]);
	}
	out->nr = read_regs(r, ranges, "rr_br", 8, true, out->br);
	if (out->nr != number(r, ranges, "rr_nbr_used", 8))
		fail(r, "registers are not as many as said in", "rr_nbr_used");
}

/* The error, and that its name is no other's. */
static int read_error(struct reader *r, struct json_object *o)
{
	const int nr = sizeof(error_names) / sizeof(*error_names);
	struct json_object *ret = member(o, "ret"), *err = member(o, "err");
	int64_t value = json_object_get_int64(ret);

	if (!json_object_is_type(ret, json_type_int))
		fail(r, "there is no number", "out.ret");
	else if (value > 0 || value <= -nr)
		fail(r, "no error:", json_object_get_string(ret));
	else if (!json_object_is_type(err, json_type_string))
		fail(r, "there is no name", "out.err");
	else if (strcmp(json_object_get_string(err), error_names[-value]))
		fail(r, "out.ret has another name than", json_object_get_string(err));
	return value;
}

static void read_output(struct reader *r, struct json_object *o, bool has_mod_out,
			struct naive_result *out)
{
	out->ret = read_error(r, o);
	only_keys(r, o, "out", out->ret ? "ret err " :
					  "ret err pmcs pmds irange drange irange_is_fine ");
	if (out->ret)
		return;
	out->nr_pmcs = read_regs(r, o, "pmcs", NAIVE_MAX_PMCS, true, out->pmcs);
	out->nr_pmds = read_regs(r, o, "pmds", NAIVE_MAX_PMDS, false, out->pmds);
	out->has_mod = member(o, "irange") || member(o, "drange") || member(o, "irange_is_fine");
	if (!out->has_mod && !has_mod_out)
		return;
	read_ranges(r, o, "irange", &out->irange);
	read_ranges(r, o, "drange", &out->drange);
	require(r, o, "irange_is_fine");
	out->fine = number(r, o, "irange_is_fine", 1);
}

static void read_call(struct reader *r, struct json_object *in, struct call *call)
{
	struct json_object *args = optional(r, in, "args", "inp mont_in out mont_out "), *mod;

	only_keys(r, in, "in", "args dfl_plm flags unavail_pmcs event_count events mont ");
	mod = optional(r, in, "mont", "counters opcm1 opcm2 iear dear etb ipear irange drange ");
	READ(r, args, "inp", call->has_inp);
	READ(r, args, "mont_in", call->has_mod);
	READ(r, args, "out", call->has_out);
	READ(r, args, "mont_out", call->has_mod_out);
	if (call->has_inp)
		read_input(r, in, &call->inp);
	if (call->has_mod)
		read_model(r, mod, &call->mod);
}

static void read_vector(struct reader *r, struct json_object *o, struct vector *v)
{
	struct json_object *in = member(o, "in"), *id = member(o, "id");

	if (!member(in, "args") || !member(o, "out") ||
	    !json_object_is_type(id, json_type_string)) {
		fail(r, "not a vector: it needs", "id, in.args, out");
		return;
	}
	if (json_object_get_string_len(id) == 0 ||
	    (size_t)json_object_get_string_len(id) >= sizeof(v->id))
		fail(r, "an empty or too long", "id");
	else if (strspn(json_object_get_string(id), ID_CHARS) !=
		 (size_t)json_object_get_string_len(id))
		fail(r, "not of letters, digits and _.-:", "id");
	if (r->failed)
		return;
	snprintf(v->id, sizeof(v->id), "%s", json_object_get_string(id));
	only_keys(r, o, "line", "id cat notes in out ");
	read_call(r, in, &v->call);
	read_output(r, member(o, "out"), v->call.has_mod_out, &v->out);
}

static int count_key(struct json_object *o, int flags, struct json_object *parent, const char *key,
		     size_t *place, void *nr)
{
	(void)o, (void)parent, (void)place;
	*(unsigned int *)nr += key && !(flags & JSON_C_VISIT_SECOND);
	return JSON_C_VISIT_RETURN_CONTINUE;
}

/*
 * What json-c takes: of a key that is there twice the second one, and keys in single quotes. Each
 * key has a colon outside of texts.
 */
static bool has_odd_keys(struct json_object *o, const char *line, size_t len)
{
	unsigned int keys = 0, colons = 0;
	bool in_text = false;
	size_t i;

	for (i = 0; i < len; i++) {
		if (line[i] == '\'' && !in_text)
			return true;
		if (line[i] == '"')
			in_text = !in_text;
		else if (in_text)
			i += line[i] == '\\';
		else
			colons += line[i] == ':';
	}
	json_c_visit(o, 0, count_key, &keys);
	return keys != colons;
}

/* Parses a line that is one JSON value and nothing else; NULL if it is not. */
static struct json_object *parse(const char *line, size_t len)
{
	struct json_tokener *tok = json_tokener_new();
	struct json_object *o;
	size_t end;

	if (!tok)
		return NULL;
	json_tokener_set_flags(tok, JSON_TOKENER_STRICT);
	o = json_tokener_parse_ex(tok, line, len);
	end = json_tokener_get_parse_end(tok);
	while (end < len && strchr(" \t\r\n", line[end]) && line[end])
		end++;
	if (json_tokener_get_error(tok) != json_tokener_success || end < len) {
		json_object_put(o);
		o = NULL;
	}
	json_tokener_free(tok);
	return o;
}

/**
 * vector_read() - read a line
 * @line: JSON
 * @len: of @line
 * @vector: receives the call and the result; its id is empty if even that could not be read
 * @why: receives why it could not be read
 * @size: of @why
 *
 * Return: false if something in it is missing, unknown, too wide or there twice, or if there is
 * more behind it.
 */
bool vector_read(const char *line, size_t len, struct vector *vector, char *why, size_t size)
{
	struct reader r = {.why = why, .size = size};
	struct json_object *o = parse(line, len);

	memset(vector, 0, sizeof(*vector));
	if (!o)
		fail(&r, "not JSON, or more than that:", "this line");
	else if (has_odd_keys(o, line, len))
		fail(&r, "a key twice, or in single quotes:", "this line");
	else
		read_vector(&r, o, vector);
	json_object_put(o);
	return !r.failed;
}
