// SPDX-License-Identifier: LGPL-2.1-or-later
/* Texts for error codes. */
#include <perfmon/pfmlib.h>

#define NR(array)	((int)(sizeof(array) / sizeof((array)[0])))

/**
 * pfm_strerror() - describe an error code
 * @code: the return value of a function
 *
 * Return: a text, never NULL; it belongs to the library and must not be modified.
 */
char *pfm_strerror(int code)
{
	static char * const texts[] = {
		[-PFMLIB_SUCCESS] = "success",
		[-PFMLIB_ERR_NOTSUPP] = "this PMU or feature is not supported",
		[-PFMLIB_ERR_INVAL] = "an argument or a value in it is not valid",
		[-PFMLIB_ERR_NOINIT] = "no PMU is selected",
		[-PFMLIB_ERR_NOTFOUND] = "there is no such event",
		[-PFMLIB_ERR_NOASSIGN] = "no free register for the events or features",
		[-PFMLIB_ERR_FULL] = "the buffer is too small",
		[-PFMLIB_ERR_EVTMANY] = "an event occurs more than once",
		[-PFMLIB_ERR_MAGIC] = "the library's magic number is wrong",
		[-PFMLIB_ERR_FEATCOMB] = "these features cannot be combined",
		[-PFMLIB_ERR_EVTSET] = "events of different sets cannot be combined",
		[-PFMLIB_ERR_EVTINCOMP] = "these events cannot be combined",
		[-PFMLIB_ERR_TOOMANY] = "there are too many of them",
		[-PFMLIB_ERR_IRRTOOBIG] = "the code range is too big",
		[-PFMLIB_ERR_IRREMPTY] = "the code range is empty",
		[-PFMLIB_ERR_IRRINVAL] = "the code range is not valid",
		[-PFMLIB_ERR_IRRTOOMANY] = "there are too many code ranges",
		[-PFMLIB_ERR_DRRINVAL] = "the data range is not valid",
		[-PFMLIB_ERR_DRRTOOMANY] = "there are too many data ranges",
		[-PFMLIB_ERR_BADHOST] = "this host cannot do that",
		[-PFMLIB_ERR_IRRALIGN] = "the code range does not begin and end with bundles",
		[-PFMLIB_ERR_IRRFLAGS] = "flags of the code range are missing or do not fit",
		[-PFMLIB_ERR_UMASK] = "a unit mask is missing or not known",
		[-PFMLIB_ERR_NOMEM] = "out of memory",
	};

	if (code > 0 || code <= -NR(texts))
		return "unknown error code";
	return texts[-code];
}

/**
 * pfm_get_version() - the version of libpfm that this library follows
 * @version: out, PFMLIB_VERSION
 *
 * Return: PFMLIB_SUCCESS; PFMLIB_ERR_INVAL: @version is NULL.
 */
int pfm_get_version(unsigned int *version)
{
	if (!version)
		return PFMLIB_ERR_INVAL;
	*version = PFMLIB_VERSION;
	return PFMLIB_SUCCESS;
}
