// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sessions of the module: creating, switching, reading and closing them. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../kmod/core/constraint.h"
#include "cpu_table.h"
#include "device.h"
#include "../util/message.h"
#include "options.h"
#include "runnable.h"
#include "spec.h"

#define BITS_PER_BYTE	8
#define MAX_CPU		32767	/* the module takes a map of a page */

/* Unique in the process, for all threads. */
static __u64 next_id(void)
{
	static __u64 last;

	return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

/* CPU numbers as the bitmap that the module takes; NULL without any CPU. */
static int make_bitmap(const int *cpus, __u32 nr, unsigned char **map, __u32 *size)
{
	int largest = -1;
	__u32 i;

	*map = NULL;
	*size = 0;
	for (i = 0; i < nr; i++) {
		if (cpus[i] > largest)
			largest = cpus[i];
	}
	if (largest < 0)
		return 0;
	*size = largest / BITS_PER_BYTE + 1;
	*map = calloc(1, *size);
	if (!*map)
		return -ENOMEM;
	for (i = 0; i < nr; i++)
		(*map)[cpus[i] / BITS_PER_BYTE] |= 1U << cpus[i] % BITS_PER_BYTE;
	return 0;
}

static int check_cpus(const struct acrpmu_session_options *options, struct acrpmu_message *message)
{
	__u32 i;

	for (i = 0; i < options->nr_cpus; i++) {
		if (options->cpus[i] >= 0 && options->cpus[i] <= MAX_CPU)
			continue;
		acrpmu_message_text(message, "cpu-number", "%d is not the number of a CPU",
				    options->cpus[i]);
		acrpmu_message_hint(message, "see /sys/devices/system/cpu/online");
		return -EINVAL;
	}
	return 0;
}

static int create(struct acrpmu_device *device, struct acrpmu_session *s,
		  struct acrpmu_event_attr *events,
		  const struct acrpmu_session_options *options, struct acrpmu_error *error)
{
	struct acrpmu_session_attr attr = {
		.size = sizeof(attr),
		.flags = options->flags,
		.events = (__u64)(uintptr_t)events,
		.nr_events = s->nr,
		.event_size = sizeof(*events),
		.pid = options->pid,
		.sample_type = options->sample_type,
		.ring_pages = options->ring_pages,
		.wakeup_bytes = options->wakeup_bytes,
		.max_stack = options->max_stack,
		.jitter = options->jitter,
	};
	unsigned char *map;
	int ret;

	ret = make_bitmap(options->cpus, options->nr_cpus, &map, &attr.cpus_size);
	if (ret)
		return ret;
	attr.cpus = (__u64)(uintptr_t)map;
	ret = device->ops->ioctl(device->fd, ACRPMU_SESSION_CREATE, &attr);
	free(map);
	*error = attr.error;
	if (ret < 0)
		return ret;
	s->fd = ret;
	s->id = attr.session_id;
	return 0;
}

static bool is_for(const struct acrpmu_session_options *options, const struct acrpmu_cpu_info *cpu)
{
	__u32 i;

	for (i = 0; i < options->nr_cpus; i++) {
		if (options->cpus[i] == (int)cpu->cpu)
			return cpu->flags & ACRPMU_CPU_USABLE;
	}
	return !options->nr_cpus && cpu->flags & ACRPMU_CPU_USABLE;
}

/* Check a group for the first of its CPUs; if INFO fails, creation will report why. */
static int check_runnable(struct acrpmu_device *device, const struct acrpmu_spec *spec,
			  unsigned int group, const struct acrpmu_session_options *options,
			  struct acrpmu_message *message)
{
	struct acrpmu_cpu_info *cpus;
	struct acrpmu_info info;
	const char *name = NULL;
	unsigned int i;
	int err = 0;

	if (!acrpmu_runnable_needs_cpu(spec->groups[group]) ||
	    acrpmu_device_info(device, &info, &cpus))
		return 0;
	for (i = 0; !name && i < info.nr_cpus; i++) {
		if (is_for(options, &cpus[i]))
			name = cpus[i].name;
	}
	if (name)
		err = acrpmu_spec_check_runnable(spec, group, name, message);
	free(cpus);
	return err;
}

/* Check that a mask leaves out a counter that the module would use on one of its CPUs. */
static bool mask_matters(const struct acrpmu_info *info, const struct acrpmu_cpu_info *cpus,
			 const struct acrpmu_session_options *options,
			 const struct acrpmu_event_attr *event)
{
	unsigned int i;

	for (i = 0; i < info->nr_cpus; i++) {
		const struct acrpmu_caps caps = {
			.model = acrpmu_cpu_table_model(cpus[i].name),
			.cntrs = cpus[i].cntrs,
		};

		if (is_for(options, &cpus[i]) &&
		    (!caps.model || acrpmu_constraint_config(&caps, event->config) &
				    ~event->allowed_cntrs))
			return true;
	}
	return false;
}

static int refuse_old_module(const struct acrpmu_info *info, const struct acrpmu_spec_event *ev,
			     struct acrpmu_message *message)
{
	struct acrpmu_message words;

	acrpmu_message_text(&words, "counters-module", "the module cannot keep '%s' to the "
			    "counters 0x%llx: its ABI version is %u, this needs 4",
			    acrpmu_message_word(ev->name, strlen(ev->name)).text,
			    (unsigned long long)ev->attr.allowed_cntrs, info->abi_version);
	acrpmu_message_hint(&words, "install module and program of one version");
	acrpmu_message_refuse(message, ev, &words);
	if (message && ev->cntrs_column)
		message->column = ev->cntrs_column;
	return -EOPNOTSUPP;
}

/*
 * Modules before ABI version 4 know no masks: drop those that would make no difference, refuse the
 * others.  If INFO fails, creation will report why.
 */
static int suit_module(struct acrpmu_device *device, const struct acrpmu_spec *spec,
		       unsigned int group, const struct acrpmu_session_options *options,
		       struct acrpmu_event_attr *events, unsigned int nr,
		       struct acrpmu_message *message)
{
	struct acrpmu_cpu_info *cpus;
	struct acrpmu_info info;
	unsigned int i;
	int err = 0;

	for (i = 0; i < nr && !events[i].allowed_cntrs; i++)
		;
	if (i == nr || acrpmu_device_info(device, &info, &cpus))
		return 0;
	for (; !err && i < nr && !(info.features & ACRPMU_FEATURE_ALLOWED_CNTRS); i++) {
		if (!events[i].allowed_cntrs)
			continue;
		if (mask_matters(&info, cpus, options, &events[i]))
			err = refuse_old_module(&info, acrpmu_spec_event(spec, group, i), message);
		events[i].allowed_cntrs = 0;
	}
	free(cpus);
	return err;
}

/**
 * acrpmu_session_create() - create a session of one group, disabled and perhaps parked
 * @device: the device, which may be closed afterwards
 * @group: index of the group
 * @options: target and sampling
 * @session: out, to be closed by acrpmu_session_close(); written only on success
 * @message: out, why not, with the events of @spec; may be NULL
 *
 * Return: 0; -EINVAL: there is no such group, or a bad option; -E2BIG: @options has members set
 * that this library does not know; -EOPNOTSUPP: the module is older than ABI version 4, and an
 * event may use some counters only; -ENOMEM; another error of the module; see @message.
 */
int acrpmu_session_create(struct acrpmu_device *device, const struct acrpmu_spec *spec,
			  unsigned int group, const struct acrpmu_session_options *options,
			  struct acrpmu_session **session, struct acrpmu_message *message)
{
	struct acrpmu_event_attr events[ACRPMU_MAX_EVENTS];
	struct acrpmu_session_options known;
	struct acrpmu_error error = { 0 };
	struct acrpmu_session *s;
	unsigned int i;
	int nr, ret;

	acrpmu_message_clear(message);
	ret = acrpmu_options_copy(&known, sizeof(known), options,
				  ACRPMU_SESSION_OPTIONS_SIZE_VER0, message);
	if (!ret)
		ret = check_cpus(&known, message);
	if (ret)
		return ret;
	nr = acrpmu_spec_attrs(spec, group, events);
	if (nr < 0) {
		acrpmu_message_text(message, "no-group", "there is no group %u", group);
		acrpmu_message_hint(message, "there are %u, numbered from 0",
				    acrpmu_spec_nr_groups(spec));
		return nr;
	}
	ret = check_runnable(device, spec, group, &known, message);
	if (!ret)
		ret = suit_module(device, spec, group, &known, events, nr, message);
	if (ret)
		return ret;
	s = calloc(1, sizeof(*s));
	if (!s)
		return acrpmu_message_no_memory(message);
	s->ops = device->ops;
	s->nr = nr;
	for (i = 0; i < s->nr; i++) {
		s->ids[i] = known.ids ? known.ids[i] : next_id();
		events[i].id = s->ids[i];
	}
	if (known.ring_pages)
		s->ring_bytes = ((size_t)known.ring_pages + 1) * sysconf(_SC_PAGESIZE);

	ret = create(device, s, events, &known, &error);
	if (ret) {
		acrpmu_explain(ret, &error, spec, group, message);
		free(s);
		return ret;
	}
	*session = s;
	return 0;
}

/**
 * acrpmu_session_close() - end a session; its rings stay readable until they are unmapped
 * @session: may be NULL
 */
void acrpmu_session_close(struct acrpmu_session *session)
{
	if (!session)
		return;
	session->ops->close(session->fd);
	free(session);
}

/**
 * acrpmu_session_fd() - descriptor of a session, for poll(2)
 *
 * Return: the descriptor, which the session keeps.
 */
int acrpmu_session_fd(const struct acrpmu_session *session)
{
	return session->fd;
}

/**
 * acrpmu_session_id() - number of a session in the module
 *
 * Return: the number.
 */
__u64 acrpmu_session_id(const struct acrpmu_session *session)
{
	return session->id;
}

/**
 * acrpmu_session_event_id() - id that records of an event carry
 * @event: index of the event
 *
 * Return: the id, 0 if there is no such event.
 */
__u64 acrpmu_session_event_id(const struct acrpmu_session *session, unsigned int event)
{
	return event < session->nr ? session->ids[event] : 0;
}

static int control(struct acrpmu_session *session, unsigned long command)
{
	struct acrpmu_ctl ctl = { .size = sizeof(ctl) };
	int ret = session->ops->ioctl(session->fd, command, &ctl);

	return ret < 0 ? ret : 0;
}

/**
 * acrpmu_session_enable() - start the group; harmless if it runs
 *
 * Return: 0, or the module's error.
 */
int acrpmu_session_enable(struct acrpmu_session *session)
{
	return control(session, ACRPMU_ENABLE);
}

/**
 * acrpmu_session_disable() - stop the group; harmless if it is stopped
 *
 * Return: 0, or the module's error.
 */
int acrpmu_session_disable(struct acrpmu_session *session)
{
	return control(session, ACRPMU_DISABLE);
}

/**
 * acrpmu_session_reset() - reset counts, times and started periods
 *
 * Return: 0, or the module's error.
 */
int acrpmu_session_reset(struct acrpmu_session *session)
{
	return control(session, ACRPMU_RESET);
}

/**
 * acrpmu_session_park() - release counters and registers until acrpmu_session_unpark()
 *
 * The session keeps following its tasks and keeps its counts.  Harmless if it is parked.
 *
 * Return: 0, or the module's error.
 */
int acrpmu_session_park(struct acrpmu_session *session)
{
	return control(session, ACRPMU_PARK);
}

/**
 * acrpmu_session_unpark() - reserve the counters and registers of a parked session
 * @session: a session, parked or made with ACRPMU_SESSION_PARKED; harmless if it is not parked
 * @spec: the groups that it was made of, NULL: unknown
 * @group: index of its group
 * @message: out, why not, with the events of @spec; may be NULL
 *
 * Return: 0; -EBUSY: others hold what it needs, nothing has changed; -ENODEV: no CPU of it is
 * online, or others have taken all that are, for good; another error of the module.
 */
int acrpmu_session_unpark(struct acrpmu_session *session, const struct acrpmu_spec *spec,
			  unsigned int group, struct acrpmu_message *message)
{
	struct acrpmu_unpark unpark = { .size = sizeof(unpark) };
	int ret = session->ops->ioctl(session->fd, ACRPMU_UNPARK, &unpark);

	acrpmu_message_clear(message);
	if (ret >= 0)
		return 0;
	acrpmu_explain(ret, &unpark.error, spec, group, message);
	return ret;
}

/**
 * acrpmu_session_set_periods() - change the periods of all events together, or of none
 * @session: a session, also a running or a parked one
 * @periods: one for each event of the group, 0 for those that only count
 * @spec: the groups that it was made of, which keep their periods; NULL: unknown
 * @group: index of its group
 * @message: out, why not, with the events of @spec; may be NULL
 *
 * Every event begins a new period.  Samples carry the period that ended with them.
 *
 * Return: 0; -EINVAL: a period is too small or too large, nothing has changed; -ENOTTY: the module
 * is older than ABI version 5.
 */
int acrpmu_session_set_periods(struct acrpmu_session *session, const __u64 *periods,
			       const struct acrpmu_spec *spec, unsigned int group,
			       struct acrpmu_message *message)
{
	struct acrpmu_set_periods set = {
		.size = sizeof(set),
		.periods = (__u64)(uintptr_t)periods,
		.nr_periods = session->nr,
	};
	int ret = session->ops->ioctl(session->fd, ACRPMU_SET_PERIODS, &set);

	acrpmu_message_clear(message);
	if (ret >= 0)
		return 0;
	acrpmu_explain(ret, &set.error, spec, group, message);
	return ret;
}

/**
 * acrpmu_session_attach() - let a session of tasks follow another task or process, too
 * @session: a session of tasks, in any state; if it is parked, all CPUs are reserved by
 *	acrpmu_session_unpark(), else those of the new tasks when they run there
 * @pid: the task; 0: the caller
 * @flags: ACRPMU_ATTACH_PROCESS: @pid is a process, of which all threads are followed; or 0
 * @target: out, number of the target for acrpmu_session_read_target(), 0: nothing new is followed;
 *	may be NULL
 * @message: out, why not; may be NULL
 *
 * Return: 0; -ESRCH: it does not exist or is exiting; -EINVAL: @session follows CPUs; -EPERM: the
 * caller may not; -ENOTTY: the module is older than ABI version 5; another error of the module.
 */
int acrpmu_session_attach(struct acrpmu_session *session, __s32 pid, __u32 flags, __u32 *target,
			  struct acrpmu_message *message)
{
	struct acrpmu_attach attach = { .size = sizeof(attach), .flags = flags, .pid = pid };
	int ret = session->ops->ioctl(session->fd, ACRPMU_ATTACH, &attach);

	if (target)
		*target = ret == -ENOTTY ? 0 : attach.target;
	acrpmu_message_clear(message);
	if (ret >= 0)
		return 0;
	if (ret == -ENOTTY) {
		acrpmu_message_text(message, "attach-module", "the module cannot follow several "
				    "tasks in one session: its ABI version is below 5");
		acrpmu_message_hint(message, "install module and program of one version");
	} else {
		acrpmu_explain(ret, &attach.error, NULL, 0, message);
	}
	return ret;
}

/* Copies as much as the caller's struct has. */
static int read_into(const struct acrpmu_session *session, struct acrpmu_read *all,
		     struct acrpmu_read *read, __u32 min_size)
{
	__u32 size = read->size;
	int ret;

	if (size > sizeof(*all))
		return -E2BIG;
	if (size < min_size)
		return -EINVAL;
	ret = session->ops->ioctl(session->fd, ACRPMU_READ, all);
	all->size = size;
	memcpy(read, all, size);
	return ret < 0 ? ret : 0;
}

/**
 * acrpmu_session_read() - read counts and accounts in one snapshot
 * @cpu: a CPU of a CPU session, or ACRPMU_CPU_ALL
 * @read: out, up to its member guest: programs built for version 2.0 have no more
 * @counts: out, one element for each event
 *
 * Return: 0, or the module's error.
 */
int acrpmu_session_read(struct acrpmu_session *session, int cpu, struct acrpmu_read *read,
			struct acrpmu_count counts[ACRPMU_MAX_EVENTS])
{
	read->size = ACRPMU_READ_SIZE_VER1;
	return acrpmu_session_read_outside(session, cpu, read, counts, NULL);
}

/**
 * acrpmu_session_read_outside() - the same with what software reload adds
 * @read: in and out: its member size, at least up to guest, says how much of it is filled in
 * @counts: out, one element for each event
 * @outside: out, one element for each event: occurrences between its overflows and restarts; NULL,
 *	or a @read without these members: not wanted
 *
 * Return: 0; -EINVAL: a size below that of version 2.0, or @outside and a size that lacks it;
 * -E2BIG: the size is larger than this library's; or the module's error.
 */
int acrpmu_session_read_outside(struct acrpmu_session *session, int cpu, struct acrpmu_read *read,
				struct acrpmu_count counts[ACRPMU_MAX_EVENTS],
				__u64 outside[ACRPMU_MAX_EVENTS])
{
	struct acrpmu_read all = {
		/* so that an older module accepts it */
		.size = outside ? sizeof(all) : ACRPMU_READ_SIZE_VER1,
		.cpu = cpu,
		.nr_counts = session->nr,
		.counts = (__u64)(uintptr_t)counts,
		.outside = (__u64)(uintptr_t)outside,
	};

	return read_into(session, &all, read,
			 outside ? offsetof(struct acrpmu_read, tasks) : ACRPMU_READ_SIZE_VER1);
}

/**
 * acrpmu_session_read_target() - read what one target of a session of tasks has counted
 * @target: number of a target, 1: of acrpmu_session_create(); 0: the whole session
 * @read: in and out: its member size, at least up to tasks, says how much of it is filled in;
 *	struct acrpmu_read names the members that are of the target
 * @counts: out, one element for each event
 * @outside: out, one element for each event: occurrences between its overflows and restarts; NULL:
 *	not wanted
 *
 * Return: 0; -EINVAL: there is no such target, or the size is too small; -E2BIG: it is larger than
 * this library's; either: the module is older than ABI version 5; or another error of the module.
 */
int acrpmu_session_read_target(struct acrpmu_session *session, __u32 target,
			       struct acrpmu_read *read,
			       struct acrpmu_count counts[ACRPMU_MAX_EVENTS],
			       __u64 outside[ACRPMU_MAX_EVENTS])
{
	struct acrpmu_read all = {
		.size = sizeof(all),
		.cpu = ACRPMU_CPU_ALL,
		.nr_counts = session->nr,
		.target = target,
		.counts = (__u64)(uintptr_t)counts,
		.outside = (__u64)(uintptr_t)outside,
	};

	return read_into(session, &all, read, ACRPMU_READ_SIZE_VER2);
}

static int query(struct acrpmu_session *session, __u32 flags, int cpu,
		 struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS])
{
	struct acrpmu_query query = {
		.size = sizeof(query),
		.flags = flags,
		.cpu = cpu,
		.events = (__u64)(uintptr_t)hw,
		.nr_events = session->nr,
		.event_size = sizeof(*hw),
	};
	int ret;

	/* so that a module older than @cpu accepts it */
	if (!flags)
		query.size = ACRPMU_QUERY_SIZE_VER0;
	ret = session->ops->ioctl(session->fd, ACRPMU_QUERY, &query);
	return ret < 0 ? ret : 0;
}

/**
 * acrpmu_session_query() - query the counters chosen and the exact values programmed
 * @hw: out, one element for each event, as on the first CPU that the session holds now
 *
 * Return: 0, or the module's error.
 */
int acrpmu_session_query(struct acrpmu_session *session,
			 struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS])
{
	return query(session, 0, 0, hw);
}

/**
 * acrpmu_session_query_cpu() - query counters and values on one CPU
 * @hw: out, one element for each event; cntr is -1 where the session does not hold the CPU now
 *
 * CPUs differ where others hold counters or extra registers on some of them.
 *
 * Return: 0; -EINVAL if @cpu is none of the session's; -EINVAL or -E2BIG if the module is older
 * than ABI version 3.
 */
int acrpmu_session_query_cpu(struct acrpmu_session *session, int cpu,
			     struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS])
{
	return query(session, ACRPMU_QUERY_CPU, cpu, hw);
}
