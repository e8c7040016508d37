// SPDX-License-Identifier: GPL-2.0-only
/* Plain entries give what json-c finds in the same entries with escapes. */
#include <stdlib.h>

#include "tap.h"
#include "userspace/gen/json_events.h"
#include "userspace/gen/json_plain.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define ESCAPED		"\\u0045"

static char *seen;
static size_t seen_len;
static unsigned int fatal_line;

static int see(void *ctx, const struct json_event *event)
{
	FILE *f = ctx;
	int i;

	fprintf(f, "event %u:", event->line);
	for (i = 0; i < JSON_NR_FIELDS; i++) {
		const struct json_value *value = &event->values[i];

		if (value->at)
			fprintf(f, " %d='%.*s'", i, (int)value->len, value->at);
	}
	putc('\n', f);
	return 0;
}

/* Neither words nor, unless it is refused there, a line: both depend on how a field is spelt. */
static void see_report(void *ctx, const struct event_report *report)
{
	fprintf(ctx, "report%s\n", report->warning ? ", a warning" : "");
	if (report->fatal)
		fatal_line = report->line;
}

/* Return: all that can be seen of a text, if it is refused only that and where; free() it. */
static char *read_text(const char *text, size_t len)
{
	FILE *f = open_memstream(&seen, &seen_len);
	struct reporter reporter = { .fn = see_report, .ctx = f };
	struct json_counts counts;
	char *copy = malloc(len + 1);
	int ret;

	/* exact size: the sanitizer catches a read past the end */
	memcpy(copy, text, len);
	copy = realloc(copy, len ? len : 1);
	fatal_line = 0;
	ret = json_events_parse("f.json", copy, len, see, f, &counts, &reporter);
	fprintf(f, "%d: %u events, %u metrics, %u others, %u bad\n", ret, counts.events,
		counts.metrics, counts.others, counts.bad);
	fclose(f);
	free(copy);
	if (ret)
		snprintf(seen, seen_len, "%d: line %u\n", ret, fatal_line);
	return seen;
}

/* Each event has a name, and "EventName" an E: no entry stays plain. */
static char *escape(const char *text, size_t len, size_t *escaped)
{
	char *copy = malloc(len * strlen(ESCAPED) + 1), *at = copy;
	size_t i;

	for (i = 0; i < len; i++) {
		if (text[i] == 'E')
			at = stpcpy(at, ESCAPED);
		else
			*at++ = text[i];
	}
	*escaped = at - copy;
	return copy;
}

static bool same(const char *text, size_t len)
{
	size_t escaped_len;
	char *escaped = escape(text, len, &escaped_len);
	char *plain = read_text(text, len), *by_json = read_text(escaped, escaped_len);
	const bool is_same = !strcmp(plain, by_json);

	if (!is_same)
		printf("# %.*s\n# gives %s# json-c %s", (int)len, text, plain, by_json);
	free(escaped);
	free(plain);
	free(by_json);
	return is_same;
}

