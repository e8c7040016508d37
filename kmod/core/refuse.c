// SPDX-License-Identifier: GPL-2.0-only
/* How a refusal is filled in: the errno, the reason and what it is about. */
#include "refuse.h"

int acrpmu_refuse(struct acrpmu_error *error, int errnum, u32 reason, int event, u64 value,
		  u64 limit)
{
	if (error) {
		*error = (struct acrpmu_error){
			.reason = reason,
			.event = event,
			.cpu = ACRPMU_NO_CPU,
			.value = value,
			.limit = limit,
		};
	}
	return errnum;
}

void acrpmu_refuse_hide_others(int errnum, struct acrpmu_error *error)
{
	if (error->reason == ACRPMU_REASON_REGISTER ||
	    (errnum == -EBUSY && error->reason == ACRPMU_REASON_EXTRA_BUSY))
		error->value = 0;
	error->holder_pid = 0;
	/* These words name nobody. */
	if (strcmp(error->holder, "perf") && strcmp(error->holder, "acrpmu"))
		memset(error->holder, 0, sizeof(error->holder));
}
