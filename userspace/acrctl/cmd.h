/* SPDX-License-Identifier: GPL-2.0-only */
/* What the commands of acrctl share: their table, exit statuses, event arguments, error output. */
#ifndef _ACRCTL_CMD_H
#define _ACRCTL_CMD_H

#include <stdbool.h>

#include "../lib/acrpmu_lib.h"

#define ACRCTL_EXIT_DONE	0	/* record and stat: or the command's own status */
#define ACRCTL_EXIT_FAILED	1	/* the environment, the CPU or the module refused */
#define ACRCTL_EXIT_USAGE	2	/* the command line is wrong */

struct acrctl_command {
	const char *name;
	const char *summary;			/* a line of the general help */
	int (*run)(int argc, char **argv);	/* from the name on; returns the exit status */
};

int cmd_annotate(int argc, char **argv);
int cmd_info(int argc, char **argv);
int cmd_encode(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_monitor(int argc, char **argv);
int cmd_ps(int argc, char **argv);
int cmd_push(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_script(int argc, char **argv);
int cmd_stat(int argc, char **argv);
int cmd_top(int argc, char **argv);

/* system calls for the device, NULL: the real ones; tests link others (ops.c) */
extern const struct acrpmu_ops *const acrctl_ops;

/* Event strings of a command line, in order, for acrpmu_spec_parse(). */
struct event_args {
	char **strings;
	unsigned int nr;
};

struct option;

/* args.c */
int event_args_add(struct event_args *args, const char *first, int argc, char **argv, int *next);
void event_args_free(struct event_args *args);
int event_args_number(const char *command, const char *what, const char *arg, __u64 max,
		      __u64 *value);
int event_args_number_or_0(const char *command, const char *what, const char *arg, __u64 max,
			   __u64 *value);
int event_args_seconds(const char *command, const char *what, const char *arg, __u64 min_ms,
		       __u64 max_s, __u64 *ms);
int event_args_levels(const char *command, __u32 levels);
int event_args_count(const char *arg, __u64 *count, struct acrpmu_message *message);

int option_refusal(struct acrpmu_message *message, const char *command, int c, char **argv,
		   const struct option *options);
int option_refuse(const char *command, int c, char **argv, const struct option *options);

/* output.c */
void output_error(const char *command, const struct acrpmu_message *message,
		  const struct event_args *args);
char *output_matrix(const struct acrpmu_spec *spec, unsigned int group);
void output_hw(const struct acrpmu_spec *spec, unsigned int group, struct acrpmu_session *session);
int output_no_memory(const char *command);
int output_help(const char *usage);
int output_finish(int status);

#endif /* _ACRCTL_CMD_H */
