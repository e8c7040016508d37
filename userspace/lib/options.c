// SPDX-License-Identifier: LGPL-2.1-or-later
/* Versions: options of any size, sizes that never change, the version of the library. */
#include "options.h"

#include <errno.h>
#include <string.h>

#include "../util/message.h"

#define PARSE_FLAGS	(ACRPMU_PARSE_COUNT | ACRPMU_PARSE_TABLE_PERIOD | \
			 ACRPMU_PARSE_COUNT_ALL | ACRPMU_PARSE_USER | ACRPMU_PARSE_KERNEL | \
			 ACRPMU_PARSE_SOFTWARE)

/*
 * Callers allocate these, and the library does not know how large the caller's are.  If one has to
 * grow, that takes a new struct with new functions, or a new soname.
 */
_Static_assert(sizeof(struct acrpmu_message) == ACRPMU_MESSAGE_SIZE, "fixed for the soname");
_Static_assert(sizeof(struct acrpmu_cpu) == ACRPMU_CPU_SIZE, "fixed for the soname");
_Static_assert(sizeof(struct acrpmu_config_fields) == 7, "fixed for the soname");
_Static_assert(sizeof(struct acrpmu_ops) == 5 * sizeof(void *), "fixed for the soname");
_Static_assert(sizeof(struct acrpmu_event_attr) == ACRPMU_EVENT_ATTR_SIZE_VER1,
	       "fixed for the soname");
_Static_assert(sizeof(struct acrpmu_event_hw) == ACRPMU_EVENT_HW_SIZE_VER0,
	       "fixed for the soname");
_Static_assert(sizeof(struct acrpmu_cpu_info) == ACRPMU_CPU_INFO_SIZE_VER0,
	       "fixed for the soname");
_Static_assert(sizeof(struct acrpmu_extra_reg_info) == 24, "fixed for the soname");
_Static_assert(sizeof(struct acrpmu_count) == 24, "fixed for the soname");
_Static_assert(sizeof(struct acrpmu_error) == 48, "fixed for the soname");
_Static_assert(sizeof(struct acrpmu_comparison) == 32, "fixed for the soname");

/* acrpmu_session_read() fills in the size of version 2.0 whatever the module's has become. */
_Static_assert(sizeof(struct acrpmu_read) >= ACRPMU_READ_SIZE_VER2, "grows");

/* These may grow, but never shrink below what was published. */
_Static_assert(sizeof(struct acrpmu_parse_options) >= ACRPMU_PARSE_OPTIONS_SIZE_VER0, "grows");
_Static_assert(sizeof(struct acrpmu_session_options) >= ACRPMU_SESSION_OPTIONS_SIZE_VER0,
	       "grows");
_Static_assert(sizeof(struct acrpmu_condition_options) >= ACRPMU_CONDITION_OPTIONS_SIZE_VER0,
	       "grows");

int acrpmu_options_copy(void *to, __u32 to_size, const void *from, __u32 first_size,
			struct acrpmu_message *message)
{
	const unsigned char *bytes = from;
	__u32 size, i;

	memcpy(&size, from, sizeof(size));
	if (size < first_size) {
		acrpmu_message_text(message, "struct-size",
				    "the options say that they have %u bytes; version 1.0 had %u",
				    size, first_size);
		acrpmu_message_hint(message,
				    "set everything to 0 and size to sizeof() of the struct");
		return -EINVAL;
	}
	for (i = to_size; i < size; i++) {
		if (!bytes[i])
			continue;
		acrpmu_message_text(message, "struct-size",
				    "byte %u of the options is set, this library knows %u of them",
				    i, to_size);
		acrpmu_message_hint(message, "install the library that the program was built for, "
				    "or build the program for this one (%s)",
				    acrpmu_lib_version());
		return -E2BIG;
	}
	memset(to, 0, to_size);
	memcpy(to, from, size < to_size ? size : to_size);
	/* the library's size from here on, not the caller's */
	memcpy(to, &to_size, sizeof(to_size));
	return 0;
}

int acrpmu_options_parse(struct acrpmu_parse_options *known,
			 const struct acrpmu_parse_options *options,
			 struct acrpmu_message *message)
{
	int err = 0;

	*known = (struct acrpmu_parse_options){ .size = sizeof(*known) };
	if (options)
		err = acrpmu_options_copy(known, sizeof(*known), options,
					  ACRPMU_PARSE_OPTIONS_SIZE_VER0, message);
	if (err)
		return err;
	if (known->flags & ~PARSE_FLAGS) {
		acrpmu_message_text(message, "flags", "the flags 0x%x are not known",
				    known->flags & ~PARSE_FLAGS);
		acrpmu_message_hint(message, "use ACRPMU_PARSE_* of this library's header only");
		return -EINVAL;
	}
	if (known->kinds ? !known->nr_kinds || known->nr_kinds > ACRPMU_MAX_KINDS :
			   known->nr_kinds) {
		acrpmu_message_text(message, "kinds", "%u kinds of cores are given",
				    known->kinds ? known->nr_kinds : 0);
		acrpmu_message_hint(message, "give 1 to %u of them", ACRPMU_MAX_KINDS);
		return -EINVAL;
	}
	return 0;
}

/**
 * acrpmu_lib_version() - version of the library at run time
 *
 * Return: ACRPMU_LIB_VERSION as the library was built with.
 */
const char *acrpmu_lib_version(void)
{
	return ACRPMU_LIB_VERSION;
}
