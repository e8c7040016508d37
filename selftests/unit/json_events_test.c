// SPDX-License-Identifier: GPL-2.0-only
/* Files of events: events of both forms, and the file, line and field of each error. */
#include <errno.h>
#include <stdlib.h>

#include "reports.h"
#include "tap.h"
#include "userspace/gen/json_events.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define HEAD		"{\n\"Header\": {\"Info\": \"x\", \"n\": 1},\n"

static char seen[4096];

/* Names and codes with their lines: "NAME@2=0x1@3 ". */
static int see(void *ctx, const struct json_event *event)
{
	const struct json_value *name = &event->values[JSON_EVENT_NAME];
	const struct json_value *code = &event->values[JSON_EVENT_CODE];
	const size_t len = strlen(seen);

	(void)ctx;
	snprintf(seen + len, sizeof(seen) - len, "%.*s@%u=%.*s@%u ",
		 name->at ? (int)name->len : 1, name->at ? name->at : "-", event->line,
		 code->at ? (int)code->len : 1, code->at ? code->at : "-",
		 json_event_line(event, JSON_EVENT_CODE));
	return 0;
}

static int parse_bytes(const char *text, size_t len, struct json_counts *counts)
{
	struct reporter reporter = { .fn = keep_report };
	char *copy = malloc(len ? len : 1);
	int ret;

	/* exact size: the sanitizer catches a read past the end */
	memcpy(copy, text, len);
	*seen = '\0';
	*reports = '\0';
	memset(counts, 0xcc, sizeof(*counts));
	ret = json_events_parse("dir/f.json", copy, len, see, NULL, counts, &reporter);
	free(copy);
	return ret;
}

#define L	__LINE__

static const struct good_case {
	int line;
	const char *text;
	const char *seen;
	unsigned int metrics;
	unsigned int others;
} good_cases[] = {
	{ L, "[]", "", 0, 0 },
	{ L, " [ ]\t\n", "", 0, 0 },
	{ L, "\xef\xbb\xbf[{\"EventName\":\"BOM\"}]", "BOM@1=-@1 ", 0, 0 },
	{ L, "[\n{\"EventName\": \"A\",\n \"EventCode\": \"0x1\"},\r\n{\"EventName\":\"B\"}]",
	  "A@2=0x1@3 B@4=-@4 ", 0, 0 },
	{ L, "[{\"EventName\":\" A \",\"EventCode\":\"0x1 \"}]", "A@1=0x1@1 ", 0, 0 },
	{ L, "[{\"EventName\":\"A\",\"EventCode\":\"Null\"}]", "A@1=-@1 ", 0, 0 },
	{ L, "[{\"EventName\":\"A\",\"EventCode\":\"nULL\"}]", "A@1=-@1 ", 0, 0 },
	{ L, "[{\"EventName\":\"A\",\"EventCode\":null}]", "A@1=-@1 ", 0, 0 },
	{ L, "[{\"EventName\":\"A\",\"EventCode\":\"\"}]", "A@1=-@1 ", 0, 0 },
	{ L, "[{\"EventName\":\"A\",\"EventCode\":197}]", "A@1=197@1 ", 0, 0 },
	{ L, "[{\"EventName\":\"A\",\"EventCode\":true}]", "A@1=1@1 ", 0, 0 },
	/* a name in a value or in something deeper is no field */
	{ L, "[{\"EventName\":\"A\",\n\"Errata\":\"\\\"EventCode\\\":\",\n"
	  "\"Offcore\":{\"EventCode\":\"2\"},"
	  "\n\"EventCode\" : \"3\"}]", "A@1=3@4 ", 0, 0 },
	/* ... nor a field that is there twice */
	{ L, "[{\"EventName\":\"A\",\"Errata\":\"\\\\\",\"Offcore\":{\"Errata\":1},"
	  "\"PerPkg\":[{\"Errata\":2},{\"Errata\":3}]}]",
	  "A@1=-@1 ", 0, 0 },
	{ L, "[{\"EventName\":\"A\",\"Errata\":\"\\\":\",\"Offcore\":\"x\"}]", "A@1=-@1 ", 0, 0 },
	{ L, "[{\"MetricName\":\"m\",\"MetricName\":\"n\"}]", "", 1, 0 },
	{ L, "[{\"MetricName\":\"m\",\"MetricExpr\":\"a / b\"},{\"Unit\":\"core\"}]", "", 1, 1 },
	{ L, "[{\"MetricName\":\"m\",\"MetricExpr\":\"a\",\"ArchStdEvent\":\"x\"}]", "", 1, 0 },
	{ L, "[{\"EventCode\":\"1\"}]", "-@1=1@1 ", 0, 0 },
	{ L, "[{\"ArchStdEvent\":\"x\"}]", "-@1=-@1 ", 0, 0 },
	/* Intel's form */
	{ L, HEAD "\"Events\": [\n{\"EventName\":\"A\",\"EventCode\":\"0x00\"}\n]\n}\n",
	  "A@4=0x00@4 ", 0, 0 },
	{ L, HEAD "\"Events\": [\n]\n}", "", 0, 0 },
	{ L, "{\"Events\":[{\"EventName\":\"A\"}],\"Header\":[]}", "A@1=-@1 ", 0, 0 },
	{ L, "{\"Events\":[{\"MATRIX_REQUEST\":\"R\",\"MATRIX_RESPONSE\":\"Null\"}]}",
	  "-@1=-@1 ", 0, 0 },
	{ L, "{}", "", 0, 0 },
	{ L, "{\"Group\": \"description\"}", "", 0, 0 },
	{ L, "{\"Events\": \"none\"}", "", 0, 0 },
	/* Intel's files of formulas and of latencies */
	{ L, HEAD "\"Metrics\": [\n{\"MetricName\":\"m\",\"Formula\":\"a / b\",\"Events\":["
	  "{\"Name\":\"A\",\"Alias\":\"a\"}]},{\"MetricName\":\"n\"}],\"Constants\":[1]}",
	  "", 2, 0 },
	{ L, HEAD "\"Data\": {\"A\": {\"MEAN\": 1.5}}}", "", 0, 0 },
	/* fields that do not affect encoding */
	{ L, "[{\"EventName\":\"A\",\"PEBScounters\":\"0,1\",\"CollectPEBSRecord\":\"2\","
	  "\"Errata\":\"null\",\"Experimental\":\"1\",\"PerPkg\":\"1\"}]", "A@1=-@1 ", 0, 0 },
	{ L, "[{\"MetricName\":\"m\",\"anything\":\"x\"}]", "", 1, 0 },
};

