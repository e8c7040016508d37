// SPDX-License-Identifier: GPL-2.0-only
/* report --pprof. */
#include <errno.h>
#include <string.h>

#include "../cmd.h"
#include "../pprof/pprof.h"
#include "export.h"

/**
 * export_pprof() - write all samples as a profile
 *
 * Return: an exit status, after a message unless it is 0.
 */
int export_pprof(const struct view_args *a, struct view *v, FILE *out)
{
	const struct pprof_options o = { .end_ns = export_end_ns(a), .labels = PPROF_ALL_LABELS };
	int err = pprof_write(v, out, &o);

	if (!err)
		return ACRCTL_EXIT_DONE;
	fprintf(stderr, "acrctl: report: --pprof %s: %s%s\n", a->export_path,
		err == -ENOMEM ? "there is not enough memory" : strerror(-err),
		err == -ENOMEM ? "" : "; name another file with --pprof");
	return ACRCTL_EXIT_FAILED;
}
