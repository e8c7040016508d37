// SPDX-License-Identifier: GPL-2.0-only
/* Times and sizes on the command line. */
#include "quantity.h"

#include <stddef.h>
#include <string.h>

#include "../../util/number.h"
#include "../../util/util.h"

/* some years, and some tebibytes: sums of them are far from overflow */
#define MAX_MS		1000000000000ULL
#define MAX_BYTES	(1ULL << 44)

struct unit {
	const char *name;
	__u64 factor;
};

/* A whole number and a unit, from 1 to @max. */
static bool parse(const char *text, const struct unit *units, size_t nr, __u64 max, __u64 *value)
{
	size_t digits = strspn(text, "0123456789"), i, bad;
	__u64 number;

	if (acrpmu_number_parse(text, digits, &number, &bad))
		return false;
	for (i = 0; i < nr && strcmp(text + digits, units[i].name); i++)
		;
	if (i == nr || !number || number > max / units[i].factor)
		return false;
	*value = number * units[i].factor;
	return true;
}

/**
 * quantity_time_ms() - read a time like 500ms, 10s, 5m, 2h or 1d; seconds need no unit
 */
bool quantity_time_ms(const char *text, __u64 *ms)
{
	static const struct unit units[] = {
		{ "", 1000 }, { "ms", 1 }, { "s", 1000 }, { "m", 60000 }, { "min", 60000 },
		{ "h", 3600000 }, { "d", 86400000 },
	};

	return parse(text, units, ARRAY_SIZE(units), MAX_MS, ms);
}

/**
 * quantity_bytes() - read a size like 512K, 64M or 2G; bytes need no unit
 */
bool quantity_bytes(const char *text, __u64 *bytes)
{
	static const struct unit units[] = {
		{ "", 1 }, { "B", 1 }, { "K", 1 << 10 }, { "M", 1 << 20 }, { "G", 1 << 30 },
		{ "k", 1 << 10 }, { "KiB", 1 << 10 }, { "MiB", 1 << 20 }, { "GiB", 1 << 30 },
	};

	return parse(text, units, ARRAY_SIZE(units), MAX_BYTES, bytes);
}
