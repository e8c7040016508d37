// SPDX-License-Identifier: GPL-2.0-only
/* acrctl encode --pmu montecito: from the command line to the registers, or to a refusal. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../../util/message.h"
#include "montecito.h"

#define CPUID_FAMILY	"GenuineIntel-32-"	/* vendor and family */

/**
 * montecito_is_named() - whether --pmu means Montecito
 * @pmu: its argument, NULL: it was not given
 *
 * Return: whether.
 */
bool montecito_is_named(const char *pmu)
{
	return pmu && (!strcasecmp(pmu, MONTECITO_NAME) || !strcasecmp(pmu, MONTECITO_SHORT_NAME));
}

/**
 * montecito_is_prefix() - whether an event or a pattern names Montecito: "montecito::NAME"
 * @text: the event or pattern
 *
 * Return: whether.
 */
bool montecito_is_prefix(const char *text)
{
	const char *end = strstr(text, "::");
	struct montecito_span cpu = { text, end ? end - text : 0 };

	return montecito_same(cpu, MONTECITO_NAME) || montecito_same(cpu, MONTECITO_SHORT_NAME);
}

/**
 * montecito_is_chosen() - whether a command line is about Montecito
 * @pmu: argument of --pmu, NULL if not given
 * @text: an event or a pattern, which may name the CPU where nothing else does; NULL: none
 *
 * The environment variable ACRCTL_CPUID is the CPU if --pmu is not given; the family says all.
 *
 * Return: whether.
 */
bool montecito_is_chosen(const char *pmu, const char *text)
{
	const char *cpuid = getenv(NAMES_CPUID_ENV);

	if (pmu)
		return montecito_is_named(pmu);
	if (cpuid && *cpuid)
		return !strncmp(cpuid, CPUID_FAMILY, strlen(CPUID_FAMILY));
	return text && montecito_is_prefix(text);
}

/**
 * montecito_explain() - why an event of Montecito's is refused where events are counted
 * @args: the strings of events
 * @message: the refusal; changed if such an event is to blame
 */
void montecito_explain(const struct event_args *args, struct acrpmu_message *message)
{
	const unsigned int string = message->string, column = message->column;

	if (!column || string >= args->nr || column > strlen(args->strings[string]) ||
	    !montecito_is_prefix(args->strings[string] + column - 1))
		return;
	acrpmu_message_text(message, "other-cpu", "events of " MONTECITO_NAME " can be encoded, "
			    "but not counted, nor stand beside those of other CPUs");
	acrpmu_message_hint(message, "'acrctl encode --pmu " MONTECITO_NAME "' shows their "
			    "registers");
	message->string = string;
	message->column = column;
}

/**
 * montecito_ranges() - put ranges and what covers them side by side
 * @in: the ranges asked for
 * @out: what covers them
 * @dfl_plm: privilege levels of ranges that have none
 * @range: out
 *
 * Return: how many there are.
 */
unsigned int montecito_ranges(const pfmlib_mont_input_rr_t *in, const pfmlib_mont_output_rr_t *out,
			      unsigned int dfl_plm, struct montecito_range range[MONTECITO_RANGES])
{
	unsigned int i;

	for (i = 0; in->rr_used && i < MONTECITO_RANGES; i++) {
		const pfmlib_mont_input_rr_desc_t *asked = &in->rr_limits[i];

		if (!asked->rr_start && !asked->rr_end)
			break;
		range[i] = (struct montecito_range){
			.start = asked->rr_start,
			.end = asked->rr_end,
			.soff = out->rr_infos[i].rr_soff,
			.eoff = out->rr_infos[i].rr_eoff,
			.plm = asked->rr_plm ? asked->rr_plm : dfl_plm,
		};
	}
	return i;
}

/**
 * montecito_range_end() - the first byte behind what is covered
 * @range: the range
 * @buf: out, MONTECITO_ADDRESS_LEN bytes
 *
 * Return: @buf; where all addresses up to the last are covered it is 0x10000000000000000.
 */
const char *montecito_range_end(const struct montecito_range *range, char *buf)
{
	__u64 end = range->end + range->eoff;

	if (end < range->end)
		snprintf(buf, MONTECITO_ADDRESS_LEN, "0x1%016llx", (unsigned long long)end);
	else
		snprintf(buf, MONTECITO_ADDRESS_LEN, "0x%llx", (unsigned long long)end);
	return buf;
}

/**
 * montecito_event_name() - an event with its unit masks
 * @m: the encoding
 * @i: index of the event
 * @buf: out, MONTECITO_NAME_LEN bytes
 *
 * Return: @buf.
 */
