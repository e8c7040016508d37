// SPDX-License-Identifier: GPL-2.0-only
/* File operations of the device and of sessions: copying in and out, no policy. */
#include <linux/anon_inodes.h>
#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/file.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/pid_namespace.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/user_namespace.h>

#include "session.h"
#include "account.h"
#include "attach.h"
#include "buffer.h"
#include "core/attr.h"
#include "core/refuse.h"
#include "hold.h"
#include "info.h"
#include "ioctl.h"
#include "limits.h"
#include "own.h"
#include "periods.h"
#include "pids.h"
#include "read.h"
#include "session_cpu.h"
#include "show.h"

union args {
	struct acrpmu_info info;
	struct acrpmu_session_attr attr;
	struct acrpmu_ctl ctl;
	struct acrpmu_read read;
	struct acrpmu_query query;
	struct acrpmu_unpark unpark;
	struct acrpmu_set_periods set_periods;
	struct acrpmu_attach attach;
};

/**
 * struct command - one row of a command table
 * @nr: the command
 * @size: bytes of its struct as the module knows it
 * @min_size: bytes of its first published version
 * @run: does it; @args is in kernel memory
 * @answer: when its struct is copied out; one without results may be read-only memory
 * @adds: it adds to what the session may observe: check_adds() comes first
 */
struct command {
	unsigned int nr;
	u32 size;
	u32 min_size;
	long (*run)(struct file *file, union args *args);
	enum { NEVER, DONE, ALWAYS } answer;
	bool adds;
};

static bool is_capable_quietly(void)
{
	return ns_capable_noaudit(&init_user_ns, CAP_PERFMON) ||
	       ns_capable_noaudit(&init_user_ns, CAP_SYS_ADMIN);
}

/* What a user may do without the capability must not look like an attempt in the audit log. */
static bool is_capable(void)
{
	return READ_ONCE(acrpmu_unprivileged) ? is_capable_quietly() : perfmon_capable();
}

/* @own: a user without privileges could do this; own.c checks the tasks. */
static int check_caller(bool capable, bool own, struct acrpmu_error *err)
{
	if (capable)
		return 0;
	return own && READ_ONCE(acrpmu_unprivileged) ? acrpmu_own_check_caller(err) :
	       acrpmu_refuse(err, -EPERM, ACRPMU_REASON_PERM, ACRPMU_NO_EVENT, 0, 0);
}

/* The caller, whoever created the session. */
static int check_adds(const struct acrpmu_session *session, struct acrpmu_error *err)
{
	return check_caller(is_capable(), session->unprivileged, err);
}

static int copy_args(const struct command *cmd, union args *args, void __user *user, u32 *size)
{
	if (get_user(*size, (u32 __user *)user))
		return -EFAULT;
	if (*size > PAGE_SIZE)
		return -E2BIG;
	if (*size < cmd->min_size)
		return -EINVAL;
	return copy_struct_from_user(args, cmd->size, user, *size);
}

static long dispatch(const struct command *cmds, unsigned int nr_cmds, struct file *file,
		     unsigned int nr, void __user *user)
{
	struct acrpmu_error unused;
	union args args;
	unsigned int i;
	u32 size;
	long ret;

	for (i = 0; i < nr_cmds; i++)
		if (cmds[i].nr == nr)
			break;
	if (i == nr_cmds)
		return -ENOTTY;
	memset(&args, 0, sizeof(args));
	ret = copy_args(&cmds[i], &args, user, &size);
	if (ret)
		return cmds[i].adds ? check_adds(file->private_data, &unused) ?: ret : ret;
	ret = cmds[i].run(file, &args);
	if ((cmds[i].answer == ALWAYS || (cmds[i].answer == DONE && ret >= 0)) &&
	    copy_to_user(user, &args, min(size, cmds[i].size)))
		ret = -EFAULT;
	return ret;
}

/* ---- arrays that a struct points to ---- */

/* As copy_struct_from_user() for each element: the caller's may be shorter or longer. */
static int copy_array_in(void *to, u32 ksize, u64 user, u32 usize, u32 nr, u32 *bad)
{
	u32 i;
	int ret;

	for (i = 0; i < nr; i++) {
		ret = copy_struct_from_user(to + (size_t)i * ksize, ksize,
					    u64_to_user_ptr(user) + (size_t)i * usize, usize);
		*bad = i;
		if (ret)
			return ret;
	}
	return 0;
}

