// SPDX-License-Identifier: GPL-2.0-only
/* Debug information: inlined functions of this program, and copies of it that are damaged. */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tap.h"
#include "userspace/symbols/debug.h"
#include "userspace/symbols/elf_file.h"

#define SELF		"/proc/self/exe"
#define ADDRESSES	500	/* that are looked up in a damaged copy */
#define COPIES		3	/* for each kind of damage */

__attribute__((noinline)) const void *code_of_both(void);
__attribute__((noinline)) const void *code_of_outer(void);

static unsigned int line_inside, line_of_call;

static inline __attribute__((always_inline)) const void *inlined_into_another(void)
{
	const void *p;

	line_inside = __LINE__ + 1;
	__asm__ volatile("lea -1(%%rip), %0" : "=r" (p));
	return p;
}

__attribute__((noinline)) const void *code_of_both(void)
{
	const void *p;

	line_of_call = __LINE__ + 1;
	p = inlined_into_another();
	__asm__ volatile("" : "+r" (p));
	return p;
}

__attribute__((noinline)) const void *code_of_outer(void)
{
	const void *p;

	__asm__ volatile("lea -1(%%rip), %0" : "=r" (p));
	return p;
}

/* By /proc/self/maps, not by the code under test; 0: not found. */
static __u64 offset_of(const void *addr)
{
	unsigned long long start, end, pgoff, found = 0;
	FILE *f = fopen("/proc/self/maps", "re");
	char line[512];

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%llx-%llx %*s %llx", &start, &end, &pgoff) == 3 &&
		    (unsigned long)addr >= start && (unsigned long)addr < end)
			found = (unsigned long)addr - start + pgoff;
	}
	if (f)
		fclose(f);
	return found;
}

static void test_own_file(void)
{
	const struct sym_frame *f = NULL;
	struct sym_debug *d = NULL;
	const struct sym_frame *again;
	struct sym_elf e;
	size_t nr = 0;
	__u64 vaddr = 0;
	int fd;

	is_u64(sym_elf_load(&e, SELF, NULL, NULL), 0, "this program is read");
	fd = sym_elf_open_debug(&e, SELF, NULL);
	ok(fd >= 0, "it has debug information");
	is_u64(sym_debug_begin(&d, fd, -1), 0, "which is read");
	ok(sym_elf_vaddr(&e, offset_of(code_of_both()), &vaddr), "code of two functions is found");
	is_u64(sym_debug_frames(d, vaddr, &f, &nr), 0, "it is looked up");
	is_u64(nr, 2, "it has two frames");
	is_str(nr ? f[0].name : NULL, "inlined_into_another", "first the inlined function");
	ok(nr == 2 && !f[1].name, "then the function itself");
	ok(nr && f[0].file && strstr(f[0].file, "debug_test.c"), "the file of the inlined one");
	is_u64(nr ? f[0].line : 0, line_inside, "its line");
	is_u64(nr == 2 ? f[1].line : 0, line_of_call, "the line where it was called");
	is_u64(sym_debug_frames(d, vaddr, &again, &nr), 0, "it is looked up again");
	ok(again == f && nr == 2, "it was kept");
	sym_elf_vaddr(&e, offset_of(code_of_outer()), &vaddr);
	sym_debug_frames(d, vaddr, &f, &nr);
	ok(nr == 1 && !f[0].name, "a function without inlined ones is one frame");
	sym_debug_frames(d, 1, &f, &nr);
	is_u64(nr, 0, "an address without code has none");
	ok(!sym_debug_cut(d), "all was read");
	sym_debug_end(d);
	sym_elf_free(&e);
}

/* Lookups of more addresses than are kept find the same as before. */
static void test_many(void)
{
	const struct sym_frame *f;
	struct sym_debug *d = NULL;
	struct sym_elf e;
	size_t nr = 0;
	__u64 vaddr = 0, i;

	sym_elf_load(&e, SELF, NULL, NULL);
	sym_elf_vaddr(&e, offset_of(code_of_both()), &vaddr);
	sym_debug_begin(&d, sym_elf_open_debug(&e, SELF, NULL), -1);
	for (i = 0; i < 100000; i++)
		sym_debug_frames(d, ~i, &f, &nr);
	sym_debug_frames(d, vaddr, &f, &nr);
	ok(nr == 2 && !strcmp(f[0].name, "inlined_into_another"),
	   "after 100,000 other addresses the frames are the same");
	sym_debug_end(d);
	sym_elf_free(&e);
}

