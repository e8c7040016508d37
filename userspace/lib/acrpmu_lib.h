/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* libacrpmu: event strings, named events, offline encoding, sessions and rings of the module. */
#ifndef _ACRPMU_LIB_H
#define _ACRPMU_LIB_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <linux/perf_event.h>
#include <linux/types.h>

/* once installed, the ABI header is in the same directory */
#if __has_include("../../uapi/acrpmu.h")
#include "../../uapi/acrpmu.h"
#include "../../uapi/acrpmu_netlink.h"
#else
#include "acrpmu.h"
#include "acrpmu_netlink.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/**
 * DOC: libacrpmu
 *
 * The library never prints and never exits.  Functions that can fail return 0 or a negative errno;
 * those that refuse a user's request also fill in a struct acrpmu_message: what was requested, why
 * it is refused, and the remedy.  Threads may use different objects at the same time, but only one
 * thread at a time may use an object.
 *
 * The soname (libacrpmu.so.2) guarantees:
 *
 * - Options (struct acrpmu_parse_options, struct acrpmu_condition_options, struct
 *   acrpmu_session_options) grow at the end, and 0 in a new member means the old behaviour.  Their
 *   first member is their size: clear the struct and set @size to its sizeof.  Program and library
 *   may be of different versions; members that the older side does not know must be 0, or the call
 *   fails with E2BIG and a message.  The sizes of the first versions are
 *   ACRPMU_..._OPTIONS_SIZE_VER0.
 * - struct acrpmu_spec_event, acrpmu_condition and acrpmu_notice, which the library owns and
 *   programs only read, grow at the end, and so does struct acrpmu_read with
 *   acrpmu_session_read_outside() and acrpmu_session_read_target(), which are passed its size.
 * - Every other struct is fixed: those that a program allocates and the library fills in (struct
 *   acrpmu_message, acrpmu_cpu, acrpmu_config_fields, acrpmu_named, acrpmu_pfm_event,
 *   acrpmu_event_hw, acrpmu_info, acrpmu_cpu_info, acrpmu_extra_reg_info, acrpmu_read,
 *   acrpmu_count, acrpmu_ring_batch), the parts of a notice, and struct acrpmu_ring_memory,
 *   acrpmu_ops, acrpmu_event_attr and acrpmu_error.  What does not fit them gets new functions.
 *   If a struct of the module grows, the functions here keep its size of version 2.
 */

/** ACRPMU_LIB_VERSION - version of this header; acrpmu_lib_version() returns the library's */
#define ACRPMU_LIB_VERSION	"2.0.0"

/** ACRPMU_MESSAGE_LEN - bytes of a text or hint, with its terminating 0 */
#define ACRPMU_MESSAGE_LEN	320
/** ACRPMU_CODE_LEN - bytes of a code, with its terminating 0 */
#define ACRPMU_CODE_LEN		32
/** ACRPMU_NAME_LEN - bytes of an event's name, with its terminating 0 */
#define ACRPMU_NAME_LEN		128

const char *acrpmu_lib_version(void);

/* ---- refusals ----------------------------------------------------------------------------- */

/**
 * struct acrpmu_message - why a request was refused
 * @code: fixed identifier for programs ("unknown-term", "period-small"), empty if nothing failed
 * @text: the request and why it is refused; no full stop, no line feed
 * @hint: the remedy; empty if none is known
 * @string: index of the event string that @column is in
 * @column: position in that string, 1 for its first byte; 0 if no position is to blame
 */
struct acrpmu_message {
	char code[ACRPMU_CODE_LEN];
	char text[ACRPMU_MESSAGE_LEN];
	char hint[ACRPMU_MESSAGE_LEN];
	unsigned int string;
	unsigned int column;
};

/** ACRPMU_MESSAGE_SIZE - size of struct acrpmu_message */
#define ACRPMU_MESSAGE_SIZE	680

/* ---- event strings ------------------------------------------------------------------------ */

/** ACRPMU_PARSE_COUNT - an event without a period only counts */
#define ACRPMU_PARSE_COUNT		(1U << 0)
/** ACRPMU_PARSE_TABLE_PERIOD - a named event without a period gets the one its table suggests */
#define ACRPMU_PARSE_TABLE_PERIOD	(1U << 1)
/** ACRPMU_PARSE_COUNT_ALL - events outside counter reload only count, even those with a period */
#define ACRPMU_PARSE_COUNT_ALL		(1U << 2)
/** ACRPMU_PARSE_USER - events without u and k count user level only; with _KERNEL: both levels */
#define ACRPMU_PARSE_USER		(1U << 3)
/** ACRPMU_PARSE_KERNEL - the same for kernel level */
#define ACRPMU_PARSE_KERNEL		(1U << 4)
/**
 * ACRPMU_PARSE_SOFTWARE - software reloads counters (ACRPMU_SESSION_SOFTWARE): groups with masks
 * are for kinds of cores without auto counter reload too, and acrpmu_encode() programs them so
 */
#define ACRPMU_PARSE_SOFTWARE		(1U << 5)

struct acrpmu_events;

