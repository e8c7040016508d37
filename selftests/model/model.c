// SPDX-License-Identifier: GPL-2.0-only
/* Statistics of the CPUs, and the answers to the guest's queries about them. */
#include "model.h"
#include "oracle.h"

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t accesses(const struct access_counts *c, enum access_origin origin)
{
	return c->n[origin][ACCESS_RD] + c->n[origin][ACCESS_WR] + c->n[origin][ACCESS_RDPMC];
}

bool model_choose_cores(struct model *model)
{
	const struct profile *cores[MODEL_MAX_CPUS];
	unsigned int i;

	if (!profile_cores(model->spec, cores, model->nr_cpus / model->threads))
		return false;
	for (i = 0; i < model->nr_cpus; i++)
		model->profile[i] = cores[i / model->threads];
	return true;
}

struct pmu_shared *model_shared(struct model *model, unsigned int nr)
{
	return &model->shared[nr / model->threads];
}

void model_notify_threads(struct model *model, const struct cpu *writer)
{
	unsigned int nr = writer->nr - writer->nr % model->threads, i;

	for (i = 0; i < model->threads; i++, nr++)
		if (nr != writer->nr && model->cpu[nr])
			core_notify(&model->cpu[nr]->core);
}

void model_window_closed(struct cpu *cpu)
{
	const struct pmi_window *w = &cpu->window;
	struct window_stats *s = &cpu->stats.windows;
	uint64_t range = accesses(&w->access, ORIGIN_RANGE);
	uint64_t all = range + accesses(&w->access, ORIGIN_OTHER);

	s->nr++;
	s->insns += w->insns;
	s->handler_insns += w->handler_insns;
	s->handler_insns_max = larger(s->handler_insns_max, w->handler_insns);
	s->accesses += all;
	s->accesses_max = larger(s->accesses_max, all);
	if (!range)
		return;
	s->range_nr++;
	s->range_accesses += range;
	s->range_accesses_max = larger(s->range_accesses_max, range);
	s->range_handler_insns += w->handler_insns;
}

void model_account(struct cpu *cpu, enum access_op op, uint32_t msr, enum access_origin origin)
{
	struct pmi_window *w = &cpu->window;
	bool inside = w->open && !w->handler_done;

	cpu->access->n[origin][inside][op][msr]++;
	if (inside)
		w->access.n[origin][op]++;
	else if (w->open)
		w->late_access.n[origin][op]++;
}

void model_overflow(struct cpu *cpu, const struct count_overflow *o)
{
	struct cpu_stats *s = &cpu->stats;
	uint64_t left;

	s->overflows[o->cntr]++;
	if (o->pmi)
		s->overflows_int[o->cntr]++;
	if (o->self_reload)
		s->overflows_self[o->cntr]++;
	for (left = o->reloaded; left; left &= left - 1)
		s->reloads[__builtin_ctzll(left)]++;
}

static bool answer_windows(struct window_stats *w, uint64_t what, uint64_t *value)
{
	const uint64_t values[ORACLE_NR_WINDOW_QUERIES] = {
		[ORACLE_WIN_NR] = w->nr,
		[ORACLE_WIN_HANDLER_INSNS] = w->handler_insns,
		[ORACLE_WIN_HANDLER_INSNS_MAX] = w->handler_insns_max,
		[ORACLE_WIN_INSNS] = w->insns,
		[ORACLE_WIN_RANGE_NR] = w->range_nr,
		[ORACLE_WIN_RANGE_ACCESSES] = w->range_accesses,
		[ORACLE_WIN_RANGE_ACCESSES_MAX] = w->range_accesses_max,
		[ORACLE_WIN_RANGE_HANDLER_INSNS] = w->range_handler_insns,
		[ORACLE_WIN_ACCESSES] = w->accesses,
		[ORACLE_WIN_ACCESSES_MAX] = w->accesses_max,
	};

	if (what >= ORACLE_NR_WINDOW_QUERIES)
		return false;
	*value = values[what];
	if (what == ORACLE_WIN_RESET) {
		w->handler_insns_max = 0;
		w->range_accesses_max = 0;
		w->accesses_max = 0;
	}
	return true;
}

static bool answer_cntr(const uint64_t *values, uint64_t cntr, uint64_t *value)
{
	if (cntr >= PMU_NR_CNTRS)
		return false;
	*value = values[cntr];
	return true;
}

static bool answer_violations(const struct cpu_stats *s, uint64_t origins, uint64_t *value)
{
	if (!origins || origins & ~(uint64_t)ORACLE_ORIGIN_ANY)
		return false;
	*value = (origins & ORACLE_ORIGIN_OTHER ? s->violations[ORIGIN_OTHER] : 0) +
		 (origins & ORACLE_ORIGIN_RANGE ? s->violations[ORIGIN_RANGE] : 0);
	return true;
}

static bool answer_accesses(const struct cpu *cpu, uint64_t arg, uint64_t *value)
{
	unsigned int op = arg >> ORACLE_ARG_OP_SHIFT & ORACLE_ARG_FIELD;
	unsigned int origins = arg >> ORACLE_ARG_ORIGIN_SHIFT & ORACLE_ARG_FIELD;
	unsigned int when = arg >> ORACLE_ARG_WHEN_SHIFT & ORACLE_ARG_FIELD;
	uint32_t msr = arg;

	if (op >= NR_ACCESS_OPS || !origins || origins > ORACLE_ORIGIN_ANY || !when ||
	    when > ORACLE_ANY_TIME || msr > PMU_MSR_END)
		return false;
	*value = access_sum(cpu->access, origins, when, op, msr);
	return true;
}

