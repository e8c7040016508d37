# SPDX-License-Identifier: GPL-2.0-only
# What perfdata_test needs besides its own file.
perfdata_test_SRCS := $(patsubst $(ROOT)/%,%,$(sort $(wildcard $(ROOT)/userspace/perfdata/*.c)))
perfdata_test_CFLAGS := -D_GNU_SOURCE
