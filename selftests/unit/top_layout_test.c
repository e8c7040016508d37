// SPDX-License-Identifier: GPL-2.0-only
/* Tests of columns and cells: exact widths, and nothing that commands a terminal. */
#include <locale.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

#include "tap.h"
#include "userspace/acrctl/top/layout.h"

#define MIN_WIDTH	40
#define MAX_WIDTH	300
#define NR_RANDOM	20000
#define TEXT_LEN	64

static const char *cell(const char *text, unsigned int width, bool right)
{
	static char out[LAYOUT_CELL_LEN];

	layout_cell(out, text, width, right);
	return out;
}

static void test_cells(void)
{
	is_str(cell("main", 6, false), "main  ", "a text is padded");
	is_str(cell("12", 6, true), "    12", "a number on the left");
	is_str(cell("main", 4, false), "main", "a text that fits exactly is whole");
	is_str(cell("main", 3, false), "ma~", "a text that does not fit is cut and marked");
	is_str(cell("12345", 4, true), "123~", "also on the right");
	is_str(cell("main", 1, false), "~", "one column");
	is_str(cell("main", 0, false), "", "none");
	is_str(cell("", 3, true), "   ", "an empty text");
	is_str(cell("\033[2J\a\r\n\t\x7f", 10, false), "?[2J????? ", "control characters");
	is_str(cell("\302\2332J", 4, false), "?2J ", "those of 8 bits");
	is_str(cell("\xff\xc3", 4, false), "??  ", "bytes that are no characters");
	is_str(cell("\xc3\xa9t\xc3\xa9", 4, false), "\xc3\xa9t\xc3\xa9 ", "letters of two bytes");
	is_str(cell("\xe6\xbc\xa2\xe5\xad\x97", 6, false), "\xe6\xbc\xa2\xe5\xad\x97  ",
	       "characters of two columns");
	is_str(cell("\xe6\xbc\xa2\xe5\xad\x97", 3, false), "\xe6\xbc\xa2~", "cut between them");
	is_str(cell("\xe6\xbc\xa2\xe5\xad\x97", 2, false), " ~", "there is no half of one");
	is_str(cell("a\xcc\x81", 3, false), "a? ", "what would change the character before it");
	is_str(cell("\342\200\256abc", 4, false), "?abc", "what would reverse the line");
}

static void test_locale_c(void)
{
	setlocale(LC_CTYPE, "C");
	is_str(cell("\xc3\xa9t", 4, false), "??t ", "in the C locale there is only ASCII");
	setlocale(LC_CTYPE, "C.UTF-8");
}

/* By other functions of the C library than those in use: -1 for what must not be printed. */
static int width_of(const char *text)
{
	wchar_t wide[LAYOUT_CELL_LEN];
	size_t i, len = mbstowcs(wide, text, LAYOUT_CELL_LEN);

	if (len == (size_t)-1)
		return -1;
	for (i = 0; i < len; i++) {
		if (iswcntrl(wide[i]))
			return -1;
	}
	return wcswidth(wide, len);
}

static unsigned int random_below(unsigned int limit)
{
	static __u64 state = 54321;

	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (state >> 33) % limit;
}

static void test_random(void)
{
	static const char *const parts[] = {
		"a", "\xe6\xbc\xa2", "\xc3\xa9", "\033", "\xff", "\xe2\x80\xae", "\xf0\x9f\x98\x80",
		"\xc2\x85", "\xe2", "\x80",
	};
	unsigned int i, k, width, bad = 0;
	char text[TEXT_LEN * 4];

	for (i = 0; i < NR_RANDOM; i++) {
		*text = 0;
		for (k = random_below(TEXT_LEN); k; k--)
			strcat(text, parts[random_below(sizeof(parts) / sizeof(*parts))]);
		width = random_below(TEXT_LEN);
		bad += width_of(cell(text, width, i % 2)) != (int)width;
	}
	is_u64(bad, 0, "random bytes: each of %u cells is exactly as wide as asked", NR_RANDOM);
}

