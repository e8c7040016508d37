// SPDX-License-Identifier: LGPL-2.1-or-later
/* Explaining refusals of the module: by reason code, by errno, with the event concerned. */
#include "error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "reason.h"
#include "spec.h"

static unsigned int column_of(const struct acrpmu_spec_event *ev, enum reason_term term)
{
	unsigned int column = 0;

	if (term == TERM_PERIOD)
		column = ev->period_column;
	else if (term == TERM_MASK)
		column = ev->mask_column;
	else if (term == TERM_EXTRA)
		column = ev->extra_column;
	else if (term == TERM_CNTRS)
		column = ev->cntrs_column;
	return column ? column : ev->column;
}

/* The events of a condition belong together. */
static const char *split_of(const struct acrpmu_condition *condition)
{
	if (!condition)
		return "leave an event out, or split the group";
	return condition->nr_comparisons > 1 ? "leave a comparison out" : "choose other events";
}

static void fill_refusal(struct refusal *c, const struct acrpmu_spec *spec, unsigned int group)
{
	const char *name = spec ? acrpmu_spec_text(spec, group) : NULL;
	struct message_word holder;
	char pid[REASON_WHERE_LEN] = "";

	c->ev = NULL;
	if (spec && c->error->event >= 0)
		c->ev = acrpmu_spec_event(spec, group, c->error->event);
	if (c->ev)
		name = c->ev->name;
	if (!name)
		name = "the group";
	c->name = acrpmu_message_word(name, strlen(name));
	c->split = split_of(spec ? acrpmu_spec_condition(spec) : NULL);
	*c->where = 0;
	if (c->error->cpu >= 0)
		snprintf(c->where, sizeof(c->where), " on CPU %d", c->error->cpu);
	if (c->error->holder_pid > 0)
		snprintf(pid, sizeof(pid), "pid %d", c->error->holder_pid);
	/* a task gives itself any name it likes */
	holder = acrpmu_message_word(c->error->holder, strnlen(c->error->holder, ACRPMU_COMM_LEN));
	snprintf(c->holder, sizeof(c->holder), "%s%s%s", holder.text,
		 *holder.text && *pid ? ", " : "", pid);
}

/* Refusals without a reason code. */
static void explain_errno(int errnum, struct acrpmu_message *message)
{
	switch (-errnum) {
	case EPERM:
	case EACCES:
		acrpmu_message_text(message, "permission", "the caller may not use hardware "
				    "counters");
		acrpmu_message_hint(message, "run it as root, or let root give it CAP_PERFMON for "
				    "one group: acrctl(1), PERMISSION");
		break;
	case ENOTTY:
	case E2BIG:
	case EFAULT:
		acrpmu_message_text(message, "abi", "the module does not know the request (%s)",
				    strerror(-errnum));
		acrpmu_message_hint(message, "program and module do not fit together: install both "
				    "from one version");
		break;
	case ENOMEM:
		acrpmu_message_text(message, "no-memory", "there is no memory left");
		acrpmu_message_hint(message, "use smaller rings or fewer CPUs");
		break;
	case EMFILE:
	case ENFILE:
		acrpmu_message_text(message, "files", "too many files are open");
		acrpmu_message_hint(message, "raise the limit with 'ulimit -n', or close some");
		break;
	case ESRCH:
		acrpmu_message_text(message, "no-task", "the task does not exist, or is ending");
		acrpmu_message_hint(message, "see the tasks that exist with 'ps -eL'");
		break;
	default:
		acrpmu_message_text(message, "errno", "the module refused: %s", strerror(-errnum));
		acrpmu_message_hint(message, "the kernel log may say more: dmesg");
		break;
	}
}

static void explain(struct refusal *c, const struct acrpmu_spec *spec, unsigned int group)
{
	const struct reason *reason = c->error ? acrpmu_reason_find(c->error->reason) : NULL;

	if (!reason) {
		explain_errno(c->errnum, c->message);
		return;
	}
	fill_refusal(c, spec, group);
	reason->explain(c, reason->code);
	if (c->ev) {
		c->message->string = c->ev->string;
		c->message->column = column_of(c->ev, reason->term);
	}
}

/**
 * acrpmu_explain() - explain a refusal of the module
 * @errnum: the negative errno
 * @error: the module's reason, NULL if there is none
 * @spec: the groups, NULL if unknown
 * @group: index of the group refused
 * @message: out
 */
void acrpmu_explain(int errnum, const struct acrpmu_error *error, const struct acrpmu_spec *spec,
		    unsigned int group, struct acrpmu_message *message)
{
	struct refusal c = { .error = error, .errnum = errnum, .message = message };

	if (message)
		explain(&c, spec, group);
}

void acrpmu_explain_placing(int errnum, const struct acrpmu_error *error, const char *by,
			    const struct acrpmu_spec *spec, unsigned int group,
			    struct acrpmu_message *message)
{
	struct refusal c = {
		.error = error, .errnum = errnum, .by = by, .message = message,
	};

	if (message)
		explain(&c, spec, group);
}

/**
 * acrpmu_explain_open() - explain a failure to open the device
 * @errnum: the negative errno
 * @message: out
 */
void acrpmu_explain_open(int errnum, struct acrpmu_message *message)
{
	switch (-errnum) {
	case ENOENT:
		acrpmu_message_text(message, "no-module", "the module is not loaded: there is no "
				    ACRPMU_DEVICE);
		acrpmu_message_hint(message, "load it with 'insmod build/acrpmu.ko' or 'modprobe "
				    "acrpmu'; if that fails the kernel log says why");
		break;
	case ENXIO:
	case ENODEV:
		acrpmu_message_text(message, "no-module", ACRPMU_DEVICE " has no driver behind it");
		acrpmu_message_hint(message, "remove the node and load the module with 'modprobe "
				    "acrpmu'");
		break;
	case EPERM:
	case EACCES:
		acrpmu_message_text(message, "permission", "the caller may not open "
				    ACRPMU_DEVICE);
		acrpmu_message_hint(message, "run it as root, or let root restore the node's mode "
				    "(0666) and give your group a program with CAP_PERFMON: "
				    "acrctl(1), PERMISSION");
		break;
	default:
		acrpmu_message_text(message, "open", ACRPMU_DEVICE " cannot be opened: %s",
				    strerror(-errnum));
		acrpmu_message_hint(message, "the kernel log may say more: dmesg");
		break;
	}
}
