// SPDX-License-Identifier: GPL-2.0-only
/* How costs grow with sessions of a thread each, and with the threads that a session follows. */
#include "growth.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>

#define MOST		10000
#define FEW		512
#define FEW_RUNS	8
#define MOST_FORKED	4096
#define STACK_BYTES	16384
#define FILES		(MOST + 100)

static const unsigned int sessions[] = { 1, 8, 64, 125, 512, 1000 };
static const unsigned int threads[] = { 1, 8, 64, 512, 1250, 4096, 10000 };
static pid_t tids[MOST];
static unsigned int nr_tids;
static struct session made[MOST];

/* ---- threads that sleep ---- */

static pthread_barrier_t born;

static void *sleeper(void *tid)
{
	*(pid_t *)tid = gettid();
	pthread_barrier_wait(&born);
	for (;;)
		pause();
	return NULL;
}

static int start_threads(unsigned int nr)
{
	pthread_attr_t attr;
	pthread_t thread;
	int ret = 0;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	pthread_attr_setguardsize(&attr, 0);
	for (; nr_tids < nr && !ret; nr_tids++) {
		pthread_barrier_init(&born, NULL, 2);
		ret = pthread_create(&thread, &attr, sleeper, &tids[nr_tids]);
		if (!ret)
			pthread_barrier_wait(&born);
	}
	if (ret)
		fprintf(stderr, "no more than %u threads: %s\n", nr_tids, strerror(ret));
	return ret;
}

/* ---- sessions ---- */

static int close_all(unsigned int nr, int ret)
{
	while (nr--)
		session_close(&made[nr]);
	return ret;
}

static int make_sessions(unsigned int nr)
{
	unsigned int i;
	int ret;

	for (i = 0; i < nr; i++) {
		session_task(&made[i], tids[i], ACRPMU_SESSION_PARKED);
		session_event(&made[i], EV_INSNS, USER | COUNT, 0, 0);
		ret = growth_create(&made[i]);
		if (ret)
			return close_all(i, ret);
	}
	for (i = 0; i < nr; i++)
		if (session_read(&made[i]))
			return close_all(nr, -EIO);
	return close_all(nr, 0);
}

static uint64_t lives(unsigned int nr)
{
	uint64_t before = growth_insns();

	return make_sessions(nr) ? GROWTH_FAILED : growth_insns() - before;
}

/* ---- one session that follows many threads ---- */

static int attach(struct session *s, pid_t tid, uint32_t *target)
{
	struct acrpmu_attach args = { .size = sizeof(args), .pid = tid };
	int ret = ioctl(s->fd, ACRPMU_ATTACH, &args) ? -errno : 0;

	*target = args.target;
	return ret;
}

static int follow(struct session *s, unsigned int nr, bool each)
{
	uint32_t target;
	unsigned int i;
	int ret;

	session_task(s, tids[0], 0);
	s->cpu_bits = 1 << GROWTH_CPU;
	session_event(s, EV_INSNS, USER | COUNT, 0, 0);
	ret = growth_create(s);
	for (i = 1; i < nr && !ret; i++)
		ret = attach(s, tids[i], &target);
	if (!ret)
		ret = session_enable(s);
	for (i = 1; i <= nr && !ret && each; i++)
		ret = session_read_target(s, i);
	return ret;
}

static uint64_t follow_and_close(unsigned int nr)
{
	uint64_t before = growth_insns();
	struct session s;
	int ret = follow(&s, nr, false);

	session_close(&s);
	return ret ? GROWTH_FAILED : growth_insns() - before;
}

static uint64_t read_each(unsigned int nr)
{
	uint64_t cost = GROWTH_FAILED, before;
	struct session s;
	unsigned int i;
	int ret = follow(&s, nr, false);

	before = growth_insns();
	for (i = 1; i <= nr && !ret; i++)
		ret = session_read_target(&s, i);
	if (!ret)
		cost = growth_insns() - before;
	session_close(&s);
	return cost;
}

static uint64_t read_all(unsigned int nr)
{
	uint64_t cost = GROWTH_FAILED, before;
	struct session s;
	int ret = follow(&s, nr, false);

	before = growth_insns();
	if (!ret)
		ret = session_read(&s);
	if (!ret)
		cost = growth_insns() - before;
	session_close(&s);
	return cost;
}

/* ---- threads that begin and end while they are followed ---- */