/**
 * struct acrpmu_parse_options - how to read event strings
 * @size: sizeof(struct acrpmu_parse_options)
 * @flags: ACRPMU_PARSE_*
 * @period: period of events that have none, as the -c option; 0: none
 * @pmu: name or short name of the CPU that the events are for: libpfm's names need no prefix then,
 *	and events of other CPUs are refused; NULL: any CPU
 * @events: named events of that CPU; NULL: only perf's generic names
 * @kinds: instead of @pmu and @events: the named events of each kind of core, in order.  A group
 *	that names no PMU is read for each kind, by the kind's own tables.  Events are named after
 *	the PMU of their kind ("cpu_atom/cycles/"), unless that is "cpu".  NULL: not given
 * @nr_kinds: elements of @kinds, at most ACRPMU_MAX_KINDS
 * @left_out: called for each kind that lacks an event of such a group, or auto counter reload, if
 *	other kinds have it; may be NULL
 * @ctx: passed to @left_out
 *
 * Version 1.0 had the members before @pmu, those from @kinds on came with version 2.0.
 */
struct acrpmu_parse_options {
	__u32 size;
	__u32 flags;
	__u64 period;
	const char *pmu;
	const struct acrpmu_events *events;
	const struct acrpmu_events *const *kinds;
	__u32 nr_kinds;
	__u32 reserved;
	void (*left_out)(void *ctx, unsigned int kind, const struct acrpmu_message *why);
	void *ctx;
};

/** ACRPMU_MAX_KINDS - most kinds of cores */
#define ACRPMU_MAX_KINDS		4

/** ACRPMU_PARSE_OPTIONS_SIZE_VER0 - size of struct acrpmu_parse_options in version 1.0 */
#define ACRPMU_PARSE_OPTIONS_SIZE_VER0	16

/**
 * struct acrpmu_spec_event - one event of a string
 * @name: its name= term, else the event's name, else @text
 * @text: as written, with modifiers and without blanks, or as named after its kind
 * @pmu: PMU in the string ("cpu", "cpu_atom"), or of its kind; empty if none
 * @modifiers: modifiers in the string, in the order "ukie" and "c=N", empty if none
 * @attr: the event as the module takes it; @attr.id is 0, @attr.allowed_cntrs the counters that
 *	both its counters= and its name's table have
 * @string: index of its string
 * @column: position of its first byte in that string, from 1
 * @ratio: its ratio-to-prev as written, empty if none
 * @ratio_num: with @ratio: the exact ratio of the two periods in lowest terms, numerator
 * @ratio_den: denominator; 0 without @ratio
 * @period_column: position of its period= or ratio-to-prev=, 0 if it has neither
 * @mask_column: position of its acr_mask=, reloaded-by= or ratio-to-prev=, of the event if it has
 *	its mask by resets= of others; otherwise 0
 * @extra_column: position of its config1= or another name of that, 0 if it has none
 * @cpu: CPU that its name belongs to ("goldmont" for "glm::..."), empty: any
 * @twin_of: for a plain counter that acrpmu_spec_add_twins() added: 1 + index of its event;
 *	otherwise 0
 * @given_name: its name= term, empty if none
 * @cntrs_column: position of its counters=, 0 if it has none
 */
struct acrpmu_spec_event {
	const char *name;
	const char *text;
	const char *pmu;
	const char *modifiers;
	struct acrpmu_event_attr attr;
	unsigned int string;
	unsigned int column;
	const char *ratio;
	__u64 ratio_num;
	__u64 ratio_den;
	unsigned int period_column;
	unsigned int mask_column;
	unsigned int extra_column;
	const char *cpu;
	unsigned int twin_of;
	const char *given_name;
	unsigned int cntrs_column;
};

struct acrpmu_spec;

int acrpmu_spec_parse(const char *const *strings, unsigned int nr_strings,
		      const struct acrpmu_parse_options *options, struct acrpmu_spec **spec,
		      struct acrpmu_message *message);
void acrpmu_spec_free(struct acrpmu_spec *spec);
unsigned int acrpmu_spec_nr_groups(const struct acrpmu_spec *spec);
unsigned int acrpmu_spec_nr_events(const struct acrpmu_spec *spec, unsigned int group);
const struct acrpmu_spec_event *acrpmu_spec_event(const struct acrpmu_spec *spec,
						  unsigned int group, unsigned int event);
const char *acrpmu_spec_text(const struct acrpmu_spec *spec, unsigned int group);
unsigned int acrpmu_spec_kind(const struct acrpmu_spec *spec, unsigned int group);
int acrpmu_spec_attrs(const struct acrpmu_spec *spec, unsigned int group,
		      struct acrpmu_event_attr attrs[ACRPMU_MAX_EVENTS]);
int acrpmu_spec_check_sampled(const struct acrpmu_spec *spec, struct acrpmu_message *message);
int acrpmu_spec_check_runnable(const struct acrpmu_spec *spec, unsigned int group, const char *cpu,
			       struct acrpmu_message *message);
