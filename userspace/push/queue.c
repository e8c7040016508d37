// SPDX-License-Identifier: GPL-2.0-only
/* Profiles on disk that wait for being sent: a directory of bounded size, with one owner. */
#include "queue.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../util/util.h"

/*
 * DIR/ID.push           an entry
 * DIR/NAME.part         a file that is being written; one that a crash left is removed
 * DIR/rejected/ID.push  an entry that is never sent again, and ID.reason why
 * DIR/lock              locked by the owner
 */
#define SUFFIX		".push"
#define PART_SUFFIX	".part"
#define REASON_SUFFIX	".reason"
#define REJECTED	"rejected"
#define LOCK		"lock"
#define ID_DIGITS	19
#define MODE_DIR	0700
#define MODE_FILE	0600
/* disks give files whole blocks */
#define BLOCK_BYTES	4096

static __u64 on_disk(__u64 bytes)
{
	return (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
}

static void name_of(__u64 id, const char *suffix, char *name)
{
	snprintf(name, PUSH_QUEUE_NAME_LEN, "%0*" PRIu64 "%s", ID_DIGITS, (uint64_t)id, suffix);
}

static int dir_of(const struct push_queue *q, const struct push_item *i)
{
	return i->rejected ? q->rejected_fd : q->dir_fd;
}

/* ---- opening it ------------------------------------------------------------------------------ */

/* Others could put files there, which would then be sent in our name. */
static const char *unsafe(int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return strerror(errno);
	if (st.st_uid != geteuid())
		return "it belongs to another user; run acrctl as that user, or name a directory "
		       "of your own";
	return st.st_mode & 022 ? "others may write to it; remove that with chmod go-w" : NULL;
}

static int open_dir(int at, const char *path, const char **why)
{
	int fd;

	if (mkdirat(at, path, MODE_DIR) && errno != EEXIST) {
		*why = strerror(errno);
		return -errno;
	}
	fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		*why = strerror(errno);
		return -errno;
	}
	*why = unsafe(fd);
	if (!*why)
		return fd;
	close(fd);
	return -EPERM;
}

static int lock(int dir_fd, const char **why)
{
	int err, fd = openat(dir_fd, LOCK, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, MODE_FILE);

	if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB))
		return fd;
	err = -errno;
	*why = err == -EWOULDBLOCK ?
	       "another acrctl uses it; wait for its end, or name another directory" :
	       strerror(-err);
	if (fd >= 0)
		close(fd);
	return err;
}

/**
 * push_queue_lock() - open a directory, made if need be, and become its owner
 * @why: out, what failed and the remedy, if there is one
 *
 * Return: 0 or -errno; push_queue_close() in any case.
 */
int push_queue_lock(struct push_queue *q, const char *path, const char **why)
{
	*q = (struct push_queue)PUSH_QUEUE_CLOSED;
	q->dir_fd = open_dir(AT_FDCWD, path, why);
	if (q->dir_fd < 0)
		return q->dir_fd;
	q->lock_fd = lock(q->dir_fd, why);
	if (q->lock_fd < 0)
		return q->lock_fd;
	q->rejected_fd = open_dir(q->dir_fd, REJECTED, why);
	return q->rejected_fd < 0 ? q->rejected_fd : 0;
}

/**
 * push_queue_close() - undo push_queue_lock() and push_queue_scan()
 */
void push_queue_close(struct push_queue *q)
{
	if (q->rejected_fd >= 0)
		close(q->rejected_fd);
	if (q->dir_fd >= 0)
		close(q->dir_fd);
	if (q->lock_fd >= 0)
		close(q->lock_fd);
	free(q->items);
	*q = (struct push_queue)PUSH_QUEUE_CLOSED;
}

/* ---- what is in it --------------------------------------------------------------------------- */

/* FNV-1a */
__u64 push_queue_route(const char *url)
{
	__u64 hash = 0xcbf29ce484222325ULL;

	for (; *url; url++)
		hash = (hash ^ (unsigned char)*url) * 0x100000001b3ULL;
	return hash;
}

static int add_item(struct push_queue *q, const struct push_item *item)
{
	size_t room = q->room ? 2 * q->room : 64;
	struct push_item *items;

	if (q->nr == q->room) {
		items = realloc(q->items, room * sizeof(*items));
		if (!items)
			return -ENOMEM;
		q->items = items;
		q->room = room;
	}
	q->items[q->nr++] = *item;
	q->bytes += item->bytes;
	if (item->id > q->last_id)
		q->last_id = item->id;
	return 0;
}

static void forget(struct push_queue *q, struct push_item *item)
{
	q->bytes -= item->bytes;
	q->nr--;
	memmove(item, item + 1, (q->items + q->nr - item) * sizeof(*item));
}

