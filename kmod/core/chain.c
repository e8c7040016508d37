// SPDX-License-Identifier: GPL-2.0-only
/* A call chain in the making: context markers, frames up to a limit, frame pointers followed. */
#include "chain.h"

void acrpmu_chain_mark(struct acrpmu_chain *chain, u64 context)
{
	chain->entries[chain->nr++] = context;
}

NOKPROBE_SYMBOL(acrpmu_chain_mark);

bool acrpmu_chain_add(struct acrpmu_chain *chain, u64 ip)
{
	/* A program has made up this address: readers would take it for a marker. */
	if (ip >= PERF_CONTEXT_MAX || chain->nr_frames >= chain->max_frames)
		return false;
	chain->entries[chain->nr++] = ip;
	chain->nr_frames++;
	return true;
}

NOKPROBE_SYMBOL(acrpmu_chain_add);

/* What a frame pointer points to; @word selects the layout. */
union frame {
	struct {
		u64 fp;
		u64 ip;
	} wide;
	struct {
		u32 fp;
		u32 ip;
	} narrow;
};

void acrpmu_chain_follow(struct acrpmu_chain *chain, u64 fp, u32 word, acrpmu_chain_read *read)
{
	union frame frame;
	u64 ip;

	while (chain->nr_frames < chain->max_frames && read(&frame, fp, 2 * word)) {
		ip = word == sizeof(u64) ? frame.wide.ip : frame.narrow.ip;
		fp = word == sizeof(u64) ? frame.wide.fp : frame.narrow.fp;
		if (!acrpmu_chain_add(chain, ip))
			return;
	}
}

NOKPROBE_SYMBOL(acrpmu_chain_follow);
