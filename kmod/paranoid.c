// SPDX-License-Identifier: GPL-2.0-only
/* kernel.perf_event_paranoid, read through proc: its variable is not exported. */
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/mount.h>

#include "paranoid.h"

#define SYSCTL	"sys/kernel/perf_event_paranoid"

static struct file *sysctl;

/* In a mount of its own: what callers see at /proc is up to their namespaces. */
static struct file *open_sysctl(void)
{
	struct file_system_type *proc = get_fs_type("proc");
	struct vfsmount *mnt;
	struct file *file;

	if (!proc)
		return ERR_PTR(-ENODEV);
	mnt = kern_mount(proc);
	module_put(proc->owner);
	if (IS_ERR(mnt))
		return ERR_CAST(mnt);
	file = file_open_root_mnt(mnt, SYSCTL, O_RDONLY, 0);
	/* The open file keeps it. */
	kern_unmount(mnt);
	return file;
}

/**
 * acrpmu_paranoid_init() - open the setting
 *
 * Context: process, may sleep, at load.
 */
void acrpmu_paranoid_init(void)
{
	sysctl = open_sysctl();
	if (IS_ERR(sysctl))
		pr_warn("cannot read kernel.perf_event_paranoid (%ld): users without CAP_PERFMON may observe nothing\n",
			PTR_ERR(sysctl));
}

/**
 * acrpmu_paranoid_exit() - close the setting
 *
 * Context: process, at unload.
 */
void acrpmu_paranoid_exit(void)
{
	if (!IS_ERR(sysctl))
		fput(sysctl);
}

/**
 * acrpmu_paranoid_level() - read the setting
 *
 * Context: process, may sleep.
 * Return: its value; S32_MAX, the strictest, if it cannot be read.
 */
int acrpmu_paranoid_level(void)
{
	const struct cred *caller;
	char text[16] = "";
	loff_t pos = 0;
	ssize_t len;
	int level;

	if (IS_ERR(sysctl))
		return S32_MAX;
	/* A security module may let whoever loaded us read it, but not the caller. */
	caller = override_creds(sysctl->f_cred);
	len = kernel_read(sysctl, text, sizeof(text) - 1, &pos);
	revert_creds(caller);
	return len > 0 && !kstrtoint(text, 10, &level) ? level : S32_MAX;
}
