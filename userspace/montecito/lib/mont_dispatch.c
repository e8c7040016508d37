// SPDX-License-Identifier: LGPL-2.1-or-later
/* Montecito's part of pfm_dispatch_events(): its steps in order. */
#include <string.h>

#include "mont_counters.h"
#include "mont_dispatch.h"
#include "mont_drange.h"
#include "mont_ear.h"
#include "mont_etb.h"
#include "mont_irange.h"
#include "mont_opcm.h"
#include "mont_qualifier.h"
#include "mont_strict.h"

/* Each appends its registers; the first one that fails decides. */
static int (*const steps[])(struct mont_call *call) = {
	mont_counters_program, mont_ear_program_i, mont_ear_program_d, mont_irange_program,
	mont_drange_program,   mont_opcm_program,  mont_etb_program,   mont_etb_program_ipear,
};

/**
 * mont_dispatch() - find registers and values for events and features of Montecito
 * @inp: events, checked: at most PMU_MONT_NUM_COUNTERS, descriptors and unit masks right, a default
 * privilege level
 * @mod_in: model input, or NULL
 * @outp: generic output, zeroed
 * @mod_out: model output, or NULL; it is zeroed, so that nothing a caller left in it is appended to
 *
 * Return: PFMLIB_SUCCESS, or what the first step answers that fails. After an error the output
 * means nothing. PFMLIB_ERR_INVAL also stands for model output without model input, and for a
 * *_used that is neither 0 nor 1.
 */
int mont_dispatch(const pfmlib_input_param_t *inp, const pfmlib_mont_input_param_t *mod_in,
		  pfmlib_output_param_t *outp, pfmlib_mont_output_param_t *mod_out)
{
	struct mont_call call = { .inp = inp, .mod = mod_in, .outp = outp, .mod_out = mod_out };
	unsigned int i;
	int ret;

	if (mod_out && !mod_in)
		return mont_refuse(PFMLIB_ERR_INVAL, "there is model output but no model input; "
						     "give both, or none where no feature is used");
	if (mod_out)
		memset(mod_out, 0, sizeof(*mod_out));
	ret = mont_strict_check_used(&call);
	if (!ret)
		ret = mont_qualifier_check(&call);
	for (i = 0; !ret && i < sizeof(steps) / sizeof(*steps); i++)
		ret = steps[i](&call);
	return ret ? ret : mont_strict_check(&call);
}
