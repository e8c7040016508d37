// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sets of registers. */
#include <stdbool.h>

#include <perfmon/pfmlib.h>

static bool is_valid(const pfmlib_regmask_t *h, unsigned int b)
{
	return h && b < PFMLIB_REG_MAX;
}

/**
 * pfm_regmask_isset() - check whether a register is in a set
 * @h: the set
 * @b: the register
 *
 * Return: 1 or 0; 0 if @h is NULL or @b is PFMLIB_REG_MAX or more.
 */
int pfm_regmask_isset(pfmlib_regmask_t *h, unsigned int b)
{
	return is_valid(h, b) && h->bits[b / PFMLIB_ULONG_BITS] >> b % PFMLIB_ULONG_BITS & 1;
}

/**
 * pfm_regmask_set() - add a register to a set
 * @h: the set
 * @b: the register
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_INVAL: @h is NULL or @b is PFMLIB_REG_MAX or more.
 */
int pfm_regmask_set(pfmlib_regmask_t *h, unsigned int b)
{
	if (!is_valid(h, b))
		return PFMLIB_ERR_INVAL;
	h->bits[b / PFMLIB_ULONG_BITS] |= 1UL << b % PFMLIB_ULONG_BITS;
	return PFMLIB_SUCCESS;
}

/**
 * pfm_regmask_clr() - remove a register from a set
 * @h: the set
 * @b: the register
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_INVAL: @h is NULL or @b is PFMLIB_REG_MAX or more.
 */
int pfm_regmask_clr(pfmlib_regmask_t *h, unsigned int b)
{
	if (!is_valid(h, b))
		return PFMLIB_ERR_INVAL;
	h->bits[b / PFMLIB_ULONG_BITS] &= ~(1UL << b % PFMLIB_ULONG_BITS);
	return PFMLIB_SUCCESS;
}

/**
 * pfm_regmask_weight() - count the registers of a set
 * @h: the set
 * @w: out, how many
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_INVAL: an argument is NULL.
 */
int pfm_regmask_weight(pfmlib_regmask_t *h, unsigned int *w)
{
	unsigned int i;

	if (!h || !w)
		return PFMLIB_ERR_INVAL;
	*w = 0;
	for (i = 0; i < PFMLIB_REG_BV; i++)
		*w += __builtin_popcountl(h->bits[i]);
	return PFMLIB_SUCCESS;
}

/**
 * pfm_regmask_eq() - compare two sets
 * @h1: one
 * @h2: the other
 *
 * Return: 1 if they are equal; 0 if not, or if one is NULL.
 */
int pfm_regmask_eq(pfmlib_regmask_t *h1, pfmlib_regmask_t *h2)
{
	unsigned int i;

	if (!h1 || !h2)
		return 0;
	for (i = 0; i < PFMLIB_REG_BV; i++) {
		if (h1->bits[i] != h2->bits[i])
			return 0;
	}
	return 1;
}

/**
 * pfm_regmask_and() - intersection of two sets
 * @dst: out; may be one of them
 * @h1: one
 * @h2: the other
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_INVAL: an argument is NULL.
 */
int pfm_regmask_and(pfmlib_regmask_t *dst, pfmlib_regmask_t *h1, pfmlib_regmask_t *h2)
{
	unsigned int i;

	if (!dst || !h1 || !h2)
		return PFMLIB_ERR_INVAL;
	for (i = 0; i < PFMLIB_REG_BV; i++)
		dst->bits[i] = h1->bits[i] & h2->bits[i];
	return PFMLIB_SUCCESS;
}

/**
 * pfm_regmask_andnot() - difference of two sets
 * @dst: out; may be one of them
 * @h1: the one
 * @h2: the other
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_INVAL: an argument is NULL.
 */
int pfm_regmask_andnot(pfmlib_regmask_t *dst, pfmlib_regmask_t *h1, pfmlib_regmask_t *h2)
{
	unsigned int i;

	if (!dst || !h1 || !h2)
		return PFMLIB_ERR_INVAL;
	for (i = 0; i < PFMLIB_REG_BV; i++)
		dst->bits[i] = h1->bits[i] & ~h2->bits[i];
	return PFMLIB_SUCCESS;
}

/**
 * pfm_regmask_or() - union of two sets
 * @dst: out; may be one of them
 * @h1: one
 * @h2: the other
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_INVAL: an argument is NULL.
 */
int pfm_regmask_or(pfmlib_regmask_t *dst, pfmlib_regmask_t *h1, pfmlib_regmask_t *h2)
{
	unsigned int i;

	if (!dst || !h1 || !h2)
		return PFMLIB_ERR_INVAL;
	for (i = 0; i < PFMLIB_REG_BV; i++)
		dst->bits[i] = h1->bits[i] | h2->bits[i];
	return PFMLIB_SUCCESS;
}

/**
 * pfm_regmask_copy() - copy a set
 * @dst: out
 * @src: the set
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_INVAL: an argument is NULL.
 */
int pfm_regmask_copy(pfmlib_regmask_t *dst, pfmlib_regmask_t *src)
{
	if (!dst || !src)
		return PFMLIB_ERR_INVAL;
	*dst = *src;
	return PFMLIB_SUCCESS;
}

/**
 * pfm_regmask_not() - complement of a set, within PFMLIB_REG_MAX registers
 * @dst: the set
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_INVAL: @dst is NULL.
 */
int pfm_regmask_not(pfmlib_regmask_t *dst)
{
	unsigned int i;

	if (!dst)
		return PFMLIB_ERR_INVAL;
	for (i = 0; i < PFMLIB_REG_BV; i++)
		dst->bits[i] = ~dst->bits[i];
	return PFMLIB_SUCCESS;
}
