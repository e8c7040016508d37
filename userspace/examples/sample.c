// SPDX-License-Identifier: GPL-2.0-only
/* Example: sample this process where it retires more than two instructions per cycle. */
#include <stdio.h>
#include <unistd.h>

#include <acrpmu_lib.h>

#define WORK		100000000
#define RING_PAGES	16

/* The fields of our samples, in perf's order. */
struct sample {
	struct perf_event_header header;
	__u64 ip;
	__u32 pid, tid;
};

static int fail(const char *what, const struct acrpmu_message *message)
{
	fprintf(stderr, "%s: %s; %s\n", what, message->text, message->hint);
	return 1;
}

static void work(void)
{
	unsigned int i;

	for (i = 0; i < WORK; i++)
		__asm__("" : "+r"(i));	/* or the compiler leaves it out */
}

static unsigned int print_ring(struct acrpmu_ring *ring)
{
	const struct perf_event_header *record;
	unsigned int nr = 0;

	while (acrpmu_ring_next(ring, &record) > 0) {
		const struct sample *s = (const struct sample *)record;

		if (record->type == PERF_RECORD_SAMPLE && ++nr)
			printf("%u: 0x%llx\n", s->tid, (unsigned long long)s->ip);
	}
	acrpmu_ring_consume(ring);
	return nr;
}

/* A task may run anywhere, so every CPU has a ring. */
static int sample_all(struct acrpmu_session *session)
{
	long cpu, nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned int nr = 0;

	acrpmu_session_enable(session);
	work();
	acrpmu_session_disable(session);
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		struct acrpmu_ring *ring;

		if (acrpmu_ring_map(session, cpu, &ring)) {
			perror("ring");
			return 1;
		}
		nr += print_ring(ring);
		acrpmu_ring_unmap(ring);
	}
	printf("%u samples\n", nr);
	return 0;
}

int main(void)
{
	static const char *const strings[] = {
		"{instructions,cycles/period=100000,ratio-to-prev=0.5/}:u"
	};
	const struct acrpmu_session_options options = {
		.size = sizeof(options),
		.flags = ACRPMU_SESSION_TASK,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID,
		.ring_pages = RING_PAGES,
	};
	struct acrpmu_session *session = NULL;
	struct acrpmu_device *device = NULL;
	struct acrpmu_spec *spec = NULL;
	struct acrpmu_message message;
	int status;

	if (acrpmu_spec_parse(strings, 1, NULL, &spec, &message))
		return fail("events", &message);
	if (acrpmu_open(NULL, &device, &message))
		return fail("device", &message);
	if (acrpmu_session_create(device, spec, 0, &options, &session, &message))
		return fail("session", &message);
	status = sample_all(session);

	acrpmu_session_close(session);
	acrpmu_close(device);
	acrpmu_spec_free(spec);
	return status;
}
