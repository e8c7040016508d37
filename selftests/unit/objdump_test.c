// SPDX-License-Identifier: GPL-2.0-only
/* Lines that disassemblers print, as those of instructions or others. */
#include <stdlib.h>

#include "tap.h"
#include "userspace/acrctl/annotate/objdump.h"

static const struct {
	int line;
	const char *text;
	__u64 addr;			/* ~0: it is no instruction */
	const char *instruction;
} cases[] = {
	{ __LINE__, "    1139:\tpush   %rbp\n", 0x1139, "push   %rbp" },
	{ __LINE__, "ffffffff81000002:\tnop\n", 0xffffffff81000002, "nop" },
	{ __LINE__, "  401126:       \tmovq\t%rsp, %rbp\n", 0x401126, "movq %rsp, %rbp" },
	{ __LINE__, "  10:\tret\t\n", 0x10, "ret" },
	{ __LINE__, "  10:\tret", 0x10, "ret" },
	{ __LINE__, "\n", ~0ULL, NULL },
	{ __LINE__, "0000000000001139 <outer>:\n", ~0ULL, NULL },
	{ __LINE__, "abc:     file format elf64-x86-64\n", ~0ULL, NULL },
	{ __LINE__, "/a:\tb\n", ~0ULL, NULL },
	{ __LINE__, "Disassembly of section .text:\n", ~0ULL, NULL },
	{ __LINE__, "\t...\n", ~0ULL, NULL },
	{ __LINE__, "  10:\t\n", ~0ULL, NULL },
	{ __LINE__, "  10:\n", ~0ULL, NULL },
	{ __LINE__, "123456789abcdef01:\tnop\n", ~0ULL, NULL },
};

int main(void)
{
	size_t i;

	plan(0);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *line = strdup(cases[i].text);
		const char *text = NULL;
		__u64 addr = 0;
		int err = objdump_line(line, &addr, &text);

		ok(!err == (cases[i].addr != ~0ULL), "line %d: whether it is an instruction",
		   cases[i].line);
		if (!err) {
			is_u64(addr, cases[i].addr, "line %d: its address", cases[i].line);
			is_str(text, cases[i].instruction, "line %d: its text", cases[i].line);
		}
		free(line);
	}
	return done();
}
