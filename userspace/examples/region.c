// SPDX-License-Identifier: GPL-2.0-only
/* Example: count the instructions of one part of this process, and those of all of it. */
#include <stdio.h>

#include <acrpmu_lib.h>

#define ROUNDS	100
#define WORK	100000

static int fail(const char *what, const struct acrpmu_message *message)
{
	fprintf(stderr, "%s: %s; %s\n", what, message->text, message->hint);
	return 1;
}

static void work(unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		__asm__("" : "+r"(i));	/* or the compiler leaves it out */
}

/* It marks itself, whoever calls it: regions may nest. */
static void compare(struct acrpmu_session *session)
{
	acrpmu_region_begin(session);
	work(WORK);
	acrpmu_region_end(session);
}

static void search(struct acrpmu_session *session)
{
	acrpmu_region_begin(session);
	compare(session);
	work(WORK);
	acrpmu_region_end(session);
}

static void run(struct acrpmu_session *session)
{
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		work(2 * WORK);		/* this is not counted */
		search(session);
	}
}

/* Counts at user level are those of the code alone: the marks are system calls. */
static int print_count(const char *what, struct acrpmu_session *session)
{
	struct acrpmu_count counts[ACRPMU_MAX_EVENTS];
	struct acrpmu_message message;
	struct acrpmu_read read;

	if (acrpmu_session_read(session, ACRPMU_CPU_ALL, &read, counts))
		return 1;
	if (acrpmu_session_taken(session, ACRPMU_CPU_ALL, &message) > 0)
		return fail("counts", &message);
	printf("%-11s %llu instructions\n", what, (unsigned long long)counts[0].value);
	return 0;
}

int main(void)
{
	static const char *const strings[] = { "instructions:u" };
	const struct acrpmu_parse_options how = {
		.size = sizeof(how), .flags = ACRPMU_PARSE_COUNT,
	};
	const struct acrpmu_session_options options = {
		.size = sizeof(options), .flags = ACRPMU_SESSION_TASK,
	};
	struct acrpmu_session *whole = NULL, *regions = NULL;
	struct acrpmu_device *device = NULL;
	struct acrpmu_spec *spec = NULL;
	struct acrpmu_message message;
	int status;

	if (acrpmu_spec_parse(strings, 1, &how, &spec, &message))
		return fail("events", &message);
	if (acrpmu_open(NULL, &device, &message))
		return fail("device", &message);
	if (acrpmu_session_create(device, spec, 0, &options, &whole, &message) ||
	    acrpmu_session_create(device, spec, 0, &options, &regions, &message))
		return fail("session", &message);

	acrpmu_session_enable(whole);
	run(regions);
	acrpmu_session_disable(whole);
	status = print_count("all of it", whole) || print_count("the regions", regions);

	acrpmu_session_close(regions);
	acrpmu_session_close(whole);
	acrpmu_close(device);
	acrpmu_spec_free(spec);
	return status;
}
