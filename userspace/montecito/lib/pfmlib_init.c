// SPDX-License-Identifier: LGPL-2.1-or-later
/* Selecting the PMU: by the host, by the environment, or by the program. */
#include <stdlib.h>

#include "pfmlib_host.h"
#include "pfmlib_say.h"
#include "pfmlib_state.h"

static bool is_digit(const char *text)
{
	return text && *text >= '0' && *text <= '9';
}

/* A digit other than 0 sets the option, 0 clears it; anything else leaves it unchanged. */
static unsigned int flag_from_env(const char *name, unsigned int value)
{
	const char *text = secure_getenv(name);

	return is_digit(text) ? *text != '0' : value;
}

static void read_environment(void)
{
	pfmlib_options_t options = pfmlib_state.options;

	options.pfm_verbose = flag_from_env("LIBPFM_VERBOSE", options.pfm_verbose);
	options.pfm_debug = flag_from_env("LIBPFM_DEBUG", options.pfm_debug);
	pfmlib_state_set_options(options, secure_getenv("LIBPFM_DEBUG_STDOUT"));
}

/* Return the type in LIBPFM_FORCE_PMU, PFMLIB_NO_PMU if it is not a number. */
static int type_from_env(const char *text)
{
	char *end;
	long type;

	if (!is_digit(text))
		return PFMLIB_NO_PMU;
	type = strtol(text, &end, 10);
	return *end || type > PFMLIB_MONTECITO_PMU ? PFMLIB_NO_PMU : (int)type;
}

/**
 * pfm_initialize() - read the environment and select the PMU of this host
 *
 * LIBPFM_FORCE_PMU, the number of a PMU type, overrides the PMU of the host. After a failure the
 * PMU selected before stays selected.
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOTSUPP: the host is no Itanium 2 9000, or LIBPFM_FORCE_PMU is
 * not the number of a PMU that is supported.
 */
int pfm_initialize(void)
{
	const char *forced = secure_getenv("LIBPFM_FORCE_PMU");

	read_environment();
	pfmlib_say_clear();
	if (forced)
		return pfm_force_pmu(type_from_env(forced));
	if (!pfmlib_host_is_montecito()) {
		pfmlib_say("this host is no Itanium 2 9000 (Montecito); call pfm_force_pmu() or "
			   "set LIBPFM_FORCE_PMU=%d", PFMLIB_MONTECITO_PMU);
		return PFMLIB_ERR_NOTSUPP;
	}
	pfmlib_debug("the host's PMU is selected, type %d", PFMLIB_MONTECITO_PMU);
	pfmlib_state.pmu = PFMLIB_MONTECITO_PMU;
	return PFMLIB_SUCCESS;
}

/**
 * pfm_force_pmu() - select a PMU, whatever the host is
 * @type: PFMLIB_MONTECITO_PMU
 *
 * Can be called before pfm_initialize() or instead of it.
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOTSUPP: that type is not supported; the PMU selected before
 * stays selected.
 */
int pfm_force_pmu(int type)
{
	if (type != PFMLIB_MONTECITO_PMU) {
		pfmlib_say("there is no PMU of type %d; the one that is supported has type %d",
			   type, PFMLIB_MONTECITO_PMU);
		return PFMLIB_ERR_NOTSUPP;
	}
	pfmlib_debug("PMU of type %d is selected on request of the program", type);
	pfmlib_state.pmu = type;
	return PFMLIB_SUCCESS;
}
