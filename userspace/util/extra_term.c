// SPDX-License-Identifier: LGPL-2.1-or-later
/* The term of perf's that gives an event the value of its extra register. */
#include "extra_term.h"

#include <stddef.h>

const char *acrpmu_extra_term(unsigned int msr)
{
	switch (msr) {
	case 0x1a6:
	case 0x1a7:
		return "offcore_rsp";
	case 0x3e0 ... 0x3e3:
		return "offmodule_rsp";
	case 0x3f6:
		return "ldlat";
	case 0x3f7:
		return "frontend";
	case 0x1328:
	case 0x1329:
		return "snoop_rsp";
	default:
		return NULL;
	}
}