static void reads(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(good_cases); i++) {
		const struct good_case *c = &good_cases[i];
		struct json_counts counts;
		int ret = parse_bytes(c->text, strlen(c->text), &counts);

		ok(!ret && !*reports && !strcmp(seen, c->seen) && counts.metrics == c->metrics &&
		   counts.others == c->others && !counts.bad, "line %d: is read", c->line);
		if (ret || *reports || strcmp(seen, c->seen))
			printf("#   %d '%s' '%s', want '%s'\n", ret, reports, seen, c->seen);
	}
}

static const struct bad_case {
	int line;
	const char *text;
	const char *report;
	const char *seen;	/* events before the error */
} bad_cases[] = {
	{ L, "", "f.json:1::fatal\n", "" },
	{ L, "\n\nx", "f.json:3::fatal\n", "" },
	{ L, "\"EventName\"", "f.json:1::fatal\n", "" },
	{ L, "[", "f.json:1::fatal\n", "" },
	{ L, "[\n{\"EventName\": \"A\"},\n", "f.json:3::fatal\n", "A@2=-@2 " },
	{ L, "[{\"EventName\": \"A\"},]", "f.json:1::fatal\n", "A@1=-@1 " },
	{ L, "[{\"EventName\": \"A\"}\n{\"EventName\": \"B\"}]", "f.json:2::fatal\n",
	  "A@1=-@1 " },
	{ L, "[{\"EventName\": \"A\"}]\n]", "f.json:2::fatal\n", "A@1=-@1 " },
	{ L, "[\n1]", "f.json:2::fatal\n", "" },
	{ L, "[[]]", "f.json:1::fatal\n", "" },
	/* the field with the error */
	{ L, "[\n{\n\"EventName\": \"A\",\n\"UMask\": 0x1\n}]", "f.json:4:UMask:fatal\n", "" },
	{ L, "[{\"EventName\": \"A\",\n\"UMask\": '1'}]", "f.json:2:UMask:fatal\n", "" },
	{ L, "[{\"EventName\": \"A\",\n\"UMask\": \"1\"\n\"EventCode\": \"2\"}]",
	  "f.json:3:UMask:fatal\n", "" },
	{ L, "[{\"EventName\": \"A\",\n\"UMask\": \"1\",}]", "f.json:2:UMask:fatal\n", "" },
	{ L, "[{\"EventName\": \"A\",\n\"UMask\": \"1", "f.json:2:UMask:fatal\n", "" },
	{ L, "[{\"EventName\": \"A\",\n\"UMask\": tru}]", "f.json:2:UMask:fatal\n", "" },
	{ L, "[{\"EventName\": \"\xc3\x28\"}]", "f.json:1:EventName:fatal\n", "" },
	{ L, "[{\"EventName\": [[[[[[[[[[1]]]]]]]]]]}]", "f.json:1:EventName:fatal\n", "" },
	{ L, "{\"Events\": [\n{\"EventName\": \"A\"}\n", "f.json:3::fatal\n", "A@2=-@2 " },
	{ L, "{\"Events\" [1]}", "f.json:1::fatal\n", "" },
	{ L, "{Events: []}", "f.json:1::fatal\n", "" },
	{ L, "{\"Events\": []", "f.json:1::fatal\n", "" },
	{ L, "{\"a\": 1,}", "f.json:1::fatal\n", "" },
	/* an object that is neither Intel's form nor descriptions of groups */
	{ L, "\n{\"foo\":\n1}", "f.json:2:Events:fatal\n", "" },
	{ L, "{\"g\": \"text\", \"x\": {}}", "f.json:1:Events:fatal\n", "" },
	{ L, HEAD "\"events\": []}", "f.json:1:Events:fatal\n", "" },
	{ L, "{\"Events\": {}}", "f.json:1:Events:fatal\n", "" },
	{ L, "{\"Metrics\": 1}", "f.json:1:Events:fatal\n", "" },
	{ L, "{\"Metrics\": [\n{},]}", "f.json:2::fatal\n", "" },
};

