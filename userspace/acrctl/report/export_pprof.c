// SPDX-License-Identifier: GPL-2.0-only
/* report --pprof. */
#include <errno.h>
#include <string.h>

#include "../cmd.h"
#include "../pprof/pprof.h"
#include "condition.h"
#include "export.h"

static int write_profile(const struct view_args *a, struct view *v, FILE *out)
{
	struct pprof_options o = { .end_ns = export_end_ns(a), .labels = PPROF_ALL_LABELS };
	struct condition c;
	int err = condition_read(&c, v);

	o.condition = c.text;
	if (!err)
		err = pprof_write(v, out, &o);
	condition_free(&c);
	return err;
}

/**
 * export_pprof() - write all samples as a profile
 *
 * Return: an exit status, after a message unless it is 0.
 */
int export_pprof(const struct view_args *a, struct view *v, FILE *out)
{
	int err = write_profile(a, v, out);

	if (!err)
		return ACRCTL_EXIT_DONE;
	fprintf(stderr, "acrctl: report: --pprof %s: %s%s\n", a->export_path,
		err == -ENOMEM ? "there is not enough memory" : strerror(-err),
		err == -ENOMEM ? "" : "; name another file with --pprof");
	return ACRCTL_EXIT_FAILED;
}
