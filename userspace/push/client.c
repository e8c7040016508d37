// SPDX-License-Identifier: GPL-2.0-only
/* Sending one profile after another by HTTP. */
#include "client.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util/message.h"
#include "../util/util.h"
#include "curl_api.h"
#include "url.h"

#define NUMBER_LEN	24
#define HEADER_LEN	8448		/* room for a token */
#define CONNECT_MS	10000L
/* of an answer, which nobody reads but for its beginning */
#define ANSWER_BYTES	65536
#define SHOWN_BYTES	96

struct push_client {
	struct push_access access;
	const struct push_curl *curl;
	CURLM *multi;
	CURL *easy;
	curl_mime *form;		/* of the request in progress, NULL: none is */
	struct curl_slist *headers;
	char *url;
	__u64 bytes;			/* of its profile */
	char error[CURL_ERROR_SIZE];
	char answer[SHOWN_BYTES + 1];
	size_t answered;		/* bytes of the answer */
};

/**
 * push_client_is_available() - check that libcurl is installed
 * @why: out, if it is not
 */
bool push_client_is_available(const char **why)
{
	return push_curl_load(why);
}

/**
 * push_client_open() - get ready to send
 * @why: out, what failed
 *
 * Return: the client, or NULL.
 */
struct push_client *push_client_open(const struct push_access *a, const char **why)
{
	const struct push_curl *curl = push_curl_load(why);
	struct push_client *c = curl ? calloc(1, sizeof(*c)) : NULL;

	if (!curl)
		return NULL;
	*why = "out of memory";
	if (!c)
		return NULL;
	c->access = *a;
	c->curl = curl;
	if (curl->curl_global_init(CURL_GLOBAL_DEFAULT)) {
		free(c);
		return NULL;
	}
	c->multi = curl->curl_multi_init();
	c->easy = curl->curl_easy_init();
	if (c->multi && c->easy)
		return c;
	push_client_close(c);
	return NULL;
}

static void end_request(struct push_client *c)
{
	if (c->form) {
		c->curl->curl_multi_remove_handle(c->multi, c->easy);
		c->curl->curl_mime_free(c->form);
	}
	c->curl->curl_slist_free_all(c->headers);
	free(c->url);
	c->form = NULL;
	c->headers = NULL;
	c->url = NULL;
}

/**
 * push_client_close() - undo push_client_open(); a request in progress is cut
 */
void push_client_close(struct push_client *c)
{
	end_request(c);
	if (c->easy)
		c->curl->curl_easy_cleanup(c->easy);
	if (c->multi)
		c->curl->curl_multi_cleanup(c->multi);
	free(c);
}

/* ---- a request ------------------------------------------------------------------------------- */

/* Keeps the beginning; ends what has no end. */
static size_t take_answer(char *data, size_t size, size_t nr, void *ctx)
{
	struct push_client *c = ctx;
	size_t bytes = size * nr;

	if (c->answered < SHOWN_BYTES) {
		size_t room = SHOWN_BYTES - c->answered, keep = bytes < room ? bytes : room;

		memcpy(c->answer + c->answered, data, keep);
		c->answer[c->answered + keep] = '\0';
	}
	c->answered += bytes;
	return c->answered > ANSWER_BYTES ? 0 : bytes;
}

/* With "format", Pyroscope takes the body for the profile: the type of the content is enough. */
static int make_url(struct push_client *c, const struct push_entry *e)
{
	char from[NUMBER_LEN], until[NUMBER_LEN], rate[NUMBER_LEN] = "";
	const char *const params[] = {
		"name", e->name, "from", from, "until", until, "sampleRate", rate,
		"spyName", "acrctl", NULL
	};

	snprintf(from, sizeof(from), "%" PRIu64, (uint64_t)e->from_s);
	snprintf(until, sizeof(until), "%" PRIu64, (uint64_t)e->until_s);
	if (e->rate_hz)
		snprintf(rate, sizeof(rate), "%" PRIu64, (uint64_t)e->rate_hz);
	c->url = push_url_with(e->url, params);
	return c->url ? 0 : -ENOMEM;
}

static int add_part(struct push_client *c, const char *name, const char *type, const char *data,
		    size_t bytes)
{
	const struct push_curl *f = c->curl;
	curl_mimepart *part = f->curl_mime_addpart(c->form);

	return part && !f->curl_mime_name(part, name) && !f->curl_mime_filename(part, name) &&
	       !f->curl_mime_type(part, type) && !f->curl_mime_data(part, data, bytes) ?
	       0 : -ENOMEM;
}

