# SPDX-License-Identifier: GPL-2.0-only
# What stat_repeat_test needs besides its own file.
stat_repeat_test_SRCS := userspace/acrctl/stat_repeat.c
stat_repeat_test_LIBS := -lm