static bool answer_events(const struct cpu *cpu, uint64_t arg, uint64_t *value)
{
	uint64_t kind = arg & ORACLE_ARG_FIELD, level = arg >> ORACLE_EV_LEVEL_SHIFT;

	if (kind >= NR_EVENT_KINDS || level >= NR_LEVELS)
		return false;
	*value = core_total(cpu->core.hot, level, kind);
	return true;
}

static bool answer_msr(const struct cpu *cpu, uint64_t msr, uint64_t *value)
{
	struct pmu now;

	core_peek(&cpu->core, &now);
	return pmu_rdmsr(&now, msr, value) == PMU_OK;
}

static bool answer_call(const struct code *code, uint64_t entry, bool insns, uint64_t *value)
{
	const struct code_call *call = code_call_of(code, entry);

	if (!call)
		return false;
	*value = insns ? call->insns : call->nr;
	return true;
}

/* A query about one CPU */
static bool answer_cpu(struct cpu *cpu, uint32_t query, uint64_t arg, uint64_t *value)
{
	struct cpu_stats *s = &cpu->stats;

	switch (query) {
	case ORACLE_OVERFLOWS:
		return answer_cntr(s->overflows, arg, value);
	case ORACLE_OVERFLOWS_INT:
		return answer_cntr(s->overflows_int, arg, value);
	case ORACLE_OVERFLOWS_SELF:
		return answer_cntr(s->overflows_self, arg, value);
	case ORACLE_RELOADS:
		return answer_cntr(s->reloads, arg, value);
	case ORACLE_PMI_RAISED:
		*value = s->pmi_raised;
		return true;
	case ORACLE_PMI_DELIVERED:
		*value = s->pmi_delivered;
		return true;
	case ORACLE_PMI_MASKED:
		*value = s->pmi_masked;
		return true;
	case ORACLE_PMI_TAKEN:
		*value = s->pmi_taken;
		return true;
	case ORACLE_VIOLATIONS:
		return answer_violations(s, arg, value);
	case ORACLE_MSR:
		return answer_msr(cpu, arg, value);
	case ORACLE_ACCESSES:
		return answer_accesses(cpu, arg, value);
	case ORACLE_EVENTS:
		return answer_events(cpu, arg, value);
	case ORACLE_WINDOWS:
		return answer_windows(&s->windows, arg, value);
	case ORACLE_CODE_BEGIN:
		code_begin(cpu->code, arg == ORACLE_CODE_USER ? LEVEL_USER : LEVEL_KERNEL);
		return true;
	case ORACLE_CODE_END:
		code_end(cpu->code);
		return true;
	case ORACLE_CALL_WATCH:
		return code_watch(cpu->code, arg);
	case ORACLE_FAULT_ACCESS:
		*value = fault_set_access(&cpu->fault, arg);
		return true;
	case ORACLE_FAULT_LOSE:
		*value = fault_set_lose(&cpu->fault, arg);
		return true;
	case ORACLE_FAULT_REPEAT:
		*value = fault_set_repeat(&cpu->fault, arg);
		return true;
	case ORACLE_CALL_NR:
	case ORACLE_CALL_INSNS:
		return answer_call(cpu->code, arg, query == ORACLE_CALL_INSNS, value);
	}
	return false;
}

static bool is_maximum(uint32_t query, uint64_t arg)
{
	return query == ORACLE_WINDOWS &&
	       (arg == ORACLE_WIN_HANDLER_INSNS_MAX || arg == ORACLE_WIN_ACCESSES_MAX ||
		arg == ORACLE_WIN_RANGE_ACCESSES_MAX);
}

static bool answer_all(struct model *model, uint32_t query, uint64_t arg, uint64_t *value)
{
	uint64_t sum = 0, one = 0;
	unsigned int i;

	if (query == ORACLE_MSR)
		return false;
	for (i = 0; i < model->nr_cpus; i++) {
		if (!model->cpu[i])
			continue;
		if (!answer_cpu(model->cpu[i], query, arg, &one))
			return false;
		sum = is_maximum(query, arg) ? larger(sum, one) : sum + one;
	}
	*value = sum;
	return true;
}

bool model_answer(struct model *model, struct cpu *asker, uint32_t request, uint64_t arg,
		  uint64_t *value)
{
	uint32_t query = request & (BIT_ULL(ORACLE_CPU_SHIFT) - 1);
	uint32_t nr = request >> ORACLE_CPU_SHIFT;

	*value = 0;
	switch (query) {
	case ORACLE_VERSION:
		*value = ORACLE_ABI;
		return true;
	case ORACLE_NR_CPUS:
		*value = model->nr_cpus;
		return true;
	case ORACLE_NR_THREADS:
		*value = model->threads;
		return true;
	case ORACLE_MARK:
		return true;
	case ORACLE_RANGE_START:
		asker->range_start = arg;
		return true;
	case ORACLE_RANGE_END:
		return access_range_add(&model->ranges, asker->range_start, arg);
	case ORACLE_FAULT_STRAY:
		*value = fault_set_stray(&asker->fault, arg, core_insns(asker->core.hot));
		return true;
	case ORACLE_RANGE_CLEAR:
		__atomic_store_n(&model->ranges.nr, 0, __ATOMIC_RELEASE);
		return true;
	}
	if (nr == ORACLE_ALL_CPUS)
		return answer_all(model, query, arg, value);
	if (nr == ORACLE_THIS_CPU)
		return answer_cpu(asker, query, arg, value);
	if (nr >= model->nr_cpus || !model->cpu[nr])
		return false;
	return answer_cpu(model->cpu[nr], query, arg, value);
}