static bool parse_name(const char *name, __u64 *id)
{
	size_t digits = strspn(name, "0123456789");

	*id = strtoull(name, NULL, 10);
	return digits == ID_DIGITS && !strcmp(name + digits, SUFFIX);
}

static bool ends_with(const char *name, const char *suffix)
{
	size_t len = strlen(name), end = strlen(suffix);

	return len > end && !strcmp(name + len - end, suffix);
}

/* Without looking at the profile; what cannot be read has no route, and shows itself when sent. */
static __u64 route_of(int dir_fd, const char *name)
{
	int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	char *head = calloc(1, PUSH_HEAD_LEN + 1);
	struct push_entry e = { 0 };
	__u64 route = 0;
	ssize_t n;

	n = fd >= 0 && head ? pread(fd, head, PUSH_HEAD_LEN, 0) : 0;
	if (n > 0 && push_entry_parse(head, n, &e))
		route = push_queue_route(e.url);
	if (fd >= 0)
		close(fd);
	free(head);
	return route;
}

static __u64 reason_bytes(int dir_fd, __u64 id)
{
	char name[PUSH_QUEUE_NAME_LEN];
	struct stat st;

	name_of(id, REASON_SUFFIX, name);
	return fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) ? 0 : on_disk(st.st_size);
}

static int take_file(struct push_queue *q, int dir_fd, const char *name, bool rejected)
{
	struct push_item item = { .rejected = rejected };
	struct stat st;

	if (ends_with(name, PART_SUFFIX)) {
		q->leftovers += !unlinkat(dir_fd, name, 0);
		return 0;
	}
	if (!parse_name(name, &item.id) || fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) ||
	    !S_ISREG(st.st_mode))
		return 0;
	item.bytes = on_disk(st.st_size);
	if (rejected)
		item.bytes += reason_bytes(dir_fd, item.id);
	else
		item.route = route_of(dir_fd, name);
	return add_item(q, &item);
}

static int scan_dir(struct push_queue *q, int dir_fd, bool rejected)
{
	int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), err = 0;
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *d;

	if (!dir) {
		err = -errno;
		if (fd >= 0)
			close(fd);
		return err;
	}
	while (!err && (d = readdir(dir)))
		err = take_file(q, dir_fd, d->d_name, rejected);
	closedir(dir);
	return err;
}

