// SPDX-License-Identifier: GPL-2.0-only
/* Messages that wait in a queue. */
#include <stdlib.h>

#include "tap.h"
#include "userspace/lib/queue.h"

static void test_queue(void)
{
	struct queue queue = { NULL };
	struct queue_entry *entry;

	ok(!acrpmu_queue_take(&queue), "an empty queue has no message");
	acrpmu_queue_add(&queue, "one", 4);
	acrpmu_queue_add(&queue, "three", 6);
	is_u64(queue.bytes, 10, "a queue knows its bytes");
	entry = acrpmu_queue_take(&queue);
	is_str((char *)entry->bytes, "one", "the first message comes first");
	free(entry);
	acrpmu_queue_add(&queue, "four", 5);
	entry = acrpmu_queue_take(&queue);
	is_str((char *)entry->bytes, "three", "then the second");
	free(entry);
	is_u64(queue.bytes, 5, "what is left");
	acrpmu_queue_free(&queue);
	ok(!queue.first && !queue.bytes, "nothing is left in the end");
}

int main(void)
{
	plan(0);
	test_queue();
	return done();
}
