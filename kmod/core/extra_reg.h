/* SPDX-License-Identifier: GPL-2.0-only */
/* Extra registers of a core: sharing by equal value and reference count, and alternates. */
#ifndef _ACRPMU_CORE_EXTRA_REG_H
#define _ACRPMU_CORE_EXTRA_REG_H

#include "attr.h"
#include "model.h"
#include "types.h"

#define ACRPMU_EXTRA_REG_NONE	(-1)	/* the event uses no extra register */

/**
 * struct acrpmu_extra_state - who uses the extra registers of one core
 * @reg: one element for each of the model's extra registers
 * @reg.value: what it holds while @reg.refs is not 0
 * @reg.refs: events that use it
 *
 * All zero is the state of a core that nobody uses.  The caller keeps one for each core and guards
 * it with a lock of its own; hardware threads of a core that share the MSRs share the state.
 */
struct acrpmu_extra_state {
	struct {
		u64 value;
		u32 refs;
	} reg[ACRPMU_MAX_EXTRA_REGS];
};

/**
 * struct acrpmu_extra_choice - which extra register each event of a group uses
 * @reg: index in the model's table, ACRPMU_EXTRA_REG_NONE for an event without
 * @config: config word of the event, rewritten if it moved to an alternate register
 */
struct acrpmu_extra_choice {
	s8 reg[ACRPMU_MAX_EVENTS];
	u64 config[ACRPMU_MAX_EVENTS];
};

/**
 * acrpmu_extra_reg_find() - the extra register of a config
 * @model: row of the CPU table
 * @config: config word; event select and umask are compared
 *
 * Context: any.
 * Return: index in @model->extra_regs, or ACRPMU_EXTRA_REG_NONE.
 */
int acrpmu_extra_reg_find(const struct acrpmu_model *model, u64 config);

/**
 * acrpmu_extra_reg_choose() - choose registers for a group, finding a choice whenever there is one
 * @state: users of the core's registers now; not changed
 * @caps: the CPU
 * @group: a group that acrpmu_attr_check_caps() has passed for @caps
 * @choice: out; not written when refused
 * @error: out, written only when refused; may be NULL
 *
 * An event can use its own register or one that is reached from it by alternates and whose valid
 * mask allows the value; a register is usable if it is free or holds the same value.  Registers in
 * use keep their values.
 *
 * Context: any.
 * Return: 0, or with EXTRA_BUSY in @error, event being the first that finds no register, value what
 * its own register holds and limit that register's MSR number:
 * -EBUSY: @state is in the way;
 * -ENOSPC: the group alone asks for more values than there are registers.
 */
int acrpmu_extra_reg_choose(const struct acrpmu_extra_state *state, const struct acrpmu_caps *caps,
			    const struct acrpmu_group *group, struct acrpmu_extra_choice *choice,
			    struct acrpmu_error *error);

/**
 * acrpmu_extra_reg_get() - take the registers of a choice
 * @state: the state that the choice was made for
 * @group: the group
 * @choice: result of acrpmu_extra_reg_choose() for the same state
 *
 * Context: any, under the lock that guards @state.
 */
void acrpmu_extra_reg_get(struct acrpmu_extra_state *state, const struct acrpmu_group *group,
			  const struct acrpmu_extra_choice *choice);

/**
 * acrpmu_extra_reg_put() - give back what acrpmu_extra_reg_get() took
 * @state: the state
 * @group: the group
 * @choice: the choice
 *
 * Context: any, under the lock that guards @state.
 */
void acrpmu_extra_reg_put(struct acrpmu_extra_state *state, const struct acrpmu_group *group,
			  const struct acrpmu_extra_choice *choice);

#endif /* _ACRPMU_CORE_EXTRA_REG_H */
