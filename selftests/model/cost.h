/* SPDX-License-Identifier: GPL-2.0-only */
/* Decoding of an instruction as far as its cost, its branch and its touch of the PMU go. */
#ifndef MODEL_COST_H
#define MODEL_COST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * enum insn_type - instructions that the model answers itself
 * @INSN_OTHER: not one of them
 * @INSN_CPUID: CPUID
 * @INSN_RDMSR: RDMSR
 * @INSN_WRMSR: WRMSR
 * @INSN_RDPMC: RDPMC
 */
enum insn_type { INSN_OTHER, INSN_CPUID, INSN_RDMSR, INSN_WRMSR, INSN_RDPMC };

/**
 * struct insn_cost - the properties of an instruction that the model uses
 * @units: time it takes, in eighths of a core cycle
 * @branch: it is a branch
 * @conditional: it is a conditional branch
 * @plain: it touches registers only, and nothing but a division by zero can make it fault
 * @type: whether the model answers it
 */
struct insn_cost {
	uint32_t units;
	bool branch;
	bool conditional;
	bool plain;
	enum insn_type type;
};

/*
 * Decode an instruction of 64-bit mode.
 *
 * The costs are the model's own, in the proportions of a small out-of-order core, and do not
 * describe a real processor.
 *
 * Return: the cost.
 */
struct insn_cost cost_of(const uint8_t *bytes, size_t size);

#endif /* MODEL_COST_H */
