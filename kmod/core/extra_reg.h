/* SPDX-License-Identifier: GPL-2.0-only */
/* Extra registers of a core: sharing by equal value and reference count, and the exact choice. */
#ifndef _ACRPMU_CORE_EXTRA_REG_H
#define _ACRPMU_CORE_EXTRA_REG_H

#include "group.h"
#include "model.h"
#include "types.h"

#define ACRPMU_EXTRA_REG_NONE	(-1)	/* the event uses no extra register */

/**
 * struct acrpmu_extra_state - who uses the extra registers of one core
 * @reg: one element for each of the model's extra registers
 * @reg.value: what it holds while @reg.refs is not 0
 * @reg.refs: events that use it
 * @reg.hidden: it does not answer
 *
 * All zero is the state of a core that nobody uses.  The caller keeps one for each core and guards
 * it with a lock of its own; hardware threads of a core that share the MSRs share the state.
 */
struct acrpmu_extra_state {
	struct {
		u64 value;
		u32 refs;
		bool hidden;
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
 * acrpmu_extra_reg_cntrs() - counters that can count an event at all, whichever register it gets
 * @caps: the CPU
 * @ev: the event, with or without an extra register
 *
 * More than acrpmu_constraint_config() says where each register's event is bound to counters of
 * its own, and a move to the alternate is a move to other counters too.
 *
 * Context: any.
 * Return: mask over counters.
 */
u64 acrpmu_extra_reg_cntrs(const struct acrpmu_caps *caps, const struct acrpmu_ev *ev);

/**
 * acrpmu_extra_reg_place() - choose counters and extra registers for a group
 * @state: users of the registers now; not changed
 * @caps: the CPU
 * @group: a group that acrpmu_attr_check_caps() has passed for @caps
 * @free_cntrs: counters that nobody holds
 * @cntr: out, counter index of each event; not written when refused
 * @choice: out, registers and configs; not written when refused
 * @error: out, written only when refused; may be NULL
 *
 * An event can use its own register or one that is reached from it by alternates and whose valid
 * mask allows the value; a register is usable if it is free or holds the same value.  Registers in
 * use keep their values.  The choice is exact: if any assignment of registers and counters exists,
 * it is found.  Fixed counters are used for as many events as can be.
 *
 * Context: any.
 * Return: 0, or with the reason in @error:
 * -EOPNOTSUPP: see acrpmu_constraint_check();
 * -ENOSPC with NO_ASSIGNMENT, -EBUSY with HELD: see acrpmu_constraint_among();
 * -EBUSY with EXTRA_BUSY: @state is in the way; limit is the MSR number of a register that others
 * hold with another value, which value is;
 * -EOPNOTSUPP with EXTRA_HIDDEN: there would be registers if those answered that do not; limit is
 * the MSR number of one, value the event's extra value;
 * with both, event is one that could use that register otherwise: the first that finds none or, if
 * none is in its own way, the nearest before it, which has taken the only one that it can use;
 * -ENOSPC with EXTRA_BUSY: the group alone asks for more values than there are registers; value is
 * what its events gave the first one, limit that register's MSR number.
 */
int acrpmu_extra_reg_place(const struct acrpmu_extra_state *state, const struct acrpmu_caps *caps,
			   const struct acrpmu_group *group, u64 free_cntrs,
			   s8 cntr[ACRPMU_MAX_EVENTS], struct acrpmu_extra_choice *choice,
			   struct acrpmu_error *error);

/**
 * acrpmu_extra_reg_fits() - can a choice that was made before be had now?
 * @state: users of the registers now
 * @group: the group
 * @choice: a choice for a core like this
 *
 * Context: any.
 * Return: whether each of its registers answers, and is free or holds the event's value.
 */
bool acrpmu_extra_reg_fits(const struct acrpmu_extra_state *state, const struct acrpmu_group *group,
			   const struct acrpmu_extra_choice *choice);

/**
 * acrpmu_extra_reg_get() - take the registers of a choice
 * @state: the state that the choice was made for
 * @group: the group
 * @choice: a choice for the same state
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
