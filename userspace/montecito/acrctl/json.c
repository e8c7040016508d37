// SPDX-License-Identifier: GPL-2.0-only
/* Prints an encoding as JSON. */
#include "encoding.h"
#include "fields.h"

/* ---- registers ---------------------------------------------------------------------------- */

/* @values: the value of the register is known */
static struct json_object *fields_json(const struct montecito_layout *layout, bool values)
{
	struct json_object *fields = json_object_new_array();
	unsigned int i;

	for (i = 0; i < layout->nr; i++) {
		const struct montecito_field *f = &layout->field[i];
		struct json_object *field;

		field = jsonout_object("name", jsonout_text(f->name),
				       "bit", jsonout_count(f->bit),
				       "width", jsonout_count(f->width), NULL);
		if (values)
			jsonout_set(&field, "value", jsonout_hex(f->value),
				    "meaning", jsonout_text(f->meaning), NULL);
		jsonout_add(&fields, field);
	}
	return fields;
}

static struct json_object *register_json(const pfmlib_reg_t *reg)
{
	return jsonout_object("reg", jsonout_count(reg->reg_num),
			      "addr", jsonout_count(reg->reg_addr),
			      "alt_addr", jsonout_count(reg->reg_alt_addr), NULL);
}

static struct json_object *value_json(const pfmlib_reg_t *reg,
				      const struct montecito_layout *layout)
{
	struct json_object *json = register_json(reg);

	jsonout_set(&json, "value", jsonout_hex(reg->reg_value),
		    "layout", jsonout_text(layout->name),
		    "what", jsonout_text(layout->what),
		    "fields", fields_json(layout, true),
		    "other_bits", jsonout_hex(layout->rest), NULL);
	return json;
}

static struct json_object *pmcs_json(const struct montecito *m)
{
	struct json_object *pmcs = json_object_new_array();
	struct montecito_layout layout;
	unsigned int i;

	for (i = 0; i < m->outp.pfp_pmc_count; i++) {
		const pfmlib_reg_t *reg = &m->outp.pfp_pmcs[i];

		montecito_pmc_layout(reg->reg_num, reg->reg_value, &layout);
		jsonout_add(&pmcs, value_json(reg, &layout));
	}
	return pmcs;
}

static struct json_object *pmds_json(const struct montecito *m)
{
	struct json_object *pmds = json_object_new_array();
	struct montecito_layout layout;
	unsigned int i;

	for (i = 0; i < m->outp.pfp_pmd_count; i++) {
		const pfmlib_reg_t *reg = &m->outp.pfp_pmds[i];
		struct json_object *pmd = register_json(reg);

		montecito_pmd_layout(reg->reg_num, m->mod_in.pfp_mont_ipear.ipear_used, &layout);
		jsonout_set(&pmd, "layout", jsonout_text(layout.name),
			    "what", jsonout_text(layout.what),
			    "fields", fields_json(&layout, false), NULL);
		jsonout_add(&pmds, pmd);
	}
	return pmds;
}

/* ---- events ------------------------------------------------------------------------------- */

static struct json_object *flags_json(const struct montecito_keyword *words, unsigned int flags)
{
	struct json_object *json = json_object_new_array();

	for (; words->name; words++) {
		if (flags & words->value)
			jsonout_add(&json, jsonout_text(words->name));
	}
	return json;
}

static struct json_object *event_json(struct montecito *m, unsigned int i)
{
	const pfmlib_mont_counter_t *counter = &m->mod_in.pfp_mont_counters[i];
	const pfmlib_event_t *event = &m->inp.pfp_events[i];
	unsigned int plm = event->plm ? event->plm : m->inp.pfp_dfl_plm;
	char name[MONTECITO_NAME_LEN];

