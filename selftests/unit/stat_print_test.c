// SPDX-License-Identifier: GPL-2.0-only
/* Blocks of counts as a table, as JSON, which json-c reads back, and remarks about them. */
#include <json-c/json.h>
#include <stdlib.h>

#include "tap.h"
#include "userspace/acrctl/stat/stat.h"

static int cpus[] = { 2, 5 };
static struct stat_group group = { .nr_events = 2 };
static struct stat_cell cells[2];
static struct stat st = { .groups = &group, .nr_groups = 1, .nr_locations = 1 };
static struct stat_block block;
static char *printed;
static size_t printed_size;

/* 3000 instructions in 1500 cycles, on one CPU, in one run. */
static void begin(void)
{
	const struct stat_cell one = {
		.counted = true, .runs = 1, .running_ns = 250, .total_ns = 1000, .missed_ns = 7,
		.ev = {
			{ .raw = 2999, .value = 3000, .total = 3000, .deviation = 12.5 },
			{ .raw = 1499, .value = 1500, .total = 1500, .deviation = 0.125 },
		},
	};

	cells[0] = one;
	cells[1] = one;
	block = (struct stat_block){
		.end_ns = 1500000000, .length_ns = 500000000, .lost_ns = 250000000, .runs = 1,
		.deviation = 1.25, .cells = cells,
	};
	st.nr_locations = 1;
	st.opt = (struct stat_options){ .json = false };
	st.target = (struct target){ .cpus = { cpus, 2 } };
	st.accounts = (struct stat_accounts){ .time_ns = 500000000 };
	st.kinds.nr = 1;
	*st.kinds.list[0].pmu = '\0';
	st.kinds.list[0].cpus = st.target.cpus;
	group.kind = st.kinds.list;
	st.out = open_memstream(&printed, &printed_size);
}

static const char *end(void)
{
	static char text[4096];

	fclose(st.out);
	snprintf(text, sizeof(text), "%s", printed);
	free(printed);
	return text;
}

/* ---- the table ---- */

static void test_text(void)
{
	char *remarks[] = { "a remark", NULL };

	begin();
	stat_text_block(&st, &block);
	is_str(end(), "              3000  instructions:u  # 2.00 per cycle\n"
		      "              1500  cycles:u\n", "counts");
	begin();
	block.scaled = true;
	stat_text_block(&st, &block);
	is_str(end(), "              3000  instructions:u  # 2.00 per cycle  (25.0%)\n"
		      "              1500  cycles:u  (25.0%)\n", "of a group that took turns");
	begin();
	block.runs = 2;
	stat_text_block(&st, &block);
	is_str(end(), "              3000  instructions:u  ( +- 12.50% )  # 2.00 per cycle\n"
		      "              1500  cycles:u  ( +- 0.12% )\n", "of two runs");
	begin();
	block.runs = 2;
	block.scaled = true;
	cells[0].counted = false;
	stat_text_block(&st, &block);
	is_str(end(), "     <not counted>  instructions:u\n"
		      "     <not counted>  cycles:u\n", "of a group that did not run");
	begin();
	st.opt.interval_ms = 500;
	st.opt.per_cpu = true;
	st.nr_locations = 2;
	cells[1].ev[0].value = 4500;
	cells[1].ev[0].total = 4500;
	stat_text_block(&st, &block);
	is_str(end(),
	       "     1.500000  CPU2                 3000  instructions:u  # 2.00 per cycle\n"
	       "     1.500000  CPU2                 1500  cycles:u\n"
	       "     1.500000  CPU5                 4500  instructions:u  # 3.00 per cycle\n"
	       "     1.500000  CPU5                 1500  cycles:u\n", "of an interval, by CPU");
	begin();
	st.opt.interval_ms = 500;
	stat_text_last(&st, &block, remarks);
	ok(strstr(end(), "\n\n          1.500000  seconds\n# a remark\n"),
	   "the last interval ends with the time from the start, and remarks");
	begin();
	block.runs = 2;
	stat_text_last(&st, &block, remarks + 1);
	ok(strstr(end(), "\n\n          0.500000  seconds  ( +- 1.25% )  "
			 "# mean and standard deviation of 2 runs\n"),
	   "two runs with their mean length");
}

