// SPDX-License-Identifier: LGPL-2.1-or-later
/* The fields of an event: their names, and which form of file has them. */
#include "json_fields.h"

#include <string.h>

#include "../util/util.h"

static const char * const field_names[JSON_NR_FIELDS] = {
	[JSON_ANY_THREAD] = "AnyThread",
	[JSON_ARCH_STD_EVENT] = "ArchStdEvent",
	[JSON_BRIEF_DESCRIPTION] = "BriefDescription",
	[JSON_CONFIG_CODE] = "ConfigCode",
	[JSON_COUNTER] = "Counter",
	[JSON_COUNTER_MASK] = "CounterMask",
	[JSON_DEPRECATED] = "Deprecated",
	[JSON_DESCRIPTION] = "DESCRIPTION",
	[JSON_EDGE_DETECT] = "EdgeDetect",
	[JSON_EQUAL] = "Equal",
	[JSON_EVENT_CODE] = "EventCode",
	[JSON_EVENT_NAME] = "EventName",
	[JSON_EVENTID_CODE] = "EventidCode",
	[JSON_EXT_SEL] = "ExtSel",
	[JSON_FC_MASK] = "FCMask",
	[JSON_FILTER] = "Filter",
	[JSON_INVERT] = "Invert",
	[JSON_MATRIX_REGISTER] = "MATRIX_REGISTER",
	[JSON_MATRIX_REQUEST] = "MATRIX_REQUEST",
	[JSON_MATRIX_RESPONSE] = "MATRIX_RESPONSE",
	[JSON_MATRIX_VALUE] = "MATRIX_VALUE",
	[JSON_METRIC_EXPR] = "MetricExpr",
	[JSON_METRIC_NAME] = "MetricName",
	[JSON_MSR_INDEX] = "MSRIndex",
	[JSON_MSR_VALUE] = "MSRValue",
	[JSON_PEBS] = "PEBS",
	[JSON_PORT_MASK] = "PortMask",
	[JSON_PUBLIC_DESCRIPTION] = "PublicDescription",
	[JSON_SAMPLE_AFTER_VALUE] = "SampleAfterValue",
	[JSON_UMASK] = "UMask",
	[JSON_UMASK_EXT] = "UMaskExt",
	[JSON_UNIT] = "Unit",
	[JSON_EAR] = "Ear",
	[JSON_ETB] = "Etb",
	[JSON_GROUP] = "Group",
	[JSON_INDEX] = "Index",
	[JSON_MAX_INCR] = "MaxIncr",
	[JSON_QUALIFIERS] = "Qualifiers",
	[JSON_SET] = "Set",
	[JSON_TYPE] = "Type",
	[JSON_UNIT_MASKS] = "UnitMasks",
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
static const char * const skipped_names[] = {
	"AggregationMode", "CollectPEBSRecord", "Compat", "CounterHTOff", "CounterType",
	"CountersNumFixed", "CountersNumGeneric", "Data_LA", "ELLC", "Errata", "Experimental",
	"L1_Hit_Indication", "MetricGroup", "Offcore", "PDIR_COUNTER", "PDISTCounter",
	"PEBScounters", "PerPkg", "Precise", "RetirementLatencyMax", "RetirementLatencyMean",
	"RetirementLatencyMin", "ScaleUnit", "Speculative", "TakenAlone",
};

const char *json_field_name(enum json_field field)
{
	return field_names[field];
}

static bool form_has(bool itanium, enum json_field field)
{
	return itanium ? field >= JSON_EAR || itanium_has[field] : field < JSON_EAR;
}

int json_field_find(bool itanium, const char *name)
{
	const size_t size = strlen(name) + 1;
	int i;

	for (i = 0; i < JSON_NR_FIELDS; i++) {
		if (!memcmp(field_names[i], name, 1) && !strncmp(field_names[i], name, size) &&
		    form_has(itanium, i))
			return i;
	}
	return -1;
}

bool json_field_is_skipped(bool itanium, const char *name)
{
	unsigned int i;

	for (i = 0; !itanium && i < ARRAY_SIZE(skipped_names); i++) {
		if (!strcmp(skipped_names[i], name))
			return true;
	}
	return false;
}
