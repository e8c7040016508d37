/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls of pfm_dispatch_events() as bytes, for the fuzzer and its seeds. */
#ifndef ACRPFM_TEST_BYTES_H
#define ACRPFM_TEST_BYTES_H

#include "result.h"

#define BYTES_SIZE (sizeof(struct call) + 1)

void bytes_read(const uint8_t *data, size_t size, struct call *call);
size_t bytes_write(const struct call *call, uint8_t *data);

#endif
