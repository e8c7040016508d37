/* SPDX-License-Identifier: GPL-2.0-only */
/* Montecito's options as given, which are read once the CPU is known. */
#ifndef _ACRCTL_MONTECITO_ARGS_H
#define _ACRCTL_MONTECITO_ARGS_H

#include "montecito.h"

#define MONTECITO_DEFAULT	"default"	/* an option without terms */

/* No letters, so they lie above all characters. */
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
};

/* An option and its argument, which is empty if it takes none. */
struct montecito_arg {
	enum montecito_option option;
	char *text;
};

bool montecito_is_chosen(const struct names *names, char *const *words, unsigned int nr);
const char *montecito_option_name(int option);

#endif /* _ACRCTL_MONTECITO_ARGS_H */
