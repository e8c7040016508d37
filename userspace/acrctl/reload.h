/* SPDX-License-Identifier: GPL-2.0-only */
/* The option --acr: whether the CPU or software reloads counters. */
#ifndef _ACRCTL_RELOAD_H
#define _ACRCTL_RELOAD_H

#include "../perfdata/reader.h"
#include "cmd.h"

enum { RELOAD_OPT_ACR = 1088 };

#define RELOAD_USAGE \
"      --acr HOW         reload counters by 'hardware' (auto counter reload), which few CPUs\n" \
"                        have; in 'software', with an interrupt for each window; or 'auto'\n" \
"                        (default): by hardware if all CPUs in question have it, otherwise in\n" \
"                        software\n"

/* in a recording's header, behind the version of acrctl and before reload_words() */
#define RELOAD_HEADER	", reload "

enum reload {
	RELOAD_AUTO,			/* asked for; or used: no event has a mask */
	RELOAD_HARDWARE,
	RELOAD_SOFTWARE,
};

int reload_take_option(enum reload *asked, int c, const char *arg, struct acrpmu_message *message);
const char *reload_name(enum reload how);
const char *reload_words(enum reload how);
enum reload reload_find(const char *version);
enum reload reload_of(const struct pd_reader *reader);
bool reload_is_used(const struct acrpmu_spec *spec, unsigned int group);
bool reload_is_cause(const struct acrpmu_spec *spec, unsigned int group, unsigned int event);
int reload_check_module(enum reload asked, __u64 features, __u32 abi_version,
			struct acrpmu_message *message);

#endif /* _ACRCTL_RELOAD_H */