/* ---- JSON ---- */

static struct json_object *print_json(char *const *remarks)
{
	struct json_object *json;
	const char *text;

	is_u64(stat_json_block(&st, &block, remarks), 0, "a block is printed");
	text = end();
	ok(strchr(text, '\n') == text + strlen(text) - 1, "on one line");
	json = json_tokener_parse(text);
	if (!json)
		abort();
	return json;
}

/* A member by its path, such as "groups/0/events/1/value", as text; NULL: there is none. */
static const char *member(struct json_object *json, const char *path)
{
	char copy[128], *part, *rest = copy;

	snprintf(copy, sizeof(copy), "%s", path);
	while ((part = strsep(&rest, "/"))) {
		if (json_object_is_type(json, json_type_array))
			json = json_object_array_get_idx(json, atoi(part));
		else if (!json_object_object_get_ex(json, part, &json))
			return NULL;
	}
	return json_object_to_json_string(json);
}

#define EVENT	"groups/0/events/0/"

static void test_json(void)
{
	char *remarks[] = { "a remark", NULL };
	struct json_object *json;

	begin();
	json = print_json(NULL);
	is_str(member(json, "schema"), "\"acrctl-stat\\/1\"", "the schema");
	is_str(member(json, "time_s"), "1.5", "seconds from the start");
	is_str(member(json, "length_s"), "0.5", "its length");
	is_str(member(json, "lost_s"), "0.25", "time without counters");
	is_str(member(json, "runs"), "1", "one run");
	is_str(member(json, "deviation_percent"), NULL, "has no deviation");
	is_str(member(json, "remarks"), NULL, "remarks are for the last block");
	is_str(member(json, "groups/0/cpu"), "null", "it is not of one CPU");
	is_str(member(json, "groups/0/thread"), "null", "nor of one thread");
	is_str(member(json, "groups/0/counted"), "true", "it was counted");
	is_str(member(json, "groups/0/taken"), "false", "by nobody else");
	is_str(member(json, "groups/0/scaled"), "false", "all the time");
	is_str(member(json, "groups/0/running"), "1.0", "which is a share of 1");
	is_str(member(json, "groups/0/running_ns"), "250", "in nanoseconds");
	is_str(member(json, "groups/0/missed_ns"), "7", "and what was missed");
	is_str(member(json, "groups/0/runs"), NULL, "runs of a group are left out");
	is_str(member(json, EVENT "event"), "\"instructions\"", "an event");
	is_str(member(json, EVENT "modifiers"), "\"u\"", "its modifiers");
	is_str(member(json, EVENT "value"), "3000", "its estimate");
	is_str(member(json, EVENT "raw"), "2999", "its count");
	is_str(member(json, EVENT "reloaded"), "false", "which is a true one");
	is_str(member(json, EVENT "overflows"), "null", "without overflows");
	is_str(member(json, EVENT "deviation_percent"), NULL, "nor deviation");
	is_str(member(json, EVENT "derived/value"), "2.0", "a derived metric");
	is_str(member(json, EVENT "derived/unit"), "\"per cycle\"", "its unit");
	is_str(member(json, "groups/0/events/1/derived"), "null", "cycles have none");
	json_object_put(json);

	begin();
	block.runs = 2;
	block.scaled = true;
	cells[0].runs = 2;
	json = print_json(remarks);
	is_str(member(json, "runs"), "2", "two runs");
	is_str(member(json, "deviation_percent"), "1.25", "have a deviation");
	is_str(member(json, EVENT "deviation_percent"), "12.5", "for each event, too");
	is_str(member(json, "groups/0/runs"), "2", "a group in both");
	is_str(member(json, "groups/0/scaled"), "true", "in turns");
	is_str(member(json, "groups/0/running"), "0.25", "for a quarter of the time");
	is_str(member(json, "remarks/0"), "\"a remark\"", "a remark");
	json_object_put(json);

	begin();
	block.runs = 2;
	block.scaled = true;
	st.opt.per_cpu = true;
	st.nr_locations = 2;
	cells[1].counted = false;
	cells[1].taken = true;
	cells[1].total_ns = 0;
	json = print_json(remarks + 1);
	is_str(member(json, "groups/0/cpu"), "2", "the first CPU");
	is_str(member(json, "groups/1/cpu"), "5", "another");
	is_str(member(json, "groups/1/taken"), "true", "that somebody else has taken");
	is_str(member(json, "groups/1/scaled"), "false", "has no estimate");
	is_str(member(json, "groups/1/running"), "null", "nor a share");
	is_str(member(json, "groups/1/events/0/value"), "null", "nor counts");
	is_str(member(json, "groups/1/events/0/deviation_percent"), "null", "nor deviations");
	is_str(member(json, "remarks"), "[ ]", "no remark");
	json_object_put(json);
}