int acrpmu_spec_add_twins(struct acrpmu_spec *spec, struct acrpmu_message *message);
size_t acrpmu_spec_matrix(const struct acrpmu_spec *spec, unsigned int group, char *buf,
			  size_t size);
size_t acrpmu_spec_ratio(const struct acrpmu_spec_event *event, char *buf, size_t size);
int acrpmu_spec_open_braces(const char *string);

/* ---- conditions --------------------------------------------------------------------------- */

/**
 * ACRPMU_CONDITION_SOFTWARE - software restarts the events, so that each one interrupts: the
 * smallest period holds for limits too, and the default window is longer.  Implies
 * ACRPMU_PARSE_SOFTWARE
 */
#define ACRPMU_CONDITION_SOFTWARE	(1U << 0)

/** ACRPMU_CONDITION_WINDOW - default window, in occurrences of the first comparison's B */
#define ACRPMU_CONDITION_WINDOW			100000
/** ACRPMU_CONDITION_WINDOW_SOFTWARE - the same with ACRPMU_CONDITION_SOFTWARE */
#define ACRPMU_CONDITION_WINDOW_SOFTWARE	1000000
/** ACRPMU_CONDITION_MIN_LIMIT - smallest period of a limit */
#define ACRPMU_CONDITION_MIN_LIMIT		100

/**
 * struct acrpmu_condition_options - how long the windows of a condition are
 * @size: sizeof(struct acrpmu_condition_options)
 * @flags: ACRPMU_CONDITION_*
 * @window: window in occurrences of the first comparison's B; rounded to the nearest one that keeps
 *	the ratio exact; 0: the default, raised until all periods are large enough
 * @min_period: smallest period of a sampled event, as min_period_sampled of struct acrpmu_info; 0:
 *	the module's default, 1000
 * @min_period_quiet: smallest period of a limit, as in struct acrpmu_info; at least
 *	ACRPMU_CONDITION_MIN_LIMIT holds in any case
 */
struct acrpmu_condition_options {
	__u32 size;
	__u32 flags;
	__u64 window;
	__u64 min_period;
	__u64 min_period_quiet;
};

/** ACRPMU_CONDITION_OPTIONS_SIZE_VER0 - size of struct acrpmu_condition_options in version 2.0 */
#define ACRPMU_CONDITION_OPTIONS_SIZE_VER0	32

/**
 * struct acrpmu_comparison - "A / B > x" or "A / B < x"
 * @a: index of event A in its group
 * @b: index of event B
 * @below: not 0 for "<"
 * @column: position of its first byte in the condition, from 1
 * @num: x in lowest terms, numerator
 * @den: denominator
 */
struct acrpmu_comparison {
	unsigned int a;
	unsigned int b;
	int below;
	unsigned int column;
	__u64 num;
	__u64 den;
};

/**
 * struct acrpmu_condition - what a group samples: windows in which all comparisons hold
 * @nr_comparisons: elements of @comparisons
 * @window_event: index of the event that @window counts: the first comparison's B
 * @window: length of a window: @factor * @units[@window_event]
 * @asked_window: the window that was asked for, or the default; differs from @window if the ratio
 *	would not be exact, or a period too small
 * @factor: whole number by which all units are multiplied to give the periods
 * @min_factor: the smallest with which each period is large enough
 * @max_factor: the largest with which no period exceeds 2147483647
 * @units: smallest periods that have the exact ratios, by event
 * @comparisons: in the order written; the limit of comparison i is event 1 + i
 *
 * Event 0 is the sampled one, which any limit restarts; events from 1 on are its limits, which each
 * event restarts.  Events that acrpmu_spec_add_twins() added come after these.
 */
struct acrpmu_condition {
	unsigned int nr_comparisons;
	unsigned int window_event;
	__u64 window;
	__u64 asked_window;
	__u64 factor;
	__u64 min_factor;
	__u64 max_factor;
	__u64 units[ACRPMU_MAX_EVENTS];
	struct acrpmu_comparison comparisons[ACRPMU_MAX_EVENTS];
};

int acrpmu_spec_parse_condition(const char *condition, const struct acrpmu_condition_options *how,
				const struct acrpmu_parse_options *options,
				struct acrpmu_spec **spec, struct acrpmu_message *message);
const struct acrpmu_condition *acrpmu_spec_condition(const struct acrpmu_spec *spec);
int acrpmu_spec_set_factor(struct acrpmu_spec *spec, __u64 factor);
size_t acrpmu_spec_group_string(const struct acrpmu_spec *spec, unsigned int group, char *buf,
				size_t size);
size_t acrpmu_comparison_threshold(const struct acrpmu_comparison *comparison, char *buf,
				   size_t size);

/* ---- CPUs and offline encoding ------------------------------------------------------------ */

