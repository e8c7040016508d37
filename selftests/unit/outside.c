// SPDX-License-Identifier: GPL-2.0-only
/* What the library under test needs of parts that are not in it; a test may define its own. */
#include "userspace/lib/event_table.h"
#include "userspace/montecito/acrctl/montecito.h"

const struct event_maps acrpmu_builtin_events;

const char montecito_usage[] = "";
const struct option montecito_options[MONTECITO_NR_OPTIONS + 1];

int montecito_args_add(struct montecito_args *args, int option)
{
	(void)args;
	(void)option;
	return -1;
}

void montecito_args_free(struct montecito_args *args)
{
	(void)args;
}

int montecito_encode(const struct montecito_request *request)
{
	(void)request;
	return -1;
}

int montecito_list(const struct montecito_request *request)
{
	(void)request;
	return -1;
}
