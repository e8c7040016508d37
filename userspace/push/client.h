/* SPDX-License-Identifier: GPL-2.0-only */
/* Sending one profile after another by HTTP. */
#ifndef _PUSH_CLIENT_H
#define _PUSH_CLIENT_H

#include <stdbool.h>

#include "backoff.h"
#include "entry.h"

#define PUSH_WHY_LEN	256

/* How to send. */
struct push_access {
	const char *url;		/* that the token is for, NULL: none */
	const char *token;		/* NULL: none, or in @token_file */
	const char *token_file;		/* read again for each request, NULL: none */
	const char *ca_file;		/* certificates to trust, NULL: those of the system */
	const char *agent;		/* name and version of this program */
	__u64 timeout_ms;		/* of a request */
};

/* What became of a request. */
struct push_result {
	enum push_verdict verdict;
	long status;			/* of HTTP, 0: none came */
	__u64 retry_after_s;		/* 0: not asked for */
	char why[PUSH_WHY_LEN];		/* for a message; empty if it was delivered */
};

struct push_client;

bool push_client_is_available(const char **why);
struct push_client *push_client_open(const struct push_access *a, const char **why);
int push_client_start(struct push_client *c, const struct push_entry *e, const char *profile,
		      struct push_result *r);
bool push_client_wait(struct push_client *c, int fd, int timeout_ms, bool *readable,
		      struct push_result *r);
void push_client_close(struct push_client *c);

char *push_token_read(const char *path, const char **why);
const char *push_token_refusal(const char *token);

#endif /* _PUSH_CLIENT_H */