/**
 * struct acrpmu_cpu - the PMU of a CPU
 * @name: its name in the CPU table ("clearwaterforest")
 * @short_name: its short name ("cwf"), empty if none
 * @core: name of the core ("Darkmont")
 * @flags: ACRPMU_CPU_ACR, ACRPMU_CPU_FULL_WIDTH, ACRPMU_CPU_HYBRID
 * @pmu_version: CPUID.0AH:EAX[7:0], 0 without a PMU
 * @signature: CPUID.01H:EAX, 0 if it is not an Intel CPU
 * @core_type: CPUID.1AH:EAX, 0 unless hybrid
 * @gp_width: bits of a general-purpose counter
 * @fixed_width: bits of a fixed counter
 * @cntrs: its counters; general-purpose counter n is bit n, fixed counter n is bit 32 + n
 * @reloadable_cntrs: counters that can be reloaded
 * @cause_cntrs: counters that reload others when they overflow
 * @config_mask: bits that an event's config may have
 * @known: not 0 if the CPU table has its model, 0 if @name is that of the fallback
 * @lacking_events: architectural events that it lacks, by their bits of CPUID.0AH:EBX
 */
struct acrpmu_cpu {
	char name[32];
	char short_name[32];
	char core[32];
	__u32 flags;
	__u32 pmu_version;
	__u32 signature;
	__u32 core_type;
	__u32 gp_width;
	__u32 fixed_width;
	__u64 cntrs;
	__u64 reloadable_cntrs;
	__u64 cause_cntrs;
	__u64 config_mask;
	int known;
	__u32 lacking_events;
};

/** ACRPMU_CPU_SIZE - size of struct acrpmu_cpu */
#define ACRPMU_CPU_SIZE		160
/** ACRPMU_CNTR_BITS - bits of a mask of counters */
#define ACRPMU_CNTR_BITS	64

/**
 * struct acrpmu_config_fields - fields of a config word
 * @select: event select
 * @umask: unit mask
 * @umask2: second unit mask, 0 on CPUs without one
 * @cmask: counter mask: counts cycles with at least so many occurrences; 0 counts occurrences
 * @edge: counts only where the condition begins
 * @inv: inverts the comparison with @cmask
 * @eq: compares with @cmask for equality
 */
struct acrpmu_config_fields {
	__u8 select;
	__u8 umask;
	__u8 umask2;
	__u8 cmask;
	__u8 edge;
	__u8 inv;
	__u8 eq;
};

int acrpmu_cpu_by_name(const char *name, struct acrpmu_cpu *cpu);
int acrpmu_cpu_probe(struct acrpmu_cpu *cpu);
const char *acrpmu_cpu_next_name(const char *name);
unsigned int acrpmu_cpu_extra_regs(const struct acrpmu_cpu *cpu,
				   struct acrpmu_extra_reg_info regs[ACRPMU_MAX_EXTRA_REGS]);
int acrpmu_encode(const struct acrpmu_spec *spec, unsigned int group, const struct acrpmu_cpu *cpu,
		  struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS], struct acrpmu_message *message);
int acrpmu_encode_all(const struct acrpmu_spec *spec, const struct acrpmu_cpu *cpu,
		      __u64 held_cntrs, struct acrpmu_event_hw *hw, struct acrpmu_message *message);
void acrpmu_config_split(__u64 config, struct acrpmu_config_fields *fields);
__u64 acrpmu_evtsel(const struct acrpmu_cpu *cpu, const struct acrpmu_event_attr *attr,
		    const struct acrpmu_event_hw *hw);

/* ---- named events ------------------------------------------------------------------------- */

/** ACRPMU_NAMED_DEPRECATED - there is a newer name */
#define ACRPMU_NAMED_DEPRECATED	(1U << 0)
/** ACRPMU_NAMED_OTHER_PMU - another PMU than the core's counts it */
#define ACRPMU_NAMED_OTHER_PMU	(1U << 1)
/** ACRPMU_NAMED_PEBS - counts right with PEBS only: can be encoded, but not run */
#define ACRPMU_NAMED_PEBS	(1U << 2)
/** ACRPMU_NAMED_EXTRA - needs an extra register that the CPU lacks */
#define ACRPMU_NAMED_EXTRA	(1U << 3)
/** ACRPMU_NAMED_GENERIC - perf's own name, in no table */
#define ACRPMU_NAMED_GENERIC	(1U << 4)
/** ACRPMU_NAMED_LACKING - this CPU lacks the event according to CPUID leaf 0xa */
#define ACRPMU_NAMED_LACKING	(1U << 5)
/** ACRPMU_NAMED_NO_CNTR - needs counters that the CPU lacks */
#define ACRPMU_NAMED_NO_CNTR	(1U << 6)
/** ACRPMU_NAMED_BITS - needs bits that this CPU's event select lacks */
#define ACRPMU_NAMED_BITS	(1U << 7)
/** ACRPMU_NAMED_OPEN - needs a value of its extra register from the user */
#define ACRPMU_NAMED_OPEN	(1U << 8)

/** ACRPMU_NAMED_UNUSABLE - flags of events that cannot be counted here */
#define ACRPMU_NAMED_UNUSABLE	(ACRPMU_NAMED_OTHER_PMU | ACRPMU_NAMED_EXTRA | \
				 ACRPMU_NAMED_LACKING | ACRPMU_NAMED_NO_CNTR | ACRPMU_NAMED_BITS)