static void refuses(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad_cases); i++) {
		const struct bad_case *c = &bad_cases[i];
		struct json_counts counts;
		int ret = parse_bytes(c->text, strlen(c->text), &counts);

		ok(ret == -EINVAL && !strcmp(reports, c->report) && !strcmp(seen, c->seen),
		   "line %d: is refused, with line and field", c->line);
		if (ret != -EINVAL || strcmp(reports, c->report) || strcmp(seen, c->seen))
			printf("#   %d '%s' '%s', want '%s'\n", ret, reports, seen, c->report);
	}
}

static void leaves_out_values_of_wrong_type(void)
{
	static const char text[] =
		"[{\"EventName\":\"A\",\n\"EventCode\":[1]},\n{\"EventName\":\"B\"}]";
	struct json_counts counts;
	int ret = parse_bytes(text, strlen(text), &counts);

	is_u64(ret, 0, "a list as a field's value does not break the file");
	is_str(reports, "f.json:2:EventCode:note\n", "... is reported with its line");
	is_str(seen, "B@3=-@3 ", "... and only its event is left out");
	is_u64(counts.bad, 1, "... and counted");
}

static const struct left_out_case {
	int line;
	const char *text;
	const char *report;
} left_out_cases[] = {
	{ L, "{\"EventName\":\"A\",\n\"UMask\":\"1\",\n\"UMask\":\"2\"}",
	  "f.json:3:UMask:note\n" },
	{ L, "{\"EventName\":\"A\",\"x\":{\"y\":\"\\\"\"},\n\"x\" : 1}", "f.json:2:x:note\n" },
	{ L, "{\"UMask\":\"1\",\"EventName\":\"A\",\n\"EventName\":null}",
	  "f.json:2:EventName:note\n" },
	/* the same name, spelled otherwise */
	{ L, "{\"EventName\":\"A\",\n\"UMask\":\"1\",\"\\u0055Mask\":\"2\"}", "f.json:1::note\n" },
	/* a name must not be a number, other fields may */
	{ L, "{\"EventCode\":\"1\",\n\"EventName\":7}", "f.json:2:EventName:note\n" },
	{ L, "{\"EventCode\":\"1\",\n\"EventName\":true}", "f.json:2:EventName:note\n" },
};

