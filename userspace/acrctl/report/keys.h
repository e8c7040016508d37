/* SPDX-License-Identifier: GPL-2.0-only */
/* The properties that distinguish samples: what --sort takes, their texts, columns and JSON. */
#ifndef _ACRCTL_REPORT_KEYS_H
#define _ACRCTL_REPORT_KEYS_H

#include "../jsonout.h"
#include "report.h"

#define KEYS_NUMBER_LEN	24	/* of a number as text */

/* How a property is shown. */
struct keys_column {
	const char *title;
	const char *json;		/* name of the member */
	int width;			/* 0: that of the text */
};

/* Memory for the numbers of a sample. */
struct keys_numbers {
	char text[HIST_NR_KEYS][KEYS_NUMBER_LEN];
};

/* What the texts of a sample come from: equal pointers are equal texts.  NULL: unknown. */
struct keys_origin {
	const char *comm;
	const char *dso;
	const char *symbol;
	char level;			/* VIEW_LEVEL_*, 0 if the symbol is not chosen */
};

extern const struct view_choice keys_choices[HIST_NR_KEYS];
extern const struct keys_column keys_columns[HIST_NR_KEYS];

struct keys_origin keys_origin(struct view *v, const bool *chosen, const struct pd_sample *s,
			       const char *comm);
void keys_texts(const struct keys_origin *o, const bool *chosen, const struct pd_sample *s,
		struct keys_numbers *numbers, struct hist_entry *key);
void keys_of(struct view *v, const bool *chosen, const struct pd_sample *s,
	     struct keys_numbers *numbers, struct hist_entry *key);
void keys_print_titles(const bool *chosen);
void keys_print(const bool *chosen, const struct hist_entry *e);
void keys_set_json(struct json_object **json, const bool *chosen, const struct hist_entry *e);

#endif /* _ACRCTL_REPORT_KEYS_H */
