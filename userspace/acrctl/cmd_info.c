// SPDX-License-Identifier: GPL-2.0-only
/* acrctl info: what this CPU, kernel and module offer, what is missing and how to get it. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../kmod/core/types.h"
#include "cmd.h"
#include "json.h"
#include "system.h"

#define MAX_MISSING	8

typedef unsigned long long ull;

static const char usage[] =
"Usage: acrctl info [--json]\n"
"\n"
"Show what this machine's CPUs, kernel and module offer, and what is missing for recording.\n"
"\n"
"  -j, --json   print JSON\n"
"  -h, --help   show this help\n";

struct missing {
	const char *what;
	const char *how;
};

/* All that is shown. */
struct info {
	struct system_info system;
	struct acrpmu_device *device;
	struct acrpmu_message device_message;
	bool have_module;
	struct acrpmu_info module;
	struct acrpmu_cpu_info *cpus;
	struct missing missing[MAX_MISSING];
	unsigned int nr_missing;
};

static const char *const states[] = {
	[SYSTEM_UNKNOWN] = "unknown", [SYSTEM_OFF] = "off", [SYSTEM_ON] = "on",
};

static const char *const arbiters[] = {
	[ACRPMU_ARBITER_NONE] = "none", [ACRPMU_ARBITER_RESERVE] = "reserve",
	[ACRPMU_ARBITER_CLAIM] = "claim",
};

static const struct {
	__u64 bit;
	const char *name;
} features[] = {
	{ ACRPMU_FEATURE_SAMPLING, "sampling" },
	{ ACRPMU_FEATURE_TASK, "task" },
	{ ACRPMU_FEATURE_INHERIT, "inherit" },
	{ ACRPMU_FEATURE_EXEC, "exec" },
};

/* ---- finding out -------------------------------------------------------------------------- */

static int ask_module(struct info *info)
{
	int err = acrpmu_open(acrctl_ops, &info->device, &info->device_message);

	if (err == -ENOMEM)
		return err;
	if (err)
		return 0;
	err = acrpmu_device_info(info->device, &info->module, &info->cpus);
	if (err)
		acrpmu_explain(err, NULL, NULL, 0, &info->device_message);
	else
		info->have_module = true;
	return 0;
}

static void miss(struct info *info, const char *what, const char *how)
{
	info->missing[info->nr_missing++] = (struct missing){ what, how };
}

static bool any_cpu(const struct info *info, bool acr)
{
	size_t i;

	for (i = 0; i < info->system.nr_cpus; i++) {
		const struct system_cpus *c = &info->system.cpus[i];

		if (c->usable && (!acr || c->cpu.flags & ACRPMU_CPU_ACR))
			return true;
	}
	return false;
}

static void find_missing(struct info *info)
{
	if (!any_cpu(info, false))
		miss(info, "no CPU here has an Intel PMU of version 2 or later",
		     "in a virtual machine ask the host to pass the PMU through (QEMU: -cpu "
		     "host,pmu=on); otherwise use another machine, or the model CPU: make demo");
	else if (!any_cpu(info, true))
		miss(info, "no CPU here has auto counter reload",
		     "plain sampling and counting work; for acr_mask and ratio-to-prev use "
		     "Clearwater Forest, E-cores from Lunar Lake on, or the model: make demo");
	if (!info->have_module)
		miss(info, info->device_message.text, info->device_message.hint);
	if (!info->system.cap_perfmon && !info->system.cap_admin)
		miss(info, "this user may not use hardware counters",
		     "run acrctl as root, or 'setcap cap_perfmon+ep' on it");
	if (info->system.watchdog == SYSTEM_ON)
		miss(info, "the NMI watchdog holds a counter on every CPU",
		     "record with --pause-watchdog, or run 'sysctl kernel.nmi_watchdog=0'");
	if (info->system.lockdown == SYSTEM_ON)
		miss(info, "kernel lockdown is active",
		     "only signed modules load; in confidentiality mode count user level only "
		     "(modifier u)");
}

/* ---- text --------------------------------------------------------------------------------- */

