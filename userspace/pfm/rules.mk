# SPDX-License-Identifier: GPL-2.0-only
# Builds libacrpfm, which encodes Montecito's events; included by userspace/Makefile.

PFM     := $(HERE)/pfm

PFM_SRCS := $(patsubst $(ROOT)/%,%,$(sort $(wildcard $(PFM)/*.c)))
PFM_OBJS := $(PFM_SRCS:%.c=$(OUT)/%.o) $(OUT)/mont_events.o

$(PFM_OBJS): override CPPFLAGS += -I$(PFM) -I$(PFM)/include

$(OUT)/mont_events.o: $(OUT)/mont_events.c
	$(CC) $(CPPFLAGS) $(CFLAGS) -fPIC -c -o $@ $<

$(BUILD)/libacrpfm.a: $(PFM_OBJS)
	rm -f $@
	$(AR) rcs $@ $^

.PHONY: pfm clean-pfm
pfm: $(BUILD)/libacrpfm.a

clean-pfm:
	rm -f $(BUILD)/libacrpfm.*

-include $(PFM_OBJS:.o=.d)
