// SPDX-License-Identifier: GPL-2.0-only
/* When record and stat count: --delay, --duration, and commands that others write (--control). */
#include "control.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../util/message.h"
#include "../util/util.h"
#include "cmd.h"
#include "terminal.h"

#define MSEC_PER_SEC	1000
#define MAX_DELAY_MS	3600000
#define MAX_DURATION_S	31536000
#define ANSWER_LEN	256
#define REFUSAL		"error: "
/* for a program that has not read its answers; then it has no interest in them */
#define ANSWER_MS	1000

#define CONTROL_SAY(c, format, ...)	\
	fprintf(stderr, "acrctl: %s: " format "\n", (c)->command, ##__VA_ARGS__)

static __u64 now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (__u64)t.tv_sec * MSEC_PER_SEC + t.tv_nsec / NSEC_PER_MSEC;
}

/* ---- the command line --------------------------------------------------------------------- */

static int take_delay(struct control *c, const char *arg)
{
	__u64 ms;
	int err;

	if (!strcmp(arg, "-1")) {
		c->delay_ms = CONTROL_WAIT;
		return 0;
	}
	err = event_args_number(c->command, "--delay", arg, MAX_DELAY_MS, &ms);
	if (err)
		fprintf(stderr, "acrctl: %s: give milliseconds, or -1 to wait for --control\n",
			c->command);
	else
		c->delay_ms = ms;
	return err;
}

static int take_duration(struct control *c, const char *arg)
{
	return event_args_seconds(c->command, "--duration", arg, 1, MAX_DURATION_S,
				  &c->duration_ms);
}

/* "fd:" or "fifo:"; returns what follows, NULL: neither. */
static const char *after_scheme(const char *path, bool *fifo)
{
	static const char fd[] = "fd:", fifos[] = "fifo:";

	*fifo = !strncmp(path, fifos, strlen(fifos));
	if (*fifo)
		return path + strlen(fifos);
	return strncmp(path, fd, strlen(fd)) ? NULL : path + strlen(fd);
}

static bool is_descriptor(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (!isdigit((unsigned char)text[i]))
			return false;
	}
	return len && len <= strlen("2147483647") && atoll(text) <= INT_MAX;
}

static int take_files(struct control *c, const char *arg)
{
	bool fifo, good;
	const char *files = after_scheme(arg, &fifo);
	size_t len = files ? strcspn(files, ",") : 0;
	const char *ack = files && files[len] ? files + len + 1 : NULL;

	good = files && (fifo ? len > 0 : is_descriptor(files, len)) &&
	       (!ack || (fifo ? *ack && !strchr(ack, ',') : is_descriptor(ack, strlen(ack))));
	if (!good) {
		CONTROL_SAY(c, "--control '%s' names no descriptors or fifos; write fd:CTL or "
			    "fd:CTL,ACK with numbers, or fifo:CTL or fifo:CTL,ACK with paths",
			    acrpmu_message_word(arg, strlen(arg)).text);
		return -EINVAL;
	}
	c->path = arg;
	return 0;
}

/**
 * control_take_option() - read an option about when to count; others are left alone
 *
 * Return: 0, or -EINVAL after a message.
 */
int control_take_option(struct control *c, int option, const char *arg)
{
	switch (option) {
	case 'D':
		return take_delay(c, arg);
	case CONTROL_OPT_DURATION:
		return take_duration(c, arg);
	case CONTROL_OPT_FILES:
		return take_files(c, arg);
	}
	return 0;
}

/**
 * control_check() - check that counting can ever begin
 *
 * Return: whether it can; if not, a message has been printed.
 */
bool control_check(const struct control *c)
{
	if (c->delay_ms != CONTROL_WAIT || c->path)
		return true;
	CONTROL_SAY(c, "--delay -1 waits for a command 'enable', and there is no --control to "
		    "receive one; add it");
	return false;
}

/* ---- descriptors -------------------------------------------------------------------------- */

/* For both directions, so that neither end of file nor a missing reader ends it. */
static int open_fifo(const struct control *c, const char *path)
{
	int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC), err;
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st) && S_ISFIFO(st.st_mode))
		return fd;
	err = fd < 0 ? -errno : -EINVAL;
	CONTROL_SAY(c, "--control: '%s': %s; make the fifo with mkfifo(1) first",
		    acrpmu_message_word(path, strlen(path)).text,
		    fd < 0 ? strerror(-err) : "it is not a fifo");
	if (fd >= 0)
		close(fd);
	return err;
}

static int check_fd(const struct control *c, int fd, int direction)
{
	int flags = fcntl(fd, F_GETFL);
	int mode = flags & O_ACCMODE;

	if (flags >= 0 && (mode == O_RDWR || mode == direction))
		return fd;
	CONTROL_SAY(c, "--control: descriptor %d %s; open it before, such as with %d%s FILE in "
		    "a shell",
		    fd, flags < 0 ? "is not open" : direction == O_RDONLY ? "cannot be read" :
		    "cannot be written", fd, direction == O_RDONLY ? "<" : ">");
	return -EBADF;
}

/**
 * control_open() - open or check the files of --control; control_close() in any case
 *
 * Return: 0, or -errno after a message.
 */
int control_open(struct control *c)
{
	char *files, *ack;

	if (!c->path)
		return 0;
	files = strdup(after_scheme(c->path, &c->own));
	if (!files) {
		output_no_memory(c->command);
		return -ENOMEM;
	}
	ack = strchr(files, ',');
	if (ack)
		*ack++ = '\0';
	c->fd = c->own ? open_fifo(c, files) : check_fd(c, atoi(files), O_RDONLY);
	if (c->fd >= 0 && ack)
		c->ack_fd = c->own ? open_fifo(c, ack) : check_fd(c, atoi(ack), O_WRONLY);
	free(files);
	if (c->fd < 0)
		return c->fd;
	return ack && c->ack_fd < 0 ? c->ack_fd : 0;
}

