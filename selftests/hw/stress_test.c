// SPDX-License-Identifier: GPL-2.0-only
/* Sessions created, run and closed at random for some seconds while tasks come and go. */
#include "work.h"
#include "records.h"
#include "random.h"
#include "kselftest_harness.h"

#include <time.h>

#define SECONDS		(getenv("ACR_LONG") ? 20 : 8)
#define NR_SESSIONS	4
#define NR_BUSY		3

static pid_t start_busy(int which)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	for (;;) {
		work_fast(20000);
		work_syscalls(100);
		if (which == 1) {
			pid = fork();
			if (!pid)
				_exit(0);
			waitpid(pid, NULL, 0);
		}
		if (which == 2)
			pin_to(0, time(NULL) & 1);
	}
}

static void describe(struct session *s, struct random *r, const pid_t *busy)
{
	static const unsigned int levels[] = { USER, KERNEL, USER | KERNEL };
	unsigned int level = levels[random_below(r, 3)];

	if (random_below(r, 2))
		session_task(s, busy[random_below(r, NR_BUSY)],
			     random_below(r, 2) ? ACRPMU_SESSION_INHERIT : 0);
	else
		session_cpus(s, 1 + random_below(r, 3));
	switch (random_below(r, 4)) {
	case 0:
		session_event(s, EV_INSNS, level | SAMPLED, 20000 + random_below(r, 100000), 0);
		break;
	case 1:
		session_event(s, EV_BRANCHES, level | SAMPLED, 5000 + random_below(r, 10000), 0);
		session_event(s, EV_BRANCHES, level | COUNT, 0, 0);
		break;
	case 2:
		session_event(s, EV_INSNS, level | SAMPLED, 20000 + random_below(r, 40000), 0x2);
		session_event(s, EV_CYCLES, level, 10000 + random_below(r, 30000), 0x3);
		break;
	case 3:
		session_event(s, EV_BRANCHES, level | SAMPLED, 10000, 0);
		session_event(s, EV_CYCLES, level | SAMPLED, 10000 + random_below(r, 30000), 0);
		break;
	}
	if (random_below(r, 3) == 0)
		s->attr.ring_pages = 1;
}

static bool may_be_refused(const struct session *s, int ret)
{
	/* Too few free counters, or a CPU without reload */
	return ret == -EBUSY || ret == -ENOSPC ||
	       (ret == -EOPNOTSUPP && s->attr.error.reason == ACRPMU_REASON_NO_ACR);
}

FIXTURE(stress) {
	struct session s[NR_SESSIONS];
	pid_t busy[NR_BUSY];
};

FIXTURE_SETUP(stress)
{
	int i;

	for (i = 0; i < NR_BUSY; i++)
		self->busy[i] = start_busy(i);
	for (i = 0; i < NR_SESSIONS; i++) {
		memset(&self->s[i], 0, sizeof(self->s[i]));
		self->s[i].fd = -1;
	}
}

FIXTURE_TEARDOWN(stress)
{
	int i;

	for (i = 0; i < NR_SESSIONS; i++)
		session_close(&self->s[i]);
	for (i = 0; i < NR_BUSY; i++)
		end_child(self->busy[i]);
}

TEST_F(stress, sessions_at_random_all_balance)
{
	struct random r = { .state = 0x9e3779b97f4a7c15ULL };
	unsigned int made = 0, refused = 0, unbalanced = 0;
	time_t end = time(NULL) + SECONDS;
	uint64_t records = 0;
	int i, ret;

	/* A busy machine takes longer for as much. */
	while (time(NULL) < end || made <= 10 || records <= 100) {
		struct session *s = &self->s[random_below(&r, NR_SESSIONS)];

		if (s->fd < 0) {
			describe(s, &r, self->busy);
			ret = session_make(s);
			if (ret) {
				EXPECT_TRUE(may_be_refused(s, ret))
					TH_LOG("%d %s", ret, session_refusal(s));
				refused++;
				continue;
			}
			made++;
			EXPECT_EQ(0, session_enable(s));
		} else if (random_below(&r, 3) == 0) {
			/* Sometimes without a final read */
			if (random_below(&r, 4)) {
				EXPECT_EQ(0, session_finish(s, NULL, NULL));
				unbalanced += !session_accounted(s);
				records += s->records;
			}
			session_close(s);
		} else {
			usleep(random_below(&r, 20000));
			session_drain(s, NULL, NULL);
			ret = random_below(&r, 2) ? session_disable(s) : session_enable(s);
			EXPECT_EQ(0, ret);
		}
	}
	for (i = 0; i < NR_SESSIONS; i++) {
		if (self->s[i].fd < 0)
			continue;
		EXPECT_EQ(0, session_finish(&self->s[i], NULL, NULL));
		unbalanced += !session_accounted(&self->s[i]);
	}
	EXPECT_EQ(0, unbalanced);
	TH_LOG("%u sessions created, %u refused, %lu records", made, refused, records);
}

TEST_HARNESS_MAIN
