// SPDX-License-Identifier: GPL-2.0-only
/* Checks of a request: makes the internal group of a session's attr, or refuses it. */
#include "attr.h"
#include "constraint.h"
#include "event.h"
#include "jitter.h"
#include "extra_reg.h"
#include "period.h"
#include "record.h"
#include "refuse.h"
#include "window.h"

#define TASK_FLAGS	(ACRPMU_SESSION_INHERIT | ACRPMU_SESSION_ENABLE_ON_EXEC | \
			 ACRPMU_SESSION_PROCESS)
#define CHAIN_FLAGS	(ACRPMU_SESSION_EXCLUDE_CHAIN_KERNEL | ACRPMU_SESSION_EXCLUDE_CHAIN_USER)
#define SESSION_FLAGS	(ACRPMU_SESSION_TASK | TASK_FLAGS | ACRPMU_SESSION_PARKED | \
			 ACRPMU_SESSION_EXCLUDE_GUEST | ACRPMU_SESSION_SOFTWARE | \
			 ACRPMU_SESSION_CGROUP | ACRPMU_SESSION_ARRIVE | CHAIN_FLAGS)
/* what may stand beside TASK for a caller without CAP_PERFMON: none of them shows more */
#define OWN_FLAGS	(TASK_FLAGS | ACRPMU_SESSION_PARKED | ACRPMU_SESSION_EXCLUDE_GUEST | \
			 ACRPMU_SESSION_SOFTWARE | ACRPMU_SESSION_ARRIVE | CHAIN_FLAGS)
#define EVENT_FLAGS	(ACRPMU_EVENT_USER | ACRPMU_EVENT_KERNEL | ACRPMU_EVENT_SAMPLED | \
			 ACRPMU_EVENT_COUNT)

#define MIN_PERIOD_SAMPLED	1000	/* a PMI costs about as many instructions */
#define MIN_PERIOD_QUIET	1

/* A request being checked, so that each check has one argument. */
struct request {
	const struct acrpmu_session_attr *attr;
	const struct acrpmu_event_attr *events;
	const struct acrpmu_limits *limits;
	struct acrpmu_error *error;
	u64 sampled_events;
	u64 sampled_kernel_events;
	u64 cause_events;
};

void acrpmu_attr_limits(struct acrpmu_limits *limits, u32 page_size)
{
	*limits = (struct acrpmu_limits){
		.sample_type = ACRPMU_RECORD_SAMPLE_TYPE,
		.page_size = page_size,
		.min_period_sampled = MIN_PERIOD_SAMPLED,
		.min_period_quiet = MIN_PERIOD_QUIET,
		.max_events = ACRPMU_MAX_EVENTS,
		.max_ring_pages = ACRPMU_MAX_RING_PAGES,
	};
}

static int refuse(const struct request *req, u32 reason, int event, u64 value, u64 limit)
{
	return acrpmu_refuse(req->error, -EINVAL, reason, event, value, limit);
}

static int refuse_session(const struct request *req, u32 reason, u64 value, u64 limit)
{
	return refuse(req, reason, ACRPMU_NO_EVENT, value, limit);
}

static int check_session(const struct request *req)
{
	u32 unknown = req->attr->flags & ~SESSION_FLAGS;

	if (unknown)
		return refuse_session(req, ACRPMU_REASON_FLAGS, unknown, SESSION_FLAGS);
	if (!req->attr->nr_events || req->attr->nr_events > req->limits->max_events)
		return refuse_session(req, ACRPMU_REASON_NR_EVENTS, req->attr->nr_events,
				      req->limits->max_events);
	return 0;
}

static int check_event_flags(const struct request *req)
{
	u32 i;

	for (i = 0; i < req->attr->nr_events; i++) {
		u32 flags = req->events[i].flags;

		if (flags & ~EVENT_FLAGS)
			return refuse(req, ACRPMU_REASON_FLAGS, i, flags & ~EVENT_FLAGS,
				      EVENT_FLAGS);
		/* a plain counter never overflows, so there is nothing to sample */
		if (flags & ACRPMU_EVENT_SAMPLED && flags & ACRPMU_EVENT_COUNT)
			return refuse(req, ACRPMU_REASON_FLAGS, i,
				      ACRPMU_EVENT_SAMPLED | ACRPMU_EVENT_COUNT, EVENT_FLAGS);
	}
	return 0;
}

