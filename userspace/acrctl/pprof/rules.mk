# SPDX-License-Identifier: GPL-2.0-only
# Makes C of profile.proto; needs ROOT and BUILD.

PPROF_OUT := $(BUILD)/pprof
PPROF_SRC := $(PPROF_OUT)/profile.pb-c.c
PPROF_CPPFLAGS := -I$(PPROF_OUT)

$(PPROF_SRC): $(ROOT)/userspace/acrctl/pprof/profile.proto
	@mkdir -p $(PPROF_OUT)
	protoc-c -I$(<D) --c_out=$(PPROF_OUT) $<
$(PPROF_OUT)/profile.pb-c.h: $(PPROF_SRC) ;
