/* SPDX-License-Identifier: GPL-2.0-only */
/* A command line for Montecito: what it asks libacrpfm for, and the registers that come back. */
#ifndef _ACRCTL_MONTECITO_ENCODING_H
#define _ACRCTL_MONTECITO_ENCODING_H

#include <perfmon/pfmlib_montecito.h>

#include "../../acrctl/jsonout.h"
#include "args.h"
#include "token.h"

#define MONTECITO_RANGES	4

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

/* encoding.c */
const char *montecito_event_name(struct montecito *m, unsigned int i, char *buf);
bool montecito_nearest(struct montecito_span name, char nearest[MONTECITO_NAME_LEN]);
unsigned int montecito_ranges(const pfmlib_mont_input_rr_t *in, const pfmlib_mont_output_rr_t *out,
			      unsigned int dfl_plm,
			      struct montecito_range range[MONTECITO_RANGES]);
const char *montecito_range_end(const struct montecito_range *range, char *buf);

/* each in the file of its name */
int montecito_events(struct montecito *m, const struct event_args *args,
		     struct acrpmu_message *message);
int montecito_read_options(struct montecito *m, const struct montecito_args *args,
			   struct acrpmu_message *message);
void montecito_refusal(struct montecito *m, const struct montecito_args *args, int ret,
		       struct acrpmu_message *message);
void montecito_print(struct montecito *m);
struct json_object *montecito_json(struct montecito *m);

#endif /* _ACRCTL_MONTECITO_ENCODING_H */
