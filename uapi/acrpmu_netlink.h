/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/* The generic netlink family of acrpmu.ko: what sessions exist, and what happens to them. */
#ifndef _UAPI_ACRPMU_NETLINK_H
#define _UAPI_ACRPMU_NETLINK_H

/**
 * DOC: overview
 *
 * A program sends ACRPMU_NL_CMD_SUBSCRIBE with the topics that it wants to hear of.  From then on
 * the module sends what happens to that socket, until it is closed or subscribes to no topic.
 * ACRPMU_NL_CMD_SESSION_GET asks for one session, or, as a dump, for all of them: subscribe first,
 * and then dump, so that no session is overlooked.
 *
 * Permission is that of ACRPMU_SESSION_CREATE: CAP_PERFMON or CAP_SYS_ADMIN in the initial user
 * namespace, of the sender and of whoever opened the socket.  With the module's parameter
 * unprivileged=1 others are admitted, too, if sender and opener are the same user, and learn of the
 * sessions of that user only, and of CPUs.  Sessions created with the capability may count other
 * users and the kernel: of these they get no COUNT, TIME_ENABLED to QUIET, LOST, THROTTLED, PAUSES
 * and EXPECTED.  It is checked when a request comes; a subscription lasts.
 *
 * Process ids are those of the pid namespace that the sender of the request was in, and 0 for a
 * process that it has no number for there.  A process may change its name: that in
 * ACRPMU_NL_A_COMM is the one when the session was created, or when the request was refused.
 *
 * Notifications have sequence number and port 0.  Attributes that a message does not need are left
 * out; programs ignore commands and attributes that they do not know.  No message is longer than
 * ACRPMU_NL_MAX_MESSAGE.  Messages that do not fit the socket, of which a quarter is kept for
 * answers, are counted, and ACRPMU_NL_CMD_MISSED reports their number when there is room again.
 *
 * ========== =====================================================================================
 * errno      meaning; the extended ack has it in words
 * ========== =====================================================================================
 * EPERM      see above
 * EINVAL     unknown topics, or an attribute is missing
 * ENOENT     there is no such session, or none that the sender may know of
 * EMFILE     too many sockets have subscribed
 * ENOMEM     out of memory
 * ========== =====================================================================================
 */

/** ACRPMU_NL_FAMILY - name of the family */
#define ACRPMU_NL_FAMILY	"acrpmu"
/** ACRPMU_NL_VERSION - its version, in the header of each message */
#define ACRPMU_NL_VERSION	1
/** ACRPMU_NL_MAX_MESSAGE - most bytes of a message */
#define ACRPMU_NL_MAX_MESSAGE	8192

/**
 * enum acrpmu_nl_topic - what a socket subscribes to; bits of ACRPMU_NL_A_TOPICS
 * @ACRPMU_NL_TOPIC_SESSIONS: sessions: created, changed, ended
 * @ACRPMU_NL_TOPIC_CONFLICTS: CPUs claimed, released and refused, registers changed by others
 * @ACRPMU_NL_TOPIC_LOSSES: overflows without a record, and pauses because there were too many
 * @ACRPMU_NL_TOPIC_CPUS: CPUs that come and go, and those that sessions lose
 */
enum acrpmu_nl_topic {
	ACRPMU_NL_TOPIC_SESSIONS	= 1 << 0,
	ACRPMU_NL_TOPIC_CONFLICTS	= 1 << 1,
	ACRPMU_NL_TOPIC_LOSSES		= 1 << 2,
	ACRPMU_NL_TOPIC_CPUS		= 1 << 3,
};

/** ACRPMU_NL_TOPICS - all topics */
#define ACRPMU_NL_TOPICS	0xf

