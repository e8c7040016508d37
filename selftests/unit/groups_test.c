// SPDX-License-Identifier: GPL-2.0-only
/* The groups that a recording describes, as perf writes them, whole and damaged. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tap.h"
#include "userspace/perfdata/reader.h"
#include "userspace/perfdata/writer.h"
#include "userspace/util/util.h"

#define NR_EVENTS	6

struct group {
	__u32 leader, members;
};

struct recording {
	const char *name;
	struct group groups[3];
	__u32 nr;			/* that are announced */
	unsigned int written;		/* bytes, 0: all */
	unsigned int want[NR_EVENTS];	/* leader of each event */
};

/* A name of 64 bytes with its length, and two numbers. */
#define GROUP_SIZE	(4 + 64 + 4 + 4)

static const struct recording recordings[] = {
	{ "no group", { { 0 } }, 0, 0, { 0, 1, 2, 3, 4, 5 } },
	{ "one group", { { 1, 3 } }, 1, 0, { 0, 1, 1, 1, 4, 5 } },
	{ "two groups, one at the end", { { 0, 2 }, { 4, 2 } }, 2, 0, { 0, 0, 2, 3, 4, 4 } },
	{ "all events", { { 0, 6 } }, 1, 0, { 0, 0, 0, 0, 0, 0 } },
	{ "groups of one", { { 5, 1 }, { 2, 1 } }, 2, 0, { 0, 1, 2, 3, 4, 5 } },
	{ "more members than events", { { 0, 2 }, { 3, 4 } }, 2, 0, { 0, 0, 2, 3, 4, 5 } },
	{ "so many that a sum overflows", { { 3, ~0U } }, 1, 0, { 0, 1, 2, 3, 4, 5 } },
	{ "a leader behind the events", { { 6, 0 }, { 0, 2 } }, 2, 0, { 0, 1, 2, 3, 4, 5 } },
	{ "a good one, then a bad one, then one that is not read",
	  { { 0, 2 }, { 9, 1 }, { 3, 2 } }, 3, 0, { 0, 0, 2, 3, 4, 5 } },
	{ "fewer announced than there are", { { 0, 2 }, { 3, 2 } }, 1, 0, { 0, 0, 2, 3, 4, 5 } },
	{ "more announced than there are", { { 0, 2 } }, 7, 0, { 0, 0, 2, 3, 4, 5 } },
	{ "an end in a name", { { 0, 2 }, { 3, 2 } }, 2, 4 + GROUP_SIZE + 20,
	  { 0, 0, 2, 3, 4, 5 } },
	{ "an end before a leader", { { 0, 2 }, { 3, 2 } }, 2, 4 + GROUP_SIZE + 68,
	  { 0, 0, 2, 3, 4, 5 } },
	{ "an end before the number of members", { { 0, 2 }, { 3, 2 } }, 2,
	  4 + GROUP_SIZE + 72, { 0, 0, 2, 3, 4, 5 } },
	{ "no number of groups", { { 0, 2 } }, 1, 2, { 0, 1, 2, 3, 4, 5 } },
};

static unsigned int describe(const struct recording *rec, unsigned char *text)
{
	unsigned int i, size = 0;

	memcpy(text, &rec->nr, sizeof(rec->nr));
	size += sizeof(rec->nr);
	for (i = 0; i < ARRAY_SIZE(rec->groups) && (rec->groups[i].leader | rec->groups[i].members);
	     i++) {
		memset(text + size, 0, GROUP_SIZE);
		text[size] = 64;
		memcpy(text + size + 4, "{a,b}", 5);
		memcpy(text + size + 68, &rec->groups[i], sizeof(struct group));
		size += GROUP_SIZE;
	}
	return rec->written ? rec->written : size;
}

static void expect_groups(const struct recording *rec)
{
	static const __u64 ids[NR_EVENTS] = { 11, 12, 13, 14, 15, 16 };
	const struct perf_event_header round = {
		.type = PD_RECORD_FINISHED_ROUND, .size = sizeof(round),
	};
	struct pd_event events[NR_EVENTS] = { 0 };
	int fd = memfd_create("perf.data", 0);
	unsigned char text[4 + 3 * GROUP_SIZE];
	unsigned char *file;
	struct pd_writer w;
	struct pd_reader r;
	unsigned int i;
	off_t size;

	for (i = 0; i < NR_EVENTS; i++) {
		events[i] = (struct pd_event){ .name = "event", .ids = &ids[i], .nr_ids = 1 };
		events[i].attr.sample_type = PERF_SAMPLE_IDENTIFIER;
	}
	/* without any record the recording would be an unfinished one */
	if (pd_writer_begin(&w, fd, events, events, NR_EVENTS) ||
	    pd_writer_put_record(&w, &round, sizeof(round)))
		abort();
	pd_blob_put(pd_writer_feature(&w, PD_FEAT_GROUP_DESC), text, describe(rec, text));
	if (pd_writer_finish(&w))
		abort();
	pd_writer_free(&w);
	size = lseek(fd, 0, SEEK_END);
	file = malloc(size);
	if (!file || pread(fd, file, size, 0) != size)
		abort();
	close(fd);

	is_u64(pd_reader_open_mem(&r, file, size), 0, "%s: the file opens", rec->name);
	for (i = 0; i < r.nr_events; i++)
		is_u64(r.events[i].group, rec->want[i], "%s: leader of event %u", rec->name, i);
	pd_reader_close(&r);
	free(file);
}

int main(void)
{
	unsigned int i;

	plan(ARRAY_SIZE(recordings) * (1 + NR_EVENTS));
	for (i = 0; i < ARRAY_SIZE(recordings); i++)
		expect_groups(&recordings[i]);
	return done();
}
