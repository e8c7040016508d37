// SPDX-License-Identifier: GPL-2.0-only
/* The queue of profiles: what survives an end at any moment, its bound, damage, its one owner. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"
#include "userspace/push/queue.h"

#define SIZE	(1 << 20)
#define PROFILE	300000

static char dir[] = "/tmp/push_queue_test.XXXXXX";
static const struct push_entry common = {
	.url = "https://h", .name = "app{host=a}", .tenant = "", .types = "{}",
	.from_s = 1700000000, .until_s = 1700000010, .rate_hz = 99,
};

static void reopen(struct push_queue *q)
{
	const char *why = NULL;

	push_queue_close(q);
	if (push_queue_lock(q, dir, &why) || push_queue_scan(q, SIZE))
		ok(false, "the queue can be opened: %s", why);
}

/* A profile of nothing but @fill. */
static int put(struct push_queue *q, char fill, size_t bytes)
{
	struct push_entry e = common;
	char *profile = malloc(bytes);
	int err;

	memset(profile, fill, bytes);
	push_entry_seal(&e, profile, bytes);
	err = push_queue_put(q, &e, profile);
	free(profile);
	return err;
}

/* The fills of all that waits, by age. */
static const char *fills(struct push_queue *q)
{
	static char text[64];
	struct push_loaded l;
	size_t i, len = 0;

	for (i = 0; i < q->nr && len < sizeof(text) - 1; i++) {
		if (!q->items[i].rejected)
			text[len++] = push_queue_load(q, &q->items[i], &l) ? '!' : *l.profile;
		if (!q->items[i].rejected)
			push_entry_free(&l);
	}
	text[len] = '\0';
	return text;
}

static void in_dir(const char *format, __u64 id, char *path, size_t len)
{
	char name[64];

	snprintf(name, sizeof(name), format, (unsigned long long)id);
	snprintf(path, len, "%s/%s", dir, name);
}

static void test_entry(struct push_queue *q)
{
	struct push_loaded l;

	is_u64(put(q, 'a', 5), 0, "a profile is stored");
	is_u64(push_queue_load(q, &q->items[0], &l), 0, "and read");
	is_str(l.entry.url, common.url, "with its URL");
	is_str(l.entry.name, common.name, "its name");
	is_str(l.entry.tenant, "", "its tenant");
	is_str(l.entry.types, "{}", "its types");
	ok(l.entry.from_s == common.from_s && l.entry.until_s == common.until_s &&
	   l.entry.rate_hz == common.rate_hz, "its times and rate");
	ok(l.entry.bytes == 5 && !memcmp(l.profile, "aaaaa", 5), "and all its bytes");
	push_entry_free(&l);
	push_queue_remove(q, &q->items[0]);
	is_u64(q->nr + q->bytes, 0, "removed, nothing is left");
}

static void test_bad_texts(struct push_queue *q)
{
	struct push_entry e = common;
	char *longest = malloc(PUSH_HEAD_LEN + 1);

	e.name = "two\nlines";
	ok(push_queue_put(q, &e, "") == -EINVAL, "a name with a line feed is refused");
	memset(longest, 'x', PUSH_HEAD_LEN);
	longest[PUSH_HEAD_LEN] = '\0';
	e.name = longest;
	ok(push_queue_put(q, &e, "") == -EINVAL, "and one that is too long");
	is_u64(q->nr, 0, "nothing is stored");
	free(longest);
}

static void test_bound(struct push_queue *q)
{
	put(q, 'a', PROFILE);
	put(q, 'b', PROFILE);
	put(q, 'c', PROFILE);
	is_str(fills(q), "abc", "three profiles of 300,000 bytes fit a MiB");
	put(q, 'd', PROFILE);
	is_str(fills(q), "bcd", "for a fourth the oldest has to go");
	is_u64(q->dropped, 1, "which is counted");
	q->busy_id = q->items[0].id;
	put(q, 'e', PROFILE);
	is_str(fills(q), "bde", "but not one that is being sent");
	q->busy_id = 0;
	push_queue_reject(q, &q->items[0], "not wanted");
	ok(q->bytes <= SIZE && q->nr == 3, "a rejected one is still part of the size");
	put(q, 'f', PROFILE);
	is_str(fills(q), "def", "and is the first to go");
	is_u64(q->dropped, 2, "without being counted again");
	ok(put(q, 'g', SIZE) == -EFBIG, "a profile larger than the queue is refused");
	is_str(fills(q), "def", "and nothing goes for it");
	reopen(q);
	is_str(fills(q), "def", "another owner finds all of it");
	is_u64(q->bytes, 3 * 303104, "with its size in whole blocks");
}

