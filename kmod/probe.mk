# SPDX-License-Identifier: GPL-2.0-only
# Looks in the kernel's tree for what compat.h cannot determine in C, and defines COMPAT_HAS_NAME for each that is there.

# has_function NAME,HEADER: distributions backport functions, and the version does not show it.
has_function = $(if $(shell grep -s '\<$(1)[[:punct:]]struct ' $(srctree)/$(2)),-DCOMPAT_HAS_$(1))
# has_export NAME: modules may call it; a fifth field would name the only ones that may.
has_export = $(if $(shell awk '$$2 == "$(1)" && NF == 4' $(objtree)/Module.symvers 2> /dev/null),-DCOMPAT_HAS_$(1))

compat_probes := $(call has_function,hrtimer_setup,include/linux/hrtimer.h)
compat_probes += $(call has_function,vm_flags_set,include/linux/mm.h)
compat_probes += $(call has_export,perf_allow_kernel)
compat_probes += $(call has_export,perf_allow_cpu)
