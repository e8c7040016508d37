// SPDX-License-Identifier: GPL-2.0-only
/* The code of a function: its instructions with their sources, and the samples of each. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/message.h"
#include "../terminal.h"
#include "annotate.h"
#include "objdump.h"

#define FIRST_LINES	256
#define LINES_MAX	(1024 * 1024)

static int add_line(struct annotate *an, __u64 addr, const char *text)
{
	size_t room = an->room_lines ? 2 * an->room_lines : FIRST_LINES;
	struct annotate_line *more;

	if (an->nr_lines == an->room_lines) {
		more = reallocarray(an->lines, room, sizeof(*more));
		if (!more)
			return -ENOMEM;
		an->lines = more;
		an->room_lines = room;
	}
	an->lines[an->nr_lines] = (struct annotate_line){
		.addr = addr, .text = text ? strdup(text) : NULL,
	};
	if (text && !an->lines[an->nr_lines].text)
		return -ENOMEM;
	an->nr_lines++;
	return 0;
}

static int take_instruction(void *arg, __u64 addr, const char *text)
{
	struct annotate *an = arg;

	progress_step(&an->view.progress, an->nr_lines, 0);
	if (addr < an->chosen->at.start || addr >= an->chosen->at.end)
		return 0;
	return an->nr_lines == LINES_MAX ? -EFBIG : add_line(an, addr, text);
}

/* Why its instructions cannot be shown, NULL: they can. */
static const char *why_unknown(const struct annotate *an)
{
	const struct sym_function *f = &an->chosen->at;

	if (f->kernel && !an->view.space.kernel_path)
		return "the kernel's file was not read; name it with --vmlinux";
	if (!f->kernel && f->dso == SYM_NO_DSO)
		return "it was made at run time, and such code is not recorded";
	if (!sym_function_path(&an->view.space, f))
		return "it is in no file";
	if (f->end <= f->start)
		return "its symbol has no size";
	return NULL;
}

/* The file of user code was compared when its symbols were read: those of another build are not. */
static int check_build(const struct annotate *an, const char *path)
{
	const struct sym_space *sp = &an->view.space;
	const struct sym_function *f = &an->chosen->at;
	const struct sym_build_id *recorded = f->kernel ? &sp->kernel_build_id :
							  &sp->dsos[f->dso].build_id;

	if (f->kernel && recorded->size && !sym_build_id_equal(recorded, &sp->kernel_elf_id)) {
		fprintf(stderr,
			"acrctl: annotate: %s is not the kernel that was recorded: its build-id is another; name the vmlinux of that kernel with --vmlinux\n",
			path);
		return -ESTALE;
	}
	if (recorded->size)
		return 0;
	fputs("acrctl: ", stderr);
	terminal_print(stderr, 0, path);
	fprintf(stderr,
		": the recording has no build-id of it; if it has changed since, the instructions are wrong\n");
	return 0;
}

static void refuse(const struct annotate *an, const char *path, int err)
{
	struct message_word shown = acrpmu_message_word(an->objdump, strlen(an->objdump));

	if (err == -ENOENT)
		fprintf(stderr,
			"acrctl: annotate: there is no program '%s'; install binutils, or name one with --objdump\n",
			shown.text);
	else if (err == -EIO)
		fprintf(stderr, "acrctl: annotate: '%s' failed", shown.text);
	else if (err == -EFBIG)
		fprintf(stderr, "acrctl: annotate: the function has more than %u instructions",
			LINES_MAX);
	else
		fprintf(stderr,
			"acrctl: annotate: '%s' could not run: %s; name another one with --objdump\n",
			shown.text, strerror(-err));
	if (err != -EIO && err != -EFBIG)
		return;
	fputs(" for ", stderr);
	terminal_print(stderr, 0, path);
	fputs(err == -EIO ? "; see its message above, or name another one with --objdump\n" :
			    "; its symbol is damaged\n", stderr);
}

