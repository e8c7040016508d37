// SPDX-License-Identifier: GPL-2.0-only
/* Messages of the module's netlink family, which are laid out here byte by byte. */
#include <dlfcn.h>
#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "tap.h"
#include "userspace/lib/netlink.h"

#define FAMILY		0x1c
#define NOTICE_HEAD	20	/* headers of netlink and of generic netlink */
#define POISON		0xa5

static unsigned char buf[16384] __attribute__((aligned(8)));
static size_t size;
static struct netlink_notice parsed;

static void begin(unsigned char cmd)
{
	const struct nlmsghdr head = { .nlmsg_type = FAMILY };
	const struct genlmsghdr genl = { .cmd = cmd, .version = 1 };

	memset(buf, POISON, sizeof(buf));
	memcpy(buf, &head, sizeof(head));
	memcpy(buf + sizeof(head), &genl, sizeof(genl));
	size = NOTICE_HEAD;
}

/* An attribute; returns where its length is. */
static size_t put(unsigned short type, const void *data, unsigned short len)
{
	const unsigned short head[] = { 4 + len, type };
	size_t at = size;

	memcpy(buf + at, head, sizeof(head));
	memcpy(buf + at + 4, data, len);
	memset(buf + at + 4 + len, 0, 3);
	size += (4 + len + 3) & ~3;
	return at;
}

static void put_u32(unsigned short type, unsigned int value)
{
	put(type, &value, sizeof(value));
}

static void put_u64(unsigned short type, unsigned long long value)
{
	put(type, &value, sizeof(value));
}

static size_t nest(unsigned short type)
{
	return put(type | NLA_F_NESTED, "", 0);
}

static void end_nest(size_t at)
{
	const unsigned short len = size - at;

	memcpy(buf + at, &len, sizeof(len));
}

static int parse_of(size_t bytes)
{
	const unsigned int len = size;

	memcpy(buf, &len, sizeof(len));
	memset(&parsed, POISON, sizeof(parsed));
	return acrpmu_netlink_parse(buf, bytes, &parsed);
}

static int parse(void)
{
	return parse_of(size);
}

static void put_event(unsigned long long config, unsigned int flags)
{
	size_t at = nest(ACRPMU_NL_A_EVENT);

	put_u64(ACRPMU_NL_EV_CONFIG, config);
	put_u32(ACRPMU_NL_EV_FLAGS, flags);
	end_nest(at);
}

static void put_placement(const char *cpus, int cpu_bytes, const char *cntrs, int nr)
{
	size_t at = nest(ACRPMU_NL_A_PLACEMENT);

	put(ACRPMU_NL_PL_CPUS, cpus, cpu_bytes);
	put(ACRPMU_NL_PL_COUNTERS, cntrs, nr);
	end_nest(at);
}

static void test_session(void)
{
	const struct acrpmu_notice *n = &parsed.notice;
	size_t at;

	begin(ACRPMU_NL_CMD_SESSION_CREATED);
	put_u64(ACRPMU_NL_A_TIME, 0x1122334455667788);
	put_u64(ACRPMU_NL_A_SESSION, 7);
	put_u32(ACRPMU_NL_A_PID, 4711);
	put(ACRPMU_NL_A_COMM, "acrctl", 7);
	put(ACRPMU_NL_A_CPUS, "\x0f\x00\x80\x00", 4);
	put_event(0x3c, ACRPMU_EVENT_USER);
	put_event(0xc0, ACRPMU_EVENT_KERNEL);
	put_placement("\x0f", 1, "\x20\x01", 2);
	put_placement("\x00\x00\x80", 3, "\x00\x01", 2);
	at = nest(ACRPMU_NL_A_COUNT);
	put_u64(ACRPMU_NL_CN_VALUE, 1ULL << 40);
	end_nest(at);
	is_u64(parse(), 0, "a session is understood");
	is_u64(n->type, ACRPMU_NL_CMD_SESSION_CREATED, "its type");
	is_u64(n->time_ns, 0x1122334455667788, "a 64-bit attribute that is not aligned");
	is_u64(n->session, 7, "its number");
	is_u64(n->pid, 4711, "a 32-bit attribute");
	is_str(n->comm, "acrctl", "a name");
	ok(n->cpus.size == 3 && !memcmp(n->cpus.bits, "\x0f\x00\x80", 3),
	   "a set of CPUs, without zeros at its end");
	is_u64(n->nr_events, 2, "its events");
	is_u64(n->events[1].config, 0xc0, "the second one");
	is_u64(n->events[1].flags, ACRPMU_EVENT_KERNEL, "its flags");
	is_u64(n->events[1].period, 0, "a period that is left out is 0");
	is_u64(n->nr_placements, 2, "its placements");
	is_u64(n->placements[0].cntrs[0], 0x20, "a counter");
	is_u64(n->placements[1].nr_cntrs, 2, "counters of a placement");
	is_u64(n->placements[1].cpus.size, 3, "CPUs of a placement");
	is_u64(n->nr_counts, 1, "its counts");
	is_u64(n->counts[0].value, 1ULL << 40, "a count");
	ok(acrpmu_notice_has(n, ACRPMU_NL_A_PID) && !acrpmu_notice_has(n, ACRPMU_NL_A_UID),
	   "attributes that came differ from those that did not");
	is_u64(n->uid, 0, "an attribute that did not come is 0");
}

