# SPDX-License-Identifier: GPL-2.0-only
# What event_parse_test is made of besides core.
event_parse_test_SRCS := userspace/lib/cpu.c userspace/lib/cpu_id.c userspace/lib/cpuid.c userspace/lib/decimal.c userspace/lib/encode.c userspace/lib/error.c userspace/lib/event_lookup.c userspace/lib/event_modifier.c userspace/lib/event_name.c userspace/lib/event_named.c userspace/lib/event_number.c userspace/lib/event_parse.c userspace/lib/event_table.c userspace/lib/event_term.c userspace/lib/matrix.c userspace/lib/message.c userspace/lib/options.c userspace/lib/pfm_glm.c userspace/lib/pfm_name.c userspace/lib/ratio.c userspace/lib/runnable.c userspace/lib/spec.c userspace/lib/suggest.c userspace/lib/text.c userspace/lib/twins.c
event_parse_test_CFLAGS := -D_GNU_SOURCE
