// SPDX-License-Identifier: GPL-2.0-only
/* A stand-in for KVM as the PMU's other users see it: tasks in guests, events of vPMUs. */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "kvm.h"

struct vcpu {
	struct perf_event *event;
	bool mediated;
};

static int vcpu_open(struct inode *inode, struct file *file)
{
	struct vcpu *vcpu = kzalloc(sizeof(*vcpu), GFP_KERNEL);

	file->private_data = vcpu;
	return vcpu ? 0 : -ENOMEM;
}

static void overflow(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
}

static int end_event(struct vcpu *vcpu)
{
	if (!vcpu->event)
		return -ENOENT;
	perf_event_release_kernel(vcpu->event);
	vcpu->event = NULL;
	return 0;
}

/* As KVM does for a guest's counter, but counting on the host, since there is no guest. */
static int start_event(struct vcpu *vcpu, unsigned long config)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.size = sizeof(attr),
		.config = config,
		.pinned = 1,
		.exclude_kernel = 1,
	};
	struct perf_event *event;

	if (vcpu->event)
		return -EBUSY;
	event = perf_event_create_kernel_counter(&attr, -1, current, overflow, vcpu);
	if (IS_ERR(event))
		return PTR_ERR(event);
	vcpu->event = event;
	return 0;
}

#ifdef CONFIG_PERF_GUEST_MEDIATED_PMU
static int set_mediated(struct vcpu *vcpu, bool on)
{
	int ret = on && !vcpu->mediated ? perf_create_mediated_pmu() : 0;

	if (!on && vcpu->mediated)
		perf_release_mediated_pmu();
	if (!ret)
		vcpu->mediated = on;
	return ret;
}
#else
static int set_mediated(struct vcpu *vcpu, bool on)
{
	return on ? -EOPNOTSUPP : 0;
}
#endif

static long vcpu_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct vcpu *vcpu = file->private_data;

	switch (cmd) {
	case KVM_DOUBLE_ENTER:
		if (arg)
			current->flags |= PF_VCPU;
		else
			current->flags &= ~PF_VCPU;
		return 0;
	case KVM_DOUBLE_EVENT:
		return start_event(vcpu, arg);
	case KVM_DOUBLE_END:
		return end_event(vcpu);
	case KVM_DOUBLE_MEDIATED:
		return set_mediated(vcpu, arg);
	}
	return -ENOTTY;
}

static int vcpu_release(struct inode *inode, struct file *file)
{
	end_event(file->private_data);
	set_mediated(file->private_data, false);
	kfree(file->private_data);
	return 0;
}

static const struct file_operations vcpu_fops = {
	.owner = THIS_MODULE,
	.open = vcpu_open,
	.release = vcpu_release,
	.unlocked_ioctl = vcpu_ioctl,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "kvm_double",
	.fops = &vcpu_fops,
};

module_misc_device(device);

MODULE_DESCRIPTION("Stand-in for KVM in tests");
MODULE_LICENSE("GPL");
