// SPDX-License-Identifier: LGPL-2.1-or-later
/* Offline encoding: the registers that the module would program for a group on some CPU. */
#include <string.h>

#include "../../kmod/core/attr.h"
#include "../../kmod/core/constraint.h"
#include "../../kmod/core/event.h"
#include "../../kmod/core/extra_reg.h"
#include "../../kmod/core/reload.h"
#include "cpu.h"
#include "spec.h"

#define PAGE_BYTES	4096

/* Check a group as the module does, for a target that always exists. */
static int check_group(const struct acrpmu_spec *spec, unsigned int group,
		       const struct acrpmu_caps *caps, struct acrpmu_group *out,
		       struct acrpmu_error *error)
{
	struct acrpmu_event_attr events[ACRPMU_MAX_EVENTS];
	struct acrpmu_session_attr attr = {
		.size = sizeof(attr),
		.flags = ACRPMU_SESSION_TASK,
		.event_size = sizeof(*events),
	};
	struct acrpmu_limits limits;
	int i, nr, err;

	nr = acrpmu_spec_attrs(spec, group, events);
	if (nr < 0)
		return nr;
	acrpmu_attr_limits(&limits, PAGE_BYTES);
	attr.nr_events = nr;
	for (i = 0; i < nr; i++) {
		events[i].id = i + 1;
		if (events[i].flags & ACRPMU_EVENT_SAMPLED) {
			attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP;
			attr.ring_pages = 1;
		}
	}
	err = acrpmu_attr_check(&attr, events, &limits, out, error);
	return err ? err : acrpmu_attr_check_caps(out, caps, ACRPMU_ATTR_NO_CPU, error);
}

static int plan_group(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
		      struct acrpmu_plan *plan, struct acrpmu_error *error)
{
	const struct acrpmu_extra_state unused = { 0 };
	struct acrpmu_extra_choice choice;
	s8 cntr[ACRPMU_MAX_EVENTS];
	int err;

	err = acrpmu_constraint_assign(group, caps, caps->cntrs, cntr, error);
	if (!err)
		err = acrpmu_extra_reg_choose(&unused, caps, group, &choice, error);
	return err ? err : acrpmu_reload_plan(group, caps, cntr, &choice, plan);
}

/**
 * acrpmu_encode() - the registers that the module would program, on an otherwise idle CPU
 * @spec: the groups
 * @group: index of the group
 * @cpu: the CPU
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
	struct acrpmu_error error = { .event = ACRPMU_ATTR_NO_EVENT, .cpu = ACRPMU_ATTR_NO_CPU };
	struct acrpmu_group checked;
	struct acrpmu_plan plan;
	struct acrpmu_caps caps;
	int err;

	err = acrpmu_cpu_caps(cpu, &caps);
	if (!err)
		err = check_group(spec, group, &caps, &checked, &error);
	if (!err)
		err = plan_group(&checked, &caps, &plan, &error);
	if (err) {
		acrpmu_explain(err, &error, spec, group, message);
		return err;
	}
	memcpy(hw, plan.hw, plan.nr * sizeof(*hw));
	return 0;
}

/**
 * acrpmu_evtsel() - event select of an event, also where it is on a fixed counter
 * @cpu: the CPU
 * @attr: the event
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
