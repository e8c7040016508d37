// SPDX-License-Identifier: GPL-2.0-only
/* Tests of the decoder: branches, instructions that the model answers, costs. */
#include <stdlib.h>

#include "cost.h"
#include "event.h"
#include "tap.h"

static const struct {
	const char *text;
	uint8_t bytes[8];
	uint8_t size;
	uint32_t units;
	bool branch, conditional;
	enum insn_type type;
	bool plain;
} cases[] = {
	{ "cpuid", { 0x0f, 0xa2 }, 2, 800, false, false, INSN_CPUID, false },
	{ "rdmsr", { 0x0f, 0x32 }, 2, 480, false, false, INSN_RDMSR, false },
	{ "wrmsr", { 0x0f, 0x30 }, 2, 800, false, false, INSN_WRMSR, false },
	{ "rdpmc", { 0x0f, 0x33 }, 2, 240, false, false, INSN_RDPMC, false },
	{ "rdtsc", { 0x0f, 0x31 }, 2, 200, false, false, INSN_OTHER, false },
	{ "rdmsr behind a prefix", { 0x66, 0x0f, 0x32 }, 3, 480, false, false, INSN_RDMSR, false },
	{ "rdpmc behind REX", { 0x48, 0x0f, 0x33 }, 3, 240, false, false, INSN_RDPMC, false },
	{ "mov $0x320f, %eax", { 0xb8, 0x0f, 0x32, 0, 0 }, 5, 2, false, false, INSN_OTHER, true },
	{ "jnz short", { 0x75, 0xfe }, 2, 4, true, true, INSN_OTHER, true },
	{ "jnz near", { 0x0f, 0x85, 0, 0, 0, 0 }, 6, 4, true, true, INSN_OTHER, true },
	{ "loop", { 0xe2, 0xfe }, 2, 4, true, true, INSN_OTHER, true },
	{ "jmp short", { 0xeb, 0xfe }, 2, 8, true, false, INSN_OTHER, true },
	{ "call", { 0xe8, 0, 0, 0, 0 }, 5, 8, true, false, INSN_OTHER, false },
	{ "ret", { 0xc3 }, 1, 8, true, false, INSN_OTHER, false },
	{ "rep ret", { 0xf3, 0xc3 }, 2, 8, true, false, INSN_OTHER, false },
	{ "jmp *%rax", { 0xff, 0xe0 }, 2, 8, true, false, INSN_OTHER, false },
	{ "call *(%rax)", { 0xff, 0x10 }, 2, 8, true, false, INSN_OTHER, false },
	{ "inc (%rax)", { 0xff, 0x00 }, 2, 6, false, false, INSN_OTHER, false },
	{ "push (%rax)", { 0xff, 0x30 }, 2, 6, false, false, INSN_OTHER, false },
	{ "syscall", { 0x0f, 0x05 }, 2, 320, true, false, INSN_OTHER, false },
	{ "sysretq", { 0x48, 0x0f, 0x07 }, 3, 320, true, false, INSN_OTHER, false },
	{ "iretq", { 0x48, 0xcf }, 2, 480, true, false, INSN_OTHER, false },
	{ "pause", { 0xf3, 0x90 }, 2, 320, false, false, INSN_OTHER, true },
	{ "nop", { 0x90 }, 1, 1, false, false, INSN_OTHER, true },
	{ "div %rcx", { 0x48, 0xf7, 0xf1 }, 3, 160, false, false, INSN_OTHER, true },
	{ "mul %rcx", { 0x48, 0xf7, 0xe1 }, 3, 24, false, false, INSN_OTHER, true },
	{ "lock inc (%rax)", { 0xf0, 0xff, 0x00 }, 3, 144, false, false, INSN_OTHER, false },
	{ "add %rax, %rbx", { 0x48, 0x01, 0xc3 }, 3, 2, false, false, INSN_OTHER, true },
	{ "lea 1(%rbx), %rax", { 0x48, 0x8d, 0x43, 0x01 }, 4, 2, false, false, INSN_OTHER, true },
	{ "and $-2, %rax", { 0x48, 0x83, 0xe0, 0xfe }, 4, 2, false, false, INSN_OTHER, true },
	{ "dec %rax", { 0x48, 0xff, 0xc8 }, 3, 2, false, false, INSN_OTHER, true },
	{ "cmove %rax, %rbx", { 0x48, 0x0f, 0x44, 0xd8 }, 4, 3, false, false, INSN_OTHER, true },
	{ "cmove (%rax), %rbx", { 0x48, 0x0f, 0x44, 0x18 }, 4, 6, false, false, INSN_OTHER, false },
	{ "mov (%rbx), %rax", { 0x48, 0x8b, 0x03 }, 3, 4, false, false, INSN_OTHER, false },
	{ "push %rbx", { 0x53 }, 1, 3, false, false, INSN_OTHER, false },
	{ "sysenter", { 0x0f, 0x34 }, 2, 320, true, false, INSN_OTHER, false },
	{ "int3", { 0xcc }, 1, 480, true, false, INSN_OTHER, false },
	{ "add %rax, (%rbx)", { 0x48, 0x01, 0x03 }, 3, 4, false, false, INSN_OTHER, false },
};

int main(void)
{
	unsigned int i, nr = sizeof(cases) / sizeof(cases[0]);

	plan(nr + 1);
	for (i = 0; i < nr; i++) {
		struct insn_cost c = cost_of(cases[i].bytes, cases[i].size);

		ok(c.units == cases[i].units && c.branch == cases[i].branch &&
		   c.conditional == cases[i].conditional && c.type == cases[i].type &&
		   c.plain == cases[i].plain,
		   "%s takes %u eighths, branch %d, conditional %d, plain %d, type %d",
		   cases[i].text, c.units, c.branch, c.conditional, c.plain, c.type);
	}
	/* exactly as long as its bytes, so that the sanitizer sees a read beyond them */
	for (i = 0; i < 1000; i++) {
		size_t size = i % 3;
		uint8_t *cut = malloc(size);

		if (size)
			memset(cut, 0x0f, size);
		if (size == 1)
			cut[0] = i >> 2;
		cost_of(cut, size);
		free(cut);
	}
	ok(true, "truncated instructions are decoded without reading beyond them");
	return done();
}
