/* SPDX-License-Identifier: GPL-2.0-only */
/* An encoding: the request to libacrpfm and the resulting registers. */
#ifndef _ACRCTL_MONTECITO_ENCODING_H
#define _ACRCTL_MONTECITO_ENCODING_H

#include <perfmon/pfmlib_montecito.h>

#include "../../acrctl/jsonout.h"
#include "args.h"
#include "token.h"

#define MONTECITO_RANGES	4

/* The location of an event: index of its string, and column from 1. */
struct montecito_location {
	unsigned int string;
	unsigned int column;
};

/**
 * struct montecito - an encoding
 * @inp: generic input
 * @mod_in: Montecito's input
 * @outp: PMCs and PMDs
 * @mod_out: debug registers
 * @nr_iranges: number of --irange
 * @nr_dranges: number of --drange
 * @location: of each event
 * @option: the option that a refusal points into, NULL: a string of events
 * @text: the argument of @option
 */
struct montecito {
	pfmlib_input_param_t inp;
	pfmlib_mont_input_param_t mod_in;
	pfmlib_output_param_t outp;
	pfmlib_mont_output_param_t mod_out;
	unsigned int nr_iranges;
	unsigned int nr_dranges;
	struct montecito_location location[PFMLIB_MAX_PMCS];
	const char *option;
	const char *text;
};

/**
 * struct montecito_range - a range, and what the debug registers cover
 * @start: first byte
 * @end: first byte after it
 * @soff: bytes covered before @start
 * @eoff: bytes covered from @end on
 * @plm: privilege levels
 */
struct montecito_range {
	__u64 start;
	__u64 end;
	__u64 soff;
	__u64 eoff;
	unsigned int plm;
};

/* Fine mode compares bits 0-31 of addresses, so matches repeat at this distance. */
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

/* events.c, options.c, refusal.c, print.c, json.c */
int montecito_read_events(struct montecito *m, const struct event_args *args,
			  struct acrpmu_message *message);
int montecito_read_options(struct montecito *m, const struct montecito_args *args,
			   struct acrpmu_message *message);
void montecito_refusal(struct montecito *m, const struct montecito_args *args, int ret,
		       struct acrpmu_message *message);
void montecito_print(struct montecito *m);
struct json_object *montecito_json(struct montecito *m);

#endif /* _ACRCTL_MONTECITO_ENCODING_H */
