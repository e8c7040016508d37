// SPDX-License-Identifier: GPL-2.0-only
/* acrctl encode: groups, refusals and CPUs as JSON. */
#include <stdio.h>
#include <stdlib.h>

#include "../jsonout.h"
#include "encode.h"

#define RATIO_LEN	128

static struct json_object *fixed_json(const struct acrpmu_event_hw *hw)
{
	return hw->cntr >= ACRPMU_FIXED_BASE ? jsonout_count(hw->cntr - ACRPMU_FIXED_BASE) :
					       jsonout_null;
}

static struct json_object *extra_reg_json(const struct acrpmu_event_hw *hw)
{
	if (!hw->extra_msr)
		return jsonout_null;
	return jsonout_object("msr", jsonout_hex(hw->extra_msr),
			      "value", jsonout_hex(hw->extra_value), NULL);
}

static struct json_object *ratio_json(const struct acrpmu_spec_event *ev)
{
	char ratio[RATIO_LEN];

	if (!ev->ratio_den)
		return jsonout_null;
	acrpmu_spec_ratio(ev, ratio, sizeof(ratio));
	return jsonout_text(ratio);
}

static void set_registers(struct json_object **json, const struct acrpmu_event_hw *hw)
{
	jsonout_set(json, "cfg_a", jsonout_hex(hw->cfg_a),
		    "cfg_b", jsonout_hex(hw->cfg_b),
		    "cfg_c", jsonout_hex(hw->cfg_c),
		    "start", jsonout_hex(hw->start),
		    "cntr_msr", jsonout_hex(hw->cntr_msr),
		    "cfg_a_msr", jsonout_hex(hw->cfg_a_msr),
		    "cfg_b_msr", jsonout_hex(hw->cfg_b_msr),
		    "cfg_c_msr", jsonout_hex(hw->cfg_c_msr), NULL);
}

static struct json_object *allowed_json(const struct acrpmu_spec_event *ev)
{
	return ev->attr.allowed_cntrs ? jsonout_hex(ev->attr.allowed_cntrs) : jsonout_null;
}

static struct json_object *event_json(const struct encode *e, unsigned int g, unsigned int i,
				      const struct acrpmu_event_hw *hw)
{
	const struct acrpmu_spec_event *ev = acrpmu_spec_event(e->spec, g, i);
	struct json_object *json;

	json = jsonout_object("name", jsonout_text(ev->name),
			      "config", jsonout_hex(ev->attr.config),
			      "evtsel", jsonout_hex(acrpmu_evtsel(&e->cpu, &ev->attr, hw)),
			      "fixed", fixed_json(hw),
			      "period", jsonout_count(ev->attr.period),
			      "acr_mask", jsonout_hex(ev->attr.acr_mask),
			      "extra_reg", extra_reg_json(hw),
			      "modifiers", jsonout_text(ev->modifiers),
			      "counter", jsonout_count(hw->cntr),
			      "allowed_counters", allowed_json(ev),
			      "group", jsonout_count(g),
			      "role", jsonout_text(encode_role(ev->attr.flags)),
			      "text", jsonout_text(ev->text),
			      "ratio", ratio_json(ev), NULL);
	set_registers(&json, hw);
	return json;
}

static struct json_object *comparison_json(const struct encode *e, unsigned int g,
					   const struct acrpmu_comparison *comparison)
{
	const struct acrpmu_spec_event *a = acrpmu_spec_event(e->spec, g, comparison->a);
	const struct acrpmu_spec_event *b = acrpmu_spec_event(e->spec, g, comparison->b);
	char threshold[RATIO_LEN];

	acrpmu_comparison_threshold(comparison, threshold, sizeof(threshold));
	return jsonout_object("a", jsonout_text(a->text),
			      "b", jsonout_text(b->text),
			      "relation", jsonout_text(comparison->below ? "<" : ">"),
			      "threshold", jsonout_text(threshold),
			      "numerator", jsonout_count(comparison->num),
			      "denominator", jsonout_count(comparison->den), NULL);
}

/* What only a group of a condition has. */
static struct json_object *condition_json(const struct encode *e, unsigned int g)
{
	const struct acrpmu_condition *c = acrpmu_spec_condition(e->spec);
	char *string = encode_group_string(e->spec, g);
	struct json_object *json = NULL, *list;
	unsigned int i;

	if (!string)
		return NULL;
	list = json_object_new_array();
	for (i = 0; i < c->nr_comparisons; i++)
		jsonout_add(&list, comparison_json(e, g, &c->comparisons[i]));
	json = jsonout_object("comparisons", list,
			      "window", jsonout_count(c->window),
			      "window_event", jsonout_count(c->window_event),
			      "asked_window", jsonout_count(c->asked_window),
			      "events", jsonout_text(string), NULL);
	free(string);
	return json;
}

static struct json_object *group_json(const struct encode *e, unsigned int g)
{
	char *matrix = output_matrix(e->spec, g);
	struct json_object *json = NULL;

	if (matrix)
		json = jsonout_object("text", jsonout_text(acrpmu_spec_text(e->spec, g)),
				      "matrix", jsonout_text(matrix), NULL);
	if (matrix && reload_is_used(e->spec, g))
		jsonout_set(&json, "reload", jsonout_text(reload_name(e->reload)), NULL);
	if (matrix && e->when.condition)
		jsonout_set(&json, "condition", condition_json(e, g), NULL);
	free(matrix);
	return json;
}

/**
 * encode_groups_json() - all groups with their registers
 *
 * Return: the value, NULL: out of memory.
 */
struct json_object *encode_groups_json(const struct encode *e,
				       struct acrpmu_event_hw hw[][ACRPMU_MAX_EVENTS])
{
	unsigned int g, i, nr = acrpmu_spec_nr_groups(e->spec);
	struct json_object *events = json_object_new_array(), *groups = json_object_new_array();

	for (g = 0; g < nr; g++) {
		for (i = 0; i < acrpmu_spec_nr_events(e->spec, g); i++)
			jsonout_add(&events, event_json(e, g, i, &hw[g][i]));
		jsonout_add(&groups, group_json(e, g));
	}
	return jsonout_object("schema", jsonout_text("acrctl-encode/1"),
			      "pmu", jsonout_text(e->cpu.name), "events", events,
			      "groups", groups, NULL);
}

/**
 * encode_refusal_json() - a refusal
 *
 * Return: the value, NULL: out of memory.
 */
struct json_object *encode_refusal_json(const struct encode *e, const struct acrpmu_message *m)
{
	struct json_object *error;

	error = jsonout_object("code", jsonout_text(m->code),
			       "column", jsonout_count(m->column),
			       "message", jsonout_text(m->text),
			       "hint", jsonout_text(m->hint), NULL);
	/* the one that the column is in */
	if (e->args.nr > 1)
		jsonout_set(&error, "string", jsonout_count(m->string), NULL);
	return jsonout_object("schema", jsonout_text("acrctl-encode/1"), "error", error, NULL);
}

/**
 * encode_print_json() - print a value, which is taken over
 *
 * Return: the exit status.
 */
int encode_print_json(struct json_object *json)
{
	if (jsonout_print(json))
		return output_no_memory("encode");
	putchar('\n');
	return ACRCTL_EXIT_DONE;
}
