// SPDX-License-Identifier: GPL-2.0-only
/* Extra registers of a core: register of an event, valid values, alternates, reference counts. */
#include "extra_reg.h"
#include "../regs.h"

#define CONFIG_MASK	(PERFEVTSEL_EVENT | PERFEVTSEL_UMASK)

int acrpmu_extra_reg_find(const struct acrpmu_model *model, u64 config)
{
	int i;

	for (i = 0; i < model->nr_extra_regs; i++) {
		if ((config & CONFIG_MASK) == model->extra_regs[i].config)
			return i;
	}
	return ACRPMU_EXTRA_REG_NONE;
}

u64 acrpmu_extra_reg_config(const struct acrpmu_model *model, u64 config, int reg)
{
	if (reg == ACRPMU_EXTRA_REG_NONE)
		return config;
	return (config & ~CONFIG_MASK) | model->extra_regs[reg].config;
}

bool acrpmu_extra_reg_is_valid(const struct acrpmu_model *model, int reg, u64 value)
{
	return !(value & ~model->extra_regs[reg].valid_mask);
}

bool acrpmu_extra_reg_is_usable(const struct acrpmu_extra_state *state, int reg, u64 value)
{
	return !state->reg[reg].hidden &&
	       (!state->reg[reg].refs || state->reg[reg].value == value);
}

void acrpmu_extra_reg_get(struct acrpmu_extra_state *state, int reg, u64 value)
{
	if (reg == ACRPMU_EXTRA_REG_NONE)
		return;
	state->reg[reg].value = value;
	state->reg[reg].refs++;
}

void acrpmu_extra_reg_put(struct acrpmu_extra_state *state, int reg)
{
	if (reg != ACRPMU_EXTRA_REG_NONE)
		state->reg[reg].refs--;
}
