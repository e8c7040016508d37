# SPDX-License-Identifier: GPL-2.0-only
# What events_test is made of besides core.
events_test_SRCS := $(addprefix userspace/lib/,cpu.c cpu_id.c cpuid.c decimal.c encode.c error.c event_lookup.c event_modifier.c event_name.c event_named.c event_number.c event_parse.c event_table.c event_term.c events.c matrix.c message.c options.c pfm_glm.c pfm_name.c ratio.c runnable.c spec.c suggest.c text.c) \
	$(addprefix userspace/gen/,arena.c convert.c event_dir.c file.c json_events.c mapfile.c number.c offcore_matrix.c report.c table.c text_pool.c walk.c)
events_test_CFLAGS := -D_GNU_SOURCE
events_test_LIBS := -ljson-c
