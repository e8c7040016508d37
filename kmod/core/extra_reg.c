// SPDX-License-Identifier: GPL-2.0-only
/* Extra registers of a core: register of an event, valid values, alternates, reference counts. */
#include "extra_reg.h"
#include "../regs.h"

#define CONFIG_MASK	(PERFEVTSEL_EVENT | PERFEVTSEL_UMASK)

/* Find an event among those of a register: 0 its first, n element n - 1 of the others, -1 none. */
static int place_of(const struct acrpmu_extra_reg *reg, u64 config)
{
	int i;

	config &= CONFIG_MASK;
	if (config == reg->config)
		return 0;
	for (i = 0; i < reg->nr_others; i++) {
		if (config == reg->others[i].config)
			return i + 1;
	}
	return -1;
}

int acrpmu_extra_reg_find(const struct acrpmu_model *model, u64 config)
{
	int i;

	for (i = 0; i < model->nr_extra_regs; i++) {
		if (place_of(&model->extra_regs[i], config) >= 0)
			return i;
	}
	return ACRPMU_EXTRA_REG_NONE;
}

u64 acrpmu_extra_reg_valid_mask(const struct acrpmu_model *model, u64 config)
{
	int i = acrpmu_extra_reg_find(model, config), place;
	const struct acrpmu_extra_reg *reg;

	if (i == ACRPMU_EXTRA_REG_NONE)
		return 0;
	reg = &model->extra_regs[i];
	place = place_of(reg, config);
	return place ? reg->others[place - 1].valid_mask : reg->valid_mask;
}

u64 acrpmu_extra_reg_config(const struct acrpmu_model *model, u64 config, int reg)
{
	int own = acrpmu_extra_reg_find(model, config), place;
	const struct acrpmu_extra_reg *alt;

	if (reg == own || reg == ACRPMU_EXTRA_REG_NONE)
		return config;
	alt = &model->extra_regs[reg];
	place = place_of(&model->extra_regs[own], config);
	return (config & ~CONFIG_MASK) | (place ? alt->others[place - 1].config : alt->config);
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
