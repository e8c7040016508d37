/* SPDX-License-Identifier: GPL-2.0-only */
/* Extra registers of a core: register of an event, valid values, alternates, reference counts. */
#ifndef _ACRPMU_CORE_EXTRA_REG_H
#define _ACRPMU_CORE_EXTRA_REG_H

#include "model.h"
#include "types.h"

#define ACRPMU_EXTRA_REG_NONE	(-1)	/* the event uses no extra register */

/**
 * struct acrpmu_extra_state - use of the extra registers of one core
 * @reg: one element for each of the model's extra registers
 * @reg.value: what the register holds while @reg.refs is not 0
 * @reg.refs: number of events that use it; 0: it is free
 * @reg.hidden: it does not answer, so that no event can use it
 *
 * All zero is the state of an idle core with all registers.  The caller keeps one for each core and
 * guards it with its own lock; hardware threads that share the MSRs of a core share the state.
 */
struct acrpmu_extra_state {
	struct {
		u64 value;
		u32 refs;
		bool hidden;
	} reg[ACRPMU_MODEL_MAX_EXTRA_REGS];
};

/**
 * acrpmu_extra_reg_find() - find the extra register that a config selects
 * @model: row of the CPU table
 * @config: config word; only event select and umask are compared
 *
 * Context: any.
 * Return: index in @model->extra_regs, or ACRPMU_EXTRA_REG_NONE.
 */
int acrpmu_extra_reg_find(const struct acrpmu_model *model, u64 config);

/**
 * acrpmu_extra_reg_valid_mask() - find the values that an event may have in its extra register
 * @model: row of the CPU table
 * @config: config word; only event select and umask are compared
 *
 * Context: any.
 * Return: mask of the bits; 0 if the event uses no register.
 */
u64 acrpmu_extra_reg_valid_mask(const struct acrpmu_model *model, u64 config);

/**
 * acrpmu_extra_reg_config() - rewrite a config so that its event uses another extra register
 * @model: row of the CPU table
 * @config: config word
 * @reg: index in @model->extra_regs, its own or an alternate of that, or ACRPMU_EXTRA_REG_NONE
 *
 * Context: any.
 * Return: @config with event select and umask of the same event on the register; @config itself
 * without a register, or if its event uses that one.
 */
u64 acrpmu_extra_reg_config(const struct acrpmu_model *model, u64 config, int reg);

/**
 * acrpmu_extra_reg_is_valid() - check that an extra register can hold a value
 * @model: row of the CPU table
 * @reg: index in @model->extra_regs
 *
 * Context: any.
 * Return: whether @value has only bits of the register's valid mask; an event's may have fewer.
 */
bool acrpmu_extra_reg_is_valid(const struct acrpmu_model *model, int reg, u64 value);

/**
 * acrpmu_extra_reg_is_usable() - check that an event can use an extra register now
 * @state: use of the registers
 * @reg: index in the model's table
 * @value: a value that is valid in it
 *
 * Context: any.
 * Return: whether the register answers, and is free or holds @value.
 */
bool acrpmu_extra_reg_is_usable(const struct acrpmu_extra_state *state, int reg, u64 value);

/**
 * acrpmu_extra_reg_get() - count one more event that uses an extra register
 * @state: use of the registers
 * @reg: a register that acrpmu_extra_reg_is_usable() allows; ACRPMU_EXTRA_REG_NONE does nothing
 * @value: the event's value
 *
 * Context: any, under the lock that guards @state.
 */
void acrpmu_extra_reg_get(struct acrpmu_extra_state *state, int reg, u64 value);

/**
 * acrpmu_extra_reg_put() - undo acrpmu_extra_reg_get()
 * @state: use of the registers
 * @reg: the register; ACRPMU_EXTRA_REG_NONE does nothing
 *
 * Context: any, under the lock that guards @state.
 */
void acrpmu_extra_reg_put(struct acrpmu_extra_state *state, int reg);

#endif /* _ACRPMU_CORE_EXTRA_REG_H */
