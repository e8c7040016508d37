// SPDX-License-Identifier: GPL-2.0-only
/* acrctl info: the same as JSON. */
#include "../../util/util.h"
#include "../jsonout.h"
#include "info.h"

static struct json_object *extra_reg_json(const struct acrpmu_extra_reg_info *reg)
{
	return jsonout_object("msr", jsonout_hex(reg->msr),
			      "valid_mask", jsonout_hex(reg->valid_mask),
			      "config", jsonout_hex(reg->config),
			      "hidden", jsonout_bool(reg->flags & ACRPMU_EXTRA_REG_HIDDEN), NULL);
}

static struct json_object *extra_regs_json(const struct acrpmu_extra_reg_info *regs,
					   unsigned int nr)
{
	struct json_object *json = json_object_new_array();
	unsigned int i;

	for (i = 0; i < nr; i++)
		jsonout_add(&json, extra_reg_json(&regs[i]));
	return json;
}

/* Ways to reload counters: what --acr takes. */
static struct json_object *reload_json(const struct info *info, bool usable, bool hardware)
{
	struct json_object *json = json_object_new_array();

	if (usable && hardware)
		jsonout_add(&json, jsonout_text(reload_name(RELOAD_HARDWARE)));
	if (usable && info_has_software(info))
		jsonout_add(&json, jsonout_text(reload_name(RELOAD_SOFTWARE)));
	return json;
}

static struct json_object *cpus_json(const struct info *info, const struct system_cpus *c)
{
	struct acrpmu_extra_reg_info regs[ACRPMU_MAX_EXTRA_REGS];
	unsigned int nr_regs = c->usable ? acrpmu_cpu_extra_regs(&c->cpu, regs) : 0;
	bool intel = *c->cpu.name;
	char pmu[KIND_PMU_LEN];

	kinds_pmu(c->cpu.signature, c->cpu.core_type, pmu);
	return jsonout_object("cpus", jsonout_text(c->list),
			      "name", jsonout_text(intel ? c->cpu.name : NULL),
			      "core", jsonout_text(intel ? c->cpu.core : NULL),
			      "pmu", jsonout_text(c->usable ? pmu : NULL),
			      "known", jsonout_bool(c->cpu.known),
			      "usable", jsonout_bool(c->usable),
			      "pmu_version", jsonout_count(c->cpu.pmu_version),
			      "gp_width", jsonout_count(c->cpu.gp_width),
			      "fixed_width", jsonout_count(c->cpu.fixed_width),
			      "acr", jsonout_bool(c->cpu.flags & ACRPMU_CPU_ACR),
			      "reload", reload_json(info, c->usable, c->cpu.flags & ACRPMU_CPU_ACR),
			      "counters", jsonout_hex(c->cpu.cntrs),
			      "reloadable", jsonout_hex(c->cpu.reloadable_cntrs),
			      "causes", jsonout_hex(c->cpu.cause_cntrs),
			      "extra_regs", extra_regs_json(regs, nr_regs), NULL);
}

static struct json_object *all_cpus_json(const struct info *info)
{
	const struct system_info *s = &info->system;
	struct json_object *cpus = json_object_new_array();
	unsigned int i;

	for (i = 0; i < s->nr_cpus; i++)
		jsonout_add(&cpus, cpus_json(info, &s->cpus[i]));
	return cpus;
}

static struct json_object *module_cpu_json(const struct info *info, const struct acrpmu_cpu_info *c)
{
	char pmu[KIND_PMU_LEN];

	info_pmu(c, pmu);
	return jsonout_object("cpu", jsonout_count(c->cpu),
			      "online", jsonout_bool(c->flags & ACRPMU_CPU_ONLINE),
			      "usable", jsonout_bool(c->flags & ACRPMU_CPU_USABLE),
			      "acr", jsonout_bool(c->flags & ACRPMU_CPU_ACR),
			      "reload", reload_json(info, c->flags & ACRPMU_CPU_USABLE,
						    c->flags & ACRPMU_CPU_ACR),
			      "pmu_version", jsonout_count(c->pmu_version),
			      "name", jsonout_text(c->name),
			      "pmu", jsonout_text(pmu),
			      "counters", jsonout_hex(c->cntrs),
			      "reloadable", jsonout_hex(c->reloadable_cntrs),
			      "causes", jsonout_hex(c->cause_cntrs),
			      "held", jsonout_hex(c->held_cntrs),
			      "extra_regs", extra_regs_json(c->extra_regs,
							    info_nr_extra_regs(c)), NULL);
}

