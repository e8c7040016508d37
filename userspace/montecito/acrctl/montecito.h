/* SPDX-License-Identifier: GPL-2.0-only */
/* Montecito on the command line of 'acrctl encode' and 'acrctl list'; libacrpfm does the work. */
#ifndef _ACRCTL_MONTECITO_H
#define _ACRCTL_MONTECITO_H

#include <perfmon/pfmlib_montecito.h>

#include "../../acrctl/cmd.h"
#include "../../acrctl/jsonout.h"
#include "../../acrctl/list/list.h"

#define MONTECITO_NAME		"montecito"
#define MONTECITO_SHORT_NAME	"mont"
#define MONTECITO_CORE		"dual-core Itanium 2"
#define MONTECITO_RANGES	4
#define MONTECITO_DEFAULT	"default"	/* of an option: no terms */

/* Options of encode that only Montecito has; no letters, so that they lie above all characters. */
enum montecito_option {
	MONTECITO_PLM = 0x100,
	MONTECITO_SYSTEM_WIDE,
	MONTECITO_UNAVAILABLE,
	MONTECITO_OPCM1,
	MONTECITO_OPCM2,
	MONTECITO_IEAR,
	MONTECITO_DEAR,
	MONTECITO_ETB,
	MONTECITO_IPEAR,
	MONTECITO_IRANGE,
	MONTECITO_DRANGE,
	MONTECITO_IRANGE_FLAGS,
	MONTECITO_DRANGE_FLAGS,
	MONTECITO_OPTIONS_END,
};

/* What stands in acrctl encode --help of these. */
extern const char montecito_usage[];

/**
 * struct montecito_args - options of Montecito's in the order of the command line
 * @arg: each option and its argument, NULL: it takes none
 * @nr: how many
 */
struct montecito_args {
	struct montecito_arg {
		enum montecito_option option;
		char *text;
	} *arg;
	unsigned int nr;
};

/**
 * struct montecito_word - a word of the command line that stands for a number
 * @name: the word; NULL ends an array
 * @value: the number
 * @meaning: what the decoded registers say of it
 */
struct montecito_word {
	const char *name;
	__u64 value;
	const char *meaning;
};

/**
 * struct montecito_text - a text that is being read
 * @option: the option whose argument it is, with its dashes; NULL: a string of events
 * @text: the text
 * @string: which of several strings of events
 * @message: out, what is wrong with it
 */
struct montecito_text {
	const char *option;
	const char *text;
	unsigned int string;
	struct acrpmu_message *message;
};

/**
 * struct montecito_span - a part of a text
 * @at: its first byte
 * @len: how many bytes
 */
struct montecito_span {
	const char *at;
	size_t len;
};

/**
 * struct montecito_place - where an event stands on the command line
 * @string: in which of the strings of events
 * @column: 1 for the first byte
 */
struct montecito_place {
	unsigned int string;
	unsigned int column;
};

/**
 * struct montecito - an encoding: what is asked for, and the registers
 * @inp: generic part of what is asked for
 * @mod_in: Montecito's part
 * @outp: the registers
 * @mod_out: the debug registers
 * @nr_iranges: ranges of code on the command line
 * @nr_dranges: ranges of data
 * @place: of each event
 * @option: the option that a refusal's column is of, NULL: a string of events
 * @text: its argument
 */
struct montecito {
	pfmlib_input_param_t inp;
	pfmlib_mont_input_param_t mod_in;
	pfmlib_output_param_t outp;
	pfmlib_mont_output_param_t mod_out;
	unsigned int nr_iranges;
	unsigned int nr_dranges;
	struct montecito_place place[PFMLIB_MAX_PMCS];
	const char *option;
	const char *text;
};

#define MONTECITO_FIELDS_MAX	20
#define MONTECITO_MEANING_LEN	48

/**
 * struct montecito_field - a field of a register
 * @name: as in the unions of perfmon/pfmlib_montecito.h
 * @bit: its lowest bit
 * @width: its bits
 * @value: what it holds
 * @meaning: in words, empty if the number says it all
 */
struct montecito_field {
	const char *name;
	unsigned int bit;
	unsigned int width;
	__u64 value;
	char meaning[MONTECITO_MEANING_LEN];
};

/**
 * struct montecito_layout - a register, taken apart
 * @name: of the union's member, NULL: none, as for debug registers
 * @what: what the register is for
 * @field: its fields, those that are reserved left out
 * @nr: how many
 * @rest: the value's bits that are in none of them
 */
