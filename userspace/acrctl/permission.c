// SPDX-License-Identifier: GPL-2.0-only
/* What this user may observe: by capabilities, the module's parameter and perf_event_paranoid. */
#include "permission.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define UID_MAP_FILE	"/proc/self/uid_map"
#define PARANOID_FILE	"/proc/sys/kernel/perf_event_paranoid"
#define CAP_BIT(cap)	(1ULL << (cap))
#define LINE_LEN	256

/* Up to here the module lets users observe their own tasks at user level. */
#define PARANOID_MAX	2

/* No stream: no memory would look like no capability. */
static void read_file(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? 0 : read(fd, text, size - 1);

	text[len < 0 ? 0 : len] = '\0';
	if (fd >= 0)
		close(fd);
}

static unsigned long long effective_caps(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	if (syscall(SYS_capget, &header, data))
		return 0;
	return data[0].effective | (unsigned long long)data[1].effective << 32;
}

/* The first one maps every id to itself. */
static bool in_namespace(void)
{
	unsigned int first, to, count;
	char text[LINE_LEN];

	read_file(UID_MAP_FILE, text, sizeof(text));
	return *text && (sscanf(text, "%u %u %u", &first, &to, &count) != 3 || first || to ||
			 count != UINT32_MAX);
}

static bool read_paranoid(int *value)
{
	char text[LINE_LEN];

	read_file(PARANOID_FILE, text, sizeof(text));
	return sscanf(text, "%d", value) == 1;
}

/**
 * permission_probe() - examine this process and this kernel
 */
void permission_probe(struct permission_facts *facts)
{
	unsigned long long caps = effective_caps();

	*facts = (struct permission_facts){
		.cap_perfmon = caps & CAP_BIT(CAP_PERFMON),
		.cap_admin = caps & CAP_BIT(CAP_SYS_ADMIN),
		.in_namespace = in_namespace(),
	};
	facts->has_paranoid = read_paranoid(&facts->paranoid);
}

/**
 * permission_of() - what the user may observe
 * @features: of the module, ACRPMU_FEATURE_*; 0 without one
 */
enum permission permission_of(const struct permission_facts *facts, __u64 features)
{
	if ((facts->cap_perfmon || facts->cap_admin) && !facts->in_namespace)
		return PERMISSION_ALL;
	if (!(features & ACRPMU_FEATURE_UNPRIVILEGED))
		return PERMISSION_NOTHING;
	return facts->has_paranoid && facts->paranoid > PARANOID_MAX ? PERMISSION_PARANOID :
								       PERMISSION_OWN;
}