static int copy_array_out(u64 user, u32 usize, const void *from, u32 ksize, u32 nr)
{
	u32 size = min(usize, ksize), i;

	for (i = 0; i < nr; i++) {
		void __user *to = u64_to_user_ptr(user) + (size_t)i * usize;

		if (copy_to_user(to, from + (size_t)i * ksize, size) ||
		    clear_user(to + size, usize - size))
			return -EFAULT;
	}
	return 0;
}

static int check_element_size(u32 size, u32 min_size)
{
	if (size > PAGE_SIZE)
		return -E2BIG;
	return size < min_size ? -EINVAL : 0;
}

/* ---- a session ---- */

static long run_ctl(struct file *file, const union args *args,
		    void (*act)(struct acrpmu_session *session))
{
	if (args->ctl.flags)
		return -EINVAL;
	act(file->private_data);
	return 0;
}

static long run_enable(struct file *file, union args *args)
{
	return run_ctl(file, args, acrpmu_session_enable);
}

static long run_disable(struct file *file, union args *args)
{
	return run_ctl(file, args, acrpmu_session_disable);
}

static long run_reset(struct file *file, union args *args)
{
	return run_ctl(file, args, acrpmu_session_reset);
}

static long run_park(struct file *file, union args *args)
{
	return run_ctl(file, args, acrpmu_session_park);
}

/* Inside the module processes have their initial numbers. */
static void fit_to_caller(int ret, bool capable, struct acrpmu_error *err)
{
	if (!capable)
		acrpmu_refuse_hide_others(ret, err);
	err->holder_pid = acrpmu_pids_translate(err->holder_pid, task_active_pid_ns(current));
}

static long run_read(struct file *file, union args *args)
{
	struct acrpmu_session *session = file->private_data;
	struct acrpmu_count counts[ACRPMU_MAX_EVENTS] = { };
	u64 outside[ACRPMU_MAX_EVENTS] = { };
	struct acrpmu_read *in = &args->read, out = { };
	long ret;

	if (in->flags || in->nr_counts != session->group.nr)
		return -EINVAL;
	out.size = in->size;
	out.cpu = in->cpu;
	out.target = in->target;
	out.nr_counts = in->nr_counts;
	out.counts = in->counts;
	out.outside = in->outside;
	ret = acrpmu_read_session(session, &out, counts, outside);
	if (ret)
		return ret;
	if (out.state & ACRPMU_STATE_TAKEN)
		fit_to_caller(-EBUSY, is_capable_quietly(), &out.taken);
	args->read = out;
	ret = copy_array_out(out.counts, sizeof(*counts), counts, sizeof(*counts), out.nr_counts);
	if (ret || !out.outside)
		return ret;
	return copy_array_out(out.outside, sizeof(*outside), outside, sizeof(*outside),
			      out.nr_counts);
}

static long run_query(struct file *file, union args *args)
{
	struct acrpmu_session *session = file->private_data;
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];
	struct acrpmu_query *query = &args->query;
	bool one_cpu = query->flags & ACRPMU_QUERY_CPU;
	int ret;

	if (query->flags & ~ACRPMU_QUERY_CPU || query->reserved ||
	    (one_cpu ? query->cpu < 0 : query->cpu) ||
	    query->nr_events != session->group.nr)
		return -EINVAL;
	ret = check_element_size(query->event_size, ACRPMU_EVENT_HW_SIZE_VER0);
	if (ret)
		return ret;
	query->session_id = session->id;
	ret = acrpmu_session_query(session, one_cpu ? query->cpu : ACRPMU_CPU_ALL, hw);
	if (ret)
		return ret;
	return copy_array_out(query->events, query->event_size, hw, sizeof(hw[0]),
			      session->group.nr);
}

static long run_unpark(struct file *file, union args *args)
{
	struct acrpmu_unpark *unpark = &args->unpark;
	long ret;

	if (unpark->flags)
		return -EINVAL;
	memset(&unpark->error, 0, sizeof(unpark->error));
	ret = acrpmu_session_unpark(file->private_data, &unpark->error);
	if (ret)
		fit_to_caller(ret, is_capable_quietly(), &unpark->error);
	return ret;
}