static struct json_object *module_cpus_json(const struct info *info)
{
	struct json_object *cpus = json_object_new_array();
	unsigned int i;

	for (i = 0; i < info->module.nr_cpus; i++)
		jsonout_add(&cpus, module_cpu_json(info, &info->cpus[i]));
	return cpus;
}

static void set_limits(struct json_object **json, const struct info *info)
{
	const struct acrpmu_info *m = &info->module;

	jsonout_set(json, "min_period_sampled", jsonout_count(m->min_period_sampled),
		    "min_period_quiet", jsonout_count(m->min_period_quiet),
		    "max_sample_rate", jsonout_count(m->max_sample_rate),
		    "max_pmi_percent", info->all.max_pmi_percent ?
				       jsonout_count(info->all.max_pmi_percent) : jsonout_null,
		    "max_ring_pages", jsonout_count(m->max_ring_pages),
		    "sample_type", jsonout_hex(m->sample_type),
		    "arbiter", jsonout_text(info_arbiter(m->arbiter)), NULL);
}

static struct json_object *starved_json(const struct acrpmu_info *all)
{
	bool any = all->nr_starved;

	return jsonout_object("events", jsonout_count(all->nr_starved),
			      "cpu", any ? jsonout_count(all->starved_cpu) : jsonout_null,
			      "pid", any ? jsonout_count(all->starved_pid) : jsonout_null, NULL);
}

static struct json_object *module_json(const struct info *info)
{
	const struct acrpmu_info *m = &info->module;
	const struct info_feature *feature;
	struct json_object *json;

	if (!info->have_module)
		return jsonout_null;
	json = jsonout_object("abi_version", jsonout_count(m->abi_version),
			      "sessions", jsonout_count(m->nr_sessions),
			      "max_events", jsonout_count(m->max_events), NULL);
	for (feature = info_features; feature->name; feature++)
		jsonout_set(&json, feature->name, jsonout_bool(m->features & feature->bit), NULL);
	set_limits(&json, info);
	if (!info->starved_err)
		jsonout_set(&json, "perf_starved", starved_json(&info->all), NULL);
	jsonout_set(&json, "cpus", module_cpus_json(info), NULL);
	return json;
}

static struct json_object *missing_json(const struct info *info)
{
	struct json_object *missing = json_object_new_array();
	unsigned int i;

	for (i = 0; i < info->nr_missing; i++) {
		const struct missing *m = &info->missing[i];

		jsonout_add(&missing, jsonout_object("what", jsonout_text(m->what),
						     "how", jsonout_text(m->how), NULL));
	}
	return missing;
}

static struct json_object *perf_json(const struct system_info *s)
{
	return jsonout_object("pmus", jsonout_text(s->perf_pmus),
			      "acr_mask", jsonout_bool(s->perf_acr), NULL);
}

static struct json_object *paranoid_json(const struct permission_facts *user)
{
	return user->has_paranoid ? json_object_new_int(user->paranoid) : jsonout_null;
}

/**
 * info_json() - what was found, as JSON
 *
 * Return: the tree, for jsonout_print().
 */
struct json_object *info_json(const struct info *info)
{
	const struct system_info *s = &info->system;

	return jsonout_object("schema", jsonout_text("acrctl-info/1"),
			      "version", jsonout_text(acrpmu_lib_version()),
			      "kernel", jsonout_text(s->release),
			      "machine", jsonout_text(s->cpu_model),
			      "cpus", all_cpus_json(info),
			      "perf", perf_json(s),
			      "nmi_watchdog", jsonout_text(info_state(s->watchdog)),
			      "lockdown", jsonout_text(info_state(s->lockdown)),
			      "virtual_machines", s->guests == SYSTEM_UNKNOWN ? jsonout_null :
						  jsonout_bool(s->guests == SYSTEM_ON),
			      "cap_perfmon", jsonout_bool(s->user.cap_perfmon),
			      "cap_sys_admin", jsonout_bool(s->user.cap_admin),
			      "perf_event_paranoid", paranoid_json(&s->user),
			      "may_observe", jsonout_text(info_permission(info->permission)),
			      "module_loaded", jsonout_bool(s->module || info->have_module),
			      "module", module_json(info),
			      "missing", missing_json(info), NULL);
}
