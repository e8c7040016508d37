// SPDX-License-Identifier: GPL-2.0-only
/* Features of a recording: machine, command, events, and the files that samples hit. */
#include "record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "../../perfdata/machine.h"
#include "../../symbols/kernel.h"
#include "../reload.h"
#include "../when.h"
#include "hits.h"

#define HOST_PID	(-1)

static void add_command(struct record *r)
{
	struct pd_blob *b = pd_writer_feature(&r->writer, PD_FEAT_CMDLINE);
	int i;

	pd_blob_put_u32(b, r->argc + 1);
	pd_blob_put_string(b, "acrctl");
	for (i = 0; i < r->argc; i++)
		pd_blob_put_string(b, r->argv[i]);
}

/* @leader: index of the first group's first event */
static void add_groups(struct record *r, unsigned int leader)
{
	struct pd_blob *b = pd_writer_feature(&r->writer, PD_FEAT_GROUP_DESC);
	unsigned int g, members, nr = 0;

	for (g = 0; g < r->sm.nr_groups; g++)
		nr += acrpmu_spec_nr_events(r->sm.spec, g) > 1;
	pd_blob_put_u32(b, nr);
	for (g = 0; g < r->sm.nr_groups; g++) {
		members = acrpmu_spec_nr_events(r->sm.spec, g);
		if (members > 1) {
			pd_blob_put_string(b, "{anon_group}");
			pd_blob_put_u32(b, leader);
			pd_blob_put_u32(b, members);
		}
		leader += members;
	}
}

/* @type: PD_RECORD_BUILD_ID, or 0 for an entry of the table, which is not padded to 8 bytes */
static void put_build_id(struct pd_blob *b, __u32 type, const char *name, bool kernel,
			 const struct sym_build_id *id)
{
	size_t len = strlen(name), padded = len + PD_STRING_ALIGN - len % PD_STRING_ALIGN;
	size_t fill = type ? -sizeof(struct pd_build_id_entry) % PD_NAME_ALIGN : 0;
	struct pd_build_id_entry e = {
		.header = {
			.type = type,
			.misc = PD_MISC_BUILD_ID_SIZE |
				(kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER),
			.size = sizeof(e) + padded + fill,
		},
		.pid = HOST_PID,
		.size = id->size,
	};

	memcpy(e.build_id, id->id, id->size);
	pd_blob_put(b, &e, sizeof(e));
	pd_blob_put_padded(b, name, PD_STRING_ALIGN);
	pd_blob_put(b, NULL, fill);
}

static bool module_build_id(const char *name, struct sym_build_id *id)
{
	struct sym_module *modules;
	bool found = false;
	size_t i, nr;

	if (sym_modules_load(&modules, &nr))
		return false;
	for (i = 0; i < nr && !found; i++) {
		if (strcmp(modules[i].path, name) || !modules[i].build_id.size)
			continue;
		*id = modules[i].build_id;
		found = true;
	}
	free(modules);
	return found;
}

/* Only if the path names the file that was mapped: in a container it may name another. */
static void read_build_id(const char *path, const struct sym_inode *inode,
			  struct sym_build_id *id)
{
	struct stat st;
	int fd;

	if (!inode->known || inode->several)
		return;
	fd = sym_elf_open(path);
	if (fd < 0)
		return;
	if (!fstat(fd, &st) && st.st_dev == makedev(inode->maj, inode->min) &&
	    st.st_ino == inode->ino)
		sym_elf_build_id_fd(fd, id);
	close(fd);
}

static void add_build_id(struct record *r, const struct sym_dso *dso)
{
	bool running = !strcmp(dso->name, SYM_KERNEL_NAME), kernel = running || dso->kernel;
	struct sym_build_id id = dso->build_id;

	if (running)
		sym_kernel_build_id(&id);
	else if (kernel && !module_build_id(dso->name, &id))
		return;
	else if (!id.size && *dso->name == '/')
		read_build_id(dso->name, &dso->inode, &id);
	if (!id.size)
		return;
	put_build_id(pd_writer_feature(&r->writer, PD_FEAT_BUILD_ID), 0, dso->name, kernel, &id);
	record_keep_file(r, dso->name, &id);
}

/**
 * record_features_build_ids() - append records with the build-ids of kernel and modules, hit or not
 *
 * Those of programs are in the records of their maps, if the kernel knows them.
 */