static int check_reserved(const struct request *req)
{
	u32 i;

	for (i = 0; i < req->attr->nr_events; i++) {
		if (req->events[i].reserved)
			return refuse(req, ACRPMU_REASON_RESERVED, i, req->events[i].reserved, 0);
	}
	return 0;
}

static int check_cpus(const struct request *req)
{
	const struct acrpmu_session_attr *attr = req->attr;

	if (attr->cpus_size > req->limits->page_size)
		return refuse_session(req, ACRPMU_REASON_TARGET, attr->cpus_size,
				      req->limits->page_size);
	if (!attr->cpus != !attr->cpus_size)
		return refuse_session(req, ACRPMU_REASON_TARGET, attr->cpus_size, 0);
	if (!attr->cpus_size && !(attr->flags & ACRPMU_SESSION_TASK))
		return refuse_session(req, ACRPMU_REASON_CPU_EMPTY, 0, 0);
	return 0;
}

static int check_target(const struct request *req)
{
	const struct acrpmu_session_attr *attr = req->attr;
	u32 task_only = attr->flags & TASK_FLAGS;
	bool task = attr->flags & ACRPMU_SESSION_TASK;
	u32 cgroup = attr->flags & ACRPMU_SESSION_CGROUP;

	if (cgroup && attr->flags & (ACRPMU_SESSION_TASK | TASK_FLAGS))
		return refuse_session(req, ACRPMU_REASON_FLAGS, cgroup, SESSION_FLAGS & ~cgroup);
	if (task_only && !task)
		return refuse_session(req, ACRPMU_REASON_INHERIT, task_only, 0);
	if (task || cgroup ? attr->pid < 0 : attr->pid != 0)
		return refuse_session(req, ACRPMU_REASON_TARGET, (s64)attr->pid, 0);
	return check_cpus(req);
}

/* Hardware counts what guests execute: only samples can be left out. */
static int check_guest(const struct request *req)
{
	u32 flag = req->attr->flags & ACRPMU_SESSION_EXCLUDE_GUEST;

	if (flag && !req->sampled_events)
		return refuse_session(req, ACRPMU_REASON_FLAGS, flag, SESSION_FLAGS & ~flag);
	return 0;
}

static int check_sample_type(const struct request *req)
{
	u64 type = req->attr->sample_type, allowed = req->limits->sample_type;
	u64 names = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID;

	if (type & ~allowed)
		return refuse_session(req, ACRPMU_REASON_SAMPLE_TYPE, type & ~allowed, allowed);
	if (!req->sampled_events != !type)
		return refuse_session(req, ACRPMU_REASON_SAMPLE_TYPE, type,
				      req->sampled_events ? allowed : 0);
	/* or records would not identify their event */
	if (hweight64(req->sampled_events) > 1 && !(type & names))
		return refuse_session(req, ACRPMU_REASON_SAMPLE_TYPE, names, allowed);
	return 0;
}

/* The level that no sampled event has, or that is not wanted, leaves none of the chain. */
static int check_chain(const struct request *req)
{
	bool chains = req->attr->sample_type & PERF_SAMPLE_CALLCHAIN;
	u32 max_stack = chains ? ACRPMU_MAX_STACK : 0;
	u32 excluded = req->attr->flags & CHAIN_FLAGS;

	if (req->attr->max_stack > max_stack)
		return refuse_session(req, ACRPMU_REASON_MAX_STACK, req->attr->max_stack,
				      max_stack);
	if (excluded && (!chains || excluded == CHAIN_FLAGS))
		return refuse_session(req, ACRPMU_REASON_NO_CHAIN, excluded, 0);
	if (excluded & ACRPMU_SESSION_EXCLUDE_CHAIN_USER && !req->sampled_kernel_events)
		return refuse_session(req, ACRPMU_REASON_NO_CHAIN, excluded, CHAIN_FLAGS);
	return 0;
}

