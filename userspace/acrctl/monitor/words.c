// SPDX-License-Identifier: GPL-2.0-only
/* Words for numbers of the module's messages, which text and JSON have in common. */
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/util.h"
#include "monitor.h"

#define MINUTE_S	60
#define HOUR_S		3600
#define DAY_S		86400

/**
 * words_type() - name a type of message
 *
 * Return: the name, NULL for one of a newer module.
 */
const char *words_type(__u32 type)
{
	static const char *const names[] = {
		[ACRPMU_NL_CMD_SESSION_GET] = "session",
		[ACRPMU_NL_CMD_SESSION_CREATED] = "session-created",
		[ACRPMU_NL_CMD_SESSION_CHANGED] = "session-changed",
		[ACRPMU_NL_CMD_SESSION_ENDED] = "session-ended",
		[ACRPMU_NL_CMD_PMU_CLAIMED] = "pmu-claimed",
		[ACRPMU_NL_CMD_PMU_RELEASED] = "pmu-released",
		[ACRPMU_NL_CMD_REFUSED] = "refused",
		[ACRPMU_NL_CMD_REGISTER_CHANGED] = "register-changed",
		[ACRPMU_NL_CMD_LOST] = "lost",
		[ACRPMU_NL_CMD_STOPPED] = "stopped",
		[ACRPMU_NL_CMD_RESUMED] = "resumed",
		[ACRPMU_NL_CMD_CPU_ONLINE] = "cpu-online",
		[ACRPMU_NL_CMD_CPU_OFFLINE] = "cpu-offline",
		[ACRPMU_NL_CMD_CPU_LOST] = "cpu-lost",
		[ACRPMU_NL_CMD_MISSED] = "missed",
		[ACRPMU_NL_CMD_UNLOADED] = "unloaded",
		[ACRPMU_NL_CMD_PMU_TAKEN] = "pmu-taken",
	};

	return type < ARRAY_SIZE(names) ? names[type] : NULL;
}

/**
 * words_change() - name a change of a session
 *
 * Return: the name, NULL for one of a newer module.
 */
const char *words_change(__u32 change)
{
	static const char *const names[] = {
		[ACRPMU_NL_CHANGE_ENABLED] = "enabled",
		[ACRPMU_NL_CHANGE_DISABLED] = "disabled",
		[ACRPMU_NL_CHANGE_PARKED] = "parked",
		[ACRPMU_NL_CHANGE_UNPARKED] = "unparked",
		[ACRPMU_NL_CHANGE_PERIODS] = "periods",
	};

	return change < ARRAY_SIZE(names) ? names[change] : NULL;
}

/**
 * words_state() - name the state of a session
 *
 * Return: the name.
 */
const char *words_state(__u32 state)
{
	return state & ACRPMU_STATE_ENDED ? "ended" :
	       state & ACRPMU_STATE_PARKED ? "parked" :
	       state & ACRPMU_STATE_ENABLED ? "enabled" : "disabled";
}

/**
 * words_flag() - name a bit of ACRPMU_SESSION_*
 *
 * Return: the name, NULL for one of a newer module.
 */
const char *words_flag(unsigned int bit)
{
	/* in the order of the bits */
	static const char *const names[] = {
		"task", "inherit", "enable-on-exec", "process", "parked", "arrive",
		"exclude-guest", "software", "cgroup", "exclude-chain-kernel",
		"exclude-chain-user",
	};

	return bit < ARRAY_SIZE(names) ? names[bit] : NULL;
}

/**
 * words_role() - what an event is programmed for, as 'acrctl encode' calls it
 *
 * Return: a word for it.
 */
const char *words_role(const struct acrpmu_notice_event *ev)
{
	if (ev->flags & ACRPMU_EVENT_SAMPLED)
		return "sampled";
	return ev->flags & ACRPMU_EVENT_COUNT ? "counted" : "quiet";
}

/**
 * words_cntr() - name a counter as 'acrctl encode' does
 *
 * Return: @word.
 */
const char *words_cntr(unsigned int cntr, char word[WORD_LEN])
{
	bool fixed = cntr >= ACRPMU_FIXED_BASE;

	snprintf(word, WORD_LEN, "%s%u", fixed ? "FIXED" : "GP",
		 fixed ? cntr - ACRPMU_FIXED_BASE : cntr);
	return word;
}

/**
 * words_user() - name a user
 *
 * Return: @word, NULL: the user has no name.
 */
const char *words_user(__u32 uid, char word[WORD_LEN])
{
	const struct passwd *user = getpwuid(uid);

	if (!user)
		return NULL;
	snprintf(word, WORD_LEN, "%s", user->pw_name);
	return word;
}

/**
 * words_age() - a time in its two largest units: "12s", "5m12s", "3h05m", "2d04h"
 *
 * Return: @word.
 */
const char *words_age(__u64 ns, char word[WORD_LEN])
{
	const unsigned long long s = ns / NSEC_PER_SEC;

	if (s < MINUTE_S)
		snprintf(word, WORD_LEN, "%llus", s);
	else if (s < HOUR_S)
		snprintf(word, WORD_LEN, "%llum%02llus", s / MINUTE_S, s % MINUTE_S);
	else if (s < DAY_S)
		snprintf(word, WORD_LEN, "%lluh%02llum", s / HOUR_S, s % HOUR_S / MINUTE_S);
	else
		snprintf(word, WORD_LEN, "%llud%02lluh", s / DAY_S, s % DAY_S / HOUR_S);
	return word;
}

/**
 * cpus_have() - whether a CPU is in a set
 */
bool cpus_have(const struct acrpmu_cpu_set *cpus, size_t cpu)
{
	return cpu / CPUS_PER_BYTE < cpus->size &&
	       cpus->bits[cpu / CPUS_PER_BYTE] >> cpu % CPUS_PER_BYTE & 1;
}

/**
 * words_cpus() - a set of CPUs as a list: "0-3,8"
 *
 * Return: the list, empty for no CPU, which the caller frees; NULL: out of memory.
 */
char *words_cpus(const struct acrpmu_cpu_set *cpus)
{
	size_t first, last = 0, size;
	const char *sep = "";
	char *list = NULL;
	FILE *f = open_memstream(&list, &size);

	if (!f)
		return NULL;
	for (first = 0; first < cpus->size * CPUS_PER_BYTE; first = last + 1) {
		last = first;
		if (!cpus_have(cpus, first))
			continue;
		while (cpus_have(cpus, last + 1))
			last++;
		fprintf(f, "%s%zu", sep, first);
		if (last > first)
			fprintf(f, "-%zu", last);
		sep = ",";
	}
	if (fclose(f)) {
		free(list);
		return NULL;
	}
	return list;
}

/**
 * words_refusal() - explain a refusal that was reported
 * @message: out
 */
void words_refusal(const struct acrpmu_notice *notice, struct acrpmu_message *message)
{
	struct acrpmu_error error = {
		.reason = notice->reason,
		.event = -1,
		.cpu = -1,
		.value = notice->value,
		.limit = notice->limit,
		.holder_pid = notice->holder_pid,
	};

	if (acrpmu_notice_has(notice, ACRPMU_NL_A_EVENT_INDEX))
		error.event = notice->event_index;
	if (acrpmu_notice_has(notice, ACRPMU_NL_A_CPU))
		error.cpu = notice->cpu;
	memcpy(error.holder, notice->holder, sizeof(error.holder));
	acrpmu_explain(-(int)notice->errnum, &error, NULL, 0, message);
}