/* "GP 0-7, fixed 0-2,4" */
static void print_cntrs(const char *title, __u64 cntrs)
{
	unsigned int i, base;

	printf("  %-18s", title);
	if (!cntrs)
		printf("none");
	for (base = 0; base < ACRPMU_CNTRS_MAX; base += ACRPMU_FIXED_BASE) {
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

static void print_cpus(const struct system_cpus *c)
{
	const struct acrpmu_cpu *cpu = &c->cpu;

	printf("CPUs %s: ", c->list);
	if (!*cpu->name) {
		printf("not an Intel CPU, no usable PMU\n");
		return;
	}
	printf("%s (%s)%s\n", cpu->name, cpu->core,
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
}

static void print_module(const struct info *info)
{
	const struct acrpmu_info *m = &info->module;
	unsigned int i, usable = 0;
	__u64 held = 0;

	if (!info->have_module) {
		printf("module: %s\n", info->system.module ? "loaded, but cannot be asked" :
		       "not loaded");
		return;
	}
	for (i = 0; i < m->nr_cpus; i++) {
		usable += !!(info->cpus[i].flags & ACRPMU_CPU_USABLE);
		held |= info->cpus[i].held_cntrs;
	}
	printf("module: ABI version %u, usable on %u of %u CPUs, sessions: %u\n", m->abi_version,
	       usable, m->nr_cpus, m->nr_sessions);
	printf("  features         ");
	for (i = 0; i < ARRAY_SIZE(features); i++) {
		if (m->features & features[i].bit)
			printf(" %s", features[i].name);
	}
	printf("\n  smallest periods  %u sampled, %u quiet; up to %u samples per CPU and second\n",
	       m->min_period_sampled, m->min_period_quiet, m->max_sample_rate);
	printf("  kept apart from in-tree perf by: %s\n",
	       m->arbiter < ARRAY_SIZE(arbiters) ? arbiters[m->arbiter] : "unknown");
	print_cntrs("held now", held);
}

static void print_text(const struct info *info)
{
	const struct system_info *s = &info->system;
	unsigned int i;

	printf("machine: %s, kernel %s\n", s->cpu_model, s->release);
	for (i = 0; i < s->nr_cpus; i++)
		print_cpus(&s->cpus[i]);
	printf("in-tree perf: %s%s\n",
	       *s->perf_pmus ? s->perf_pmus : "no driver for the cores' PMU",
	       s->perf_acr ? ", knows acr_mask" : "");
	printf("  NMI watchdog      %s\n", states[s->watchdog]);
	printf("  lockdown          %s\n", states[s->lockdown]);
	print_module(info);
	printf("this user: %s\n", s->cap_perfmon || s->cap_admin ? "may use hardware counters" :
	       "has neither CAP_PERFMON nor CAP_SYS_ADMIN");
	if (!info->nr_missing)
		printf("nothing is missing\n");
	for (i = 0; i < info->nr_missing; i++)
		printf("missing: %s%s%s\n", info->missing[i].what,
		       *info->missing[i].how ? "; " : "", info->missing[i].how);
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void json_member(const char *before, const char *key, const char *value)
{
	printf("%s\"%s\":", before, key);
	json_string(stdout, value);
}

static void json_cpu_masks(__u64 cntrs, __u64 reloadable_cntrs, __u64 cause_cntrs)
{
	printf(",\"counters\":\"0x%llx\",\"reloadable\":\"0x%llx\",\"causes\":\"0x%llx\"",
	       (ull)cntrs, (ull)reloadable_cntrs, (ull)cause_cntrs);
}

static const char *boolean(bool b)
{
	return b ? "true" : "false";
}

static void json_cpus(const struct system_cpus *c)
{
	json_member("{", "cpus", c->list);
	json_member(",", "name", *c->cpu.name ? c->cpu.name : NULL);
	json_member(",", "core", *c->cpu.name ? c->cpu.core : NULL);
	printf(",\"known\":%s,\"usable\":%s,\"pmu_version\":%u,\"gp_width\":%u,\"fixed_width\":%u",
	       boolean(c->cpu.known), boolean(c->usable), c->cpu.pmu_version, c->cpu.gp_width,
	       c->cpu.fixed_width);
	printf(",\"acr\":%s", boolean(c->cpu.flags & ACRPMU_CPU_ACR));
	json_cpu_masks(c->cpu.cntrs, c->cpu.reloadable_cntrs, c->cpu.cause_cntrs);
	printf("}");
}

static void json_module_cpu(const struct acrpmu_cpu_info *c)
{
	printf("{\"cpu\":%u,\"online\":%s,\"usable\":%s,\"acr\":%s,\"pmu_version\":%u", c->cpu,
	       boolean(c->flags & ACRPMU_CPU_ONLINE), boolean(c->flags & ACRPMU_CPU_USABLE),
	       boolean(c->flags & ACRPMU_CPU_ACR), c->pmu_version);
	json_member(",", "name", c->name);
	json_cpu_masks(c->cntrs, c->reloadable_cntrs, c->cause_cntrs);
	printf(",\"held\":\"0x%llx\"}", (ull)c->held_cntrs);
}

static void json_module(const struct info *info)
{
	const struct acrpmu_info *m = &info->module;
	unsigned int i;

	if (!info->have_module) {
		printf("null");
		return;
	}
	printf("{\"abi_version\":%u,\"sessions\":%u,\"max_events\":%u", m->abi_version,
	       m->nr_sessions, m->max_events);
	for (i = 0; i < ARRAY_SIZE(features); i++)
		printf(",\"%s\":%s", features[i].name, boolean(m->features & features[i].bit));
	printf(",\"min_period_sampled\":%u,\"min_period_quiet\":%u,\"max_sample_rate\":%u",
	       m->min_period_sampled, m->min_period_quiet, m->max_sample_rate);
	printf(",\"max_ring_pages\":%u,\"sample_type\":\"0x%llx\"", m->max_ring_pages,
	       (ull)m->sample_type);
	json_member(",", "arbiter",
		    m->arbiter < ARRAY_SIZE(arbiters) ? arbiters[m->arbiter] : NULL);
	printf(",\"cpus\":[");
	for (i = 0; i < m->nr_cpus; i++) {
		printf("%s", i ? "," : "");
		json_module_cpu(&info->cpus[i]);
	}
	printf("]}");
}

static void print_json(const struct info *info)
{
	const struct system_info *s = &info->system;
	unsigned int i;

	json_member("{", "version", acrpmu_lib_version());
	json_member(",", "kernel", s->release);
	json_member(",", "machine", s->cpu_model);
	printf(",\"cpus\":[");
	for (i = 0; i < s->nr_cpus; i++) {
		printf("%s", i ? "," : "");
		json_cpus(&s->cpus[i]);
	}
	printf("],\"perf\":");
	json_member("{", "pmus", s->perf_pmus);
	printf(",\"acr_mask\":%s}", boolean(s->perf_acr));
	json_member(",", "nmi_watchdog", states[s->watchdog]);
	json_member(",", "lockdown", states[s->lockdown]);
	printf(",\"cap_perfmon\":%s,\"cap_sys_admin\":%s", boolean(s->cap_perfmon),
	       boolean(s->cap_admin));
	printf(",\"module_loaded\":%s,\"module\":", boolean(s->module || info->have_module));
	json_module(info);
	printf(",\"missing\":[");
	for (i = 0; i < info->nr_missing; i++) {
		json_member(i ? ",{" : "{", "what", info->missing[i].what);
		json_member(",", "how", info->missing[i].how);
		printf("}");
	}
	printf("]}\n");
}

/* ---- the command -------------------------------------------------------------------------- */

/* Returns an exit status, or -1 to go on. */
static int parse_options(int argc, char **argv, bool *json)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	int c;

	optind = 1;
	while ((c = getopt_long(argc, argv, "jh", options, NULL)) != -1) {
		if (c == 'h')
			return fputs(usage, stdout) < 0 ? ACRCTL_EXIT_FAILED : ACRCTL_EXIT_DONE;
		if (c != 'j')
			return ACRCTL_EXIT_USAGE;
		*json = true;
	}
	if (optind < argc) {
		fprintf(stderr, "acrctl: info: takes no argument '%s'; see 'acrctl info --help'\n",
			argv[optind]);
		return ACRCTL_EXIT_USAGE;
	}
	return -1;
}

static int run(struct info *info, bool json)
{
	int err = system_probe(&info->system);

	if (!err)
		err = ask_module(info);
	if (err) {
		fprintf(stderr, "acrctl: info: the machine cannot be looked at: %s\n",
			strerror(-err));
		return ACRCTL_EXIT_FAILED;
	}
	find_missing(info);
	if (json)
		print_json(info);
	else
		print_text(info);
	return fflush(stdout) ? ACRCTL_EXIT_FAILED : ACRCTL_EXIT_DONE;
}

/**
 * cmd_info() - acrctl info
 * @argc: number of words
 * @argv: the words
 *
 * Return: exit status.
 */
int cmd_info(int argc, char **argv)
{
	struct info info = { .nr_missing = 0 };
	bool json = false;
	int status;

	status = parse_options(argc, argv, &json);
	if (status >= 0)
		return status;
	status = run(&info, json);
	free(info.cpus);
	acrpmu_close(info.device);
	system_free(&info.system);
	return status;
}