static int check_set_periods(const struct acrpmu_session *session,
			     const struct acrpmu_set_periods *set, struct acrpmu_error *err)
{
	if (set->flags)
		return acrpmu_refuse(err, -EINVAL, ACRPMU_REASON_FLAGS, ACRPMU_NO_EVENT,
				     set->flags, 0);
	if (set->reserved)
		return acrpmu_refuse(err, -EINVAL, ACRPMU_REASON_RESERVED, ACRPMU_NO_EVENT,
				     set->reserved, 0);
	if (set->nr_periods != session->group.nr)
		return acrpmu_refuse(err, -EINVAL, ACRPMU_REASON_NR_PERIODS, ACRPMU_NO_EVENT,
				     set->nr_periods, session->group.nr);
	return 0;
}

static long run_set_periods(struct file *file, union args *args)
{
	struct acrpmu_set_periods *set = &args->set_periods;
	struct acrpmu_session *session = file->private_data;
	u64 periods[ACRPMU_MAX_EVENTS];
	int ret;

	memset(&set->error, 0, sizeof(set->error));
	ret = check_set_periods(session, set, &set->error);
	if (ret)
		return ret;
	if (copy_from_user(periods, u64_to_user_ptr(set->periods),
			   array_size(set->nr_periods, sizeof(*periods))))
		return -EFAULT;
	return acrpmu_periods_set(session, periods, &set->error);
}

/* Unlike the others it adds to what was permitted when the session was created. */
static long run_attach(struct file *file, union args *args)
{
	struct acrpmu_session *session = file->private_data;
	struct acrpmu_attach *attach = &args->attach;
	int ret;

	memset(&attach->error, 0, sizeof(attach->error));
	ret = check_adds(session, &attach->error);
	if (!ret)
		ret = acrpmu_attr_check_attach(attach, &session->group, &attach->error);
	return ret ?: acrpmu_attach(session, attach->pid, attach->flags & ACRPMU_ATTACH_PROCESS,
				    &attach->target, &attach->error);
}

static const struct command session_cmds[] = {
	{ ACRPMU_ENABLE, sizeof(struct acrpmu_ctl), ACRPMU_CTL_SIZE_VER0, run_enable },
	{ ACRPMU_DISABLE, sizeof(struct acrpmu_ctl), ACRPMU_CTL_SIZE_VER0, run_disable },
	{ ACRPMU_RESET, sizeof(struct acrpmu_ctl), ACRPMU_CTL_SIZE_VER0, run_reset },
	{ ACRPMU_READ, sizeof(struct acrpmu_read), ACRPMU_READ_SIZE_VER0, run_read, DONE },
	{ ACRPMU_QUERY, sizeof(struct acrpmu_query), ACRPMU_QUERY_SIZE_VER0, run_query, DONE },
	{ ACRPMU_PARK, sizeof(struct acrpmu_ctl), ACRPMU_CTL_SIZE_VER0, run_park },
	{ ACRPMU_UNPARK, sizeof(struct acrpmu_unpark), ACRPMU_UNPARK_SIZE_VER0, run_unpark,
	  ALWAYS },
	{ ACRPMU_SET_PERIODS, sizeof(struct acrpmu_set_periods), ACRPMU_SET_PERIODS_SIZE_VER0,
	  run_set_periods, ALWAYS },
	{ ACRPMU_ATTACH, sizeof(struct acrpmu_attach), ACRPMU_ATTACH_SIZE_VER0, run_attach,
	  ALWAYS, true },
};

/* The descriptor is the permission: it was checked when the session was created. */
static long session_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return dispatch(session_cmds, ARRAY_SIZE(session_cmds), file, cmd, (void __user *)arg);
}

/* ---- a session's file ---- */

static int session_release(struct inode *inode, struct file *file)
{
	acrpmu_session_destroy(file->private_data);
	return 0;
}

static int session_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct acrpmu_session *session = file->private_data;
	u64 offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
	u64 cpu = offset / ACRPMU_RING_OFFSET(1);
	int ret;

	if (offset != ACRPMU_RING_OFFSET(cpu) || cpu >= nr_cpu_ids ||
	    !cpumask_test_cpu(cpu, session->cpus))
		return -EINVAL;
	ret = acrpmu_session_cpu_get(session, cpumask_of(cpu));
	return ret ?: acrpmu_buffer_mmap(acrpmu_session_on(session, cpu), vma);
}

