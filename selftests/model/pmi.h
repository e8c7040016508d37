/* SPDX-License-Identifier: GPL-2.0-only */
/* The performance monitoring interrupt: its delivery, and the window until it is over. */
#ifndef MODEL_PMI_H
#define MODEL_PMI_H

#include <stdbool.h>
#include <stdint.h>

#include "access.h"
#include "event.h"

/**
 * struct pmi_message - an interrupt message on the bus
 * @address: address of the write
 * @data: its value
 */
struct pmi_message {
	uint64_t address;
	uint32_t data;
};

/*
 * Route a PMI through the local APIC.
 * @lvtpc: the LVT entry; as in hardware, delivery masks it
 * @apic_id: the APIC's ID register
 * @message: the message that delivers the PMI
 *
 * Return: false if the entry is masked, which loses the interrupt.
 */
bool pmi_route(uint32_t *lvtpc, uint32_t apic_id, struct pmi_message *message);

/**
 * struct pmi_point - position of a CPU
 * @pc: next instruction
 * @sp: stack pointer
 * @level: privilege level
 * @kernel_insns: kernel instructions that have run on this CPU
 */
struct pmi_point {
	uint64_t pc, sp;
	enum event_level level;
	uint64_t kernel_insns;
};

/**
 * struct pmi_window - what ran between a PMI and the return to the interrupted code
 * @sent: an interrupt was delivered and is not taken yet
 * @open: it was taken, and the window is open
 * @handler_done: the interrupted code was reached, even if interrupted again at once
 * @from: the interrupted code
 * @handler_insns: kernel instructions until @handler_done
 * @insns: kernel instructions until a block of the interrupted code ran
 * @interrupts: other interrupts in between
 * @access: PMU accesses until @handler_done
 * @late_access: PMU accesses from then on
 */
struct pmi_window {
	bool sent, open, handler_done;
	struct pmi_point from;
	uint64_t handler_insns, insns;
	uint32_t interrupts;
	struct access_counts access, late_access;
};

/*
 * Note that an interrupt was taken.
 *
 * Return: true if it is the next PMI, which closes the window in @w; pmi_window_open() must follow.
 */
bool pmi_window_interrupt(struct pmi_window *w, const struct pmi_point *at);

/* Start the window of a PMI that was taken. */
void pmi_window_open(struct pmi_window *w, const struct pmi_point *at);

/* Note that a block is about to run; return true if that closes the window. */
bool pmi_window_block(struct pmi_window *w, const struct pmi_point *at);

#endif /* MODEL_PMI_H */
