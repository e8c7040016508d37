// SPDX-License-Identifier: GPL-2.0-only
/* What this machine reports without the module. */
#include "system.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define PMU_DIR		"/sys/bus/event_source/devices/"
#define WATCHDOG_FILE	"/proc/sys/kernel/nmi_watchdog"
#define LOCKDOWN_FILE	"/sys/kernel/security/lockdown"
#define MODULES_FILE	"/proc/modules"
#define MODULE_DIR	"/sys/module/acrpmu"
#define KVM_DIR		"/sys/module/kvm_intel"
#define PATH_LEN	128
#define LINE_LEN	512

/* in-tree PMUs of cores, by the names of their directories */
static const char *const core_pmus[] = { "cpu", "cpu_core", "cpu_atom", "cpu_lowpower" };

/* A missing file is an answer, an allocation failure is not. */
static FILE *open_file(struct system_info *info, const char *path)
{
	FILE *f = fopen(path, "re");

	info->out_of_memory |= !f && errno == ENOMEM;
	return f;
}

/* Read the first line of a file, without its line feed; returns whether there is one. */
static bool first_line(struct system_info *info, const char *path, char *line, size_t size)
{
	FILE *f = open_file(info, path);
	bool ok;

	if (!f)
		return false;
	ok = fgets(line, size, f);
	fclose(f);
	if (ok)
		line[strcspn(line, "\n")] = 0;
	return ok;
}

/* Read what follows "key : " in the first line that begins with key; returns whether found. */
static bool find_value(struct system_info *info, const char *path, const char *key, char *value,
		       size_t size)
{
	char line[LINE_LEN];
	bool found = false;
	FILE *f = open_file(info, path);

	if (!f)
		return false;
	while (!found && fgets(line, sizeof(line), f)) {
		size_t len = strlen(key);
		const char *at = line + len;

		if (strncmp(line, key, len))
			continue;
		at += strspn(at, " \t:");
		line[strcspn(line, "\n")] = 0;
		snprintf(value, size, "%s", at);
		found = true;
	}
	fclose(f);
	return found;
}

static enum system_state watchdog_state(struct system_info *info)
{
	char line[LINE_LEN];

	if (!first_line(info, WATCHDOG_FILE, line, sizeof(line)))
		return SYSTEM_UNKNOWN;
	return atoi(line) ? SYSTEM_ON : SYSTEM_OFF;
}

static enum system_state lockdown_state(struct system_info *info)
{
	char line[LINE_LEN];

	if (!first_line(info, LOCKDOWN_FILE, line, sizeof(line)))
		return SYSTEM_UNKNOWN;
	return strstr(line, "[none]") ? SYSTEM_OFF : SYSTEM_ON;
}

/* Each machine and its vCPUs hold the module that runs them, unless it is built into the kernel. */
static enum system_state guests_state(struct system_info *info)
{
	char value[SYSTEM_TEXT_LEN];
	unsigned int users;

	if (find_value(info, MODULES_FILE, "kvm_intel ", value, sizeof(value)) &&
	    sscanf(value, "%*s %u", &users) == 1)
		return users ? SYSTEM_ON : SYSTEM_OFF;
	return access(KVM_DIR, F_OK) ? SYSTEM_OFF : SYSTEM_UNKNOWN;
}

static void probe_perf(struct system_info *info)
{
	char path[PATH_LEN];
	size_t i, len = 0;

	for (i = 0; i < sizeof(core_pmus) / sizeof(*core_pmus); i++) {
		snprintf(path, sizeof(path), PMU_DIR "%s/type", core_pmus[i]);
		if (access(path, F_OK))
			continue;
		len += snprintf(info->perf_pmus + len, sizeof(info->perf_pmus) - len, "%s%s",
				len ? " " : "", core_pmus[i]);
		snprintf(path, sizeof(path), PMU_DIR "%s/format/acr_mask", core_pmus[i]);
		info->perf_acr |= !access(path, F_OK);
	}
}