static int disassemble(struct annotate *an)
{
	const char *path = sym_function_path(&an->view.space, &an->chosen->at);
	struct objdump o = {
		.program = an->objdump, .style = an->style, .path = path,
		.start = an->chosen->at.start, .end = an->chosen->at.end,
	};
	int err = check_build(an, path);

	if (err)
		return err;
	err = objdump_run(&o, take_instruction, an);
	if (err && err != -ENOMEM)
		refuse(an, path, err);
	if (!err && !an->nr_lines)
		an->unknown = "objdump finds none there";
	return err;
}

static int compare_lines(const void *a, const void *b)
{
	const struct annotate_line *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static struct annotate_line *line_at(const struct annotate *an, __u64 addr, size_t nr)
{
	const struct annotate_line key = { .addr = addr };

	return nr ? bsearch(&key, an->lines, nr, sizeof(key), compare_lines) : NULL;
}

/* Add a line for each address with samples that is no instruction. */
static int add_strays(struct annotate *an)
{
	size_t i, nr, known = an->nr_lines;

	for (i = 0; i < an->known.nr; i++) {
		const uint64_t *key = tuples_get(&an->known, i, &nr);

		if (key[1] == an->chosen_number && !line_at(an, key[2], known) &&
		    add_line(an, key[2], NULL))
			return -ENOMEM;
	}
	if (an->nr_lines)
		qsort(an->lines, an->nr_lines, sizeof(*an->lines), compare_lines);
	/* several events may have samples there */
	for (i = 1, nr = an->nr_lines ? 1 : 0; i < an->nr_lines; i++) {
		if (an->lines[i].addr != an->lines[nr - 1].addr)
			an->lines[nr++] = an->lines[i];
	}
	an->nr_lines = nr;
	return 0;
}

static int add_samples(struct annotate *an)
{
	size_t i, e, nr;

	an->cells = calloc(an->nr_lines * an->nr_events, sizeof(*an->cells));
	if (!an->cells)
		return -ENOMEM;
	for (i = 0; i < an->known.nr; i++) {
		const uint64_t *key = tuples_get(&an->known, i, &nr);

		if (key[1] != an->chosen_number)
			continue;
		nr = line_at(an, key[2], an->nr_lines) - an->lines;
		for (e = 0; an->events[e] != key[0]; e++)
			;
		an->cells[nr * an->nr_events + e] = an->counts[i];
	}
	return 0;
}

static int keep(struct annotate *an, const char *text, const char **kept)
{
	size_t number;

	if (!text)
		return 0;
	number = intern_add(&an->texts, text);
	if (number == INTERN_FAILED)
		return -ENOMEM;
	*kept = an->texts.texts[number];
	return 0;
}

static int add_sources(struct annotate *an)
{
	size_t i, nr;

	for (i = 0; i < an->nr_lines && !an->no_source; i++) {
		struct annotate_line *l = &an->lines[i];
		const struct sym_frame *f = sym_function_frames(&an->view.space, &an->chosen->at,
								l->addr, &nr);

		progress_step(&an->view.progress, i, an->nr_lines);
		if (!nr)
			continue;
		l->line = f->line;
		if (keep(an, f->file, &l->file) || keep(an, f->name, &l->inlined))
			return -ENOMEM;
	}
	return 0;
}

static int read_code(struct annotate *an)
{
	int err = 0;

	an->unknown = why_unknown(an);
	if (!an->unknown)
		err = disassemble(an);
	if (!err)
		err = add_strays(an);
	if (!err)
		err = add_samples(an);
	return err ? err : add_sources(an);
}

/**
 * annotate_read_code() - find the instructions of the chosen function
 *
 * Return: 0, -ENOMEM; another -errno after a message.
 */
int annotate_read_code(struct annotate *an)
{
	int err;

	/* debug information may have to be fetched for it */
	progress_begin(&an->view.progress, "reading code of", an->chosen->symbol, "instructions");
	err = read_code(an);
	progress_end(&an->view.progress);
	return err;
}
