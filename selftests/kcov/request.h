/* SPDX-License-Identifier: GPL-2.0-only */
/* Arguments of the module's commands: good ones, which are then spoilt in one place. */
#ifndef KCOV_REQUEST_H
#define KCOV_REQUEST_H

#include "world.h"

#include "acrpmu.h"

/**
 * request_begin() - map pages for the arguments of a thread
 *
 * Return: whether there are any.
 */
bool request_begin(struct thread *t);

/**
 * request_session() - a session to create
 * @t: the thread that has the pages it takes
 * @c: args[1] is the target, args[2] the group, args[3] the rest
 *
 * Return: where it is.
 */
struct acrpmu_session_attr *request_session(struct thread *t, const struct call *c);

/**
 * request_plain() - pages with a struct of zeros but for its size
 * @size: of the struct
 *
 * Return: where it is.
 */
void *request_plain(struct thread *t, uint32_t size);

/* An array behind the struct that is in the pages of a thread */
static inline void *request_array(struct thread *t)
{
	return t->low + 1024;
}

/**
 * request_send() - make a command of the module, with the struct in the pages of a thread
 * @c: args[4] and args[5] say what is spoilt, and where the struct lies, or that the good one comes
 *	after many that are not
 * @size: of the struct
 *
 * Return: the result or -errno.
 */
long request_send(struct thread *t, int fd, uint32_t cmd, const struct call *c, size_t size);

#endif /* KCOV_REQUEST_H */
