# SPDX-License-Identifier: GPL-2.0-only
# What mont_layout_test is made of besides core: libacrpfm's headers.
mont_layout_test_CFLAGS := -I$(ROOT)/userspace/pfm/include
