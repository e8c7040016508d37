// SPDX-License-Identifier: GPL-2.0-only
/* acrctl encode: groups and their registers as text. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../util/util.h"
#include "../terminal.h"
#include "encode.h"

#define RATIO_LEN		128
/* PMU versions from which on a kernel may claim a counter; the lower with full-width writes */
#define CLAIM_VERSION		6
#define CLAIM_VERSION_FULL	4

static void print_cntrs(__u64 cntrs)
{
	unsigned int i;

	for (i = 0; i < ACRPMU_CNTR_BITS; i++) {
		if (!(cntrs & BIT_ULL(i)))
			continue;
		if (i < ACRPMU_FIXED_BASE)
			printf(" GP%u", i);
		else
			printf(" FIXED%u", i - ACRPMU_FIXED_BASE);
	}
}

static void print_levels(__u32 flags)
{
	printf("%s%s", flags & ACRPMU_EVENT_USER ? " user" : "",
	       flags & ACRPMU_EVENT_KERNEL ? " kernel" : "");
}

static void print_cfg_a(const struct acrpmu_spec_event *ev, const struct acrpmu_event_hw *hw,
			bool interrupts)
{
	struct acrpmu_config_fields fields;

	if (hw->cntr >= ACRPMU_FIXED_BASE) {
		printf("    FIXED_CTR_CTRL  MSR 0x%-5x 0x%016llx", hw->cfg_a_msr, hw->cfg_a);
	} else {
		acrpmu_config_split(hw->cfg_a, &fields);
		printf("    CFG_A           MSR 0x%-5x 0x%016llx  event=0x%02x,umask=0x%02x",
		       hw->cfg_a_msr, hw->cfg_a, fields.select, fields.umask);
		if (fields.umask2)
			printf(",umask2=0x%02x", fields.umask2);
		if (fields.cmask)
			printf(",cmask=%u", fields.cmask);
		printf("%s%s%s", fields.edge ? ",edge" : "", fields.inv ? ",inv" : "",
		       fields.eq ? ",eq" : "");
	}
	printf(" ");
	print_levels(ev->attr.flags);
	printf("%s\n", interrupts ? " interrupt" : "");
}

static void print_registers(const struct acrpmu_spec_event *ev, const struct acrpmu_event_hw *hw,
			    bool interrupts)
{
	print_cfg_a(ev, hw, interrupts);
	if (hw->cfg_b_msr) {
		printf("    CFG_B           MSR 0x%-5x 0x%016llx  reloaded by:", hw->cfg_b_msr,
		       hw->cfg_b);
		print_cntrs(hw->cfg_b);
		printf("%s\n", hw->cfg_b ? "" : " none");
	}
	if (hw->cfg_c_msr)
		printf("    CFG_C           MSR 0x%-5x 0x%016llx\n", hw->cfg_c_msr, hw->cfg_c);
	printf("    counter         MSR 0x%-5x 0x%016llx\n", hw->cntr_msr, hw->start);
	if (hw->extra_msr)
		printf("    extra register  MSR 0x%-5x 0x%016llx\n", hw->extra_msr,
		       hw->extra_value);
}

/**
 * encode_role() - what an event is programmed for
 *
 * Return: a word for it.
 */
const char *encode_role(__u32 flags)
{
	if (flags & ACRPMU_EVENT_SAMPLED)
		return "sampled";
	return flags & ACRPMU_EVENT_COUNT ? "counted" : "quiet";
}

static void print_event(const struct encode *e, unsigned int g, unsigned int i,
			const struct acrpmu_event_hw *hw)
{
	const struct acrpmu_spec_event *ev = acrpmu_spec_event(e->spec, g, i);
	bool fixed = hw->cntr >= ACRPMU_FIXED_BASE;
	char ratio[RATIO_LEN];

	printf("  event %u: ", i);
	terminal_print(stdout, 0, ev->name);
	printf("\n");
	printf("    config 0x%llx, %s", ev->attr.config, encode_role(ev->attr.flags));
	if (ev->attr.period)
		printf(", period %llu", ev->attr.period);
	if (ev->attr.acr_mask)
		printf(", acr_mask 0x%llx", ev->attr.acr_mask);
	printf(", counter %s%u", fixed ? "FIXED" : "GP",
	       fixed ? hw->cntr - ACRPMU_FIXED_BASE : hw->cntr);
	if (ev->attr.allowed_cntrs) {
		printf(" of");
		print_cntrs(ev->attr.allowed_cntrs);
	}
	printf("\n");
	if (ev->ratio_den) {
		acrpmu_spec_ratio(ev, ratio, sizeof(ratio));
		printf("    ratio to the previous event: %s, asked for ", ratio);
		terminal_print(stdout, 0, ev->ratio);
		printf("\n");
	}
	print_registers(ev, hw, ev->attr.flags & ACRPMU_EVENT_SAMPLED ||
			(e->reload == RELOAD_SOFTWARE && reload_is_cause(e->spec, g, i)));
}

