// SPDX-License-Identifier: GPL-2.0-only
/* Parsing the fields of samples and the sample_id at the end of other records. */
#include "sample.h"

#include <string.h>

#define WORD	sizeof(__u64)

static unsigned int nr_bits(__u64 bits)
{
	return __builtin_popcountll(bits);
}

static __u64 word_at(const struct perf_event_header *h, size_t offset)
{
	__u64 value;

	memcpy(&value, (const char *)h + offset, sizeof(value));
	return value;
}

/* Index of the 64-bit word of a sample that is the event's id, -1 if there is none. */
static int id_of_sample(__u64 sample_type)
{
	if (sample_type & PERF_SAMPLE_IDENTIFIER)
		return 0;
	if (!(sample_type & PERF_SAMPLE_ID))
		return -1;
	return nr_bits(sample_type & (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
				      PERF_SAMPLE_ADDR));
}

/* The same in a sample_id, counted from its end, where 1 is the last. */
static int id_of_sample_id(__u64 sample_type)
{
	if (sample_type & PERF_SAMPLE_IDENTIFIER)
		return 1;
	if (!(sample_type & PERF_SAMPLE_ID))
		return -1;
	return 1 + nr_bits(sample_type & (PERF_SAMPLE_CPU | PERF_SAMPLE_STREAM_ID));
}

/**
 * pd_sample_id() - find the event id in a whole record of the kernel
 *
 * Any event of the file will do as @attr, since all have the id at the same offset.
 *
 * Return: false if there is none.
 */
bool pd_sample_id(const struct perf_event_attr *attr, const struct perf_event_header *h, __u64 *id)
{
	int word;
	size_t at;

	if (h->type == PERF_RECORD_SAMPLE) {
		word = id_of_sample(attr->sample_type);
		if (word < 0)
			return false;
		at = sizeof(*h) + word * WORD;
		if (at + WORD > h->size)
			return false;
	} else {
		word = attr->sample_id_all ? id_of_sample_id(attr->sample_type) : -1;
		if (word < 0 || sizeof(*h) + word * WORD > h->size)
			return false;
		at = h->size - word * WORD;
	}
	*id = word_at(h, at);
	return true;
}

/**
 * pd_sample_time_at() - the offset of the time in a sample, 0: it has none
 */
size_t pd_sample_time_at(const struct perf_event_attr *attr)
{
	__u64 before = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID;

	if (!(attr->sample_type & PERF_SAMPLE_TIME))
		return 0;
	return sizeof(struct perf_event_header) + nr_bits(attr->sample_type & before) * WORD;
}

/**
 * pd_sample_time() - find the time in a whole record of the kernel
 *
 * Return: @before if there is none.
 */
__u64 pd_sample_time(const struct perf_event_attr *attr, const struct perf_event_header *h,
		     __u64 before)
{
	__u64 type = attr->sample_type;
	size_t words, at;

	if (!(type & PERF_SAMPLE_TIME))
		return before;
	if (h->type == PERF_RECORD_SAMPLE) {
		at = pd_sample_time_at(attr);
	} else {
		words = nr_bits(type & PD_SAMPLE_ID_FIELDS & ~PERF_SAMPLE_TID);
		at = h->size - words * WORD;
		if (!attr->sample_id_all || h->size < sizeof(*h) + words * WORD)
			return before;
	}
	return at + WORD > h->size ? before : word_at(h, at);
}

/* Take the next 64 bits if @type has the field, else 0; returns what follows. */
static inline const char *take(const char *at, __u64 type, __u64 field, __u64 *value)
{
	*value = 0;
	if (!(type & field))
		return at;
	memcpy(value, at, WORD);
	return at + WORD;
}

/*
 * Fields in the order of a sample, which is that of a sample_id, too; the record has them all.
 * Returns what follows.
 */
static inline const char *take_fields(const char *at, __u64 type, struct pd_sample *s)
{
	__u64 task, cpu;

	at = take(at, type, PERF_SAMPLE_IP, &s->ip);
	at = take(at, type, PERF_SAMPLE_TID, &task);
	at = take(at, type, PERF_SAMPLE_TIME, &s->time);
	at = take(at, type, PERF_SAMPLE_ADDR, &s->addr);
	if (type & PERF_SAMPLE_ID)
		at = take(at, type, PERF_SAMPLE_ID, &s->id);
	at = take(at, type, PERF_SAMPLE_STREAM_ID, &s->stream_id);
	at = take(at, type, PERF_SAMPLE_CPU, &cpu);
	at = take(at, type, PERF_SAMPLE_PERIOD, &s->period);
	s->pid = (__u32)task;
	s->tid = task >> 32;
	s->cpu = (__u32)cpu;
	s->fields = type & PD_SAMPLE_FIXED;
	return at;
}

