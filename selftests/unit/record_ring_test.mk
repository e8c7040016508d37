# SPDX-License-Identifier: GPL-2.0-only
# What record_ring_test needs besides its own file.
record_ring_test_SRCS := userspace/acrctl/ring.c
record_ring_test_CFLAGS := -D_GNU_SOURCE
