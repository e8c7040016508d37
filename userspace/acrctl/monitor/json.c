// SPDX-License-Identifier: GPL-2.0-only
/* Sessions and what happens as JSON: a member for each attribute that a message has. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../util/util.h"
#include "../jsonout.h"
#include "monitor.h"

#define TIME_LEN	40
#define FLAG_BITS	32

/* ---- values ------------------------------------------------------------------------------- */

/**
 * time_json() - when something was: "2026-11-25T13:21:32.123456789Z"
 * @real_ns: since 1970
 *
 * Return: the value, NULL: out of memory.
 */
struct json_object *time_json(__u64 real_ns)
{
	const time_t s = real_ns / NSEC_PER_SEC;
	char text[TIME_LEN] = "";
	struct tm tm;
	size_t len;

	if (!gmtime_r(&s, &tm))
		return jsonout_null;
	len = strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(text + len, sizeof(text) - len, ".%09lluZ", real_ns % NSEC_PER_SEC);
	return jsonout_text(text);
}

static struct json_object *pid_json(__u32 pid)
{
	return pid ? jsonout_count(pid) : jsonout_null;
}

static struct json_object *user_json(__u32 uid)
{
	char user[WORD_LEN];

	return jsonout_text(words_user(uid, user));
}

static struct json_object *cpus_json(const struct acrpmu_cpu_set *cpus)
{
	char *list = words_cpus(cpus);
	struct json_object *json = list ? jsonout_text(list) : NULL;

	free(list);
	return json;
}

static struct json_object *cntr_json(unsigned int cntr)
{
	char word[WORD_LEN];

	return jsonout_text(words_cntr(cntr, word));
}

static struct json_object *flags_json(__u32 flags)
{
	struct json_object *json = json_object_new_array();
	unsigned int bit;

	for (bit = 0; bit < FLAG_BITS; bit++) {
		const char *name = words_flag(bit);

		if (!(flags & BIT_ULL(bit)))
			continue;
		jsonout_add(&json, name ? jsonout_text(name) : jsonout_hex(BIT_ULL(bit)));
	}
	return json;
}

/* Null where the message that has the events was missed. */
static struct json_object *name_json(const struct item *item, unsigned int i)
{
	if (!item->session || i >= item->session->nr_events)
		return jsonout_null;
	return jsonout_text(item->session->events[i]);
}

static struct json_object *event_json(const struct item *item, unsigned int i)
{
	const struct acrpmu_notice_event *ev = &item->notice->events[i];

	return jsonout_object("event", name_json(item, i),
			      "config", jsonout_hex(ev->config),
			      "extra", jsonout_hex(ev->extra_value),
			      "period", jsonout_count(ev->period),
			      "acr_mask", jsonout_hex(ev->acr_mask),
			      "role", jsonout_text(words_role(ev)),
			      "user", jsonout_bool(ev->flags & ACRPMU_EVENT_USER),
			      "kernel", jsonout_bool(ev->flags & ACRPMU_EVENT_KERNEL), NULL);
}

static struct json_object *events_json(const struct item *item)
{
	struct json_object *json = json_object_new_array();
	unsigned int i;

	for (i = 0; i < item->notice->nr_events; i++)
		jsonout_add(&json, event_json(item, i));
	return json;
}

static struct json_object *placement_json(const struct acrpmu_notice_placement *p)
{
	struct json_object *cntrs = json_object_new_array();
	size_t i;

	for (i = 0; i < p->nr_cntrs; i++)
		jsonout_add(&cntrs, cntr_json(p->cntrs[i]));
	return jsonout_object("cpus", cpus_json(&p->cpus), "counters", cntrs, NULL);
}

static struct json_object *placements_json(const struct acrpmu_notice *n)
{
	struct json_object *json = json_object_new_array();
	unsigned int i;

	for (i = 0; i < n->nr_placements; i++)
		jsonout_add(&json, placement_json(&n->placements[i]));
	return json;
}

static struct json_object *count_json(const struct item *item, unsigned int i)
{
	const struct acrpmu_notice_count *count = &item->notice->counts[i];
	bool taken = count->flags & ACRPMU_COUNT_TAKEN;

	return jsonout_object("event", name_json(item, i),
			      "value", taken ? jsonout_null : jsonout_count(count->value),
			      "overflows", taken ? jsonout_null : jsonout_count(count->overflows),
			      "whole_periods", jsonout_bool(count->flags & ACRPMU_COUNT_RELOADED),
			      "taken", jsonout_bool(taken), NULL);
}

static struct json_object *counts_json(const struct item *item)
{
	struct json_object *json = json_object_new_array();
	unsigned int i;

	for (i = 0; i < item->notice->nr_counts; i++)
		jsonout_add(&json, count_json(item, i));
	return json;
}

/* ---- members ------------------------------------------------------------------------------ */

static bool has(const struct item *item, unsigned int attr)
{
	return acrpmu_notice_has(item->notice, attr);
}

static void set_who(struct json_object **json, const struct item *item)
{
	const struct acrpmu_notice *n = item->notice;

	if (has(item, ACRPMU_NL_A_SESSION))
		jsonout_set(json, "session", jsonout_count(n->session), NULL);
	if (has(item, ACRPMU_NL_A_PID))
		jsonout_set(json, "pid", pid_json(n->pid ?: item->session ? item->session->pid : 0),
			    NULL);
	if (has(item, ACRPMU_NL_A_COMM))
		jsonout_set(json, "command", jsonout_text(n->comm), NULL);
	if (has(item, ACRPMU_NL_A_UID))
		jsonout_set(json, "uid", jsonout_count(n->uid), "user", user_json(n->uid), NULL);
}

