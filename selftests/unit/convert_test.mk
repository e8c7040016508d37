# SPDX-License-Identifier: GPL-2.0-only
# What convert_test is made of besides core.
convert_test_SRCS := userspace/gen/arena.c userspace/gen/convert.c userspace/gen/file.c userspace/gen/json_events.c userspace/gen/number.c userspace/gen/offcore_matrix.c userspace/gen/report.c userspace/gen/table.c userspace/gen/text_pool.c userspace/lib/event_table.c
convert_test_CFLAGS := -D_GNU_SOURCE
convert_test_LIBS := -ljson-c
