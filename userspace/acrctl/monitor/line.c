// SPDX-License-Identifier: GPL-2.0-only
/* What happens, as lines for people: the time and a sentence. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../util/util.h"
#include "../terminal.h"
#include "../ui/color.h"
#include "monitor.h"

#define TIME_LEN	32

/* ---- parts of sentences ------------------------------------------------------------------- */

static void print_time(FILE *f, __u64 real_ns)
{
	const time_t s = real_ns / NSEC_PER_SEC;
	char text[TIME_LEN] = "";
	struct tm tm;

	if (localtime_r(&s, &tm))
		strftime(text, sizeof(text), "%F %T", &tm);
	fprintf(f, "%s.%03u ", text, (unsigned int)(real_ns % NSEC_PER_SEC / NSEC_PER_MSEC));
}

/* "acrctl[4711] (root)"; what is known is older, and has the process before it exited. */
static void print_who(FILE *f, const struct item *item)
{
	const struct acrpmu_notice *n = item->notice;
	const __u32 pid = n->pid ?: item->session ? item->session->pid : 0;
	char user[WORD_LEN];

	terminal_print(f, 0, n->comm);
	if (pid)
		fprintf(f, "[%u] (", pid);
	else
		fputs("[-] (", f);
	if (words_user(n->uid, user))
		terminal_print(f, 0, user);
	else
		fprintf(f, "uid %u", n->uid);
	fputc(')', f);
}

static void print_session(FILE *f, const struct item *item)
{
	fprintf(f, "session %llu, ", item->notice->session);
	print_who(f, item);
}

static int print_cpus(FILE *f, const struct acrpmu_cpu_set *cpus)
{
	char *list = words_cpus(cpus);

	if (!list)
		return -ENOMEM;
	if (*list)
		fprintf(f, "CPU%s %s", list[strspn(list, "0123456789")] ? "s" : "", list);
	else
		fputs("no CPU", f);
	free(list);
	return 0;
}

/* "CPUs 0-3 with GP0, FIXED1" for each set of CPUs with the same counters. */
static int print_placements(FILE *f, const struct acrpmu_notice *n)
{
	char word[WORD_LEN];
	unsigned int i;
	size_t k;

	if (!n->nr_placements) {
		fputs("; ", f);
		return print_cpus(f, &n->cpus);
	}
	for (i = 0; i < n->nr_placements; i++) {
		const struct acrpmu_notice_placement *p = &n->placements[i];

		fputs("; ", f);
		if (print_cpus(f, &p->cpus))
			return -ENOMEM;
		for (k = 0; k < p->nr_cntrs; k++)
			fprintf(f, "%s%s", k ? ", " : " with ", words_cntr(p->cntrs[k], word));
	}
	if (n->unplaced)
		fprintf(f, "; %u more CPU%s", n->unplaced, n->unplaced == 1 ? "" : "s");
	return 0;
}

static void print_events(FILE *f, const struct known_session *session)
{
	unsigned int i;

	for (i = 0; session && i < session->nr_events; i++) {
		fputs(i ? ", " : ": ", f);
		terminal_print(f, 0, session->events[i]);
	}
}

/* What a list of the session, and the message of its creation, have. */
static int print_whole(FILE *f, const struct item *item)
{
	const struct acrpmu_notice *n = item->notice;
	char age[WORD_LEN];

	print_session(f, item);
	if (n->type == ACRPMU_NL_CMD_SESSION_GET)
		fprintf(f, " exists for %s, %s",
			words_age(moment_age_ns(&item->now, n->created_ns), age),
			words_state(n->state));
	else
		fprintf(f, " was created, %s", words_state(n->state));
	if (n->state & ACRPMU_STATE_CPU_LOST)
		fputs(", has lost a CPU", f);
	print_events(f, item->session);
	return print_placements(f, n);
}

static int print_changed(FILE *f, const struct item *item)
{
	const struct acrpmu_notice *n = item->notice;
	const char *change = words_change(n->change);
	int err = 0;

	print_session(f, item);
	switch (n->change) {
	case ACRPMU_NL_CHANGE_PERIODS:
		fputs(" has other periods", f);
		print_events(f, item->session);
		break;
	case ACRPMU_NL_CHANGE_ENABLED:
	case ACRPMU_NL_CHANGE_UNPARKED:
		fprintf(f, " was %s on ", change);
		err = print_cpus(f, &n->cpus);
		break;
	default:
		if (change)
			fprintf(f, " was %s", change);
		else
			fprintf(f, " has changed in a way that this acrctl does not know (%u)",
				n->change);
	}
	if (n->state & ACRPMU_STATE_CPU_LOST)
		fputs("; it has lost a CPU", f);
	return err;
}

