// SPDX-License-Identifier: GPL-2.0-only
/* Logs blocks with their bytes, by which they are found again wherever a module is loaded. */
#include "cover.h"

void cover_block(struct log *log, uint64_t pc, const uint8_t *bytes, size_t size)
{
	if (!cover_is_module(pc) || !log_begin(log, "block"))
		return;
	log_hex(log, "pc", pc);
	log_bytes(log, "bytes", bytes, size);
	log_end(log, false);
}
