// SPDX-License-Identifier: GPL-2.0-only
/* Virtual time, which passes only while acrctl waits. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "device.h"

/*
 * Environment:
 *   FAKE_RUN_MS=N    acrctl's waits take no time, and its monotonic clock advances by their length
 *                    until a run has lasted so long; without it time is real.  The next run begins
 *                    when all sessions are closed and another one is created
 *   FAKE_IMPATIENT=1 so do those for a command that does not end
 *   FAKE_LONGER_MS=N each run is longer than the one before by this
 *   FAKE_TICK=NS     time that passes whenever the clock is read
 *   FAKE_FIFO=FILE   at the end of a run this is opened and closed, so that a command that reads it
 *                    ends; without it SIGINT ends the run
 *   FAKE_READY=FILE  this is opened and closed before time passes, so that a command that writes to
 *                    it is ready by then
 */
#define NSEC_PER_SEC	1000000000ULL
#define NSEC_PER_MSEC	1000000ULL
#define START_NS	(1000 * NSEC_PER_SEC)
#define STEP_NS		(CLOCK_STEP_MS * NSEC_PER_MSEC)

static uint64_t now_ns, run_start_ns;
static unsigned int run;
static bool run_begun, run_over;

/* Not that of the command. */
static bool is_virtual(void)
{
	return getenv("FAKE_RUN_MS") && !strncmp(program_invocation_short_name, "acrctl", 6);
}

/**
 * clock_runs() - whether waits take no time
 */
bool clock_runs(void)
{
	return is_virtual() && !run_over;
}

/**
 * clock_run_ms() - how long the run has lasted
 */
int64_t clock_run_ms(void)
{
	return run_begun ? (now_ns - run_start_ns) / NSEC_PER_MSEC : 0;
}

/**
 * clock_reached() - whether a run has lasted as long as a variable says; never if it is not set
 */
bool clock_reached(const char *name)
{
	return run_begun && getenv(name) && clock_run_ms() >= env_number(name);
}

/**
 * clock_run() - which run it is, from 1 on
 */
unsigned int clock_run(void)
{
	return run;
}

/**
 * clock_next_run() - another run begins when acrctl waits
 */
void clock_next_run(void)
{
	run++;
	run_begun = false;
	run_over = false;
}

/* By the time that a run begins, the command has been executed. */
static bool counts(const struct fake_session *s)
{
	return s->fd >= 0 && s->runs && !s->parked &&
	       (run_begun || !(s->flags & ACRPMU_SESSION_ENABLE_ON_EXEC));
}

static void pass(uint64_t ns)
{
	uint64_t step;
	unsigned int i;

	for (; ns; ns -= step) {
		step = STEP_NS - (now_ns - run_start_ns) % STEP_NS;
		if (step > ns)
			step = ns;
		for (i = 0; i < nr_sessions; i++) {
			if (counts(&sessions[i]))
				counts_pass(&sessions[i], step);
		}
		now_ns += step;
	}
}

/**
 * clock_pass_ms() - let time pass
 */
void clock_pass_ms(uint64_t ms)
{
	pass(ms * NSEC_PER_MSEC);
}

static void begin_run(void)
{
	if (getenv("FAKE_READY"))
		open_and_close(getenv("FAKE_READY"), O_RDONLY);
	run_begun = true;
	run_start_ns = now_ns;
}

/**
 * clock_wait() - let time pass: the timeout, any if negative, or what is left of the run
 *
 * Return: true if the run is over.
 */
bool clock_wait(int timeout_ms)
{
	uint64_t end, ns;

	if (!run_begun)
		begin_run();
	end = run_start_ns + NSEC_PER_MSEC *
	      (env_number("FAKE_RUN_MS") + (run - 1) * env_number("FAKE_LONGER_MS"));
	ns = end > now_ns ? end - now_ns : 0;
	if (timeout_ms >= 0 && timeout_ms * NSEC_PER_MSEC < ns)
		ns = timeout_ms * NSEC_PER_MSEC;
	pass(ns);
	run_over = now_ns >= end;
	if (run_over && getenv("FAKE_FIFO"))
		open_and_close(getenv("FAKE_FIFO"), O_WRONLY);
	else if (run_over)
		kill(getpid(), SIGINT);
	return run_over;
}

/**
 * clock_gettime() - the clock here for CLOCK_MONOTONIC if time is virtual, the C library's for all
 *	else
 * @id: which clock
 * @t: out
 *
 * Return: as clock_gettime(2).
 */
int clock_gettime(clockid_t id, struct timespec *t)
{
	if (id != CLOCK_MONOTONIC || !is_virtual())
		return REAL(clock_gettime)(id, t);
	now_ns += env_number("FAKE_TICK");
	t->tv_sec = (START_NS + now_ns) / NSEC_PER_SEC;
	t->tv_nsec = (START_NS + now_ns) % NSEC_PER_SEC;
	return 0;
}
