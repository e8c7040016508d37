# SPDX-License-Identifier: GPL-2.0-only
# Builds the module, the tools and the tests into build/, and runs the tests and the demo.

BUILD ?= $(CURDIR)/build
KDIR ?= /lib/modules/$(shell uname -r)/build
KERNELS ?= 6.1 newest
DEMO_KERNEL ?= newest
PREFIX ?= /usr/local
DESTDIR ?=
KSELFTEST ?= $(BUILD)/kselftest/tools/testing/selftests

override BUILD := $(abspath $(BUILD))
export BUILD KERNELS KSELFTEST
model_tools := selftests/model
install_kdir = $(if $(wildcard $(KDIR)/Makefile),modules_install)

.PHONY: all module double userspace selftests model kernel-debug install modules_install docs check bench torture cover try demo style fuzz clean distclean help setup FORCE
.DEFAULT_GOAL := all

help:
	@echo 'make                  the module for the running kernel, acrctl, libacrpmu, libacrpfm'
	@echo 'make demo             record by ratio on a model CPU and show the report'
	@echo 'make check            the tests (KERNELS="6.1 6.12 newest", SUITES="NAME...", default: kernels 6.1 newest, all suites;'
	@echo '                      ALL=1: also those of areas where nothing has changed since all was green)'
	@echo 'make torture          the slow tests that seldom fail, which check leaves out unless SUITES names them; KERNELS, SUITES as above;'
	@echo '                      TORTURE_MINUTES=N: no suite starts after that; the next run of the same tree goes on'
	@echo 'make cover            which lines of the module outside of kmod/core the guests run, by file, and which never (SUITES, KERNELS)'
	@echo 'make try T=hw/pmi:together   one test of one suite, with what it needs (SUITE/PROGRAM[:TEST]; KERNEL, PROFILE)'
	@echo 'make bench            costs beside those of peers, held to limits, in 15 minutes; a report in build/bench/ (PARTS="pmi switch", KERNELS)'
	@echo 'make style            checkpatch, sparse, W=1, shellcheck'
	@echo 'make module           build/acrpmu.ko for KDIR=/lib/modules/.../build'
	@echo 'make module-6.1       build/kernels/6.1/acrpmu.ko; also other kernels of Debian, and module-newest'
	@echo 'make userspace        build/acrctl, build/libacrpmu.{a,so}, build/libacrpfm.{a,so}'
	@echo 'make selftests        unit tests, guest tests, model CPU'
	@echo 'make setup            fetch the root and the kernels that check needs'
	@echo 'make kernel-debug     build the kernels newest-debug (KASAN, lockdep and the like) and newest-kcsan, or KERNELS=newest-clang; 20 to 30 minutes each, once'
	@echo 'make install          to DESTDIR and PREFIX; the module to the running kernel'"'"'s modules'
	@echo 'make docs             manual pages and the documentation as text'
	@echo 'make fuzz             ten million runs of each fuzzer (needs clang); RUNS=N for fewer, -j for several at once'
	@echo 'make clean            remove what was built, keep what was fetched; distclean removes build/'

all: userspace
	@if [ -e "$(KDIR)/Makefile" ]; then $(MAKE) --no-print-directory module; else $(no_kdir); fi

# --- module -----------------------------------------------------------------------------------------------------------

no_kdir = echo "acrpmu.ko is not built: no kernel headers at $(KDIR); install them (Debian: apt install" \
	"linux-headers-$$(uname -r)) or set KDIR=DIR"

# Kbuild writes next to its sources, so that each kernel gets a directory of links to them.  In a copy of the whole tree they
# lead back to where it was copied from.
drop_foreign_links = find $(1) -type l ! -lname '$(CURDIR)/*' -delete
define link_sources
	mkdir -p $(1)
	$(call drop_foreign_links,$(1))
	cp -rsfu $(CURDIR)/Kbuild $(CURDIR)/kmod $(CURDIR)/uapi $(1)/
	find $(1) -xtype l -delete
endef

module:
	@if [ ! -e "$(KDIR)/Makefile" ]; then $(no_kdir); exit 1; fi
	@$(call link_sources,$(BUILD)/kmod-host)
	$(MAKE) -C $(KDIR) M=$(BUILD)/kmod-host modules
	cp $(BUILD)/kmod-host/acrpmu.ko $(BUILD)/acrpmu.ko