static void test_unknown(void)
{
	size_t at;

	begin(200);
	put_u64(ACRPMU_NL_A_MAX + 1, 1);
	put_u32(0x3fff, 1);
	put_u64(ACRPMU_NL_A_SESSION, 9);
	at = nest(ACRPMU_NL_A_EVENT);
	put_u64(ACRPMU_NL_EV_MAX + 3, 1);
	put_u64(ACRPMU_NL_EV_CONFIG, 0xc4);
	end_nest(at);
	is_u64(parse(), 0, "attributes of a newer module are ignored");
	is_u64(parsed.notice.type, 200, "a type of a newer module is passed on");
	is_u64(parsed.notice.session, 9, "known attributes next to unknown ones");
	is_u64(parsed.events[0].config, 0xc4, "the same in a nest");
	begin(ACRPMU_NL_CMD_UNLOADED);
	is_u64(parse(), 0, "a message without attributes");
	is_u64(parsed.notice.has, 0, "has none");
}

/* One thing wrong in each. */
static void test_malformed(void)
{
	unsigned int i;
	size_t at;

	begin(ACRPMU_NL_CMD_CPU_ONLINE);
	put(ACRPMU_NL_A_CPU, "\x01\x00", 2);
	is_u64(parse(), -EBADMSG, "refuses a 32-bit attribute of 2 bytes");
	begin(ACRPMU_NL_CMD_CPU_ONLINE);
	put_u64(ACRPMU_NL_A_CPU, 1);
	is_u64(parse(), -EBADMSG, "refuses a 32-bit attribute of 8 bytes");
	begin(ACRPMU_NL_CMD_CPU_ONLINE);
	put_u32(ACRPMU_NL_A_TIME, 1);
	is_u64(parse(), -EBADMSG, "refuses a 64-bit attribute of 4 bytes");
	begin(ACRPMU_NL_CMD_SESSION_ENDED);
	put(ACRPMU_NL_A_COMM, "0123456789abcdef", 16);
	is_u64(parse(), -EBADMSG, "refuses a name without room for its 0");
	begin(ACRPMU_NL_CMD_SESSION_ENDED);
	at = put(ACRPMU_NL_A_SESSION, "12345678", 8);
	buf[at] = 40;
	is_u64(parse(), -EBADMSG, "refuses an attribute that is longer than the message");
	buf[at] = 2;
	is_u64(parse(), -EBADMSG, "refuses an attribute that is shorter than its head");
	begin(ACRPMU_NL_CMD_SESSION_ENDED);
	at = nest(ACRPMU_NL_A_EVENT);
	put_u64(ACRPMU_NL_EV_CONFIG, 1);
	buf[at + 4] = 60;
	end_nest(at);
	is_u64(parse(), -EBADMSG, "refuses the same in a nest");
	begin(ACRPMU_NL_CMD_SESSION_CREATED);
	for (i = 0; i <= ACRPMU_MAX_EVENTS; i++)
		put_event(i, 0);
	is_u64(parse(), -EBADMSG, "refuses more events than a group has");
	begin(ACRPMU_NL_CMD_SESSION_CREATED);
	put_placement("\x00", 1, "\x01", 1);
	is_u64(parse(), -EBADMSG, "refuses a placement on no CPU");
	begin(ACRPMU_NL_CMD_SESSION_CREATED);
	put_placement("\x01", 1, "", 0);
	is_u64(parse(), -EBADMSG, "refuses a placement of no counter");
	begin(ACRPMU_NL_CMD_CPU_ONLINE);
	put_u32(ACRPMU_NL_A_CPU, 1);
	is_u64(parse_of(size - 1), -EBADMSG, "refuses a message that is cut");
	is_u64(parse_of(10), -EBADMSG, "refuses half a header");
	size = 16;
	is_u64(parse(), -EBADMSG, "refuses a message without the header of generic netlink");
	begin(ACRPMU_NL_CMD_CPU_ONLINE);
	while (size <= ACRPMU_NL_MAX_MESSAGE)
		put_u32(ACRPMU_NL_A_CPU, 1);
	is_u64(parse(), -EBADMSG, "refuses more bytes than the module sends");
}

static void test_full(void)
{
	unsigned int nr = 0;

	begin(ACRPMU_NL_CMD_SESSION_CREATED);
	while (size + 20 <= ACRPMU_NL_MAX_MESSAGE) {
		put_placement("\x01", 1, "\x01", 1);
		nr++;
	}
	is_u64(parse(), 0, "the most placements of a message are understood");
	is_u64(parsed.notice.nr_placements, nr, "all of them");
}

/* Replaces that of the C library: requests nlctrl, which every kernel has, not the module. */
ssize_t sendto(int fd, const void *data, size_t len, int flags, const struct sockaddr *to,
	       socklen_t to_len)
{
	__typeof__(sendto) *real = dlsym(RTLD_NEXT, "sendto");
	char copy[512], *name;

	_Static_assert(sizeof(ACRPMU_NL_FAMILY) == sizeof("nlctrl"), "names of equal length");
	if (len > sizeof(copy))
		return -1;
	memcpy(copy, data, len);
	name = memmem(copy, len, ACRPMU_NL_FAMILY, sizeof(ACRPMU_NL_FAMILY));
	if (name)
		memcpy(name, "nlctrl", sizeof("nlctrl"));
	return real(fd, copy, len, flags, to, to_len);
}

static void test_family(void)
{
	struct netlink *netlink;
	unsigned int version = 77;

	if (acrpmu_netlink_open(&netlink)) {
		ok(true, "a family is found # SKIP no netlink");
		return;
	}
	is_u64(-acrpmu_netlink_find_family(netlink, &version), 0, "a family is found");
	/* since Linux 2.6.19 */
	is_u64(version, 2, "its version");
	acrpmu_netlink_close(netlink);
}

int main(void)
{
	plan(0);
	test_session();
	test_unknown();
	test_malformed();
	test_full();
	test_family();
	return done();
}