/**
 * struct acrpmu_events_options - which named events to open
 * @size: sizeof(struct acrpmu_events_options)
 * @core_type: with @cpuid: CPUID.1AH:EAX, 0: an E-core if the CPU is hybrid
 * @pmu: a CPU by name or short name, a table by the name of its directory, or a PMU of this machine
 *	("cpu_atom", "cpu_core", "cpu_lowpower"); NULL: by @cpuid
 * @cpuid: a CPU by its CPUID string ("GenuineIntel-6-DD-0"); NULL: that of this machine, of an
 *	E-core if it is hybrid
 * @dir: a directory of JSON files in perf's or Intel's form, or one file; NULL: the directories of
 *	the system and the built-in tables
 * @report: called with one line for each problem in those files; may be NULL
 * @ctx: passed to @report
 * @cpu: instead of @pmu and @cpuid: a CPU as the module describes it, for which @dir may have no
 *	table; NULL: not given
 */
struct acrpmu_events_options {
	__u32 size;
	__u32 core_type;
	const char *pmu;
	const char *cpuid;
	const char *dir;
	void (*report)(void *ctx, const char *line);
	void *ctx;
	const struct acrpmu_cpu_info *cpu;
};

/**
 * struct acrpmu_named - one named event
 * @name: as an event string spells it
 * @desc: one or two sentences, may be empty
 * @topic: its topic ("pipeline")
 * @terms: its encoding as perf's terms ("event=0xc5,umask=0x1,period=200003"), empty for perf's own
 *	names
 * @pmu: PMU that counts it ("cpu", "cpu_atom", "uncore_cha")
 * @config: config word
 * @extra_value: value of its extra register; 0 if it needs none, or with ACRPMU_NAMED_OPEN
 * @period: suggested period, at least the smallest of a sampled event; 0 if there is none
 * @gp_cntrs: general-purpose counters in its table, counter n is bit n
 * @cntrs: counters on which the module can count it; fixed counter n is bit 32 + n
 * @reloadable_cntrs: those of @cntrs that can be reloaded
 * @cause_cntrs: those of @cntrs that reload others when they overflow
 * @extra_msr: its extra register, 0 if it needs none
 * @flags: ACRPMU_NAMED_*
 * @fixed: fixed counter that counts it when it is alone, -1 if none does; for an event that cannot
 *	be programmed, the fixed counter in its table
 */
struct acrpmu_named {
	const char *name;
	const char *desc;
	const char *topic;
	const char *terms;
	const char *pmu;
	__u64 config;
	__u64 extra_value;
	__u64 period;
	__u64 gp_cntrs;
	__u64 cntrs;
	__u64 reloadable_cntrs;
	__u64 cause_cntrs;
	__u32 extra_msr;
	__u32 flags;
	int fixed;
};

/** ACRPMU_PFM_TOPIC - topic of libpfm's names */
#define ACRPMU_PFM_TOPIC	"libpfm"

/**
 * enum acrpmu_pfm_category - what a unit mask of libpfm selects
 * @ACRPMU_PFM_NONE: the event has no unit masks
 * @ACRPMU_PFM_PLAIN: one of several events
 * @ACRPMU_PFM_REQUEST: of an offcore response: the requests
 * @ACRPMU_PFM_RESPONSE: the supplier
 * @ACRPMU_PFM_SNOOP: the result of the snoop
 * @ACRPMU_PFM_LATENCY: outstanding requests instead of responses
 */
enum acrpmu_pfm_category {
	ACRPMU_PFM_NONE,
	ACRPMU_PFM_PLAIN,
	ACRPMU_PFM_REQUEST,
	ACRPMU_PFM_RESPONSE,
	ACRPMU_PFM_SNOOP,
	ACRPMU_PFM_LATENCY,
};

/**
 * struct acrpmu_pfm_event - an event of libpfm with one of its unit masks
 * @event: name of the event, without the CPU's prefix
 * @umask: the unit mask, empty if the event has none
 * @category: what the unit mask selects
 * @standard: not 0 if the unit mask is taken where none is given
 * @bits: bits that the unit mask sets in the extra register, 0 if the event needs none
 * @name: "glm::EVENT:UMASK"
 * @desc: what @category, @standard and @bits mean, in a sentence
 * @named: its encoding and counters; the names and descriptions in it are empty
 */
struct acrpmu_pfm_event {
	const char *event;
	const char *umask;
	enum acrpmu_pfm_category category;
	int standard;
	__u64 bits;
	char name[ACRPMU_NAME_LEN];
	char desc[ACRPMU_MESSAGE_LEN];
	struct acrpmu_named named;
};

int acrpmu_events_open(const struct acrpmu_events_options *options, struct acrpmu_events **events,
		       struct acrpmu_message *message);
void acrpmu_events_close(struct acrpmu_events *events);
int acrpmu_events_find(const struct acrpmu_events *events, const char *name, size_t len,
		       struct acrpmu_named *named);
unsigned int acrpmu_events_nr(const struct acrpmu_events *events);
int acrpmu_events_get(const struct acrpmu_events *events, unsigned int i,
		      struct acrpmu_named *named);