# The headers of the model's kernels are in the Debian root and need its compiler.
module-newest: FORCE
	@$(model_tools)/setup.sh --for demo --kernels newest
	+@$(MAKE) --no-print-directory module-$$(cat $(BUILD)/stamps/newest)

# Kernels that clang has built need it for modules, too.
compiler = $(if $(filter %-clang,$*),LLVM=1)
# KCOV watches the module alone.
watched = $(if $(filter %-debug,$*),KCOV_INSTRUMENT=y)

module-%: FORCE
	@$(model_tools)/setup.sh --for demo --kernels $*
	@$(call link_sources,$(BUILD)/kmod-$*)
	+$(model_tools)/in-root.sh make -C $(BUILD)/kernels/$*/modules/build M=$(BUILD)/kmod-$* $(compiler) $(watched) $(MODULE_ARGS) modules
	cp $(BUILD)/kmod-$*/acrpmu.ko $(BUILD)/kernels/$*/acrpmu.ko

# Stand-ins for other modules, and what lets calls of the kernel fail, for tests
link_double = mkdir -p $(1) && $(call drop_foreign_links,$(1)) && cp -sfu $(CURDIR)/selftests/double/* $(1)/

double:
	@$(call link_double,$(BUILD)/double-host)
	$(MAKE) -C $(KDIR) M=$(BUILD)/double-host modules
	cp $(BUILD)/double-host/*.ko $(BUILD)/

double-newest: FORCE
	+@$(MAKE) --no-print-directory double-$$(cat $(BUILD)/stamps/newest)

double-%: FORCE
	@$(call link_double,$(BUILD)/double-$*)
	+$(model_tools)/in-root.sh make -C $(BUILD)/kernels/$*/modules/build M=$(BUILD)/double-$* $(compiler) modules
	cp $(BUILD)/double-$*/*.ko $(BUILD)/kernels/$*/

# --- userspace and tests ----------------------------------------------------------------------------------------------

userspace:
	$(MAKE) -C userspace BUILD=$(BUILD) all

selftests:
	$(MAKE) -C selftests BUILD=$(BUILD) all

# The model CPU and the programs that run on it, without tests
model:
	$(MAKE) -C selftests BUILD=$(BUILD) model workloads

setup:
	@$(model_tools)/setup.sh --for check

kernel-debug:
	@$(model_tools)/setup.sh --for demo --kernels "$(if $(filter file,$(origin KERNELS)),newest-debug newest-kcsan,$(KERNELS))"

check:
	@selftests/run/check.sh $(SUITES)

bench:
	@selftests/bench/run.sh $(PARTS)

torture:
	@selftests/run/check.sh --torture $(SUITES)

cover:
	@selftests/run/check.sh --cover $(SUITES)

try:
	@selftests/run/try.sh $(if $(T),'$(subst ','\'',$(T))')

style:
	@selftests/run/style.sh

fuzz:
	$(MAKE) -C selftests/fuzz BUILD=$(BUILD) run

demo:
	@KERNEL_VERSION=$(DEMO_KERNEL) selftests/demo.sh

# --- installation -----------------------------------------------------------------------------------------------------

docs:
	@selftests/run/docs.sh

install: userspace $(install_kdir)
	$(MAKE) -C userspace BUILD=$(BUILD) DESTDIR=$(DESTDIR) PREFIX=$(PREFIX) install
	install -Dm644 uapi/acrpmu.h $(DESTDIR)$(PREFIX)/include/acrpmu.h
	install -Dm644 uapi/acrpmu_netlink.h $(DESTDIR)$(PREFIX)/include/acrpmu_netlink.h
	for page in Documentation/man/*.[1-9]; do \
		[ ! -e "$$page" ] || install -Dm644 "$$page" "$(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$${page##*/}"; \
	done

modules_install: module
	install -Dm644 $(BUILD)/acrpmu.ko $(DESTDIR)/lib/modules/$$(modinfo -F vermagic $(BUILD)/acrpmu.ko | cut -d' ' -f1)/updates/acrpmu.ko
	[ -n "$(DESTDIR)" ] || depmod -a

# --- cleaning ---------------------------------------------------------------------------------------------------------

fetched := apt kernels kselftest linux-events linux-perf log npm perf-6.1 proto root stamps

clean:
	@[ ! -d $(BUILD) ] || find $(BUILD) -mindepth 1 -maxdepth 1 $(foreach d,$(fetched),! -name $(d)) -exec rm -rf {} +
	@rm -f $(BUILD)/kernels/*/*.ko

distclean:
	rm -rf --one-file-system $(BUILD)
