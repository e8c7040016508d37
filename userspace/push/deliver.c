// SPDX-License-Identifier: GPL-2.0-only
/* Sending what a queue holds, to whom it is for, when they are ready. */
#include "deliver.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "../util/util.h"
#include "url.h"

#define MSEC_PER_SEC	1000
/* nothing is due: something comes by the descriptor */
#define IDLE_MS		3600000

/**
 * push_now_ms() - read CLOCK_MONOTONIC
 */
__u64 push_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (__u64)t.tv_sec * MSEC_PER_SEC + t.tv_nsec / NSEC_PER_MSEC;
}

/**
 * push_deliver_say() - print a line, in one piece
 */
void push_deliver_say(const struct push_delivery *d, const char *format, ...)
{
	char *text;
	va_list ap;
	int len;

	va_start(ap, format);
	len = vasprintf(&text, format, ap);
	va_end(ap);
	if (len < 0)
		return;
	fprintf(stderr, "%s%s\n", d->options->prefix, text);
	free(text);
}

/**
 * push_deliver_dropped() - count profiles that the queue had no room for, and report them
 *
 * The first ones are reported, then each doubled number, so that a journal does not overflow.
 */
void push_deliver_dropped(struct push_delivery *d, __u64 nr)
{
	d->counts->dropped += nr;
	d->dropped += nr;
	if (!nr || d->dropped < d->report_at)
		return;
	d->report_at = 2 * d->dropped;
	push_deliver_say(d,
			 "%s is full: the oldest profiles are lost, %llu so far; find out why they are not delivered, or raise --push-queue-size",
			 d->options->queue_path, d->counts->dropped);
}

/* The server has caught up: the next profile that is lost is news. */
static void note_room(struct push_delivery *d)
{
	if (d->queue->bytes > d->queue->max_bytes / 2)
		return;
	d->dropped = 0;
	d->report_at = 0;
}

/* NULL: there is no memory for another one. */
static struct push_route *route_of(struct push_delivery *d, __u64 id)
{
	struct push_route *routes;
	size_t i;

	for (i = 0; i < d->nr_routes; i++) {
		if (d->routes[i].id == id)
			return &d->routes[i];
	}
	routes = realloc(d->routes, (d->nr_routes + 1) * sizeof(*routes));
	if (!routes)
		return NULL;
	d->routes = routes;
	routes[d->nr_routes] = (struct push_route){ .id = id };
	return &routes[d->nr_routes++];
}

static __u64 due_ms(const struct push_delivery *d, const struct push_item *item)
{
	size_t i;

	for (i = 0; i < d->nr_routes; i++) {
		if (d->routes[i].id == item->route)
			return d->routes[i].backoff.due_ms;
	}
	return 0;
}

/*
 * Of entries that wait, the one with the server that may be asked first; of those the least tried,
 * so that one that always fails does not keep others back; of those the oldest.
 */
static struct push_item *next_item(const struct push_delivery *d)
{
	struct push_item *best = NULL;
	__u64 best_ms = 0, ms, now = push_now_ms();
	size_t i;

	for (i = 0; i < d->queue->nr; i++) {
		struct push_item *item = &d->queue->items[i];

		if (item->rejected)
			continue;
		ms = due_ms(d, item);
		ms = ms > now ? ms : now;
		if (!best || ms < best_ms || (ms == best_ms && item->tries < best->tries)) {
			best = item;
			best_ms = ms;
		}
	}
	return best;
}

static void set_aside(struct push_delivery *d, struct push_item *item, const char *why)
{
	unsigned long long id = item->id;
	const char *path = d->options->queue_path;
	int err = push_queue_reject(d->queue, item, why);

	d->counts->rejected++;
	if (err)
		push_deliver_say(d,
				 "profile %019llu is not delivered: %s; it cannot be set aside in %s/rejected: %s",
				 id, why, path, strerror(-err));
	else if (push_queue_find(d->queue, id))
		push_deliver_say(d,
				 "profile %019llu is not delivered: %s; it is kept in %s/rejected",
				 id, why, path);
	else
		push_deliver_say(d,
				 "profile %019llu is not delivered: %s; it is removed, since %s has no room for the reason",
				 id, why, path);
}

static void take_failure(struct push_delivery *d, struct push_item *item,
			 const struct push_result *r)
{
	struct push_route *route = route_of(d, item->route);
	/* without a URL, it is about the queue */
	const char *url = d->loaded.entry.url, *whose = url ? url : d->options->queue_path;
	__u32 random = 0;

	d->counts->failures++;
	if (!route)
		return;
	/* without it there is no jitter */
	(void)!getrandom(&random, sizeof(random), GRND_NONBLOCK);
	push_backoff_failed(&route->backoff, push_now_ms(), r->retry_after_s, random);
	/* each reason once, not once for each attempt */
	if (!strcmp(route->why, r->why) || d->options->quiet)
		return;
	snprintf(route->why, sizeof(route->why), "%s", r->why);
	push_deliver_say(d, "%.*s: %s; it is tried again, and profiles wait in %s",
			 url ? push_url_shown(url) : (int)strlen(whose), whose, r->why,
			 d->options->queue_path);
}