/**
 * control_close() - undo control_open()
 */
void control_close(struct control *c)
{
	if (c->own && c->fd >= 0)
		close(c->fd);
	if (c->own && c->ack_fd >= 0)
		close(c->ack_fd);
	c->fd = -1;
	c->ack_fd = -1;
}

/* ---- commands ----------------------------------------------------------------------------- */

static void answer(struct control *c, const char *text)
{
	struct pollfd room = { .fd = c->ack_fd, .events = POLLOUT };
	size_t len = strlen(text);

	if (c->ack_fd < 0)
		return;
	/* a pipe takes a short line whole or not at all */
	if (poll(&room, 1, ANSWER_MS) == 1 && room.revents & POLLOUT &&
	    write(c->ack_fd, text, len) == (ssize_t)len)
		return;
	CONTROL_SAY(c, "--control: nobody reads the answers; there are no more");
	if (c->own)
		close(c->ack_fd);
	c->ack_fd = -1;
}

static void refuse(struct control *c, const char *why)
{
	char text[ANSWER_LEN + sizeof(REFUSAL)];

	CONTROL_SAY(c, "--control: %s", why);
	snprintf(text, sizeof(text), REFUSAL "%s\n", why);
	answer(c, text);
}

/* Counting begins or ends; the time of --duration runs from the first beginning. */
static int enable(struct control *c, bool on)
{
	int err = c->on == on ? 0 : c->ops->enable(c->ctx, on);

	if (err)
		return err;
	c->on = on;
	c->enable_at_ms = 0;
	if (on && c->duration_ms && !c->stop_at_ms)
		c->stop_at_ms = now_ms() + c->duration_ms;
	return 0;
}

static int run_command(struct control *c)
{
	struct message_word word = acrpmu_message_word(c->line, strlen(c->line));
	char why[ANSWER_LEN];
	int err = 0;

	if (!strcmp(c->line, "enable")) {
		err = enable(c, true);
	} else if (!strcmp(c->line, "disable")) {
		err = enable(c, false);
	} else if (!strcmp(c->line, "snapshot")) {
		err = c->ops->snapshot(c->ctx);
	} else if (!strcmp(c->line, "stop")) {
		c->stop = true;
	} else if (strcmp(c->line, "ping")) {
		snprintf(why, sizeof(why), "there is no command '%s': write enable, disable, "
			 "snapshot, ping or stop", word.text);
		refuse(c, why);
		return 0;
	}
	if (err)
		answer(c, REFUSAL "the command failed\n");
	else
		answer(c, "ack\n");
	return err;
}

/* A line feed ends a command or, as in perf, a NUL; after both there is an empty one. */
static int take_byte(struct control *c, char byte)
{
	int err = 0;

	if (byte != '\n' && byte) {
		if (c->len < sizeof(c->line) - 1)
			c->line[c->len++] = byte;
		else
			c->too_long = true;
		return 0;
	}
	c->line[c->len] = '\0';
	if (c->too_long)
		refuse(c, "no command is as long as that; end each with a line feed or NUL");
	else if (c->len)
		err = run_command(c);
	c->len = 0;
	c->too_long = false;
	return err;
}

/* What is there now; nothing after "stop" matters. */
static int read_commands(struct control *c)
{
	char bytes[CONTROL_LINE_LEN];
	ssize_t n = read(c->fd, bytes, sizeof(bytes)), i;
	int err = 0;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	/* all writers have closed it: counting goes on as it is */
	if (n <= 0 && c->own)
		close(c->fd);
	if (n <= 0)
		c->fd = -1;
	for (i = 0; i < n && !err && !c->stop; i++)
		err = take_byte(c, bytes[i]);
	return err;
}

/* ---- while counting ----------------------------------------------------------------------- */

/**
 * control_begin() - note that the target runs now, and counting has begun unless it is delayed
 * @ops: what to do when something is due
 * @ctx: its argument
 */
void control_begin(struct control *c, const struct control_ops *ops, void *ctx)
{
	c->ops = ops;
	c->ctx = ctx;
	c->on = !c->delay_ms;
	c->stop = false;
	c->enable_at_ms = c->delay_ms > 0 ? now_ms() + c->delay_ms : 0;
	c->stop_at_ms = c->on && c->duration_ms ? now_ms() + c->duration_ms : 0;
}

static int until(__u64 at_ms, int otherwise_ms)
{
	__u64 now = now_ms();
	__u64 left = at_ms > now ? at_ms - now : 0;

	if (!at_ms || (otherwise_ms >= 0 && left > (__u64)otherwise_ms))
		return otherwise_ms;
	return left < INT_MAX ? left : INT_MAX;
}

/**
 * control_timeout_ms() - how long poll(2) may wait
 * @otherwise_ms: for all else, -1: forever
 */
int control_timeout_ms(const struct control *c, int otherwise_ms)
{
	return until(c->stop_at_ms, until(c->enable_at_ms, otherwise_ms));
}

/**
 * control_run() - do what is due, and what commands want
 * @revents: of the descriptor, by poll(2)
 *
 * Sets @c->stop when counting must end.
 *
 * Return: 0, or -errno after a message.
 */
int control_run(struct control *c, short revents)
{
	int err = 0;

	if (c->enable_at_ms && now_ms() >= c->enable_at_ms)
		err = enable(c, true);
	if (!err && revents)
		err = read_commands(c);
	if (c->stop_at_ms && now_ms() >= c->stop_at_ms)
		c->stop = true;
	return err;
}
