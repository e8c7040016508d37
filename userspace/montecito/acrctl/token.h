/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading Montecito's command line: tokens, keywords, numbers, privilege levels, refusals. */
#ifndef _ACRCTL_MONTECITO_TOKEN_H
#define _ACRCTL_MONTECITO_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

#include "../../lib/acrpmu_lib.h"

/* A keyword for a number, and the meaning of that number in a register. NULL ends an array. */
struct montecito_keyword {
	const char *name;
	__u64 value;
	const char *meaning;
};

/**
 * struct montecito_text - text that is being read
 * @option: the option that it is the argument of, with dashes; NULL: a string of events
 * @string: index of the string of events
 * @message: out, what is wrong with it
 */
struct montecito_text {
	const char *option;
	const char *text;
	unsigned int string;
	struct acrpmu_message *message;
};

/* A run of @len bytes within a text. */
struct montecito_span {
	const char *at;
	size_t len;
};

extern const struct montecito_keyword montecito_iear_modes[];
extern const struct montecito_keyword montecito_dear_modes[];
extern const struct montecito_keyword montecito_etb_tm[];
extern const struct montecito_keyword montecito_etb_predicted[];
extern const struct montecito_keyword montecito_etb_brt[];
extern const struct montecito_keyword montecito_event_flags[];
extern const struct montecito_keyword montecito_range_flags[];
int montecito_refuse(const struct montecito_text *text, const char *at, const char *code,
		     const char *format, ...) __attribute__((format(printf, 4, 5)));
struct montecito_span montecito_cut(struct montecito_span *rest, const char *separators);
bool montecito_same(struct montecito_span span, const char *word);
int montecito_read_number(const struct montecito_text *text, struct montecito_span span, __u64 max,
			  __u64 *value);
int montecito_read_levels(const struct montecito_text *text, struct montecito_span span,
			  __u64 *value);
int montecito_read_own_levels(const struct montecito_text *text, struct montecito_span span,
			      __u64 *value);
const struct montecito_keyword *montecito_find_keyword(const struct montecito_keyword *words,
						       struct montecito_span span);
void montecito_suggest(const struct montecito_text *text, struct montecito_span span,
		       const struct montecito_keyword *words);
int montecito_read_choice(const struct montecito_text *text, struct montecito_span span,
			  const struct montecito_keyword *words, __u64 max, __u64 *value);
void montecito_list_keywords(const struct montecito_keyword *words, char *buf, size_t size);

#endif /* _ACRCTL_MONTECITO_TOKEN_H */
