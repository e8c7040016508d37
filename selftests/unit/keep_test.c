// SPDX-License-Identifier: GPL-2.0-only
/* Bytes made UTF-8, and tuples kept once, both against other ways to find out. */
#include <iconv.h>
#include <stdlib.h>

#include "tap.h"
#include "userspace/util/tuples.h"
#include "userspace/util/utf8.h"

#define TRIALS		200000
#define BYTES		6
#define TUPLES		5000

static bool iconv_accepts(iconv_t cd, const char *text)
{
	char wide[4 * BYTES + 4], *in = (char *)text, *out = wide;
	size_t in_left = strlen(text), out_left = sizeof(wide);

	iconv(cd, NULL, NULL, NULL, NULL);
	return iconv(cd, &in, &in_left, &out, &out_left) != (size_t)-1;
}

/* Half of them near the bounds of valid characters. */
static void random_text(char *text)
{
	static const unsigned char edges[] = {
		0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef,
		0xf0, 0xf4, 0xf5, 0xff,
	};
	size_t i, len = 1 + rand() % (BYTES - 1);

	for (i = 0; i < len; i++)
		text[i] = rand() % 2 ? edges[rand() % sizeof(edges)] : 1 + rand() % 255;
	text[len] = 0;
}

static void test_utf8(void)
{
	iconv_t cd = iconv_open("UTF-32LE", "UTF-8");
	char text[BYTES + 1], clean[UTF8_GROWTH * BYTES + 1];
	unsigned int i, disagree = 0, invalid = 0;

	for (i = 0; i < TRIALS; i++) {
		bool valid;

		random_text(text);
		valid = iconv_accepts(cd, text);
		utf8_clean(clean, sizeof(clean), text);
		/* a text changes only if it must, and is valid then */
		disagree += valid != !strcmp(clean, text) || !iconv_accepts(cd, clean);
		invalid += !valid;
	}
	iconv_close(cd);
	ok(invalid > TRIALS / 4 && invalid < TRIALS, "texts of both kinds were tried");
	is_u64(disagree, 0, "exactly what is not UTF-8 is replaced");
	utf8_clean(clean, sizeof(clean), "a\xff\xe2\x82z");
	is_str(clean, "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz", "each invalid byte is replaced");
	is_u64(utf8_clean(clean, 4, "ab\xc3\xa9"), 2, "a character that does not fit is left out");
	is_str(clean, "ab", "and the copy ends");
}

static void test_tuples(void)
{
	size_t first, nr = 0, i, wrong = 0, len;
	struct tuples t = { 0 };
	uint64_t words[8];
	bool added;

	/* a number below 2500 stands for each tuple twice */
	for (i = 0; i < TUPLES; i++) {
		size_t n = i % (TUPLES / 2), j;

		for (j = 0; j < 1 + n % 8; j++)
			words[j] = n / 8 + (j ? 0 : n % 8);
		wrong += tuples_add(&t, words, 1 + n % 8, &added) != n || added != (i == n);
		nr += added;
	}
	is_u64(wrong, 0, "tuples are numbered as they come, and found again");
	is_u64(nr, TUPLES / 2, "each is kept once");
	first = tuples_get(&t, 9, &len)[0];
	ok(first == 2 && len == 2, "a tuple is returned by its number");
	memset(words, 0, sizeof(words));
	first = tuples_add(&t, words, 0, &added);
	ok(added && tuples_add(&t, words, 2, &added) == first + 1 && added,
	   "tuples of other lengths differ");
	tuples_clear(&t);
	ok(!t.nr && !tuples_add(&t, words, 1, NULL), "after clearing, numbers begin again");
	tuples_free(&t);
	ok(!t.words && !t.nr, "and nothing remains");
}

int main(void)
{
	plan(0);
	test_utf8();
	test_tuples();
	return done();
}
