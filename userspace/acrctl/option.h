/* SPDX-License-Identifier: GPL-2.0-only */
/* Refusals of options that getopt_long() could not take. */
#ifndef _ACRCTL_OPTION_H
#define _ACRCTL_OPTION_H

#include <getopt.h>

#include "../lib/acrpmu_lib.h"

int option_refusal(struct acrpmu_message *message, const char *command, int c, char **argv,
		   const struct option *options);
int option_refuse(const char *command, int c, char **argv, const struct option *options);

#endif /* _ACRCTL_OPTION_H */
