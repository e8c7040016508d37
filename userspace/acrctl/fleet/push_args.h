/* SPDX-License-Identifier: GPL-2.0-only */
/* The options about sending profiles, which record and push have in common. */
#ifndef _ACRCTL_FLEET_PUSH_ARGS_H
#define _ACRCTL_FLEET_PUSH_ARGS_H

#include "../../push/pusher.h"
#include "name.h"

#define PUSH_ARGS_USAGE									\
"      --push URL        send profiles to a server with Pyroscope's /ingest\n"		\
"      --push-name NAME  name and labels for them: APP{KEY=VALUE,...} (default: acrctl;\n" \
"                        the label host is added)\n"					\
"      --push-queue DIR  directory in which they wait (default: acrctl-push.queue)\n"	\
"      --push-queue-size SIZE  limit of its size, such as 64M (default: 128M)\n"		\
"      --push-finish TIME  for sending what still waits when all else is over (default: 10s)\n" \
"      --push-timeout TIME  for each attempt (default: 30s)\n"				\
"      --push-token-file FILE  with the token for URL (default: ACRCTL_PUSH_TOKEN)\n"	\
"      --push-tenant ID  for servers with tenants: value of X-Scope-OrgID\n"		\
"      --push-ca FILE    certificates to trust in place of those of the system\n"

/* options, for getopt_long() */
enum {
	PUSH_OPT_URL = 900, PUSH_OPT_NAME, PUSH_OPT_QUEUE, PUSH_OPT_SIZE, PUSH_OPT_FINISH,
	PUSH_OPT_TIMEOUT, PUSH_OPT_TOKEN, PUSH_OPT_TENANT, PUSH_OPT_CA
};

/* options of a command without these, at most */
#define PUSH_ARGS_OWN	64

struct option;

struct push_args {
	const char *command;		/* of acrctl, for messages */
	const char *given;		/* an option of these, NULL: none */
	struct push_options options;
	const char *name;		/* as given, NULL: not */
	char full_name[PUSH_NAME_LEN];	/* with the label of this machine */
	const char *tenant;		/* empty: none */
	char *env_token;
};

const struct option *push_args_with(const struct option *own);
void push_args_init(struct push_args *a, const char *command, const char *prefix);
bool push_args_take(struct push_args *a, int c, const char *arg);
bool push_args_check(struct push_args *a);
bool push_args_ready(struct push_args *a, struct pusher *p);
void push_args_free(struct push_args *a);

#endif /* _ACRCTL_FLEET_PUSH_ARGS_H */
