// SPDX-License-Identifier: GPL-2.0-only
/* The functions of libcurl, which is loaded when something is sent, and only then. */
#include "curl_api.h"

#include <dlfcn.h>
#include <stddef.h>

#include "../util/util.h"

#define LIBRARY	"libcurl-gnutls.so.4"
#define FUNCTION(name)	{ #name, offsetof(struct push_curl, name) }

static const struct {
	const char *name;
	size_t offset;
} functions[] = {
	FUNCTION(curl_global_init),
	FUNCTION(curl_easy_init),
	FUNCTION(curl_easy_cleanup),
	FUNCTION(curl_easy_reset),
	FUNCTION(curl_easy_setopt),
	FUNCTION(curl_easy_getinfo),
	FUNCTION(curl_easy_strerror),
	FUNCTION(curl_multi_init),
	FUNCTION(curl_multi_cleanup),
	FUNCTION(curl_multi_add_handle),
	FUNCTION(curl_multi_remove_handle),
	FUNCTION(curl_multi_perform),
	FUNCTION(curl_multi_poll),
	FUNCTION(curl_multi_info_read),
	FUNCTION(curl_mime_init),
	FUNCTION(curl_mime_addpart),
	FUNCTION(curl_mime_name),
	FUNCTION(curl_mime_filename),
	FUNCTION(curl_mime_type),
	FUNCTION(curl_mime_data),
	FUNCTION(curl_mime_free),
	FUNCTION(curl_slist_append),
	FUNCTION(curl_slist_free_all),
};

/**
 * push_curl_load() - load libcurl, if it is not loaded yet
 * @why: out, what failed
 *
 * Commands that send nothing start without it and its 30 libraries, and on machines that lack it.
 *
 * Return: its functions, or NULL.
 */
const struct push_curl *push_curl_load(const char **why)
{
	static struct push_curl curl;
	static void *library;
	size_t i;

	if (library)
		return &curl;
	library = dlopen(LIBRARY, RTLD_NOW);
	for (i = 0; library && i < ARRAY_SIZE(functions); i++) {
		void *function = dlsym(library, functions[i].name);

		*(void **)((char *)&curl + functions[i].offset) = function;
		if (!function)
			library = NULL;
	}
	if (library)
		return &curl;
	*why = dlerror();
	return NULL;
}