static const char * const texts[] = {
	"[{\"EventName\":\"A\"}]",
	"[\n {\n  \"EventName\" : \" A B \",\r\n\t\"EventCode\": \"0x3C\",\n \"UMask\":\"\",\n"
	"  \"Errata\":\"null\", \"Counter\":\"Null\", \"Unit\":\"  \"\n },\n"
	" {\"EventName\":\"B\", \"PerPkg\":\"1\"}\n]\n",
	"[{\"EventName\":\"A\",\n\"EventName\":\"B\"}]",
	"[{\"EventName\":\"A\",\"Errata\":\"E\",\n\"Errata\":\"F\"}]",
	"[{\"EventName\":\"A\",\n\"Colour\":\"E\",\"Colour\":\"F\"}]",
	"[{\"EventName\":\"A\",\n\"Colour\":\"E\"},{\"EventName\":\"B\",\"Colour\":\"E\"}]",
	"[{\"MetricName\":\"M\",\"MetricExpr\":\"E / F\",\"Colour\":\"E\",\"Colour\":\"F\"}]",
	"[{\"EventName\":\"A\",\"EventCode\":60},{\"EventName\":\"B\",\"EventCode\":true}]",
	"[{\"EventName\":\"A\",\"EventCode\":{}},{\"EventName\":\"B\",\"EventCode\":[\"E\"]}]",
	"[{\"EventName\":\"A\",\"MetricName\":\"M\",\"EventName\":null}]",
	"[{\"EventName\":\"A\",}]",
	"[{\"EventName\":\"A\"},]",
	"[{\"EventName\":\"A\"}",
	"[{\"E",
	"[{}]",
	"[{\"EventName\":\"A\"}{\"EventName\":\"B\"}]",
	"[{\"EventName\" \"A\"}]",
	"[{\"EventName\":}]",
	"[{\"BriefDescription\":\"E\"},{\"EventCode\":\"E\"},{\"UMask\":\"E\"}]",
	"[{\"EventName\":\"A\",\"MATRIX_REQUEST\":\"E\"},{\"Index\":\"E\"},"
	"{\"EventName\":\"B\",\"Ear\":\"E\"}]",
	"{\"Header\":{\"E\":1},"
	"\"Events\":[{\"EventName\":\"A\",\"SampleAfterValue\":\"100003\"}]}",
};

/* Whether the first entry of a text is read without json-c. */
static bool is_plain(const char *text)
{
	FILE *f = open_memstream(&seen, &seen_len);
	struct reporter reporter = { .fn = see_report, .ctx = f };
	struct json_counts counts = { 0 };
	struct json_entries entries = {
		.path = "f.json", .fn = see, .ctx = f, .counts = &counts, .reporter = &reporter,
	};
	struct json_event event = { .path = "f.json", .line = 1, .text = strchr(text, '{') };
	const char *end = strchr(text, '}') + 1;
	int ret = -1;
	bool used;

	event.text_len = end - event.text;
	used = json_plain_use(&entries, &event, end, &ret);
	fclose(f);
	free(seen);
	ok(!used || !ret, "what is read so is accepted");
	return used;
}

static void which_are_plain(void)
{
	ok(is_plain(texts[0]) && is_plain(texts[1]), "entries of strings are used without json-c");
	ok(!is_plain("[{\"EventName\":\"\\u0041\"}]"), "but not with an escape");
	ok(!is_plain("[{\"EventName\":\"A\",\"EventCode\":60}]"), "nor with a number");
	ok(!is_plain("[{\"EventName\":\"A\",\"EventName\":\"B\"}]"), "nor with a field twice");
	ok(!is_plain("[{\"EventName\":\"A\",\"Colour\":\"B\"}]"), "nor with an unknown field");
	ok(is_plain("[{\"MetricName\":\"A\",\"MetricExpr\":\"1\",\"Colour\":\"B\"}]"),
	   "which a metric may have");
}

static void whole_and_cut(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		const size_t whole = strlen(texts[i]);
		size_t len = whole;

		while (len && same(texts[i], len))
			len--;
		ok(!len, "text %u, whole and cut off at each of %zu bytes", i, whole);
	}
}

/* With each byte replaced by others, but for a backslash that an escape would follow. */
static bool same_with(const char *text, char *copy, size_t len, size_t at)
{
	static const char others[] = "\"\\\n\t \x1f\x7f\x80\xc3:,{}[E0u";
	size_t i;

	for (i = 0; i < sizeof(others); i++) {
		memcpy(copy, text, len);
		copy[at] = others[i];
		if (others[i] == '\\' && at + 1 < len && copy[at + 1] == 'E')
			continue;
		if (!same(copy, len))
			return false;
	}
	return true;
}

static void with_other_bytes(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		const size_t len = strlen(texts[i]);
		char *copy = malloc(len);
		size_t at = 0;

		while (at < len && same_with(texts[i], copy, len, at))
			at++;
		ok(at == len, "text %u, with each byte replaced", i);
		free(copy);
	}
}

int main(void)
{
	plan(0);
	which_are_plain();
	whole_and_cut();
	with_other_bytes();
	return done();
}
