/* SPDX-License-Identifier: GPL-2.0-only */
/* Parsing the fields that sample_type adds to samples and to the end of other records. */
#ifndef _PERFDATA_SAMPLE_H
#define _PERFDATA_SAMPLE_H

#include "reader.h"

/* fields of the sample_id */
#define PD_SAMPLE_ID_FIELDS	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | \
				 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

/* fields of a sample in front of those of no fixed size */
#define PD_SAMPLE_FIXED		(PD_SAMPLE_ID_FIELDS | PERF_SAMPLE_IP | PERF_SAMPLE_ADDR | \
				 PERF_SAMPLE_PERIOD)

/* fields of a sample that are parsed or passed over */
#define PD_SAMPLE_PARSED	(PD_SAMPLE_FIXED | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN)

bool pd_sample_id(const struct perf_event_attr *attr, const struct perf_event_header *h, __u64 *id);
size_t pd_sample_time_at(const struct perf_event_attr *attr);
__u64 pd_sample_time(const struct perf_event_attr *attr, const struct perf_event_header *h,
		     __u64 before);
bool pd_sample_parse(const struct perf_event_attr *attr, const struct perf_event_header *h,
		     struct pd_sample *s);
size_t pd_samples_parse(const struct perf_event_attr *attr, const void *piece, size_t size,
			__u64 until, struct pd_sample *s, size_t max,
			const struct perf_event_header **last);

#endif /* _PERFDATA_SAMPLE_H */
