// SPDX-License-Identifier: GPL-2.0-only
/* URLs of servers: which are accepted, and what is added to them. */
#include <stdlib.h>

#include "tap.h"
#include "userspace/push/url.h"

static void test_urls(void)
{
	static const char *const good[] = {
		"http://localhost", "https://h:4040", "https://h.example/a/b?tenant=x",
		"http://[::1]:80/", "https://10.0.0.1/ingest", "https://a_b-c.d?x",
	};
	static const char *const bad[] = {
		"", "h", "ftp://h", "HTTP://h", "http://", "http:///x", "http://:80", "http://h:",
		"http://h:0", "http://h:65536", "http://h:8x", "http://u@h", "http://u:p@h/",
		"http://h/#f", "http://h/a b", "http://h\\@x", "http://[::1", "http://[x]",
		"http://h/\n", "http://h\t", "http://h\x80", "http://[::1]x", "http://h%41/",
	};
	unsigned int i;

	for (i = 0; i < sizeof(good) / sizeof(*good); i++)
		is_str(push_url_refusal(good[i]), NULL, "%s is accepted", good[i]);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		ok(push_url_refusal(bad[i]), "bad URL %u is refused", i);
	ok(strstr(push_url_refusal("http://u:p@h/") ?: "", "--push-token-file"),
	   "a password is refused with what to do instead");
	ok(!push_url_refusal("https://h/@x"), "an @ in the path is none");
}

static void test_loopback(void)
{
	ok(push_url_is_loopback("http://127.0.0.1:80/") && push_url_is_loopback("http://127.1.2.3"),
	   "127.0.0.0/8 is this machine");
	ok(push_url_is_loopback("http://[::1]"), "and ::1");
	ok(!push_url_is_loopback("http://localhost") && !push_url_is_loopback("http://127.1") &&
	   !push_url_is_loopback("http://127.0.0.1.example.org") &&
	   !push_url_is_loopback("http://[::2]") && !push_url_is_loopback("http://128.0.0.1"),
	   "names and other addresses are not");
	ok(push_url_is_secure("https://h") && !push_url_is_secure("http://h"), "https is secure");
}

static void is_with(const char *url, const char *want)
{
	static const char *const params[] = {
		"name", "a{b=c d,e=\xc3\xa4&}", "none", "", "from", "1", NULL
	};
	char *got = push_url_with(url, params);

	is_str(got, want, "%s with parameters", url);
	free(got);
}

int main(void)
{
	plan(0);
	test_urls();
	test_loopback();
	is_with("http://h", "http://h/ingest?name=a%7Bb%3Dc%20d%2Ce%3D%C3%A4%26%7D&from=1");
	is_with("http://h/", "http://h/ingest?name=a%7Bb%3Dc%20d%2Ce%3D%C3%A4%26%7D&from=1");
	is_with("http://h:1/p", "http://h:1/p?name=a%7Bb%3Dc%20d%2Ce%3D%C3%A4%26%7D&from=1");
	is_with("http://h/p?x=y", "http://h/p?x=y&name=a%7Bb%3Dc%20d%2Ce%3D%C3%A4%26%7D&from=1");
	is_with("http://h?x", "http://h/ingest?x&name=a%7Bb%3Dc%20d%2Ce%3D%C3%A4%26%7D&from=1");
	is_with("http://h/p?", "http://h/p?name=a%7Bb%3Dc%20d%2Ce%3D%C3%A4%26%7D&from=1");
	is_u64(push_url_shown("http://h/p?token=x"), strlen("http://h/p"), "a query is not shown");
	return done();
}
