/* SPDX-License-Identifier: GPL-2.0-only */
/* Named events on the command line: of which CPU, from which files, and errors in those. */
#ifndef _ACRCTL_NAMES_H
#define _ACRCTL_NAMES_H

#include "cmd.h"

/* the CPU taken where that of this machine is not known */
#define NAMES_DEFAULT_PMU	"clearwaterforest"
#define NAMES_CPUID_ENV		"ACRCTL_CPUID"

/* An Itanium, which is encoded and listed but not counted: see userspace/montecito. */
#define MONTECITO_NAME		"montecito"
#define MONTECITO_SHORT_NAME	"mont"
#define MONTECITO_CORE		"dual-core Itanium 2"

/* When to take NAMES_DEFAULT_PMU instead of the CPU of this machine. */
enum names_guess {
	NAMES_NO_GUESS,			/* never, as there is no option --pmu */
	NAMES_GUESS_UNKNOWN,		/* if nothing is known about that CPU */
	NAMES_GUESS_OTHER,		/* also if it has no row in the CPU table */
};

/* The named events that a command line asks for. */
struct names {
	const char *command;		/* for messages */
	const char *pmu;		/* of --pmu, NULL: not given */
	const char *dir;		/* of --events, NULL: not given */
	const struct acrpmu_cpu_info *cpu;	/* the CPU unless @pmu, NULL: not given */
	enum names_guess guess;
	struct acrpmu_events *events;	/* out */
	bool guessed;			/* out: @guess applied */
	unsigned int nr_reports;	/* out: errors in the files */
	unsigned int nr_repeated;	/* errors still to come that were already shown */
};

int names_open(struct names *names, struct acrpmu_message *message);
void names_close(struct names *names);
bool names_asks_for_list(const char *pmu);
int names_list_pmus(struct names *names, bool json);
bool names_is_montecito(const char *cpu, size_t len);
size_t names_montecito_prefix(const char *text);
void names_explain_montecito(const struct event_args *args, struct acrpmu_message *message);
bool names_match(const char *name, const char *pattern);

#endif /* _ACRCTL_NAMES_H */
