# SPDX-License-Identifier: GPL-2.0-only
# The boundary test reads the sources themselves.
boundary_test_CFLAGS := -DCORE_DIR='"$(CORE)"'