int acrpmu_events_get_pfm(const struct acrpmu_events *events, unsigned int i,
			  struct acrpmu_pfm_event *pfm);
unsigned int acrpmu_events_nearest(const struct acrpmu_events *events, const char *name,
				   size_t len, const char **nearest, unsigned int max);
int acrpmu_events_cpu(const struct acrpmu_events *events, struct acrpmu_cpu *cpu);
const char *acrpmu_events_cpuid(const struct acrpmu_events *events);
const char *acrpmu_events_pmu(const struct acrpmu_events *events);
const char *acrpmu_events_table(const struct acrpmu_events *events);
const char *acrpmu_events_source(const struct acrpmu_events *events);
const char *acrpmu_events_next_table(const struct acrpmu_events *events, const char *name);
int acrpmu_events_missing(const struct acrpmu_events *events, struct acrpmu_message *message);

/* ---- average latency of offcore requests -------------------------------------------------- */

bool acrpmu_latency_has_mode(const char *cpu);
bool acrpmu_latency_is_pair(const struct acrpmu_event_attr *requests,
			    const struct acrpmu_event_attr *responses);
const char *acrpmu_latency_next_request(const char *name);
size_t acrpmu_latency_requests(const struct acrpmu_event_attr *attr, char *buf, size_t size);

/* ---- the device --------------------------------------------------------------------------- */

/**
 * struct acrpmu_ops - the library's system calls on the device; a test replaces them
 * @open: open(2) with O_RDWR and O_CLOEXEC; returns a descriptor or -errno
 * @close: close(2)
 * @ioctl: ioctl(2); returns its result or -errno
 * @mmap: mmap(2) with MAP_SHARED, PROT_READ and PROT_WRITE; returns 0 or -errno
 * @munmap: munmap(2)
 */
struct acrpmu_ops {
	int (*open)(const char *path);
	void (*close)(int fd);
	int (*ioctl)(int fd, unsigned long command, void *arg);
	int (*mmap)(int fd, size_t length, __u64 offset, void **base);
	void (*munmap)(void *base, size_t length);
};

struct acrpmu_device;
struct acrpmu_session;
struct acrpmu_ring;

int acrpmu_open(const struct acrpmu_ops *ops, struct acrpmu_device **device,
		struct acrpmu_message *message);
void acrpmu_close(struct acrpmu_device *device);
int acrpmu_device_fd(const struct acrpmu_device *device);
int acrpmu_device_info(struct acrpmu_device *device, struct acrpmu_info *info,
		       struct acrpmu_cpu_info **cpus);

/**
 * struct acrpmu_session_options - target and sampling of a session
 * @size: sizeof(struct acrpmu_session_options)
 * @flags: ACRPMU_SESSION_*
 * @cpus: numbers of the CPUs, 0 to 32767; NULL with ACRPMU_SESSION_TASK: every CPU
 * @nr_cpus: elements of @cpus
 * @pid: with ACRPMU_SESSION_TASK: the task, or with ACRPMU_SESSION_PROCESS the process; 0: the
 *	caller
 * @sample_type: PERF_SAMPLE_* bits, 0 if no event is sampled
 * @ring_pages: data pages of each CPU's ring, a power of 2; 0 if no event is sampled
 * @wakeup_bytes: unread bytes that wake a poller, 0: half of the ring
 * @ids: one id for each event; NULL: ids unique in the process, from 1
 * @max_stack: with PERF_SAMPLE_CALLCHAIN in @sample_type: most frames of a call chain, 0:
 *	ACRPMU_MAX_STACK.  Since ABI version 5
 * @jitter: widest random part of the periods of sampled events to either side, in per cent, 0 to
 *	ACRPMU_MAX_JITTER; 0: none.  Needs ACRPMU_FEATURE_JITTER.  Since ABI version 6
 */
struct acrpmu_session_options {
	__u32 size;
	__u32 flags;
	const int *cpus;
	__u32 nr_cpus;
	__s32 pid;
	__u64 sample_type;
	__u32 ring_pages;
	__u32 wakeup_bytes;
	const __u64 *ids;
	__u32 max_stack;
	__u32 jitter;
};

/** ACRPMU_SESSION_OPTIONS_SIZE_VER0 - size of struct acrpmu_session_options in version 1.0 */
#define ACRPMU_SESSION_OPTIONS_SIZE_VER0 \
	(offsetof(struct acrpmu_session_options, ids) + sizeof(const __u64 *))

int acrpmu_session_create(struct acrpmu_device *device, const struct acrpmu_spec *spec,
			  unsigned int group, const struct acrpmu_session_options *options,
			  struct acrpmu_session **session, struct acrpmu_message *message);