	return jsonout_object("name", jsonout_text(montecito_event_name(m, i, name)),
			      "plm", jsonout_count(plm),
			      "thres", jsonout_count(counter->thres),
			      "flags", flags_json(montecito_event_flags, counter->flags),
			      "pmc", jsonout_count(m->outp.pfp_pmcs[i].reg_num),
			      "pmd", jsonout_count(m->outp.pfp_pmds[i].reg_num), NULL);
}

static struct json_object *events_json(struct montecito *m)
{
	struct json_object *events = json_object_new_array();
	unsigned int i;

	for (i = 0; i < m->inp.pfp_event_count; i++)
		jsonout_add(&events, event_json(m, i));
	return events;
}

/* ---- ranges ------------------------------------------------------------------------------- */

static struct json_object *range_json(const struct montecito_range *range)
{
	char end[MONTECITO_ADDRESS_LEN];

	return jsonout_object("start", jsonout_hex(range->start),
			      "end", jsonout_hex(range->end),
			      "soff", jsonout_hex(range->soff),
			      "eoff", jsonout_hex(range->eoff),
			      "covered_start", jsonout_hex(range->start - range->soff),
			      "covered_end", jsonout_text(montecito_range_end(range, end)),
			      "plm", jsonout_count(range->plm), NULL);
}

static struct json_object *debug_json(const pfmlib_mont_output_rr_t *out)
{
	struct json_object *regs = json_object_new_array();
	struct montecito_layout layout;
	unsigned int i;

	for (i = 0; i < out->rr_nbr_used; i++) {
		montecito_debug_layout(out->rr_br[i].reg_num, out->rr_br[i].reg_value, &layout);
		jsonout_add(&regs, value_json(&out->rr_br[i], &layout));
	}
	return regs;
}

static struct json_object *ranges_json(const struct montecito *m, const pfmlib_mont_input_rr_t *in,
				       const pfmlib_mont_output_rr_t *out)
{
	struct montecito_range range[MONTECITO_RANGES];
	unsigned int i, nr = montecito_ranges(in, out, m->inp.pfp_dfl_plm, range);
	struct json_object *ranges = json_object_new_array();

	for (i = 0; i < nr; i++)
		jsonout_add(&ranges, range_json(&range[i]));
	return ranges;
}

static struct json_object *code_json(struct montecito *m)
{
	const pfmlib_mont_input_rr_t *in = &m->mod_in.pfp_mont_irange;
	const pfmlib_mont_output_rr_t *out = &m->mod_out.pfp_mont_irange;
	bool fine = pfm_mont_irange_is_fine(&m->outp, &m->mod_out);

	if (!in->rr_used)
		return jsonout_null;
	return jsonout_object("fine", jsonout_bool(fine),
			      "repeats", fine ? jsonout_hex(MONTECITO_FINE_REPEATS) : jsonout_null,
			      "flags", flags_json(montecito_range_flags, in->rr_flags),
			      "ranges", ranges_json(m, in, out),
			      "ibrs", debug_json(out), NULL);
}

static struct json_object *data_json(const struct montecito *m)
{
	const pfmlib_mont_input_rr_t *in = &m->mod_in.pfp_mont_drange;
	const pfmlib_mont_output_rr_t *out = &m->mod_out.pfp_mont_drange;

	if (!in->rr_used)
		return jsonout_null;
	return jsonout_object("ranges", ranges_json(m, in, out), "dbrs", debug_json(out), NULL);
}

/* Return a successful encoding as JSON, or NULL if out of memory. */
struct json_object *montecito_json(struct montecito *m)
{
	bool system_wide = m->inp.pfp_flags & PFMLIB_PFP_SYSTEMWIDE;

	return jsonout_object("schema", jsonout_text("acrctl-montecito/1"),
			      "pmu", jsonout_text(MONTECITO_NAME),
			      "system_wide", jsonout_bool(system_wide),
			      "events", events_json(m),
			      "pmcs", pmcs_json(m),
			      "pmds", pmds_json(m),
			      "irange", code_json(m),
			      "drange", data_json(m), NULL);
}