static int copy_of_self(void)
{
	int from = open(SELF, O_RDONLY | O_CLOEXEC), to = memfd_create("copy", MFD_CLOEXEC);
	char buf[65536];
	ssize_t n;

	while ((n = read(from, buf, sizeof(buf))) > 0) {
		if (write(to, buf, n) != n)
			break;
	}
	close(from);
	return to;
}

/* Where a section is in the file. */
static bool find_section(int fd, const char *name, GElf_Shdr *shdr)
{
	bool found = false;
	Elf_Scn *scn = NULL;
	size_t names;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf_getshdrstrndx(elf, &names)) {
		while (!found && (scn = elf_nextscn(elf, scn)))
			found = gelf_getshdr(scn, shdr) &&
				!strcmp(elf_strptr(elf, names, shdr->sh_name), name);
	}
	elf_end(elf);
	return found;
}

/* One byte in @every becomes another. */
static void damage(int fd, const GElf_Shdr *shdr, unsigned int every)
{
	unsigned char byte;
	__u64 i;

	for (i = 0; i < shdr->sh_size / every; i++) {
		byte = rand();
		if (pwrite(fd, &byte, 1, shdr->sh_offset + rand() % shdr->sh_size) != 1)
			return;
	}
}

static void look_around(struct sym_debug *d, const struct sym_elf *e)
{
	const struct sym_frame *f;
	size_t nr, i, j, length = 0;

	for (i = 0; i < ADDRESSES; i++) {
		const struct sym_symbol *s = &e->table.symbols[rand() % e->table.nr];

		if (sym_debug_frames(d, s->start + rand() % 64, &f, &nr))
			break;
		for (j = 0; j < nr; j++)
			length += (f[j].name ? strlen(f[j].name) : 0) +
				  (f[j].file ? strlen(f[j].file) : 0);
	}
	ok(i == ADDRESSES, "%d lookups end; names of %zu bytes", ADDRESSES, length);
}

static void test_damaged(void)
{
	static const char *const sections[] = {
		".debug_info", ".debug_abbrev", ".debug_line", ".debug_rnglists",
	};
	struct sym_debug *d;
	struct sym_elf e;
	GElf_Shdr shdr;
	unsigned int i;
	int fd, err;

	sym_elf_load(&e, SELF, NULL, NULL);
	srand(1);
	for (i = 0; i < COPIES * sizeof(sections) / sizeof(*sections); i++) {
		fd = copy_of_self();
		if (!find_section(fd, sections[i / COPIES], &shdr)) {
			close(fd);
			continue;
		}
		damage(fd, &shdr, 1000);
		err = sym_debug_begin(&d, fd, -1);
		ok(!err || err == -ENOENT, "%s is damaged: %s", sections[i / COPIES],
		   err ? "refused" : "read");
		if (!err)
			look_around(d, &e);
		sym_debug_end(d);
	}
	sym_elf_free(&e);
}

static void expect_none(const char *what, const void *data, size_t size)
{
	int fd = memfd_create("none", MFD_CLOEXEC);
	struct sym_debug *d;

	if (write(fd, data, size) != (ssize_t)size)
		abort();
	is_u64(sym_debug_begin(&d, fd, -1), -ENOENT, "%s has none", what);
	ok(!d, "nothing is left of it");
}

static void test_none(void)
{
	const Elf64_Ehdr header = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
		.e_ehsize = sizeof(header), .e_shentsize = sizeof(Elf64_Shdr),
	};

	expect_none("an empty file", "", 0);
	expect_none("an ELF file without sections", &header, sizeof(header));
}

int main(void)
{
	plan(0);
	test_own_file();
	test_many();
	test_damaged();
	test_none();
	return done();
}
