// SPDX-License-Identifier: GPL-2.0-only
/* Calls about sessions: every command of the device and of a session, its file and its rings. */
#include "request.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#define PAGE		4096
#define MAX_REPEAT	8
#define REGION		(1 << 20)	/* for two rings of 64 pages */

struct slot *slot_of(uint64_t arg)
{
	unsigned int first = arg % NR_SLOTS, i;

	for (i = 0; i < NR_SLOTS; i++)
		if (world.slots[(first + i) % NR_SLOTS].fd != NO_FD)
			return &world.slots[(first + i) % NR_SLOTS];
	return &world.slots[first];
}

static void put_in_slot(struct slot *slot, int fd, unsigned int nr_events,
			unsigned int ring_pages)
{
	int old;

	slot->nr_events = nr_events;
	slot->ring_pages = ring_pages;
	old = atomic_exchange(&slot->fd, fd);
	if (old != NO_FD)
		close(old);
}

/* ---- commands ---- */

void call_create(struct thread *t, const struct call *c)
{
	struct acrpmu_session_attr *attr = request_session(t, c);
	unsigned int nr_events = attr->nr_events, ring_pages = attr->ring_pages;
	long fd = request_send(t, world.dev, ACRPMU_SESSION_CREATE, c, sizeof(*attr));

	if (fd < 0)
		return;
	world.shared->sessions++;
	world.shared->last_id = attr->session_id;
	put_in_slot(&world.slots[c->args[0] % NR_SLOTS], fd, nr_events, ring_pages);
}

/* Several times, since what threads do at once must meet */
void call_ctl(struct thread *t, const struct call *c)
{
	static const uint32_t cmds[] = { ACRPMU_ENABLE, ACRPMU_ENABLE, ACRPMU_DISABLE,
					 ACRPMU_RESET, ACRPMU_PARK };
	unsigned int nr = 1 + part(c->args[2], 0, MAX_REPEAT), i;

	for (i = 0; i < nr; i++) {
		request_plain(t, sizeof(struct acrpmu_ctl));
		request_send(t, slot_of(c->args[0])->fd, cmds[part(c->args[1], 2 * i, 5)], c,
			     sizeof(struct acrpmu_ctl));
	}
}

void call_unpark(struct thread *t, const struct call *c)
{
	request_plain(t, sizeof(struct acrpmu_unpark));
	request_send(t, slot_of(c->args[0])->fd, ACRPMU_UNPARK, c, sizeof(struct acrpmu_unpark));
}

void call_periods(struct thread *t, const struct call *c)
{
	struct acrpmu_set_periods *set = request_plain(t, sizeof(*set));
	const struct slot *slot = slot_of(c->args[0]);
	uint64_t *periods = request_array(t);
	unsigned int i;

	set->periods = (uintptr_t)periods;
	set->nr_periods = slot->nr_events;
	for (i = 0; i < slot->nr_events; i++)
		periods[i] = part(c->args[2], i, 4) ? 60000 + part(c->args[1], i, 256) * 1000 : 0;
	request_send(t, slot->fd, ACRPMU_SET_PERIODS, c, sizeof(*set));
}

void call_attach(struct thread *t, const struct call *c)
{
	struct acrpmu_attach *attach = request_plain(t, sizeof(*attach));

	attach->pid = task_of(c->args[1]);
	if (!part(c->args[2], 0, 3))
		attach->flags = ACRPMU_ATTACH_PROCESS;
	request_send(t, slot_of(c->args[0])->fd, ACRPMU_ATTACH, c, sizeof(*attach));
}

void call_read(struct thread *t, const struct call *c)
{
	struct acrpmu_read *in = request_plain(t, sizeof(*in));
	const struct slot *slot = slot_of(c->args[0]);
	unsigned int nr = 1 + part(c->args[3], 0, MAX_REPEAT), i;

	for (i = 0; i < nr; i++) {
		in = request_plain(t, sizeof(*in));
		in->cpu = ACRPMU_CPU_ALL;
		if (!part(c->args[1], i, 3))
			in->cpu = part(c->args[1], 8, 3);
		in->target = part(c->args[1], 16, 4) ? 0 : part(c->args[1], 18, 4);
		in->nr_counts = slot->nr_events;
		in->counts = (uintptr_t)request_array(t);
		if (part(c->args[2], 0, 2))
			in->outside = in->counts +
				      ACRPMU_MAX_EVENTS * sizeof(struct acrpmu_count);
		request_send(t, slot->fd, ACRPMU_READ, c, sizeof(*in));
	}
}

void call_query(struct thread *t, const struct call *c)
{
	struct acrpmu_query *query = request_plain(t, sizeof(*query));
	const struct slot *slot = slot_of(c->args[0]);

	query->nr_events = slot->nr_events;
	query->event_size = sizeof(struct acrpmu_event_hw);
	query->events = (uintptr_t)request_array(t);
	if (part(c->args[1], 0, 2)) {
		query->flags = ACRPMU_QUERY_CPU;
		query->cpu = part(c->args[1], 8, 3);
	}
	request_send(t, slot->fd, ACRPMU_QUERY, c, sizeof(*query));
}

