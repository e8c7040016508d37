/* SPDX-License-Identifier: GPL-2.0-only */
/* The perf.data file format: header, sections, feature numbers, and records that tools write. */
#ifndef _PERFDATA_FORMAT_H
#define _PERFDATA_FORMAT_H

#include <linux/perf_event.h>
#include <linux/types.h>

/* "PERFILE2" as a little-endian number */
#define PD_MAGIC		0x32454c4946524550ULL
/* the same in a file of the other byte order */
#define PD_MAGIC_SWAPPED	0x50455246494c4532ULL

/* pid of a PERF_RECORD_READ of acrctl that is about CPUs and not about tasks */
#define PD_READ_CPUS		0xffffffffU
/* the same about tasks, and about CPUs, after somebody else took a CPU: there is no count */
#define PD_READ_TAKEN		0xfffffffeU
#define PD_READ_CPUS_TAKEN	0xfffffffdU

#define PD_NR_FEATURE_BITS	256

/* feature sections, numbered as in perf's tools/perf/util/header.h */
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

/* records from here on are written by tools, not by the kernel */
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

/*
 * With more than its header: bytes that all readers skip, but that acrctl reads those with the
 * contents of a PERF_RECORD_READ without a count.
 */
#define PD_RECORD_ROOM		PD_RECORD_FINISHED_ROUND

/* strings of feature sections and names in records are padded to multiples of these */
#define PD_STRING_ALIGN		64
#define PD_NAME_ALIGN		8

/* bits of perf_event_header.misc that are missing in an older <linux/perf_event.h> */
#define PD_MISC_BUILD_ID	(1 << 14)	/* PERF_RECORD_MMAP2 carries a build-id */
#define PD_MISC_BUILD_ID_SIZE	(1 << 15)	/* a build-id table entry has the size of its id */
#define PD_MISC_LOST_BPF	(1 << 15)	/* samples dropped by BPF filters */

/* likewise of perf_event_attr.read_format */
#define PD_FORMAT_LOST		(1ULL << 4)

#define PD_BUILD_ID_MAX		20

/* A range of bytes of the file. */
struct pd_section {
	__u64 offset;	/* from the start of the file */
	__u64 size;
};

/* First bytes of a file. */
struct pd_file_header {
	__u64 magic;
	__u64 size;			/* of this struct; PD_PIPE_HEADER_SIZE in a stream */
	__u64 attr_size;		/* of one of @attrs: a perf_event_attr and a pd_section */
	struct pd_section attrs;	/* the events, each followed by the section of its ids */
	struct pd_section data;		/* the records */
	struct pd_section event_types;	/* obsolete */
	/* bit n set: the file has feature n; the pd_sections of all features follow the data */
	__u64 features[PD_NR_FEATURE_BITS / 64];
};

/*
 * A stream has the first 16 bytes of the header, then only records.  In place of sections it has
 * PD_RECORD_ATTR, a perf_event_attr of its own size followed by ids; PD_RECORD_FEATURE, a 64-bit
 * number followed by the contents of the section; PD_RECORD_BUILD_ID, as in the section; and
 * PD_RECORD_EVENT_UPDATE.
 *
 * A file that is being written is such a stream, which begins with a PD_RECORD_ROOM for header and
 * attrs.  The header makes it a file when it is finished.
 */
#define PD_PIPE_HEADER_SIZE	16

/* PD_RECORD_EVENT_UPDATE: more about an event, followed by a string. */
struct pd_event_update {
	struct perf_event_header header;
	__u64 type;	/* what the string is, such as PD_UPDATE_NAME */
	__u64 id;	/* one of the event's ids */
};

#define PD_UPDATE_NAME	2

/* PD_RECORD_TIME_CONV: converts the TSC to perf's clock; members as in perf_event_mmap_page. */
struct pd_time_conv {
	struct perf_event_header header;
	__u64 time_shift;
	__u64 time_mult;
	__u64 time_zero;
	__u64 time_cycles;
	__u64 time_mask;
	__u8 cap_user_time_zero;	/* 1: @time_zero is valid */
	__u8 cap_user_time_short;	/* 1: @time_cycles and @time_mask are valid */
	__u8 reserved[6];
};

/* Element of the build-id table, or PD_RECORD_BUILD_ID; the padded file name follows. */
struct pd_build_id_entry {
	struct perf_event_header header;	/* type 0 in the table; misc: kernel or user */
	__s32 pid;				/* -1: the host's */
	__u8 build_id[PD_BUILD_ID_MAX];
	__u8 size;				/* of @build_id if PD_MISC_BUILD_ID_SIZE is set */
	__u8 reserved[3];
};

#endif /* _PERFDATA_FORMAT_H */