/* ---- sentences ---------------------------------------------------------------------------- */

static void print_counts(FILE *f, const struct item *item)
{
	const struct acrpmu_notice *n = item->notice;
	unsigned int i;

	for (i = 0; i < n->nr_counts; i++) {
		fputs(i ? ", " : ": ", f);
		if (n->counts[i].flags & ACRPMU_COUNT_TAKEN)
			fputs("<not counted> ", f);
		else
			fprintf(f, "%llu ", n->counts[i].value);
		if (item->session && i < item->session->nr_events)
			terminal_print(f, 0, item->session->events[i]);
		else
			fprintf(f, "of event %u", i);
		/* there is no true count */
		if (n->counts[i].flags & ACRPMU_COUNT_RELOADED)
			fputs(" (in whole periods)", f);
	}
}

static void print_account(FILE *f, __u64 nr, const char *what)
{
	if (nr)
		fprintf(f, "; %llu %s", nr, what);
}

static void print_ended(FILE *f, const struct item *item)
{
	const struct acrpmu_notice *n = item->notice;
	char age[WORD_LEN];

	print_session(f, item);
	if (acrpmu_notice_has(n, ACRPMU_NL_A_CREATED))
		fprintf(f, " ended after %s", words_age(n->time_ns - n->created_ns, age));
	else
		fputs(" ended, and its message was missed", f);
	/* users without CAP_PERFMON get only those of sessions created without it */
	if (acrpmu_notice_has(n, ACRPMU_NL_A_CREATED) &&
	    !acrpmu_notice_has(n, ACRPMU_NL_A_RECORDS))
		fputs("; only users with CAP_PERFMON see its counts", f);
	print_counts(f, item);
	print_account(f, n->records, n->records == 1 ? "sample" : "samples");
	print_account(f, n->lost, "lost");
	print_account(f, n->throttled, "throttled");
	print_account(f, n->discarded, "discarded");
	print_account(f, n->guest, "in guests");
	print_account(f, n->quiet, "quiet");
	if (n->time_missed)
		fprintf(f, "; %.3f s not counted", (double)n->time_missed / NSEC_PER_SEC);
}

static void print_refused(FILE *f, const struct item *item)
{
	struct acrpmu_message message;

	words_refusal(item->notice, &message);
	if (item->notice->session)
		print_session(f, item);
	else
		print_who(f, item);
	fputs(" was refused: ", f);
	terminal_print(f, 0, message.text);
}

static void print_taken(FILE *f, const struct item *item)
{
	struct acrpmu_message message;

	words_refusal(item->notice, &message);
	print_session(f, item);
	fprintf(f, " has lost CPU %u: ", item->notice->cpu);
	terminal_print(f, 0, message.text);
}

static void print_register(FILE *f, const struct item *item)
{
	const struct acrpmu_notice *n = item->notice;
	char cntr[WORD_LEN];

	print_session(f, item);
	fprintf(f, ": others have changed %s on CPU %u: MSR 0x%x has ", words_cntr(n->cntr, cntr),
		n->cpu, n->msr);
	/* the module does not show all to a user without CAP_PERFMON */
	if (acrpmu_notice_has(n, ACRPMU_NL_A_FOUND))
		fprintf(f, "0x%llx", n->found);
	else
		fputs("another value", f);
	if (acrpmu_notice_has(n, ACRPMU_NL_A_EXPECTED))
		fprintf(f, " instead of 0x%llx", n->expected);
}

static void print_lost(FILE *f, const struct item *item)
{
	const struct acrpmu_notice *n = item->notice;

	print_session(f, item);
	fprintf(f, " has lost samples on CPU %u", n->cpu);
	if (acrpmu_notice_has(n, ACRPMU_NL_A_LOST))
		fprintf(f, ": %llu so far", n->lost);
}

static void print_pause(FILE *f, const struct item *item)
{
	const struct acrpmu_notice *n = item->notice;
	bool stopped = n->type == ACRPMU_NL_CMD_STOPPED;

	print_session(f, item);
	fprintf(f, stopped ? " pauses on CPU %u, as it had too many overflows" :
			     " counts again on CPU %u", n->cpu);
	if (!acrpmu_notice_has(n, ACRPMU_NL_A_PAUSES))
		return;
	fprintf(f, "; so far %llu pause%s, %llu overflow%s throttled", n->pauses,
		n->pauses == 1 ? "" : "s", n->throttled, n->throttled == 1 ? "" : "s");
}

