// SPDX-License-Identifier: GPL-2.0-only
/* Writes the lines of the log. */
#include <stdio.h>

#include "oracle.h"
#include "record.h"

#define KEY_SIZE	16

static const char *const op_names[NR_ACCESS_OPS] = { "rd", "wr", "rdpmc" };

/* The letter of each CPU */
static void kinds_member(struct log *log, const struct model *model)
{
	char kinds[MODEL_MAX_CPUS + 1] = "";
	unsigned int i;

	for (i = 0; i < model->nr_cpus; i++)
		kinds[i] = model->profile[i]->kind;
	log_string(log, "kinds", kinds);
}

void record_start(struct model *model)
{
	struct log *log = &model->log;

	if (!log_begin(log, "start"))
		return;
	log_string(log, "profile", model->spec);
	log_number(log, "cpus", model->nr_cpus);
	log_number(log, "threads", model->threads);
	if (model->profile[0]->kind)
		kinds_member(log, model);
	log_end(log, true);
}

void record_reset(struct model *model)
{
	if (log_begin(&model->log, "reset"))
		log_end(&model->log, false);
}

static void access_members(struct log *log, const struct cpu *cpu, const struct record_access *a)
{
	log_number(log, "c", cpu->nr);
	log_string(log, "op", op_names[a->op]);
	log_hex(log, "m", a->msr);
	log_hex(log, "v", a->value);
	log_hex(log, "pc", a->pc);
	log_number(log, "w", cpu->window.open && !cpu->window.handler_done);
	log_number(log, "k", a->level == LEVEL_KERNEL);
	log_number(log, "r", a->origin == ORIGIN_RANGE);
}

void record_access(struct model *model, const struct cpu *cpu, const struct record_access *a)
{
	struct log *log = &model->log;

	if (!log_begin(log, "msr"))
		return;
	access_members(log, cpu, a);
	log_end(log, false);
}

void record_violation(struct model *model, const struct cpu *cpu, const struct record_access *a,
		      enum pmu_access why)
{
	struct log *log = &model->log;

	if (!log_begin(log, "viol"))
		return;
	access_members(log, cpu, a);
	log_string(log, "why", pmu_access_name(why));
	log_end(log, false);
}

void record_overflow(struct model *model, const struct cpu *cpu, const struct count_overflow *o,
		     uint64_t pc, enum event_level level)
{
	struct log *log = &model->log;

	if (!log_begin(log, "ovf"))
		return;
	log_number(log, "c", cpu->nr);
	log_number(log, "n", o->cntr);
	log_number(log, "int", o->pmi);
	log_number(log, "self", o->self_reload);
	log_hex(log, "reload", o->reloaded);
	log_hex(log, "status", o->status);
	log_hex(log, "pc", pc);
	log_number(log, "k", level == LEVEL_KERNEL);
	log_end(log, false);
}

void record_pmi(struct model *model, const struct cpu *cpu, const char *result, uint32_t lvtpc)
{
	struct log *log = &model->log;

	if (!log_begin(log, "pmi"))
		return;
	log_number(log, "c", cpu->nr);
	log_string(log, "as", result);
	log_hex(log, "lvtpc", lvtpc);
	log_end(log, false);
}

static void counts_member(struct log *log, const char *key, const struct access_counts *counts,
			  enum access_origin origin)
{
	log_numbers(log, key, counts->n[origin], NR_ACCESS_OPS);
}

void record_window(struct model *model, const struct cpu *cpu)
{
	const struct pmi_window *w = &cpu->window;
	struct log *log = &model->log;

	if (!log_begin(log, "win"))
		return;
	log_number(log, "c", cpu->nr);
	log_hex(log, "pc", w->from.pc);
	log_number(log, "k", w->from.level == LEVEL_KERNEL);
	log_number(log, "handler", w->handler_insns);
	log_number(log, "all", w->insns);
	log_number(log, "irqs", w->interrupts);
	counts_member(log, "range", &w->access, ORIGIN_RANGE);
	counts_member(log, "other", &w->access, ORIGIN_OTHER);
	counts_member(log, "late_range", &w->late_access, ORIGIN_RANGE);
	counts_member(log, "late_other", &w->late_access, ORIGIN_OTHER);
	log_end(log, false);
}

static void events_members(struct log *log, const struct cpu *cpu)
{
	int kind;

	for (kind = 0; kind < NR_EVENT_KINDS; kind++) {
		uint64_t n[NR_LEVELS] = {
			core_total(cpu->core.hot, LEVEL_USER, kind),
			core_total(cpu->core.hot, LEVEL_KERNEL, kind),
		};

		log_numbers(log, event_name(kind), n, NR_LEVELS);
	}
}

static void pmi_members(struct log *log, const struct cpu_stats *s)
{
	log_number(log, "raised", s->pmi_raised);
	log_number(log, "delivered", s->pmi_delivered);
	log_number(log, "masked", s->pmi_masked);
	log_number(log, "lost", s->pmi_lost);
	log_number(log, "failed", s->pmi_failed);
	log_number(log, "taken", s->pmi_taken);
	log_numbers(log, "viols", s->violations, NR_ORIGINS);
}

static void window_members(struct log *log, const struct window_stats *w)
{
	log_open_object(log, "windows");
	log_number(log, "nr", w->nr);
	log_number(log, "handler", w->handler_insns);
	log_number(log, "handler_max", w->handler_insns_max);
	log_number(log, "all", w->insns);
	log_number(log, "accesses", w->accesses);
	log_number(log, "accesses_max", w->accesses_max);
	log_number(log, "range_nr", w->range_nr);
	log_number(log, "range_handler", w->range_handler_insns);
	log_number(log, "range_accesses", w->range_accesses);
	log_number(log, "range_accesses_max", w->range_accesses_max);
	log_close_object(log);
}

