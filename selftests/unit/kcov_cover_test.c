// SPDX-License-Identifier: GPL-2.0-only
/* Code that threads have run, by a file that stands for KCOV: each place is new once. */
#include "tap.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* From Documentation/dev-tools/kcov.rst */
#define INIT_TRACE	_IOR('c', 1, unsigned long)
#define ENABLE		_IO('c', 100)

static unsigned long bytes;
static unsigned int nr_files, nr_enabled;
static int files[8];
static bool present;

static int fake_access(const char *path)
{
	return present && !strcmp(path, "/sys/kernel/debug/kcov") ? 0 : -1;
}

static int fake_open(const char *path)
{
	files[nr_files] = memfd_create(path, 0);
	return files[nr_files++];
}

static int fake_ioctl(int fd, unsigned long cmd, unsigned long arg)
{
	if (cmd == INIT_TRACE) {
		bytes = arg * sizeof(unsigned long);
		return ftruncate(fd, bytes);
	}
	nr_enabled += cmd == ENABLE && arg == 0;
	return 0;
}

#define access(path, mode)	fake_access(path)
#define open(path, flags)	fake_open(path)
#define ioctl		fake_ioctl
#include "../kcov/cover.c"

/* As the kernel writes it: the number first, then places, no more than there is room for */
static void run_code(unsigned int thread, const uint64_t *places, unsigned int nr)
{
	uint64_t *area = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, files[thread], 0);
	unsigned int i;

	for (i = 0; i < nr; i++)
		area[++area[0]] = places[i];
	munmap(area, bytes);
}

static uint64_t nr_in(unsigned int thread)
{
	uint64_t nr;

	return pread(files[thread], &nr, sizeof(nr), 0) == sizeof(nr) ? nr : ~0ULL;
}

/* All of it, with so many places */
static void fill(unsigned int thread, uint64_t first, unsigned long distinct)
{
	uint64_t *area = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, files[thread], 0);
	unsigned long i, nr = bytes / sizeof(*area) - 1;

	for (i = 1; i <= nr; i++)
		area[i] = first + i % distinct;
	area[nr] = first + distinct;
	area[0] = nr;
	munmap(area, bytes);
}

int main(void)
{
	static const uint64_t some[] = { 0xffffffffc0001000, 0xffffffffc0001004,
					 0xffffffffc0001000 };
	static const uint64_t more[] = { 0xffffffffc0001004, 0xffffffffc0001008 };
	bool guided = true;

	plan(0);
	ok(cover_begin(&guided) && !guided && cover_thread(0) && !cover_new() && !nr_files,
	   "without KCOV nothing is watched, and nothing is new");
	present = true;
	ok(cover_begin(&guided) && guided && nr_files == NR_THREADS,
	   "with it each thread has a file");
	ok(cover_thread(0) && cover_thread(1) && nr_enabled == 2, "threads are watched");
	is_u64(cover_new(), 0, "nothing is new before anything is run");
	run_code(0, some, 3);
	is_u64(cover_new(), 2, "two places are new, one of them twice");
	is_u64(cover_new(), 0, "and not new again");
	is_u64(nr_in(0), 0, "the next program finds an empty file");
	run_code(0, some, 3);
	run_code(2, more, 2);
	is_u64(cover_new(), 1, "of places of two threads one is new");
	is_u64(cover_places(), 3, "there are three by then");
	fill(1, 0x1000, 100);
	is_u64(cover_new(), 101, "a full file is read to its end");
	fill(0, 0x1000000, UINT32_MAX);
	cover_new();
	fill(2, 0x3000000, UINT32_MAX);
	is_u64(cover_new(), 0, "and where there is no room for more places, none is new");
	return done();
}
