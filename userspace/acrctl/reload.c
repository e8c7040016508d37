// SPDX-License-Identifier: GPL-2.0-only
/* The option --acr: whether the CPU or software reloads counters. */
#include "reload.h"

#include <errno.h>
#include <string.h>

#include "../util/message.h"
#include "../util/util.h"

#define VERSION_LEN	128

static const char *const names[] = {
	[RELOAD_AUTO] = "auto", [RELOAD_HARDWARE] = "hardware", [RELOAD_SOFTWARE] = "software",
};

static const char *const words[] = {
	[RELOAD_AUTO] = "not used", [RELOAD_HARDWARE] = "by hardware",
	[RELOAD_SOFTWARE] = "in software",
};

/**
 * reload_take_option() - take an option if it is --acr
 *
 * Return: 0, also for other options; -EINVAL with a message.
 */
int reload_take_option(enum reload *asked, int c, const char *arg, struct acrpmu_message *message)
{
	unsigned int i;

	if (c != RELOAD_OPT_ACR)
		return 0;
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(arg, names[i]))
			continue;
		*asked = i;
		return 0;
	}
	acrpmu_message_text(message, "usage", "--acr '%s' is no way to reload counters",
			    acrpmu_message_word(arg, strlen(arg)).text);
	acrpmu_message_hint(message, "use hardware, software or auto");
	return -EINVAL;
}

/**
 * reload_name() - name a way to reload counters as the option and JSON do
 *
 * Return: "auto", "hardware" or "software".
 */
const char *reload_name(enum reload how)
{
	return names[how];
}

/**
 * reload_words() - the same in a sentence
 *
 * Return: "not used", "by hardware" or "in software".
 */
const char *reload_words(enum reload how)
{
	return words[how];
}

/**
 * reload_find() - find in the header of a recording how counters were reloaded
 * @version: the version of the program that made it
 *
 * Return: RELOAD_AUTO: its groups have no masks, or another program made it.
 */
enum reload reload_find(const char *version)
{
	const char *at = strstr(version, RELOAD_HEADER);
	unsigned int i;

	for (i = RELOAD_HARDWARE; at && i < ARRAY_SIZE(words); i++) {
		const char *word = at + strlen(RELOAD_HEADER);
		size_t len = strlen(words[i]);

		if (!strncmp(word, words[i], len) && (!word[len] || word[len] == ','))
			return i;
	}
	return RELOAD_AUTO;
}

/**
 * reload_of() - find out how the counters of a recording were reloaded
 *
 * Return: as reload_find(), RELOAD_AUTO also if the recording does not state it.
 */
enum reload reload_of(const struct pd_reader *reader)
{
	char version[VERSION_LEN];

	if (pd_reader_string(reader, PD_FEAT_VERSION, version, sizeof(version)))
		return RELOAD_AUTO;
	return reload_find(version);
}

/**
 * reload_is_used() - whether some event of a group has a mask
 */
bool reload_is_used(const struct acrpmu_spec *spec, unsigned int group)
{
	unsigned int i;

	for (i = 0; i < acrpmu_spec_nr_events(spec, group); i++) {
		if (acrpmu_spec_event(spec, group, i)->attr.acr_mask)
			return true;
	}
	return false;
}

/**
 * reload_is_cause() - whether some event of a group is reloaded when this one overflows
 */
bool reload_is_cause(const struct acrpmu_spec *spec, unsigned int group, unsigned int event)
{
	unsigned int i;

	for (i = 0; i < acrpmu_spec_nr_events(spec, group); i++) {
		if (acrpmu_spec_event(spec, group, i)->attr.acr_mask >> event & 1)
			return true;
	}
	return false;
}

/**
 * reload_check_module() - check that the module can reload in software
 * @asked: whether the user asked for it
 * @features: of the module
 * @abi_version: of the module
 *
 * Return: 0, or -EOPNOTSUPP with a message.
 */
int reload_check_module(enum reload asked, __u64 features, __u32 abi_version,
			struct acrpmu_message *message)
{
	if (features & ACRPMU_FEATURE_SOFTWARE)
		return 0;
	acrpmu_message_text(message, "no-software",
			    "%sthe module cannot reload counters in software: its ABI version is "
			    "%u, and that came with 5", asked == RELOAD_SOFTWARE ? "" :
			    "not all CPUs in question have auto counter reload, and ", abi_version);
	acrpmu_message_hint(message, "install module and acrctl of one version%s",
			    asked == RELOAD_SOFTWARE ? "" : ", or take --acr=hardware with CPUs "
			    "that have it");
	return -EOPNOTSUPP;
}
