/* SPDX-License-Identifier: GPL-2.0-only */
/* JSON values that jansson does not make from our types by itself, and the printing of a value. */
#ifndef _ACRCTL_JSONOUT_H
#define _ACRCTL_JSONOUT_H

#include <jansson.h>
#include <linux/types.h>

/* jansson's integers are signed */
#define JSONOUT_INTEGER_MAX	(~0ULL >> 1)

json_t *jsonout_text(const char *text);
json_t *jsonout_hex(__u64 value);
json_t *jsonout_count(__u64 value);
void jsonout_add(json_t **array, json_t *item);
void jsonout_set(json_t **object, const char *key, json_t *value);
void jsonout_merge(json_t **object, json_t *more);
int jsonout_print(json_t *json, size_t flags);

#endif /* _ACRCTL_JSONOUT_H */
