/* SPDX-License-Identifier: GPL-2.0-only */
/* A loop of a fixed length: many short blocks, of which each runs as often as any other. */
#ifndef HW_BLOCKS_H
#define HW_BLOCKS_H

#include <stdint.h>

#define NR_BLOCKS	64

/*
 * Each block is a jump's target, so that a PMI may come before each, and all run equally often; and
 * a function to those who look at unwind information.
 */
__asm__(".pushsection .text\n"
	".balign 64\n"
	".type loop_blocks, @function\n"
	"loop_blocks:\n"
	"1:	.rept 63\n"
	"	.cfi_startproc\n"
	"	add $3, %rax\n"
	"	xor $5, %rax\n"
	"	lea 1(%rax), %rax\n"
	"	and $-2, %rax\n"
	"	jmp 2f\n"
	"	.cfi_endproc\n"
	"2:\n"
	"	.endr\n"
	"	.cfi_startproc\n"
	"	add $3, %rax\n"
	"	xor $5, %rax\n"
	"	lea 1(%rax), %rax\n"
	"	dec %rdi\n"
	"	jnz 1b\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"loop_end:\n"
	".popsection\n");

/**
 * loop_blocks() - a loop of NR_BLOCKS blocks with 5 instructions each
 * @rounds: how often, not 0
 */
void loop_blocks(uint64_t rounds);
extern const char loop_end[];

#endif /* HW_BLOCKS_H */
