// SPDX-License-Identifier: GPL-2.0-only
/* acrctl encode: from the command line to registers or a refusal. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../acrctl/jsonout.h"
#include "../../util/message.h"
#include "args.h"
#include "encoding.h"

/* ---- refusals ----------------------------------------------------------------------------- */

static struct json_object *refusal_json(const struct montecito *m, const struct event_args *events,
					int ret, const struct acrpmu_message *message)
{
	struct json_object *error;

	error = jsonout_object("code", jsonout_text(message->code),
			       "column", jsonout_count(message->column),
			       "message", jsonout_text(message->text),
			       "hint", jsonout_text(message->hint), NULL);
	/* what the column refers to */
	if (m->option)
		jsonout_set(&error, "option", jsonout_text(m->option),
			    "argument", jsonout_text(m->text), NULL);
	else if (events->nr > 1)
		jsonout_set(&error, "string", jsonout_count(message->string), NULL);
	if (ret)
		jsonout_set(&error, "ret", jsonout_format("%d", ret),
			    "meaning", jsonout_text(pfm_strerror(ret)), NULL);
	return jsonout_object("schema", jsonout_text("acrctl-montecito/1"), "error", error, NULL);
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
	/* output_error() only reads it */
	struct event_args one = { .strings = (char **)&m->text, .nr = 1 };

	if (json)
		return print_json(refusal_json(m, events, ret, message)) ? ACRCTL_EXIT_FAILED :
									   ACRCTL_EXIT_USAGE;
	output_error("encode", message, m->option ? &one : events);
	return ACRCTL_EXIT_USAGE;
}

/* ---- the command -------------------------------------------------------------------------- */

/* EARs, the trace buffer and ranges do not need events. */
static bool is_empty(const struct montecito *m)
{
	const pfmlib_mont_input_param_t *in = &m->mod_in;

	return !m->inp.pfp_event_count && !in->pfp_mont_opcm1.opcm_used &&
	       !in->pfp_mont_opcm2.opcm_used && !in->pfp_mont_iear.ear_used &&
	       !in->pfp_mont_dear.ear_used && !in->pfp_mont_etb.etb_used &&
	       !in->pfp_mont_ipear.ipear_used && !in->pfp_mont_irange.rr_used &&
	       !in->pfp_mont_drange.rr_used;
}

static int read_command_line(struct montecito *m, const struct event_args *events,
			     const struct montecito_args *args, struct acrpmu_message *message)
{
	int err;

	m->inp.pfp_dfl_plm = PFM_PLM0 | PFM_PLM3;
	err = montecito_read_options(m, args, message);
	if (!err)
		err = montecito_read_events(m, events, message);
	if (err || !is_empty(m))
		return err;
	acrpmu_message_text(message, "no-event", "no event is given");
	acrpmu_message_hint(message, "name some, like 'CPU_OP_CYCLES_ALL', or an option that works "
			    "without any, such as --etb");
	return -EINVAL;
}

static int encode(struct montecito *m, const struct montecito_request *request)
{
	const struct event_args *events = &request->words;
	struct acrpmu_message message = { .code = "" };
	int ret = pfm_force_pmu(PFMLIB_MONTECITO_PMU);

	if (!ret && read_command_line(m, events, request->args, &message))
		return refuse(m, events, request->json, 0, &message);
	if (!ret)
		ret = pfm_dispatch_events(&m->inp, &m->mod_in, &m->outp, &m->mod_out);
	if (ret) {
		montecito_refusal(m, request->args, ret, &message);
		return refuse(m, events, request->json, ret, &message);
	}
	if (request->json)
		return print_json(montecito_json(m));
	montecito_print(m);
	return ACRCTL_EXIT_DONE;
}

/* Check for options that the CPU does not have; return true with a message. */
static bool is_refused(const struct montecito_request *request, bool chosen,
		       struct acrpmu_message *message)
{
	const struct montecito_args *args = request->args;

	if (!chosen) {
		acrpmu_message_text(message, "usage", "%s is only for " MONTECITO_NAME,
				    montecito_option_name(args->arg[0].option));
		acrpmu_message_hint(message, "leave it out, or choose that CPU with --pmu "
				    MONTECITO_NAME);
		return true;
	}
	if (request->count)
		acrpmu_message_text(message, "usage", "-c cannot be used for " MONTECITO_NAME
				    ": its registers hold no period");
	else if (request->names->dir)
		acrpmu_message_text(message, "usage", "--events cannot be used for " MONTECITO_NAME
				    ": its events are built in");
	else
		return false;
	acrpmu_message_hint(message, "leave it out");
	return true;
}

/* Run acrctl encode; return the exit status, or -1 if the command line is not for Montecito. */
int montecito_encode(const struct montecito_request *request)
{
	const struct event_args *events = &request->words;
	bool chosen = montecito_is_chosen(request->names, events->strings, events->nr ? 1 : 0);
	struct acrpmu_message message;
	struct montecito *m;
	int status;

	if (!chosen && !request->args->nr)
		return -1;
	m = calloc(1, sizeof(*m));
	if (!m)
		return output_no_memory("encode");
	if (is_refused(request, chosen, &message))
		status = refuse(m, events, request->json, 0, &message);
	else
		status = encode(m, request);
	free(m);
	return status;
}
