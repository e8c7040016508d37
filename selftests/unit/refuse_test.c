// SPDX-License-Identifier: GPL-2.0-only
/* Tests of what a refusal keeps for whoever may not observe others. */
#include <string.h>

#include "kmod/core/refuse.h"
#include "tap.h"

/**
 * struct hide_case - a refusal that names a holder, and what of it is left
 * @value: what is left of 0x55
 * @holder: what is left of the holder
 */
struct hide_case {
	int line;
	int errnum;
	u32 reason;
	const char *name;
	u64 value;
	const char *holder;
};

static const struct hide_case cases[] = {
	{ __LINE__, -EBUSY, ACRPMU_REASON_EXTRA_BUSY, "somebody", 0, "" },
	{ __LINE__, -EBUSY, ACRPMU_REASON_HELD, "somebody", 0x55, "" },
	{ __LINE__, -EBUSY, ACRPMU_REASON_PMU_IN_USE, "perf", 0x55, "perf" },
	{ __LINE__, -EBUSY, ACRPMU_REASON_HELD, "acrpmu", 0x55, "acrpmu" },
	{ __LINE__, -EBUSY, ACRPMU_REASON_PMU_IN_USE, "perf-like", 0x55, "" },
	/* The caller's own value, which no other holds. */
	{ __LINE__, -EINVAL, ACRPMU_REASON_EXTRA_BUSY, "", 0x55, "" },
	/* What somebody else has written: in READ, and of UNPARK with another errno. */
	{ __LINE__, -EBUSY, ACRPMU_REASON_REGISTER, "", 0, "" },
	{ __LINE__, -ENODEV, ACRPMU_REASON_REGISTER, "", 0, "" },
};

static void check(const struct hide_case *c)
{
	static const char none[ACRPMU_COMM_LEN];
	struct acrpmu_error err = { 0 };
	size_t len = strlen(c->holder);

	is_u64(acrpmu_refuse(&err, c->errnum, c->reason, 3, 0x55, 0x1a6), c->errnum,
	       "line %d: the errno is returned", c->line);
	err.holder_pid = 1234;
	/* also what an earlier, longer name left behind the end */
	memset(err.holder, 'x', sizeof(err.holder));
	strcpy(err.holder, c->name);
	acrpmu_refuse_hide_others(c->errnum, &err);
	is_u64(err.value, c->value, "line %d: value", c->line);
	is_u64(err.limit, 0x1a6, "line %d: the limit is kept", c->line);
	is_u64(err.holder_pid, 0, "line %d: no process is named", c->line);
	ok(!strcmp(err.holder, c->holder) &&
	   (len || !memcmp(err.holder, none, sizeof(err.holder))), "line %d: holder", c->line);
}

int main(void)
{
	unsigned int i;

	plan(5 * sizeof(cases) / sizeof(*cases));
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check(&cases[i]);
	return done();
}
