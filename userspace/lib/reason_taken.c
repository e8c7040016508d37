// SPDX-License-Identifier: LGPL-2.1-or-later
/* How somebody else has taken a CPU from a session, or would, as messages. */
#include "reason_taken.h"

#include <stdio.h>

#define VALUE_LEN	sizeof(" 0x0123456789abcdef")

void reason_pinned(const struct refusal *c, const char *code)
{
	TEXT(c, code, "a pinned event of %s would take the counters%s when it is enabled",
	     *c->holder ? c->holder : "the kernel's perf", c->where);
	HINT(c, "end that program, or let it open the event during the session");
}

void reason_claim_lost(const struct refusal *c, const char *code)
{
	TEXT(c, code, "%s took the counters%s from the session, and what was counted there is lost",
	     *c->holder ? c->holder : "the kernel's perf", c->where);
	HINT(c, "end that program before, and count again");
}

void reason_register(const struct refusal *c, const char *code)
{
	char value[VALUE_LEN] = "";

	if (c->error->value)
		snprintf(value, sizeof(value), " 0x%llx", (ull)c->error->value);
	TEXT(c, code, "somebody else wrote%s to MSR 0x%llx%s, which the session held, and what was "
	     "counted there is lost", value, (ull)c->error->limit, c->where);
	HINT(c, "end what writes to counters past the kernel's perf, such as pcm, likwid, "
	     "wrmsr or another module, and count again");
}
