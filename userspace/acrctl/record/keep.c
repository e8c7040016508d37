// SPDX-License-Identifier: GPL-2.0-only
/* Adding the files that samples hit to perf's build-id cache. */
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../symbols/space.h"
#include "../sources.h"

#define KALLSYMS	"/proc/kallsyms"

/**
 * record_keep_begin() - find the cache, before anything is recorded
 *
 * Return: 0, or -errno after a message.
 */
int record_keep_begin(struct record *r)
{
	if (!r->opt.cache)
		return 0;
	r->cache = r->opt.cache_dir ? strdup(r->opt.cache_dir) : sources_default_cache(NULL);
	if (r->cache)
		return 0;
	fprintf(stderr,
		"acrctl: record: --buildid-cache: HOME is not set; name the cache with --buildid-dir\n");
	return -ENOENT;
}

/* Opening what is no regular file could have side effects. */
static int open_build(const char *path, const struct sym_build_id *id)
{
	int fd = sym_elf_open(path);
	struct sym_build_id other;

	if (fd < 0)
		return -1;
	sym_elf_build_id_fd(fd, &other);
	if (sym_build_id_equal(id, &other))
		return fd;
	close(fd);
	return -1;
}

/**
 * record_keep_file() - add a file to the cache, if one is wanted
 * @name: its path, or SYM_KERNEL_NAME
 *
 * What is not on this machine under its name, or is another build by now, is left out.
 */
void record_keep_file(struct record *r, const char *name, const struct sym_build_id *id)
{
	bool kernel = !strcmp(name, SYM_KERNEL_NAME);
	int err, fd;

	/* nobody needs a list of addresses that are 0 */
	if (!r->cache || (kernel && r->hidden_kernel) || (!kernel && *name != '/'))
		return;
	fd = kernel ? open(KALLSYMS, O_RDONLY | O_CLOEXEC) : open_build(name, id);
	if (fd < 0)
		return;
	err = sym_cache_add(r->cache, name, id, kernel ? "kallsyms" : "elf", fd);
	close(fd);
	r->nr_kept += !err;
	if (!err || r->keep_err)
		return;
	r->keep_err = err;
	fprintf(stderr,
		"acrctl: record: adding %s to the cache %s: %s; the recording is complete without it\n",
		name, r->cache, strerror(-err));
}

/**
 * record_keep_end() - free it
 */
void record_keep_end(struct record *r)
{
	free(r->cache);
	r->cache = NULL;
}
