// SPDX-License-Identifier: GPL-2.0-only
/* Which code of the module threads have run, as far as the kernel has KCOV. */
#include "cover.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "program.h"

/* As in linux/kcov.h */
#define KCOV_INIT_TRACE	_IOR('c', 1, unsigned long)
#define KCOV_ENABLE	_IO('c', 100)
#define KCOV_TRACE_PC	0

#define NR_PLACES	(1 << 16)	/* of one program; what is more is lost */
#define NR_SEEN		(1 << 16)	/* more than twice the places that the module has */

/* Its first element is how many there are. */
static uint64_t *traces[NR_THREADS];
static int fds[NR_THREADS];
static uint64_t seen[NR_SEEN];
static unsigned int nr_seen;
static bool has_kcov;

static bool set_up(unsigned int i)
{
	void *at;

	fds[i] = open("/sys/kernel/debug/kcov", O_RDWR | O_CLOEXEC);
	if (fds[i] < 0 || ioctl(fds[i], KCOV_INIT_TRACE, NR_PLACES))
		return false;
	at = mmap(NULL, NR_PLACES * sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fds[i],
		  0);
	if (at == MAP_FAILED)
		return false;
	/* Children are not watched. */
	madvise(at, NR_PLACES * sizeof(uint64_t), MADV_DONTFORK);
	traces[i] = at;
	return true;
}

bool cover_begin(bool *guided)
{
	unsigned int i;

	has_kcov = !access("/sys/kernel/debug/kcov", F_OK);
	*guided = has_kcov;
	for (i = 0; has_kcov && i < NR_THREADS; i++)
		if (!set_up(i))
			return false;
	return true;
}

bool cover_thread(unsigned int index)
{
	return !has_kcov || !ioctl(fds[index], KCOV_ENABLE, KCOV_TRACE_PC);
}

/* Open addressing; no place has address 0 */
static bool is_new(uint64_t place)
{
	unsigned int at = (place * 0x9e3779b97f4a7c15ULL) >> 48;

	while (seen[at] && seen[at] != place)
		at = (at + 1) % NR_SEEN;
	if (seen[at] || nr_seen == NR_SEEN / 2)
		return false;
	seen[at] = place;
	nr_seen++;
	return true;
}

unsigned int cover_new(void)
{
	unsigned int nr = 0, i;
	uint64_t at, end;

	for (i = 0; has_kcov && i < NR_THREADS; i++) {
		end = traces[i][0];
		for (at = 1; at <= end && at < NR_PLACES; at++)
			nr += is_new(traces[i][at]);
		traces[i][0] = 0;
	}
	return nr;
}

unsigned int cover_places(void)
{
	return nr_seen;
}