/* The ratios that the periods have, and the same group for -e. */
static void print_condition(const struct encode *e, unsigned int g)
{
	const struct acrpmu_condition *c = acrpmu_spec_condition(e->spec);
	char *string = encode_group_string(e->spec, g), threshold[RATIO_LEN];
	unsigned int i;

	for (i = 0; i < c->nr_comparisons; i++) {
		const struct acrpmu_comparison *comparison = &c->comparisons[i];
		const struct acrpmu_spec_event *a = acrpmu_spec_event(e->spec, g, comparison->a);
		const struct acrpmu_spec_event *b = acrpmu_spec_event(e->spec, g, comparison->b);

		acrpmu_comparison_threshold(comparison, threshold, sizeof(threshold));
		printf("  exactly ");
		terminal_print(stdout, 0, a->text);
		printf(" / ");
		terminal_print(stdout, 0, b->text);
		printf(" %c %s: periods %llu / %llu\n", comparison->below ? '<' : '>', threshold,
		       a->attr.period, b->attr.period);
	}
	when_explain_window(e->spec, stdout, "  ");
	printf("  as events: ");
	terminal_print(stdout, 0, string ? string : "");
	printf("\n");
	free(string);
}

static int print_group(const struct encode *e, unsigned int g, const struct acrpmu_event_hw *hw)
{
	char *matrix = output_matrix(e->spec, g);
	unsigned int i;

	if (!matrix)
		return -ENOMEM;
	printf("group %u: ", g);
	terminal_print(stdout, 0, acrpmu_spec_text(e->spec, g));
	printf("\n  ");
	terminal_print(stdout, 0, matrix);
	printf("\n");
	if (e->when.condition)
		print_condition(e, g);
	for (i = 0; i < acrpmu_spec_nr_events(e->spec, g); i++)
		print_event(e, g, i, &hw[i]);
	free(matrix);
	return 0;
}

/**
 * encode_group_string() - the group of a condition as an event string
 *
 * Return: the string, which the caller frees; NULL: out of memory.
 */
char *encode_group_string(const struct acrpmu_spec *spec, unsigned int group)
{
	size_t size = acrpmu_spec_group_string(spec, group, NULL, 0) + 1;
	char *string = malloc(size);

	if (string)
		acrpmu_spec_group_string(spec, group, string, size);
	return string;
}

/**
 * encode_may_be_claimed() - whether some kernel claims a counter of the CPU
 *
 * These kernels address the registers of version 6, or can give guests the PMU, which takes
 * version 4 and counters that are written in full.
 */
bool encode_may_be_claimed(const struct acrpmu_cpu *cpu)
{
	return cpu->pmu_version >= CLAIM_VERSION ||
	       (cpu->pmu_version >= CLAIM_VERSION_FULL && cpu->flags & ACRPMU_CPU_FULL_WIDTH);
}

/**
 * encode_print_text() - print all groups with their registers
 *
 * Return: the exit status.
 */
int encode_print_text(const struct encode *e, struct acrpmu_event_hw hw[][ACRPMU_MAX_EVENTS])
{
	unsigned int g;

	printf("pmu: %s (%s)%s\n", e->cpu.name, e->cpu.core,
	       e->names.guessed ? ", since this machine's CPU is not known; --pmu chooses" : "");
	if (e->reload != RELOAD_AUTO)
		printf("auto counter reload: %s\n", reload_words(e->reload));
	for (g = 0; g < acrpmu_spec_nr_groups(e->spec); g++) {
		if (print_group(e, g, hw[g]))
			return output_no_memory("encode");
	}
	if (encode_may_be_claimed(&e->cpu))
		printf("%s\n",
		       "on " ENCODE_CLAIM_KERNELS
		       ", one general-purpose counter may be held by the claim that keeps in-tree perf off");
	return ACRCTL_EXIT_DONE;
}