struct montecito_layout {
	const char *name;
	const char *what;
	struct montecito_field field[MONTECITO_FIELDS_MAX];
	unsigned int nr;
	__u64 rest;
};

/**
 * struct montecito_range - a range that was asked for, and what the debug registers cover
 * @start: first byte asked for
 * @end: first byte behind it
 * @soff: bytes covered in front of it
 * @eoff: bytes covered behind it
 * @plm: privilege levels
 */
struct montecito_range {
	__u64 start;
	__u64 end;
	__u64 soff;
	__u64 eoff;
	unsigned int plm;
};

/* In fine mode only bits 0-31 of addresses are compared: matches repeat at this distance. */
#define MONTECITO_FINE_REPEATS	0x100000000ULL

#define MONTECITO_NAME_LEN	256
#define MONTECITO_ADDRESS_LEN	24	/* of "0x10000000000000000" */

/* montecito_words.c */
extern const struct montecito_word montecito_iear_modes[];
extern const struct montecito_word montecito_dear_modes[];
extern const struct montecito_word montecito_etb_tm[];
extern const struct montecito_word montecito_etb_predicted[];
extern const struct montecito_word montecito_etb_brt[];
extern const struct montecito_word montecito_event_flags[];
extern const struct montecito_word montecito_range_flags[];
int montecito_refuse(const struct montecito_text *text, const char *at, const char *code,
		     const char *format, ...) __attribute__((format(printf, 4, 5)));
struct montecito_span montecito_cut(struct montecito_span *rest, const char *separators);
bool montecito_same(struct montecito_span span, const char *word);
int montecito_number(const struct montecito_text *text, struct montecito_span span, __u64 max,
		     __u64 *value);
int montecito_levels(const struct montecito_text *text, struct montecito_span span, __u64 *value);
int montecito_own_levels(const struct montecito_text *text, struct montecito_span span,
			 __u64 *value);
const struct montecito_word *montecito_find_word(const struct montecito_word *words,
						 struct montecito_span span);
void montecito_suggest(const struct montecito_text *text, struct montecito_span span,
		       const struct montecito_word *words);
int montecito_choice(const struct montecito_text *text, struct montecito_span span,
		     const struct montecito_word *words, __u64 max, __u64 *value);
void montecito_list_words(const struct montecito_word *words, char *buf, size_t size);

/* montecito_events.c */
int montecito_events(struct montecito *m, const struct event_args *args,
		     struct acrpmu_message *message);

bool montecito_nearest(struct montecito_span name, char nearest[MONTECITO_NAME_LEN]);

/* montecito_args.c */
int montecito_args_add(struct montecito_args *args, int option, const char *text);
void montecito_args_free(struct montecito_args *args);
const char *montecito_option_name(int option);

/* montecito_options.c */
int montecito_options(struct montecito *m, const struct montecito_args *args,
		      struct acrpmu_message *message);

/* montecito_fields.c */
void montecito_pmc_layout(unsigned int pmc, __u64 value, struct montecito_layout *layout);
void montecito_pmd_layout(unsigned int pmd, bool ipear, struct montecito_layout *layout);
void montecito_debug_layout(unsigned int reg, __u64 value, struct montecito_layout *layout);
void montecito_levels_words(__u64 plm, char *buf, size_t size);

/* montecito_encode.c */
bool montecito_is_named(const char *pmu);
bool montecito_is_prefix(const char *text);
bool montecito_is_chosen(const char *pmu, const char *text);
void montecito_explain(const struct event_args *args, struct acrpmu_message *message);
int montecito_encode(const struct event_args *events, const struct montecito_args *args, bool json);
const char *montecito_event_name(struct montecito *m, unsigned int i, char *buf);
unsigned int montecito_ranges(const pfmlib_mont_input_rr_t *in, const pfmlib_mont_output_rr_t *out,
			      unsigned int dfl_plm,
			      struct montecito_range range[MONTECITO_RANGES]);
const char *montecito_range_end(const struct montecito_range *range, char *buf);

/* montecito_refusal.c */
void montecito_refusal(struct montecito *m, const struct montecito_args *args, int ret,
		       struct acrpmu_message *message);

/* montecito_text.c */
void montecito_print_text(struct montecito *m);

/* montecito_json.c */
struct json_object *montecito_json(struct montecito *m);

/* montecito_list.c */
int montecito_list(const struct list_wanted *wanted, const char *dir);

#endif /* _ACRCTL_MONTECITO_H */
