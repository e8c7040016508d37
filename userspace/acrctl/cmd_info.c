// SPDX-License-Identifier: GPL-2.0-only
/* acrctl info: what this CPU, kernel and module offer, what is missing and how to get it. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "../util/util.h"
#include "cmd.h"
#include "jsonout.h"
#include "kinds.h"
#include "system.h"
#include "terminal.h"

#define MAX_MISSING	8
#define ABI_STARVED	4	/* the ABI version that brought ACRPMU_INFO_STARVED */

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

struct info {
	struct system_info system;
	struct acrpmu_device *device;
	struct acrpmu_message device_message;
	bool have_module;
	bool have_starved;
	struct acrpmu_info module;
	struct acrpmu_info all;		/* with members that @module lacks; 0: an older module */
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
	{ ACRPMU_FEATURE_PARK, "park" },
	{ ACRPMU_FEATURE_QUERY_CPU, "query_cpu" },
	{ ACRPMU_FEATURE_ARRIVAL, "arrival" },
	{ ACRPMU_FEATURE_ALLOWED_CNTRS, "allowed_cntrs" },
	{ ACRPMU_FEATURE_GUEST, "guest" },
};

/* ---- examining ---------------------------------------------------------------------------- */

/* The library's struct keeps its size of version 1. */
static void ask_rest(struct info *info)
{
	bool capable = info->system.cap_perfmon || info->system.cap_admin;
	struct acrpmu_info all = { .size = sizeof(all) };
	int fd = acrpmu_device_fd(info->device);

	if (info->module.abi_version < ABI_STARVED)
		return;
	info->have_starved = capable;
	all.flags = capable ? ACRPMU_INFO_STARVED : 0;
	if (!(acrctl_ops ? acrctl_ops->ioctl(fd, ACRPMU_INFO, &all) : ioctl(fd, ACRPMU_INFO, &all)))
		info->all = all;
	else
		info->have_starved = false;
}

static int ask_module(struct info *info)
{
	int err = acrpmu_open(acrctl_ops, &info->device, &info->device_message);

	if (err == -ENOMEM)
		return err;
	if (err)
		return 0;
	err = acrpmu_device_info(info->device, &info->module, &info->cpus);
	if (err == -ENOMEM)
		return err;
	if (err) {
		acrpmu_explain(err, NULL, NULL, 0, &info->device_message);
		return 0;
	}
	info->have_module = true;
	ask_rest(info);
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
		     "run acrctl as root, or let root give it CAP_PERFMON for one group: "
		     "acrctl(1), PERMISSION");
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

/* @table: print the extra registers of the CPU table, since the module cannot be queried */
static void print_cpus(const struct system_cpus *c, bool table)
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
	if (table)
		print_extra_regs(regs, acrpmu_cpu_extra_regs(cpu, regs));
}

static unsigned int nr_extra_regs(const struct acrpmu_cpu_info *c)
{
	return c->nr_extra_regs < ACRPMU_MAX_EXTRA_REGS ? c->nr_extra_regs : ACRPMU_MAX_EXTRA_REGS;
}

static void cpu_pmu(const struct acrpmu_cpu_info *c, char pmu[KIND_PMU_LEN])
{
	kinds_pmu(c->signature, c->flags & ACRPMU_CPU_HYBRID ? c->core_type : 0, pmu);
}

