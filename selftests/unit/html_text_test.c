// SPDX-License-Identifier: GPL-2.0-only
/* Tests of names as text of a page. */
#include <stdlib.h>

#include "tap.h"
#include "userspace/acrctl/html/text.h"

#define LEN	20
#define ODD	"\xef\xbf\xbd"	/* in place of what is not shown */

static const struct {
	int line;
	const char *text, *html, *json;
} cases[] = {
	{ __LINE__, "", "", "\"\"" },
	{ __LINE__, "main", "main", "\"main\"" },
	{ __LINE__, "</script><!--", "&#60;/script&#62;&#60;!--",
	  "\"\\u003c/script\\u003e\\u003c!--\"" },
	{ __LINE__, "a \"b\" 'c' & \\d", "a &#34;b&#34; &#39;c&#39; &#38; \\d",
	  "\"a \\u0022b\\u0022 'c' \\u0026 \\u005cd\"" },
	{ __LINE__, "\x1b[2J\t\n\x7f", ODD "[2J" ODD ODD ODD, "\"" ODD "[2J" ODD ODD ODD "\"" },
	{ __LINE__, "\xc3\xa9\xff\xc3", "\xc3\xa9" ODD ODD, "\"\xc3\xa9" ODD ODD "\"" },
	/* U+0085, U+00A0, U+202E, U+2029, U+2066, U+206A */
	{ __LINE__, "\xc2\x85\xc2\xa0", ODD "\xc2\xa0", "\"" ODD "\xc2\xa0\"" },
	{ __LINE__, "\xe2\x80\xae\xe2\x80\xa9", ODD "\xe2\x80\xa9", "\"" ODD "\xe2\x80\xa9\"" },
	{ __LINE__, "\xe2\x81\xa6\xe2\x81\xaa", ODD "\xe2\x81\xaa", "\"" ODD "\xe2\x81\xaa\"" },
};

static char *written(void (*put)(FILE *, const char *, size_t), const char *text, size_t max)
{
	size_t len;
	char *got;
	FILE *out = open_memstream(&got, &len);

	put(out, text, max);
	fclose(out);
	return got;
}

static void test_cases(void)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *html = written(text_html, cases[i].text, TEXT_WHOLE);
		char *json = written(text_json, cases[i].text, TEXT_NAME_MAX);

		is_str(html, cases[i].html, "line %d, HTML", cases[i].line);
		is_str(json, cases[i].json, "line %d, JSON", cases[i].line);
		free(html);
		free(json);
	}
}

static void test_length(void)
{
	char name[2 * LEN + 1], *got;

	memset(name, 'x', sizeof(name));
	name[LEN] = 0;
	got = written(text_html, name, LEN);
	is_str(got, name, "a name of the greatest length stays whole");
	free(got);
	/* a character of two bytes of which only the first would fit */
	strcpy(name + LEN - 1, "\xc3\xa9");
	got = written(text_html, name, LEN);
	is_u64(strlen(got), LEN - 1 + strlen("\xe2\x80\xa6"),
	       "a longer one ends before a character that does not fit");
	ok(strstr(got, "x\xe2\x80\xa6"), "and with an ellipsis");
	free(got);
}

int main(void)
{
	plan(0);
	test_cases();
	test_length();
	return done();
}