void call_info(struct thread *t, const struct call *c)
{
	struct acrpmu_info *info = request_plain(t, sizeof(*info));

	if (part(c->args[1], 0, 2)) {
		info->nr_cpus = part(c->args[1], 8, 4);
		info->cpus = info->nr_cpus ? (uintptr_t)request_array(t) : 0;
		info->cpu_size = sizeof(struct acrpmu_cpu_info);
	}
	if (!part(c->args[1], 16, 4))
		info->flags = ACRPMU_INFO_STARVED;
	request_send(t, world.dev, ACRPMU_INFO, c, sizeof(*info));
}

/* Commands that there are not, and those of the other kind of file */
void call_odd(struct thread *t, const struct call *c)
{
	uint32_t cmd = part(c->args[1], 0, 2) ? c->args[1] >> 1 :
					       _IO(ACRPMU_IOC_TYPE, c->args[1] >> 1 & 0x1f);

	request_plain(t, 64);
	request_send(t, part(c->args[2], 0, 4) ? slot_of(c->args[0])->fd : world.dev, cmd, c, 64);
}

/* ---- rings ---- */

void clear_region(char *region, size_t bytes)
{
	mmap(region, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1,
	     0);
}

/* Most are right. */
void call_map(struct thread *t, const struct call *c)
{
	struct map *map = &world.maps[part(c->args[1], 0, NR_MAPS)];
	const struct slot *slot = slot_of(c->args[0]);
	uint64_t offset = ACRPMU_RING_OFFSET(part(c->args[1], 8, 2));
	size_t bytes = (1 + slot->ring_pages) * PAGE;
	int prot = PROT_READ | PROT_WRITE, flags = MAP_SHARED;
	char *at;

	if (!part(c->args[2], 0, 12))
		bytes = (1 + part(c->args[2], 8, 65)) * PAGE;
	if (!part(c->args[2], 2, 12))
		offset = c->args[5] & -(uint64_t)PAGE;
	if (!part(c->args[2], 4, 12))
		prot = part(c->args[2], 16, 8);
	if (!part(c->args[2], 6, 12))
		flags = part(c->args[2], 16, 2) ? MAP_PRIVATE : MAP_SHARED | MAP_POPULATE;
	at = mmap(map->region, bytes, prot, flags | MAP_FIXED, slot->fd, offset);
	if (count_call(CALL_MAP, at == MAP_FAILED ? -1 : 0) < 0)
		clear_region(map->region, REGION);
	map->bytes = at == MAP_FAILED ? 0 : bytes;
}

/* A page in its middle, or all of it */
void call_unmap(struct thread *t, const struct call *c)
{
	struct map *map = &world.maps[part(c->args[1], 0, NR_MAPS)];
	size_t bytes = map->bytes;

	if (!bytes)
		return;
	count_call(CALL_UNMAP, 0);
	if (!part(c->args[2], 0, 4)) {
		clear_region(map->region + bytes / 2 / PAGE * PAGE, PAGE);
	} else {
		map->bytes = 0;
		clear_region(map->region, REGION);
	}
}

/*
 * To the other half of its region. What it leaves is free for a moment, in which a mapping without
 * a region of its own could come there: only the thread that moves makes such ones.
 */
static long move(const struct map *map, size_t bytes)
{
	char *moved = mremap(map->region, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
			     map->region + REGION / 2);

	if (moved == MAP_FAILED)
		return -1;
	clear_region(map->region, REGION / 2);
	return 0;
}

void call_protect(struct thread *t, const struct call *c)
{
	struct map *map = &world.maps[part(c->args[1], 0, NR_MAPS)];
	size_t bytes = map->bytes;
	char *at = map->region;

	if (!bytes)
		return;
	switch (part(c->args[2], 0, 7)) {
	case 0:
		count_call(c->kind, mprotect(at, bytes, part(c->args[2], 8, 4)));
		break;
	case 1:
		if (!t->index)
			count_call(c->kind, move(map, bytes));
		break;
	case 2:
		count_call(c->kind, mremap(at, bytes, 2 * bytes, 0) == MAP_FAILED ? -1 : 0);
		break;
	case 3:
		count_call(c->kind, madvise(at, bytes, MADV_DONTNEED));
		break;
	case 4:
		count_call(c->kind, mlock(at, bytes));
		break;
	case 5:
		count_call(c->kind, msync(at, bytes, MS_SYNC));
		break;
	default:
		count_call(c->kind, madvise(at, bytes, MADV_DOFORK));
	}
}