/* Counters are those of a kind of core: once for each PMU. */
static void print_held(const struct info *info)
{
	char pmu[KIND_PMU_LEN], other[KIND_PMU_LEN], title[KIND_PMU_LEN + sizeof("held on ")];
	unsigned int i, k;

	for (i = 0; i < info->module.nr_cpus; i++) {
		bool first = info->cpus[i].flags & ACRPMU_CPU_USABLE;
		__u64 held = 0;

		cpu_pmu(&info->cpus[i], pmu);
		for (k = 0; first && k < info->module.nr_cpus; k++) {
			cpu_pmu(&info->cpus[k], other);
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
		print_extra_regs(c[i].extra_regs, nr_extra_regs(&c[i]));
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
	else if (!info->have_starved)
		printf("unknown: this user may not see it\n");
	else if (!all->nr_starved)
		printf("nothing: no event waits for a counter of a session's CPU\n");
	else
		print_starved_events(all);
}

static void print_module(const struct info *info)
{
	const struct acrpmu_info *m = &info->module;
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
	for (i = 0; i < ARRAY_SIZE(features); i++) {
		if (m->features & features[i].bit)
			printf(" %s", features[i].name);
	}
	printf("\n  smallest periods  %u sampled, %u quiet\n", m->min_period_sampled,
	       m->min_period_quiet);
	printf("  limits of a CPU   %u samples per second", m->max_sample_rate);
	if (info->all.max_pmi_percent)
		printf(", %u %% of its time", info->all.max_pmi_percent);
	printf("\n");
	printf("  in-tree perf is kept off by: %s\n",
	       m->arbiter < ARRAY_SIZE(arbiters) ? arbiters[m->arbiter] : "unknown");
	print_starved(info);
	print_held(info);
	print_module_extra_regs(info);
}

static void print_text(const struct info *info)
{
	const struct system_info *s = &info->system;
	unsigned int i;

	printf("machine: %s, kernel %s\n", s->cpu_model, s->release);
	for (i = 0; i < s->nr_cpus; i++)
		print_cpus(&s->cpus[i], !info->have_module);
	printf("in-tree perf: %s%s\n",
	       *s->perf_pmus ? s->perf_pmus : "no driver for the cores' PMU",
	       s->perf_acr ? ", knows acr_mask" : "");
	printf("  NMI watchdog      %s\n", states[s->watchdog]);
	printf("  lockdown          %s\n", states[s->lockdown]);
	printf("  virtual machines  %s\n", s->guests ?
	       "run here: guests that use counters count nothing where a session holds them" :
	       "none");
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

static struct json_object *extra_reg_json(const struct acrpmu_extra_reg_info *reg)
{
	return jsonout_object("msr", jsonout_hex(reg->msr),
			      "valid_mask", jsonout_hex(reg->valid_mask),
			      "config", jsonout_hex(reg->config),
			      "hidden", jsonout_bool(reg->flags & ACRPMU_EXTRA_REG_HIDDEN), NULL);
}

static struct json_object *extra_regs_json(const struct acrpmu_extra_reg_info *regs,
					   unsigned int nr)
{
	struct json_object *json = json_object_new_array();
	unsigned int i;

	for (i = 0; i < nr; i++)
		jsonout_add(&json, extra_reg_json(&regs[i]));
	return json;
}

static struct json_object *cpus_json(const struct system_cpus *c)
{
	struct acrpmu_extra_reg_info regs[ACRPMU_MAX_EXTRA_REGS];
	unsigned int nr_regs = c->usable ? acrpmu_cpu_extra_regs(&c->cpu, regs) : 0;
	bool intel = *c->cpu.name;
	char pmu[KIND_PMU_LEN];

	kinds_pmu(c->cpu.signature, c->cpu.core_type, pmu);
	return jsonout_object("cpus", jsonout_text(c->list),
			      "name", jsonout_text(intel ? c->cpu.name : NULL),
			      "core", jsonout_text(intel ? c->cpu.core : NULL),
			      "pmu", jsonout_text(c->usable ? pmu : NULL),
			      "known", jsonout_bool(c->cpu.known),
			      "usable", jsonout_bool(c->usable),
			      "pmu_version", jsonout_count(c->cpu.pmu_version),
			      "gp_width", jsonout_count(c->cpu.gp_width),
			      "fixed_width", jsonout_count(c->cpu.fixed_width),
			      "acr", jsonout_bool(c->cpu.flags & ACRPMU_CPU_ACR),
			      "counters", jsonout_hex(c->cpu.cntrs),
			      "reloadable", jsonout_hex(c->cpu.reloadable_cntrs),
			      "causes", jsonout_hex(c->cpu.cause_cntrs),
			      "extra_regs", extra_regs_json(regs, nr_regs), NULL);
}

static struct json_object *all_cpus_json(const struct system_info *s)
{
	struct json_object *cpus = json_object_new_array();
	unsigned int i;

	for (i = 0; i < s->nr_cpus; i++)
		jsonout_add(&cpus, cpus_json(&s->cpus[i]));
	return cpus;
}

static struct json_object *module_cpu_json(const struct acrpmu_cpu_info *c)
{
	char pmu[KIND_PMU_LEN];

	cpu_pmu(c, pmu);
	return jsonout_object("cpu", jsonout_count(c->cpu),
			      "online", jsonout_bool(c->flags & ACRPMU_CPU_ONLINE),
			      "usable", jsonout_bool(c->flags & ACRPMU_CPU_USABLE),
			      "acr", jsonout_bool(c->flags & ACRPMU_CPU_ACR),
			      "pmu_version", jsonout_count(c->pmu_version),
			      "name", jsonout_text(c->name),
			      "pmu", jsonout_text(pmu),
			      "counters", jsonout_hex(c->cntrs),
			      "reloadable", jsonout_hex(c->reloadable_cntrs),
			      "causes", jsonout_hex(c->cause_cntrs),
			      "held", jsonout_hex(c->held_cntrs),
			      "extra_regs", extra_regs_json(c->extra_regs, nr_extra_regs(c)), NULL);
}

static struct json_object *module_cpus_json(const struct info *info)
{
	struct json_object *cpus = json_object_new_array();
	unsigned int i;

	for (i = 0; i < info->module.nr_cpus; i++)
		jsonout_add(&cpus, module_cpu_json(&info->cpus[i]));
	return cpus;
}

static void set_limits(struct json_object **json, const struct info *info)
{
	const struct acrpmu_info *m = &info->module;

	jsonout_set(json, "min_period_sampled", jsonout_count(m->min_period_sampled),
		    "min_period_quiet", jsonout_count(m->min_period_quiet),
		    "max_sample_rate", jsonout_count(m->max_sample_rate),
		    "max_pmi_percent", info->all.max_pmi_percent ?
				       jsonout_count(info->all.max_pmi_percent) : jsonout_null,
		    "max_ring_pages", jsonout_count(m->max_ring_pages),
		    "sample_type", jsonout_hex(m->sample_type),
		    "arbiter", jsonout_text(m->arbiter < ARRAY_SIZE(arbiters) ?
					    arbiters[m->arbiter] : NULL), NULL);
}

static struct json_object *starved_json(const struct acrpmu_info *all)
{
	bool any = all->nr_starved;

	return jsonout_object("events", jsonout_count(all->nr_starved),
			      "cpu", any ? jsonout_count(all->starved_cpu) : jsonout_null,
			      "pid", any ? jsonout_count(all->starved_pid) : jsonout_null, NULL);
}

static struct json_object *module_json(const struct info *info)
{
	const struct acrpmu_info *m = &info->module;
	unsigned int i;
	struct json_object *json;

	if (!info->have_module)
		return jsonout_null;
	json = jsonout_object("abi_version", jsonout_count(m->abi_version),
			      "sessions", jsonout_count(m->nr_sessions),
			      "max_events", jsonout_count(m->max_events), NULL);
	for (i = 0; i < ARRAY_SIZE(features); i++)
		jsonout_set(&json, features[i].name,
			    jsonout_bool(m->features & features[i].bit), NULL);
	set_limits(&json, info);
	if (info->have_starved)
		jsonout_set(&json, "perf_starved", starved_json(&info->all), NULL);
	jsonout_set(&json, "cpus", module_cpus_json(info), NULL);
	return json;
}

static struct json_object *missing_json(const struct info *info)
{
	struct json_object *missing = json_object_new_array();
	unsigned int i;

	for (i = 0; i < info->nr_missing; i++) {
		const struct missing *m = &info->missing[i];

		jsonout_add(&missing, jsonout_object("what", jsonout_text(m->what),
						     "how", jsonout_text(m->how), NULL));
	}
	return missing;
}

static struct json_object *perf_json(const struct system_info *s)
{
	return jsonout_object("pmus", jsonout_text(s->perf_pmus),
			      "acr_mask", jsonout_bool(s->perf_acr), NULL);
}

static struct json_object *info_json(const struct info *info)
{
	const struct system_info *s = &info->system;

	return jsonout_object("version", jsonout_text(acrpmu_lib_version()),
			      "kernel", jsonout_text(s->release),
			      "machine", jsonout_text(s->cpu_model),
			      "cpus", all_cpus_json(s),
			      "perf", perf_json(s),
			      "nmi_watchdog", jsonout_text(states[s->watchdog]),
			      "lockdown", jsonout_text(states[s->lockdown]),
			      "virtual_machines", jsonout_bool(s->guests),
			      "cap_perfmon", jsonout_bool(s->cap_perfmon),
			      "cap_sys_admin", jsonout_bool(s->cap_admin),
			      "module_loaded", jsonout_bool(s->module || info->have_module),
			      "module", module_json(info),
			      "missing", missing_json(info), NULL);
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
	while ((c = getopt_long(argc, argv, ":jh", options, NULL)) != -1) {
		if (c == 'h')
			return fputs(usage, stdout) < 0 ? ACRCTL_EXIT_FAILED : ACRCTL_EXIT_DONE;
		if (c != 'j')
			return option_refuse("info", c, argv, options);
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
		fprintf(stderr, "acrctl: info: the machine cannot be examined: %s\n",
			strerror(-err));
		return ACRCTL_EXIT_FAILED;
	}
	find_missing(info);
	if (!json) {
		print_text(info);
		return ACRCTL_EXIT_DONE;
	}
	if (jsonout_print(info_json(info)))
		return output_no_memory("info");
	putchar('\n');
	return ACRCTL_EXIT_DONE;
}

/**
 * cmd_info() - acrctl info
 *
 * Return: the exit status.
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