/* By register: reads, writes, RDPMCs outside PMI handlers, then those inside */
static void registers_member(struct log *log, const struct cpu *cpu, const char *key,
			     enum access_origin origin)
{
	uint64_t n[2 * NR_ACCESS_OPS];
	char name[KEY_SIZE];
	uint32_t msr;
	int i;

	log_open_object(log, key);
	for (msr = 0; msr < PMU_MSR_END; msr++) {
		uint64_t any = 0;

		for (i = 0; i < 2 * NR_ACCESS_OPS; i++) {
			n[i] = cpu->access->n[origin][i / NR_ACCESS_OPS][i % NR_ACCESS_OPS][msr];
			any |= n[i];
		}
		if (!any)
			continue;
		snprintf(name, sizeof(name), "%#x", msr);
		log_numbers(log, name, n, 2 * NR_ACCESS_OPS);
	}
	log_close_object(log);
}

/* By counter that overflowed or was reloaded: overflows, with PMI, self-reloads, reloads */
static void counters_member(struct log *log, const struct cpu_stats *s)
{
	char name[KEY_SIZE];
	unsigned int i;

	log_open_object(log, "cntrs");
	for (i = 0; i < PMU_NR_CNTRS; i++) {
		uint64_t n[] = { s->overflows[i], s->overflows_int[i], s->overflows_self[i],
				 s->reloads[i] };

		if (!n[0] && !n[3])
			continue;
		snprintf(name, sizeof(name), "%u", i);
		log_numbers(log, name, n, sizeof(n) / sizeof(n[0]));
	}
	log_close_object(log);
}

static void totals_members(struct log *log, const struct cpu *cpu)
{
	log_number(log, "c", cpu->nr);
	events_members(log, cpu);
	pmi_members(log, &cpu->stats);
	counters_member(log, &cpu->stats);
	window_members(log, &cpu->stats.windows);
	registers_member(log, cpu, "range_msrs", ORIGIN_RANGE);
	registers_member(log, cpu, "other_msrs", ORIGIN_OTHER);
}

void record_mark(struct model *model, const struct cpu *cpu, uint64_t tag)
{
	struct log *log = &model->log;
	unsigned int i;

	for (i = 0; i < model->nr_cpus; i++) {
		if (!model->cpu[i] || !log_begin(log, "mark"))
			continue;
		log_number(log, "tag", tag);
		log_number(log, "by", cpu->nr);
		totals_members(log, model->cpu[i]);
		log_end(log, true);
	}
}

static void code_line(struct log *log, const struct cpu *cpu, uint64_t tag,
		      const struct code_block *block)
{
	if (!log_begin(log, "code"))
		return;
	log_number(log, "tag", tag);
	log_number(log, "c", cpu->nr);
	log_hex(log, "pc", block->pc);
	log_numbers(log, "insns", block->insns, NR_CODE_PARTS);
	log_end(log, false);
}

static void call_line(struct log *log, const struct cpu *cpu, uint64_t tag,
		      const struct code_call *call)
{
	if (!log_begin(log, "call"))
		return;
	log_number(log, "tag", tag);
	log_number(log, "c", cpu->nr);
	log_hex(log, "pc", call->entry);
	log_number(log, "nr", call->nr);
	log_number(log, "insns", call->insns);
	log_end(log, false);
}

static void code_lines(struct log *log, const struct cpu *cpu, uint64_t tag)
{
	const struct code *code = cpu->code;
	unsigned int i;

	for (i = 0; i < CODE_MAX_BLOCKS; i++)
		if (code->block[i].pc)
			code_line(log, cpu, tag, &code->block[i]);
	if (code->other)
		code_line(log, cpu, tag, &(struct code_block){ .insns = { code->other } });
	for (i = 0; i < code->nr_calls; i++)
		call_line(log, cpu, tag, &code->call[i]);
}

void record_code(struct model *model, const struct cpu *asker, unsigned int nr, uint64_t tag)
{
	unsigned int i;

	if (nr == ORACLE_THIS_CPU)
		nr = asker->nr;
	for (i = 0; i < model->nr_cpus; i++)
		if (model->cpu[i] && (nr == ORACLE_ALL_CPUS || nr == i))
			code_lines(&model->log, model->cpu[i], tag);
}

static void values_member(struct log *log, const struct cpu *cpu)
{
	char name[KEY_SIZE];
	uint64_t value;
	uint32_t msr;

	log_open_object(log, "regs");
	for (msr = 0; msr < PMU_MSR_END; msr++) {
		if (pmu_rdmsr(&cpu->pmu, msr, &value) != PMU_OK)
			continue;
		snprintf(name, sizeof(name), "%#x", msr);
		log_hex(log, name, value);
	}
	log_close_object(log);
}

void record_final(struct model *model)
{
	struct log *log = &model->log;
	unsigned int i;

	for (i = 0; i < model->nr_cpus; i++) {
		if (!model->cpu[i] || !log_begin(log, "final"))
			continue;
		log_number(log, "resets", model->cpu[i]->stats.resets);
		totals_members(log, model->cpu[i]);
		values_member(log, model->cpu[i]);
		log_end(log, true);
	}
}
