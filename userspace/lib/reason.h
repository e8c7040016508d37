/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The module's reason codes: the message of each. */
#ifndef _ACRPMU_LIB_REASON_H
#define _ACRPMU_LIB_REASON_H

#include "../util/message.h"
#include "acrpmu_lib.h"

#define REASON_WHERE_LEN	32
#define REASON_HOLDER_LEN	(MESSAGE_WORD_LEN + sizeof(", ") + REASON_WHERE_LEN)

/**
 * struct refusal - a refusal to explain
 * @error: the module's reason
 * @errnum: its negative errno
 * @ev: the event, NULL: none in particular
 * @name: of @ev, or "the group"
 * @where: " on CPU 3", or empty
 * @holder: "perf, pid 7", or empty
 * @split: how to make the group smaller
 * @by: what holds the counters and registers that are held; NULL: another session
 * @message: out
 */
struct refusal {
	const struct acrpmu_error *error;
	int errnum;
	const struct acrpmu_spec_event *ev;
	struct message_word name;
	char where[REASON_WHERE_LEN];
	char holder[REASON_HOLDER_LEN];
	const char *split;
	const char *by;
	struct acrpmu_message *message;
};

typedef unsigned long long ull;

#define TEXT(c, code, ...)	acrpmu_message_text((c)->message, code, __VA_ARGS__)
#define HINT(c, ...)		acrpmu_message_hint((c)->message, __VA_ARGS__)

/* The term of an event that a reason points at. */
enum reason_term { TERM_EVENT, TERM_PERIOD, TERM_MASK, TERM_EXTRA, TERM_CNTRS };

/**
 * struct reason - one of ACRPMU_REASON_*
 * @code: short word for programs
 * @explain: fills in text and hint
 * @term: what the column is of
 */
struct reason {
	const char *code;
	void (*explain)(const struct refusal *c, const char *code);
	enum reason_term term;
};

/**
 * acrpmu_reason_find() - look up a reason code
 * @code: ACRPMU_REASON_*
 *
 * Return: the reason, NULL if this library does not know the code.
 */
const struct reason *acrpmu_reason_find(__u32 code);

#endif /* _ACRPMU_LIB_REASON_H */
