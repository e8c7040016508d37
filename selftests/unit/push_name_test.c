// SPDX-License-Identifier: GPL-2.0-only
/* Names of profiles with their labels. */
#include "tap.h"
#include "userspace/acrctl/fleet/name.h"

static void expect(const char *name, const char *label, const char *value, const char *want)
{
	char got[PUSH_NAME_LEN] = "";

	ok(push_name_add(name, label, value, got), "%s has room for %s", name, label);
	is_str(got, want, "%s with %s", name, label);
}

static void test_room(void)
{
	char name[PUSH_NAME_LEN + 1], got[PUSH_NAME_LEN];

	memset(name, 'a', sizeof(name));
	name[PUSH_NAME_LEN - 1] = '\0';
	ok(push_name_is_valid(name), "a name of %d bytes is one", PUSH_NAME_LEN - 1);
	ok(!push_name_add(name, "host", "h", got), "which has no room for a label");
	name[PUSH_NAME_LEN - 1] = 'a';
	name[PUSH_NAME_LEN] = '\0';
	ok(!push_name_is_valid(name), "a longer one is none");
	/* {host=h} has 8 bytes */
	name[PUSH_NAME_LEN - 1 - 8] = '\0';
	ok(push_name_add(name, "host", "h", got), "what just fits is taken");
	is_u64(strlen(got), PUSH_NAME_LEN - 1, "as a whole");
	name[PUSH_NAME_LEN - 1 - 8] = 'a';
	name[PUSH_NAME_LEN - 8] = '\0';
	ok(!push_name_add(name, "host", "h", got), "and one byte more is not");
}

int main(void)
{
	static const char *const good[] = {
		"web", "a.b_c/d-e", "web{env=test}", "web{env=test,region=eu-1}", "w{a=/x:y}",
	};
	static const char *const bad[] = {
		"", "{x}", "{a=b}", "a{", "a{}", "a{b}", "a{b=}", "a{=c}", "a{1b=c}", "a{b=c",
		"a{b=c}d", "a{b=c,}", "a{b=c}}", "a b", "a{b=c d}", "a{b=\"c\"}", "a,b=c}",
	};
	size_t i;

	plan(0);
	for (i = 0; i < sizeof(good) / sizeof(*good); i++)
		ok(push_name_is_valid(good[i]), "%s is a name", good[i]);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		ok(!push_name_is_valid(bad[i]), "'%s' is none", bad[i]);
	expect("web", "host", "h1", "web{host=h1}");
	expect("web{env=test}", "host", "h1", "web{env=test,host=h1}");
	expect("web{host=mine}", "host", "h1", "web{host=mine}");
	expect("web{myhost=x}", "host", "h1", "web{myhost=x,host=h1}");
	expect("web", "host", "", "web");
	expect("web", "host", "a b,c\xc3", "web{host=a_b_c_}");
	test_room();
	return done();
}