/**
 * enum acrpmu_nl_cmd - requests, answers and notifications
 * @ACRPMU_NL_CMD_SUBSCRIBE: request: send TOPICS to this socket, and nothing else; 0: nothing any
 *	more.  Answer, before the acknowledgment: TOPICS in force, ABI
 * @ACRPMU_NL_CMD_SESSION_GET: request: SESSION; or a dump of all sessions, without attributes.
 *	Answer: as SESSION_CREATED, without TIME.  NLM_F_DUMP_INTR: a session was created or has
 *	ended since the dump began: repeat it
 * @ACRPMU_NL_CMD_SESSION_CREATED: TIME, SESSION, PID, COMM, UID, CREATED, FLAGS, STATE, NR_TASKS of
 *	a task session, CPUS that it holds, EVENT for each event, PLACEMENT for each set of CPUs
 *	with the same counters, UNPLACED.  The first that is sent about a session
 * @ACRPMU_NL_CMD_SESSION_CHANGED: TIME, SESSION, PID, COMM, UID, CHANGE, STATE, CPUS; with
 *	ACRPMU_NL_CHANGE_PERIODS also EVENT
 * @ACRPMU_NL_CMD_SESSION_ENDED: its descriptor was closed, and it holds nothing any more: TIME,
 *	SESSION, PID, COMM, UID, CREATED, and its final counts and accounts: COUNT for each event,
 *	TIME_ENABLED, TIME_RUNNING, TIME_MISSED, RECORDS, LOST, THROTTLED, DISCARDED, GUEST, QUIET.
 *	The last that is sent about a session
 * @ACRPMU_NL_CMD_PMU_CLAIMED: a session has reserved counters, and in-tree perf is kept off: TIME,
 *	SESSION, PID, COMM, UID, CPUS.  For a new session after SESSION_CREATED
 * @ACRPMU_NL_CMD_PMU_RELEASED: a session has released its counters: TIME, SESSION, PID, COMM, UID,
 *	CPUS.  Before the message about why: it was parked, has ended, or something took it away.
 *	None has the reason if the system goes to sleep or down; for each that it reserves again
 *	after a sleep PMU_CLAIMED comes, for others CPU_LOST
 * @ACRPMU_NL_CMD_REFUSED: a PMU, counter or extra register was refused because somebody else uses
 *	it: TIME, PID, COMM, UID of whoever asked, SESSION unless it was to be created, ERRNO,
 *	REASON, and what &struct acrpmu_error has: EVENT_INDEX, CPU, VALUE, LIMIT, HOLDER_PID,
 *	HOLDER.  The module itself asks when a task of a session comes to a CPU, or a CPU of it
 *	comes online: then PID is that of the session.  It goes on trying, but each reason is
 *	reported once until the session has the CPU
 * @ACRPMU_NL_CMD_REGISTER_CHANGED: somebody else has written to a register that a session holds: of
 *	a counter its event select, or its bits of IA32_FIXED_CTR_CTRL and IA32_PERF_GLOBAL_CTRL,
 *	reload mask, reload value, extra register and the counter itself: TIME, SESSION, PID, COMM,
 *	UID, CPU, COUNTER, REGISTER, EXPECTED, and for those with CAP_PERFMON FOUND.  Once for each
 *	value found; the module looks once a second, and when an enabled session is disabled or
 *	releases the CPU.  Of counters it notices those that stand still, if the session follows
 *	CPUs, and those that run, if they have gone back
 * @ACRPMU_NL_CMD_PMU_TAKEN: a session has lost a CPU because somebody else has got at its counters:
 *	TIME, SESSION, PID, COMM, UID, and as in REFUSED ERRNO (EBUSY), REASON, CPU, VALUE, LIMIT,
 *	HOLDER_PID, HOLDER.  After PMU_RELEASED
 * @ACRPMU_NL_CMD_LOST: overflows of a session on a CPU were lost: TIME, SESSION, PID, COMM, UID,
 *	CPU, LOST.  At most ten times a second for each session on a CPU, and before it ends
 * @ACRPMU_NL_CMD_STOPPED: a session pauses on a CPU because it has had too many overflows: TIME,
 *	SESSION, PID, COMM, UID, CPU, THROTTLED, PAUSES.  As often as lost overflows: one message
 *	may stand for several pauses, also of the time before anybody listened
 * @ACRPMU_NL_CMD_RESUMED: it counts again there: TIME, SESSION, PID, COMM, UID, CPU, THROTTLED,
 *	PAUSES.  Not if it has released the CPU since
 * @ACRPMU_NL_CMD_CPU_ONLINE: TIME, CPU
 * @ACRPMU_NL_CMD_CPU_OFFLINE: TIME, CPU
 * @ACRPMU_NL_CMD_CPU_LOST: a session does not count on a CPU any more, because that went offline or
 *	could not be reserved again: TIME, SESSION, PID, COMM, UID, CPU
 * @ACRPMU_NL_CMD_MISSED: notifications that this socket did not get, since it was full: MISSED,
 *	and refusals that were not sent because there were too many in a second: LEFT_OUT.  Both
 *	since the last such message.  MISSED comes before any later notification, LEFT_OUT when that
 *	second is over
 * @ACRPMU_NL_CMD_UNLOADED: the module is being unloaded: TIME.  The last message of all
 */