static int by_age(const void *a, const void *b)
{
	const struct push_item *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/* Rejected entries go first, then the oldest that wait: newer ones say more about what runs now. */
static struct push_item *least_wanted(struct push_queue *q)
{
	size_t i;

	for (i = 0; i < q->nr; i++) {
		if (q->items[i].rejected)
			return &q->items[i];
	}
	for (i = 0; i < q->nr && q->items[i].id == q->busy_id; i++)
		;
	return i < q->nr ? &q->items[i] : NULL;
}

static int make_room(struct push_queue *q, __u64 bytes)
{
	struct push_item *item;
	bool rejected;
	int err = 0;

	while (!err && q->bytes + bytes > q->max_bytes) {
		item = least_wanted(q);
		if (!item)
			return -EFBIG;
		rejected = item->rejected;
		err = push_queue_remove(q, item);
		/* a rejected one was counted before */
		q->dropped += !err && !rejected;
	}
	return err;
}

/**
 * push_queue_scan() - find what an earlier owner left, and keep as much as there is room for
 *
 * Return: 0 or -errno.
 */
int push_queue_scan(struct push_queue *q, __u64 max_bytes)
{
	int err;

	q->max_bytes = max_bytes;
	err = scan_dir(q, q->dir_fd, false);
	if (!err)
		err = scan_dir(q, q->rejected_fd, true);
	if (q->nr)
		qsort(q->items, q->nr, sizeof(*q->items), by_age);
	return err ? err : make_room(q, 0);
}

/**
 * push_queue_find() - find an entry; NULL: it is not there any more
 */
struct push_item *push_queue_find(struct push_queue *q, __u64 id)
{
	struct push_item key = { .id = id };

	return q->nr ? bsearch(&key, q->items, q->nr, sizeof(key), by_age) : NULL;
}

/**
 * push_queue_waiting() - count the entries that are to be sent
 */
size_t push_queue_waiting(const struct push_queue *q)
{
	size_t i, nr = 0;

	for (i = 0; i < q->nr; i++)
		nr += !q->items[i].rejected;
	return nr;
}

/* ---- changing it ----------------------------------------------------------------------------- */

static int write_all(int fd, const char *data, size_t bytes)
{
	while (bytes) {
		ssize_t n = write(fd, data, bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		data += n;
		bytes -= n;
	}
	return 0;
}

/* A file that exists as a whole or not at all, whenever the machine may stop. */
static int write_file(int dir_fd, const char *name, const char *head, size_t head_bytes,
		      const void *rest, size_t bytes)
{
	char part[PUSH_QUEUE_NAME_LEN + sizeof(PART_SUFFIX)];
	int fd, err;

	snprintf(part, sizeof(part), "%s" PART_SUFFIX, name);
	fd = openat(dir_fd, part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, MODE_FILE);
	if (fd < 0)
		return -errno;
	err = write_all(fd, head, head_bytes);
	if (!err)
		err = write_all(fd, rest, bytes);
	if (!err && fsync(fd))
		err = -errno;
	if (close(fd) && !err)
		err = -errno;
	if (!err && renameat(dir_fd, part, dir_fd, name))
		err = -errno;
	if (!err && fsync(dir_fd))
		err = -errno;
	if (err)
		unlinkat(dir_fd, part, 0);
	return err;
}

/* Clocks may be set back; names never repeat. */
static __u64 next_id(const struct push_queue *q)
{
	struct timespec t;
	__u64 now_ns;

	clock_gettime(CLOCK_REALTIME, &t);
	now_ns = t.tv_sec * NSEC_PER_SEC + t.tv_nsec;
	return now_ns > q->last_id ? now_ns : q->last_id + 1;
}

/**
 * push_queue_put() - store an entry, for which older ones may have to go
 *
 * Return: 0; -EFBIG if it is larger than the queue; or -errno.
 */
int push_queue_put(struct push_queue *q, const struct push_entry *e, const void *profile)
{
	struct push_item item = { .id = next_id(q), .route = push_queue_route(e->url) };
	char name[PUSH_QUEUE_NAME_LEN], *head = malloc(PUSH_HEAD_LEN);
	int len = head ? push_entry_format(e, head) : -ENOMEM, err = len < 0 ? len : 0;

	if (!err) {
		item.bytes = on_disk(len + e->bytes);
		err = item.bytes > q->max_bytes ? -EFBIG : make_room(q, item.bytes);
	}
	name_of(item.id, SUFFIX, name);
	if (!err)
		err = write_file(q->dir_fd, name, head, len, profile, e->bytes);
	if (!err)
		err = add_item(q, &item);
	free(head);
	return err;
}

/**
 * push_queue_load() - read an entry and check it
 *
 * Return: as push_entry_load(), which see for @l.
 */
int push_queue_load(const struct push_queue *q, const struct push_item *i, struct push_loaded *l)
{
	char name[PUSH_QUEUE_NAME_LEN];
	int fd, err;

	*l = (struct push_loaded){ 0 };
	name_of(i->id, SUFFIX, name);
	fd = openat(dir_of(q, i), name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	err = push_entry_load(fd, q->max_bytes, l);
	close(fd);
	return err;
}

/**
 * push_queue_remove() - remove an entry: it is delivered, or makes room
 * @i: not valid afterwards
 *
 * Return: 0, or -errno if its file is still there; it is then seen by the next owner.
 */
int push_queue_remove(struct push_queue *q, struct push_item *i)
{
	char name[PUSH_QUEUE_NAME_LEN];
	int dir_fd = dir_of(q, i), err;

	name_of(i->id, SUFFIX, name);
	err = unlinkat(dir_fd, name, 0) && errno != ENOENT ? -errno : 0;
	if (i->rejected) {
		name_of(i->id, REASON_SUFFIX, name);
		unlinkat(dir_fd, name, 0);
	}
	forget(q, i);
	return err;
}

/**
 * push_queue_reject() - set an entry aside that will never be sent
 * @i: not valid afterwards
 * @reason: a line for the administrator
 *
 * Without room for the reason, it is removed.
 *
 * Return: 0, or -errno if it may be seen again by the next owner.
 */
int push_queue_reject(struct push_queue *q, struct push_item *i, const char *reason)
{
	char name[PUSH_QUEUE_NAME_LEN], reason_name[PUSH_QUEUE_NAME_LEN];
	__u64 bytes = on_disk(strlen(reason) + 1);
	int err;

	name_of(i->id, SUFFIX, name);
	name_of(i->id, REASON_SUFFIX, reason_name);
	if (q->bytes + bytes > q->max_bytes)
		return push_queue_remove(q, i);
	if (renameat(q->dir_fd, name, q->rejected_fd, name)) {
		err = -errno;
		forget(q, i);
		return err;
	}
	i->rejected = true;
	if (!write_file(q->rejected_fd, reason_name, reason, strlen(reason), "\n", 1)) {
		i->bytes += bytes;
		q->bytes += bytes;
	}
	return fsync(q->dir_fd) ? -errno : 0;
}
