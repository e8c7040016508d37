/* SPDX-License-Identifier: GPL-2.0-only */
/* JSON: values, trees in which an allocation failure shows at the root, and printing a tree. */
#ifndef _ACRCTL_JSONOUT_H
#define _ACRCTL_JSONOUT_H

#include <json-c/json.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stdio.h>

/* null; json-c has NULL for it, which is an allocation failure here */
extern struct json_object *const jsonout_null;

struct json_object *jsonout_text(const char *text);
struct json_object *jsonout_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
struct json_object *jsonout_hex(__u64 value);
struct json_object *jsonout_count(__u64 value);
struct json_object *jsonout_real(double value);
struct json_object *jsonout_bool(bool value);
void jsonout_add(struct json_object **array, struct json_object *item);
void jsonout_set(struct json_object **object, const char *key, ...) __attribute__((sentinel));
struct json_object *jsonout_object(const char *key, ...) __attribute__((sentinel));
int jsonout_fprint(FILE *out, struct json_object *json);
int jsonout_print(struct json_object *json);

#endif /* _ACRCTL_JSONOUT_H */
