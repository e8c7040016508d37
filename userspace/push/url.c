// SPDX-License-Identifier: GPL-2.0-only
/* URLs to send profiles to: what is accepted, and which address the server is given. */
#include "url.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HTTP		"http://"
#define HTTPS		"https://"
#define DEFAULT_PATH	"/ingest"
#define HOST_LEN	256
#define MAX_PORT	65535
/* of a byte that is not itself in a URL */
#define ESCAPE_LEN	3

/* The host begins here; NULL: the scheme is another one. */
static const char *authority(const char *url)
{
	if (!strncmp(url, HTTP, strlen(HTTP)))
		return url + strlen(HTTP);
	return strncmp(url, HTTPS, strlen(HTTPS)) ? NULL : url + strlen(HTTPS);
}

/* The host of @at without brackets; returns what follows it, NULL: it is none. */
static const char *take_host(const char *at, char *host)
{
	static const char names[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
	bool bracket = *at == '[';
	size_t len = strspn(at + bracket, bracket ? "0123456789abcdefABCDEF:." : names);

	if (!len || len >= HOST_LEN || (bracket && at[1 + len] != ']'))
		return NULL;
	memcpy(host, at + bracket, len);
	host[len] = '\0';
	return at + len + 2 * bracket;
}

/* A port if there is one; returns what follows it, NULL: it is none. */
static const char *take_port(const char *at)
{
	unsigned long port;
	char *end;

	if (*at != ':')
		return at;
	if (!isdigit((unsigned char)at[1]))
		return NULL;
	port = strtoul(at + 1, &end, 10);
	return port && port <= MAX_PORT ? end : NULL;
}

/**
 * push_url_refusal() - check a URL
 *
 * Only what every parser of URLs understands alike is accepted, because where a secret may be sent
 * is decided here.
 *
 * Return: why it is refused, and what to write instead; NULL: it is accepted.
 */
const char *push_url_refusal(const char *url)
{
	const char *at = authority(url);
	char host[HOST_LEN];
	size_t i;

	if (strlen(url) >= PUSH_URL_LEN)
		return "is too long; a URL has up to 2047 characters";
	for (i = 0; url[i]; i++) {
		if (!isgraph((unsigned char)url[i]) || strchr("\\\"<>^`{|}", url[i]))
			return "has a character that no URL has; write it as %XX";
	}
	if (!at)
		return "begins with neither https:// nor http://; write it like https://profiles.example.org:4040";
	if (memchr(at, '@', strcspn(at, "/?#")))
		return "has a user or password, which others would see; use --push-token-file";
	if (strchr(at, '#'))
		return "has a fragment (#), which no server receives; leave it out";
	at = take_host(at, host);
	if (!at)
		return "names no host; write it like https://profiles.example.org:4040";
	at = take_port(at);
	if (!at || !strchr("/?", *at))
		return "has no valid port; write it like https://profiles.example.org:4040";
	return NULL;
}

/**
 * push_url_is_secure() - check whether what is sent to an accepted URL is encrypted
 */
bool push_url_is_secure(const char *url)
{
	return !strncmp(url, HTTPS, strlen(HTTPS));
}

/**
 * push_url_is_loopback() - check whether the host of an accepted URL is an address of this machine
 *
 * Names do not count: who answers for them may lie.
 */
bool push_url_is_loopback(const char *url)
{
	struct in6_addr six;
	struct in_addr four;
	char host[HOST_LEN];

	if (!take_host(authority(url), host))
		return false;
	if (inet_pton(AF_INET, host, &four) == 1)
		return ntohl(four.s_addr) >> 24 == IN_LOOPBACKNET;
	return inet_pton(AF_INET6, host, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

/**
 * push_url_shown() - find how much of a URL may be printed
 *
 * A query may hold a secret.
 *
 * Return: the number of characters.
 */
int push_url_shown(const char *url)
{
	return strcspn(url, "?");
}

static char *put_escaped(char *to, const char *text)
{
	for (; *text; text++) {
		unsigned char c = *text;

		if (isascii(c) && (isalnum(c) || strchr("-._~", c)))
			*to++ = c;
		else
			to += sprintf(to, "%%%02X", c);
	}
	return to;
}

/**
 * push_url_with() - append parameters to an accepted URL
 * @params: pairs of a name and a value, then NULL; one with an empty value is left out
 *
 * Without a path it becomes that of Pyroscope.
 *
 * Return: the URL, for free(3); NULL: out of memory.
 */
char *push_url_with(const char *url, const char *const *params)
{
	size_t path = strcspn(authority(url), "/?") + (authority(url) - url);
	size_t shown = push_url_shown(url), len = strlen(url) + strlen(DEFAULT_PATH) + 1;
	bool bare = path == shown || path + 1 == shown;
	char separator = url[shown] && url[shown + 1] ? '&' : '?';
	const char *query = separator == '&' ? url + shown : "";
	char *out, *to;
	size_t i;

	for (i = 0; params[i]; i += 2)
		len += 2 + strlen(params[i]) + ESCAPE_LEN * strlen(params[i + 1]);
	out = malloc(len);
	if (!out)
		return NULL;
	to = out + sprintf(out, "%.*s%s%s", (int)(bare ? path : shown), url,
			   bare ? DEFAULT_PATH : "", query);
	for (i = 0; params[i]; i += 2) {
		if (!*params[i + 1])
			continue;
		to += sprintf(to, "%c%s=", separator, params[i]);
		to = put_escaped(to, params[i + 1]);
		*to = '\0';
		separator = '&';
	}
	return out;
}
