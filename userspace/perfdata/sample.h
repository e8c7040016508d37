/* SPDX-License-Identifier: GPL-2.0-only */
/* Parsing the fields that sample_type adds to samples and to the end of other records. */
#ifndef _PERFDATA_SAMPLE_H
#define _PERFDATA_SAMPLE_H

#include "reader.h"

bool pd_sample_id(const struct perf_event_attr *attr, const struct perf_event_header *h, __u64 *id);
size_t pd_sample_time_at(const struct perf_event_attr *attr);
__u64 pd_sample_time(const struct perf_event_attr *attr, const struct perf_event_header *h,
		     __u64 before);
bool pd_sample_parse(const struct perf_event_attr *attr, const struct perf_event_header *h,
		     struct pd_sample *s);
size_t pd_samples_parse(const struct perf_event_attr *attr, const void *piece, size_t size,
			struct pd_sample *s, size_t max, const struct perf_event_header **last);

#endif /* _PERFDATA_SAMPLE_H */
