// SPDX-License-Identifier: GPL-2.0-only
/* Extra registers of a core: register of an event, valid values, alternates, reference counts. */
#include "extra_reg.h"
#include "../regs.h"

#define CONFIG_MASK	(PERFEVTSEL_EVENT | PERFEVTSEL_UMASK)

/* Valid values of an event in a register; 0: the event does not use it. */
static u64 mask_of(const struct acrpmu_extra_reg *reg, u64 config)
{
	int i;

	config &= CONFIG_MASK;
	if (config == reg->config)
		return reg->valid_mask;
	for (i = 0; i < reg->nr_others; i++) {
		if (config == reg->others[i].config)
			return reg->others[i].valid_mask;
	}
	return 0;
}

int acrpmu_extra_reg_find(const struct acrpmu_model *model, u64 config)
{
	int i;

	for (i = 0; i < model->nr_extra_regs; i++) {
		if (mask_of(&model->extra_regs[i], config))
			return i;
	}
	return ACRPMU_EXTRA_REG_NONE;
}

u64 acrpmu_extra_reg_valid_mask(const struct acrpmu_model *model, u64 config)
{
	int reg = acrpmu_extra_reg_find(model, config);

	return reg == ACRPMU_EXTRA_REG_NONE ? 0 : mask_of(&model->extra_regs[reg], config);
}

u64 acrpmu_extra_reg_config(const struct acrpmu_model *model, u64 config, int reg)
{
	if (reg == ACRPMU_EXTRA_REG_NONE || mask_of(&model->extra_regs[reg], config))
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
