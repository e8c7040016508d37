/* SPDX-License-Identifier: GPL-2.0-only */
/* When record and stat count: --delay, --duration, and commands that others write (--control). */
#ifndef _ACRCTL_CONTROL_H
#define _ACRCTL_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

/* longest command with its line feed, as perf's */
#define CONTROL_LINE_LEN	64
/* @delay_ms: wait for a command */
#define CONTROL_WAIT		(-1)

/* What a command of acrctl does when it is due; each returns 0, or -errno after a message. */
struct control_ops {
	int (*enable)(void *ctx, bool on);
	int (*snapshot)(void *ctx);
};

struct control {
	const char *command;		/* of acrctl, for messages */
	int delay_ms;			/* 0: none, CONTROL_WAIT: until a command */
	__u64 duration_ms;		/* 0: none */
	const char *path;		/* argument of --control, NULL: not given */
	int fd;				/* to read commands from, -1: none, or at its end */
	int ack_fd;			/* to answer on, -1: none */
	bool own;			/* the descriptors are ours: fifos */
	bool on;			/* counting is enabled */
	bool stop;			/* the end was asked for, or is due */
	__u64 enable_at_ms;		/* CLOCK_MONOTONIC, 0: not due */
	__u64 stop_at_ms;		/* likewise */
	char line[CONTROL_LINE_LEN];	/* what was read of a command */
	size_t len;
	bool too_long;			/* the rest of its line is dropped */
	const struct control_ops *ops;
	void *ctx;
};

#define CONTROL_INIT(command_)	{ .command = (command_), .fd = -1, .ack_fd = -1 }

/* options that record and stat have in common, for getopt_long() */
enum { CONTROL_OPT_DELAY = 600, CONTROL_OPT_DURATION, CONTROL_OPT_FILES };
#define CONTROL_SHORT_OPTIONS	"D:"

int control_take_option(struct control *c, int option, const char *arg);
bool control_check(const struct control *c);
int control_open(struct control *c);
void control_begin(struct control *c, const struct control_ops *ops, void *ctx);
int control_timeout_ms(const struct control *c, int otherwise_ms);
int control_run(struct control *c, short revents);
void control_close(struct control *c);

#endif /* _ACRCTL_CONTROL_H */