static int make_form(struct push_client *c, const struct push_entry *e, const char *profile)
{
	int err;

	c->form = c->curl->curl_mime_init(c->easy);
	if (!c->form)
		return -ENOMEM;
	err = add_part(c, "profile", "application/octet-stream", profile, e->bytes);
	if (!err && *e->types)
		err = add_part(c, "sample_type_config", "application/json", e->types,
			       strlen(e->types));
	c->bytes = e->bytes;
	return err;
}

static int add_header(struct push_client *c, const char *name, const char *value)
{
	char line[HEADER_LEN];
	struct curl_slist *list;

	if (snprintf(line, sizeof(line), "%s: %s", name, value) >= (int)sizeof(line))
		return -EINVAL;
	list = c->curl->curl_slist_append(c->headers, line);
	explicit_bzero(line, sizeof(line));
	if (!list)
		return -ENOMEM;
	c->headers = list;
	return 0;
}

/* Only the server that it was given for gets the token. */
static int add_token(struct push_client *c, const struct push_entry *e, struct push_result *r)
{
	const struct push_access *a = &c->access;
	char *token = NULL, *value;
	const char *why;
	int err;

	if (!a->url || strcmp(a->url, e->url) || (!a->token && !a->token_file))
		return 0;
	if (a->token_file)
		token = push_token_read(a->token_file, &why);
	if (a->token_file && !token) {
		snprintf(r->why, sizeof(r->why), "the token in %s: %s", a->token_file, why);
		return -EACCES;
	}
	if (asprintf(&value, "Bearer %s", token ? token : a->token) < 0) {
		free(token);
		return -ENOMEM;
	}
	err = add_header(c, "Authorization", value);
	explicit_bzero(value, strlen(value));
	free(value);
	if (token)
		explicit_bzero(token, strlen(token));
	free(token);
	return err;
}

static int make_headers(struct push_client *c, const struct push_entry *e, struct push_result *r)
{
	int err = add_token(c, e, r);

	if (!err && *e->tenant)
		err = add_header(c, "X-Scope-OrgID", e->tenant);
	if (err)
		return err;
	/* many servers do not know 100-continue, and curl then waits in vain: no such header */
	return add_header(c, "Expect", "");
}

