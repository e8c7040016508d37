/* SPDX-License-Identifier: GPL-2.0-only */
/* The performance monitoring interrupt: through the local APIC, and what runs until it is over. */
#ifndef MODEL_PMI_H
#define MODEL_PMI_H

#include <stdbool.h>
#include <stdint.h>

#include "access.h"
#include "event.h"

/**
 * struct pmi_message - an interrupt message on the bus
 * @address: where it is written
 * @data: what is written
 */
struct pmi_message {
	uint64_t address;
	uint32_t data;
};

/**
 * pmi_route() - what the local APIC makes of a PMI
 * @lvtpc: the LVT entry; masked afterwards if the interrupt is delivered, as hardware does
 * @apic_id: the APIC's ID register
 * @message: the message that delivers it
 *
 * Return: false if the entry is masked, which loses the interrupt.
 */
bool pmi_route(uint32_t *lvtpc, uint32_t apic_id, struct pmi_message *message);

/**
 * struct pmi_point - where a CPU is
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
 * @sent: an interrupt was delivered and has not been taken yet
 * @open: it was taken and is not over
 * @handler_done: the interrupted code was reached, if only to be interrupted again
 * @from: where it was taken
 * @handler_insns: kernel instructions until @handler_done
 * @insns: kernel instructions until a block of the interrupted code ran
 * @interrupts: other interrupts that came in between
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

/**
 * pmi_window_interrupt() - an interrupt was taken
 * @w: the CPU's window
 * @at: where
 *
 * Return: true if this closed the window, because it was the next PMI; @w is then that of the old
 * one, and pmi_window_open() must follow.
 */
bool pmi_window_interrupt(struct pmi_window *w, const struct pmi_point *at);

/**
 * pmi_window_open() - start the window of a PMI that was taken
 * @w: the CPU's window
 * @at: where
 */
void pmi_window_open(struct pmi_window *w, const struct pmi_point *at);

/**
 * pmi_window_block() - a block is about to run
 * @w: the CPU's window
 * @at: its start
 *
 * Return: true if this closed the window.
 */
bool pmi_window_block(struct pmi_window *w, const struct pmi_point *at);

#endif /* MODEL_PMI_H */
