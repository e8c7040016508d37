/* SPDX-License-Identifier: GPL-2.0-only */
/* Named events on the command line: of which CPU, from which files, what is wrong there. */
#ifndef _ACRCTL_NAMES_H
#define _ACRCTL_NAMES_H

#include "cmd.h"

/* whose events are shown where those of this machine are not known */
#define NAMES_DEFAULT_PMU	"clearwaterforest"
#define NAMES_CPUID_ENV		"ACRCTL_CPUID"

/* An Itanium, which is encoded and listed but not counted: see userspace/montecito. */
#define MONTECITO_NAME		"montecito"
#define MONTECITO_SHORT_NAME	"mont"
#define MONTECITO_CORE		"dual-core Itanium 2"

/**
 * enum names_guess - when to take NAMES_DEFAULT_PMU instead of the CPU of this machine
 * @NAMES_NO_GUESS: never
 * @NAMES_GUESS_UNKNOWN: if nothing is known of that CPU
 * @NAMES_GUESS_OTHER: also if it has no row of its own in the CPU table
 */
enum names_guess {
	NAMES_NO_GUESS,
	NAMES_GUESS_UNKNOWN,
	NAMES_GUESS_OTHER,
};

/**
 * struct names - named events, as a command line asks for them
 * @command: name of the command, for messages
 * @pmu: argument of --pmu, NULL if not given
 * @dir: argument of --events, NULL if not given
 * @guess: what to do where the CPU is not known
 * @events: out, the events
 * @guessed: out, whether they are those of NAMES_DEFAULT_PMU only because of @guess
 * @nr_reports: out, how many things are wrong with the files
 * @nr_repeated: how many reports to come were shown before
 */
struct names {
	const char *command;
	const char *pmu;
	const char *dir;
	enum names_guess guess;
	struct acrpmu_events *events;
	bool guessed;
	unsigned int nr_reports;
	unsigned int nr_repeated;
};

int names_open(struct names *names, struct acrpmu_message *message);
int names_parse(const char *command, const char *dir, const struct event_args *args,
		const struct acrpmu_parse_options *options, struct acrpmu_spec **spec);
void names_close(struct names *names);
bool names_asks_for_list(const char *pmu);
void names_list_pmus(struct names *names);
bool names_is_montecito(const char *cpu, size_t len);
size_t names_montecito_prefix(const char *text);
void names_explain_montecito(const struct event_args *args, struct acrpmu_message *message);
bool names_match(const char *name, const char *pattern);

#endif /* _ACRCTL_NAMES_H */