void record_features_build_ids(struct pd_blob *out)
{
	struct sym_module *modules;
	struct sym_build_id id;
	size_t i, nr;

	if (!sym_kernel_build_id(&id))
		put_build_id(out, PD_RECORD_BUILD_ID, SYM_KERNEL_NAME, true, &id);
	if (sym_modules_load(&modules, &nr))
		return;
	for (i = 0; i < nr; i++) {
		if (modules[i].build_id.size && *modules[i].path)
			put_build_id(out, PD_RECORD_BUILD_ID, modules[i].path, true,
				     &modules[i].build_id);
	}
	free(modules);
}

/* Show another step, in place of the last. */
static void show(const struct record *r, struct view *v, const char *verb, const char *name,
		 const char *unit)
{
	progress_end(&v->progress);
	if (!r->sm.opt.quiet)
		progress_begin(&v->progress, verb, name, unit);
}

/**
 * record_features_contents() - make the features that follow from the records, all written
 *
 * These are the times of samples and the build-ids of the files that they hit.
 */
void record_features_contents(struct record *r)
{
	struct view v = { 0 };
	struct record_hits hits;
	struct pd_blob *b;
	size_t i;

	show(r, &v, "opening", r->opt.output, NULL);
	if (pd_reader_open_watched(&v.reader, r->file_fd, view_watch(&v))) {
		fprintf(stderr,
			"acrctl: record: %s: %s; the recording lacks the table of build-ids\n",
			r->opt.output, v.reader.error);
		goto end;
	}
	show(r, &v, "looking for files in", r->opt.output, "records");
	hits = record_hits_find(&v);
	b = pd_writer_feature(&r->writer, PD_FEAT_SAMPLE_TIME);
	pd_blob_put_u64(b, hits.first);
	pd_blob_put_u64(b, hits.last);
	if (r->cache)
		show(r, &v, "adding files to", r->cache, "looked at");
	else
		show(r, &v, "identifying files in", r->opt.output, "looked at");
	for (i = 0; r->opt.build_ids && i < v.space.nr_dsos; i++) {
		progress_step(&v.progress, i, v.space.nr_dsos);
		if (v.space.dsos[i].hit)
			add_build_id(r, &v.space.dsos[i]);
	}
end:
	view_end(&v);
}

/* The only section in which perf shows text that is not its own. */
static void add_version(struct record *r)
{
	const struct acrpmu_spec *spec = r->sm.spec;
	unsigned int g;
	size_t size;
	char *text;
	FILE *f = open_memstream(&text, &size);

	if (!f) {
		pd_writer_feature(&r->writer, PD_FEAT_VERSION)->failed = true;
		return;
	}
	fprintf(f, "acrctl %s", acrpmu_lib_version());
	if (r->sm.kinds.reload != RELOAD_AUTO)
		fprintf(f, RELOAD_HEADER "%s", reload_words(r->sm.kinds.reload));
	for (g = 0; acrpmu_spec_condition(spec) && g < r->sm.nr_groups; g++)
		fprintf(f, WHEN_HEADER "%s", acrpmu_spec_text(spec, g));
	if (fclose(f))
		pd_writer_feature(&r->writer, PD_FEAT_VERSION)->failed = true;
	else
		pd_writer_feature_string(&r->writer, PD_FEAT_VERSION, text);
	free(text);
}

/* Features that name events, which a stream has in another order than a file, or that change. */
static void add_events(struct record *r, bool in_stream)
{
	const struct pd_event *events = in_stream ? r->in_stream : r->events;

	pd_writer_feature_events(&r->writer, events, r->nr_events);
	add_groups(r, in_stream ? r->nr_sideband : 0);
	if (r->compress)
		pd_compress_feature(r->compress, &r->writer);
}

/** record_features_begin() - make the features of a stream, once the events are described */
void record_features_begin(struct record *r)
{
	pd_machine_features(&r->writer, "");
	add_version(r);
	add_command(r);
	add_events(r, true);
}

/** record_features_complete() - make those of a file from them; the machine is still the same */
void record_features_complete(struct record *r)
{
	pd_writer_drop_feature(&r->writer, PD_FEAT_EVENT_DESC);
	pd_writer_drop_feature(&r->writer, PD_FEAT_GROUP_DESC);
	pd_writer_drop_feature(&r->writer, PD_FEAT_COMPRESSED);
	add_events(r, false);
}
