// SPDX-License-Identifier: GPL-2.0-only
/* Turns libacrpfm's refusals into messages about the command line. */
#include <stdio.h>
#include <string.h>

#include "../../util/util.h"
#include "../../util/message.h"
#include "../lib/pfmlib_say.h"
#include "encoding.h"

#define REMEDY		"; "	/* between a reason and its remedy */
#define REASON_LEN	1024
#define OPTION_LEN	64
#define DFL_PLM		"pfp_dfl_plm"
#define POSITION		" at position "	/* of an event or a range, from 1 */
#define FLAGS		": flags "	/* of an event or a range */

/* Remedies for reasons that do not include one. */
static const struct {
	int ret;
	const char *name;
	const char *remedy;
} codes[] = {
	{ PFMLIB_ERR_NOTSUPP, "PFMLIB_ERR_NOTSUPP", "leave out what Montecito cannot do" },
	{ PFMLIB_ERR_INVAL, "PFMLIB_ERR_INVAL", "use a value within the limits" },
	{ PFMLIB_ERR_NOINIT, "PFMLIB_ERR_NOINIT", "" },
	{ PFMLIB_ERR_NOTFOUND, "PFMLIB_ERR_NOTFOUND",
	  "'acrctl list --pmu " MONTECITO_NAME "' shows all events" },
	{ PFMLIB_ERR_NOASSIGN, "PFMLIB_ERR_NOASSIGN",
	  "leave out an event, or allow more registers (--unavailable)" },
	{ PFMLIB_ERR_FULL, "PFMLIB_ERR_FULL", "" },
	{ PFMLIB_ERR_EVTMANY, "PFMLIB_ERR_EVTMANY", "leave out an event" },
	{ PFMLIB_ERR_MAGIC, "PFMLIB_ERR_MAGIC", "" },
	{ PFMLIB_ERR_FEATCOMB, "PFMLIB_ERR_FEATCOMB", "leave out one of the two" },
	{ PFMLIB_ERR_EVTSET, "PFMLIB_ERR_EVTSET",
	  "use events of fewer sets; 'acrctl list --pmu " MONTECITO_NAME "' shows them" },
	{ PFMLIB_ERR_EVTINCOMP, "PFMLIB_ERR_EVTINCOMP", "leave out one of the two" },
	{ PFMLIB_ERR_TOOMANY, "PFMLIB_ERR_TOOMANY", "ask for less" },
	{ PFMLIB_ERR_IRRTOOBIG, "PFMLIB_ERR_IRRTOOBIG", "make the code range smaller" },
	{ PFMLIB_ERR_IRREMPTY, "PFMLIB_ERR_IRREMPTY", "let the code range end after its start" },
	{ PFMLIB_ERR_IRRINVAL, "PFMLIB_ERR_IRRINVAL", "let the code range end after its start" },
	{ PFMLIB_ERR_IRRTOOMANY, "PFMLIB_ERR_IRRTOOMANY", "use fewer code ranges" },
	{ PFMLIB_ERR_DRRINVAL, "PFMLIB_ERR_DRRINVAL", "let the data range end after its start" },
	{ PFMLIB_ERR_DRRTOOMANY, "PFMLIB_ERR_DRRTOOMANY", "use fewer data ranges" },
	{ PFMLIB_ERR_BADHOST, "PFMLIB_ERR_BADHOST", "" },
	{ PFMLIB_ERR_IRRALIGN, "PFMLIB_ERR_IRRALIGN",
	  "let code ranges start and end at multiples of 16" },
	{ PFMLIB_ERR_IRRFLAGS, "PFMLIB_ERR_IRRFLAGS",
	  "choose by --irange-flags demand, prefetch or both" },
	{ PFMLIB_ERR_UMASK, "PFMLIB_ERR_UMASK",
	  "add unit masks, like EVENT:M; 'acrctl list --pmu " MONTECITO_NAME "' shows them" },
	{ PFMLIB_ERR_NOMEM, "PFMLIB_ERR_NOMEM", "end other programs" },
};

/* Return the first position in a reason, 0: there is none. */
static unsigned int position_in(const char *reason)
{
	const char *at = strstr(reason, POSITION);
	unsigned int position;

	return at && sscanf(at, POSITION "%u", &position) == 1 ? position : 0;
}

/* Point to the event at the position in the reason. */
static void find_place(const struct montecito *m, const char *reason,
		       struct acrpmu_message *message)
{
	const unsigned int position = position_in(reason);

	if (!position || position > m->inp.pfp_event_count)
		return;
	message->string = m->location[position - 1].string;
	message->column = m->location[position - 1].column;
}

/* ---- the option at fault ------------------------------------------------------------------ */

/* Return the column of the term NAME= of an option, or that of its first term. */
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

/* Find the n-th --NAME, from 1. */
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
 * For "opcm1: opcm_match is 0x..." or "irange at position 2 of its list: rr_plm is 0x...": the term
 * is the name of the member after its underscore.
 */
static bool find_term(struct montecito *m, const struct montecito_args *args, const char *reason,
		      struct acrpmu_message *message)
{
	const unsigned int position = position_in(reason);
	const char *member = strstr(reason, ": "), *name;
	const struct montecito_arg *arg;
	char option[OPTION_LEN];
	size_t len;

	if (!member)
		return false;
	snprintf(option, sizeof(option), "--%.*s", (int)strcspn(reason, " :"), reason);
	arg = find_option(args, option, position ? position : 1);
	if (!arg)
		return false;
	member += strlen(": ");
	len = strcspn(member, " ");
	name = memchr(member, '_', len);
	len -= name ? name + 1 - member : 0;
	blame(m, arg, column_of(arg->text, name ? name + 1 : member, len), message);
	return true;
}

/* For "irange: flags 0x... are unknown": find the first keyword that has one of them. */
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

			montecito_read_choice(&text, word, montecito_range_flags, UINT32_MAX,
					      &value);
			if (!(value & flags))
				continue;
			blame(m, arg, word.at - arg->text + 1, message);
			return true;
		}
	}
	return false;
}

/* For "code range 0x1000 to 0x1000 ...": find the range with these limits. */
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

/* ---- in terms of the command line --------------------------------------------------------- */

/* How libacrpfm and the command line name the same thing. */
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

/*
 * Explain why libacrpfm returned @ret: name and meaning of the code, reason, remedy. Finds the
 * event or option that the reason is about, and sets @m->option if it is an option.
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
