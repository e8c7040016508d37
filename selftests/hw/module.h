/* SPDX-License-Identifier: GPL-2.0-only */
/* The module itself: loading with parameters, unloading, and the addresses of its code. */
#ifndef HW_MODULE_H
#define HW_MODULE_H

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../model/oracle.h"

static inline const char *module_path(void)
{
	static char path[512];
	const char *build = getenv("ACR_BUILD"), *kernel = getenv("ACR_KERNEL");

	snprintf(path, sizeof(path), "%s/kernels/%s/acrpmu.ko", build ?: "build",
		 kernel ?: "6.1");
	return path;
}

/**
 * module_load() - load the module
 * @params: parameters as on insmod's command line
 *
 * Return: 0 or -errno.
 */
static inline int module_load(const char *params)
{
	int fd = open(module_path(), O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = syscall(SYS_finit_module, fd, params, 0) ? -errno : 0;
	close(fd);
	return ret;
}

/**
 * module_unload() - unload the module
 *
 * Return: 0 or -errno.
 */
static inline int module_unload(void)
{
	return syscall(SYS_delete_module, "acrpmu", O_NONBLOCK) ? -errno : 0;
}

#define MODULE_PARAMETERS	"/sys/module/acrpmu/parameters/"

/**
 * module_set() - set a parameter of the loaded module
 * @name: the parameter
 * @value: as text
 *
 * Return: 0 or -errno.
 */
static inline int module_set(const char *name, const char *value)
{
	char path[128];
	int fd, ret;

	snprintf(path, sizeof(path), MODULE_PARAMETERS "%s", name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = write(fd, value, strlen(value)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

/**
 * module_set_usual() - set the limits as most tests load the module
 *
 * Return: 0 or -errno.
 */
static inline int module_set_usual(void)
{
	return module_set("min_period", "1000") ?: module_set("min_period_quiet", "1") ?:
	       module_set("max_sample_rate", "100000") ?: module_set("max_pmi_percent", "100");
}

/* Address of a loaded section, 0 if there is none of that name. */
static inline uint64_t section_address(const char *name)
{
	unsigned long long address = 0;
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/module/acrpmu/sections/%s", name);
	file = fopen(path, "r");
	if (!file)
		return 0;
	if (fscanf(file, "%llx", &address) != 1)
		address = 0;
	fclose(file);
	return address;
}

/**
 * module_add_ranges() - make the model CPU attribute register accesses to the module
 *
 * The caller must stay on one CPU.
 *
 * Return: sections of code registered, 0 if that failed.
 */
static inline int module_add_ranges(void)
{
	int fd = open(module_path(), O_RDONLY | O_CLOEXEC), i, nr = 0;
	const Elf64_Shdr *section;
	const Elf64_Ehdr *elf;
	const char *names;
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return 0;
	elf = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (elf == MAP_FAILED)
		return 0;
	section = (const void *)((const char *)elf + elf->e_shoff);
	names = (const char *)elf + section[elf->e_shstrndx].sh_offset;
	for (i = 0; i < elf->e_shnum; i++) {
		const char *name = names + section[i].sh_name;
		uint64_t start;

		if (!(section[i].sh_flags & SHF_EXECINSTR) || !section[i].sh_size ||
		    strstr(name, "init"))
			continue;
		start = section_address(name);
		if (start && oracle_add_range(start, start + section[i].sh_size))
			nr++;
	}
	munmap((void *)elf, st.st_size);
	return nr;
}

#endif /* HW_MODULE_H */
