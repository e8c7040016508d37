// SPDX-License-Identifier: LGPL-2.1-or-later
/* Offline encoding: the registers that the module would program for a group on some CPU. */
#include <errno.h>
#include <string.h>

#include "../../kmod/core/attr.h"
#include "../../kmod/core/event.h"
#include "../../kmod/core/refuse.h"
#include "../../kmod/core/reload.h"
#include "../../kmod/core/schedule.h"
#include "cpu.h"
#include "encode.h"
#include "error.h"
#include "../util/message.h"
#include "spec.h"

#define PAGE_BYTES	4096

/* A CPU that gets groups one after another, as it gets sessions. */
struct placing {
	struct acrpmu_limits limits;
	struct acrpmu_caps caps;
	__u64 free_cntrs;
	struct acrpmu_extra_state extra;
	const char *by;			/* what holds counters and registers, for messages */
};

/* Check a group as the module does, for a target that always exists. */
static int check_group(const struct acrpmu_spec *spec, unsigned int group,
		       const struct placing *p, struct acrpmu_group *out,
		       struct acrpmu_error *error)
{
	struct acrpmu_event_attr events[ACRPMU_MAX_EVENTS];
	struct acrpmu_session_attr attr = {
		.size = sizeof(attr),
		.flags = ACRPMU_SESSION_TASK,
		.event_size = sizeof(*events),
	};
	int i, nr, err;

	nr = acrpmu_spec_attrs(spec, group, events);
	if (nr < 0)
		return nr;
	attr.nr_events = nr;
	if (spec->software)
		attr.flags |= ACRPMU_SESSION_SOFTWARE;
	for (i = 0; i < nr; i++) {
		events[i].id = i + 1;
		if (events[i].flags & ACRPMU_EVENT_SAMPLED) {
			attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP;
			attr.ring_pages = 1;
		}
	}
	err = acrpmu_attr_check(&attr, events, &p->limits, out, error);
	return err ? err : acrpmu_attr_check_caps(out, &p->caps, ACRPMU_NO_CPU, error);
}

static int plan_group(const struct acrpmu_group *group, struct placing *p,
		      struct acrpmu_plan *plan, struct acrpmu_error *error)
{
	struct acrpmu_schedule schedule;
	int err;

	err = acrpmu_schedule_check(&p->extra, &p->caps, group, error);
	if (!err)
		err = acrpmu_schedule_events(&p->extra, &p->caps, group, p->free_cntrs, &schedule,
					     error);
	if (!err)
		err = acrpmu_reload_plan(group, &p->caps, &schedule, plan);
	if (err)
		return err;
	acrpmu_schedule_get(&p->extra, group, &schedule);
	p->free_cntrs &= ~plan->all_cntrs;
	return 0;
}

static int begin(struct placing *p, const struct acrpmu_cpu *cpu, __u64 held_cntrs,
		 struct acrpmu_message *message)
{
	*p = (struct placing){
		.free_cntrs = cpu->cntrs & ~held_cntrs,
		.by = held_cntrs ? "others, or by the groups before it" : "the groups before it",
	};
	acrpmu_attr_limits(&p->limits, PAGE_BYTES);
	if (!acrpmu_cpu_caps(cpu, &p->caps))
		return 0;
	acrpmu_message_text(message, "unknown-pmu", "the CPU's name is not in the CPU table");
	acrpmu_message_hint(message, "get the CPU from acrpmu_cpu_by_name() or acrpmu_cpu_probe()");
	return -EINVAL;
}

static int encode_group(const struct acrpmu_spec *spec, unsigned int group, struct placing *p,
			struct acrpmu_event_hw *hw, struct acrpmu_message *message)
{
	struct acrpmu_error error = { .event = ACRPMU_NO_EVENT, .cpu = ACRPMU_NO_CPU };
	struct acrpmu_group checked;
	struct acrpmu_plan plan;
	int err;

