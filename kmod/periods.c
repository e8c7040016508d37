// SPDX-License-Identifier: GPL-2.0-only
/* Changing the periods of a session. */
#include <linux/smp.h>
#include <linux/string.h>

#include "../uapi/acrpmu_netlink.h"
#include "session.h"
#include "account.h"
#include "core/attr.h"
#include "core/reload.h"
#include "ctx.h"
#include "limits.h"
#include "notify.h"
#include "periods.h"
#include "pmu.h"
#include "registry.h"
#include "yield.h"

/* The accounts are published: what has ended so far had the old periods. */
static void change(struct acrpmu_session_cpu *scpu)
{
	const struct acrpmu_session *session = scpu->session;
	unsigned int i;

	for (i = 0; i < session->group.nr; i++)
		scpu->periods_ended[i] = acrpmu_account_periods_ended(scpu, i);
	memcpy(scpu->overflows_set, scpu->seen.overflows, sizeof(scpu->seen.overflows));
	/* It never held this CPU: a plan will be made if it does. */
	if (scpu->plan.nr)
		acrpmu_reload_set_periods(&session->group, &session->caps, &scpu->plan);
}

static void change_here(void *data)
{
	struct acrpmu_session_cpu *scpu = data;
	bool taken = acrpmu_yield_check(scpu);
	struct acrpmu_ctx *ctx = taken ? NULL : acrpmu_ctx_stop_session(scpu);

	change(scpu);
	if (taken)
		return;
	acrpmu_pmu_write_reloads(&scpu->plan);
	if (ctx)
		acrpmu_ctx_start(ctx, scpu);
}

/**
 * acrpmu_periods_set() - change all periods of a session, or none
 * @periods: one for each event
 * @err: filled when refused
 *
 * A context that does not run notices by acrpmu_plan.periods_nr when it is started.
 *
 * Context: process, may sleep.
 * Return: 0 or -EINVAL.
 */
int acrpmu_periods_set(struct acrpmu_session *session, const u64 *periods,
		       struct acrpmu_error *err)
{
	struct acrpmu_session_cpu *scpu;
	int ret;

	acrpmu_registry_lock();
	ret = acrpmu_attr_check_periods(&session->group, periods, &acrpmu_limits, &session->caps,
					err);
	if (ret)
		goto out_unlock;
	acrpmu_attr_set_periods(&session->group, periods);
	list_for_each_entry_lockless(scpu, &session->scpus, node) {
		if (acrpmu_session_holds(scpu))
			smp_call_function_single(scpu->cpu, change_here, scpu, 1);
		else
			change(scpu);
	}
	acrpmu_notify_session(session, ACRPMU_NL_CHANGE_PERIODS);
out_unlock:
	acrpmu_registry_unlock();
	return ret;
}
