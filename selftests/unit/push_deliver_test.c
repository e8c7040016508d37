// SPDX-License-Identifier: GPL-2.0-only
/* Sending from a queue: when profiles that it had no room for are reported. */
#include <stdlib.h>

#include "tap.h"
#include "userspace/push/deliver.h"

#define SIZE	(1 << 20)
#define PROFILE	300000

static char *printed;
static size_t printed_len;

static void put(struct push_queue *q)
{
	struct push_entry e = { .url = "https://h", .name = "app", .tenant = "", .types = "" };
	char *profile = calloc(1, PROFILE);

	push_entry_seal(&e, profile, PROFILE);
	push_queue_put(q, &e, profile);
	free(profile);
}

/* The numbers in what was printed since the last time. */
static const char *reported(void)
{
	static const char before[] = "acrctl: q is full: the oldest profiles are lost, ";
	static char numbers[64];
	char *line;
	int len = 0;

	fclose(stderr);
	for (line = strtok(printed, "\n"); line; line = strtok(NULL, "\n")) {
		if (!strncmp(line, before, strlen(before)))
			line += strlen(before);
		len += snprintf(numbers + len, sizeof(numbers) - len, "%.*s ",
				(int)strcspn(line, " "), line);
	}
	numbers[len] = '\0';
	free(printed);
	stderr = open_memstream(&printed, &printed_len);
	return numbers;
}

static void drop(struct push_delivery *d, unsigned int nr)
{
	while (nr--)
		push_deliver_dropped(d, 1);
}

static void deliver(struct push_delivery *d)
{
	const struct push_result r = { .verdict = PUSH_DELIVERED, .status = 200 };

	d->queue->busy_id = d->queue->items[0].id;
	push_deliver_result(d, &r);
}

static void test_dropped(struct push_delivery *d)
{
	push_deliver_dropped(d, 0);
	is_str(reported(), "", "nothing is reported while nothing is lost");
	drop(d, 1);
	is_str(reported(), "1 ", "the first profile that is lost is");
	drop(d, 7);
	is_str(reported(), "2 4 8 ", "and then each doubled number");
	deliver(d);
	drop(d, 1);
	is_str(reported(), "", "also when one was delivered, and the queue is more than half full");
	deliver(d);
	drop(d, 2);
	is_str(reported(), "10 11 ", "once it had room, the next one is news");
	push_deliver_dropped(d, 100);
	is_str(reported(), "111 ", "and many at once are one line");
	is_u64(d->counts->dropped, 111, "all are counted");
}

int main(void)
{
	char dir[] = "/tmp/push_deliver_test.XXXXXX", command[64];
	const struct push_options options = { .prefix = "acrctl: ", .queue_path = "q" };
	struct push_queue q = PUSH_QUEUE_CLOSED;
	struct push_counts counts = { 0 };
	struct push_delivery d = { .options = &options, .counts = &counts, .queue = &q };
	const char *why = NULL;
	FILE *real = stderr;
	int i;

	plan(0);
	ok(mkdtemp(dir) && !push_queue_lock(&q, dir, &why) && !push_queue_scan(&q, SIZE),
	   "a queue in a temporary directory");
	for (i = 0; i < 3; i++)
		put(&q);
	stderr = open_memstream(&printed, &printed_len);
	test_dropped(&d);
	fclose(stderr);
	stderr = real;
	free(printed);
	push_deliver_free(&d);
	push_queue_close(&q);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	ok(!system(command), "the directory is removed");
	return done();
}
