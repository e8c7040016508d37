/* SPDX-License-Identifier: GPL-2.0-only */
/* Montecito, an Itanium: all that 'acrctl encode' and 'acrctl list' call of this wing. */
#ifndef _ACRCTL_MONTECITO_H
#define _ACRCTL_MONTECITO_H

#include <getopt.h>

#include "../../acrctl/names.h"

#define MONTECITO_NR_OPTIONS	13

/* The options of 'acrctl encode' that only Montecito has, in the order of the command line. */
struct montecito_args {
	struct montecito_arg *arg;
	unsigned int nr;
};

/**
 * struct montecito_request - a command line of 'acrctl encode' or 'acrctl list'
 * @names: --pmu and --events
 * @words: strings of events, or patterns
 * @args: encode: options that only Montecito has
 * @count: encode: argument of -c, 0 if not given
 * @topic: list: argument of --topic, NULL if not given
 * @json: whether to print JSON
 */
struct montecito_request {
	const struct names *names;
	struct event_args words;
	const struct montecito_args *args;
	__u64 count;
	const char *topic;
	bool json;
};

extern const char montecito_usage[];
extern const struct option montecito_options[MONTECITO_NR_OPTIONS + 1];

int montecito_args_add(struct montecito_args *args, int option);
void montecito_args_free(struct montecito_args *args);
int montecito_encode(const struct montecito_request *request);
int montecito_list(const struct montecito_request *request);

#endif /* _ACRCTL_MONTECITO_H */
