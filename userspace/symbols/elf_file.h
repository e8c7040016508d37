/* SPDX-License-Identifier: GPL-2.0-only */
/* The symbols and the build-id of one ELF file, found also in its separate debug file. */
#ifndef _SYMBOLS_ELF_FILE_H
#define _SYMBOLS_ELF_FILE_H

#include "sources.h"

/* A function, at addresses as the file numbers them. */
struct sym_symbol {
	__u64 start;
	__u64 end;		/* first address behind it */
	size_t name;		/* offset in the table's names */
};

/* Functions ordered by address; zeroed it is empty. */
struct sym_table {
	struct sym_symbol *symbols;
	size_t nr;
	size_t room;
	char *names;		/* each ends in 0 */
	size_t names_size;
	size_t names_room;
	__u32 *index;		/* numbers of the functions at the edges of equal pieces, or NULL */
	size_t nr_pieces;
	unsigned int piece_bits;	/* of the size of a piece */
};

int sym_table_add(struct sym_table *t, __u64 start, __u64 size, const char *name);
void sym_table_sort(struct sym_table *t);
void sym_table_latest(struct sym_table *t);
const struct sym_symbol *sym_table_find(const struct sym_table *t, __u64 addr);
const char *sym_table_name(const struct sym_table *t, const struct sym_symbol *s);
void sym_table_free(struct sym_table *t);

/* Bytes of the file that are mapped to be executed. */
struct sym_segment {
	__u64 offset;		/* in the file */
	__u64 vaddr;		/* as the file numbers addresses */
	__u64 size;
};

#define SYM_MAX_SEGMENTS	16

/* One ELF file. */
struct sym_elf {
	struct sym_table table;
	struct sym_build_id build_id;
	__u64 base;			/* where the file would be mapped from its beginning */
	struct sym_segment segments[SYM_MAX_SEGMENTS];
	unsigned int nr_segments;
};

int sym_elf_load(struct sym_elf *e, const char *path, const struct sym_sources *src,
		 const struct sym_build_id *want);
int sym_elf_load_mem(struct sym_elf *e, const void *image, size_t size);
void sym_elf_free(struct sym_elf *e);
int sym_elf_open_debug(struct sym_elf *e, const char *path, const struct sym_sources *src);
bool sym_elf_vaddr(const struct sym_elf *e, __u64 file_offset, __u64 *vaddr);
int sym_elf_open(const char *path);
int sym_elf_build_id_fd(int fd, struct sym_build_id *id);
int sym_elf_build_id(const char *path, struct sym_build_id *id);
int sym_notes_build_id(const void *notes, size_t size, struct sym_build_id *id);
bool sym_build_id_equal(const struct sym_build_id *a, const struct sym_build_id *b);

#endif /* _SYMBOLS_ELF_FILE_H */
