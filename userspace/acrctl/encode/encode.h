/* SPDX-License-Identifier: GPL-2.0-only */
/* What 'acrctl encode' is asked for, and how it prints the registers. */
#ifndef _ACRCTL_ENCODE_H
#define _ACRCTL_ENCODE_H

#include "../../montecito/acrctl/montecito.h"
#include "../names.h"
#include "../reload.h"
#include "../when.h"

#define ENCODE_CLAIM_KERNELS	"kernels that address the registers of version 6 or can give " \
				"the PMU to guests (7.0 and later)"

struct encode {
	struct event_args args;
	struct montecito_args montecito;
	struct names names;
	struct when when;
	enum reload asked;		/* of --acr */
	enum reload reload;		/* RELOAD_AUTO: no event has a mask */
	__u64 count;			/* of -c, 0: not given */
	bool json;
	struct acrpmu_message wrong;	/* the first thing wrong with the command line */
	struct acrpmu_cpu cpu;
	struct acrpmu_spec *spec;
};

/* text.c */
const char *encode_role(__u32 flags);
char *encode_group_string(const struct acrpmu_spec *spec, unsigned int group);
bool encode_may_be_claimed(const struct acrpmu_cpu *cpu);
int encode_print_text(const struct encode *e, struct acrpmu_event_hw hw[][ACRPMU_MAX_EVENTS]);

/* json.c */
struct json_object *encode_groups_json(const struct encode *e,
				       struct acrpmu_event_hw hw[][ACRPMU_MAX_EVENTS]);
struct json_object *encode_refusal_json(const struct encode *e, const struct acrpmu_message *m);
int encode_print_json(struct json_object *json);

#endif /* _ACRCTL_ENCODE_H */