/* Add a CPU number to a list; numbers come in order. */
static void list_add(char *list, size_t size, int cpu)
{
	char *last = list + strlen(list);
	int previous;

	while (last > list && last[-1] != ',' && last[-1] != '-')
		last--;
	previous = *list ? atoi(last) : -1;
	if (previous < 0 || previous != cpu - 1) {
		snprintf(list + strlen(list), size - strlen(list), "%s%d", *list ? "," : "", cpu);
		return;
	}
	/* extend a range */
	if (last > list && last[-1] == '-')
		snprintf(last, size - (last - list), "%d", cpu);
	else
		snprintf(list + strlen(list), size - strlen(list), "-%d", cpu);
}

static bool same_kind(const struct acrpmu_cpu *a, const struct acrpmu_cpu *b)
{
	return !strcmp(a->name, b->name) && a->flags == b->flags &&
	       a->pmu_version == b->pmu_version && a->core_type == b->core_type &&
	       a->cntrs == b->cntrs && a->reloadable_cntrs == b->reloadable_cntrs &&
	       a->cause_cntrs == b->cause_cntrs;
}

static int add_cpu(struct system_info *info, int nr, const struct acrpmu_cpu *cpu, bool usable)
{
	struct system_cpus *more;
	size_t i;

	for (i = 0; i < info->nr_cpus; i++) {
		if (info->cpus[i].usable == usable && same_kind(&info->cpus[i].cpu, cpu))
			break;
	}
	if (i == info->nr_cpus) {
		more = reallocarray(info->cpus, i + 1, sizeof(*more));
		if (!more)
			return -ENOMEM;
		info->cpus = more;
		info->nr_cpus++;
		more[i] = (struct system_cpus){ .cpu = *cpu, .usable = usable };
	}
	list_add(info->cpus[i].list, sizeof(info->cpus[i].list), nr);
	return 0;
}

/* CPUID describes the CPU that executes it, so run on each that this process may use. */
static int probe_cpus(struct system_info *info)
{
	size_t nr = sysconf(_SC_NPROCESSORS_CONF), size = CPU_ALLOC_SIZE(nr);
	cpu_set_t *before = CPU_ALLOC(nr), *one = CPU_ALLOC(nr);
	struct acrpmu_cpu cpu;
	bool usable;
	int err = 0;
	size_t i;

	if (!before || !one)
		err = -ENOMEM;
	else if (sched_getaffinity(0, size, before))
		err = -errno;
	for (i = 0; !err && i < nr; i++) {
		if (!CPU_ISSET_S(i, size, before))
			continue;
		CPU_ZERO_S(size, one);
		CPU_SET_S(i, size, one);
		/* it has gone offline */
		if (sched_setaffinity(0, size, one))
			continue;
		usable = !acrpmu_cpu_probe(&cpu);
		err = add_cpu(info, i, &cpu, usable);
	}
	if (before && sched_setaffinity(0, size, before) && !err)
		err = -errno;
	CPU_FREE(before);
	CPU_FREE(one);
	return err;
}

/**
 * system_probe() - examine this machine; system_free() in any case
 *
 * Return: 0, -ENOMEM, or -errno if its CPUs cannot be examined.
 */
int system_probe(struct system_info *info)
{
	struct utsname name;

	*info = (struct system_info){ .release = "" };
	if (!uname(&name))
		snprintf(info->release, sizeof(info->release), "%s", name.release);
	if (!find_value(info, "/proc/cpuinfo", "model name", info->cpu_model,
			sizeof(info->cpu_model)))
		snprintf(info->cpu_model, sizeof(info->cpu_model), "unknown");
	info->watchdog = watchdog_state(info);
	info->lockdown = lockdown_state(info);
	info->guests = guests_state(info);
	info->module = !access(MODULE_DIR, F_OK);
	probe_perf(info);
	permission_probe(&info->user);
	return info->out_of_memory ? -ENOMEM : probe_cpus(info);
}

/**
 * system_task_name() - find the name of a process
 *
 * Return: @buf.
 */
const char *system_task_name(int pid, char *buf, size_t size)
{
	struct system_info none = { .release = "" };
	char path[PATH_LEN];

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	if (!first_line(&none, path, buf, size))
		snprintf(buf, size, "[unknown]");
	return buf;
}

/**
 * system_free() - free what system_probe() found
 */
void system_free(struct system_info *info)
{
	free(info->cpus);
	info->cpus = NULL;
	info->nr_cpus = 0;
}