void acrpmu_session_close(struct acrpmu_session *session);
int acrpmu_session_fd(const struct acrpmu_session *session);
__u64 acrpmu_session_id(const struct acrpmu_session *session);
__u64 acrpmu_session_event_id(const struct acrpmu_session *session, unsigned int event);
int acrpmu_session_enable(struct acrpmu_session *session);
int acrpmu_session_disable(struct acrpmu_session *session);
int acrpmu_region_begin(struct acrpmu_session *session);
int acrpmu_region_end(struct acrpmu_session *session);
int acrpmu_session_reset(struct acrpmu_session *session);
int acrpmu_session_park(struct acrpmu_session *session);
int acrpmu_session_attach(struct acrpmu_session *session, __s32 pid, __u32 flags, __u32 *target,
			  struct acrpmu_message *message);
int acrpmu_session_unpark(struct acrpmu_session *session, const struct acrpmu_spec *spec,
			  unsigned int group, struct acrpmu_message *message);
int acrpmu_session_set_periods(struct acrpmu_session *session, const __u64 *periods,
			       const struct acrpmu_spec *spec, unsigned int group,
			       struct acrpmu_message *message);
int acrpmu_session_read(struct acrpmu_session *session, int cpu, struct acrpmu_read *read,
			struct acrpmu_count counts[ACRPMU_MAX_EVENTS]);
int acrpmu_session_read_outside(struct acrpmu_session *session, int cpu, struct acrpmu_read *read,
				struct acrpmu_count counts[ACRPMU_MAX_EVENTS],
				__u64 outside[ACRPMU_MAX_EVENTS]);
int acrpmu_session_read_target(struct acrpmu_session *session, __u32 target,
			       struct acrpmu_read *read,
			       struct acrpmu_count counts[ACRPMU_MAX_EVENTS],
			       __u64 outside[ACRPMU_MAX_EVENTS]);
int acrpmu_session_taken(struct acrpmu_session *session, int cpu, struct acrpmu_message *message);
int acrpmu_session_query(struct acrpmu_session *session,
			 struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS]);
int acrpmu_session_query_cpu(struct acrpmu_session *session, int cpu,
			     struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS]);

/* ---- rings -------------------------------------------------------------------------------- */

/**
 * struct acrpmu_ring_memory - a ring that the caller has mapped
 * @data: start of the mapped data
 * @size: bytes of the data, a power of 2
 * @head: how far its writer has written, as perf_event_mmap_page.data_head
 * @tail: how far it was read; only the library writes it while the ring is open
 */
struct acrpmu_ring_memory {
	const void *data;
	__u64 size;
	const __u64 *head;
	__u64 *tail;
};

/**
 * struct acrpmu_ring_batch - all records of a ring that are not consumed yet
 * @runs: their bytes; two runs if they wrap around the end of the ring
 * @nr_runs: elements of @runs, 0 without any record
 * @bytes: sum of the runs
 * @samples: number of PERF_RECORD_SAMPLE
 * @lost: sum of what all PERF_RECORD_LOST report
 */
struct acrpmu_ring_batch {
	struct iovec runs[2];
	unsigned int nr_runs;
	__u64 bytes;
	__u64 samples;
	__u64 lost;
};

int acrpmu_ring_map(struct acrpmu_session *session, unsigned int cpu, struct acrpmu_ring **ring);
void acrpmu_ring_unmap(struct acrpmu_ring *ring);
struct acrpmu_ring_page *acrpmu_ring_page(struct acrpmu_ring *ring);
int acrpmu_ring_open(const struct acrpmu_ring_memory *memory, struct acrpmu_ring **ring);
int acrpmu_ring_next(struct acrpmu_ring *ring, const struct perf_event_header **record);
int acrpmu_ring_peek(struct acrpmu_ring *ring, struct acrpmu_ring_batch *batch);
void acrpmu_ring_consume(struct acrpmu_ring *ring);

/* ---- listening to the module -------------------------------------------------------------- */

/**
 * struct acrpmu_cpu_set - a set of CPUs
 * @bits: CPU n is bit n % 8 of byte n / 8
 * @size: bytes of @bits, which end with one that is not 0; 0: no CPU
 */
struct acrpmu_cpu_set {
	const unsigned char *bits;
	size_t size;
};

/**
 * struct acrpmu_notice_event - an event of a session
 * @config: event select, umask and modifiers
 * @extra_value: value of its extra register, 0: none
 * @period: occurrences from one overflow to the next, 0 if it only counts
 * @acr_mask: events of the group that reload it when they overflow
 * @flags: ACRPMU_EVENT_*
 */
struct acrpmu_notice_event {
	__u64 config;
	__u64 extra_value;
	__u64 period;
	__u64 acr_mask;
	__u64 flags;
};

/**
 * struct acrpmu_notice_count - what an event of a session has counted
 * @value: occurrences
 * @overflows: overflows
 * @flags: ACRPMU_COUNT_*
 */
struct acrpmu_notice_count {
	__u64 value;
	__u64 overflows;
	__u64 flags;
};

/**
 * struct acrpmu_notice_placement - counters that a session has on some of its CPUs
 * @cpus: these CPUs
 * @cntrs: for each event the index of its counter, as in struct acrpmu_event_hw
 * @nr_cntrs: elements of @cntrs
 */
struct acrpmu_notice_placement {
	struct acrpmu_cpu_set cpus;
	const __u8 *cntrs;
	size_t nr_cntrs;
};

