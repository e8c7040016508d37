// SPDX-License-Identifier: GPL-2.0-only
/* Prints an encoding as text. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "encoding.h"
#include "fields.h"
#include "../../acrctl/terminal.h"

#define INDENT		"      "
#define ITEM_LEN	128

typedef unsigned long long ull;

/* A list of items separated by commas, wrapped between items. */
struct line {
	unsigned int used;
};

static __attribute__((format(printf, 2, 3))) void print_item(struct line *line, const char *format,
							     ...)
{
	char item[ITEM_LEN];
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(item, sizeof(item), format, args);
	va_end(args);
	if (line->used && line->used + strlen(", ,") + len > terminal_columns()) {
		printf(",\n");
		line->used = 0;
	}
	line->used += printf("%s%s", line->used ? ", " : INDENT, item);
}

/* "pmc_plm=8 (user), pmc_ev=0, ..." */
static void print_values(const struct montecito_layout *layout)
{
	struct line line = { .used = 0 };
	unsigned int i;

	for (i = 0; i < layout->nr; i++) {
		const struct montecito_field *field = &layout->field[i];
		const char *meaning = field->meaning;

		/* small numbers look the same with either base */
		print_item(&line, "%s=%s%llx%s%s%s", field->name, field->value < 10 ? "" : "0x",
			   (ull)field->value, *meaning ? " (" : "", meaning, *meaning ? ")" : "");
	}
	if (layout->rest)
		print_item(&line, "other bits 0x%llx", (ull)layout->rest);
	if (line.used)
		putchar('\n');
}

/* "pmd_count bits 0-46, pmd_sxt47 bits 47-63" */
static void print_bits(const struct montecito_layout *layout)
{
	struct line line = { .used = 0 };
	unsigned int i;

	for (i = 0; i < layout->nr; i++) {
		const struct montecito_field *field = &layout->field[i];

		if (field->width == 1)
			print_item(&line, "%s bit %u", field->name, field->bit);
		else
			print_item(&line, "%s bits %u-%u", field->name, field->bit,
				   field->bit + field->width - 1);
	}
	if (line.used)
		putchar('\n');
}

static void print_levels(unsigned int plm)
{
	char words[MONTECITO_MEANING_LEN];

	montecito_describe_levels(plm, words, sizeof(words));
	printf(", privilege levels 0x%x (%s)", plm, words);
}

/* ---- events ------------------------------------------------------------------------------- */

static void print_event(struct montecito *m, unsigned int i)
{
	const pfmlib_mont_counter_t *counter = &m->mod_in.pfp_mont_counters[i];
	const pfmlib_event_t *event = &m->inp.pfp_events[i];
	const struct montecito_keyword *flag;
	char name[MONTECITO_NAME_LEN];

	printf("event %u: %s\n    PMC%u controls PMD%u", i,
	       montecito_event_name(m, i, name), m->outp.pfp_pmcs[i].reg_num,
	       m->outp.pfp_pmds[i].reg_num);
	print_levels(event->plm ? event->plm : m->inp.pfp_dfl_plm);
	if (counter->thres)
		printf(", cycles in which it occurs more than %u times", counter->thres);
	for (flag = montecito_event_flags; flag->name; flag++) {
		if (counter->flags & flag->value)
			printf(", %s", flag->name);
	}
	putchar('\n');
}

/* ---- registers ---------------------------------------------------------------------------- */

static void print_pmc(const pfmlib_reg_t *reg)
{
	struct montecito_layout layout;

	montecito_pmc_layout(reg->reg_num, reg->reg_value, &layout);
	printf("  PMC%-3u 0x%016llx  %s, %s\n", reg->reg_num, reg->reg_value,
	       layout.name ? layout.name : "", layout.what);
	print_values(&layout);
}

static void print_pmd(const pfmlib_reg_t *reg, bool ipear)
{
	struct montecito_layout layout;

	montecito_pmd_layout(reg->reg_num, ipear, &layout);
	printf("  PMD%-3u %s, %s\n", reg->reg_num, layout.name ? layout.name : "", layout.what);
	print_bits(&layout);
}

static void print_debug(const char *kind, const pfmlib_reg_t *reg)
{
	struct montecito_layout layout;

	montecito_debug_layout(reg->reg_num, reg->reg_value, &layout);
	printf("  %s%-3u 0x%016llx  %s, at address %llu\n", kind, reg->reg_num, reg->reg_value,
	       layout.what, reg->reg_addr);
	print_values(&layout);
}

/* ---- ranges ------------------------------------------------------------------------------- */

static void print_range(const struct montecito_range *range)
{
	char end[MONTECITO_ADDRESS_LEN];

	printf("  0x%llx-0x%llx: covered 0x%llx-%s (soff 0x%llx, eoff 0x%llx)",
	       (ull)range->start, (ull)range->end, (ull)(range->start - range->soff),
	       montecito_range_end(range, end), (ull)range->soff, (ull)range->eoff);
	print_levels(range->plm);
	putchar('\n');
}

static void print_ranges(const struct montecito *m, const char *kind,
			 const pfmlib_mont_input_rr_t *in, const pfmlib_mont_output_rr_t *out)
{
	struct montecito_range range[MONTECITO_RANGES];
	unsigned int i, nr = montecito_ranges(in, out, m->inp.pfp_dfl_plm, range);

	for (i = 0; i < nr; i++)
		print_range(&range[i]);
	for (i = 0; i < out->rr_nbr_used; i++)
		print_debug(kind, &out->rr_br[i]);
}

/* Print a successful encoding. */
void montecito_print(struct montecito *m)
{
	const pfmlib_mont_input_rr_t *code = &m->mod_in.pfp_mont_irange;
	const pfmlib_mont_input_rr_t *data = &m->mod_in.pfp_mont_drange;
	unsigned int i;

	printf("pmu: " MONTECITO_NAME " (" MONTECITO_CORE ")%s\n",
	       m->inp.pfp_flags & PFMLIB_PFP_SYSTEMWIDE ? ", system-wide" : "");
	for (i = 0; i < m->inp.pfp_event_count; i++)
		print_event(m, i);
	printf("configuration:\n");
	for (i = 0; i < m->outp.pfp_pmc_count; i++)
		print_pmc(&m->outp.pfp_pmcs[i]);
	if (m->outp.pfp_pmd_count)
		printf("results:\n");
	for (i = 0; i < m->outp.pfp_pmd_count; i++)
		print_pmd(&m->outp.pfp_pmds[i], m->mod_in.pfp_mont_ipear.ipear_used);
	if (code->rr_used) {
		printf("code ranges: %s%s\n", pfm_mont_irange_is_fine(&m->outp, &m->mod_out) ?
		       "fine mode" : "by mask", code->rr_flags & PFMLIB_MONT_RR_INV ?
		       ", outside of what is covered" : "");
		if (pfm_mont_irange_is_fine(&m->outp, &m->mod_out))
			printf("  addresses a multiple of 4 GB (0x%llx) away %s; "
			       "'--irange-flags no-fine' avoids this\n",
			       MONTECITO_FINE_REPEATS, code->rr_flags & PFMLIB_MONT_RR_INV ?
			       "are not counted, either" : "match, too");
		print_ranges(m, "IBR", code, &m->mod_out.pfp_mont_irange);
	}
	if (data->rr_used) {
		printf("data ranges: by mask\n");
		print_ranges(m, "DBR", data, &m->mod_out.pfp_mont_drange);
	}
}