static int check_jitter_and_ring(const struct request *req)
{
	u32 most_jitter = req->sampled_events ? ACRPMU_MAX_JITTER : 0;
	u32 pages = req->attr->ring_pages;
	u32 max_pages = req->sampled_events ? req->limits->max_ring_pages : 0;
	u64 ring_bytes = (u64)pages * req->limits->page_size;

	if (req->attr->jitter > most_jitter)
		return refuse_session(req, ACRPMU_REASON_JITTER, req->attr->jitter, most_jitter);
	if (pages > max_pages || (req->sampled_events && !acrpmu_is_pow2(pages)))
		return refuse_session(req, ACRPMU_REASON_RING_PAGES, pages, max_pages);
	if (req->attr->wakeup_bytes > ring_bytes)
		return refuse_session(req, ACRPMU_REASON_WAKEUP, req->attr->wakeup_bytes,
				      ring_bytes);
	return 0;
}

static int check_mask(const struct request *req, u32 i)
{
	const struct acrpmu_event_attr *event = &req->events[i];
	u64 outside = event->acr_mask & ~GENMASK_ULL(req->attr->nr_events - 1, 0);

	if (outside)
		return refuse(req, ACRPMU_REASON_MASK_OUTSIDE, i, outside, req->attr->nr_events);
	if (event->flags & ACRPMU_EVENT_SAMPLED && event->acr_mask & BIT_ULL(i))
		return refuse(req, ACRPMU_REASON_SELF_SAMPLED, i, event->acr_mask, 0);
	return 0;
}

/* In software every overflow of a cause is a PMI. */
static bool is_software_cause(const struct request *req, u32 i)
{
	return req->attr->flags & ACRPMU_SESSION_SOFTWARE && req->cause_events & BIT_ULL(i);
}

static int check_period(u64 period, u32 flags, bool software_cause,
			const struct acrpmu_limits *limits, u32 i, struct acrpmu_error *error)
{
	u64 smallest = flags & ACRPMU_EVENT_SAMPLED ? limits->min_period_sampled :
						      limits->min_period_quiet;

	if (flags & ACRPMU_EVENT_COUNT)
		return !period ? 0 :
		       acrpmu_refuse(error, -EINVAL, ACRPMU_REASON_PERIOD_COUNT, i, period, 0);
	if (!period)
		return acrpmu_refuse(error, -EINVAL, ACRPMU_REASON_PERIOD_ZERO, i, 0, smallest);
	if (period < smallest)
		return acrpmu_refuse(error, -EINVAL, ACRPMU_REASON_PERIOD_SMALL, i, period,
				     smallest);
	if (software_cause && period < limits->min_period_sampled)
		return acrpmu_refuse(error, -EINVAL, ACRPMU_REASON_PERIOD_CAUSE, i, period,
				     limits->min_period_sampled);
	return 0;
}

static int check_count(const struct request *req, u32 i)
{
	const struct acrpmu_event_attr *event = &req->events[i];

	if (event->flags & ACRPMU_EVENT_COUNT &&
	    (event->acr_mask || req->cause_events & BIT_ULL(i)))
		return refuse(req, ACRPMU_REASON_PERIOD_COUNT, i, event->period, 0);
	return check_period(event->period, event->flags, is_software_cause(req, i), req->limits, i,
			    req->error);
}

/* Ids identify events in records: without records an event needs none, which is 0. */
static int check_id(const struct request *req, u32 i)
{
	u64 id = req->events[i].id;
	u32 j;

	if (!id && !req->sampled_events)
		return 0;
	if (!id)
		return refuse(req, ACRPMU_REASON_ID, i, id, 0);
	for (j = 0; j < i; j++) {
		if (req->events[j].id == id)
			return refuse(req, ACRPMU_REASON_ID, i, id, 0);
	}
	return 0;
}

static int check_cntrs(const struct request *req, u32 i)
{
	u64 impossible = req->events[i].allowed_cntrs & ~acrpmu_constraint_cntrs_all();

	if (impossible)
		return refuse(req, ACRPMU_REASON_ALLOWED_CNTRS, i, impossible,
			      acrpmu_constraint_cntrs_all());
	return 0;
}

