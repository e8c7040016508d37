/* SPDX-License-Identifier: GPL-2.0-only */
/* What 'acrctl monitor' prints, and until when. */
#ifndef _ACRCTL_FOLLOW_H
#define _ACRCTL_FOLLOW_H

#include "monitor.h"

/* Why it ends. */
enum follow_end {
	FOLLOW_ON,		/* it does not yet */
	FOLLOW_DONE,		/* a signal came, nobody reads, or the session has ended */
	FOLLOW_FAILED,		/* a message says why */
};

struct follow {
	struct listener listener;
	__u32 topics;		/* ACRPMU_NL_TOPIC_* */
	__u32 *pids;		/* of -p */
	size_t nr_pids;
	__u64 session;		/* 0: all */
	bool json;
	bool quiet;
	struct known known;
	bool absent;		/* some of @known were not in the last list */
	enum follow_end end;
};

int follow_run(struct follow *f);

#endif /* _ACRCTL_FOLLOW_H */