static void print_missed(FILE *f, const struct acrpmu_notice *n)
{
	const char *sep = "warning: ";

	if (n->missed || !n->left_out) {
		if (n->missed)
			fprintf(f, "%s%llu message%s", sep, n->missed,
				n->missed == 1 ? " was" : "s were");
		else
			fprintf(f, "%smessages, it is unknown how many, were", sep);
		fputs(" missed, as they were not read fast enough", f);
		sep = "; ";
	}
	if (n->left_out)
		fprintf(f, "%s%llu refusal%s came too fast to be reported", sep, n->left_out,
			n->left_out == 1 ? "" : "s");
}

static void print_unknown(FILE *f, const struct item *item)
{
	const struct acrpmu_notice *n = item->notice;

	if (n->session) {
		print_session(f, item);
		fputs(": ", f);
	}
	fprintf(f, "a message of type %u, which this acrctl does not know; install a newer one",
		n->type);
}

static int print_reserved(FILE *f, const struct item *item)
{
	bool claimed = item->notice->type == ACRPMU_NL_CMD_PMU_CLAIMED;
	int err;

	print_session(f, item);
	fputs(claimed ? " has reserved counters on " : " has released its counters on ", f);
	err = print_cpus(f, &item->notice->cpus);
	if (claimed)
		fputs("; in-tree perf is kept off", f);
	return err;
}

static int print_sentence(FILE *f, const struct item *item)
{
	const struct acrpmu_notice *n = item->notice;

	switch (n->type) {
	case ACRPMU_NL_CMD_SESSION_GET:
	case ACRPMU_NL_CMD_SESSION_CREATED:
		return print_whole(f, item);
	case ACRPMU_NL_CMD_SESSION_CHANGED:
		return print_changed(f, item);
	case ACRPMU_NL_CMD_SESSION_ENDED:
		print_ended(f, item);
		break;
	case ACRPMU_NL_CMD_PMU_CLAIMED:
	case ACRPMU_NL_CMD_PMU_RELEASED:
		return print_reserved(f, item);
	case ACRPMU_NL_CMD_REFUSED:
		print_refused(f, item);
		break;
	case ACRPMU_NL_CMD_PMU_TAKEN:
		print_taken(f, item);
		break;
	case ACRPMU_NL_CMD_REGISTER_CHANGED:
		print_register(f, item);
		break;
	case ACRPMU_NL_CMD_LOST:
		print_lost(f, item);
		break;
	case ACRPMU_NL_CMD_STOPPED:
	case ACRPMU_NL_CMD_RESUMED:
		print_pause(f, item);
		break;
	case ACRPMU_NL_CMD_CPU_ONLINE:
	case ACRPMU_NL_CMD_CPU_OFFLINE:
		fprintf(f, "CPU %u went %s", n->cpu,
			n->type == ACRPMU_NL_CMD_CPU_ONLINE ? "online" : "offline");
		break;
	case ACRPMU_NL_CMD_CPU_LOST:
		print_session(f, item);
		fprintf(f, " does not count on CPU %u any more, which went offline or was refused",
			n->cpu);
		break;
	case ACRPMU_NL_CMD_MISSED:
		print_missed(f, n);
		break;
	case ACRPMU_NL_CMD_UNLOADED:
		fputs("the module is being unloaded", f);
		break;
	default:
		print_unknown(f, item);
		break;
	}
	return 0;
}

static enum color color_of(__u32 type)
{
	switch (type) {
	case ACRPMU_NL_CMD_REFUSED:
	case ACRPMU_NL_CMD_PMU_TAKEN:
	case ACRPMU_NL_CMD_REGISTER_CHANGED:
	case ACRPMU_NL_CMD_CPU_LOST:
		return COLOR_RED;
	case ACRPMU_NL_CMD_LOST:
	case ACRPMU_NL_CMD_STOPPED:
	case ACRPMU_NL_CMD_MISSED:
		return COLOR_YELLOW;
	default:
		return COLOR_PLAIN;
	}
}

/**
 * line_print() - print what happened as a line
 *
 * Return: 0 or -ENOMEM.
 */
int line_print(FILE *f, const struct item *item)
{
	const enum color color = color_of(item->notice->type);
	int err;

	print_time(f, item_real_ns(item));
	color_begin(f, color);
	err = print_sentence(f, item);
	color_end(f, color);
	fputc('\n', f);
	return err;
}