enum acrpmu_nl_cmd {
	ACRPMU_NL_CMD_SUBSCRIBE		= 1,
	ACRPMU_NL_CMD_SESSION_GET	= 2,

	ACRPMU_NL_CMD_SESSION_CREATED	= 3,
	ACRPMU_NL_CMD_SESSION_CHANGED	= 4,
	ACRPMU_NL_CMD_SESSION_ENDED	= 5,

	ACRPMU_NL_CMD_PMU_CLAIMED	= 6,
	ACRPMU_NL_CMD_PMU_RELEASED	= 7,
	ACRPMU_NL_CMD_REFUSED		= 8,
	ACRPMU_NL_CMD_REGISTER_CHANGED	= 9,

	ACRPMU_NL_CMD_LOST		= 10,
	ACRPMU_NL_CMD_STOPPED		= 11,
	ACRPMU_NL_CMD_RESUMED		= 12,

	ACRPMU_NL_CMD_CPU_ONLINE	= 13,
	ACRPMU_NL_CMD_CPU_OFFLINE	= 14,
	ACRPMU_NL_CMD_CPU_LOST		= 15,

	ACRPMU_NL_CMD_MISSED		= 16,
	ACRPMU_NL_CMD_UNLOADED		= 17,

	ACRPMU_NL_CMD_PMU_TAKEN		= 18,
};

/**
 * enum acrpmu_nl_change - what ACRPMU_NL_CMD_SESSION_CHANGED reports
 * @ACRPMU_NL_CHANGE_ENABLED: it was enabled, by ACRPMU_ENABLE or by exec; STATE has that even if
 *	it was disabled again since
 * @ACRPMU_NL_CHANGE_DISABLED: it was disabled
 * @ACRPMU_NL_CHANGE_PARKED: it was parked, and holds no CPU
 * @ACRPMU_NL_CHANGE_UNPARKED: it was unparked
 * @ACRPMU_NL_CHANGE_PERIODS: it has other periods
 */
enum acrpmu_nl_change {
	ACRPMU_NL_CHANGE_ENABLED	= 1,
	ACRPMU_NL_CHANGE_DISABLED	= 2,
	ACRPMU_NL_CHANGE_PARKED		= 3,
	ACRPMU_NL_CHANGE_UNPARKED	= 4,
	ACRPMU_NL_CHANGE_PERIODS	= 5,
};

