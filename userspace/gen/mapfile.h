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
 * @core_type: CPUID.1AH:EAX[31:24], 0 if there is no such column
 * @native_model: CPUID.1AH:EAX[23:0], 0 likewise
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
 * struct mapfile - all lines that are entries, in their order
 * @entries: them
 * @nr: how many
 */
struct mapfile {
	struct mapfile_entry *entries;
	unsigned int nr;
};

/**
 * mapfile_parse() - read the text of a mapfile
 * @path: what reports call it
 * @text: the text
 * @len: its bytes
 * @arena: where the entries and their words go
 * @mapfile: out
 * @reporter: told of each line that is no entry, comment or empty; that is fatal, since which CPU
 *	has which events is then not known
 *
 * The first line is ignored. Of perf's four columns or Intel's seven, further ones are ignored.
 *
 * Return: 0, also after reports; -ENOMEM.
 */
int mapfile_parse(const char *path, const char *text, size_t len, struct arena *arena,
		  struct mapfile *mapfile, struct reporter *reporter);

/**
 * mapfile_read() - read a mapfile
 * @path: it
 * @arena: where the entries and their words go
 * @mapfile: out
 * @reporter: told of faults
 *
 * Return: as mapfile_parse(); -EINVAL if it cannot be read, it was reported then.
 */
int mapfile_read(const char *path, struct arena *arena, struct mapfile *mapfile,
		 struct reporter *reporter);

#endif /* _ACRPMU_GEN_MAPFILE_H */
