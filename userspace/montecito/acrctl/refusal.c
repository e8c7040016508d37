// SPDX-License-Identifier: GPL-2.0-only
/* Refusals of libacrpfm: the name of the code, what it means, the reason and the remedy. */
#include <stdio.h>
#include <string.h>

#include "../../util/util.h"
#include "../../util/message.h"
#include "../lib/pfmlib_say.h"
#include "encoding.h"

#define REMEDY		"; "	/* what a reason has before its remedy */
#define REASON_LEN	1024
#define OPTION_LEN	64
#define DFL_PLM		"pfp_dfl_plm"
#define PLACE		" at place "	/* before the place of an event or range, from 1 on */
#define FLAGS		": flags "	/* before those of an event or ranges that are to blame */

/* What to do where the reason itself does not say it. */
static const struct {
	int ret;
	const char *name;
	const char *remedy;
} codes[] = {
	{ PFMLIB_ERR_NOTSUPP, "PFMLIB_ERR_NOTSUPP", "leave out what Montecito cannot do" },
	{ PFMLIB_ERR_INVAL, "PFMLIB_ERR_INVAL", "give a value within the limits" },
	{ PFMLIB_ERR_NOINIT, "PFMLIB_ERR_NOINIT", "" },
	{ PFMLIB_ERR_NOTFOUND, "PFMLIB_ERR_NOTFOUND",
	  "'acrctl list --pmu " MONTECITO_NAME "' shows all events" },
	{ PFMLIB_ERR_NOASSIGN, "PFMLIB_ERR_NOASSIGN",
	  "leave out an event, or let more registers be used (--unavailable)" },
	{ PFMLIB_ERR_FULL, "PFMLIB_ERR_FULL", "" },
	{ PFMLIB_ERR_EVTMANY, "PFMLIB_ERR_EVTMANY", "leave out an event" },
	{ PFMLIB_ERR_MAGIC, "PFMLIB_ERR_MAGIC", "" },
	{ PFMLIB_ERR_FEATCOMB, "PFMLIB_ERR_FEATCOMB", "leave out one of the two" },
	{ PFMLIB_ERR_EVTSET, "PFMLIB_ERR_EVTSET",
	  "take events of fewer sets; 'acrctl list --pmu " MONTECITO_NAME "' shows them" },
	{ PFMLIB_ERR_EVTINCOMP, "PFMLIB_ERR_EVTINCOMP", "leave out one of the two" },
	{ PFMLIB_ERR_TOOMANY, "PFMLIB_ERR_TOOMANY", "ask for less" },
	{ PFMLIB_ERR_IRRTOOBIG, "PFMLIB_ERR_IRRTOOBIG", "make the code range smaller" },
	{ PFMLIB_ERR_IRREMPTY, "PFMLIB_ERR_IRREMPTY", "let the code range end behind its start" },
	{ PFMLIB_ERR_IRRINVAL, "PFMLIB_ERR_IRRINVAL", "let the code range end behind its start" },
	{ PFMLIB_ERR_IRRTOOMANY, "PFMLIB_ERR_IRRTOOMANY", "give fewer code ranges" },
	{ PFMLIB_ERR_DRRINVAL, "PFMLIB_ERR_DRRINVAL", "let the data range end behind its start" },
	{ PFMLIB_ERR_DRRTOOMANY, "PFMLIB_ERR_DRRTOOMANY", "give fewer data ranges" },
	{ PFMLIB_ERR_BADHOST, "PFMLIB_ERR_BADHOST", "" },
	{ PFMLIB_ERR_IRRALIGN, "PFMLIB_ERR_IRRALIGN",
	  "let code ranges start and end at multiples of 16" },
	{ PFMLIB_ERR_IRRFLAGS, "PFMLIB_ERR_IRRFLAGS",
	  "choose by --irange-flags demand, prefetch or both" },
	{ PFMLIB_ERR_UMASK, "PFMLIB_ERR_UMASK",
	  "add unit masks, like EVENT:M; 'acrctl list --pmu " MONTECITO_NAME "' shows them" },
	{ PFMLIB_ERR_NOMEM, "PFMLIB_ERR_NOMEM", "end other programs" },
};

