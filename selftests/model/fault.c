// SPDX-License-Identifier: GPL-2.0-only
/* Faults that the guest asks for, each as often as it has asked. */
#include "fault.h"
#include "oracle.h"

uint64_t fault_set_access(struct fault *f, uint64_t arg)
{
	uint64_t left = f->refuse;

	f->msr = arg;
	f->op = arg >> ORACLE_ARG_OP_SHIFT;
	f->origins = arg >> ORACLE_ARG_ORIGIN_SHIFT;
	f->skip = arg >> ORACLE_ARG_SKIP_SHIFT;
	f->refuse = arg >> ORACLE_ARG_REFUSE_SHIFT;
	return left;
}

uint64_t fault_set_lose(struct fault *f, uint64_t nr)
{
	uint64_t left = f->lose;

	f->lose = nr;
	return left;
}

uint64_t fault_set_stray(struct fault *f, uint64_t arg, uint64_t insns)
{
	uint64_t left = f->stray;

	f->stray = arg;
	f->gap = arg >> ORACLE_ARG_GAP_SHIFT;
	f->due = insns + f->gap;
	return left;
}

uint64_t fault_set_repeat(struct fault *f, uint64_t arg)
{
	uint64_t left = f->repeat;

	f->repeat = arg;
	f->gap = arg >> ORACLE_ARG_GAP_SHIFT;
	return left;
}

bool fault_refuses(struct fault *f, enum access_op op, uint32_t msr, enum access_origin origin)
{
	if (!f->refuse || f->msr != msr || f->op != op || !(f->origins >> origin & 1))
		return false;
	if (f->skip) {
		f->skip--;
		return false;
	}
	f->refuse--;
	return true;
}

bool fault_loses(struct fault *f)
{
	if (!f->lose)
		return false;
	f->lose--;
	return true;
}

void fault_delivered(struct fault *f, uint64_t insns)
{
	if (!f->repeat)
		return;
	f->repeat--;
	f->stray = 1;
	f->due = insns + f->gap;
}

bool fault_strays(struct fault *f, uint64_t insns)
{
	if (!f->stray || insns < f->due)
		return false;
	f->stray--;
	f->due = insns + f->gap;
	return true;
}
