# SPDX-License-Identifier: GPL-2.0-only
# What json_events_test is made of besides core.
json_events_test_SRCS := userspace/gen/file.c userspace/gen/json_events.c userspace/gen/report.c
json_events_test_CFLAGS := -D_GNU_SOURCE
json_events_test_LIBS := -ljson-c