/**
 * enum acrpmu_nl_attr - attributes of messages
 * @ACRPMU_NL_A_PAD: nothing; before 64-bit values on machines that must align them
 * @ACRPMU_NL_A_TOPICS: u32, ACRPMU_NL_TOPIC_*
 * @ACRPMU_NL_A_ABI: u32, ACRPMU_ABI_VERSION of the module
 * @ACRPMU_NL_A_TIME: u64, when it happened, in nanoseconds of CLOCK_BOOTTIME
 * @ACRPMU_NL_A_SESSION: u64, number of the session; 1, 2, ... and never used again
 * @ACRPMU_NL_A_PID: u32, the process that created the session or asked, 0 if it has exited
 * @ACRPMU_NL_A_COMM: string, its name then, at most ACRPMU_COMM_LEN bytes; any bytes but 0
 * @ACRPMU_NL_A_UID: u32, its effective user in the user namespace of the listener; the overflow
 *	user (65534) if that has no number there
 * @ACRPMU_NL_A_CREATED: u64, when the session was created; as TIME
 * @ACRPMU_NL_A_FLAGS: u32, ACRPMU_SESSION_*
 * @ACRPMU_NL_A_STATE: u32, ACRPMU_STATE_ENABLED, _ENDED, _CPU_LOST, _PARKED and _TAKEN
 * @ACRPMU_NL_A_CHANGE: u32, ACRPMU_NL_CHANGE_*
 * @ACRPMU_NL_A_NR_TASKS: u32, tasks that the session follows now
 * @ACRPMU_NL_A_CPUS: binary, a set of CPUs: CPU n is bit n % 8 of byte n / 8; without trailing zero
 *	bytes
 * @ACRPMU_NL_A_EVENT: nest of ACRPMU_NL_EV_*; one for each event in the order of the group
 * @ACRPMU_NL_A_PLACEMENT: nest of ACRPMU_NL_PL_*; any number
 * @ACRPMU_NL_A_UNPLACED: u32, number of CPUs in CPUS that no PLACEMENT has, since the message would
 *	be too long; left out if 0
 * @ACRPMU_NL_A_COUNT: nest of ACRPMU_NL_CN_*; one for each event in the order of the group
 * @ACRPMU_NL_A_TIME_ENABLED: u64, as in &struct acrpmu_read, like all down to QUIET
 * @ACRPMU_NL_A_TIME_RUNNING: u64, in nanoseconds
 * @ACRPMU_NL_A_TIME_MISSED: u64, in nanoseconds
 * @ACRPMU_NL_A_RECORDS: u64
 * @ACRPMU_NL_A_LOST: u64, in total; in ACRPMU_NL_CMD_LOST on that CPU
 * @ACRPMU_NL_A_THROTTLED: u64, in total; with CPU on that CPU
 * @ACRPMU_NL_A_DISCARDED: u64
 * @ACRPMU_NL_A_GUEST: u64
 * @ACRPMU_NL_A_QUIET: u64
 * @ACRPMU_NL_A_CPU: u32
 * @ACRPMU_NL_A_ERRNO: u32, positive
 * @ACRPMU_NL_A_REASON: u32, ACRPMU_REASON_*
 * @ACRPMU_NL_A_EVENT_INDEX: u32, index of the event concerned
 * @ACRPMU_NL_A_VALUE: u64, see the reason
 * @ACRPMU_NL_A_LIMIT: u64, see the reason
 * @ACRPMU_NL_A_HOLDER_PID: u32, process that has what was asked for, 0 if unknown
 * @ACRPMU_NL_A_HOLDER: string, its name; "perf" for in-tree perf if the process is unknown
 * @ACRPMU_NL_A_COUNTER: u32, index of a counter, as in &struct acrpmu_event_hw
 * @ACRPMU_NL_A_REGISTER: u32, number of an MSR
 * @ACRPMU_NL_A_EXPECTED: u64, what the session has there; of IA32_FIXED_CTR_CTRL and
 *	IA32_PERF_GLOBAL_CTRL the bits of the counter, not shifted down; of a counter that runs the
 *	last value that the module knows
 * @ACRPMU_NL_A_FOUND: u64, what was there instead; the same bits
 * @ACRPMU_NL_A_PAUSES: u64, pauses of the session on the CPU, in total
 * @ACRPMU_NL_A_MISSED: u64, messages
 * @ACRPMU_NL_A_LEFT_OUT: u64, refusals
 */
