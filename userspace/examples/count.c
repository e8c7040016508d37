// SPDX-License-Identifier: GPL-2.0-only
/* Example: count instructions and cycles of this process at user level. */
#include <stdio.h>

#include <acrpmu_lib.h>

#define WORK	10000000

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

static int print_counts(struct acrpmu_session *session, const struct acrpmu_spec *spec)
{
	struct acrpmu_count counts[ACRPMU_MAX_EVENTS];
	struct acrpmu_message message;
	struct acrpmu_read read;
	unsigned int i;

	if (acrpmu_session_read(session, ACRPMU_CPU_ALL, &read, counts))
		return 1;
	if (acrpmu_session_taken(session, ACRPMU_CPU_ALL, &message) > 0)
		return fail("counts", &message);
	for (i = 0; i < acrpmu_spec_nr_events(spec, 0); i++)
		printf("%-14s %llu\n", acrpmu_spec_event(spec, 0, i)->name,
		       (unsigned long long)counts[i].value);
	return 0;
}

int main(void)
{
	static const char *const strings[] = { "{instructions,cycles}:u" };
	const struct acrpmu_parse_options how = {
		.size = sizeof(how), .flags = ACRPMU_PARSE_COUNT,
	};
	const struct acrpmu_session_options options = {
		.size = sizeof(options), .flags = ACRPMU_SESSION_TASK,
	};
	struct acrpmu_session *session = NULL;
	struct acrpmu_device *device = NULL;
	struct acrpmu_spec *spec = NULL;
	struct acrpmu_message message;
	int status;

	if (acrpmu_spec_parse(strings, 1, &how, &spec, &message))
		return fail("events", &message);
	if (acrpmu_open(NULL, &device, &message))
		return fail("device", &message);
	if (acrpmu_session_create(device, spec, 0, &options, &session, &message))
		return fail("session", &message);

	acrpmu_session_enable(session);
	work();
	acrpmu_session_disable(session);
	status = print_counts(session, spec);

	acrpmu_session_close(session);
	acrpmu_close(device);
	acrpmu_spec_free(spec);
	return status;
}