static CURLcode set_protocols(struct push_client *c)
{
	CURLcode err = c->curl->curl_easy_setopt(c->easy, CURLOPT_PROTOCOLS_STR, "http,https");

	/* before 7.85 */
	if (err == CURLE_UNKNOWN_OPTION)
		err = c->curl->curl_easy_setopt(c->easy, CURLOPT_PROTOCOLS,
						(long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
	return err;
}

static bool set_options(struct push_client *c, const struct push_entry *e)
{
	const struct push_access *a = &c->access;
	__typeof__(curl_easy_setopt) *set = c->curl->curl_easy_setopt;

	c->curl->curl_easy_reset(c->easy);
	/* redirects are not followed, as they would be with the token; peers are verified */
	return !set(c->easy, CURLOPT_URL, c->url) &&
	       !set_protocols(c) &&
	       !set(c->easy, CURLOPT_FOLLOWLOCATION, 0L) &&
	       !set(c->easy, CURLOPT_SSL_VERIFYPEER, 1L) &&
	       !set(c->easy, CURLOPT_SSL_VERIFYHOST, 2L) &&
	       !(a->ca_file && (set(c->easy, CURLOPT_CAINFO, a->ca_file) ||
				set(c->easy, CURLOPT_CAPATH, NULL))) &&
	       !(push_url_is_loopback(e->url) && set(c->easy, CURLOPT_NOPROXY, "*")) &&
	       !set(c->easy, CURLOPT_NOSIGNAL, 1L) &&
	       !set(c->easy, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MS) &&
	       !set(c->easy, CURLOPT_TIMEOUT_MS, (long)a->timeout_ms) &&
	       !set(c->easy, CURLOPT_USERAGENT, a->agent) &&
	       !set(c->easy, CURLOPT_ERRORBUFFER, c->error) &&
	       !set(c->easy, CURLOPT_WRITEFUNCTION, take_answer) &&
	       !set(c->easy, CURLOPT_WRITEDATA, c) &&
	       !set(c->easy, CURLOPT_MIMEPOST, c->form) &&
	       !set(c->easy, CURLOPT_HTTPHEADER, c->headers);
}

static int prepare(struct push_client *c, const struct push_entry *e, const char *profile,
		   struct push_result *r)
{
	int err = make_url(c, e);

	if (!err)
		err = make_headers(c, e, r);
	if (!err)
		err = make_form(c, e, profile);
	if (err)
		return err;
	if (!set_options(c, e) || c->curl->curl_multi_add_handle(c->multi, c->easy))
		return -EIO;
	return 0;
}

/**
 * push_client_start() - begin to send; push_client_wait() goes on
 * @profile: of @e->bytes
 * @r: out, if it fails
 *
 * Return: 0 or -errno.
 */
int push_client_start(struct push_client *c, const struct push_entry *e, const char *profile,
		      struct push_result *r)
{
	int err;

	*r = (struct push_result){ .verdict = PUSH_RETRY };
	c->answered = 0;
	c->answer[0] = '\0';
	c->error[0] = '\0';
	err = prepare(c, e, profile, r);
	if (!err)
		return 0;
	if (!*r->why)
		snprintf(r->why, sizeof(r->why), "%s", strerror(-err));
	end_request(c);
	return err;
}

/* The answer itself may be cut, once the server has all of the profile and has said so. */
static bool is_answered(const struct push_client *c, CURLcode code)
{
	curl_off_t sent = 0;

	c->curl->curl_easy_getinfo(c->easy, CURLINFO_SIZE_UPLOAD_T, &sent);
	return !code || (sent >= (curl_off_t)c->bytes && code != CURLE_SEND_ERROR);
}

/* What others sent must not command a terminal. */
static void make_printable(char *text)
{
	for (; *text; text++) {
		if (*text < ' ' || *text > '~')
			*text = '?';
	}
}

static void describe(const struct push_client *c, CURLcode code, struct push_result *r)
{
	int len = strcspn(c->answer, "\r\n");

	if (r->status >= 300 && r->status < 400)
		snprintf(r->why, sizeof(r->why),
			 "HTTP status %ld: redirects are not followed; give the URL that it leads to",
			 r->status);
	else if (r->status)
		snprintf(r->why, sizeof(r->why), "HTTP status %ld%s%.*s", r->status,
			 len ? ": " : "", len, c->answer);
	else
		snprintf(r->why, sizeof(r->why), "%s",
			 *c->error ? c->error : c->curl->curl_easy_strerror(code));
	make_printable(r->why);
}

static void conclude(struct push_client *c, CURLcode code, struct push_result *r)
{
	curl_off_t after = 0;

	*r = (struct push_result){ 0 };
	c->curl->curl_easy_getinfo(c->easy, CURLINFO_RESPONSE_CODE, &r->status);
	c->curl->curl_easy_getinfo(c->easy, CURLINFO_RETRY_AFTER, &after);
	r->retry_after_s = after > 0 ? after : 0;
	r->verdict = push_verdict(r->status, is_answered(c, code));
	if (r->verdict != PUSH_DELIVERED)
		describe(c, code, r);
}

/**
 * push_client_wait() - wait until a request is over, a descriptor is readable, or time has passed
 * @fd: the descriptor, -1: none
 * @timeout_ms: at most
 * @readable: out
 * @r: out, if a request is over
 *
 * Return: whether one is.
 */
bool push_client_wait(struct push_client *c, int fd, int timeout_ms, bool *readable,
		      struct push_result *r)
{
	struct curl_waitfd wait = { .fd = fd, .events = CURL_WAIT_POLLIN };
	int running = 0, left;
	const CURLMsg *m;

	c->curl->curl_multi_perform(c->multi, &running);
	m = c->curl->curl_multi_info_read(c->multi, &left);
	if (!m) {
		c->curl->curl_multi_poll(c->multi, &wait, fd >= 0, timeout_ms, NULL);
		c->curl->curl_multi_perform(c->multi, &running);
		m = c->curl->curl_multi_info_read(c->multi, &left);
	}
	*readable = wait.revents;
	if (!m || m->msg != CURLMSG_DONE)
		return false;
	conclude(c, m->data.result, r);
	end_request(c);
	return true;
}