/* The first place that a reason tells, 0: none. */
static unsigned int place_in(const char *reason)
{
	const char *at = strstr(reason, PLACE);
	unsigned int place;

	return at && sscanf(at, PLACE "%u", &place) == 1 ? place : 0;
}

/* To blame is the event at the place that the reason tells. */
static void find_place(const struct montecito *m, const char *reason,
		       struct acrpmu_message *message)
{
	const unsigned int place = place_in(reason);

	if (!place || place > m->inp.pfp_event_count)
		return;
	message->string = m->place[place - 1].string;
	message->column = m->place[place - 1].column;
}

/* ---- which option is to blame ------------------------------------------------------------- */

/* Where NAME= stands among the terms of an option, else the start. */
static unsigned int column_of(const char *text, const char *name, size_t len)
{
	const char *at;

	for (at = text; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (!strncmp(at, name, len) && at[len] == '=')
			return at - text + 1;
	}
	return 1;
}

static void blame(struct montecito *m, const struct montecito_arg *arg, unsigned int column,
		  struct acrpmu_message *message)
{
	m->option = montecito_option_name(arg->option);
	m->text = arg->text;
	message->column = column;
}

/* The option --NAME that was given for the n-th time, from 1 on. */
static const struct montecito_arg *find_option(const struct montecito_args *args, const char *name,
					       unsigned int n)
{
	unsigned int i;

	for (i = 0; i < args->nr; i++) {
		if (!strcmp(name, montecito_option_name(args->arg[i].option)) && !--n)
			return &args->arg[i];
	}
	return NULL;
}

/*
 * "opcm1: opcm_match is 0x...", "irange at place 2 of its list: rr_plm is 0x...": the term is what
 * stands behind the member's underscore.
 */
static bool find_term(struct montecito *m, const struct montecito_args *args, const char *reason,
		      struct acrpmu_message *message)
{
	const unsigned int place = place_in(reason);
	const char *member = strstr(reason, ": "), *name;
	const struct montecito_arg *arg;
	char option[OPTION_LEN];
	size_t len;

	if (!member)
		return false;
	snprintf(option, sizeof(option), "--%.*s", (int)strcspn(reason, " :"), reason);
	arg = find_option(args, option, place ? place : 1);
	if (!arg)
		return false;
	member += strlen(": ");
	len = strcspn(member, " ");
	name = memchr(member, '_', len);
	len -= name ? name + 1 - member : 0;
	blame(m, arg, column_of(arg->text, name ? name + 1 : member, len), message);
	return true;
}

/* "irange: flags 0x... are not known": the first word that has one of them. */
static bool find_flags(struct montecito *m, const struct montecito_args *args, const char *reason,
		       struct acrpmu_message *message)
{
	const char *at = strstr(reason, FLAGS);
	struct acrpmu_message unused;
	const struct montecito_arg *arg;
	char option[OPTION_LEN];
	unsigned int flags, n;

	if (!at || sscanf(at, FLAGS "%x", &flags) != 1)
		return false;
	snprintf(option, sizeof(option), "--%.*s-flags", (int)(at - reason), reason);
	for (n = 1; (arg = find_option(args, option, n)); n++) {
		struct montecito_text text = { .text = arg->text, .message = &unused };
		struct montecito_span rest = { arg->text, strlen(arg->text) };

		while (rest.at) {
			struct montecito_span word = montecito_cut(&rest, ",");
			__u64 value = 0;

			montecito_choice(&text, word, montecito_range_flags, UINT32_MAX, &value);
			if (!(value & flags))
				continue;
			blame(m, arg, word.at - arg->text + 1, message);
			return true;
		}
	}
	return false;
}

