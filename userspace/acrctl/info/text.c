// SPDX-License-Identifier: GPL-2.0-only
/* acrctl info: the machine, the kernel, the module and what is missing, as text. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../../util/util.h"
#include "../terminal.h"
#include "info.h"

/* "GP 0-7, fixed 0-2,4" */
static void print_cntrs(const char *title, __u64 cntrs)
{
	unsigned int i, base;

	printf("  %-18s", title);
	if (!cntrs)
		printf("none");
	for (base = 0; base < ACRPMU_CNTR_BITS; base += ACRPMU_FIXED_BASE) {
		__u32 mask = cntrs >> base;
		const char *sep = base ? "fixed " : "general-purpose ";

		if (base && mask && (__u32)cntrs)
			printf(", ");
		for (i = 0; i < ACRPMU_FIXED_BASE; i++) {
			if (!(mask >> i & 1))
				continue;
			printf("%s%u", sep, i);
			sep = " ";
		}
	}
	printf("\n");
}

static void print_extra_regs(const struct acrpmu_extra_reg_info *regs, unsigned int nr)
{
	const char *title = "extra registers";
	unsigned int i;

	for (i = 0; i < nr; i++) {
		printf("  %-18sMSR 0x%x, valid bits 0x%016llx, event 0x%04llx%s\n", title,
		       regs[i].msr, regs[i].valid_mask, regs[i].config,
		       regs[i].flags & ACRPMU_EXTRA_REG_HIDDEN ?
		       ", does not answer: a hypervisor hides it" : "");
		title = "";
	}
	if (!nr)
		printf("  %-18snone\n", title);
}

static void print_reload(const struct info *info, const struct acrpmu_cpu *cpu)
{
	bool hardware = cpu->flags & ACRPMU_CPU_ACR, software = info_has_software(info);

	printf("  %-18s%s%s%s\n", "reload", hardware ? reload_words(RELOAD_HARDWARE) : "",
	       hardware && software ? " or " : "", software ? reload_words(RELOAD_SOFTWARE) :
	       hardware ? "" : "none: the module is older, and cannot do it in software");
}

/* Of extra registers those of the CPU table, where the module cannot be queried. */
static void print_cpus(const struct info *info, const struct system_cpus *c)
{
	struct acrpmu_extra_reg_info regs[ACRPMU_MAX_EXTRA_REGS];
	const struct acrpmu_cpu *cpu = &c->cpu;
	char pmu[KIND_PMU_LEN];

	printf("CPUs %s: ", c->list);
	if (!*cpu->name) {
		printf("not an Intel CPU, no usable PMU\n");
		return;
	}
	kinds_pmu(cpu->signature, cpu->core_type, pmu);
	printf("%s (%s), PMU %s%s\n", cpu->name, cpu->core, pmu,
	       cpu->known ? "" : ", not in the CPU table: architectural events only");
	if (!c->usable) {
		printf("  PMU               none, or older than version 2\n");
		return;
	}
	printf("  PMU               version %u, counters of %u and %u bits\n", cpu->pmu_version,
	       cpu->gp_width, cpu->fixed_width);
	print_cntrs("counters", cpu->cntrs);
	print_cntrs("reloadable", cpu->reloadable_cntrs);
	print_cntrs("can cause reloads", cpu->cause_cntrs);
	print_reload(info, cpu);
	if (!info->have_module)
		print_extra_regs(regs, acrpmu_cpu_extra_regs(cpu, regs));
}

/* Counters are those of a kind of core: once for each PMU. */
static void print_held(const struct info *info)
{
	char pmu[KIND_PMU_LEN], other[KIND_PMU_LEN], title[KIND_PMU_LEN + sizeof("held on ")];
	unsigned int i, k;

	for (i = 0; i < info->module.nr_cpus; i++) {
		bool first = info->cpus[i].flags & ACRPMU_CPU_USABLE;
		__u64 held = 0;

		info_pmu(&info->cpus[i], pmu);
		for (k = 0; first && k < info->module.nr_cpus; k++) {
			info_pmu(&info->cpus[k], other);
			if (strcmp(pmu, other) || !(info->cpus[k].flags & ACRPMU_CPU_USABLE))
				continue;
			first = k >= i;
			held |= info->cpus[k].held_cntrs;
		}
		snprintf(title, sizeof(title), "held on %s", pmu);
		if (first)
			print_cntrs(title, held);
	}
}

/* Once for each type of CPU. */
static void print_module_extra_regs(const struct info *info)
{
	const struct acrpmu_cpu_info *c = info->cpus;
	unsigned int i, k;

	for (i = 0; i < info->module.nr_cpus; i++) {
		if (!(c[i].flags & ACRPMU_CPU_USABLE))
			continue;
		for (k = 0; k < i; k++) {
			if (c[k].flags & ACRPMU_CPU_USABLE &&
			    !strncmp(c[k].name, c[i].name, sizeof(c->name)) &&
			    !memcmp(c[k].extra_regs, c[i].extra_regs, sizeof(c->extra_regs)))
				break;
		}
		if (k < i)
			continue;
		printf("  on CPU %u, %.*s:\n", c[i].cpu, (int)sizeof(c->name), c[i].name);
		print_extra_regs(c[i].extra_regs, info_nr_extra_regs(&c[i]));
	}
}

