# SPDX-License-Identifier: GPL-2.0-only
# What event_dir_test is made of besides core.
event_dir_test_SRCS := userspace/gen/arena.c userspace/gen/convert.c userspace/gen/emit.c userspace/gen/event_dir.c userspace/gen/file.c userspace/gen/json_events.c userspace/gen/mapfile.c userspace/gen/number.c userspace/gen/offcore_matrix.c userspace/gen/report.c userspace/gen/table.c userspace/gen/text_pool.c userspace/gen/walk.c userspace/lib/event_table.c
event_dir_test_CFLAGS := -D_GNU_SOURCE -DFIXTURES=\"$(ROOT)/selftests/fixtures/events\" -DDATA=\"$(ROOT)/../shared/data\"
event_dir_test_LIBS := -ljson-c
