// SPDX-License-Identifier: GPL-2.0-only
/* What this user may observe: by capabilities, the module's parameter and perf_event_paranoid. */
#include "permission.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define UID_MAP_FILE	"/proc/self/uid_map"
#define PARANOID_FILE	"/proc/sys/kernel/perf_event_paranoid"
#define CAP_BIT(cap)	(1ULL << (cap))
#define LINE_LEN	256

/* Up to here in-tree perf lets users observe their own tasks at user level. */
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

/**
 * permission_check() - honour perf_event_paranoid, which the module cannot read
 *
 * What else is not allowed, the module refuses itself.
 *
 * Return: 0, or -errno after a message.
 */
int permission_check(const char *command, struct acrpmu_device *device)
{
	struct permission_facts facts;
	struct acrpmu_message message;
	struct acrpmu_cpu_info *cpus;
	struct acrpmu_info info;
	int err;

	permission_probe(&facts);
	/* those who may observe everything need not ask the module */
	if (permission_of(&facts, 0) == PERMISSION_ALL)
		return 0;
	err = acrpmu_device_info(device, &info, &cpus);
	if (err) {
		acrpmu_explain(err, NULL, NULL, 0, &message);
		fprintf(stderr, "acrctl: %s: %s; %s\n", command, message.text, message.hint);
		return err;
	}
	free(cpus);
	if (permission_of(&facts, info.features) != PERMISSION_PARANOID)
		return 0;
	fprintf(stderr,
		"acrctl: %s: kernel.perf_event_paranoid is %d, which forbids users without "
		"CAP_PERFMON to observe even their own tasks; let root set it to 2 (sysctl "
		"kernel.perf_event_paranoid=2), or give acrctl CAP_PERFMON for one group: "
		"acrctl(1), PERMISSION\n",
		command, facts.paranoid);
	return -EPERM;
}