static void print_starved_events(const struct acrpmu_info *all)
{
	char name[ACRPMU_COMM_LEN];

	printf("%u events, one on CPU %d", all->nr_starved, all->starved_cpu);
	if (all->starved_pid) {
		printf(" of ");
		terminal_print(stdout, 0, system_task_name(all->starved_pid, name, sizeof(name)));
		printf(", pid %d", all->starved_pid);
	}
	printf("\n");
}

/* What of in-tree perf counts nothing now. */
static void print_starved(const struct info *info)
{
	const struct acrpmu_info *all = &info->all;
	__u64 held = 0;
	__u32 i;

	for (i = 0; i < info->module.nr_cpus; i++)
		held |= info->cpus[i].held_cntrs;

	printf("  perf starved now  ");
	if (!held)
		printf("nothing: no session holds a counter\n");
	else if (info->module.arbiter == ACRPMU_ARBITER_RESERVE)
		printf("hardware events cannot be opened on any CPU (EBUSY)\n");
	else if (info->starved_err == -EOPNOTSUPP)
		printf("unknown: the module is older, of ABI version %u; install a newer one\n",
		       info->module.abi_version);
	else if (info->starved_err == -EPERM)
		printf("unknown: this user may not see it; it takes CAP_PERFMON\n");
	else if (info->starved_err)
		printf("unknown: %s\n", strerror(-info->starved_err));
	else if (!all->nr_starved)
		printf("nothing: no event waits for a counter of a session's CPU\n");
	else
		print_starved_events(all);
}

static void print_guests(enum system_state guests)
{
	static const char *const states[] = {
		[SYSTEM_UNKNOWN] = "unknown, as KVM is built in or its users cannot be counted: ",
		[SYSTEM_OFF] = "none",
		[SYSTEM_ON] = "run here: ",
	};

	printf("  virtual machines  %s%s\n", states[guests], guests == SYSTEM_OFF ? "" :
	       "guests that use counters count nothing where a session holds them");
}

static void print_module(const struct info *info)
{
	const struct acrpmu_info *m = &info->module;
	const char *arbiter = info_arbiter(m->arbiter);
	const struct info_feature *feature;
	unsigned int i, usable = 0;

	if (!info->have_module) {
		printf("module: %s\n", info->system.module ? "loaded, but cannot be queried" :
		       "not loaded");
		return;
	}
	for (i = 0; i < m->nr_cpus; i++)
		usable += !!(info->cpus[i].flags & ACRPMU_CPU_USABLE);
	printf("module: ABI version %u, usable on %u of %u CPUs, sessions: %u\n", m->abi_version,
	       usable, m->nr_cpus, m->nr_sessions);
	printf("  features         ");
	for (feature = info_features; feature->name; feature++) {
		if (m->features & feature->bit)
			printf(" %s", feature->name);
	}
	printf("\n  smallest periods  %u sampled, %u quiet\n", m->min_period_sampled,
	       m->min_period_quiet);
	printf("  limits of a CPU   %u samples per second", m->max_sample_rate);
	if (info->all.max_pmi_percent)
		printf(", %u %% of its time", info->all.max_pmi_percent);
	printf("\n");
	printf("  unprivileged use  %s\n", m->features & ACRPMU_FEATURE_UNPRIVILEGED ?
	       "on: users may observe their own tasks at user level" :
	       "off: observing anything takes CAP_PERFMON");
	printf("  in-tree perf is kept off by: %s\n", arbiter ?: "unknown");
	print_starved(info);
	print_held(info);
	print_module_extra_regs(info);
}

static void print_user(const struct info *info)
{
	static const char *const words[] = {
		[PERMISSION_NOTHING] = "has neither CAP_PERFMON nor CAP_SYS_ADMIN",
		[PERMISSION_PARANOID] = "may observe nothing: has neither CAP_PERFMON nor "
			"CAP_SYS_ADMIN, and kernel.perf_event_paranoid is above 2",
		[PERMISSION_OWN] = "may observe own tasks at user level: has neither "
			"CAP_PERFMON nor CAP_SYS_ADMIN",
		[PERMISSION_ALL] = "may use hardware counters",
	};

	printf("this user: %s\n", words[info->permission]);
}

/**
 * info_print_text() - print what was found
 */
void info_print_text(const struct info *info)
{
	const struct system_info *s = &info->system;
	unsigned int i;

	printf("machine: %s, kernel %s\n", s->cpu_model, s->release);
	for (i = 0; i < s->nr_cpus; i++)
		print_cpus(info, &s->cpus[i]);
	printf("in-tree perf: %s%s\n",
	       *s->perf_pmus ? s->perf_pmus : "no driver for the cores' PMU",
	       s->perf_acr ? ", knows acr_mask" : "");
	printf("  NMI watchdog      %s\n", info_state(s->watchdog));
	printf("  lockdown          %s\n", info_state(s->lockdown));
	print_guests(s->guests);
	print_module(info);
	print_user(info);
	if (!info->nr_missing)
		printf("nothing is missing\n");
	for (i = 0; i < info->nr_missing; i++)
		printf("missing: %s%s%s\n", info->missing[i].what,
		       *info->missing[i].how ? "; " : "", info->missing[i].how);
}
