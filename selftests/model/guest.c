// SPDX-License-Identifier: GPL-2.0-only
/* Reads and writes the guest's registers and memory. */
#include <string.h>

#include "guest.h"

#define GUEST_BUFFER	64

static const char *const names[NR_GUEST_REGS] = {
	"rax", "rbx", "rcx", "rdx", "rsp", "cs", "cr0", "cr4", "rip", "eflags",
};

const char *guest_init(struct guest *g)
{
	GArray *regs = qemu_plugin_get_registers();
	unsigned int i, r;

	if (!g->buf)
		g->buf = g_byte_array_sized_new(GUEST_BUFFER);
	for (i = 0; i < regs->len; i++) {
		const qemu_plugin_reg_descriptor *d =
			&g_array_index(regs, qemu_plugin_reg_descriptor, i);

		for (r = 0; r < NR_GUEST_REGS; r++)
			if (!strcmp(d->name, names[r]))
				g->reg[r] = d->handle;
	}
	g_array_free(regs, TRUE);
	for (r = 0; r < NR_GUEST_REGS; r++)
		if (!g->reg[r])
			return names[r];
	return NULL;
}

uint64_t guest_read(struct guest *g, enum guest_reg reg)
{
	uint64_t value = 0;

	g_byte_array_set_size(g->buf, 0);
	if (qemu_plugin_read_register(g->reg[reg], g->buf))
		memcpy(&value, g->buf->data,
		       g->buf->len < sizeof(value) ? g->buf->len : sizeof(value));
	return value;
}

void guest_write(struct guest *g, enum guest_reg reg, uint64_t value)
{
	g_byte_array_set_size(g->buf, sizeof(value));
	memcpy(g->buf->data, &value, sizeof(value));
	qemu_plugin_write_register(g->reg[reg], g->buf);
}

uint64_t guest_read_stack(struct guest *g, uint64_t address)
{
	uint64_t value = 0;

	if (qemu_plugin_read_memory_vaddr(address, g->buf, sizeof(value)))
		memcpy(&value, g->buf->data, sizeof(value));
	return value;
}

bool guest_read_phys(struct guest *g, uint64_t address, uint32_t *value)
{
	if (qemu_plugin_read_memory_hwaddr(address, g->buf, sizeof(*value)))
		return false;
	memcpy(value, g->buf->data, sizeof(*value));
	return true;
}

bool guest_write_phys(struct guest *g, uint64_t address, uint32_t value)
{
	g_byte_array_set_size(g->buf, sizeof(value));
	memcpy(g->buf->data, &value, sizeof(value));
	return !qemu_plugin_write_memory_hwaddr(address, g->buf);
}
