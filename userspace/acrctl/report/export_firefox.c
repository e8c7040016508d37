// SPDX-License-Identifier: GPL-2.0-only
/* report --firefox. */
#include <errno.h>
#include <string.h>

#include "../cmd.h"
#include "../firefox/firefox.h"
#include "export.h"

/**
 * export_firefox() - write all samples as a profile
 *
 * Return: an exit status, after a message unless it is 0.
 */
int export_firefox(const struct view_args *a, struct view *v, FILE *out)
{
	int err = firefox_write(v, out, export_end_ns(a));

	if (!err)
		return ACRCTL_EXIT_DONE;
	if (err == -ENOMEM)
		fprintf(stderr, "acrctl: report: --firefox %s: there is not enough memory\n",
			a->export_path);
	else
		fprintf(stderr,
			"acrctl: report: --firefox %s: the temporary file: %s; set TMPDIR to a directory that has room\n",
			a->export_path, strerror(-err));
	return ACRCTL_EXIT_FAILED;
}
