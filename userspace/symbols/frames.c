// SPDX-License-Identifier: GPL-2.0-only
/* Reading debug information when it is first needed, and finding inlined functions in it. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"
#include "lookup.h"

/* Of all files together; libdw has in memory what it reads of them. */
#define MAX_SIZE	(1ULL << 30)

/* Takes @fd; returns NULL without debug information that can be read. */
static struct sym_debug *begin(struct sym_space *sp, int fd, bool *large)
{
	struct sym_debug *d = NULL;
	struct stat st;

	sp->out_of_memory |= fd == -ENOMEM;
	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) || (__u64)st.st_size > MAX_SIZE - sp->debug_size) {
		*large = true;
		close(fd);
		return NULL;
	}
	sp->out_of_memory |= sym_debug_begin(&d, fd, -1) == -ENOMEM;
	if (d)
		sp->debug_size += st.st_size;
	return d;
}

static const struct sym_frame *find(struct sym_space *sp, struct sym_debug *d, __u64 vaddr,
				    size_t *nr)
{
	const struct sym_frame *frames = NULL;

	*nr = 0;
	if (d && sym_debug_frames(d, vaddr, &frames, nr))
		sp->out_of_memory = true;
	return frames;
}

/** sym_lookup_file_frames() - sym_space_frames() for an address as the file numbers them */
const struct sym_frame *sym_lookup_file_frames(struct sym_space *sp, struct sym_dso *dso,
					       __u64 vaddr, size_t *nr)
{
	if (!dso->debug_tried && dso->path)
		dso->debug = begin(sp, sym_elf_open_debug(&dso->elf, dso->path, &sp->sources),
				   &dso->debug_large);
	dso->debug_tried = true;
	return find(sp, dso->debug, vaddr, nr);
}

/** sym_lookup_user_frames() - sym_space_frames() for an offset in a file whose symbols were read */
const struct sym_frame *sym_lookup_user_frames(struct sym_space *sp, struct sym_dso *dso,
					       __u64 file_offset, size_t *nr)
{
	__u64 vaddr;

	*nr = 0;
	if (!sym_elf_vaddr(&dso->elf, file_offset, &vaddr))
		return NULL;
	return sym_lookup_file_frames(sp, dso, vaddr, nr);
}

/** sym_lookup_kernel_frames() - sym_space_frames() for the kernel, if it was read from a file */
const struct sym_frame *sym_lookup_kernel_frames(struct sym_space *sp, __u64 addr, size_t *nr)
{
	struct sym_elf elf = { .build_id = sp->kernel_elf_id };
	bool large = false;

	if (!sp->kernel_debug_tried && sp->kernel_path) {
		sp->kernel_debug = begin(sp, sym_elf_open_debug(&elf, sp->kernel_path,
								&sp->sources), &large);
		sp->kernel_debug_large = large;
	}
	sp->kernel_debug_tried = true;
	return find(sp, sp->kernel_debug, addr - sp->kernel_reloc, nr);
}
