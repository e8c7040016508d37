# SPDX-License-Identifier: GPL-2.0-only
# What mont_generic_test is made of besides core: all of libacrpfm.
mont_generic_test_SRCS := $(patsubst $(ROOT)/%,%,$(sort $(wildcard $(ROOT)/userspace/pfm/*.c)))
mont_generic_test_TABLE := mont_events.c
mont_generic_test_CFLAGS := -D_GNU_SOURCE -I$(ROOT)/userspace/pfm -I$(ROOT)/userspace/pfm/include
