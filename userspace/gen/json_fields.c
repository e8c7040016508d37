// SPDX-License-Identifier: LGPL-2.1-or-later
/* The fields of an event: their names, and which form of file has them. */
#include "json_fields.h"

#include <string.h>

#include "../util/util.h"

/**
 * struct field_name - a name as files spell it
 * @len: its bytes
 */
struct field_name {
	const char *name;
	size_t len;
};

#define NAME(string) { string, sizeof(string) - 1 }

static const struct field_name field_names[JSON_NR_FIELDS] = {
	[JSON_ANY_THREAD] = NAME("AnyThread"),
	[JSON_ARCH_STD_EVENT] = NAME("ArchStdEvent"),
	[JSON_BRIEF_DESCRIPTION] = NAME("BriefDescription"),
	[JSON_CONFIG_CODE] = NAME("ConfigCode"),
	[JSON_COUNTER] = NAME("Counter"),
	[JSON_COUNTER_MASK] = NAME("CounterMask"),
	[JSON_DEPRECATED] = NAME("Deprecated"),
	[JSON_DESCRIPTION] = NAME("DESCRIPTION"),
	[JSON_EDGE_DETECT] = NAME("EdgeDetect"),
	[JSON_EQUAL] = NAME("Equal"),
	[JSON_EVENT_CODE] = NAME("EventCode"),
	[JSON_EVENT_NAME] = NAME("EventName"),
	[JSON_EVENTID_CODE] = NAME("EventidCode"),
	[JSON_EXT_SEL] = NAME("ExtSel"),
	[JSON_FC_MASK] = NAME("FCMask"),
	[JSON_FILTER] = NAME("Filter"),
	[JSON_INVERT] = NAME("Invert"),
	[JSON_MATRIX_REGISTER] = NAME("MATRIX_REGISTER"),
	[JSON_MATRIX_REQUEST] = NAME("MATRIX_REQUEST"),
	[JSON_MATRIX_RESPONSE] = NAME("MATRIX_RESPONSE"),
	[JSON_MATRIX_VALUE] = NAME("MATRIX_VALUE"),
	[JSON_METRIC_EXPR] = NAME("MetricExpr"),
	[JSON_METRIC_NAME] = NAME("MetricName"),
	[JSON_MSR_INDEX] = NAME("MSRIndex"),
	[JSON_MSR_VALUE] = NAME("MSRValue"),
	[JSON_PEBS] = NAME("PEBS"),
	[JSON_PORT_MASK] = NAME("PortMask"),
	[JSON_PUBLIC_DESCRIPTION] = NAME("PublicDescription"),
	[JSON_SAMPLE_AFTER_VALUE] = NAME("SampleAfterValue"),
	[JSON_UMASK] = NAME("UMask"),
	[JSON_UMASK_EXT] = NAME("UMaskExt"),
	[JSON_UNIT] = NAME("Unit"),
	[JSON_EAR] = NAME("Ear"),
	[JSON_ETB] = NAME("Etb"),
	[JSON_GROUP] = NAME("Group"),
	[JSON_INDEX] = NAME("Index"),
	[JSON_MAX_INCR] = NAME("MaxIncr"),
	[JSON_QUALIFIERS] = NAME("Qualifiers"),
	[JSON_SET] = NAME("Set"),
	[JSON_TYPE] = NAME("Type"),
	[JSON_UNIT_MASKS] = NAME("UnitMasks"),
};

/* What Itanium's form shares with the others; its own fields begin with JSON_EAR. */
static const bool itanium_has[JSON_NR_FIELDS] = {
	[JSON_BRIEF_DESCRIPTION] = true,
	[JSON_COUNTER] = true,
	[JSON_EVENT_CODE] = true,
	[JSON_EVENT_NAME] = true,
	[JSON_UMASK] = true,
};

/*
 * Fields that do not affect encoding: precise events, errata, metrics, formatting, numbers of a
 * unit's counters.
 */
static const struct field_name skipped_names[] = {
	NAME("AggregationMode"), NAME("CollectPEBSRecord"), NAME("Compat"), NAME("CounterHTOff"),
	NAME("CounterType"), NAME("CountersNumFixed"), NAME("CountersNumGeneric"), NAME("Data_LA"),
	NAME("ELLC"), NAME("Errata"), NAME("Experimental"), NAME("L1_Hit_Indication"),
	NAME("MetricGroup"), NAME("Offcore"), NAME("PDIR_COUNTER"), NAME("PDISTCounter"),
	NAME("PEBScounters"), NAME("PerPkg"), NAME("Precise"), NAME("RetirementLatencyMax"),
	NAME("RetirementLatencyMean"), NAME("RetirementLatencyMin"), NAME("ScaleUnit"),
	NAME("Speculative"), NAME("TakenAlone"),
};

_Static_assert(ARRAY_SIZE(skipped_names) <= 64, "a bit for each name");

const char *json_field_name(enum json_field field)
{
	return field_names[field].name;
}

static bool form_has(bool itanium, enum json_field field)
{
	return itanium ? field >= JSON_EAR || itanium_has[field] : field < JSON_EAR;
}

static bool is_name(const struct field_name *field, const char *name, size_t len)
{
	return field->len == len && !memcmp(field->name, name, len);
}

int json_field_find(bool itanium, const char *name, size_t len)
{
	int i;

	for (i = 0; i < JSON_NR_FIELDS; i++) {
		if (is_name(&field_names[i], name, len) && form_has(itanium, i))
			return i;
	}
	return -1;
}

int json_field_find_skipped(bool itanium, const char *name, size_t len)
{
	unsigned int i;

	for (i = 0; !itanium && i < ARRAY_SIZE(skipped_names); i++) {
		if (is_name(&skipped_names[i], name, len))
			return i;
	}
	return -1;
}
