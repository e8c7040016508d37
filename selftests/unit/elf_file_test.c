// SPDX-License-Identifier: GPL-2.0-only
/* Symbol tables of copies of the library under test, of which headers of sections were changed. */
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"
#include "userspace/symbols/elf_file.h"

/* The library in memory. */
static unsigned char *image;
static size_t image_size;
static __u64 address;		/* of sym_elf_load(), as the file numbers it */

static void read_library(void)
{
	Dl_info info;
	struct stat st;
	int fd;

	if (!dladdr((void *)sym_elf_load, &info))
		abort();
	fd = open(info.dli_fname, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		abort();
	image_size = st.st_size;
	image = mmap(NULL, image_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (image == MAP_FAILED)
		abort();
	close(fd);
	/* a library begins at 0 */
	address = (uintptr_t)sym_elf_load - (uintptr_t)info.dli_fbase;
}

/* The only section of a type. */
static Elf64_Shdr *section_of(Elf64_Word type)
{
	const Elf64_Ehdr *e = (void *)image;
	Elf64_Shdr *s = (void *)(image + e->e_shoff);
	unsigned int i;

	for (i = 0; i < e->e_shnum; i++) {
		if (s[i].sh_type == type)
			return &s[i];
	}
	abort();
}

static const Elf64_Sym *symbols_of(const Elf64_Shdr *s, size_t *nr)
{
	*nr = s->sh_size / sizeof(Elf64_Sym);
	return (void *)(image + s->sh_offset);
}

static bool is_function(const Elf64_Sym *sym)
{
	return ELF64_ST_TYPE(sym->st_info) == STT_FUNC && sym->st_shndx != SHN_UNDEF;
}

/* How many addresses have a function, one by one. */
static size_t count_functions(const Elf64_Shdr *s)
{
	size_t nr, i, k, found = 0;
	const Elf64_Sym *sym = symbols_of(s, &nr);

	for (i = 0; i < nr; i++) {
		for (k = 0; k < i; k++) {
			if (is_function(&sym[k]) && sym[k].st_value == sym[i].st_value)
				break;
		}
		found += is_function(&sym[i]) && k == i;
	}
	return found;
}

static void load(struct sym_elf *e)
{
	char path[] = "/tmp/elf_file_test.XXXXXX";
	int fd = mkstemp(path);

	if (fd < 0 || write(fd, image, image_size) != (ssize_t)image_size)
		abort();
	close(fd);
	is_u64(sym_elf_load(e, path, NULL, NULL), 0, "a copy of the library is read");
	unlink(path);
}

static void test_dynamic(void)
{
	Elf64_Shdr *table = section_of(SHT_SYMTAB);
	const struct sym_symbol *s;
	struct sym_elf e;

	/* as strip would leave it */
	table->sh_type = SHT_PROGBITS;
	load(&e);
	s = sym_table_find(&e.table, address);
	is_str(s ? sym_table_name(&e.table, s) : NULL, "sym_elf_load",
	       "without a symbol table the dynamic one has the name");
	is_u64(e.table.nr, count_functions(section_of(SHT_DYNSYM)), "and all others");
	sym_elf_free(&e);
	table->sh_type = SHT_SYMTAB;
}

static void test_static(void)
{
	Elf64_Shdr *table = section_of(SHT_SYMTAB);
	const Elf64_Xword size = table->sh_size;
	struct sym_elf e;
	size_t nr, i;
	const Elf64_Sym *sym = symbols_of(table, &nr);

	for (i = 0; i < nr && !is_function(&sym[i]); i++)
		;
	table->sh_size = (i + 1) * sizeof(*sym);
	load(&e);
	is_u64(e.table.nr, 1, "nothing is added to a symbol table, however short");
	is_u64(e.table.nr ? e.table.symbols->start : 0, sym[i].st_value, "its only function");
	sym_elf_free(&e);
	table->sh_size = size;
}

/**
 * main() - all tests
 *
 * Return: 0 if all pass, otherwise 1.
 */
int main(void)
{
	plan(0);
	read_library();
	test_dynamic();
	test_static();
	munmap(image, image_size);
	return done();
}
