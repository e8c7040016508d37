# SPDX-License-Identifier: GPL-2.0-only
# What mont_queries_test is made of besides core: all of libacrpfm.
mont_queries_test_SRCS := $(patsubst $(ROOT)/%,%,$(sort $(wildcard $(ROOT)/userspace/pfm/*.c)))
mont_queries_test_TABLE := mont_events.c
mont_queries_test_CFLAGS := -D_GNU_SOURCE -I$(ROOT)/userspace/pfm -I$(ROOT)/userspace/pfm/include
mont_queries_test_CFLAGS += -DFACTS=\"$(ROOT)/selftests/montecito/queries.json\"
mont_queries_test_LIBS := -ljson-c