static int check_event(const struct request *req, u32 i)
{
	const struct acrpmu_event_attr *event = &req->events[i];
	u64 unknown = event->config & ~acrpmu_event_config_all();
	int ret;

	if (unknown)
		return refuse(req, ACRPMU_REASON_CONFIG, i, unknown, acrpmu_event_config_all());
	if (!(event->flags & (ACRPMU_EVENT_USER | ACRPMU_EVENT_KERNEL)))
		return refuse(req, ACRPMU_REASON_NO_LEVEL, i, event->flags, 0);
	ret = check_mask(req, i);
	if (!ret)
		ret = check_count(req, i);
	if (!ret)
		ret = check_id(req, i);
	if (!ret)
		ret = check_cntrs(req, i);
	return ret;
}

static int check_values(const struct request *req)
{
	int ret;
	u32 i;

	ret = check_target(req);
	if (!ret)
		ret = check_guest(req);
	if (!ret)
		ret = check_sample_type(req);
	if (!ret)
		ret = check_chain(req);
	if (!ret)
		ret = check_jitter_and_ring(req);
	for (i = 0; !ret && i < req->attr->nr_events; i++)
		ret = check_event(req, i);
	return ret;
}

static void derive(struct request *req)
{
	u32 i;

	for (i = 0; i < req->attr->nr_events; i++) {
		if (req->events[i].flags & ACRPMU_EVENT_SAMPLED)
			req->sampled_events |= BIT_ULL(i);
		if (req->events[i].flags & ACRPMU_EVENT_KERNEL)
			req->sampled_kernel_events |= req->sampled_events & BIT_ULL(i);
		req->cause_events |= req->events[i].acr_mask;
	}
}

static void make_event(struct acrpmu_group *group, u32 i, const struct acrpmu_event_attr *event)
{
	group->ev[i] = (struct acrpmu_ev){
		.config = event->config,
		.period = event->period,
		.cause_events = event->acr_mask,
		.extra_value = event->extra_value,
		.allowed_cntrs = event->allowed_cntrs,
		.id = event->id,
		.flags = event->flags,
	};
	if (event->flags & ACRPMU_EVENT_COUNT)
		group->count_events |= BIT_ULL(i);
	if (event->flags & ACRPMU_EVENT_KERNEL)
		group->kernel_events |= BIT_ULL(i);
}

static void make_reloads(struct acrpmu_group *group, const struct request *req)
{
	u32 i;

	for (i = 0; i < group->nr; i++) {
		if (group->ev[i].cause_events)
			group->reloaded_events |= BIT_ULL(i);
		group->self_events |= group->ev[i].cause_events & BIT_ULL(i);
	}
	group->cause_events = req->cause_events;
}

static void make_restarts(struct acrpmu_group *group, const struct request *req)
{
	u32 i;

	for (i = 0; i < group->nr; i++) {
		if (group->ev[i].cause_events)
			group->restarted_events |= BIT_ULL(i);
		group->ev[i].restart_events = acrpmu_window_restarts(group, i);
	}
	group->int_events |= req->cause_events;
}

static void make_group(const struct request *req, struct acrpmu_group *group)
{
	const struct acrpmu_session_attr *attr = req->attr;
	u32 half_ring = (u64)attr->ring_pages * req->limits->page_size / 2;
	u32 i;

	memset(group, 0, sizeof(*group));
	group->nr = attr->nr_events;
	group->periods_nr = 1;
	group->flags = attr->flags;
	group->sample_type = attr->sample_type;
	if (attr->sample_type)
		group->sample_bytes = acrpmu_record_sample_bytes(attr->sample_type,
								 attr->nr_events);
	group->ring_pages = attr->ring_pages;
	group->wakeup_bytes = attr->wakeup_bytes ? attr->wakeup_bytes : half_ring;
	if (attr->sample_type & PERF_SAMPLE_CALLCHAIN)
		group->max_stack = attr->max_stack ? attr->max_stack : ACRPMU_MAX_STACK;
	group->sampled_events = req->sampled_events;
	group->int_events = req->sampled_events;
	for (i = 0; i < attr->nr_events; i++)
		make_event(group, i, &req->events[i]);
	if (attr->flags & ACRPMU_SESSION_SOFTWARE)
		make_restarts(group, req);
	else
		make_reloads(group, req);
	acrpmu_jitter_group(group, attr->jitter);
}

