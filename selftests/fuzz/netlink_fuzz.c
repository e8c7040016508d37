// SPDX-License-Identifier: GPL-2.0-only
/* Fuzzer: any bytes as a message of the module's netlink family. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "userspace/lib/netlink.h"

#define MAX_SIZE	(2 * ACRPMU_NL_MAX_MESSAGE)

static struct netlink_notice parsed;
static unsigned long sum;

static void check(int cond)
{
	if (!cond)
		abort();
}

static void touch(const void *at, size_t size)
{
	const unsigned char *byte = at;

	while (size--)
		sum += *byte++;
}

/* Everything that a notice points to is readable, and ends within its message. */
static void check_notice(const struct acrpmu_notice *n)
{
	unsigned int i;

	check(n->nr_events <= ACRPMU_MAX_EVENTS && n->nr_counts <= ACRPMU_MAX_EVENTS);
	check(n->nr_placements <= NETLINK_MAX_PLACEMENTS);
	check(strnlen(n->comm, sizeof(n->comm)) < sizeof(n->comm));
	check(strnlen(n->holder, sizeof(n->holder)) < sizeof(n->holder));
	touch(n->cpus.bits, n->cpus.size);
	touch(n->events, n->nr_events * sizeof(*n->events));
	touch(n->counts, n->nr_counts * sizeof(*n->counts));
	for (i = 0; i < n->nr_placements; i++) {
		check(n->placements[i].cpus.size && n->placements[i].nr_cntrs);
		touch(n->placements[i].cpus.bits, n->placements[i].cpus.size);
		touch(n->placements[i].cntrs, n->placements[i].nr_cntrs);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned char *copy;
	int err;

	if (size > MAX_SIZE)
		return 0;
	/* of its exact size, so that a read beyond its end is found */
	copy = malloc(size ? size : 1);
	check(!!copy);
	if (size)
		memcpy(copy, data, size);
	memset(&parsed, 0xa5, sizeof(parsed));
	err = acrpmu_netlink_parse(copy, size, &parsed);
	check(!err || err == -EBADMSG);
	if (!err)
		check_notice(&parsed.notice);
	free(copy);
	return 0;
}
