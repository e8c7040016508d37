// SPDX-License-Identifier: GPL-2.0-only
/* Tests of progress on a made-up terminal, by a made-up clock. */
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "userspace/acrctl/ui/color.h"
#include "userspace/acrctl/ui/progress.h"

#define SEC	1000000000ULL

static __u64 clock_ns;
static char *printed;
static size_t printed_len;

static __u64 read_clock(void)
{
	return clock_ns;
}

static struct progress begin(unsigned int columns, const char *name, const char *unit)
{
	struct progress p = { .columns = columns, .now_ns = read_clock };

	p.out = open_memstream(&printed, &printed_len);
	clock_ns = 100 * SEC;
	progress_start(&p, "reading", name, unit);
	return p;
}

static const char *step(struct progress *p, __u64 after_ns, __u64 done, __u64 total)
{
	size_t before = printed_len;

	clock_ns = 100 * SEC + after_ns;
	progress_step(p, done, total);
	return printed ? printed + before : "";
}

static void end(struct progress *p)
{
	FILE *f = p->out;

	progress_end(p);
	fclose(f);
	free(printed);
	printed = NULL;
	printed_len = 0;
}

static void test_times(void)
{
	struct progress p = begin(80, "x", "records");
	FILE *f = p.out;

	is_str(step(&p, 0, 1, 100), "", "nothing at once");
	is_str(step(&p, 2 * SEC - 1, 10, 100), "", "nor before two seconds have passed");
	is_str(step(&p, 2 * SEC, 50, 100), "acrctl: reading x: 50 %\r", "then a line");
	is_str(step(&p, 2 * SEC + SEC / 10, 55, 100), "", "which is not printed too often");
	is_str(step(&p, 2 * SEC + SEC / 5, 60, 100), "acrctl: reading x: 60 %\r", "but again");
	progress_end(&p);
	is_str(printed + printed_len - 25, "\r                       \r", "and erased at the end");
	is_str(step(&p, 9 * SEC, 99, 100), "", "after which there is none");
	p.out = f;
	end(&p);
}

static void test_texts(void)
{
	struct progress p = begin(80, "x", "records");

	is_str(step(&p, 2 * SEC, 123456, 0), "acrctl: reading x: 123456 records\r", "no total");
	is_str(step(&p, 3 * SEC, 1, 3), "acrctl: reading x: 33 %          \r",
	       "what is left of a longer line is overwritten");
	end(&p);
	p = begin(80, "x", NULL);
	is_str(step(&p, 2 * SEC, 3 << 19, 0), "acrctl: reading x: 1.5 MiB\r", "bytes");
	is_str(step(&p, 3 * SEC, 4 << 20, 1 << 20), "acrctl: reading x: 4.0 MiB\r",
	       "more than all is no share");
	end(&p);
	p = begin(30, "/a/long/name/of/a/recording", "records");
	is_str(step(&p, 2 * SEC, 7, 100), "acrctl: reading /a/long/: 7 %\r",
	       "a long name leaves room for the number");
	end(&p);
	p = begin(80, "\033[2Jname\n", "records");
	is_str(step(&p, 2 * SEC, 7, 100), "acrctl: reading ?[2Jname?: 7 %\r",
	       "no name commands the terminal");
	end(&p);
}

static void test_colors(void)
{
	FILE *f = open_memstream(&printed, &printed_len);

	setenv("TERM", "xterm", 1);
	unsetenv("NO_COLOR");
	ok(!color_terminal(f) && !color_wanted(f), "what is no terminal has no colours");
	color_begin(f, COLOR_RED);
	fputs("text", f);
	color_end(f, COLOR_RED);
	fclose(f);
	is_str(printed, "text", "and gets none");
	free(printed);
	printed = NULL;
	printed_len = 0;
}

int main(void)
{
	plan(0);
	test_times();
	test_texts();
	test_colors();
	return done();
}