const char *montecito_event_name(struct montecito *m, unsigned int i, char *buf)
{
	if (pfm_get_full_event_name(&m->inp.pfp_events[i], buf, MONTECITO_NAME_LEN))
		pfm_get_event_name(m->inp.pfp_events[i].event, buf, MONTECITO_NAME_LEN);
	return buf;
}

/* ---- refusals ----------------------------------------------------------------------------- */

static struct json_object *refusal_json(const struct montecito *m, const struct event_args *events,
					int ret, const struct acrpmu_message *message)
{
	struct json_object *error;

	error = jsonout_object("code", jsonout_text(message->code),
			       "column", jsonout_count(message->column),
			       "message", jsonout_text(message->text),
			       "hint", jsonout_text(message->hint), NULL);
	/* which one the column is of */
	if (m->option)
		jsonout_set(&error, "option", jsonout_text(m->option),
			    "argument", jsonout_text(m->text), NULL);
	else if (events->nr > 1)
		jsonout_set(&error, "string", jsonout_count(message->string), NULL);
	if (ret)
		jsonout_set(&error, "ret", jsonout_format("%d", ret),
			    "meaning", jsonout_text(pfm_strerror(ret)), NULL);
	return jsonout_object("error", error, NULL);
}

static int print_json(struct json_object *json)
{
	if (jsonout_print(json))
		return output_no_memory("encode");
	putchar('\n');
	return ACRCTL_EXIT_DONE;
}

static int refuse(const struct montecito *m, const struct event_args *events, bool json, int ret,
		  const struct acrpmu_message *message)
{
	/* the pointer under the column is only read there */
	struct event_args one = { .strings = (char **)&m->text, .nr = 1 };

	if (json)
		return print_json(refusal_json(m, events, ret, message)) ? ACRCTL_EXIT_FAILED :
									   ACRCTL_EXIT_USAGE;
	output_error("encode", message, m->option ? &one : events);
	return ACRCTL_EXIT_USAGE;
}

/* ---- the command -------------------------------------------------------------------------- */

/* Without events the EARs and the trace buffer can run alone; without those there is nothing. */
static bool is_empty(const struct montecito *m)
{
	const pfmlib_mont_input_param_t *in = &m->mod_in;

	return !m->inp.pfp_event_count && !in->pfp_mont_opcm1.opcm_used &&
	       !in->pfp_mont_opcm2.opcm_used && !in->pfp_mont_iear.ear_used &&
	       !in->pfp_mont_dear.ear_used && !in->pfp_mont_etb.etb_used &&
	       !in->pfp_mont_ipear.ipear_used && !in->pfp_mont_irange.rr_used &&
	       !in->pfp_mont_drange.rr_used;
}

static int read_words(struct montecito *m, const struct event_args *events,
		      const struct montecito_args *args, struct acrpmu_message *message)
{
	int err;

	m->inp.pfp_dfl_plm = PFM_PLM0 | PFM_PLM3;
	err = montecito_options(m, args, message);
	if (!err)
		err = montecito_events(m, events, message);
	if (err || !is_empty(m))
		return err;
	acrpmu_message_text(message, "no-event", "no event is given");
	acrpmu_message_hint(message, "name some, like 'CPU_OP_CYCLES_ALL', or an option that works "
			    "without any, such as --etb");
	return -EINVAL;
}

static int encode(struct montecito *m, const struct event_args *events,
		  const struct montecito_args *args, bool json)
{
	struct acrpmu_message message = { .code = "" };
	int ret = pfm_force_pmu(PFMLIB_MONTECITO_PMU);

	if (!ret && read_words(m, events, args, &message))
		return refuse(m, events, json, 0, &message);
	if (!ret)
		ret = pfm_dispatch_events(&m->inp, &m->mod_in, &m->outp, &m->mod_out);
	if (ret) {
		montecito_refusal(m, args, ret, &message);
		return refuse(m, events, json, ret, &message);
	}
	if (json)
		return print_json(montecito_json(m));
	montecito_print_text(m);
	return ACRCTL_EXIT_DONE;
}

/**
 * montecito_encode() - acrctl encode --pmu montecito
 * @events: strings of events
 * @args: options that only Montecito has
 * @json: whether to print JSON
 *
 * Return: exit status.
 */
int montecito_encode(const struct event_args *events, const struct montecito_args *args, bool json)
{
	struct montecito *m = calloc(1, sizeof(*m));
	int status;

	if (!m)
		return output_no_memory("encode");
	status = encode(m, events, args, json);
	free(m);
	return status;
}