/* "code range 0x1000 to 0x1000 ...": which one has these limits. */
static bool find_range(struct montecito *m, const struct montecito_args *args, const char *reason,
		       struct acrpmu_message *message)
{
	const bool code = !strncmp(reason, "code", strlen("code"));
	const pfmlib_mont_input_rr_t *in = code ? &m->mod_in.pfp_mont_irange :
						  &m->mod_in.pfp_mont_drange;
	enum montecito_option option = code ? MONTECITO_IRANGE : MONTECITO_DRANGE;
	unsigned long start, end;
	unsigned int i, nr = 0;

	if (sscanf(reason, code ? "code range 0x%lx to 0x%lx" : "data range 0x%lx to 0x%lx", &start,
		   &end) != 2)
		return false;
	for (i = 0; i < args->nr; i++) {
		if (args->arg[i].option != option)
			continue;
		if (in->rr_limits[nr].rr_start == start && in->rr_limits[nr].rr_end == end) {
			blame(m, &args->arg[i], 1, message);
			return true;
		}
		nr++;
	}
	return false;
}

static bool find_levels(struct montecito *m, const struct montecito_args *args, const char *reason,
			struct acrpmu_message *message)
{
	unsigned int i;

	for (i = 0; i < args->nr && strstr(reason, DFL_PLM); i++) {
		if (args->arg[i].option != MONTECITO_PLM)
			continue;
		blame(m, &args->arg[i], 1, message);
		return true;
	}
	return false;
}

/* ---- in the words of the command line ----------------------------------------------------- */

/* How what a reason names is written here. */
static const struct {
	const char *library;
	const char *here;
} words[] = {
	{ "generic input: ", "" },
	{ "pfp_unavail_pmcs", "--unavailable" },
	{ DFL_PLM, "--plm" },
	{ "pfp_event_count is", "the number of events is" },
	{ "set rr_used to 0", "leave the option out" },
	{ "one or more of PFM_PLM0 to PFM_PLM3", "u, k, uk or a number from 1 to 0xf" },
	{ "DEMAND_FETCH", "'--irange-flags demand'" },
	{ "PREFETCH_MATCH", "'--irange-flags prefetch'" },
	{ "NO_FINE_MODE", "'--irange-flags no-fine'" },
	{ "NO_QUALCHECK", "'no-qualcheck'" },
	{ "ALL_THRD", "'all-threads'" },
	{ "RR_INV", "'--irange-flags inv'" },
};

static void translate(const char *reason, char *buf, size_t size)
{
	size_t n = 0;

	while (*reason && n + 1 < size) {
		unsigned int i = 0;

		while (i < ARRAY_SIZE(words) &&
		       strncmp(reason, words[i].library, strlen(words[i].library)))
			i++;
		if (i == ARRAY_SIZE(words)) {
			buf[n++] = *reason++;
			continue;
		}
		n += snprintf(buf + n, size - n, "%s", words[i].here);
		reason += strlen(words[i].library);
	}
	buf[n < size ? n : size - 1] = 0;
}

/**
 * montecito_refusal() - say why libacrpfm refused
 * @m: what it was asked for; also which option is to blame
 * @args: the options
 * @ret: what it returned
 * @message: out
 */
void montecito_refusal(struct montecito *m, const struct montecito_args *args, int ret,
		       struct acrpmu_message *message)
{
	const char *reason = pfmlib_last_reason(), *remedy;
	char here[REASON_LEN];
	unsigned int i = 0;
	int len;

	while (i < ARRAY_SIZE(codes) - 1 && codes[i].ret != ret)
		i++;
	translate(reason, here, sizeof(here));
	remedy = strstr(here, REMEDY);
	len = remedy ? remedy - here : (int)strlen(here);
	acrpmu_message_text(message, codes[i].name, "%s (%s)%s%.*s", codes[i].name,
			    pfm_strerror(ret), len ? ": " : "", len, here);
	acrpmu_message_hint(message, "%s", remedy ? remedy + strlen(REMEDY) : codes[i].remedy);
	if (!find_flags(m, args, reason, message) && !find_term(m, args, reason, message) &&
	    !find_range(m, args, reason, message) && !find_levels(m, args, reason, message))
		find_place(m, reason, message);
}