/* Skip what PERF_SAMPLE_READ adds, which depends on the event's read_format. */
static bool skip_read(const struct perf_event_attr *attr, const struct perf_event_header *h,
		      size_t *at)
{
	__u64 format = attr->read_format;
	size_t left = h->size - *at, nr = 1, each, words;

	each = 1 + nr_bits(format & (PERF_FORMAT_ID | PD_FORMAT_LOST));
	words = nr_bits(format & (PERF_FORMAT_TOTAL_TIME_ENABLED |
				  PERF_FORMAT_TOTAL_TIME_RUNNING));
	if (format & PERF_FORMAT_GROUP) {
		if (left < WORD)
			return false;
		words++;
		nr = word_at(h, *at);
	}
	/* bounded first, since the product could wrap around */
	if (nr > left / WORD || (words + nr * each) * WORD > left)
		return false;
	*at += (words + nr * each) * WORD;
	return true;
}

/* Records begin at aligned addresses, and so do all fields up to the chain. */
static bool take_chain(const struct perf_event_header *h, size_t at, struct pd_sample *s)
{
	size_t left = h->size - at;
	__u64 nr;

	if (left < WORD)
		return false;
	nr = word_at(h, at);
	if (nr > left / WORD - 1)
		return false;
	s->chain = (const __u64 *)((const char *)h + at + WORD);
	s->nr_chain = nr;
	s->fields |= PERF_SAMPLE_CALLCHAIN;
	return true;
}

/* The size of a sample without the fields of no fixed size. */
static size_t fixed_size(__u64 type)
{
	return sizeof(struct perf_event_header) + nr_bits(type & PD_SAMPLE_FIXED) * WORD;
}

/* The fields of a sample that are not of its header; @fixed is their size. */
static inline bool parse_sample(const struct perf_event_attr *attr,
				const struct perf_event_header *h, size_t fixed,
				struct pd_sample *s)
{
	__u64 type = attr->sample_type;
	size_t at = fixed;

	if (fixed > h->size)
		return false;
	take_fields(take((const char *)(h + 1), type, PERF_SAMPLE_IDENTIFIER, &s->id), type, s);
	s->chain = NULL;
	s->nr_chain = 0;
	if (!(type & PERF_SAMPLE_CALLCHAIN))
		return true;
	if (type & PERF_SAMPLE_READ && !skip_read(attr, h, &at))
		return false;
	return take_chain(h, at, s);
}

/**
 * pd_sample_parse() - parse the fields of a whole record of the kernel; @s->event is not changed
 *
 * Return: false if the record is too short for the fields of its event.
 */
bool pd_sample_parse(const struct perf_event_attr *attr, const struct perf_event_header *h,
		     struct pd_sample *s)
{
	__u64 type = attr->sample_type & PD_SAMPLE_ID_FIELDS;
	const char *at = (const char *)h + h->size - nr_bits(type) * WORD;

	if (h->type == PERF_RECORD_SAMPLE)
		return parse_sample(attr, h, fixed_size(attr->sample_type), s);
	if (!attr->sample_id_all)
		return true;
	if (at < (const char *)(h + 1))
		return false;
	at = take_fields(at, type & ~PERF_SAMPLE_IDENTIFIER, s);
	s->fields |= type & PERF_SAMPLE_IDENTIFIER;
	if (type & PERF_SAMPLE_IDENTIFIER)
		take(at, type, PERF_SAMPLE_IDENTIFIER, &s->id);
	return true;
}

/**
 * pd_samples_parse() - parse samples one behind another in memory; their events are not set
 * @size: of all bytes, of which the last record may be cut
 * @until: only those before this time
 * @max: of samples
 * @last: set to the last of them
 *
 * Return: how many there are in front of a later one, and of a record that is none or is too short
 * for its fields.
 */
size_t pd_samples_parse(const struct perf_event_attr *attr, const void *piece, size_t size,
			__u64 until, struct pd_sample *s, size_t max,
			const struct perf_event_header **last)
{
	size_t nr, fixed = fixed_size(attr->sample_type);
	const char *at = piece, *end = at + size;

	for (nr = 0; nr < max && end - at >= (ptrdiff_t)sizeof(**last); nr++) {
		const struct perf_event_header *h = (const void *)at;

		if (h->type != PERF_RECORD_SAMPLE || h->size > end - at || h->size % WORD)
			break;
		s[nr].type = h->type;
		s[nr].misc = h->misc;
		if (!parse_sample(attr, h, fixed, &s[nr]) || s[nr].time >= until)
			break;
		*last = h;
		at += h->size;
	}
	return nr;
}
