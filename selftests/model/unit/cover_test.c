// SPDX-License-Identifier: GPL-2.0-only
/* Tests of the log of blocks that ran: where modules are, and the line of one. */
#include <stdlib.h>
#include <unistd.h>

#include "cover.h"
#include "tap.h"

static void addresses(void)
{
	ok(!cover_is_module(0xffffffff81000000), "the kernel's own code is no module's");
	ok(!cover_is_module(0x401000), "nor is a program's");
	ok(cover_is_module(0xffffffffa0000000), "a kernel that cannot move loads modules here");
	ok(cover_is_module(0xffffffffc0000000), "one that can loads them here");
	ok(cover_is_module(0xfffffffffeffffff), "up to here");
	ok(!cover_is_module(0xffffffffff000000), "and not at fixed mappings");
}

static void lines(void)
{
	static const uint8_t bytes[] = { 0xf3, 0x0f, 0x1e, 0xfa, 0x00, 0xc3 };
	char path[64], line[256] = "";
	struct log log = { 0 };
	FILE *f;

	snprintf(path, sizeof(path), "/tmp/cover_test.%d", getpid());
	is_u64(log_open(&log, path), 0, "a log is opened");
	cover_block(&log, 0xffffffff81000000, bytes, sizeof(bytes));
	cover_block(&log, 0xffffffffc0001234, bytes, sizeof(bytes));
	ok(log_close(&log), "and closed");
	f = fopen(path, "r");
	if (!fgets(line, sizeof(line), f))
		line[0] = 0;
	is_str(line, "{\"t\":\"block\",\"pc\":\"0xffffffffc0001234\",\"bytes\":\"f30f1efa00c3\"}\n",
	       "a block of a module, and none of the kernel's before it");
	fclose(f);
	unlink(path);
	log.file = NULL;
	cover_block(&log, 0xffffffffc0001234, bytes, sizeof(bytes));
	is_u64(log.lines, 2, "without a log nothing is written");
}

int main(void)
{
	plan(0);
	addresses();
	lines();
	return done();
}
