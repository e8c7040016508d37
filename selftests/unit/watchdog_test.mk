# SPDX-License-Identifier: GPL-2.0-only
# What watchdog_test needs besides its own file.
watchdog_test_SRCS := userspace/acrctl/watchdog.c
watchdog_test_CFLAGS := -D_GNU_SOURCE
