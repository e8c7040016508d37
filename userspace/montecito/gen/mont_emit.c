// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes Montecito's table of events as C. */
#include "mont_emit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "mont_table.h"

static const char * const type_names[] = { "ACTIVE", "FLOATING", "CAUSAL", "SELF_FLOATING" };
static const char * const group_names[] = { "NO_GRP", "L1D_CACHE_GRP", "L2D_CACHE_GRP" };
static const char * const ear_names[] = {
	[MONT_EAR_NONE] = "NONE",
	[MONT_EAR_I_CACHE] = "I_CACHE",
	[MONT_EAR_I_TLB] = "I_TLB",
	[MONT_EAR_D_CACHE] = "D_CACHE",
	[MONT_EAR_D_TLB] = "D_TLB",
	[MONT_EAR_D_ALAT] = "D_ALAT",
};

/* Escapes have three digits, so no following digit extends them; '?' could start a trigraph. */
static void put_string(FILE *f, const char *string)
{
	putc('"', f);
	for (; *string; string++) {
		const unsigned char c = *string;

		if (c < ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '?')
			fprintf(f, "\\%03o", c);
		else
			putc(c, f);
	}
	putc('"', f);
}

static void put_flag(FILE *f, const char *name, bool value)
{
	if (value)
		fprintf(f, ", .%s = true", name);
}

static void put_row(FILE *f, const struct mont_event *e)
{
	fputs("\t{ .name = ", f);
	put_string(f, e->name);
	fputs(",\n\t  .desc = ", f);
	put_string(f, e->desc);
	fprintf(f, ",\n\t  .counters = 0x%04x, .code = 0x%02x, .umask = 0x%02x, .maxincr = %u,\n",
		e->counters, e->code, e->umask, e->maxincr);
	fprintf(f, "\t  .type = PFMLIB_MONT_EVT_%s, .group = PFMLIB_MONT_EVT_%s, .set = %d,\n",
		type_names[e->type], group_names[e->group], e->set);
	fprintf(f, "\t  .ear = MONT_EAR_%s", ear_names[e->ear]);
	put_flag(f, "opcm", e->opcm);
	put_flag(f, "iarr", e->iarr);
	put_flag(f, "darr", e->darr);
	put_flag(f, "all_thrd", e->all_thrd);
	put_flag(f, "mesi", e->mesi);
	put_flag(f, "etb", e->etb);
	fputs(" },\n", f);
}

static int emit(const struct mont_table *table, char **text, size_t *len)
{
	FILE *f = open_memstream(text, len);
	unsigned int i;
	bool failed;

	if (!f)
		return -ENOMEM;
	fputs("// SPDX-"
	      "License-Identifier: LGPL-2.1-or-later\n"
	      "/* Montecito's events, made by jevents: change the files that it read, "
	      "not this one. */\n"
	      "#include \"mont_event.h\"\n\n"
	      "#include <perfmon/pfmlib_montecito.h>\n\n"
	      "const struct mont_event mont_events[] = {\n", f);
	for (i = 0; i < table->nr; i++)
		put_row(f, &table->rows[i].event);
	fprintf(f, "};\n\nconst unsigned int mont_nr_events = %u;\n", table->nr);
	failed = ferror(f);
	if (fclose(f) || failed) {
		free(*text);
		return -ENOMEM;
	}
	return 0;
}

/**
 * mont_generate() - read a directory of events and write a C file that defines mont_events
 * @dir: the directory
 * @report: called for each error in a file
 * @was_read: out, whether the directory was read; a failure is then of @text
 * @text: out, the file, to be freed; NULL if there was an error in any file
 * @len: out, its bytes
 *
 * The same files give the same bytes. Prints the number of files and events.
 *
 * Return: 0, or -errno: -ENOMEM at either step, others if the directory cannot be read.
 */
int mont_generate(const char *dir, event_report_fn report, bool *was_read, char **text,
		  size_t *len)
{
	struct mont_table table;
	int ret = mont_table_load(dir, report, NULL, &table);

	*was_read = !ret;
	*text = NULL;
	if (!ret)
		fprintf(stderr, "jevents: %s: %u files, %u events of montecito\n", dir,
			table.nr_files, table.nr);
	if (!ret && table.nr_faults)
		fputs("jevents: nothing is written, since an event left out would shift others\n",
		      stderr);
	else if (!ret)
		ret = emit(&table, text, len);
	mont_table_free(&table);
	return ret;
}
