# SPDX-License-Identifier: GPL-2.0-only
# The fuzzer of Montecito's encoding; included by selftests/fuzz/Makefile.

MONTECITO := $(ROOT)/selftests/montecito
PFM := $(ROOT)/userspace/montecito/lib
MONT_TABLE := $(BUILD)/userspace/mont_events.c

FUZZERS += montecito
montecito_SRCS := $(wildcard $(PFM)/*.c) $(MONT_TABLE) $(addprefix $(MONTECITO)/,bytes.c naive.c naive_cover.c result.c)
montecito_CFLAGS := -I$(PFM)/include -I$(PFM)
montecito_LIBS := -lm
montecito_SEEDS := $(OUT)/montecito.seeds
vpath montecito_fuzz.c $(MONTECITO)

# The library's rules rebuild a stale table.
$(MONT_TABLE): FORCE
	@$(MAKE) -s -C $(ROOT)/userspace BUILD=$(BUILD) $@

$(OUT)/montecito.seeds: $(MONTECITO)/vectors.jsonl $(MONTECITO)/bytes.c
	$(MAKE) -C $(MONTECITO) BUILD=$(BUILD) $(BUILD)/montecito/mont_seeds
	@mkdir -p $@
	$(BUILD)/montecito/mont_seeds $< $@
	@touch $@
