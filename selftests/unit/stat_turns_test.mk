# SPDX-License-Identifier: GPL-2.0-only
# What stat_turns_test needs besides its own file.
stat_turns_test_SRCS := userspace/acrctl/stat_turns.c
