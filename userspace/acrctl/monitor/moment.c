// SPDX-License-Identifier: GPL-2.0-only
/* When something happened: the module's clock and that of calendars. */
#include <time.h>

#include "../../util/util.h"
#include "monitor.h"

/**
 * moment_now() - read both clocks
 */
struct moment moment_now(void)
{
	struct timespec boot, real;

	clock_gettime(CLOCK_BOOTTIME, &boot);
	clock_gettime(CLOCK_REALTIME, &real);
	return (struct moment){
		.boot_ns = boot.tv_sec * NSEC_PER_SEC + boot.tv_nsec,
		.real_ns = real.tv_sec * NSEC_PER_SEC + real.tv_nsec,
	};
}

/**
 * moment_real_ns() - when something was, since 1970
 * @boot_ns: the same by CLOCK_BOOTTIME
 */
__u64 moment_real_ns(const struct moment *now, __u64 boot_ns)
{
	return now->real_ns - (now->boot_ns - boot_ns);
}

/**
 * moment_age_ns() - how long ago something was
 * @boot_ns: when it was, by CLOCK_BOOTTIME
 *
 * Return: 0 also if it was later, such as a session that is created while they are listed, or by
 * the clock of another time namespace.
 */
__u64 moment_age_ns(const struct moment *now, __u64 boot_ns)
{
	return now->boot_ns > boot_ns ? now->boot_ns - boot_ns : 0;
}

/**
 * item_real_ns() - when something happened, or now if its message has no time
 */
__u64 item_real_ns(const struct item *item)
{
	if (!acrpmu_notice_has(item->notice, ACRPMU_NL_A_TIME))
		return item->now.real_ns;
	return moment_real_ns(&item->now, item->notice->time_ns);
}
