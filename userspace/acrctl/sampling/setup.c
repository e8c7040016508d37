// SPDX-License-Identifier: GPL-2.0-only
/* Opening what sampling needs, in order, and releasing it. */
#include "sampling.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define HINT_LEN	256
/* descriptors in addition to those of the dummy event, generously */
#define OTHER_FDS	64

static int check_jitter(const struct sampling *sm)
{
	if (!sm->opt.jitter_given || !sm->opt.jitter ||
	    sm->kinds.features & ACRPMU_FEATURE_JITTER)
		return 0;
	TARGET_SAY(&sm->target,
		   "--jitter %u: the module has no random part of periods, since its ABI version is %u and that came with 6; install module and acrctl of one version, or use --jitter=0",
		   sm->opt.jitter, sm->kinds.abi_version);
	return -EOPNOTSUPP;
}

/**
 * sampling_check_device() - check that the device is open
 *
 * A wrong command line is refused before, even without the module.
 *
 * Return: 0, or -errno after a message.
 */
int sampling_check_device(const struct sampling *sm)
{
	if (sm->device)
		return check_jitter(sm) ?: sampling_adapt_check(sm);
	output_error(sm->target.text->command, &sm->device_why, &sm->opt.groups);
	return -ENODEV;
}

static const char *too_many_files(const struct sampling *sm, char *hint, size_t len)
{
	const struct sideband *sb = &sm->sideband;
	/* for threads -a takes as many, or is not allowed either */
	bool of_cpus = !sm->target.nr_tids;
	struct rlimit limit = { 0 };

	getrlimit(RLIMIT_NOFILE, &limit);
	snprintf(hint, len,
		 "it takes %zu descriptors on %zu CPUs, and the limit is %llu: raise it with 'ulimit -n %zu' as root%s%s%s",
		 sb->nr_wanted, sb->nr_cpus, (unsigned long long)limit.rlim_cur,
		 sb->nr_wanted + OTHER_FDS, of_cpus ? ", or " : "",
		 of_cpus ? sm->target.text->verb : "", of_cpus ? " fewer CPUs with -C" : "");
	return hint;
}

/* Explain why perf's dummy event cannot be opened. */
static void refuse_sideband(const struct sampling *sm, int err)
{
	const char *hint = "names and maps of programs come from it";
	char buf[HINT_LEN];

	if (err == -EACCES || err == -EPERM)
		hint = "run it as root, or let root give it CAP_PERFMON for one group: "
		       "acrctl(1), PERMISSION";
	else if (err == -ENOSYS || err == -ENOENT)
		hint = "this kernel was built without perf events (CONFIG_PERF_EVENTS)";
	else if (err == -EMFILE)
		hint = too_many_files(sm, buf, sizeof(buf));
	else if (err == -ESRCH)
		hint = "the process or thread has ended";
	TARGET_SAY(&sm->target, "perf's dummy event cannot be opened: %s; %s",
		   strerror(-err), hint);
}

/* The command was forked before this and keeps its limit. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur == limit.rlim_max)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/**
 * sampling_open_sideband() - open perf's dummy event
 *
 * Return: 0, or -errno after a message.
 */
int sampling_open_sideband(struct sampling *sm)
{
	int err;

	raise_file_limit();
	err = sideband_open(&sm->sideband, &sm->target, SAMPLING_SAMPLE_TYPE);
	if (err)
		refuse_sideband(sm, err);
	/* before /proc is read: a change may then be recorded twice, but is never missed */
	else if (sm->sideband.of_cpus || !target_starts_at_exec(&sm->target))
		sideband_enable(&sm->sideband, true);
	return err;
}

/**
 * sampling_release() - close and free everything
 */
void sampling_release(struct sampling *sm)
{
	free(sm->polls);
	sideband_close(&sm->sideband);
	sampling_sessions_close(sm);
	free(sm->sessions);
	target_release(&sm->target);
	acrpmu_close(sm->device);
	acrpmu_spec_free(sm->spec);
	kinds_free(&sm->kinds);
	event_args_free(&sm->opt.groups);
}