int acrpmu_attr_check_session(const struct acrpmu_session_attr *attr,
			      const struct acrpmu_limits *limits, struct acrpmu_error *error)
{
	const struct request req = { .attr = attr, .limits = limits, .error = error };

	return check_session(&req);
}

int acrpmu_attr_check(const struct acrpmu_session_attr *attr,
		      const struct acrpmu_event_attr *events, const struct acrpmu_limits *limits,
		      struct acrpmu_group *group, struct acrpmu_error *error)
{
	struct request req = { .attr = attr, .events = events, .limits = limits, .error = error };
	int ret;

	ret = check_session(&req);
	if (ret)
		return ret;
	ret = check_event_flags(&req);
	if (ret)
		return ret;
	ret = check_reserved(&req);
	if (ret)
		return ret;

	derive(&req);
	ret = check_values(&req);
	if (ret)
		return ret;
	make_group(&req, group);
	return 0;
}

int acrpmu_attr_check_attach(const struct acrpmu_attach *attach, const struct acrpmu_group *group,
			     struct acrpmu_error *error)
{
	u32 unknown = attach->flags & ~ACRPMU_ATTACH_PROCESS;

	if (unknown)
		return acrpmu_refuse(error, -EINVAL, ACRPMU_REASON_FLAGS, ACRPMU_NO_EVENT, unknown,
				     ACRPMU_ATTACH_PROCESS);
	if (attach->target)
		return acrpmu_refuse(error, -EINVAL, ACRPMU_REASON_RESERVED, ACRPMU_NO_EVENT,
				     attach->target, 0);
	if (attach->pid < 0)
		return acrpmu_refuse(error, -EINVAL, ACRPMU_REASON_TARGET, ACRPMU_NO_EVENT,
				     (s64)attach->pid, 0);
	if (!(group->flags & ACRPMU_SESSION_TASK))
		return acrpmu_refuse(error, -EINVAL, ACRPMU_REASON_ATTACH, ACRPMU_NO_EVENT,
				     attach->pid, 0);
	return 0;
}

int acrpmu_attr_check_own(const struct acrpmu_group *group, struct acrpmu_error *error)
{
	if ((group->flags & ~OWN_FLAGS) != ACRPMU_SESSION_TASK)
		return acrpmu_refuse(error, -EPERM, ACRPMU_REASON_OWN_TASKS, ACRPMU_NO_EVENT, 0, 0);
	if (group->kernel_events)
		return acrpmu_refuse(error, -EPERM, ACRPMU_REASON_OWN_LEVEL,
				     __ffs64(group->kernel_events), 0, 0);
	return 0;
}

static int check_caps_extra(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
			    unsigned int event, struct acrpmu_error *error)
{
	const struct acrpmu_ev *ev = &group->ev[event];
	int reg = acrpmu_extra_reg_find(caps->model, ev->config);
	u64 valid_mask;

	if (reg == ACRPMU_EXTRA_REG_NONE) {
		if (!ev->extra_value)
			return 0;
		return acrpmu_refuse(error, -EINVAL, ACRPMU_REASON_EXTRA_NONE, event,
				     ev->extra_value, 0);
	}
	valid_mask = acrpmu_extra_reg_valid_mask(caps->model, ev->config);
	if (ev->extra_value & ~valid_mask)
		return acrpmu_refuse(error, -EINVAL, ACRPMU_REASON_EXTRA_BITS, event,
				     ev->extra_value & ~valid_mask, valid_mask);
	return 0;
}

static int check_caps_period(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
			     unsigned int event, u64 period, struct acrpmu_error *error)
{
	u64 longest = acrpmu_period_max(min_t(u8, caps->gp_width, caps->fixed_width ?
					      caps->fixed_width : caps->gp_width),
					caps->full_width);

	if (group->reloaded_events & BIT_ULL(event) && period > ACRPMU_PERIOD_MAX_RELOAD)
		return acrpmu_refuse(error, -EINVAL, ACRPMU_REASON_PERIOD_RELOAD, event, period,
				     ACRPMU_PERIOD_MAX_RELOAD);
	if (period > longest)
		return acrpmu_refuse(error, -EINVAL, ACRPMU_REASON_PERIOD_LARGE, event, period,
				     longest);
	return 0;
}

