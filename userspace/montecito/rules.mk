# SPDX-License-Identifier: GPL-2.0-only
# Builds Montecito's wing: libacrpfm and its table of events, and what jevents and acrctl link of it; included by userspace/Makefile.

MONTECITO := $(HERE)/montecito
MONTECITO_GEN_SRCS := $(call sources,userspace/montecito/gen/*.c)
MONTECITO_ACRCTL_OBJS := $(patsubst %.c,$(OUT)/%.o,$(call sources,userspace/montecito/acrctl/*.c))
MONTECITO_EVENTS := $(MONTECITO)/events

PFM := $(MONTECITO)/lib
# libpfm4 has headers of the same names, which must be neither replaced nor hidden; pkg-config finds ours.
PFM_INCLUDEDIR ?= $(PREFIX)/include/acrpfm
# changes when the interface does, apart from that of libacrpmu
PFM_VERSION := 1.0.0
PFM_SONAME := libacrpfm.so.$(firstword $(subst ., ,$(PFM_VERSION)))
PFM_SRCS := $(call sources,userspace/montecito/lib/*.c)
PFM_OBJS := $(PFM_SRCS:%.c=$(OUT)/%.o) $(OUT)/mont_events.o

$(MONTECITO_ACRCTL_OBJS): override CPPFLAGS += -I$(PFM)/include
$(PFM_OBJS): override CPPFLAGS += -I$(PFM) -I$(PFM)/include

# A broken file makes no table, since an event's index in it is its descriptor.
$(OUT)/mont_events.c: $(BUILD)/jevents $(MONTECITO_EVENTS) $(wildcard $(MONTECITO_EVENTS)/*.json)
	$(BUILD)/jevents --pmu montecito $(MONTECITO_EVENTS) $@

$(OUT)/mont_events.o: $(OUT)/mont_events.c
	$(CC) $(CPPFLAGS) $(CFLAGS) -fPIC -c -o $@ $<

$(BUILD)/libacrpfm.a: $(PFM_OBJS)
	rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/libacrpfm.so.$(PFM_VERSION): $(PFM_OBJS) $(PFM)/libacrpfm.map
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(PFM_SONAME) -Wl,-z,defs \
		-Wl,--version-script=$(PFM)/libacrpfm.map -o $@ $(PFM_OBJS)

$(BUILD)/libacrpfm.so: $(BUILD)/libacrpfm.so.$(PFM_VERSION)
	ln -sf libacrpfm.so.$(PFM_VERSION) $(BUILD)/$(PFM_SONAME)
	ln -sf $(PFM_SONAME) $@

# for programs that are built against BUILD
$(BUILD)/libacrpfm.pc: $(PFM)/libacrpfm.pc.in $(MONTECITO)/rules.mk
	sed -e 's|@PREFIX@|$(BUILD)|; s|@LIBDIR@|$(BUILD)|; s|@INCLUDEDIR@|$(PFM)/include|; s|@VERSION@|$(PFM_VERSION)|' $< > $@

.PHONY: pfm install-pfm clean-pfm
pfm: $(BUILD)/libacrpfm.a $(BUILD)/libacrpfm.so $(BUILD)/libacrpfm.pc

install-pfm: pfm
	install -Dm644 $(BUILD)/libacrpfm.a $(DESTDIR)$(LIBDIR)/libacrpfm.a
	install -Dm755 $(BUILD)/libacrpfm.so.$(PFM_VERSION) $(DESTDIR)$(LIBDIR)/libacrpfm.so.$(PFM_VERSION)
	ln -sf libacrpfm.so.$(PFM_VERSION) $(DESTDIR)$(LIBDIR)/$(PFM_SONAME)
	ln -sf $(PFM_SONAME) $(DESTDIR)$(LIBDIR)/libacrpfm.so
	install -Dm644 $(PFM)/libacrpfm.pc.in $(DESTDIR)$(LIBDIR)/pkgconfig/libacrpfm.pc
	sed -i -e 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@INCLUDEDIR@|$(PFM_INCLUDEDIR)|; s|@VERSION@|$(PFM_VERSION)|' \
		$(DESTDIR)$(LIBDIR)/pkgconfig/libacrpfm.pc
	install -Dm644 -t $(DESTDIR)$(PFM_INCLUDEDIR)/perfmon $(PFM)/include/perfmon/*.h

clean-pfm:
	rm -f $(BUILD)/libacrpfm.*

-include $(PFM_OBJS:.o=.d)
