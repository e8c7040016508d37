/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Montecito's part of pfm_dispatch_events(). */
#ifndef ACRPFM_MONT_DISPATCH_H
#define ACRPFM_MONT_DISPATCH_H

#include <perfmon/pfmlib_montecito.h>

int mont_dispatch(const pfmlib_input_param_t *inp, const pfmlib_mont_input_param_t *mod_in,
		  pfmlib_output_param_t *outp, pfmlib_mont_output_param_t *mod_out);

#endif