enum acrpmu_nl_attr {
	ACRPMU_NL_A_PAD			= 1,
	ACRPMU_NL_A_TOPICS		= 2,
	ACRPMU_NL_A_ABI			= 3,
	ACRPMU_NL_A_TIME		= 4,
	ACRPMU_NL_A_SESSION		= 5,
	ACRPMU_NL_A_PID			= 6,
	ACRPMU_NL_A_COMM		= 7,
	ACRPMU_NL_A_UID			= 8,
	ACRPMU_NL_A_CREATED		= 9,
	ACRPMU_NL_A_FLAGS		= 10,
	ACRPMU_NL_A_STATE		= 11,
	ACRPMU_NL_A_CHANGE		= 12,
	ACRPMU_NL_A_NR_TASKS		= 13,
	ACRPMU_NL_A_CPUS		= 14,
	ACRPMU_NL_A_EVENT		= 15,
	ACRPMU_NL_A_PLACEMENT		= 16,
	ACRPMU_NL_A_UNPLACED		= 17,
	ACRPMU_NL_A_COUNT		= 18,
	ACRPMU_NL_A_TIME_ENABLED	= 19,
	ACRPMU_NL_A_TIME_RUNNING	= 20,
	ACRPMU_NL_A_TIME_MISSED		= 21,
	ACRPMU_NL_A_RECORDS		= 22,
	ACRPMU_NL_A_LOST		= 23,
	ACRPMU_NL_A_THROTTLED		= 24,
	ACRPMU_NL_A_DISCARDED		= 25,
	ACRPMU_NL_A_GUEST		= 26,
	ACRPMU_NL_A_QUIET		= 27,
	ACRPMU_NL_A_CPU			= 28,
	ACRPMU_NL_A_ERRNO		= 29,
	ACRPMU_NL_A_REASON		= 30,
	ACRPMU_NL_A_EVENT_INDEX		= 31,
	ACRPMU_NL_A_VALUE		= 32,
	ACRPMU_NL_A_LIMIT		= 33,
	ACRPMU_NL_A_HOLDER_PID		= 34,
	ACRPMU_NL_A_HOLDER		= 35,
	ACRPMU_NL_A_COUNTER		= 36,
	ACRPMU_NL_A_REGISTER		= 37,
	ACRPMU_NL_A_EXPECTED		= 38,
	ACRPMU_NL_A_FOUND		= 39,
	ACRPMU_NL_A_PAUSES		= 40,
	ACRPMU_NL_A_MISSED		= 41,
	ACRPMU_NL_A_LEFT_OUT		= 42,
};

/** ACRPMU_NL_A_MAX - the largest attribute of this header */
#define ACRPMU_NL_A_MAX		42

/**
 * enum acrpmu_nl_event - attributes in ACRPMU_NL_A_EVENT, as in &struct acrpmu_event_attr
 * @ACRPMU_NL_EV_PAD: as ACRPMU_NL_A_PAD
 * @ACRPMU_NL_EV_CONFIG: u64, event select, umask and modifiers
 * @ACRPMU_NL_EV_EXTRA: u64, value of the extra register; left out if 0
 * @ACRPMU_NL_EV_PERIOD: u64, in occurrences; left out if the event only counts
 * @ACRPMU_NL_EV_ACR_MASK: u64, as acr_mask; left out if 0
 * @ACRPMU_NL_EV_FLAGS: u32, ACRPMU_EVENT_*
 */
enum acrpmu_nl_event {
	ACRPMU_NL_EV_PAD		= 1,
	ACRPMU_NL_EV_CONFIG		= 2,
	ACRPMU_NL_EV_EXTRA		= 3,
	ACRPMU_NL_EV_PERIOD		= 4,
	ACRPMU_NL_EV_ACR_MASK		= 5,
	ACRPMU_NL_EV_FLAGS		= 6,
};

/** ACRPMU_NL_EV_MAX - the largest of them */
#define ACRPMU_NL_EV_MAX	6

/**
 * enum acrpmu_nl_placement - attributes in ACRPMU_NL_A_PLACEMENT
 * @ACRPMU_NL_PL_CPUS: binary, a set of CPUs as ACRPMU_NL_A_CPUS
 * @ACRPMU_NL_PL_COUNTERS: binary, a byte for each event: the index of its counter on these CPUs
 */
enum acrpmu_nl_placement {
	ACRPMU_NL_PL_CPUS		= 1,
	ACRPMU_NL_PL_COUNTERS		= 2,
};

/** ACRPMU_NL_PL_MAX - the largest of them */
#define ACRPMU_NL_PL_MAX	2

/**
 * enum acrpmu_nl_count - attributes in ACRPMU_NL_A_COUNT, as in &struct acrpmu_count
 * @ACRPMU_NL_CN_PAD: as ACRPMU_NL_A_PAD
 * @ACRPMU_NL_CN_VALUE: u64, occurrences
 * @ACRPMU_NL_CN_OVERFLOWS: u64
 * @ACRPMU_NL_CN_FLAGS: u32, ACRPMU_COUNT_*
 */
enum acrpmu_nl_count {
	ACRPMU_NL_CN_PAD		= 1,
	ACRPMU_NL_CN_VALUE		= 2,
	ACRPMU_NL_CN_OVERFLOWS		= 3,
	ACRPMU_NL_CN_FLAGS		= 4,
};

/** ACRPMU_NL_CN_MAX - the largest of them */
#define ACRPMU_NL_CN_MAX	4

#endif /* _UAPI_ACRPMU_NETLINK_H */