static void *nothing(void *unused)
{
	return unused;
}

static pthread_t forked[MOST_FORKED];

/* They run when this one waits for them, and not before.  Return: whether there were so many. */
static bool fork_and_join(unsigned int nr)
{
	struct sched_param real_time = { .sched_priority = 1 }, other = { 0 };
	pthread_attr_t attr;
	unsigned int i, begun;

	pthread_setschedparam(pthread_self(), SCHED_FIFO, &real_time);
	pthread_attr_init(&attr);
	pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attr, SCHED_OTHER);
	pthread_attr_setschedparam(&attr, &other);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	pthread_attr_setguardsize(&attr, 0);
	for (begun = 0; begun < nr; begun++)
		if (pthread_create(&forked[begun], &attr, nothing, NULL))
			break;
	for (i = 0; i < begun; i++)
		pthread_join(forked[i], NULL);
	pthread_setschedparam(pthread_self(), SCHED_OTHER, &other);
	return begun == nr;
}

/*
 * The kernel frees what threads leave after they have ended, for a few of them after the count has:
 * fork them in several rounds.  Its own cost of a thread has two values, each of which may last
 * for some runs.
 */
static uint64_t forks_cost(unsigned int nr)
{
	unsigned int i, runs = nr > FEW ? GROWTH_RUNS : FEW_RUNS, rounds = nr < FEW ? FEW / nr : 1;
	uint64_t least = GROWTH_FAILED, cost;

	while (runs--) {
		if (!growth_rest())
			return GROWTH_FAILED;
		cost = growth_insns();
		for (i = 0; i < rounds; i++) {
			if (fork_and_join(nr))
				continue;
			fprintf(stderr, "%u threads cannot be created\n", nr);
			return GROWTH_FAILED;
		}
		cost = growth_insns() - cost;
		least = cost < least ? cost : least;
	}
	return least / rounds;
}

static uint64_t forks(unsigned int nr)
{
	uint64_t cost = GROWTH_FAILED;
	struct session s;

	session_task(&s, 0, ACRPMU_SESSION_INHERIT);
	s.cpu_bits = 1 << GROWTH_CPU;
	session_event(&s, EV_INSNS, USER | COUNT, 0, 0);
	if (growth_create(&s))
		return GROWTH_FAILED;
	if (!session_enable(&s))
		cost = forks_cost(nr);
	session_close(&s);
	return cost;
}

/* With so many threads the kernel's own costs vary by more than what following them adds. */
static bool compare_forks(unsigned int nr)
{
	uint64_t alone = forks_cost(nr), followed = forks(nr);
	char name[64];

	if (alone == GROWTH_FAILED || followed == GROWTH_FAILED)
		return false;
	snprintf(name, sizeof(name), "fork and exit of a followed thread, one of %u", nr);
	figure_print(&(struct figure){
		.part = "growth", .name = name, .unit = "instructions",
		.ours = (double)followed / nr, .peer = (double)alone / nr,
		.peer_name = "one that is not followed",
	});
	return true;
}

static bool thread_points(unsigned int n)
{
	unsigned int runs = n > 1000 ? 1 : GROWTH_RUNS;
	bool good = !start_threads(n);

	good = good && growth_point("threads: attach each, close", n, "threads", follow_and_close,
				    runs);
	good = good && growth_point("threads: read each", n, "threads", read_each, runs);
	good = good && growth_point("threads: read all at once", n, "threads", read_all, runs);
	return good;
}

int main(void)
{
	struct rlimit limit = { FILES, FILES };
	struct session keeper;
	bool good = true;
	unsigned int i;

	if (!oracle_present() || pin_to(0, GROWTH_CPU) || setrlimit(RLIMIT_NOFILE, &limit) ||
	    growth_keep(&keeper))
		return 1;
	for (i = 0; i < sizeof(sessions) / sizeof(*sessions) && good; i++)
		good = !start_threads(sessions[i]) &&
		       growth_point("sessions: their lives", sessions[i], "sessions", lives,
				    GROWTH_RUNS);
	for (i = 1; i <= 512 && good; i *= 8)
		good = growth_point("threads: fork and exit, followed", i, "threads", forks, 1);
	good = good && compare_forks(MOST_FORKED);
	for (i = 0; i < sizeof(threads) / sizeof(*threads) && good; i++)
		good = thread_points(threads[i]);
	session_close(&keeper);
	return !good;
}
