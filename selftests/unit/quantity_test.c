// SPDX-License-Identifier: GPL-2.0-only
/* Times and sizes on the command line. */
#include "tap.h"
#include "userspace/acrctl/fleet/quantity.h"

static void time_is(const char *text, __u64 want)
{
	__u64 got = 0;

	ok(quantity_time_ms(text, &got) && got == want, "%s is %llu ms", text, want);
}

static void size_is(const char *text, __u64 want)
{
	__u64 got = 0;

	ok(quantity_bytes(text, &got) && got == want, "%s is %llu bytes", text, want);
}

int main(void)
{
	static const char *const bad[] = {
		"", "0", "0s", "-1", "+1", "1.5s", "s", "1 s", "1x", "1ss",
		"18446744073709551616", "99999999999999999999d", "18446744073709551615m",
	};
	__u64 got = 7;
	size_t i;

	plan(0);
	time_is("5", 5000);
	time_is("500ms", 500);
	time_is("10s", 10000);
	time_is("5m", 300000);
	time_is("5min", 300000);
	time_is("2h", 7200000);
	time_is("1d", 86400000);
	size_is("1048576", 1048576);
	size_is("3B", 3);
	size_is("512K", 524288);
	size_is("512k", 524288);
	size_is("64M", 67108864);
	size_is("2G", 2147483648);
	size_is("2GiB", 2147483648);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		ok(!quantity_time_ms(bad[i], &got) && !quantity_bytes(bad[i], &got) && got == 7,
		   "'%s' is neither", bad[i]);
	return done();
}
