/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions of libcurl, which is loaded when something is sent, and only then. */
#ifndef _PUSH_CURL_API_H
#define _PUSH_CURL_API_H

/* options of old versions, too */
#define CURL_DISABLE_DEPRECATION
#include <curl/curl.h>

/* without the macros of the same names, which check arguments of direct calls only */
#undef curl_easy_setopt
#undef curl_easy_getinfo

struct push_curl {
	__typeof__(curl_global_init) *curl_global_init;
	__typeof__(curl_easy_init) *curl_easy_init;
	__typeof__(curl_easy_cleanup) *curl_easy_cleanup;
	__typeof__(curl_easy_reset) *curl_easy_reset;
	__typeof__(curl_easy_setopt) *curl_easy_setopt;
	__typeof__(curl_easy_getinfo) *curl_easy_getinfo;
	__typeof__(curl_easy_strerror) *curl_easy_strerror;
	__typeof__(curl_multi_init) *curl_multi_init;
	__typeof__(curl_multi_cleanup) *curl_multi_cleanup;
	__typeof__(curl_multi_add_handle) *curl_multi_add_handle;
	__typeof__(curl_multi_remove_handle) *curl_multi_remove_handle;
	__typeof__(curl_multi_perform) *curl_multi_perform;
	__typeof__(curl_multi_poll) *curl_multi_poll;
	__typeof__(curl_multi_info_read) *curl_multi_info_read;
	__typeof__(curl_mime_init) *curl_mime_init;
	__typeof__(curl_mime_addpart) *curl_mime_addpart;
	__typeof__(curl_mime_name) *curl_mime_name;
	__typeof__(curl_mime_filename) *curl_mime_filename;
	__typeof__(curl_mime_type) *curl_mime_type;
	__typeof__(curl_mime_data) *curl_mime_data;
	__typeof__(curl_mime_free) *curl_mime_free;
	__typeof__(curl_slist_append) *curl_slist_append;
	__typeof__(curl_slist_free_all) *curl_slist_free_all;
};

const struct push_curl *push_curl_load(const char **why);

#endif /* _PUSH_CURL_API_H */
