// SPDX-License-Identifier: GPL-2.0-only
/* A rival for the PMU within the kernel: pinned events of CPUs, enabled when it likes. */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "rival.h"

struct rival {
	unsigned int nr;
	struct perf_event *events[RIVAL_EVENTS];
};

static int rival_open(struct inode *inode, struct file *file)
{
	struct rival *rival = kzalloc(sizeof(*rival), GFP_KERNEL);

	file->private_data = rival;
	return rival ? 0 : -ENOMEM;
}

static void overflow(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
}

static int open_event(struct rival *rival, u32 config, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.size = sizeof(attr),
		.config = config,
		.config1 = config == RIVAL_OCR ? RIVAL_RSP : 0,
		.pinned = 1,
		.disabled = 1,
	};
	struct perf_event *event;

	if (rival->nr == RIVAL_EVENTS)
		return -ENOSPC;
	event = perf_event_create_kernel_counter(&attr, cpu, NULL, overflow, NULL);
	if (IS_ERR(event))
		return PTR_ERR(event);
	rival->events[rival->nr++] = event;
	return 0;
}

/* Perf itself looks at this only when it adds, enables or removes an event. */
static void hide(struct rival *rival, bool on)
{
	unsigned int i;

	for (i = 0; i < rival->nr; i++)
		rival->events[i]->attr.pinned = !on;
}

static void enable(struct rival *rival)
{
	unsigned int i;

	hide(rival, false);
	for (i = 0; i < rival->nr; i++)
		perf_event_enable(rival->events[i]);
}

static int read_first(struct rival *rival, u64 __user *value)
{
	u64 enabled, running;

	if (!rival->nr)
		return -ENOENT;
	return put_user(perf_event_read_value(rival->events[0], &enabled, &running), value);
}

static long rival_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct rival *rival = file->private_data;

	switch (cmd) {
	case RIVAL_OPEN:
		return open_event(rival, arg, arg >> 32);
	case RIVAL_HIDE:
		hide(rival, arg);
		return 0;
	case RIVAL_ENABLE:
		enable(rival);
		return 0;
	case RIVAL_READ:
		return read_first(rival, (u64 __user *)arg);
	}
	return -ENOTTY;
}

static int rival_release(struct inode *inode, struct file *file)
{
	struct rival *rival = file->private_data;
	unsigned int i;

	hide(rival, false);
	for (i = 0; i < rival->nr; i++)
		perf_event_release_kernel(rival->events[i]);
	kfree(rival);
	return 0;
}

static const struct file_operations rival_fops = {
	.owner = THIS_MODULE,
	.open = rival_open,
	.release = rival_release,
	.unlocked_ioctl = rival_ioctl,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "rival_double",
	.fops = &rival_fops,
};

module_misc_device(device);

MODULE_DESCRIPTION("Rival for the PMU in tests");
MODULE_LICENSE("GPL");