static __poll_t session_poll(struct file *file, poll_table *wait)
{
	struct acrpmu_session *session = file->private_data;
	bool over, any = false, enough = false, unmapped = false;
	const struct acrpmu_session_cpu *scpu;

	poll_wait(file, &session->wait, wait);
	list_for_each_entry_lockless(scpu, &session->scpus, node) {
		u64 unread = acrpmu_buffer_unread(scpu);

		any |= unread > 0;
		/* When no more records will come, any number is enough. */
		enough |= unread > 0 && (unread >= session->wake_bytes ||
					 acrpmu_hold_is_lost(scpu));
		unmapped |= acrpmu_buffer_is_new(scpu);
	}
	over = acrpmu_account_ended(session);
	if (any && (over || !READ_ONCE(session->enabled)))
		enough = true;
	return (enough ? EPOLLIN | EPOLLRDNORM : 0) | (unmapped ? EPOLLPRI : 0) |
	       (over ? EPOLLHUP : 0) | (READ_ONCE(session->taken_unread) ? EPOLLERR : 0);
}

static void session_show_fdinfo(struct seq_file *m, struct file *file)
{
	acrpmu_show_session(m, file->private_data);
}

static const struct file_operations session_fops = {
	.owner = THIS_MODULE,
	.release = session_release,
	.mmap = session_mmap,
	.poll = session_poll,
	.show_fdinfo = session_show_fdinfo,
	.unlocked_ioctl = session_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

/* ---- the device ---- */

static long run_info(struct file *file, union args *args)
{
	struct acrpmu_info *info = &args->info;
	u32 nr = info->nr_cpus, cpu_size = info->cpu_size;
	struct acrpmu_cpu_info *cpus;
	int ret = 0;

	if (info->flags & ~ACRPMU_INFO_STARVED || (info->cpus && !nr))
		return -EINVAL;
	/* It looks at every task. */
	if (info->flags && !perfmon_capable())
		return -EPERM;
	ret = nr ? check_element_size(cpu_size, ACRPMU_CPU_INFO_SIZE_VER0) : 0;
	if (ret)
		return ret;
	acrpmu_info_fill(info);
	if (info->flags)
		ret = acrpmu_info_fill_starved(info);
	if (ret)
		return ret;
	if (nr < info->nr_cpus)
		return 0;
	cpus = kvcalloc(info->nr_cpus, sizeof(*cpus), GFP_KERNEL);
	if (!cpus)
		return -ENOMEM;
	acrpmu_info_fill_cpus(cpus);
	ret = copy_array_out(info->cpus, cpu_size, cpus, sizeof(*cpus), info->nr_cpus);
	kvfree(cpus);
	return ret;
}

static int copy_events(struct acrpmu_session_attr *attr, struct acrpmu_event_attr **events)
{
	struct acrpmu_event_attr *copy;
	u32 bad;
	int ret;

	ret = check_element_size(attr->event_size, ACRPMU_EVENT_ATTR_SIZE_VER0);
	if (ret)
		return acrpmu_refuse(&attr->error, ret, ACRPMU_REASON_SIZE, ACRPMU_NO_EVENT,
				     attr->event_size, ACRPMU_EVENT_ATTR_SIZE_VER0);
	copy = kcalloc(attr->nr_events, sizeof(*copy), GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	ret = copy_array_in(copy, sizeof(*copy), attr->events, attr->event_size, attr->nr_events,
			    &bad);
	if (ret) {
		kfree(copy);
		return ret != -E2BIG ? ret :
		       acrpmu_refuse(&attr->error, ret, ACRPMU_REASON_SIZE, bad, attr->event_size,
				     sizeof(*copy));
	}
	*events = copy;
	return 0;
}

/* A number beyond the possible CPUs is refused as an offline one, not dropped. */
static int copy_cpus(struct acrpmu_session_attr *attr, struct cpumask *cpus)
{
	u8 *bytes;
	u32 bit;
	int ret = 0;

	if (attr->cpus_size > PAGE_SIZE)
		return -E2BIG;
	bytes = memdup_user(u64_to_user_ptr(attr->cpus), attr->cpus_size);
	if (IS_ERR(bytes))
		return PTR_ERR(bytes);
	for (bit = 0; bit < attr->cpus_size * BITS_PER_BYTE; bit++) {
		if (!(bytes[bit / BITS_PER_BYTE] & BIT(bit % BITS_PER_BYTE)))
			continue;
		if (bit >= nr_cpu_ids || !cpu_possible(bit)) {
			ret = acrpmu_refuse(&attr->error, -ENODEV, ACRPMU_REASON_CPU_OFFLINE,
					    ACRPMU_NO_EVENT, bit, 0);
			attr->error.cpu = bit;
			break;
		}
		cpumask_set_cpu(bit, cpus);
	}
	kfree(bytes);
	return ret;
}

static struct acrpmu_session *create_on(struct acrpmu_session_attr *attr,
					const struct acrpmu_group *group, bool unprivileged)
{
	struct acrpmu_session *session;
	cpumask_var_t cpus;
	int ret;

	if (!attr->cpus_size)
		return acrpmu_session_create(group, NULL, attr->pid, unprivileged, &attr->error);
	if (!zalloc_cpumask_var(&cpus, GFP_KERNEL))
		return ERR_PTR(-ENOMEM);
	ret = copy_cpus(attr, cpus);
	session = ret ? ERR_PTR(ret) : acrpmu_session_create(group, cpus, attr->pid, unprivileged,
							    &attr->error);
	free_cpumask_var(cpus);
	return session;
}

static int make_session(struct acrpmu_session_attr *attr, bool unprivileged,
			struct acrpmu_session **session)
{
	struct acrpmu_event_attr *events;
	struct acrpmu_group group;
	int ret;

	ret = acrpmu_attr_check_session(attr, &acrpmu_limits, &attr->error);
	if (!ret)
		ret = copy_events(attr, &events);
	if (ret)
		return ret;
	ret = acrpmu_attr_check(attr, events, &acrpmu_limits, &group, &attr->error);
	kfree(events);
	if (ret)
		return ret;
	*session = create_on(attr, &group, unprivileged);
	ret = PTR_ERR_OR_ZERO(*session);
	if (ret)
		fit_to_caller(ret, !unprivileged, &attr->error);
	return ret;
}

/* The descriptor is published last: until then a failed copy can still be undone. */
static int publish(struct acrpmu_session *session, struct acrpmu_session_attr *attr,
		   void __user *user, u32 size)
{
	struct file *file;
	int fd = get_unused_fd_flags(O_CLOEXEC);

	if (fd < 0) {
		acrpmu_session_destroy(session);
		return fd;
	}
	file = anon_inode_getfile("[acrpmu]", &session_fops, session, O_RDWR | O_CLOEXEC);
	if (IS_ERR(file)) {
		acrpmu_session_destroy(session);
		put_unused_fd(fd);
		return PTR_ERR(file);
	}
	attr->session_id = session->id;
	if (copy_to_user(user, attr, min_t(u32, size, sizeof(*attr)))) {
		fput(file);
		put_unused_fd(fd);
		return -EFAULT;
	}
	fd_install(fd, file);
	return fd;
}

static const struct command create_cmd = {
	ACRPMU_SESSION_CREATE, sizeof(struct acrpmu_session_attr), ACRPMU_SESSION_ATTR_SIZE_VER0,
};

/* Unlike the others, a refusal is copied out too: it carries the reason. */
static long create_session(void __user *user)
{
	union args args;
	struct acrpmu_session_attr *attr = &args.attr;
	struct acrpmu_session *session;
	bool capable = is_capable();
	u32 size;
	int ret, bad;

	memset(&args, 0, sizeof(args));
	bad = copy_args(&create_cmd, &args, user, &size);
	memset(&attr->error, 0, sizeof(attr->error));
	attr->session_id = 0;
	/* Check permission first, even if the struct is bad: a reason needs a valid one. */
	ret = check_caller(capable, true, &attr->error);
	if (bad)
		return ret ?: bad;
	if (!ret)
		ret = make_session(attr, !capable, &session);
	if (!ret)
		return publish(session, attr, user, size);
	if (copy_to_user(user, attr, min_t(u32, size, sizeof(*attr))))
		return -EFAULT;
	return ret;
}

static const struct command device_cmds[] = {
	{ ACRPMU_INFO, sizeof(struct acrpmu_info), ACRPMU_INFO_SIZE_VER0, run_info, DONE },
};

static long device_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (cmd == create_cmd.nr)
		return create_session((void __user *)arg);
	return dispatch(device_cmds, ARRAY_SIZE(device_cmds), file, cmd, (void __user *)arg);
}

const struct file_operations acrpmu_ioctl_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = device_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};
