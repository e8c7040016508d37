/* SPDX-License-Identifier: GPL-2.0-only */
/* Registers and memory of the guest, in a callback on the vCPU's own thread. */
#ifndef MODEL_GUEST_H
#define MODEL_GUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "qemu_api.h"

/* Registers that the model reads or writes */
enum guest_reg {
	GUEST_RAX, GUEST_RBX, GUEST_RCX, GUEST_RDX, GUEST_RSP, GUEST_CS, GUEST_CR0, GUEST_CR4,
	GUEST_RIP, GUEST_EFLAGS,
	NR_GUEST_REGS
};

#define CR0_PE			(1ULL << 0)
#define CR4_PCE			(1ULL << 8)
#define GUEST_PAGE_OFFSET	0xfffULL
/* Linux: code segment of 64-bit user code */
#define GUEST_USER_CS		0x33

/**
 * struct guest - access to one vCPU
 * @reg: QEMU's handles
 * @buf: for the transfers
 */
struct guest {
	struct qemu_plugin_register *reg[NR_GUEST_REGS];
	GByteArray *buf;
};

/*
 * Look up the registers.
 *
 * Return: name of a register that QEMU does not offer, or NULL.
 */
const char *guest_init(struct guest *g);

/* Read a register. */
uint64_t guest_read(struct guest *g, enum guest_reg reg);

/* Write a register. */
void guest_write(struct guest *g, enum guest_reg reg, uint64_t value);

/* Read eight bytes at a virtual address; 0 if nothing is mapped there. */
uint64_t guest_read_stack(struct guest *g, uint64_t address);

/* Read a device register at a physical address; false on failure. */
bool guest_read_phys(struct guest *g, uint64_t address, uint32_t *value);

/* Write a device register at a physical address; false on failure. */
bool guest_write_phys(struct guest *g, uint64_t address, uint32_t value);

#endif /* MODEL_GUEST_H */
