// SPDX-License-Identifier: GPL-2.0-only
/* Strings kept once, each with a number. */
#include "tap.h"
#include "userspace/util/intern.h"

#define MANY	5000

int main(void)
{
	struct intern t = { 0 };
	unsigned int i, wrong = 0;
	char text[16];

	plan(0);
	is_u64(intern_add(&t, ""), 0, "the first has number 0");
	is_u64(intern_add(&t, "one"), 1, "the next follows");
	is_u64(intern_add(&t, ""), 0, "a known one keeps its number");
	for (i = 2; i < MANY; i++) {
		snprintf(text, sizeof(text), "text %u", i);
		wrong += intern_add(&t, text) != i;
	}
	is_u64(wrong, 0, "many get a number each");
	for (i = 2; i < MANY; i++) {
		snprintf(text, sizeof(text), "text %u", i);
		wrong += intern_add(&t, text) != i || strcmp(t.texts[i], text);
	}
	is_u64(wrong, 0, "and keep it, with a copy of their bytes");
	is_u64(t.nr, MANY, "without gaps");
	intern_free(&t);
	ok(!t.nr && !t.texts, "nothing is left in the end");
	is_u64(intern_add(&t, "again"), 0, "then it can be used again");
	intern_free(&t);
	return done();
}
