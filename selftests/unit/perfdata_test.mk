# SPDX-License-Identifier: GPL-2.0-only
# What perfdata_test needs besides its own file.
perfdata_test_SRCS := userspace/perfdata/blob.c userspace/perfdata/reader.c \
	userspace/perfdata/sample.c userspace/perfdata/stream.c userspace/perfdata/window.c \
	userspace/perfdata/writer.c
perfdata_test_CFLAGS := -D_GNU_SOURCE