static void set_session(struct json_object **json, const struct item *item)
{
	const struct acrpmu_notice *n = item->notice;

	if (has(item, ACRPMU_NL_A_CREATED))
		jsonout_set(json, "created", time_json(moment_real_ns(&item->now, n->created_ns)),
			    NULL);
	if (has(item, ACRPMU_NL_A_CHANGE))
		jsonout_set(json, "change", jsonout_text(words_change(n->change)), NULL);
	if (has(item, ACRPMU_NL_A_STATE))
		jsonout_set(json, "state", jsonout_text(words_state(n->state)),
			    "cpu_lost", jsonout_bool(n->state & ACRPMU_STATE_CPU_LOST), NULL);
	if (has(item, ACRPMU_NL_A_FLAGS))
		jsonout_set(json, "flags", flags_json(n->flags), NULL);
	if (has(item, ACRPMU_NL_A_NR_TASKS))
		jsonout_set(json, "tasks", jsonout_count(n->nr_tasks), NULL);
	if (has(item, ACRPMU_NL_A_CPUS))
		jsonout_set(json, "cpus", cpus_json(&n->cpus), NULL);
	if (n->nr_events)
		jsonout_set(json, "events", events_json(item), NULL);
	if (has(item, ACRPMU_NL_A_FLAGS))
		jsonout_set(json, "placements", placements_json(n), NULL);
	if (has(item, ACRPMU_NL_A_UNPLACED))
		jsonout_set(json, "unplaced", jsonout_count(n->unplaced), NULL);
	if (n->nr_counts)
		jsonout_set(json, "counts", counts_json(item), NULL);
}

/* Members that are counts. */
#define COUNT(attr, name_, member)	\
	{ ACRPMU_NL_A_##attr, name_, offsetof(struct acrpmu_notice, member) }

static void set_counts(struct json_object **json, const struct item *item)
{
	static const struct {
		unsigned int attr;
		const char *name;
		size_t offset;
	} counts[] = {
		COUNT(TIME_ENABLED, "enabled_ns", time_enabled),
		COUNT(TIME_RUNNING, "running_ns", time_running),
		COUNT(TIME_MISSED, "missed_ns", time_missed), COUNT(RECORDS, "records", records),
		COUNT(LOST, "lost", lost), COUNT(THROTTLED, "throttled", throttled),
		COUNT(DISCARDED, "discarded", discarded), COUNT(GUEST, "guest", guest),
		COUNT(QUIET, "quiet", quiet), COUNT(PAUSES, "pauses", pauses),
		COUNT(MISSED, "missed", missed), COUNT(LEFT_OUT, "left_out", left_out),
	};
	unsigned int i;
	__u64 value;

	for (i = 0; i < ARRAY_SIZE(counts); i++) {
		if (!has(item, counts[i].attr))
			continue;
		memcpy(&value, (const char *)item->notice + counts[i].offset, sizeof(value));
		jsonout_set(json, counts[i].name, jsonout_count(value), NULL);
	}
}

static void set_refusal(struct json_object **json, const struct item *item)
{
	const struct acrpmu_notice *n = item->notice;
	struct acrpmu_message message;

	words_refusal(n, &message);
	jsonout_set(json, "errno", jsonout_count(n->errnum), "code", jsonout_text(message.code),
		    "message", jsonout_text(message.text), "hint", jsonout_text(message.hint),
		    "event_index", has(item, ACRPMU_NL_A_EVENT_INDEX) ?
				   jsonout_count(n->event_index) : jsonout_null,
		    "value", jsonout_hex(n->value), "limit", jsonout_hex(n->limit),
		    "holder_pid", pid_json(n->holder_pid),
		    "holder", jsonout_text(*n->holder ? n->holder : NULL), NULL);
}

static void set_register(struct json_object **json, const struct item *item)
{
	const struct acrpmu_notice *n = item->notice;
	bool expected = has(item, ACRPMU_NL_A_EXPECTED), found = has(item, ACRPMU_NL_A_FOUND);

	jsonout_set(json, "counter", cntr_json(n->cntr), "msr", jsonout_hex(n->msr),
		    "expected", expected ? jsonout_hex(n->expected) : jsonout_null,
		    "found", found ? jsonout_hex(n->found) : jsonout_null, NULL);
}

/**
 * item_json() - what happened
 *
 * Return: the value, NULL: out of memory.
 */
struct json_object *item_json(const struct item *item)
{
	const struct acrpmu_notice *n = item->notice;
	const char *type = words_type(n->type);
	struct json_object *json;

	json = jsonout_object("schema", jsonout_text("acrctl-monitor/1"),
			      "time", time_json(item_real_ns(item)),
			      "type", jsonout_text(type ? type : "unknown"), NULL);
	if (!type)
		jsonout_set(&json, "number", jsonout_count(n->type), NULL);
	set_who(&json, item);
	if (has(item, ACRPMU_NL_A_CPU))
		jsonout_set(&json, "cpu", jsonout_count(n->cpu), NULL);
	set_session(&json, item);
	set_counts(&json, item);
	if (has(item, ACRPMU_NL_A_ERRNO))
		set_refusal(&json, item);
	if (has(item, ACRPMU_NL_A_REGISTER))
		set_register(&json, item);
	return json;
}

/**
 * session_json() - a session that exists, for 'acrctl ps'
 *
 * Return: the value, NULL: out of memory.
 */
struct json_object *session_json(const struct item *item)
{
	struct json_object *json = json_object_new_object();

	set_who(&json, item);
	jsonout_set(&json, "age_ns",
		    jsonout_count(moment_age_ns(&item->now, item->notice->created_ns)), NULL);
	set_session(&json, item);
	return json;
}
