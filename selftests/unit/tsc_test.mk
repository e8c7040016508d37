# SPDX-License-Identifier: GPL-2.0-only
# What tsc_test needs besides its own file.
tsc_test_SRCS := userspace/acrctl/tsc.c userspace/lib/event_number.c