/* Without a row of the CPU only the architectural events are known to count on any counter. */
static bool knows_cntrs(const struct acrpmu_caps *caps, u64 config)
{
	return caps->model->nr_ids || acrpmu_event_is_architectural(caps, config);
}

static int check_caps_allowed(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
			      unsigned int event, struct acrpmu_error *error)
{
	const struct acrpmu_ev *ev = &group->ev[event];
	u64 able = acrpmu_constraint_config(caps, ev->config);

	if (!able || (ev->allowed_cntrs ? able & ev->allowed_cntrs : knows_cntrs(caps, ev->config)))
		return 0;
	return acrpmu_refuse(error, -EOPNOTSUPP, ACRPMU_REASON_ALLOWED_CNTRS, event,
			     ev->allowed_cntrs, ev->allowed_cntrs ? able : 0);
}

static int check_caps_cntrs(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
			    unsigned int event, struct acrpmu_error *error)
{
	u64 able = acrpmu_constraint_event(caps, &group->ev[event], NULL);
	u64 usable = able;
	int ret;

	ret = check_caps_allowed(group, caps, event, error);
	if (ret)
		return ret;
	if (!able)
		return acrpmu_refuse(error, -EOPNOTSUPP, ACRPMU_REASON_EVENT_CPU, event, able,
				     caps->cntrs);
	if (group->reloaded_events & BIT_ULL(event))
		usable &= caps->reloadable_cntrs;
	if (!usable)
		return acrpmu_refuse(error, -EOPNOTSUPP, ACRPMU_REASON_NO_RELOADABLE, event, able,
				     caps->reloadable_cntrs);
	if (group->cause_events & BIT_ULL(event) && !(usable & caps->cause_cntrs))
		return acrpmu_refuse(error, -EOPNOTSUPP, ACRPMU_REASON_NO_CAUSE, event, usable,
				     caps->cause_cntrs);
	return 0;
}

static int check_caps_event(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
			    unsigned int event, struct acrpmu_error *error)
{
	const struct acrpmu_ev *ev = &group->ev[event];
	int ret;

	if (ev->config & ~caps->config_mask)
		return acrpmu_refuse(error, -EOPNOTSUPP, ACRPMU_REASON_CONFIG, event,
				     ev->config & ~caps->config_mask, caps->config_mask);
	if (group->reloaded_events & BIT_ULL(event) && !caps->acr)
		return acrpmu_refuse(error, -EOPNOTSUPP, ACRPMU_REASON_NO_ACR, event,
				     ev->cause_events, 0);
	ret = check_caps_extra(group, caps, event, error);
	if (!ret)
		ret = check_caps_period(group, caps, event, ev->period, error);
	if (!ret)
		ret = check_caps_cntrs(group, caps, event, error);
	return ret;
}

int acrpmu_attr_check_caps(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
			   int cpu, struct acrpmu_error *error)
{
	unsigned int i;
	int ret = 0;

	if (!caps->cntrs)
		ret = acrpmu_refuse(error, -EOPNOTSUPP, ACRPMU_REASON_NO_PMU, ACRPMU_NO_EVENT,
				    caps->pmu_version, 0);
	for (i = 0; !ret && i < group->nr; i++)
		ret = check_caps_event(group, caps, i, error);
	if (ret && error)
		error->cpu = cpu;
	return ret;
}

int acrpmu_attr_check_cntrs(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
			    struct acrpmu_error *error)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < group->nr; i++)
		ret = check_caps_cntrs(group, caps, i, error);
	return ret;
}

int acrpmu_attr_check_periods(const struct acrpmu_group *group, const u64 *periods,
			      const struct acrpmu_limits *limits, const struct acrpmu_caps *caps,
			      struct acrpmu_error *error)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < group->nr; i++)
		ret = check_period(periods[i], group->ev[i].flags,
				   group->int_events & BIT_ULL(i), limits, i, error);
	for (i = 0; !ret && i < group->nr; i++)
		ret = check_caps_period(group, caps, i, periods[i], error);
	return ret;
}

void acrpmu_attr_set_periods(struct acrpmu_group *group, const u64 *periods)
{
	unsigned int i;

	for (i = 0; i < group->nr; i++)
		group->ev[i].period = periods[i];
	group->periods_nr++;
}
