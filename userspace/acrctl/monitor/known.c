// SPDX-License-Identifier: GPL-2.0-only
/* Sessions that were reported: later messages do not repeat their owners and what they count. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "monitor.h"

/* Where a session is, or belongs. */
static size_t place_of(const struct known *known, __u64 id)
{
	size_t low = 0, high = known->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (known->list[mid].id < id)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/**
 * known_find() - look a session up
 *
 * Return: the session, valid until one is added or removed; NULL: it is not known.
 */
struct known_session *known_find(const struct known *known, __u64 id)
{
	size_t at = place_of(known, id);

	return at < known->nr && known->list[at].id == id ? &known->list[at] : NULL;
}

/**
 * known_add() - remember a session that is not known, without its events
 *
 * Return: the session, NULL: out of memory.
 */
struct known_session *known_add(struct known *known, const struct acrpmu_notice *session)
{
	size_t at = place_of(known, session->session);
	struct known_session *more = reallocarray(known->list, known->nr + 1, sizeof(*more));

	if (!more)
		return NULL;
	known->list = more;
	memmove(&more[at + 1], &more[at], (known->nr++ - at) * sizeof(*more));
	more[at] = (struct known_session){
		.id = session->session, .pid = session->pid, .uid = session->uid,
	};
	memcpy(more[at].comm, session->comm, sizeof(more[at].comm));
	return &more[at];
}

static void free_events(struct known_session *session)
{
	while (session->nr_events)
		free(session->events[--session->nr_events]);
}

/**
 * known_set_events() - remember the events of a session, in place of those before
 *
 * Return: 0 or -ENOMEM.
 */
int known_set_events(struct known_session *session, const struct event_names *names,
		     const struct acrpmu_notice *notice)
{
	char text[EVENT_TEXT_LEN];
	unsigned int i;

	free_events(session);
	for (i = 0; i < notice->nr_events; i++) {
		event_text(names, &notice->cpus, &notice->events[i], text);
		session->events[i] = strdup(text);
		if (!session->events[i])
			return -ENOMEM;
		session->nr_events++;
	}
	return 0;
}

/**
 * known_remove() - forget a session
 */
void known_remove(struct known *known, struct known_session *session)
{
	free_events(session);
	memmove(session, session + 1, (&known->list[--known->nr] - session) * sizeof(*session));
}

/**
 * known_free() - forget all of them
 */
void known_free(struct known *known)
{
	while (known->nr)
		free_events(&known->list[--known->nr]);
	free(known->list);
	*known = (struct known){ NULL };
}
