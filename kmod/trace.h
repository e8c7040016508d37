/* SPDX-License-Identifier: GPL-2.0-only */
/* Tracepoints: MSR writes, PMIs, overflows without a record, walks over contexts and over tasks. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM acrpmu

#if !defined(_ACRPMU_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _ACRPMU_TRACE_H

#include <linux/tracepoint.h>

/* why an overflow left no record */
#define ACRPMU_WHY_LOST		1
#define ACRPMU_WHY_THROTTLED	2
#define ACRPMU_WHY_DISCARDED	3
#define ACRPMU_WHY_GUEST	4

TRACE_EVENT(acrpmu_msr_write, TP_PROTO(u32 msr, u64 value),
	    TP_ARGS(msr, value),
	    TP_STRUCT__entry(__field(u32, msr)
			     __field(u64, value)),
	    TP_fast_assign(__entry->msr = msr;
			   __entry->value = value;),
	    TP_printk("msr=%#x value=%#llx", __entry->msr, __entry->value)
);

TRACE_EVENT(acrpmu_pmi, TP_PROTO(u64 status, int handled),
	    TP_ARGS(status, handled),
	    TP_STRUCT__entry(__field(u64, status)
			     __field(int, handled)),
	    TP_fast_assign(__entry->status = status;
			   __entry->handled = handled;),
	    TP_printk("status=%#llx handled=%d", __entry->status, __entry->handled)
);

TRACE_EVENT(acrpmu_no_record, TP_PROTO(u64 session, unsigned int ev, unsigned int why),
	    TP_ARGS(session, ev, why),
	    TP_STRUCT__entry(__field(u64, session)
			     __field(unsigned int, ev)
			     __field(unsigned int, why)),
	    TP_fast_assign(__entry->session = session;
			   __entry->ev = ev;
			   __entry->why = why;),
	    TP_printk("session=%llu event=%u why=%s", __entry->session, __entry->ev,
		      __print_symbolic(__entry->why, { ACRPMU_WHY_LOST, "lost" },
				       { ACRPMU_WHY_THROTTLED, "throttled" },
				       { ACRPMU_WHY_DISCARDED, "discarded" },
				       { ACRPMU_WHY_GUEST, "guest" }))
);

TRACE_EVENT(acrpmu_walk, TP_PROTO(u64 session, unsigned int nr),
	    TP_ARGS(session, nr),
	    TP_STRUCT__entry(__field(u64, session)
			     __field(unsigned int, nr)),
	    TP_fast_assign(__entry->session = session;
			   __entry->nr = nr;),
	    TP_printk("session=%llu contexts=%u", __entry->session, __entry->nr)
);

TRACE_EVENT(acrpmu_search, TP_PROTO(unsigned int searches, unsigned int tasks,
				    unsigned int looks, unsigned int longest),
	    TP_ARGS(searches, tasks, looks, longest),
	    TP_STRUCT__entry(__field(unsigned int, searches)
			     __field(unsigned int, tasks)
			     __field(unsigned int, looks)
			     __field(unsigned int, longest)),
	    TP_fast_assign(__entry->searches = searches;
			   __entry->tasks = tasks;
			   __entry->looks = looks;
			   __entry->longest = longest;),
	    TP_printk("searches=%u tasks=%u looks=%u longest=%u", __entry->searches,
		      __entry->tasks, __entry->looks, __entry->longest)
);

#endif /* _ACRPMU_TRACE_H */

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
