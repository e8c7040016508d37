/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The numbers of one event, as its fields give them. */
#ifndef _ACRPMU_GEN_CODES_H
#define _ACRPMU_GEN_CODES_H

#include "convert.h"

#define CONVERT_PMU_LEN		64

/**
 * struct codes - numbers of an event
 * @config: whole config word, instead of @event
 * @has_config: @config is set
 * @event: event select
 * @umask: with its upper half, if there is one
 * @edge: 0 or 1
 * @any: 0 or 1
 * @inv: 0 or 1
 * @eq: 0 or 1
 * @cmask: counter mask
 * @ports: PortMask of an uncore unit
 * @fc: FCMask of an uncore unit
 * @extra_msr: first MSR
 * @extra: its value
 * @period: sample period
 * @eventid: @config came from EventidCode, for which perf has another term
 */
struct codes {
	__u64 config;
	bool has_config;
	bool eventid;
	__u64 event;
	__u64 umask;
	__u64 edge;
	__u64 any;
	__u64 inv;
	__u64 eq;
	__u64 cmask;
	__u64 ports;
	__u64 fc;
	__u64 extra_msr;
	__u64 extra;
	__u64 period;
};

/**
 * struct conversion - one event being converted
 * @reporter: receives reports
 * @family: its vendor's encoding, FAMILY_OTHER for an uncore unit
 * @pmu: its PMU
 * @core: whether it is of a core
 * @codes: its numbers
 */
struct conversion {
	const struct json_event *event;
	struct reporter *reporter;
	enum event_family family;
	char pmu[CONVERT_PMU_LEN];
	bool core;
	struct codes codes;
};

/**
 * convert_refuse() - report that a field makes an event impossible to encode
 * @c: the event
 * @why: follows the field's value in the report
 *
 * Return: -EINVAL.
 */
int convert_refuse(const struct conversion *c, enum json_field field, const char *why);

/**
 * convert_number() - read the first number of a field
 * @c: the event
 * @max: the largest number that it may be
 * @number: out, 0 if the event has no such field
 *
 * Return: 0, or -EINVAL after a report.
 */
int convert_number(const struct conversion *c, enum json_field field, __u64 max, __u64 *number);

/**
 * codes_read() - read all numbers of an event
 * @c: the event and its PMU; its codes are filled in
 *
 * Return: 0, or -EINVAL after a report.
 */
int codes_read(struct conversion *c);

#endif /* _ACRPMU_GEN_CODES_H */
