// SPDX-License-Identifier: LGPL-2.1-or-later
/* Queries of the PMU: name, type, registers. */
#include <string.h>

#include <perfmon/pfmlib_montecito.h>

#include "pfmlib_state.h"

#define NAME	"dual-core Itanium 2"

/* Registers @first to @last. */
struct regs {
	unsigned int first;
	unsigned int last;
};

static const struct regs pmcs[] = { { 0, 15 }, { 32, 42 } };
static const struct regs pmds[] = { { 4, 15 }, { 32, 39 }, { 48, 63 } };
static const struct regs counters[] = {
	{ PMU_MONT_FIRST_COUNTER, PMU_MONT_FIRST_COUNTER + PMU_MONT_NUM_COUNTERS - 1 },
};

static int copy_name(char *name, size_t maxlen)
{
	size_t len = strlen(NAME);

	if (!name || !maxlen)
		return PFMLIB_ERR_INVAL;
	if (len > maxlen - 1)
		len = maxlen - 1;
	memcpy(name, NAME, len);
	name[len] = '\0';
	return PFMLIB_SUCCESS;
}

/**
 * pfm_get_pmu_name() - name of the selected PMU
 * @name: out, truncated if it is too small
 * @maxlen: bytes of @name
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: @name is NULL or has no bytes.
 */
int pfm_get_pmu_name(char *name, int maxlen)
{
	if (!pfmlib_is_ready())
		return PFMLIB_ERR_NOINIT;
	return copy_name(name, maxlen < 0 ? 0 : maxlen);
}

/**
 * pfm_get_pmu_name_bytype() - name of a PMU
 * @type: PFMLIB_MONTECITO_PMU
 * @name: out, truncated if it is too small
 * @maxlen: bytes of @name
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_INVAL: no PMU of that type is supported, @name is NULL or has
 * no bytes.
 */
int pfm_get_pmu_name_bytype(int type, char *name, size_t maxlen)
{
	if (type != PFMLIB_MONTECITO_PMU)
		return PFMLIB_ERR_INVAL;
	return copy_name(name, maxlen);
}

/**
 * pfm_get_pmu_type() - type of the selected PMU
 * @type: out
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: @type is NULL.
 */
int pfm_get_pmu_type(int *type)
{
	if (!pfmlib_is_ready())
		return PFMLIB_ERR_NOINIT;
	if (!type)
		return PFMLIB_ERR_INVAL;
	*type = pfmlib_state.pmu;
	return PFMLIB_SUCCESS;
}

/**
 * pfm_is_pmu_supported() - check whether pfm_force_pmu() can select a PMU
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_NOTSUPP: it cannot.
 */
int pfm_is_pmu_supported(int type)
{
	if (!pfmlib_is_ready())
		return PFMLIB_ERR_NOINIT;
	return type == PFMLIB_MONTECITO_PMU ? PFMLIB_SUCCESS : PFMLIB_ERR_NOTSUPP;
}

/**
 * pfm_list_supported_pmus() - print the names of all supported PMUs
 * @pf: prints them, such as printf()
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_INVAL: @pf is NULL.
 */
int pfm_list_supported_pmus(int (*pf)(const char *fmt, ...))
{
	if (!pf)
		return PFMLIB_ERR_INVAL;
	pf("supported PMUs: [%s]\n", NAME);
	return PFMLIB_SUCCESS;
}

static int fill_mask(pfmlib_regmask_t *mask, const struct regs *regs, unsigned int nr)
{
	unsigned int i, reg;

	if (!pfmlib_is_ready())
		return PFMLIB_ERR_NOINIT;
	if (!mask)
		return PFMLIB_ERR_INVAL;
	memset(mask, 0, sizeof(*mask));
	for (i = 0; i < nr; i++) {
		for (reg = regs[i].first; reg <= regs[i].last; reg++)
			pfm_regmask_set(mask, reg);
	}
	return PFMLIB_SUCCESS;
}

/**
 * pfm_get_impl_pmcs() - the PMCs that exist
 * @impl_pmcs: out
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: @impl_pmcs is NULL.
 */
int pfm_get_impl_pmcs(pfmlib_regmask_t *impl_pmcs)
{
	return fill_mask(impl_pmcs, pmcs, sizeof(pmcs) / sizeof(pmcs[0]));
}

/**
 * pfm_get_impl_pmds() - the PMDs that exist
 * @impl_pmds: out
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: @impl_pmds is NULL.
 */
int pfm_get_impl_pmds(pfmlib_regmask_t *impl_pmds)
{
	return fill_mask(impl_pmds, pmds, sizeof(pmds) / sizeof(pmds[0]));
}

/**
 * pfm_get_impl_counters() - the PMDs that are counters
 * @impl_counters: out
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: @impl_counters is NULL.
 */
int pfm_get_impl_counters(pfmlib_regmask_t *impl_counters)
{
	return fill_mask(impl_counters, counters, sizeof(counters) / sizeof(counters[0]));
}

static int put_number(unsigned int *number, unsigned int value)
{
	if (!pfmlib_is_ready())
		return PFMLIB_ERR_NOINIT;
	if (!number)
		return PFMLIB_ERR_INVAL;
	*number = value;
	return PFMLIB_SUCCESS;
}

/**
 * pfm_get_num_pmcs() - number of PMCs
 * @num: out
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: @num is NULL.
 */
int pfm_get_num_pmcs(unsigned int *num)
{
	return put_number(num, PMU_MONT_NUM_PMCS);
}

/**
 * pfm_get_num_pmds() - number of PMDs
 * @num: out
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: @num is NULL.
 */
int pfm_get_num_pmds(unsigned int *num)
{
	return put_number(num, PMU_MONT_NUM_PMDS);
}

/**
 * pfm_get_num_counters() - number of counters
 * @num: out
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: @num is NULL.
 */
int pfm_get_num_counters(unsigned int *num)
{
	return put_number(num, PMU_MONT_NUM_COUNTERS);
}

/**
 * pfm_get_hw_counter_width() - number of bits that count
 * @width: out
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_NOINIT; PFMLIB_ERR_INVAL: @width is NULL.
 */
int pfm_get_hw_counter_width(unsigned int *width)
{
	return put_number(width, PMU_MONT_COUNTER_WIDTH);
}
