/* SPDX-License-Identifier: GPL-2.0-only */
/* What tests must know about the kernel that they run on. */
#ifndef SELFTESTS_KERNEL_H
#define SELFTESTS_KERNEL_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

/**
 * is_flavour() - whether the kernel was built here, as this flavour
 */
static inline bool is_flavour(const char *flavour)
{
	struct utsname name;
	size_t len = strlen(flavour), release;

	if (uname(&name))
		return false;
	release = strlen(name.release);
	return release > len && name.release[release - len - 1] == '-' &&
	       !strcmp(name.release + release - len, flavour);
}

/**
 * has_debugging() - whether the kernel has debugging options, and so takes long for everything
 */
static inline bool has_debugging(void)
{
	return is_flavour("debug") || is_flavour("kcsan") || is_flavour("clang");
}

/**
 * is_configured() - whether a configuration of the kernel can be found that has the option
 */
static inline bool is_configured(const char *option)
{
	char command[256], line[64];
	bool found;
	FILE *out;

	snprintf(command, sizeof(command), "zgrep -hx %s=y /proc/config.gz /boot/config-$(uname -r)"
		 " $ACR_BUILD/kernels/$ACR_KERNEL/config 2>/dev/null", option);
	out = popen(command, "r");
	found = out && fgets(line, sizeof(line), out);
	if (out)
		pclose(out);
	return found;
}

/**
 * zeroes_at_stop() - whether every stop zeroes the counters, since in-tree perf's function that
 *	does so when it must may have been inlined by link-time optimization
 */
static inline bool zeroes_at_stop(void)
{
	return is_flavour("clang");
}

#endif /* SELFTESTS_KERNEL_H */
