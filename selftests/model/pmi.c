// SPDX-License-Identifier: GPL-2.0-only
/* Routes PMIs by the LVT entry, and follows a PMI window from its start to its end. */
#include <string.h>

#include "pmi.h"
#include "pmu_regs.h"

bool pmi_route(uint32_t *lvtpc, uint32_t apic_id, struct pmi_message *message)
{
	if (*lvtpc & APIC_LVT_MASKED)
		return false;
	message->address = APIC_DEFAULT_PHYS_BASE |
			   (uint64_t)(apic_id >> APIC_ID_SHIFT) << MSI_DEST_SHIFT;
	message->data = *lvtpc & APIC_LVT_MESSAGE;
	*lvtpc |= APIC_LVT_MASKED;
	return true;
}

/* Whether @at is the interrupted code: any user code, as the kernel may switch tasks first */
static bool is_back(const struct pmi_window *w, const struct pmi_point *at)
{
	if (w->from.level == LEVEL_USER)
		return at->level == LEVEL_USER;
	return at->pc == w->from.pc && at->sp == w->from.sp;
}

static void handler_done(struct pmi_window *w, const struct pmi_point *at)
{
	if (w->handler_done)
		return;
	w->handler_done = true;
	w->handler_insns = at->kernel_insns - w->from.kernel_insns;
}

bool pmi_window_interrupt(struct pmi_window *w, const struct pmi_point *at)
{
	bool pmi = w->sent;

	w->sent = false;
	if (w->open) {
		if (is_back(w, at))
			handler_done(w, at);
		if (!pmi) {
			w->interrupts++;
			return false;
		}
		w->insns = at->kernel_insns - w->from.kernel_insns;
		handler_done(w, at);
		return true;
	}
	if (pmi)
		pmi_window_open(w, at);
	return false;
}

void pmi_window_open(struct pmi_window *w, const struct pmi_point *at)
{
	memset(w, 0, sizeof(*w));
	w->open = true;
	w->from = *at;
}

bool pmi_window_block(struct pmi_window *w, const struct pmi_point *at)
{
	if (!w->open || !is_back(w, at))
		return false;
	w->insns = at->kernel_insns - w->from.kernel_insns;
	handler_done(w, at);
	w->open = false;
	return true;
}
