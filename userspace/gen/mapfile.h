/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reading mapfile.csv: which CPUs have which events. */
#ifndef _ACRPMU_GEN_MAPFILE_H
#define _ACRPMU_GEN_MAPFILE_H

#include <linux/types.h>

#include "arena.h"
#include "report.h"

/**
 * struct mapfile_entry - one line
 * @line: its number, from 1
 * @cpuid: CPUID string or POSIX extended regular expression
 * @version: version of the events
 * @path: directory (perf) or file (Intel), relative to the mapfile, without '/' at either end
 * @type: "core", "hybridcore" ...
 * @role: "Atom", "Core" ..., "" if there is no such column
 * @core_type: CPUID.1AH:EAX[31:24], 0 without such a column
 * @native_model: CPUID.1AH:EAX[23:0], 0 without such a column
 */
struct mapfile_entry {
	unsigned int line;
	const char *cpuid;
	const char *version;
	const char *path;
	const char *type;
	const char *role;
	__u32 core_type;
	__u32 native_model;
};

/**
 * struct mapfile - all lines that are entries, in file order
 */
struct mapfile {
	struct mapfile_entry *entries;
	unsigned int nr;
};

/**
 * mapfile_parse() - read the text of a mapfile
 * @path: its name in reports
 * @len: its bytes
 * @arena: holds the entries and their strings
 * @mapfile: out
 * @reporter: receives each line that is no entry, comment or empty; these reports are fatal,
 *	because it is then unknown which CPU has which events
 *
 * The first line is ignored, as are columns after perf's four or Intel's seven.
 *
 * Return: 0, also after reports; -ENOMEM.
 */
int mapfile_parse(const char *path, const char *text, size_t len, struct arena *arena,
		  struct mapfile *mapfile, struct reporter *reporter);

/**
 * mapfile_read() - read a mapfile
 * @arena: holds the entries and their strings
 * @mapfile: out
 * @reporter: receives reports
 *
 * Return: as mapfile_parse(); -EINVAL after a report that it cannot be read.
 */
int mapfile_read(const char *path, struct arena *arena, struct mapfile *mapfile,
		 struct reporter *reporter);

#endif /* _ACRPMU_GEN_MAPFILE_H */
