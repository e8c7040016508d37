// SPDX-License-Identifier: GPL-2.0-only
/* The options about sending profiles, which record and push have in common. */
#include "push_args.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../lib/acrpmu_lib.h"
#include "../../push/url.h"
#include "../../util/message.h"
#include "../../util/util.h"
#include "quantity.h"

#define DEFAULT_NAME	"acrctl"
#define DEFAULT_QUEUE	"acrctl-push.queue"
#define DEFAULT_BYTES	(128 << 20)
#define DEFAULT_FINISH_MS	10000
#define DEFAULT_TIMEOUT_MS	30000
#define MAX_TIMEOUT_MS	3600000
#define TOKEN_ENV	"ACRCTL_PUSH_TOKEN"
#define HOST_NAME_LEN	256

#define PUSH_SAY(a, format, ...)	\
	fprintf(stderr, "acrctl: %s: " format "\n", (a)->command, ##__VA_ARGS__)

/**
 * push_args_init() - set the defaults
 * @command: of acrctl
 * @prefix: of messages that come while profiles are sent
 */
void push_args_init(struct push_args *a, const char *command, const char *prefix)
{
	*a = (struct push_args){
		.command = command,
		.tenant = "",
		.options = {
			.prefix = prefix,
			.queue_path = DEFAULT_QUEUE,
			.queue_bytes = DEFAULT_BYTES,
			.finish_ms = DEFAULT_FINISH_MS,
			.access = { .agent = "acrctl", .timeout_ms = DEFAULT_TIMEOUT_MS },
		},
	};
}

static const struct option push_options[] = {
	{ "push", required_argument, NULL, PUSH_OPT_URL },
	{ "push-name", required_argument, NULL, PUSH_OPT_NAME },
	{ "push-queue", required_argument, NULL, PUSH_OPT_QUEUE },
	{ "push-queue-size", required_argument, NULL, PUSH_OPT_SIZE },
	{ "push-finish", required_argument, NULL, PUSH_OPT_FINISH },
	{ "push-timeout", required_argument, NULL, PUSH_OPT_TIMEOUT },
	{ "push-token-file", required_argument, NULL, PUSH_OPT_TOKEN },
	{ "push-tenant", required_argument, NULL, PUSH_OPT_TENANT },
	{ "push-ca", required_argument, NULL, PUSH_OPT_CA },
	{ 0 }
};

/**
 * push_args_with() - add the options about sending to those of a command
 * @own: up to PUSH_ARGS_OWN, and a zeroed one
 *
 * Return: all of them, valid until the next call.
 */
const struct option *push_args_with(const struct option *own)
{
	static struct option all[PUSH_ARGS_OWN + ARRAY_SIZE(push_options)];
	size_t nr = 0;

	while (own[nr].name && nr < PUSH_ARGS_OWN)
		nr++;
	memcpy(all, own, nr * sizeof(*own));
	memcpy(all + nr, push_options, sizeof(push_options));
	return all;
}

static bool take_url(struct push_args *a, const char *url)
{
	const char *why = push_url_refusal(url);

	a->options.access.url = url;
	/* without what may be secret */
	if (why)
		PUSH_SAY(a, "--push: the URL %s", why);
	return !why;
}

static bool take_time(struct push_args *a, const char *option, const char *arg, __u64 *ms)
{
	if (quantity_time_ms(arg, ms) && *ms <= MAX_TIMEOUT_MS)
		return true;
	PUSH_SAY(a, "%s '%s' is not a time from 1ms to an hour; write it like 500ms, 10s or 5m",
		 option, acrpmu_message_word(arg, strlen(arg)).text);
	return false;
}

static bool take_size(struct push_args *a, const char *arg)
{
	__u64 *bytes = &a->options.queue_bytes;

	if (quantity_bytes(arg, bytes) && *bytes >= PUSH_QUEUE_MIN_BYTES)
		return true;
	PUSH_SAY(a,
		 "--push-queue-size '%s' is not a size of at least 1M; write it like 64M or 2G",
		 acrpmu_message_word(arg, strlen(arg)).text);
	return false;
}

static bool take_name(struct push_args *a, const char *arg)
{
	a->name = arg;
	if (push_name_is_valid(arg))
		return true;
	PUSH_SAY(a,
		 "--push-name '%s' is not a name with labels; write it like web or web{env=test,region=eu}",
		 acrpmu_message_word(arg, strlen(arg)).text);
	return false;
}

static bool take_tenant(struct push_args *a, const char *arg)
{
	a->tenant = arg;
	if (*arg && !push_token_refusal(arg))
		return true;
	PUSH_SAY(a, "--push-tenant '%s' is empty, too long, or has a character that no header has",
		 acrpmu_message_word(arg, strlen(arg)).text);
	return false;
}

/**
 * push_args_take() - read an option about sending; others are left alone
 *
 * Return: false after a message.
 */
bool push_args_take(struct push_args *a, int c, const char *arg)
{
	static const char *const names[] = {
		"--push", "--push-name", "--push-queue", "--push-queue-size", "--push-finish",
		"--push-timeout", "--push-token-file", "--push-tenant", "--push-ca",
	};

	if (c < PUSH_OPT_URL || c > PUSH_OPT_CA)
		return true;
	a->given = names[c - PUSH_OPT_URL];
	switch (c) {
	case PUSH_OPT_URL:
		return take_url(a, arg);
	case PUSH_OPT_NAME:
		return take_name(a, arg);
	case PUSH_OPT_QUEUE:
		a->options.queue_path = arg;
		return true;
	case PUSH_OPT_SIZE:
		return take_size(a, arg);
	case PUSH_OPT_FINISH:
		return take_time(a, a->given, arg, &a->options.finish_ms);
	case PUSH_OPT_TIMEOUT:
		return take_time(a, a->given, arg, &a->options.access.timeout_ms);
	case PUSH_OPT_TOKEN:
		a->options.access.token_file = arg;
		return true;
	case PUSH_OPT_TENANT:
		return take_tenant(a, arg);
	}
	a->options.access.ca_file = arg;
	return true;
}

/* Programs that acrctl starts must not inherit it. */
static bool take_env_token(struct push_args *a)
{
	const char *token = getenv(TOKEN_ENV);

	if (!token)
		return true;
	a->env_token = strdup(token);
	unsetenv(TOKEN_ENV);
	if (!a->options.access.token_file)
		a->options.access.token = a->env_token;
	if (a->env_token && !push_token_refusal(a->env_token))
		return true;
	PUSH_SAY(a, TOKEN_ENV " is no token: %s",
		 a->env_token ? push_token_refusal(a->env_token) : "out of memory");
	return false;
}

static bool check_token(const struct push_args *a)
{
	const struct push_access *x = &a->options.access;

	if (!x->token && !x->token_file)
		return true;
	if (!x->url) {
		PUSH_SAY(a,
			 "a token is only for the server that --push names; add --push URL, or leave out %s",
			 x->token_file ? "--push-token-file" : TOKEN_ENV);
		return false;
	}
	if (push_url_is_secure(x->url) || push_url_is_loopback(x->url))
		return true;
	PUSH_SAY(a,
		 "a token would cross the network unencrypted to %.*s; use https, or an address like 127.0.0.1",
		 push_url_shown(x->url), x->url);
	return false;
}

static bool make_name(struct push_args *a)
{
	char host[HOST_NAME_LEN] = "";

	gethostname(host, sizeof(host) - 1);
	if (push_name_add(a->name ? a->name : DEFAULT_NAME, "host", host, a->full_name))
		return true;
	PUSH_SAY(a, "--push-name with the label host is too long; shorten it, or add host=NAME");
	return false;
}

/**
 * push_args_check() - check options together, and complete them
 *
 * Return: false after a message.
 */
bool push_args_check(struct push_args *a)
{
	return take_env_token(a) && check_token(a) && make_name(a);
}

static bool check_file(const struct push_args *a, const char *option, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char byte;
	ssize_t n = fd < 0 ? -1 : read(fd, &byte, 1);

	if (n <= 0)
		PUSH_SAY(a, "%s %s: %s", option, path, n ? strerror(errno) : "it is empty");
	if (fd >= 0)
		close(fd);
	return n > 0;
}

static bool check_token_file(const struct push_args *a)
{
	const char *path = a->options.access.token_file, *why;
	char *token = path ? push_token_read(path, &why) : NULL;

	if (path && !token)
		PUSH_SAY(a, "--push-token-file %s: %s", path, why);
	free(token);
	return !path || token;
}

/**
 * push_args_ready() - check that sending could work, lock the queue, and start the process
 *
 * Whether the server answers does not matter yet.
 *
 * Return: false after a message; pusher_close() in any case.
 */
bool push_args_ready(struct push_args *a, struct pusher *p)
{
	const struct push_options *o = &a->options;
	const char *why = NULL;
	int err;

	if (o->access.ca_file && !check_file(a, "--push-ca", o->access.ca_file))
		return false;
	if (!check_token_file(a))
		return false;
	if (!push_client_is_available(&why)) {
		PUSH_SAY(a,
			 "profiles cannot be sent: %s; install libcurl3-gnutls or libcurl3t64-gnutls",
			 why);
		return false;
	}
	if (push_queue_lock(&p->queue, o->queue_path, &why)) {
		PUSH_SAY(a, "--push-queue %s: %s", o->queue_path, why);
		return false;
	}
	err = pusher_start(p, o);
	if (err)
		PUSH_SAY(a, "the process that sends profiles cannot be started: %s",
			 strerror(-err));
	return !err;
}

/**
 * push_args_free() - free what was allocated
 */
void push_args_free(struct push_args *a)
{
	if (a->env_token)
		explicit_bzero(a->env_token, strlen(a->env_token));
	free(a->env_token);
	a->env_token = NULL;
}
