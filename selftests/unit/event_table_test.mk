# SPDX-License-Identifier: GPL-2.0-only
# What event_table_test is made of besides core.
event_table_test_SRCS := userspace/lib/event_table.c
event_table_test_CFLAGS := -D_GNU_SOURCE
