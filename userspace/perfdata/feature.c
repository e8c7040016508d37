// SPDX-License-Identifier: GPL-2.0-only
/* Feature sections of a file being read: locating them, and reading those that are strings. */
#include <errno.h>
#include <stdio.h>

#include "internal.h"

/**
 * pd_features_find() - locate the feature sections that the header announces
 *
 * If any does not lie in the file, the end of the file is missing.
 */
void pd_features_find(struct pd_reader *r)
{
	__u64 at = r->header.data.offset + r->header.data.size;
	unsigned int i;

	for (i = 0; i < PD_NR_FEATURE_BITS; i++) {
		struct pd_section *s = &r->sections[i];

		if (!pd_reader_has(r, i))
			continue;
		if (at > r->size || r->size - at < sizeof(*s) ||
		    !pd_read_at(r, at, s, sizeof(*s)) || !pd_section_fits(r, s)) {
			r->truncated = true;
			r->header.features[i / 64] &= ~(1ULL << (i % 64));
		}
		at += sizeof(*s);
	}
}

/** pd_feature_cursor() - begin reading a feature section; false if there is none */
bool pd_feature_cursor(const struct pd_reader *r, unsigned int feature, struct pd_cursor *c)
{
	struct pd_section s;

	if (!pd_reader_section(r, feature, &s))
		return false;
	*c = (struct pd_cursor){ .r = r, .at = s.offset, .left = s.size };
	return true;
}

/** pd_reader_has() - check that the file has a feature section */
bool pd_reader_has(const struct pd_reader *r, unsigned int feature)
{
	return r->header.features[feature / 64] >> (feature % 64) & 1;
}

/** pd_reader_section() - locate a feature section; false if there is none in the file */
bool pd_reader_section(const struct pd_reader *r, unsigned int feature, struct pd_section *s)
{
	if (!pd_reader_has(r, feature))
		return false;
	*s = r->sections[feature];
	return true;
}

/**
 * pd_reader_text_room() - the size of a buffer that holds any text of a feature section uncut
 */
size_t pd_reader_text_room(const struct pd_reader *r, unsigned int feature)
{
	struct pd_section s;

	/* for each string it has a length, which is longer than what is put between two */
	return pd_reader_section(r, feature, &s) ? s.size + 1 : 1;
}

/**
 * pd_reader_string() - read a feature section of one string, truncated to fit
 *
 * Return: 0, or -ENOENT if there is none.
 */
int pd_reader_string(const struct pd_reader *r, unsigned int feature, char *buf, size_t len)
{
	struct pd_cursor c;
	const char *s;

	if (!pd_feature_cursor(r, feature, &c))
		return -ENOENT;
	s = pd_cursor_string(&c);
	if (!s)
		return -ENOENT;
	snprintf(buf, len, "%s", s);
	return 0;
}

/**
 * pd_reader_argument() - read argument @n of the command that made the recording, truncated to fit
 *
 * Return: 0, or -ENOENT if there are fewer, or none in the file.
 */
int pd_reader_argument(const struct pd_reader *r, __u32 n, char *buf, size_t len)
{
	struct pd_cursor c;
	const char *s;
	__u32 i, nr;

	if (!pd_feature_cursor(r, PD_FEAT_CMDLINE, &c) || !pd_cursor_u32(&c, &nr) || n >= nr)
		return -ENOENT;
	for (i = 0; i <= n; i++) {
		s = pd_cursor_string(&c);
		if (!s)
			return -ENOENT;
	}
	snprintf(buf, len, "%s", s);
	return 0;
}

/**
 * pd_reader_cmdline() - read the command that made the recording, truncated to fit
 *
 * Return: 0, or -ENOENT if it is not in the file.
 */
int pd_reader_cmdline(const struct pd_reader *r, char *buf, size_t len)
{
	struct pd_cursor c;
	const char *s;
	size_t n = 0;
	__u32 i, nr;

	if (!pd_feature_cursor(r, PD_FEAT_CMDLINE, &c) || !pd_cursor_u32(&c, &nr))
		return -ENOENT;
	for (i = 0; i < nr; i++) {
		s = pd_cursor_string(&c);
		if (!s || n >= len)
			break;
		n += snprintf(buf + n, len - n, "%s%s", i ? " " : "", s);
	}
	return i ? 0 : -ENOENT;
}