static void leaves_out_events(void)
{
	char text[256];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(left_out_cases); i++) {
		const struct left_out_case *c = &left_out_cases[i];
		struct json_counts counts;
		int ret;

		snprintf(text, sizeof(text), "[%s,{\"EventName\":\"B\"}]", c->text);
		ret = parse_bytes(text, strlen(text), &counts);
		ok(!ret && !strcmp(reports, c->report) && !strncmp(seen, "B@", 2) &&
		   counts.bad == 1 && counts.events == 1,
		   "line %d: the event is left out, the next one read", c->line);
		if (strcmp(reports, c->report) || strncmp(seen, "B@", 2))
			printf("#   %d '%s' '%s', want '%s'\n", ret, reports, seen, c->report);
	}
}

static void warns_of_unknown_fields(void)
{
	static const char text[] =
		"[{\"EventName\":\"A\",\n\"EventCode\":\"1\",\n\"umask\":\"2\"},\n"
		"{\"EventName\":\"B\",\"umask\":\"3\"},\n"
		"{\"EvntName\":\"C\",\n\"EvntCode\":[4]}]";
	struct json_counts counts;
	int ret = parse_bytes(text, strlen(text), &counts);

	is_u64(ret, 0, "a field of an unknown name does not break the file");
	is_str(reports, "f.json:3:umask:warning\nf.json:5:EvntName:warning\n"
	       "f.json:6:EvntCode:warning\n",
	       "... is reported with its line, once in a file, also in what is no event");
	is_str(seen, "A@1=1@2 B@4=-@4 ", "... and its event is used");
	is_u64(counts.bad, 0, "... and not counted as bad");
}

static int stop_at_once(void *ctx, const struct json_event *event)
{
	(void)event;
	++*(int *)ctx;
	return -ENOMEM;
}

static void limits(void)
{
	static const char two[] = "[{\"EventName\":\"A\"},{\"EventName\":\"B\"}]";
	const size_t size = 600 << 10;
	struct reporter reporter = { .fn = keep_report };
	char *text = malloc(size);
	struct json_counts counts;
	int nr = 0, ret;

	memset(text, '[', size);
	ret = parse_bytes(text, size, &counts);
	ok(ret == -EINVAL, "600 KiB of opening brackets are refused");
	memset(text, 'x', size);
	memcpy(text, "[{\"EventName\":\"", 15);
	memcpy(text + size - 3, "\"}]", 3);
	ret = parse_bytes(text, size, &counts);
	ok(ret == -EINVAL && !strcmp(reports, "f.json:1:EventName:fatal\n"),
	   "an entry of 600 KiB is refused");
	memset(text, ' ', size);
	memcpy(text, "[{\"EventName\":\"A\"}", 18);
	memcpy(text + size - 20, ",{\"EventName\":\"B\"}]", 19);
	ret = parse_bytes(text, size, &counts);
	ok(!ret && counts.events == 2, "a file of 600 KiB is not");
	free(text);
	ret = json_events_parse("f.json", two, strlen(two), stop_at_once, &nr, &counts, &reporter);
	ok(ret == -ENOMEM && nr == 1, "an error of the callee ends reading and is passed on");
}

static void unreadable_files(void)
{
	struct reporter reporter = { .fn = keep_report };
	struct json_counts counts;

	*reports = '\0';
	is_u64(json_events_read("/nonexistent/f.json", see, NULL, &counts, &reporter), -EINVAL,
	       "a file that is not there");
	is_str(reports, "f.json:0::fatal\n", "... is reported");
	*reports = '\0';
	is_u64(json_events_read("/dev/zero", see, NULL, &counts, &reporter), -EINVAL,
	       "a device");
	is_str(reports, "zero:0::fatal\n", "... is reported and not read for ever");
}

int main(void)
{
	plan(0);
	reads();
	refuses();
	leaves_out_values_of_wrong_type();
	leaves_out_events();
	warns_of_unknown_fields();
	limits();
	unreadable_files();
	return done();
}
