// SPDX-License-Identifier: GPL-2.0-only
/* acrctl info: what this CPU, kernel and module offer, what is missing and how to get it. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "../../util/util.h"
#include "../jsonout.h"
#include "info.h"

#define ABI_STARVED	4	/* the ABI version that brought ACRPMU_INFO_STARVED */

static const char usage[] =
"Usage: acrctl info [--json]\n"
"\n"
"Show what this machine's CPUs, kernel and module offer, and what is missing for recording.\n"
"\n"
"  -j, --json   print JSON\n"
"  -h, --help   show this help\n";

/* ---- examining ---------------------------------------------------------------------------- */

/* The library's struct keeps its size of version 1. */
static int ask_all(struct info *info, __u32 flags)
{
	struct acrpmu_info all = { .size = sizeof(all), .flags = flags };
	int err, fd = acrpmu_device_fd(info->device);

	if (acrctl_ops)
		err = acrctl_ops->ioctl(fd, ACRPMU_INFO, &all);
	else
		err = ioctl(fd, ACRPMU_INFO, &all) ? -errno : 0;
	if (!err)
		info->all = all;
	return err;
}

static void ask_rest(struct info *info)
{
	bool capable = info->system.user.cap_perfmon || info->system.user.cap_admin;

	info->starved_err = -EOPNOTSUPP;
	if (info->module.abi_version < ABI_STARVED)
		return;
	/* in a user namespace a capable user may not see it either */
	info->starved_err = capable ? ask_all(info, ACRPMU_INFO_STARVED) : -EPERM;
	if (info->starved_err)
		ask_all(info, 0);
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
		     info_has_software(info) ?
		     "software does it, at the cost of an interrupt for each window; for hardware use "
		     "Clearwater Forest, E-cores from Lunar Lake on, or the model: make demo" :
		     "plain sampling and counting work; for acr_mask and ratio-to-prev install a "
		     "newer module, or use Clearwater Forest, or E-cores from Lunar Lake on");
	if (!info->have_module)
		miss(info, info->device_message.text, info->device_message.hint);
	if (info->permission == PERMISSION_PARANOID)
		miss(info, "kernel.perf_event_paranoid forbids this user to observe even own tasks",
		     "let root set it to 2: 'sysctl kernel.perf_event_paranoid=2'");
	if (info->permission == PERMISSION_NOTHING)
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
			return output_help(usage);
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
	info->permission = permission_of(&info->system.user, info->module.features);
	find_missing(info);
	if (!json) {
		info_print_text(info);
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