/**
 * struct acrpmu_notice - what the module reports, or a session that exists
 * @type: ACRPMU_NL_CMD_*; a newer module may send types that the library does not know
 * @nr_events: elements of @events
 * @nr_counts: elements of @counts
 * @nr_placements: elements of @placements
 * @has: the members that are set, by their attribute: see acrpmu_notice_has()
 * @time_ns: when it happened, in nanoseconds of CLOCK_BOOTTIME
 * @session: number of the session
 * @created_ns: when it was created, as @time_ns
 * @pid: process that created it or asked, 0 if it has exited or has no number here
 * @uid: its effective user
 * @flags: ACRPMU_SESSION_*
 * @state: ACRPMU_STATE_*
 * @change: ACRPMU_NL_CHANGE_*
 * @nr_tasks: tasks that it follows
 * @unplaced: CPUs in @cpus that are in none of @placements
 * @cpu: the CPU concerned
 * @errnum: errno of a refusal, positive
 * @reason: ACRPMU_REASON_* of a refusal
 * @event_index: the event that is refused
 * @holder_pid: process that has what was refused, 0: unknown
 * @cntr: index of a counter
 * @msr: number of a register
 * @abi_version: of the module
 * @topics: ACRPMU_NL_TOPIC_*
 * @value: see the reason
 * @limit: see the reason
 * @expected: what the session has in @msr
 * @found: what was there instead
 * @time_enabled: of a session that has ended, as in struct acrpmu_read
 * @time_running: likewise
 * @time_missed: likewise
 * @records: likewise
 * @lost: overflows that were lost in total, or on @cpu
 * @throttled: overflows beyond a limit in total, or on @cpu
 * @discarded: as in struct acrpmu_read
 * @guest: likewise
 * @quiet: likewise
 * @pauses: pauses of the session on @cpu
 * @missed: notices that did not fit the socket
 * @left_out: refusals that were too many to report
 * @cpus: CPUs that the session holds, or those concerned
 * @comm: name of the process of @pid, of any bytes
 * @holder: name of the process of @holder_pid
 * @events: in the order of the group
 * @counts: likewise
 * @placements: one for each set of CPUs on which the events have the same counters
 */
struct acrpmu_notice {
	__u32 type;
	__u32 nr_events;
	__u32 nr_counts;
	__u32 nr_placements;
	__u64 has;
	__u64 time_ns;
	__u64 session;
	__u64 created_ns;
	__u32 pid;
	__u32 uid;
	__u32 flags;
	__u32 state;
	__u32 change;
	__u32 nr_tasks;
	__u32 unplaced;
	__u32 cpu;
	__u32 errnum;
	__u32 reason;
	__u32 event_index;
	__u32 holder_pid;
	__u32 cntr;
	__u32 msr;
	__u32 abi_version;
	__u32 topics;
	__u64 value;
	__u64 limit;
	__u64 expected;
	__u64 found;
	__u64 time_enabled;
	__u64 time_running;
	__u64 time_missed;
	__u64 records;
	__u64 lost;
	__u64 throttled;
	__u64 discarded;
	__u64 guest;
	__u64 quiet;
	__u64 pauses;
	__u64 missed;
	__u64 left_out;
	struct acrpmu_cpu_set cpus;
	char comm[ACRPMU_COMM_LEN];
	char holder[ACRPMU_COMM_LEN];
	const struct acrpmu_notice_event *events;
	const struct acrpmu_notice_count *counts;
	const struct acrpmu_notice_placement *placements;
};

/**
 * acrpmu_notice_has() - check whether a notice has an attribute
 * @notice: from acrpmu_monitor_next() or acrpmu_monitor_sessions()
 * @attr: ACRPMU_NL_A_*
 *
 * Return: not 0 if it has; the member of another one is 0.
 */
static inline int acrpmu_notice_has(const struct acrpmu_notice *notice, unsigned int attr)
{
	return !!(notice->has & (1ULL << attr));
}

struct acrpmu_monitor;

int acrpmu_monitor_open(struct acrpmu_monitor **monitor, struct acrpmu_message *message);
void acrpmu_monitor_close(struct acrpmu_monitor *monitor);
int acrpmu_monitor_fd(const struct acrpmu_monitor *monitor);
int acrpmu_monitor_subscribe(struct acrpmu_monitor *monitor, __u32 topics,
			     struct acrpmu_message *message);
int acrpmu_monitor_next(struct acrpmu_monitor *monitor, const struct acrpmu_notice **notice);
int acrpmu_monitor_sessions(struct acrpmu_monitor *monitor,
			    int (*each)(void *ctx, const struct acrpmu_notice *session), void *ctx,
			    struct acrpmu_message *message);

/* ---- explaining refusals ------------------------------------------------------------------ */

void acrpmu_explain(int errnum, const struct acrpmu_error *error, const struct acrpmu_spec *spec,
		    unsigned int group, struct acrpmu_message *message);
void acrpmu_explain_open(int errnum, struct acrpmu_message *message);

#ifdef __cplusplus
}
#endif

#endif /* _ACRPMU_LIB_H */
