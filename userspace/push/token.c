// SPDX-License-Identifier: GPL-2.0-only
/* The secret that a server wants to see: where it is read from, and what it may be. */
#include "client.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TOKEN_LEN	8192

/**
 * push_token_refusal() - check a token
 *
 * Return: why it cannot be one, NULL: it can.
 */
const char *push_token_refusal(const char *token)
{
	if (!*token)
		return "it is empty";
	if (strlen(token) >= TOKEN_LEN)
		return "it is too long";
	for (; *token; token++) {
		if (!isgraph((unsigned char)*token))
			return "it has a space or another character that no token has";
	}
	return NULL;
}

/**
 * push_token_read() - read a token from a file
 * @why: out, what failed
 *
 * Return: the token, for free(3); NULL: there is none.
 */
char *push_token_read(const char *path, const char **why)
{
	char *token = calloc(1, TOKEN_LEN);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = token && fd >= 0 ? read(fd, token, TOKEN_LEN) : -1;

	*why = !token ? "out of memory" : n < 0 ? strerror(errno) :
	       n == TOKEN_LEN ? "it is too long" : NULL;
	if (fd >= 0)
		close(fd);
	if (!*why) {
		while (n && isspace((unsigned char)token[n - 1]))
			token[--n] = '\0';
		*why = strlen(token) < (size_t)n ? "it has a zero byte" : push_token_refusal(token);
	}
	if (!*why)
		return token;
	free(token);
	return NULL;
}
