// SPDX-License-Identifier: GPL-2.0-only
/* report --html. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "../../util/util.h"
#include "../cmd.h"
#include "../html/html.h"
#include "../reload.h"
#include "condition.h"
#include "export.h"

#define TEXT_LEN	4096
#define TIME_LEN	32

static void add_feature(struct html_facts *f, const struct view *v, const char *term,
			unsigned int feature)
{
	char text[TEXT_LEN];

	if (!pd_reader_string(&v->reader, feature, text, sizeof(text)) && *text)
		html_fact(f, false, term, "%s", text);
}

static void add_end(struct html_facts *f, const struct view_args *a)
{
	time_t end = export_end_ns(a) / NSEC_PER_SEC;
	char text[TIME_LEN];
	struct tm tm;

	if (end && gmtime_r(&end, &tm) && strftime(text, sizeof(text), "%F %T UTC", &tm))
		html_fact(f, false, "Recorded until", "%s", text);
}

static void add_comparison(struct html_facts *f, const struct view *v, const struct comparison *c,
			   const struct profile *p)
{
	static const char all[] = "In all of the recording";
	struct condition_counts n = condition_counts(v, c);

	if (c->windows)
		html_fact(f, false, "Sampled windows", "%llu, each with %s",
			  html_event_samples(p, c->sampled), c->windows);
	/* the reload is no fault of the recording */
	if (n.unknown)
		html_fact(f, !n.reloaded, all, "%s was not measured: %s%s", c->ratio, n.unknown,
			  n.reloaded ? CONDITION_REMEDY : "");
	else
		html_fact(f, false, all, "%s = %.4g (%llu / %llu)", c->ratio,
			  (double)n.a / n.b, n.a, n.b);
}

static void add_condition(struct html_facts *f, const struct view *v, const struct condition *c,
			  const struct profile *p)
{
	size_t i;

	if (!c->text)
		return;
	html_fact(f, false, "Condition", "%s", c->text);
	for (i = 0; i < c->nr; i++)
		add_comparison(f, v, &c->list[i], p);
}

/* Only what there is; that nothing was lost is a fact, too. */
static void add_losses(struct html_facts *f, const struct view *v)
{
	html_fact(f, v->lost, "Lost samples", "%llu", v->lost);
	html_fact(f, v->pauses, "Throttled", "%llu%s", v->pauses,
		  v->pauses ? " (pauses since a CPU had reached a limit)" : "");
	if (v->lost_sideband)
		html_fact(f, true, "Lost records about tasks and maps",
			  "%llu: some names may be missing", v->lost_sideband);
	if (view_lost_cpus_ns(v))
		html_fact(f, true, "CPUs offline or taken away",
			  "for %.6f s in all: samples of that time are missing",
			  view_lost_cpus_ns(v) / (double)NSEC_PER_SEC);
	if (view_taken(v))
		html_fact(f, true, "CPU taken away",
			  "somebody else took one from the session: samples may be missing");
	if (v->malformed || v->unknown)
		html_fact(f, true, "Discarded",
			  "damaged records: %llu, samples that belong to no event: %llu",
			  v->malformed, v->unknown);
	if (v->reader.unfinished || v->reader.truncated)
		html_fact(f, true, "Incomplete", "%s", v->reader.unfinished ?
			  "the recording was not closed" : "the recording is cut off");
}

static void describe(struct html_facts *f, const struct view_args *a, const struct view *v,
		     const struct condition *c, const struct profile *p)
{
	enum reload reload = reload_of(&v->reader);
	char cmdline[TEXT_LEN];

	add_condition(f, v, c, p);
	html_fact(f, !html_samples(p), "Samples", "%llu%s", html_samples(p), html_samples(p) ? "" :
		  ": no event of the recording reached its period");
	if (html_duration_ns(p))
		html_fact(f, false, "From first to last sample", "%.6f s",
			  html_duration_ns(p) / (double)NSEC_PER_SEC);
	add_losses(f, v);
	if (!pd_reader_cmdline(&v->reader, cmdline, sizeof(cmdline)))
		html_fact(f, false, "Recorded by", "%s", cmdline);
	add_end(f, a);
	if (reload != RELOAD_AUTO)
		html_fact(f, false, "Auto counter reload", "%s", reload_words(reload));
	add_feature(f, v, "Machine", PD_FEAT_HOSTNAME);
	add_feature(f, v, "Kernel", PD_FEAT_OSRELEASE);
	add_feature(f, v, "Architecture", PD_FEAT_ARCH);
	add_feature(f, v, "CPU", PD_FEAT_CPUDESC);
}

static int write_page(const struct view_args *a, struct view *v, FILE *out)
{
	struct html_facts facts = { 0 };
	struct profile *p = html_read(v);
	struct condition c;
	int err;

	if (!p)
		return -ENOMEM;
	err = condition_read(&c, v);
	if (!err) {
		describe(&facts, a, v, &c, p);
		err = html_write(p, a->path, &facts, out);
	}
	condition_free(&c);
	html_facts_free(&facts);
	html_free(p);
	return err;
}

/**
 * export_html() - write all samples as a page
 *
 * Return: an exit status, after a message unless it is 0.
 */
int export_html(const struct view_args *a, struct view *v, FILE *out)
{
	int err = write_page(a, v, out);

	if (!err)
		return ACRCTL_EXIT_DONE;
	if (err == -ENOMEM)
		fprintf(stderr, "acrctl: report: --html %s: there is not enough memory\n",
			a->export_path);
	else
		fprintf(stderr, "acrctl: report: --html %s: %s; name another file with --html\n",
			a->export_path, strerror(-err));
	return ACRCTL_EXIT_FAILED;
}