static void test_smaller(struct push_queue *q)
{
	const char *why;

	push_queue_close(q);
	push_queue_lock(q, dir, &why);
	push_queue_scan(q, 700000);
	is_str(fills(q), "ef", "a smaller queue keeps the newest");
	is_u64(q->dropped, 1, "and counts the others");
	reopen(q);
}

static void test_damage(struct push_queue *q)
{
	struct push_loaded l;
	char path[256];
	int fd;

	in_dir("%019llu.push", q->items[0].id, path, sizeof(path));
	fd = open(path, O_WRONLY);
	ok(pwrite(fd, "x", 1, 200000) == 1, "a byte of a profile changes");
	is_u64(push_queue_load(q, &q->items[0], &l), (__u64)-EBADMSG, "which is noticed");
	push_entry_free(&l);
	ok(!ftruncate(fd, 100), "the rest of it is lost");
	is_u64(push_queue_load(q, &q->items[0], &l), (__u64)-EBADMSG, "which is noticed, too");
	push_entry_free(&l);
	ok(!ftruncate(fd, 0), "it is empty");
	reopen(q);
	is_str(fills(q), "!f", "the others are there");
	push_queue_reject(q, &q->items[0], "damaged");
	is_str(fills(q), "f", "when it is set aside");
	close(fd);
	reopen(q);
	is_str(fills(q), "f", "where it stays");
}

static void test_strangers(struct push_queue *q)
{
	static const char *const names[] = { "1.push", "0000000000000000001.push", "notes" };
	char path[256];
	size_t i;

	for (i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		if (i == 1)
			ok(!symlink("/dev/zero", path), "a link looks like a profile");
		else
			close(open(path, O_WRONLY | O_CREAT, 0600));
	}
	snprintf(path, sizeof(path), "%s/0000000000000000002.push.part", dir);
	close(open(path, O_WRONLY | O_CREAT, 0600));
	reopen(q);
	is_str(fills(q), "f", "links and files of other names are no profiles");
	is_u64(q->leftovers, 1, "one that was not finished is counted");
	ok(access(path, F_OK), "and removed");
	for (i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		ok(!unlink(path), "%s was left alone", names[i]);
	}
}

static void test_clock(struct push_queue *q)
{
	char path[256], future[256];
	size_t i = 0;

	while (q->items[i].rejected)
		i++;
	in_dir("%019llu.push", q->items[i].id, path, sizeof(path));
	in_dir("%019llu.push", 9000000000000000000ULL, future, sizeof(future));
	ok(!rename(path, future), "a profile is from the future");
	reopen(q);
	put(q, 'h', 10);
	put(q, 'i', 10);
	is_str(fills(q), "fhi", "newer ones are still newer");
}

static void test_owner(struct push_queue *q)
{
	struct push_queue other;
	const char *why = NULL;
	struct stat st;

	is_u64(push_queue_lock(&other, dir, &why), (__u64)-EWOULDBLOCK, "a queue has one owner");
	ok(strstr(why, "another acrctl uses it"), "and says so");
	push_queue_close(&other);
	push_queue_close(q);
	chmod(dir, 0720);
	is_u64(push_queue_lock(q, dir, &why), (__u64)-EPERM, "others must not write to it");
	push_queue_close(q);
	ok(!stat(dir, &st) && (st.st_mode & 0777) == 0720, "its mode is left alone");
	chmod(dir, 0700);
}

int main(void)
{
	struct push_queue q = PUSH_QUEUE_CLOSED;
	char command[64];

	plan(0);
	ok(mkdtemp(dir), "a temporary directory");
	rmdir(dir);
	reopen(&q);
	test_entry(&q);
	test_bad_texts(&q);
	test_bound(&q);
	test_smaller(&q);
	test_damage(&q);
	test_strangers(&q);
	test_clock(&q);
	test_owner(&q);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	ok(!system(command), "the directory is removed");
	return done();
}
