# SPDX-License-Identifier: GPL-2.0-only
# Builds jevents, and with it the libraries' tables from userspace/events; included by userspace/Makefile.

EVENTS := $(HERE)/events

# Readers of event files: in jevents, and in the library for --events.
JEVENTS_ONLY := $(addprefix userspace/gen/,emit.c jevents.c) $(MONTECITO_GEN_SRCS)
GEN_SRCS := $(filter-out $(JEVENTS_ONLY),$(call sources,userspace/gen/*.c))

GEN_LIBS := -ljson-c
JEVENTS_SRCS := $(GEN_SRCS) $(JEVENTS_ONLY) userspace/lib/event_table.c userspace/util/extra_term.c
JEVENTS_OBJS := $(JEVENTS_SRCS:%.c=$(OUT)/%.o)

# Directories too: a file that is gone makes them newer.
EVENT_FILES := $(EVENTS) $(EVENTS)/mapfile.csv $(wildcard $(EVENTS)/* $(EVENTS)/*/*.json)

$(BUILD)/jevents: $(JEVENTS_OBJS)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(GEN_LIBS)

# Without --strict: after a broken file, a library without names reports more than no library.
$(OUT)/event_tables.c: $(BUILD)/jevents $(EVENT_FILES)
	$(BUILD)/jevents $(EVENTS) $@

$(OUT)/event_tables.o: $(OUT)/event_tables.c
	$(CC) $(CPPFLAGS) -I$(HERE)/lib $(CFLAGS) -fPIC -c -o $@ $<