static void test_pieces(void)
{
	char out[LAYOUT_CELL_LEN];
	const char *rest = layout_piece(out, "abcdefg", 3);

	is_str(out, "abc", "a piece of a text");
	is_str(rest, "defg", "and its rest");
	rest = layout_piece(out, "ab\xe6\xbc\xa2", 3);
	is_str(out, "ab ", "a wide character is for the next piece");
	is_str(rest, "\xe6\xbc\xa2", "as a whole");
}

static bool fits(const struct layout *l, unsigned int width)
{
	unsigned int i, end = 0;

	for (i = 0; i < l->nr; i++) {
		const struct layout_column *c = &l->columns[i];

		if (!c->width || c->at < end + (i ? LAYOUT_GAP : 0))
			return false;
		end = c->at + c->width;
	}
	return end == width;
}

static bool has_all(const struct layout *l, unsigned int keys)
{
	unsigned int i, order, shown = 0;

	for (i = 0; i < l->nr; i++) {
		order = l->columns[i].order;
		if (order >= TALLY_BY_KEY)
			shown |= 1U << (order - TALLY_BY_KEY);
	}
	return shown == keys && l->columns[0].order == TALLY_BY_OVERHEAD;
}

static void test_columns(void)
{
	unsigned int mask, width, k, bad = 0, dropped = 0;
	struct layout l;

	for (mask = 1; mask < 1U << HIST_NR_KEYS; mask++) {
		bool chosen[HIST_NR_KEYS];

		for (k = 0; k < HIST_NR_KEYS; k++)
			chosen[k] = mask >> k & 1;
		for (width = MIN_WIDTH; width <= MAX_WIDTH; width++) {
			layout_make(&l, chosen, width);
			bad += !fits(&l, width);
			dropped += width >= 80 && !has_all(&l, mask);
		}
	}
	is_u64(bad, 0, "whatever the keys, columns neither overlap nor leave the terminal");
	is_u64(dropped, 0, "from 80 columns on, each key has one");
}

/* Columns by hand: 8 and 9 for the numbers, gaps of 2. */
static void test_narrow(void)
{
	const bool chosen[HIST_NR_KEYS] = {
		[HIST_COMM] = true, [HIST_DSO] = true, [HIST_SYM] = true,
	};
	struct layout l;

	layout_make(&l, chosen, 120);
	ok(l.columns[2].width == 15 && l.columns[3].width == 24 && l.columns[4].at == 64 &&
	   l.columns[4].width == 56, "a wide terminal: the symbol gets the rest");
	layout_make(&l, chosen, 80);
	ok(l.columns[2].width == 15 && l.columns[3].width == 12 && l.columns[4].at == 52,
	   "80 columns: files get less");
	layout_make(&l, chosen, 65);
	ok(l.columns[2].width == 8 && l.columns[3].width == 12 && l.columns[4].at == 45,
	   "65 columns: commands too");
	layout_make(&l, chosen, 50);
	ok(l.nr == 4 && l.columns[1].at == 10 && l.columns[3].at == 34 && l.columns[3].width == 16,
	   "50 columns: there is no number of samples");
}

static void test_values(void)
{
	struct tally_row row = {
		.level = 'k', .keys = { "bash", "12", "13", "3", "vmlinux", "do_idle" },
		.sum = { 41.6, 1000 }, .percent = 12.345,
	};
	static const char *const want[TALLY_NR_ORDERS] = {
		"12.35%", "42", "bash", "12", "13", "3", "vmlinux", "[k] do_idle",
	};
	unsigned int i;

	for (i = 0; i < TALLY_NR_ORDERS; i++) {
		const struct layout_column c = { .order = i };
		char *text = layout_value(&c, &row);

		is_str(text, want[i], "value of column %u", i);
		free(text);
	}
}

int main(void)
{
	plan(0);
	if (!setlocale(LC_CTYPE, "C.UTF-8")) {
		skip(1, "there is no locale C.UTF-8");
		return done();
	}
	test_cells();
	test_locale_c();
	test_random();
	test_pieces();
	test_columns();
	test_narrow();
	test_values();
	return done();
}
