// SPDX-License-Identifier: GPL-2.0-only
/* What a reader of a result needs to know about its recording. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "terminal.h"
#include "view.h"

#define NSEC_PER_SEC	1e9

/* Of each group: its events count together. */
static void print_times(const struct view *v, const char *path)
{
	__u32 i;

	for (i = 0; i < v->reader.nr_events; i++) {
		const struct pd_file_event *e = &v->reader.events[i];
		struct view_times t = view_times_of(v, i);

		if (e->group != i || t.of_cpus || t.running_ns >= t.enabled_ns)
			continue;
		fprintf(stderr, "acrctl: %s: '", path);
		terminal_print(stderr, 0, e->name);
		fprintf(stderr,
			"' counted for %.6f s of the %.6f s that its tasks ran; samples of the rest are missing\n",
			t.running_ns / NSEC_PER_SEC, t.enabled_ns / NSEC_PER_SEC);
	}
}

/* Why a list of functions made at run time could not be used. */
static const char *list_fault(int err)
{
	switch (err) {
	case -EPERM:
		return "it belongs to another user; run acrctl as that user, or chown it to root";
	case -EINVAL:
		return "it is no such list, or none of this kind of machine";
	case -ELOOP:
		return "it is a symbolic link";
	case -EFBIG:
		return "all such lists would exceed 256 MiB, as files or in memory; remove those "
		       "of other processes";
	default:
		return strerror(-err);
	}
}

static void print_list_faults(const struct sym_dso *dso)
{
	if (!dso->list_err && !dso->list_bad)
		return;
	fputs("acrctl: ", stderr);
	terminal_print(stderr, 0, dso->name);
	if (dso->list_err)
		fprintf(stderr, " was not read: %s; names of code made at run time are missing\n",
			list_fault(dso->list_err));
	else
		fprintf(stderr,
			": %llu damaged or cut off entries were left out; names of code made at run time may be missing\n",
			dso->list_bad);
}

/* @large: it exceeds the limit */
static void print_debug_faults(const char *name, bool large, const struct sym_debug *debug)
{
	if (!large && (!debug || !sym_debug_cut(debug)))
		return;
	fputs("acrctl: ", stderr);
	terminal_print(stderr, 0, name);
	fprintf(stderr, ": %s; inlined functions may be missing\n", large ?
		"with that of other files, its debug information exceeds 1 GiB and was not read" :
		"some of its debug information is damaged or too large, and was left out");
}

/* An update since then, or another machine. */
static void print_stale(const struct sym_dso *dso)
{
	char hex[SYM_BUILD_ID_HEX];

	if (!dso->stale)
		return;
	sym_build_id_hex(&dso->build_id, hex);
	fputs("acrctl: ", stderr);
	terminal_print(stderr, 0, dso->name);
	fprintf(stderr,
		" was rebuilt after the recording, or is another machine's: it is not build %s; its symbols are not shown; look for that with --symfs, --buildid-dir or --debuginfod\n",
		hex);
}

/* The first of those that are nowhere stands for all. */
static void print_missing(const struct view *v, const char *path)
{
	const struct sym_dso *first = NULL;
	char hex[SYM_BUILD_ID_HEX];
	unsigned int nr = 0;
	size_t i;

	for (i = 0; i < v->space.nr_dsos; i++) {
		const struct sym_dso *dso = &v->space.dsos[i];

		if (!dso->tried || dso->path || dso->stale || *dso->name != '/' ||
		    !dso->build_id.size)
			continue;
		first = first ? first : dso;
		nr++;
	}
	if (!nr)
		return;
	sym_build_id_hex(&first->build_id, hex);
	fprintf(stderr, "acrctl: %s: files that were not found: %u, such as ", path, nr);
	terminal_print(stderr, 0, first->name);
	fprintf(stderr,
		", build %s; their symbols are not shown; look for them with --symfs, --buildid-dir or --debuginfod\n",
		hex);
}

static void print_stale_kernel(const struct sym_space *sp)
{
	char hex[SYM_BUILD_ID_HEX];
	/* named by the user, before the build was known */
	bool wrong = sp->kernel_path && sp->kernel_build_id.size &&
		     !sym_build_id_equal(&sp->kernel_elf_id, &sp->kernel_build_id);

	if (!sp->kernel_stale && !wrong)
		return;
	sym_build_id_hex(&sp->kernel_build_id, hex);
	fprintf(stderr, "acrctl: %s is not the recorded kernel, build %s; %s\n",
		wrong ? sp->kernel_path : "vmlinux of that release", hex,
		wrong ? "its symbols may be wrong" : "its symbols are not shown");
}

/**
 * view_close_notes() - print on stderr what a reader of the result needs to know
 *
 * Return: 0; -ENOMEM if the result is incomplete for lack of memory; -errno if the end of the file
 * could not be read.
 */
int view_close_notes(const struct view *v, const char *path)
{
	int unreadable = pd_reader_error(&v->reader);
	size_t i;

	for (i = 0; i < v->space.nr_dsos; i++) {
		print_list_faults(&v->space.dsos[i]);
		print_debug_faults(v->space.dsos[i].name, v->space.dsos[i].debug_large,
				   v->space.dsos[i].debug);
		print_stale(&v->space.dsos[i]);
	}
	if (v->space.kernel_path)
		print_debug_faults(v->space.kernel_path, v->space.kernel_debug_large,
				   v->space.kernel_debug);
	print_missing(v, path);
	print_stale_kernel(&v->space);
	sources_close_notes(&v->sources);
	if (v->lost_sideband)
		fprintf(stderr,
			"acrctl: %s: %llu records about tasks and maps were lost; some names may be missing\n",
			path, v->lost_sideband);
	if (v->pauses)
		fprintf(stderr,
			"acrctl: %s: sampling was paused %llu time%s as a CPU had reached a limit, and samples are missing; use longer periods\n",
			path, v->pauses, v->pauses == 1 ? "" : "s");
	print_times(v, path);
	if (view_lost_cpus_ns(v))
		fprintf(stderr,
			"acrctl: %s: CPUs were offline or taken away for %.6f s in all; samples of that time are missing\n",
			path, view_lost_cpus_ns(v) / NSEC_PER_SEC);
	if (view_taken(v))
		fprintf(stderr, "acrctl: %s: %s\n", path, view_taken(v));
	if (v->malformed)
		fprintf(stderr, "acrctl: %s: %llu damaged records were left out\n", path,
			v->malformed);
	if (v->unknown)
		fprintf(stderr, "acrctl: %s: %llu samples belong to no event of the file\n", path,
			v->unknown);
	if (unreadable && unreadable != -ENOMEM) {
		fprintf(stderr,
			"acrctl: %s: was changed or became unreadable while it was read; run the command again\n",
			path);
		return unreadable;
	}
	if (!unreadable && !v->out_of_memory && !v->space.out_of_memory)
		return 0;
	fprintf(stderr,
		"acrctl: %s: there was not enough memory to follow all of it; names or symbols may be missing\n",
		path);
	return -ENOMEM;
}
