/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The fields of an event: their names, and which form of file has them. */
#ifndef _ACRPMU_GEN_JSON_FIELDS_H
#define _ACRPMU_GEN_JSON_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

/* Fields that are read, in the order of the table of names. */
enum json_field {
	JSON_ANY_THREAD,
	JSON_ARCH_STD_EVENT,
	JSON_BRIEF_DESCRIPTION,
	JSON_CONFIG_CODE,
	JSON_COUNTER,
	JSON_COUNTER_MASK,
	JSON_DEPRECATED,
	JSON_DESCRIPTION,
	JSON_EDGE_DETECT,
	JSON_EQUAL,
	JSON_EVENT_CODE,
	JSON_EVENT_NAME,
	JSON_EVENTID_CODE,
	JSON_EXT_SEL,
	JSON_FC_MASK,
	JSON_FILTER,
	JSON_INVERT,
	JSON_MATRIX_REGISTER,
	JSON_MATRIX_REQUEST,
	JSON_MATRIX_RESPONSE,
	JSON_MATRIX_VALUE,
	JSON_METRIC_EXPR,
	JSON_METRIC_NAME,
	JSON_MSR_INDEX,
	JSON_MSR_VALUE,
	JSON_PEBS,
	JSON_PORT_MASK,
	JSON_PUBLIC_DESCRIPTION,
	JSON_SAMPLE_AFTER_VALUE,
	JSON_UMASK,
	JSON_UMASK_EXT,
	JSON_UNIT,
	/* those that only Itanium's form has */
	JSON_EAR,
	JSON_ETB,
	JSON_GROUP,
	JSON_INDEX,
	JSON_MAX_INCR,
	JSON_QUALIFIERS,
	JSON_SET,
	JSON_TYPE,
	JSON_UNIT_MASKS,
	JSON_NR_FIELDS
};

/**
 * json_field_name() - the name of a field as files spell it
 *
 * Return: its name.
 */
const char *json_field_name(enum json_field field);

/**
 * json_field_find() - find a field by name
 * @itanium: the file has Itanium's form
 * @name: as the file spells it, not terminated
 * @len: its bytes
 *
 * Return: the field, -1 if this form of file has none of that name.
 */
int json_field_find(bool itanium, const char *name, size_t len);

/**
 * json_field_find_skipped() - find a field that is known but does not affect encoding
 * @itanium: the file has Itanium's form
 * @name: as the file spells it, not terminated
 * @len: its bytes
 *
 * Return: its number among them, below 64; -1 if it is none.
 */
int json_field_find_skipped(bool itanium, const char *name, size_t len);

#endif /* _ACRPMU_GEN_JSON_FIELDS_H */
