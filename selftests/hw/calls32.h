/* SPDX-License-Identifier: GPL-2.0-only */
/* Known calls in 32-bit mode, of code that is copied to where it has addresses of 32 bits. */
#ifndef HW_CALLS32_H
#define HW_CALLS32_H

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#define CALLS32_CALLER	0x1234	/* what is pushed below as if the first function was called */

/*
 * As a function of 64 bits, calls32_code(n) changes to a stack of its own and to 32-bit mode, which
 * keeps no upper halves of registers and has null in DS, so that only the stack can be accessed.
 * There it makes two calls, the second of which spins n times.
 */
extern const char calls32_code[], calls32_end[];
extern const char calls32_in_enter[], calls32_in_outer[];
extern const char calls32_spin_begin[], calls32_spin_end[];

__asm__(".pushsection .rodata\n"
	".balign 16\n"
	"calls32_code:\n"
	"	push %rbp\n"
	"	push %rbx\n"
	"	push %r12\n"
	"	push %r13\n"
	"	push %r14\n"
	"	push %r15\n"
	"	mov %rsp, 7f(%rip)\n"
	"	lea 8f(%rip), %rsp\n"
	"	mov %edi, %ecx\n"
	"	xor %ebp, %ebp\n"
	"	push $0x23\n"		/* __USER32_CS */
	"	lea 1f(%rip), %rax\n"
	"	push %rax\n"
	"	lretq\n"
	".code32\n"
	"1:	push $0x1234\n"
	"	push %ebp\n"
	"	mov %esp, %ebp\n"
	"	call 2f\n"
	"calls32_in_enter:\n"
	"	push $0x33\n"		/* __USER_CS */
	"	call 4f\n"
	"4:	pop %eax\n"
	"	add $(5f - 4b), %eax\n"
	"	push %eax\n"
	"	lret\n"
	"2:	push %ebp\n"
	"	mov %esp, %ebp\n"
	"	call 3f\n"
	"calls32_in_outer:\n"
	"	pop %ebp\n"
	"	ret\n"
	"3:	push %ebp\n"
	"	mov %esp, %ebp\n"
	"calls32_spin_begin:\n"
	"	dec %ecx\n"
	"	jnz calls32_spin_begin\n"
	"calls32_spin_end:\n"
	"	pop %ebp\n"
	"	ret\n"
	".code64\n"
	"5:	mov 7f(%rip), %rsp\n"
	"	pop %r15\n"
	"	pop %r14\n"
	"	pop %r13\n"
	"	pop %r12\n"
	"	pop %rbx\n"
	"	pop %rbp\n"
	"	ret\n"
	".balign 16\n"
	"7:	.quad 0\n"
	"	.skip 248\n"
	"8:\n"
	"calls32_end:\n"
	".popsection\n");

/* A copy of the code, or MAP_FAILED; munmap() frees it. */
static inline char *calls32_make(void)
{
	size_t size = calls32_end - calls32_code;
	char *copy = mmap(NULL, size, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	if (copy != MAP_FAILED)
		memcpy(copy, calls32_code, size);
	return copy;
}

/* Where a label of the code is in a copy */
static inline uint64_t calls32_at(const char *copy, const char *label)
{
	return (uintptr_t)copy + (label - calls32_code);
}

#endif /* HW_CALLS32_H */