static void take_success(struct push_delivery *d, struct push_item *item)
{
	struct push_route *route = route_of(d, item->route);
	const char *url = d->loaded.entry.url;
	int err = push_queue_remove(d->queue, item);

	d->counts->delivered++;
	note_room(d);
	if (err)
		push_deliver_say(d,
				 "a delivered profile cannot be removed from %s: %s; it may be sent twice",
				 d->options->queue_path, strerror(-err));
	if (!route)
		return;
	push_backoff_worked(&route->backoff);
	if (*route->why)
		push_deliver_say(d, "%.*s: profiles are delivered again", push_url_shown(url), url);
	route->why[0] = '\0';
}

/**
 * push_deliver_result() - a request is over
 */
void push_deliver_result(struct push_delivery *d, const struct push_result *r)
{
	struct push_item *item = push_queue_find(d->queue, d->queue->busy_id);

	d->queue->busy_id = 0;
	if (!item) {
		push_deliver_say(d, "a profile has left %s while it was sent",
				 d->options->queue_path);
	} else if (r->verdict == PUSH_DELIVERED) {
		take_success(d, item);
	} else if (r->verdict == PUSH_REJECT) {
		set_aside(d, item, r->why);
	} else {
		take_failure(d, item, r);
	}
	push_entry_free(&d->loaded);
	d->counts->waiting = push_queue_waiting(d->queue);
}

/* Whether a file will never be read; without memory or descriptors it is, later. */
static bool is_damaged(int err)
{
	return err == -EBADMSG || err == -ENOENT || err == -ELOOP;
}

static void start(struct push_delivery *d, struct push_item *item)
{
	struct push_result r = { .verdict = PUSH_RETRY };
	int err = push_queue_load(d->queue, item, &d->loaded);

	item->tries++;
	if (err == -EBADMSG || (!err && push_url_refusal(d->loaded.entry.url))) {
		set_aside(d, item, "the file is damaged");
	} else if (is_damaged(err)) {
		set_aside(d, item, strerror(-err));
	} else if (err) {
		snprintf(r.why, sizeof(r.why), "a profile cannot be read: %s", strerror(-err));
		take_failure(d, item, &r);
	} else {
		d->queue->busy_id = item->id;
		if (push_client_start(d->client, &d->loaded.entry, d->loaded.profile, &r))
			push_deliver_result(d, &r);
		return;
	}
	push_entry_free(&d->loaded);
	d->counts->waiting = push_queue_waiting(d->queue);
}

/**
 * push_deliver_next() - send the next entry, if one is due and none is being sent
 */
void push_deliver_next(struct push_delivery *d)
{
	struct push_item *item;

	while (!d->queue->busy_id) {
		item = next_item(d);
		if (!item || due_ms(d, item) > push_now_ms())
			return;
		start(d, item);
	}
}

/**
 * push_deliver_timeout_ms() - how long to wait for something else
 */
int push_deliver_timeout_ms(const struct push_delivery *d)
{
	const struct push_item *item = d->queue->busy_id ? NULL : next_item(d);
	__u64 now = push_now_ms(), until = now + IDLE_MS;

	if (item && due_ms(d, item) < until)
		until = due_ms(d, item);
	if (d->deadline_ms && d->deadline_ms < until)
		until = d->deadline_ms;
	return until > now ? until - now : 0;
}

/**
 * push_deliver_finish() - nothing more comes, and there is a limit on the time
 *
 * What failed is tried again at once.
 */
void push_deliver_finish(struct push_delivery *d)
{
	__u64 now = push_now_ms();
	size_t i;

	d->deadline_ms = now + d->options->finish_ms;
	for (i = 0; i < d->nr_routes; i++)
		push_backoff_hurry(&d->routes[i].backoff, now);
}

/**
 * push_deliver_is_over() - whether there is nothing to wait for any more
 */
bool push_deliver_is_over(const struct push_delivery *d)
{
	const struct push_item *item;

	if (!d->deadline_ms)
		return false;
	if (push_now_ms() >= d->deadline_ms)
		return true;
	item = next_item(d);
	return !d->queue->busy_id && (!item || due_ms(d, item) >= d->deadline_ms);
}

/**
 * push_deliver_free() - free what was allocated
 */
void push_deliver_free(struct push_delivery *d)
{
	push_entry_free(&d->loaded);
	free(d->routes);
}