/* ---- remarks ---- */

/* As begin(), with 3 runs wanted. */
static void begin_runs(unsigned int counted, unsigned int of_group)
{
	begin();
	st.opt.repeat = 3;
	block.runs = counted;
	cells[0].runs = of_group;
}

static void expect_remarks(const char *want, const char *name)
{
	char **remarks = stat_messages_remarks(&st, &block);
	char text[1024] = "";
	size_t i, len = 0;

	for (i = 0; remarks[i]; i++)
		len += snprintf(text + len, sizeof(text) - len, "%s\n", remarks[i]);
	is_str(text, want, name);
	stat_messages_free(remarks);
	end();
}

static void test_remarks(void)
{
	begin();
	expect_remarks("", "nothing is remarkable");
	begin_runs(3, 3);
	expect_remarks("", "all runs");
	begin_runs(2, 2);
	expect_remarks("2 of 3 runs were counted, then one failed\n", "fewer runs");
	begin_runs(2, 2);
	st.target.stop_signal = 2;
	expect_remarks("2 of 3 runs were counted, then signal 2 (Interrupt) came\n",
		       "runs until a signal");
	begin_runs(3, 2);
	expect_remarks("'{instructions:u,cycles:u}' ran in 2 of 3 runs: its means are of those; "
		       "let the command run for longer, or take shorter turns with --rotate\n",
		       "a group that did not run in each");
	begin();
	st.accounts.missed_ns[0] = 999;
	expect_remarks("", "less than a microsecond without CPUs");
	begin();
	st.accounts.missed_ns[0] = 1000;
	expect_remarks("CPUs were offline or taken away for 0.000001 s in all; counts of that "
		       "time are missing\n", "a microsecond");
	begin();
	st.target.nr_tids = 1;
	st.accounts.missed_ns[0] = 999;
	expect_remarks("", "less than a microsecond of a task");
	begin();
	st.target.nr_tids = 1;
	st.accounts.missed_ns[0] = 1000;
	strcpy(st.kinds.list[0].pmu, "cpu_atom");
	expect_remarks("cpu_atom: tasks also ran for 0.000001 s on other CPUs, which its groups "
		       "do not count\n", "a microsecond of a task");
	begin();
	strcpy(st.accounts.taken.message.text, "what");
	strcpy(st.accounts.taken.message.hint, "remedy");
	expect_remarks("what; remedy\n", "what somebody has taken");
	begin();
	st.accounts.lost_ns = 125000000;
	strcpy(st.accounts.lost_why.text, "why");
	strcpy(st.accounts.lost_why.hint, "remedy");
	expect_remarks("for 0.125000 s (25.0 %) no group held counters, as others did, and counts "
		       "lack what happened then: why; remedy\n", "a quarter of the time");
}

/**
 * main() - all tests
 *
 * Return: 0 if all pass, otherwise 1.
 */
int main(void)
{
	const char *const strings[] = { "{instructions:u,cycles:u}" };
	const struct acrpmu_parse_options options = {
		.size = sizeof(options), .flags = ACRPMU_PARSE_COUNT, .pmu = "clearwaterforest",
	};
	struct acrpmu_message message;

	plan(0);
	if (acrpmu_spec_parse(strings, 1, &options, &st.spec, &message)) {
		ok(false, "%s", message.text);
		return done();
	}
	test_text();
	test_json();
	test_remarks();
	acrpmu_spec_free(st.spec);
	return done();
}
