/* SPDX-License-Identifier: GPL-2.0-only */
/* The perf.data file format: header, sections, feature numbers and records that only files hold. */
#ifndef _PERFDATA_FORMAT_H
#define _PERFDATA_FORMAT_H

#include <linux/perf_event.h>
#include <linux/types.h>

/* "PERFILE2" read as a little-endian number */
#define PD_MAGIC		0x32454c4946524550ULL
/* the same magic in a file of the other byte order */
#define PD_MAGIC_SWAPPED	0x50455246494c4532ULL

#define PD_NR_FEATURE_BITS	256

/* feature sections, numbers as perf's tools/perf/util/header.h has them */
#define PD_FEAT_BUILD_ID	2
#define PD_FEAT_HOSTNAME	3
#define PD_FEAT_OSRELEASE	4
#define PD_FEAT_VERSION		5
#define PD_FEAT_ARCH		6
#define PD_FEAT_NRCPUS		7
#define PD_FEAT_CPUDESC		8
#define PD_FEAT_CPUID		9
#define PD_FEAT_TOTAL_MEM	10
#define PD_FEAT_CMDLINE		11
#define PD_FEAT_EVENT_DESC	12
#define PD_FEAT_CPU_TOPOLOGY	13
#define PD_FEAT_GROUP_DESC	17
#define PD_FEAT_SAMPLE_TIME	21
#define PD_FEAT_DIR_FORMAT	24
#define PD_FEAT_COMPRESSED	27

/* records from here on are made by tools, not by the kernel */
#define PD_RECORD_USER_START	64
#define PD_RECORD_ATTR		64
#define PD_RECORD_TRACING_DATA	66
#define PD_RECORD_BUILD_ID	67
#define PD_RECORD_FINISHED_ROUND	68
#define PD_RECORD_AUXTRACE	71
#define PD_RECORD_EVENT_UPDATE	78
#define PD_RECORD_TIME_CONV	79
#define PD_RECORD_FEATURE	80
#define PD_RECORD_COMPRESSED	81
#define PD_RECORD_FINISHED_INIT	82
#define PD_RECORD_COMPRESSED2	83

/* strings of feature sections are padded to this many bytes, file names to the other */
#define PD_STRING_ALIGN		64
#define PD_NAME_ALIGN		8

/* bits of perf_event_header.misc that <linux/perf_event.h> may be too old to have */
#define PD_MISC_BUILD_ID	(1 << 14)	/* PERF_RECORD_MMAP2 carries a build-id */
#define PD_MISC_BUILD_ID_SIZE	(1 << 15)	/* a build-id table entry says the size of its id */

#define PD_MISC_LOST_BPF	(1 << 15)	/* samples that BPF filters took away */

#define PD_BUILD_ID_MAX		20
/* bytes of the id in a build-id table entry: 20 and padding to a multiple of 8 */
#define PD_BUILD_ID_FIELD	24

/**
 * struct pd_section - where a part of the file lies
 * @offset: from the start of the file, in bytes
 * @size: in bytes
 */
struct pd_section {
	__u64 offset;
	__u64 size;
};

/**
 * struct pd_file_header - first bytes of a file
 * @magic: PD_MAGIC
 * @size: bytes of this struct; a stream has PD_PIPE_HEADER_SIZE here
 * @attr_size: bytes of one element of @attrs: a perf_event_attr, and the struct pd_section of its
 *	ids
 * @attrs: the events
 * @data: the records
 * @event_types: not used any more
 * @features: bit n set: section n follows the data, described by a struct pd_section there
 */
struct pd_file_header {
	__u64 magic;
	__u64 size;
	__u64 attr_size;
	struct pd_section attrs;
	struct pd_section data;
	struct pd_section event_types;
	__u64 features[PD_NR_FEATURE_BITS / 64];
};

/*
 * A stream has the first 16 bytes of the header, and then only records.  Among them are, in place
 * of sections: PD_RECORD_ATTR, a perf_event_attr of its own size and then ids; PD_RECORD_FEATURE, a
 * number and then what the section would hold; PD_RECORD_BUILD_ID, as in the section; and
 * PD_RECORD_EVENT_UPDATE.
 */
#define PD_PIPE_HEADER_SIZE	16

/**
 * struct pd_event_update - PD_RECORD_EVENT_UPDATE: more about an event, followed by a string
 * @header: type PD_RECORD_EVENT_UPDATE
 * @type: what is said, such as PD_UPDATE_NAME
 * @id: one of the event's ids
 */
struct pd_event_update {
	struct perf_event_header header;
	__u64 type;
	__u64 id;
};

#define PD_UPDATE_NAME	2

/**
 * struct pd_time_conv - PERF_RECORD_TIME_CONV: from the CPU's time stamp counter to perf's clock
 * @header: type PD_RECORD_TIME_CONV
 * @time_shift: as in struct perf_event_mmap_page, like all that follow
 * @time_mult: see there
 * @time_zero: see there
 * @time_cycles: see there
 * @time_mask: see there
 * @cap_user_time_zero: 1: @time_zero is valid
 * @cap_user_time_short: 1: the counter is narrow, @time_cycles and @time_mask are valid
 * @reserved: 0
 */
struct pd_time_conv {
	struct perf_event_header header;
	__u64 time_shift;
	__u64 time_mult;
	__u64 time_zero;
	__u64 time_cycles;
	__u64 time_mask;
	__u8 cap_user_time_zero;
	__u8 cap_user_time_short;
	__u8 reserved[6];
};

/**
 * struct pd_build_id_entry - element of the build-id table, followed by the padded file name
 * @header: size includes the name; misc says kernel or user; in a stream the type is
 *	PD_RECORD_BUILD_ID, in the table 0
 * @pid: -1: the host's
 * @build_id: the id, PD_BUILD_ID_MAX bytes used
 * @size: bytes of the id if misc has PD_MISC_BUILD_ID_SIZE
 * @reserved: 0
 */
struct pd_build_id_entry {
	struct perf_event_header header;
	__s32 pid;
	__u8 build_id[PD_BUILD_ID_MAX];
	__u8 size;
	__u8 reserved[3];
};

#endif /* _PERFDATA_FORMAT_H */
