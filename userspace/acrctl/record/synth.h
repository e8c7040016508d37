/* SPDX-License-Identifier: GPL-2.0-only */
/* Records about what existed before the recording: tasks, their maps, kernel and modules. */
#ifndef _ACRCTL_SYNTH_H
#define _ACRCTL_SYNTH_H

#include <sys/types.h>

#include "../../perfdata/blob.h"

/**
 * struct synth - where records go and how they look
 * @out: the records, whole
 * @sample_type: of the side-band event; its sample_id closes each record
 * @build_ids: put build-ids into the records
 * @hidden: set when the kernel hides its addresses
 */
struct synth {
	struct pd_blob *out;
	__u64 sample_type;
	bool build_ids;
	bool hidden;
};

void synth_kernel(struct synth *s);
int synth_process(struct synth *s, pid_t pid);
int synth_all_processes(struct synth *s);

#endif /* _ACRCTL_SYNTH_H */