/* As a reader that may be out of its mind */
static void use_ring(volatile struct acrpmu_ring_page *page, const struct call *c)
{
	uint64_t head = page->data_head;

	switch (part(c->args[2], 0, 6)) {
	case 0:
	case 1:
	case 2:
		page->data_tail = head;
		break;
	case 3:
		page->data_tail = c->args[5];
		break;
	case 4:
		page->data_tail = head - part(c->args[2], 8, 128);
		break;
	default:
		page->data_head = c->args[5];
		page->data_size = c->args[5];
		((volatile uint64_t *)page)[PAGE / 8] = c->args[5];
	}
}

/* Another thread may unmap it at the same time. */
void call_ring(struct thread *t, const struct call *c)
{
	const struct map *map = &world.maps[part(c->args[1], 0, NR_MAPS)];

	if (!map->bytes)
		return;
	if (!sigsetjmp(t->guard, 1)) {
		t->guarded = 1;
		use_ring((volatile struct acrpmu_ring_page *)map->region, c);
		atomic_fetch_add(&world.shared->done[CALL_RING], 1);
	}
	t->guarded = 0;
}

/* ---- the file ---- */

void call_poll(struct thread *t, const struct call *c)
{
	struct pollfd fds = { .fd = slot_of(c->args[0])->fd, .events = POLLIN | POLLPRI };
	struct epoll_event event = { .events = EPOLLIN | EPOLLPRI };
	int epoll;

	if (part(c->args[1], 0, 4)) {
		count_call(c->kind, poll(&fds, 1, part(c->args[1], 8, 3)));
		return;
	}
	epoll = epoll_create1(EPOLL_CLOEXEC);
	if (epoll < 0)
		return;
	count_call(c->kind, epoll_ctl(epoll, EPOLL_CTL_ADD, fds.fd, &event));
	count_call(c->kind, epoll_wait(epoll, &event, 1, part(c->args[1], 8, 3)));
	close(epoll);
}

static long read_fdinfo(int fd)
{
	char path[64], text[1024];
	int info;
	long ret;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	info = open(path, O_RDONLY | O_CLOEXEC);
	if (info < 0)
		return -1;
	ret = read(info, text, sizeof(text));
	close(info);
	return ret;
}

/* The descriptor is on its way in a socket that is closed before it arrives. */
static long send_away(int fd)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { 0 };
	char byte = 0;
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control,
			      .msg_controllen = sizeof(control) };
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);
	int pair[2];
	long ret;

	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair))
		return -1;
	*cmsg = (struct cmsghdr){ .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
				  .cmsg_len = CMSG_LEN(sizeof(int)) };
	memcpy(CMSG_DATA(cmsg), &fd, sizeof(fd));
	ret = sendmsg(pair[0], &msg, 0);
	close(pair[0]);
	close(pair[1]);
	return ret;
}

void call_file(struct thread *t, const struct call *c)
{
	int fd = slot_of(c->args[0])->fd;
	char text[64] = { 0 };

	switch (part(c->args[1], 0, 8)) {
	case 0:
		count_call(c->kind, read(fd, text, sizeof(text)));
		break;
	case 1:
		count_call(c->kind, write(fd, text, sizeof(text)));
		break;
	case 2:
		count_call(c->kind, lseek(fd, c->args[5], part(c->args[1], 8, 3)));
		break;
	case 3:
		count_call(c->kind, fcntl(fd, F_SETFL, c->args[1] >> 8 & (O_NONBLOCK | O_ASYNC)));
		break;
	case 4:
		count_call(c->kind, send_away(fd));
		break;
	case 5:
		count_call(c->kind, ftruncate(fd, c->args[5]));
		break;
	default:
		count_call(c->kind, read_fdinfo(fd));
	}
}

void call_close(struct thread *t, const struct call *c)
{
	int fd = atomic_exchange(&slot_of(c->args[0])->fd, NO_FD);

	if (fd != NO_FD)
		count_call(CALL_CLOSE, close(fd));
}

void call_dup(struct thread *t, const struct call *c)
{
	const struct slot *from = slot_of(c->args[0]);
	int fd = fcntl(from->fd, F_DUPFD_CLOEXEC, 3);

	count_call(CALL_DUP, fd);
	if (fd >= 0)
		put_in_slot(&world.slots[c->args[1] % NR_SLOTS], fd, from->nr_events,
			    from->ring_pages);
}

bool sessions_begin(void)
{
	unsigned int i;

	for (i = 0; i < NR_SLOTS; i++)
		world.slots[i].fd = NO_FD;
	for (i = 0; i < NR_MAPS; i++) {
		world.maps[i].region = mmap(NULL, REGION, PROT_NONE,
					    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (world.maps[i].region == MAP_FAILED)
			return false;
	}
	world.dev = open(ACRPMU_DEVICE, O_RDWR | O_CLOEXEC);
	return world.dev >= 0;
}

void sessions_reset(void)
{
	unsigned int i;

	for (i = 0; i < NR_MAPS; i++) {
		if (world.maps[i].bytes)
			clear_region(world.maps[i].region, REGION);
		world.maps[i].bytes = 0;
	}
	for (i = 0; i < NR_SLOTS; i++)
		put_in_slot(&world.slots[i], NO_FD, 1, 0);
}
