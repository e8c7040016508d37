// SPDX-License-Identifier: GPL-2.0-only
/* report --pprof. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "../../util/util.h"
#include "../cmd.h"
#include "../pprof/pprof.h"
#include "export.h"

/* A recording has no time of day; its file was last written when it ended. */
static __u64 end_of(const struct view_args *a)
{
	struct stat st;

	if (a->from_stdin || stat(a->path, &st))
		return 0;
	return st.st_mtim.tv_sec * NSEC_PER_SEC + st.st_mtim.tv_nsec;
}

/**
 * export_pprof() - write all samples as a profile
 *
 * Return: an exit status, after a message unless it is 0.
 */
int export_pprof(const struct view_args *a, struct view *v, FILE *out)
{
	const struct pprof_options o = { .end_ns = end_of(a), .labels = PPROF_ALL_LABELS };
	int err = pprof_write(v, out, &o);

	if (!err)
		return ACRCTL_EXIT_DONE;
	fprintf(stderr, "acrctl: report: --pprof %s: %s%s\n", a->export_path,
		err == -ENOMEM ? "there is not enough memory" : strerror(-err),
		err == -ENOMEM ? "" : "; name another file with --pprof");
	return ACRCTL_EXIT_FAILED;
}
