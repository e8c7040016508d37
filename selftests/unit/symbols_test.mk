# SPDX-License-Identifier: GPL-2.0-only
# What symbols_test needs besides its own file.
symbols_test_SRCS := userspace/symbols/elf_file.c userspace/symbols/kernel.c \
	userspace/symbols/lookup.c userspace/symbols/maps.c userspace/symbols/space.c userspace/symbols/table.c
symbols_test_CFLAGS := -D_GNU_SOURCE
symbols_test_LIBS := -ldw -lelf -lz
