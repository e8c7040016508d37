# SPDX-License-Identifier: GPL-2.0-only
# What mapfile_test is made of besides core.
mapfile_test_SRCS := userspace/gen/arena.c userspace/gen/file.c userspace/gen/mapfile.c userspace/gen/number.c userspace/gen/report.c
mapfile_test_CFLAGS := -D_GNU_SOURCE
