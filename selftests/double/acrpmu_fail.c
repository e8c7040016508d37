// SPDX-License-Identifier: GPL-2.0-only
/* Makes one of acrpmu's calls of a kernel function fail, and counts calls that undo the others. */
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/string.h>

static char *function, *undo;
static unsigned int nth, calls, undone;
static long result;
module_param(function, charp, 0444);
MODULE_PARM_DESC(function, "the function");
module_param(undo, charp, 0444);
MODULE_PARM_DESC(undo, "the function that undoes it, if its argument is not 0; optional");
module_param(nth, uint, 0444);
MODULE_PARM_DESC(nth, "which call fails, from 1 on");
module_param(result, long, 0444);
MODULE_PARM_DESC(result, "what that call returns");
module_param(calls, uint, 0444);
MODULE_PARM_DESC(calls, "number of calls so far, with the one that failed");
module_param(undone, uint, 0444);
MODULE_PARM_DESC(undone, "number of calls of the other function so far");

/* Probes are hit before the function has begun, with the address of its caller on the stack. */
static bool is_called_by_acrpmu(const struct pt_regs *regs)
{
	char caller[KSYM_SYMBOL_LEN];

	sprint_symbol(caller, *(unsigned long *)regs->sp);
	return strstr(caller, "[acrpmu]");
}

/* Instead of the function; with ftrace a probe may change where it goes on, but not its stack. */
static noinline notrace void return_at_once(void)
{
}

static int on_call(struct kprobe *probe, struct pt_regs *regs)
{
	if (!is_called_by_acrpmu(regs) || ++calls != nth)
		return 0;
	regs->ax = result;
	regs->ip = (unsigned long)return_at_once;
	return 1;
}

static int on_undo(struct kprobe *probe, struct pt_regs *regs)
{
	undone += regs->di && is_called_by_acrpmu(regs);
	return 0;
}

static struct kprobe call_probe = { .pre_handler = on_call };
static struct kprobe undo_probe = { .pre_handler = on_undo };

static int __init fail_init(void)
{
	int ret;

	call_probe.symbol_name = function;
	undo_probe.symbol_name = undo;
	ret = undo ? register_kprobe(&undo_probe) : 0;
	if (ret)
		return ret;
	ret = register_kprobe(&call_probe);
	if (ret && undo)
		unregister_kprobe(&undo_probe);
	return ret;
}

static void __exit fail_exit(void)
{
	unregister_kprobe(&call_probe);
	if (undo)
		unregister_kprobe(&undo_probe);
}

module_init(fail_init);
module_exit(fail_exit);

MODULE_DESCRIPTION("Failing calls of kernel functions, for tests of acrpmu");
MODULE_LICENSE("GPL");
