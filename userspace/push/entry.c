// SPDX-License-Identifier: GPL-2.0-only
/* A profile on its way: what the server is given with it, and its form in a file. */
#include "entry.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "../util/util.h"

/*
 * The file is a head of lines, an empty line, and the profile.  All lines are there, in this order,
 * each with a name, a space and a value, which may be empty.
 */
#define MAGIC		"acrctl-push 1\n"

enum { LINE_URL, LINE_NAME, LINE_TENANT, LINE_TYPES, NR_TEXTS };
enum { LINE_FROM, LINE_UNTIL, LINE_RATE, LINE_BYTES, LINE_CRC, NR_NUMBERS };

static const char *const text_names[NR_TEXTS] = { "url", "name", "tenant", "types" };
static const char *const number_names[NR_NUMBERS] = { "from", "until", "rate", "bytes", "crc32" };

/**
 * push_entry_is_plain() - check that a text fits a line of the head
 */
bool push_entry_is_plain(const char *text)
{
	for (; *text; text++) {
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return false;
	}
	return true;
}

/**
 * push_entry_seal() - fill in what depends on the profile
 */
void push_entry_seal(struct push_entry *e, const void *profile, size_t bytes)
{
	e->bytes = bytes;
	e->crc = crc32_z(0, profile, bytes);
}

/**
 * push_entry_format() - write the head
 * @head: out, of PUSH_HEAD_LEN
 *
 * Return: its length, or -EINVAL if it cannot hold the texts.
 */
int push_entry_format(const struct push_entry *e, char *head)
{
	const char *texts[NR_TEXTS] = { e->url, e->name, e->tenant, e->types };
	const __u64 numbers[NR_NUMBERS] = {
		e->from_s, e->until_s, e->rate_hz, e->bytes, e->crc,
	};
	int len = sprintf(head, MAGIC), i;

	for (i = 0; i < NR_TEXTS; i++) {
		if (!push_entry_is_plain(texts[i]))
			return -EINVAL;
		len += snprintf(head + len, PUSH_HEAD_LEN - len, "%s %s\n", text_names[i],
				texts[i]);
		if (len >= PUSH_HEAD_LEN)
			return -EINVAL;
	}
	for (i = 0; i < NR_NUMBERS && len < PUSH_HEAD_LEN; i++)
		len += snprintf(head + len, PUSH_HEAD_LEN - len, "%s %llu\n", number_names[i],
				(unsigned long long)numbers[i]);
	if (len < PUSH_HEAD_LEN)
		len += snprintf(head + len, PUSH_HEAD_LEN - len, "\n");
	return len < PUSH_HEAD_LEN ? len : -EINVAL;
}

/* The value of a line, which is ended in place; NULL: it is another line. */
static char *take_line(char **at, const char *name)
{
	size_t len = strlen(name);
	char *value = *at + len + 1, *end = strchr(*at, '\n');

	if (!end || strncmp(*at, name, len) || (*at)[len] != ' ')
		return NULL;
	*end = '\0';
	*at = end + 1;
	return push_entry_is_plain(value) ? value : NULL;
}

static bool take_number(char **at, const char *name, __u64 *number)
{
	const char *value = take_line(at, name);
	char *end;

	if (!value || *value < '0' || *value > '9')
		return false;
	errno = 0;
	*number = strtoull(value, &end, 10);
	return !*end && !errno;
}

/**
 * push_entry_parse() - read a head
 * @head: its first byte, with a 0 after the last one; changed, and what @e points into
 * @len: how many bytes, with what follows the head
 *
 * Return: the length of the head, 0: it is none.
 */
size_t push_entry_parse(char *head, size_t len, struct push_entry *e)
{
	char *at = head + strlen(MAGIC), *texts[NR_TEXTS];
	__u64 numbers[NR_NUMBERS];
	int i;

	if (len < strlen(MAGIC) || strncmp(head, MAGIC, strlen(MAGIC)))
		return 0;
	for (i = 0; i < NR_TEXTS; i++) {
		texts[i] = take_line(&at, text_names[i]);
		if (!texts[i])
			return 0;
	}
	for (i = 0; i < NR_NUMBERS; i++) {
		if (!take_number(&at, number_names[i], &numbers[i]))
			return 0;
	}
	*e = (struct push_entry){
		.url = texts[LINE_URL], .name = texts[LINE_NAME],
		.tenant = texts[LINE_TENANT], .types = texts[LINE_TYPES],
		.from_s = numbers[LINE_FROM], .until_s = numbers[LINE_UNTIL],
		.rate_hz = numbers[LINE_RATE], .bytes = numbers[LINE_BYTES],
		.crc = numbers[LINE_CRC],
	};
	return *at == '\n' && numbers[LINE_CRC] == e->crc ? at + 1 - head : 0;
}

/**
 * push_entry_read() - read the first @bytes of a file
 *
 * Return: 0, -EBADMSG if it is shorter, or -errno.
 */
int push_entry_read(int fd, char *to, size_t bytes)
{
	size_t done = 0;

	while (done < bytes) {
		ssize_t n = pread(fd, to + done, bytes - done, done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EBADMSG;
		done += n;
	}
	return 0;
}

static bool is_whole(const struct push_loaded *l, size_t head, size_t bytes)
{
	return head && l->entry.bytes == bytes - head &&
	       l->entry.crc == (__u32)crc32_z(0, (const void *)l->profile, bytes - head);
}

/**
 * push_entry_load() - read a file into memory, and check it
 * @max_bytes: that may be read
 * @l: out, for push_entry_free() in any case
 *
 * Return: 0, -EBADMSG if it is damaged, or -errno.
 */
int push_entry_load(int fd, __u64 max_bytes, struct push_loaded *l)
{
	struct stat st;
	size_t head;
	int err;

	*l = (struct push_loaded){ 0 };
	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode) || (__u64)st.st_size > max_bytes)
		return -EBADMSG;
	l->data = malloc(st.st_size + 1);
	if (!l->data)
		return -ENOMEM;
	err = push_entry_read(fd, l->data, st.st_size);
	if (err)
		return err;
	l->data[st.st_size] = '\0';
	head = push_entry_parse(l->data, st.st_size, &l->entry);
	l->profile = l->data + head;
	return is_whole(l, head, st.st_size) ? 0 : -EBADMSG;
}

/**
 * push_entry_free() - undo push_entry_load()
 */
void push_entry_free(struct push_loaded *l)
{
	free(l->data);
	*l = (struct push_loaded){ 0 };
}
