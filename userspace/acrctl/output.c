// SPDX-License-Identifier: GPL-2.0-only
/* Output that commands share: refusals with a pointer into the event string, matrices. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"

/* longer than any help */
#define HELP_LEN	16384

#define INDENT		"  "
#define ELLIPSIS	"..."
#define SHOWN_BEFORE	60	/* bytes of a long string shown before the column */
#define SHOWN_AFTER	30	/* and from it on */

static char shown(unsigned char c)
{
	if (c < ' ')
		return ' ';
	return c <= '~' ? c : '?';
}

/* The string around the column, each byte as one character, with a pointer below. */
static void print_column(const char *string, unsigned int column)
{
	size_t at = column - 1, len = strlen(string), i;
	size_t start = at > SHOWN_BEFORE ? at - SHOWN_BEFORE : 0;
	size_t end = len - at > SHOWN_AFTER ? at + SHOWN_AFTER : len;
	const char *before = start ? ELLIPSIS : "", *after = end < len ? ELLIPSIS : "";

	fprintf(stderr, INDENT "%s", before);
	for (i = start; i < end; i++)
		fputc(shown(string[i]), stderr);
	fprintf(stderr, "%s\n" INDENT "%*s^ column %u\n", after,
		(int)(strlen(before) + at - start), "", column);
}

/**
 * output_error() - print a refusal, with a pointer into the event string that it is about
 */
void output_error(const char *command, const struct acrpmu_message *message,
		  const struct event_args *args)
{
	const char *string;

	fprintf(stderr, "acrctl: %s: %s%s%s\n", command, message->text,
		*message->hint ? "; " : "", message->hint);
	if (!message->column || !args || message->string >= args->nr)
		return;
	string = args->strings[message->string];
	if (message->column <= strlen(string) + 1)
		print_column(string, message->column);
}

/**
 * output_matrix() - describe which event of a group restarts when which others overflow
 *
 * Return: the text, which the caller frees; NULL: out of memory.
 */
char *output_matrix(const struct acrpmu_spec *spec, unsigned int group)
{
	size_t size = acrpmu_spec_matrix(spec, group, NULL, 0) + 1;
	char *text = malloc(size);

	if (text)
		acrpmu_spec_matrix(spec, group, text, size);
	return text;
}

static void print_hw(const struct acrpmu_spec *spec, unsigned int group,
		     const struct acrpmu_event_hw *hw)
{
	unsigned int i;

	for (i = 0; i < acrpmu_spec_nr_events(spec, group); i++) {
		bool fixed = hw[i].cntr >= ACRPMU_FIXED_BASE;

		fprintf(stderr,
			"  %s: %s counter %d, CFG_A %#llx, CFG_B %#llx, CFG_C %#llx, start %#llx",
			acrpmu_spec_event(spec, group, i)->name,
			fixed ? "fixed" : "general-purpose",
			fixed ? hw[i].cntr - ACRPMU_FIXED_BASE : hw[i].cntr,
			hw[i].cfg_a, hw[i].cfg_b, hw[i].cfg_c, hw[i].start);
		if (hw[i].extra_msr)
			fprintf(stderr, ", MSR %#x %#llx", hw[i].extra_msr, hw[i].extra_value);
		fprintf(stderr, "\n");
	}
}

/**
 * output_hw() - print how the events of a session are programmed, on stderr
 *
 * Nothing is printed for a parked session.  The first CPU is printed, then only those that differ
 * from the one before.
 */
void output_hw(const struct acrpmu_spec *spec, unsigned int group, struct acrpmu_session *session)
{
	struct acrpmu_event_hw first[ACRPMU_MAX_EVENTS], hw[ACRPMU_MAX_EVENTS];
	size_t size = acrpmu_spec_nr_events(spec, group) * sizeof(*hw);
	long cpu, nr_cpus = sysconf(_SC_NPROCESSORS_CONF);

	if (acrpmu_session_query(session, first) || first[0].cntr < 0)
		return;
	print_hw(spec, group, first);
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		if (acrpmu_session_query_cpu(session, cpu, hw) || hw[0].cntr < 0 ||
		    !memcmp(hw, first, size))
			continue;
		fprintf(stderr, "  from CPU %ld on:\n", cpu);
		print_hw(spec, group, hw);
		memcpy(first, hw, size);
	}
}

/**
 * output_no_memory() - print that there was not enough memory for the output
 *
 * Return: ACRCTL_EXIT_FAILED.
 */
int output_no_memory(const char *command)
{
	fprintf(stderr,
		"acrctl: %s: there is no memory left for the output; end other programs or raise the limit (ulimit -v)\n",
		command);
	return ACRCTL_EXIT_FAILED;
}

/**
 * output_help() - print the help of a command, which has printed nothing before
 *
 * All of it is written by output_finish(), which then knows why that fails.
 *
 * Return: an exit status.
 */
int output_help(const char *usage)
{
	static char room[HELP_LEN];

	setvbuf(stdout, room, _IOFBF, sizeof(room));
	return fputs(usage, stdout) < 0 ? ACRCTL_EXIT_FAILED : ACRCTL_EXIT_DONE;
}

/**
 * output_finish() - flush standard output
 *
 * Return: @status, or ACRCTL_EXIT_FAILED after a message if something was not written.
 */
int output_finish(int status)
{
	/* errno of an error before the last flush is lost */
	bool failed = ferror(stdout);

	errno = 0;
	if (!fflush(stdout) && !failed)
		return status;
	fprintf(stderr, "acrctl: standard output: %s; part of the output is missing\n",
		errno ? strerror(errno) : "a write failed");
	return ACRCTL_EXIT_FAILED;
}
