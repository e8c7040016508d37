// SPDX-License-Identifier: GPL-2.0-only
/* Tests of keys: what each changes, and which rows are on the screen. */
#include <stdlib.h>

#include "tap.h"
#include "userspace/acrctl/top/show.h"

#define NR_RANDOM	100000

static struct show begin(void)
{
	struct show s = { .view = { .recent = true }, .nr_events = 2 };

	show_per_symbol(&s);
	show_fit(&s, 100, 10);
	return s;
}

static void take(struct show *s, const char *keys)
{
	for (; *keys; keys++)
		show_take_key(s, (unsigned char)*keys);
}

static unsigned int chosen(const struct show *s)
{
	unsigned int i, keys = 0;

	for (i = 0; i < HIST_NR_KEYS; i++)
		keys |= s->view.chosen[i] << i;
	return keys;
}

static void test_views(void)
{
	struct show s = begin();

	is_u64(chosen(&s), 0x30, "at first files and symbols");
	take(&s, "c");
	is_u64(chosen(&s), 0x38, "c: with CPUs");
	take(&s, "t");
	is_u64(chosen(&s), 0x33, "t: with commands and processes instead");
	take(&s, "s");
	is_u64(chosen(&s), 0x30, "s: with neither");
	take(&s, "d");
	ok(!s.view.recent, "d: all samples since the start");
	take(&s, "d");
	ok(s.view.recent, "d: recent ones again");
	take(&s, "e");
	is_u64(s.view.event, 1, "e: the next event");
	take(&s, "e");
	is_u64(s.view.event, 0, "e: after the last comes the first");
	take(&s, "z");
	ok(s.clear && !s.quit, "z: forget all samples");
	take(&s, " ");
	ok(s.paused, "space: pause");
	take(&s, "p");
	ok(!s.paused, "p: the same, so that it goes on");
	take(&s, "q");
	ok(s.quit, "q: quit");
}

static void test_order(void)
{
	struct show s = begin();

	take(&s, ">");
	is_u64(s.view.order, TALLY_BY_SAMPLES, ">: the column on the right");
	take(&s, ">");
	is_u64(s.view.order, TALLY_BY_KEY + HIST_DSO, ">: only columns that are shown");
	take(&s, ">>");
	is_u64(s.view.order, TALLY_BY_OVERHEAD, ">: after the last comes the first");
	take(&s, "<");
	is_u64(s.view.order, TALLY_BY_KEY + HIST_SYM, "<: and the other way round");
	take(&s, "r");
	ok(s.view.reversed, "r: reversed");
	take(&s, "<");
	ok(!s.view.reversed, "another column has its usual order");
	take(&s, "c<");
	is_u64(s.view.order, TALLY_BY_KEY + HIST_CPU, "<: new columns take part");
	take(&s, "s");
	is_u64(s.view.order, TALLY_BY_OVERHEAD, "a column that goes does not order rows");
}

static void test_filter(void)
{
	struct show s = begin();
	unsigned int i;

	take(&s, "/qez?");
	is_str(s.filter, "qez?", "/: keys are text");
	ok(!s.quit && !s.clear && s.cover == SHOW_TABLE, "and no commands");
	show_take_key(&s, SHOW_KEY_ERASE);
	is_str(s.filter, "qez", "the last character is erased");
	take(&s, "\xc3\xa9");
	show_take_key(&s, SHOW_KEY_ERASE);
	is_str(s.filter, "qez", "as a whole");
	show_take_key(&s, SHOW_KEY_UP);
	show_take_key(&s, 1);
	is_str(s.filter, "qez", "other keys are no text");
	show_take_key(&s, SHOW_KEY_ENTER);
	ok(!s.typing && !strcmp(s.filter, "qez"), "Enter keeps it");
	show_take_key(&s, SHOW_KEY_ESCAPE);
	is_str(s.filter, "", "Esc removes it later");
	take(&s, "/x");
	show_take_key(&s, SHOW_KEY_ESCAPE);
	ok(!s.typing && !*s.filter, "and while it is typed");
	take(&s, "/");
	for (i = 0; i < 3 * SHOW_FILTER_LEN; i++)
		take(&s, "y");
	is_u64(strlen(s.filter), SHOW_FILTER_LEN - 1, "its length is limited");
	for (i = 0; i < 3 * SHOW_FILTER_LEN; i++)
		show_take_key(&s, SHOW_KEY_ERASE);
	is_str(s.filter, "", "there is nothing before its beginning");
}

static void test_cover(void)
{
	struct show s = begin();

	take(&s, "?");
	is_u64(s.cover, SHOW_HELP, "?: help");
	take(&s, "q");
	ok(s.cover == SHOW_TABLE && !s.quit, "any key goes back, q too");
	show_take_key(&s, SHOW_KEY_ENTER);
	is_u64(s.cover, SHOW_DETAILS, "Enter: the selected row");
	take(&s, "x");
	is_u64(s.cover, SHOW_TABLE, "any key goes back");
	show_fit(&s, 0, 10);
	show_take_key(&s, SHOW_KEY_ENTER);
	is_u64(s.cover, SHOW_TABLE, "without a row there are no details");
}

static void test_selection(void)
{
	struct show s = begin();

	take(&s, "jjj");
	is_u64(s.selected, 3, "j: down");
	take(&s, "k");
	show_take_key(&s, SHOW_KEY_UP);
	is_u64(s.selected, 1, "k, arrow: up");
	show_take_key(&s, SHOW_KEY_PAGE_DOWN);
	show_fit(&s, 100, 10);
	ok(s.selected == 11 && s.first == 2, "a page down: the screen follows");
	show_take_key(&s, SHOW_KEY_END);
	show_fit(&s, 100, 10);
	ok(s.selected == 99 && s.first == 90, "the last row");
	show_fit(&s, 95, 10);
	ok(s.selected == 94 && s.first == 85, "fewer rows: still the last one");
	show_fit(&s, 95, 40);
	ok(s.selected == 94 && s.first == 55, "a taller screen has no empty lines");
	show_fit(&s, 5, 40);
	ok(s.selected == 4 && s.first == 0, "few rows begin at the top");
	show_take_key(&s, SHOW_KEY_HOME);
	is_u64(s.selected, 0, "the first row");
	show_take_key(&s, SHOW_KEY_PAGE_UP);
	is_u64(s.selected, 0, "there is none before");
	show_fit(&s, 0, 10);
	take(&s, "jk");
	ok(s.selected == 0 && s.first == 0, "no rows: nothing is selected");
}

/* Whatever is typed, what is drawn exists. */
static void test_random(void)
{
	struct show s = begin();
	unsigned int i, bad = 0;

	srandom(1);
	for (i = 0; i < NR_RANDOM; i++) {
		show_take_key(&s, 1 + random() % SHOW_KEY_ERASE);
		show_fit(&s, random() % 50, random() % 30);
		bad += s.nr_rows && s.selected >= s.nr_rows;
		bad += s.selected < s.first || s.selected >= s.first + s.page;
		bad += s.view.event >= s.nr_events || s.view.order >= TALLY_NR_ORDERS;
		bad += strlen(s.filter) >= SHOW_FILTER_LEN;
	}
	is_u64(bad, 0, "%u random keys: the selection is a row, and on the screen", NR_RANDOM);
}

int main(void)
{
	plan(0);
	test_views();
	test_order();
	test_filter();
	test_cover();
	test_selection();
	test_random();
	return done();
}
