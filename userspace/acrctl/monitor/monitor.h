/* SPDX-License-Identifier: GPL-2.0-only */
/* What 'acrctl monitor' and 'acrctl ps' know of sessions, and how they print it. */
#ifndef _ACRCTL_MONITOR_H
#define _ACRCTL_MONITOR_H

#include <stdio.h>

#include "../cmd.h"
#include "../names.h"

/* of an event with all terms, with its terminating 0 */
#define EVENT_TEXT_LEN	320
#define WORD_LEN	32
#define CPUS_PER_BYTE	8

struct json_object;

/* ---- events by name: event.c -------------------------------------------------------------- */

/* Named events of each kind of core. */
struct event_names {
	struct acrpmu_cpu_info *cpus;		/* by number; NULL: the module cannot be queried */
	unsigned int nr_cpus;
	__u32 core_types[ACRPMU_MAX_KINDS];	/* 0: all cores are alike */
	struct names kinds[ACRPMU_MAX_KINDS];
	unsigned int nr;
};

void event_names_open(struct event_names *names, const char *command);
void event_names_close(struct event_names *names);
void event_text(const struct event_names *names, const struct acrpmu_cpu_set *cpus,
		const struct acrpmu_notice_event *ev, char text[EVENT_TEXT_LEN]);

/* ---- sessions that were reported: known.c ------------------------------------------------- */

struct known_session {
	__u64 id;
	__u32 pid;
	__u32 uid;
	char comm[ACRPMU_COMM_LEN];
	char *events[ACRPMU_MAX_EVENTS];	/* as event_text() has them */
	unsigned int nr_events;
	bool listed;				/* the last list has it */
};

/* In the order of their numbers. */
struct known {
	struct known_session *list;
	size_t nr;
};

struct known_session *known_find(const struct known *known, __u64 id);
struct known_session *known_add(struct known *known, const struct acrpmu_notice *session);
int known_set_events(struct known_session *session, const struct event_names *names,
		     const struct acrpmu_notice *notice);
void known_remove(struct known *known, struct known_session *session);
void known_free(struct known *known);

/* ---- words that text and JSON share: words.c ---------------------------------------------- */

const char *words_type(__u32 type);
const char *words_change(__u32 change);
const char *words_state(__u32 state);
const char *words_flag(unsigned int bit);
const char *words_role(const struct acrpmu_notice_event *ev);
const char *words_cntr(unsigned int cntr, char word[WORD_LEN]);
const char *words_user(__u32 uid, char word[WORD_LEN]);
const char *words_age(__u64 ns, char word[WORD_LEN]);
bool cpus_have(const struct acrpmu_cpu_set *cpus, size_t cpu);
char *words_cpus(const struct acrpmu_cpu_set *cpus);
void words_refusal(const struct acrpmu_notice *notice, struct acrpmu_message *message);

/* ---- when: moment.c ----------------------------------------------------------------------- */

/* The moment of printing, by two clocks. */
struct moment {
	__u64 boot_ns;			/* CLOCK_BOOTTIME */
	__u64 real_ns;			/* since 1970 */
};

struct moment moment_now(void);
__u64 moment_real_ns(const struct moment *now, __u64 boot_ns);
__u64 moment_age_ns(const struct moment *now, __u64 boot_ns);

/* ---- printing: line.c, json.c, ps_table.c ---------------------------------------------------- */

/* Something to print. */
struct item {
	const struct acrpmu_notice *notice;
	const struct known_session *session;	/* what is known of it, NULL: nothing */
	struct moment now;
};

__u64 item_real_ns(const struct item *item);

int line_print(FILE *f, const struct item *item);
struct json_object *item_json(const struct item *item);
struct json_object *session_json(const struct item *item);
struct json_object *time_json(__u64 real_ns);

#define PS_COLUMNS	9

struct ps_row {
	char *cells[PS_COLUMNS];	/* NULL: empty */
};

struct ps_table {
	struct ps_row *rows;
	size_t nr;
};

int ps_table_add(struct ps_table *table, const struct item *item);
void ps_table_print(FILE *f, const struct ps_table *table);
void ps_table_free(struct ps_table *table);

/* ---- listening to the module: listener.c -------------------------------------------------- */

/* A listener, and the events that it may hear of. */
struct listener {
	const char *command;		/* of acrctl, for messages */
	struct acrpmu_monitor *monitor;
	struct event_names names;
};

int listener_open(struct listener *listener);
void listener_close(struct listener *listener);
void listener_note_limits(const struct listener *listener);

#endif /* _ACRCTL_MONITOR_H */