	err = check_group(spec, group, p, &checked, &error);
	if (!err)
		err = plan_group(&checked, p, &plan, &error);
	if (err) {
		acrpmu_explain_placing(err, &error, p->by, spec, group, message);
		return err;
	}
	memcpy(hw, plan.hw, plan.nr * sizeof(*hw));
	return 0;
}

/**
 * acrpmu_encode() - encode a group as the module would program it on an otherwise idle CPU
 * @group: index of the group
 * @cpu: the CPU to encode for, not only this machine's
 * @hw: out, one element for each event; written only on success
 * @message: out, why not; may be NULL
 *
 * Needs neither the module nor such a CPU.
 *
 * Return: 0; -EINVAL, -EOPNOTSUPP or -ENOSPC with the reason in @message.
 */
int acrpmu_encode(const struct acrpmu_spec *spec, unsigned int group, const struct acrpmu_cpu *cpu,
		  struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS], struct acrpmu_message *message)
{
	struct placing p;
	int err = begin(&p, cpu, 0, message);

	return err ? err : encode_group(spec, group, &p, hw, message);
}

int acrpmu_encode_check(const struct acrpmu_spec *spec, unsigned int group,
			const struct acrpmu_cpu *cpu, struct acrpmu_message *message)
{
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];
	struct placing p;
	int err = begin(&p, cpu, 0, message);

	p.limits.min_period_sampled = p.limits.min_period_quiet;
	return err ? err : encode_group(spec, group, &p, hw, message);
}

/**
 * acrpmu_encode_all() - encode all groups, each as one session on the same CPU
 * @cpu: the CPU to encode for, not only this machine's
 * @held_cntrs: counters that others hold, as in acrpmu_cpu_info.held_cntrs; 0: none
 * @hw: out, ACRPMU_MAX_EVENTS elements for each group, of which as many are written as it has
 *	events; undefined on failure
 * @message: out, why not; may be NULL
 *
 * Groups get counters and extra registers in order, as sessions created one after another do.
 *
 * Return: 0; -EINVAL, -EOPNOTSUPP or -ENOSPC with the reason in @message; -EBUSY: a group finds
 * what it needs taken by those before it, or by @held_cntrs.
 */
int acrpmu_encode_all(const struct acrpmu_spec *spec, const struct acrpmu_cpu *cpu,
		      __u64 held_cntrs, struct acrpmu_event_hw *hw, struct acrpmu_message *message)
{
	unsigned int g, nr = acrpmu_spec_nr_groups(spec);
	struct placing p;
	int err = begin(&p, cpu, held_cntrs, message);

	for (g = 0; !err && g < nr; g++)
		err = encode_group(spec, g, &p, hw + g * ACRPMU_MAX_EVENTS, message);
	return err;
}

/**
 * acrpmu_config_split() - split a config word into its fields
 * @config: the config word, or the event select of a general-purpose counter
 * @fields: out
 */
void acrpmu_config_split(__u64 config, struct acrpmu_config_fields *fields)
{
	struct acrpmu_event_fields f;

	acrpmu_event_split(config, &f);
	*fields = (struct acrpmu_config_fields){
		.select = f.select, .umask = f.umask, .umask2 = f.umask2, .cmask = f.cmask,
		.edge = f.edge, .inv = f.inv, .eq = f.eq,
	};
}

/**
 * acrpmu_evtsel() - event select of an event, also where it is on a fixed counter
 * @cpu: the CPU that @hw was encoded for
 * @attr: the event, as acrpmu_spec_attrs() returns it
 * @hw: how it is programmed
 *
 * Return: the value of IA32_PERFEVTSELx that counts the same.
 */
__u64 acrpmu_evtsel(const struct acrpmu_cpu *cpu, const struct acrpmu_event_attr *attr,
		    const struct acrpmu_event_hw *hw)
{
	struct acrpmu_caps caps;

	if (hw->cntr < ACRPMU_FIXED_BASE || acrpmu_cpu_caps(cpu, &caps))
		return hw->cfg_a;
	return acrpmu_event_evtsel(acrpmu_event_canonical(&caps, attr->config), attr->flags);
}
