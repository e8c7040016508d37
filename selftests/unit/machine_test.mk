# SPDX-License-Identifier: GPL-2.0-only
# What machine_test needs besides its own file.
machine_test_SRCS := userspace/perfdata/blob.c userspace/perfdata/machine.c userspace/perfdata/writer.c
machine_test_CFLAGS := -D_GNU_SOURCE
