// SPDX-License-Identifier: GPL-2.0-only
/* The plugin: arguments, translation, and the callbacks that follow execution. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cost.h"
#include "cover.h"
#include "one_thread.h"
#include "qemu_api.h"
#include "record.h"
#include "vcpu.h"

#define MAX_INSN_BYTES	15
#define RESET_VECTOR	0xfffffff0ULL
/* Interrupt frame of 64-bit mode without error code: RIP, CS, RFLAGS, RSP, SS */
#define FRAME_RSP	24

QEMU_EXPORT int qemu_plugin_version = QEMU_API_VERSION;

struct model model = { .threads = 1 };
struct vcpu vcpus[MODEL_MAX_CPUS];

static struct qemu_plugin_scoreboard *hot_board;
static bool predict, model_memory, one_thread, cover, pmi_mask = true;
static uint64_t pmi_delay;

/*
 * QEMU drops all blocks at once when it flushes its code. A CPU may still be inside one of them,
 * so a generation is freed at the next flush.
 */
static struct {
	GMutex lock;
	unsigned int number;
	struct block *blocks, *old_blocks;
	struct site *sites, *old_sites;
} generation;

static struct core_hot *hot_of(unsigned int nr)
{
	return qemu_plugin_scoreboard_find(hot_board, nr);
}

static void on_overflow(void *ctx, const struct count_overflow *o)
{
	struct vcpu *v = ctx;

	model_overflow(&v->cpu, o);
	record_overflow(&model, &v->cpu, o, v->pc, v->level);
}

struct count_sink vcpu_sink(struct vcpu *v)
{
	return (struct count_sink){ .overflow = on_overflow, .ctx = v };
}

bool vcpu_read_lvtpc(struct vcpu *v, uint64_t *value)
{
	uint32_t lvtpc = 0;
	bool read = guest_read_phys(&v->guest, APIC_DEFAULT_PHYS_BASE + APIC_LVTPC, &lvtpc);

	*value = lvtpc;
	return read;
}

static bool deliver(struct vcpu *v)
{
	struct cpu_stats *s = &v->cpu.stats;
	bool sent = guest_write_phys(&v->guest, v->message.address, v->message.data);

	if (sent) {
		s->pmi_delivered++;
		fault_delivered(&v->cpu.fault, core_insns(v->cpu.core.hot));
	} else {
		s->pmi_failed++;
	}
	v->cpu.window.sent |= sent;
	record_pmi(&model, &v->cpu, sent ? "delivered" : "failed", v->lvtpc);
	return sent;
}

static void deliver_late(struct CPUState *cpu, union one_thread_arg arg)
{
	deliver(arg.ptr);
}

static bool raise_now(struct vcpu *v)
{
	struct cpu_stats *s = &v->cpu.stats;
	uint32_t lvtpc = 0, masked, id;

	s->pmi_raised++;
	if (fault_loses(&v->cpu.fault)) {
		s->pmi_lost++;
		record_pmi(&model, &v->cpu, "lost", 0);
		return false;
	}
	if (!guest_read_phys(&v->guest, APIC_DEFAULT_PHYS_BASE + APIC_LVTPC, &lvtpc) ||
	    !guest_read_phys(&v->guest, APIC_DEFAULT_PHYS_BASE + APIC_ID, &id))
		goto failed;
	masked = lvtpc;
	if (!pmi_route(&masked, id, &v->message)) {
		s->pmi_masked++;
		record_pmi(&model, &v->cpu, "masked", lvtpc);
		return false;
	}
	if (!pmi_mask)
		masked = lvtpc;
	if (!guest_write_phys(&v->guest, APIC_DEFAULT_PHYS_BASE + APIC_LVTPC, masked))
		goto failed;
	v->lvtpc = lvtpc;
	if (!one_thread)
		return deliver(v);
	one_thread_after_block(v->cpu.nr, deliver_late, (union one_thread_arg){ .ptr = v });
	return true;
failed:
	s->pmi_failed++;
	record_pmi(&model, &v->cpu, "failed", lvtpc);
	return false;
}

/* Overflows until a delayed PMI is raised are one with it. */
bool vcpu_raise_pmi(struct vcpu *v)
{
	if (!pmi_delay)
		return raise_now(v);
	if (!v->pmi_due)
		v->pmi_due = core_insns(v->cpu.core.hot) + pmi_delay;
	return false;
}

static bool raise_delayed(struct vcpu *v)
{
	if (!v->pmi_due || core_insns(v->cpu.core.hot) < v->pmi_due)
		return false;
	v->pmi_due = 0;
	return raise_now(v);
}

static bool raise_stray(struct vcpu *v)
{
	return v->cpu.fault.stray && fault_strays(&v->cpu.fault, core_insns(v->cpu.core.hot)) &&
	       raise_now(v);
}

static bool each_block(const struct vcpu *v)
{
	return v->cpu.window.open || v->answer.kind || v->flags_pending || v->pmi_due ||
	       v->cpu.fault.stray || code_counts(v->cpu.code);
}

/*
 * QEMU shares a block among all addresses at which its page is mapped: user code, such as a
 * library, may run at another page than the one it was translated at.
 */
static uint64_t block_shift(const struct block *b, uint64_t pc)
{
	return b->level == LEVEL_KERNEL ? 0 : (pc - b->start) & ~GUEST_PAGE_OFFSET;
}

void vcpu_go_on(struct vcpu *v)
{
	core_resume(&v->cpu.core);
	if (each_block(v))
		core_look_at_next(&v->cpu.core);
	v->cpu.branch = NULL;
}

void vcpu_resume(struct vcpu *v, const struct block *b, uint64_t pc)
{
	uint64_t shift = block_shift(b, guest_read(&v->guest, GUEST_RIP));

	vcpu_go_on(v);
	qemu_plugin_set_pc(pc + shift);
}

struct pmi_point vcpu_point(uint64_t pc, uint64_t sp, uint64_t kernel_insns)
{
	return (struct pmi_point){
		.pc = pc,
		.sp = sp,
		.level = pc >> 63 ? LEVEL_KERNEL : LEVEL_USER,
		.kernel_insns = kernel_insns,
	};
}

static void close_window(struct vcpu *v)
{
	model_window_closed(&v->cpu);
	record_window(&model, &v->cpu);
}

/* For a block that is about to run while a PMI window is open */
static void window_block(struct vcpu *v, const struct block *b)
{
	struct pmi_window *w = &v->cpu.window;
	uint64_t insns = core_total(v->cpu.core.hot, LEVEL_KERNEL, EV_INSN);
	struct pmi_point at;
	uint64_t sp = 0;

	if (b->level == LEVEL_KERNEL) {
		insns -= b->nr;
		/* Reading a register is slow: only if the address matches */
		if (b->start == w->from.pc)
			sp = guest_read(&v->guest, GUEST_RSP);
	}
	at = vcpu_point(b->start, sp, insns);
	if (pmi_window_block(w, &at))
		close_window(v);
}

/* For a block that is about to run while it is counted where instructions of its level go */
static void count_code(struct vcpu *v, const struct block *b)
{
	const struct pmi_window *w = &v->cpu.window;
	struct code *code = v->cpu.code;
	uint64_t sp, pc = b->start;

	if (b->level == LEVEL_USER) {
		code_run(code, b, pc + block_shift(b, guest_read(&v->guest, GUEST_RIP)),
			 CODE_OUTSIDE);
		return;
	}
	code_run(code, b, pc, w->open && !w->handler_done ? CODE_INSIDE : CODE_OUTSIDE);
	if (!code_is_call(code, pc))
		return;
	sp = guest_read(&v->guest, GUEST_RSP);
	code_call_block(code, pc, sp, guest_read_stack(&v->guest, sp),
			core_total(v->cpu.core.hot, LEVEL_KERNEL, EV_INSN) - b->nr);
}

/* Count a request beyond the core by @insn, of the kind @hit or the miss after it */
static void request(struct vcpu *v, const struct block *b, uint32_t insn, enum cache_result where,
		    enum event_kind hit)
{
	struct count_sink sink = vcpu_sink(v);

	if (where == CACHE_LLC)
		core_late_event(&v->cpu.core, b, insn, hit, CACHE_LLC_UNITS, false, &sink);
	else if (where == CACHE_MEMORY)
		core_late_event(&v->cpu.core, b, insn, hit + 1, CACHE_MEMORY_UNITS, false, &sink);
}

/* Fetch all lines of the block's code on entry, for its first instruction */
static void fetch(struct vcpu *v, const struct block *b)
{
	uint64_t line;
	uint32_t i;

	for (i = 0; i < 2; i++)
		for (line = b->lines[i].first; line < b->lines[i].first + b->lines[i].nr; line++) {
			request(v, b, 0, cache_fetch(v->cpu.cache, line), EV_CODE_HIT);
			v->cpu.core.hot->fetched = line + 1;
		}
}

static void on_fetch(unsigned int nr, void *ud)
{
	fetch(&vcpus[nr], ud);
}

/* The budget is used up: account for what ran before this block, and decide how to run it */
static void on_enter(unsigned int nr, void *ud)
{
	struct vcpu *v = &vcpus[nr];
	const struct block *b = ud;
	struct count_sink sink = vcpu_sink(v);
	bool pmi = core_enter(&v->cpu.core, b, &sink) && !v->pmi_early;
	bool again;

	v->pmi_early = false;
	v->pc = b->start;
	v->level = b->level;
	intercept_answer(v, b->start);
	again = intercept_flags_went_wrong(v, b->start);
	if (pmi)
		again |= vcpu_raise_pmi(v);
	again |= raise_delayed(v);
	again |= raise_stray(v);
	if (again) {
		core_leave(&v->cpu.core, b);
		vcpu_resume(v, b, b->start);
	}
	if (v->cpu.window.open)
		window_block(v, b);
	core_run(&v->cpu.core, b, each_block(v));
	if (code_counts(v->cpu.code) && b->level == v->cpu.code->level)
		count_code(v, b);
	if (model_memory)
		fetch(v, b);
	if (core_will_interrupt(&v->cpu.core)) {
		vcpu_raise_pmi(v);
		v->pmi_early = true;
	}
}

/* For a write of another thread of the core to a shared register */
static void on_told(unsigned int nr, void *ud)
{
	core_notified(&vcpus[nr].cpu.core);
}

static const struct block *block_entered(const struct vcpu *v)
{
	return (const struct block *)(uintptr_t)v->cpu.core.hot->block;
}

static void on_exception(unsigned int nr, int type, uint64_t from, uint64_t to, void *ud)
{
	struct vcpu *v = &vcpus[nr];
	const struct block *b = block_entered(v);
	int insn = b ? block_index(b, from - block_shift(b, from)) : -1;

	intercept_faulted(v);
	intercept_answer(v, from);
	v->cpu.branch = NULL;
	if (insn < 0)
		return;
	core_fault(&v->cpu.core, b, insn);
	code_cut(v->cpu.code, b, insn);
	/* Only after a division by zero: the PMI was sent, but its overflow did not happen */
	if (v->pmi_early) {
		v->cpu.stats.pmi_failed++;
		v->pmi_early = false;
	}
}

static void on_interrupt(unsigned int nr, int type, uint64_t from, uint64_t to, void *ud)
{
	struct vcpu *v = &vcpus[nr];
	struct pmi_window *w = &v->cpu.window;
	uint64_t insns = core_total(v->cpu.core.hot, LEVEL_KERNEL, EV_INSN), sp = 0;
	struct pmi_point at;

	intercept_answer(v, from);
	v->cpu.branch = NULL;
	if (!w->sent && !w->open)
		return;
	if (from >> 63)
		sp = guest_read_stack(&v->guest, guest_read(&v->guest, GUEST_RSP) + FRAME_RSP);
	at = vcpu_point(from, sp, insns);
	if (w->sent)
		v->cpu.stats.pmi_taken++;
	if (pmi_window_interrupt(w, &at)) {
		close_window(v);
		pmi_window_open(w, &at);
	}
	core_look_at_next(&v->cpu.core);
}

/* Check the prediction of the branch at the end of the previous block */
static void on_branch(unsigned int nr, void *ud)
{
	struct vcpu *v = &vcpus[nr];
	const struct block *b = ud, *before = v->cpu.branch;
	struct count_sink sink = vcpu_sink(v);
	bool taken;

	v->cpu.branch = b->conditional ? b : NULL;
	if (!before || before->level != b->level)
		return;
	/* Of two blocks of user code only the offsets in their pages can be compared */
	taken = b->level == LEVEL_KERNEL ? b->start != before->end :
		(b->start ^ before->end) & GUEST_PAGE_OFFSET;
	if (predictor_branch(v->cpu.predictor, before->end, taken))
		core_late_event(&v->cpu.core, before, before->nr - 1, EV_BRMISS,
				PREDICTOR_PENALTY, true, &sink);
}

static void on_memory(unsigned int nr, qemu_plugin_meminfo_t info, uint64_t vaddr, void *ud)
{
	struct qemu_plugin_hwaddr *addr = qemu_plugin_get_hwaddr(info, vaddr);
	const struct block_insn *insn = ud;
	struct vcpu *v = &vcpus[nr];
	const struct block *b = block_entered(v);

	if (!b || insn < b->insn || insn >= b->insn + b->nr)
		return;
	if (!addr || qemu_plugin_hwaddr_is_io(addr))
		return;
	request(v, b, insn - b->insn,
		cache_access(v->cpu.cache, qemu_plugin_hwaddr_phys_addr(addr)),
		qemu_plugin_mem_is_store(info) ? EV_WR_HIT : EV_RD_HIT);
}

static void reset_cpu(struct cpu *cpu)
{
	pmu_reset(&cpu->pmu, model.profile[cpu->nr], model_shared(&model, cpu->nr));
	core_restart(&cpu->core);
	vcpus[cpu->nr].pmi_due = 0;
	vcpus[cpu->nr].answer.kind = ANSWER_NONE;
	vcpus[cpu->nr].flags_pending = false;
	memset(&cpu->window, 0, sizeof(cpu->window));
	cpu->branch = NULL;
	cpu->stats.resets++;
}

/* RESET starts the first CPU here in real mode; the others wait for it */
static void on_reset_vector(unsigned int nr, void *ud)
{
	unsigned int i;

	if (guest_read(&vcpus[nr].guest, GUEST_CR0) & CR0_PE)
		return;
	record_reset(&model);
	for (i = 0; i < model.nr_cpus; i++)
		if (model.cpu[i])
			reset_cpu(model.cpu[i]);
}

static struct site *new_site(const struct block *b, uint32_t insn)
{
	struct site *s = g_new(struct site, 1);

	s->block = b;
	s->insn = insn;
	g_mutex_lock(&generation.lock);
	s->next = generation.sites;
	generation.sites = s;
	g_mutex_unlock(&generation.lock);
	return s;
}

static void translate_insn(struct qemu_plugin_insn *insn, struct block *b, uint32_t i,
			   enum insn_type *before)
{
	static const struct {
		qemu_vcpu_cb cb;
		int flags;
	} calls[] = {
		[INSN_CPUID] = { intercept_cpuid, QEMU_CB_RW_REGS },
		[INSN_RDMSR] = { intercept_rdmsr, QEMU_CB_RW_REGS },
		[INSN_WRMSR] = { intercept_wrmsr, QEMU_CB_RW_REGS_PC },
		[INSN_RDPMC] = { intercept_rdpmc, QEMU_CB_RW_REGS_PC },
	};
	uint8_t bytes[MAX_INSN_BYTES];
	size_t size = qemu_plugin_insn_data(insn, bytes, sizeof(bytes));
	enum insn_type type = cost_of(bytes, size).type;

	block_add(b, bytes, size);
	if (*before == INSN_CPUID || *before == INSN_RDMSR)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, intercept_next, QEMU_CB_RW_REGS_PC,
						       new_site(b, i));
	if (type != INSN_OTHER)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, calls[type].cb, calls[type].flags,
						       new_site(b, i));
	if (model_memory)
		qemu_plugin_register_vcpu_mem_cb(insn, on_memory, QEMU_CB_NO_REGS, QEMU_MEM_RW,
						 &b->insn[i]);
	*before = type;
}

static qemu_plugin_u64 hot_field(size_t offset)
{
	return (qemu_plugin_u64){ hot_board, offset };
}

static void add_inline(struct qemu_plugin_tb *tb, enum qemu_op op, size_t offset, uint64_t value)
{
	qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(tb, op, hot_field(offset), value);
}

/* Record the physical addresses of the block's code */
static void place(struct block *b)
{
	uint64_t page = block_second_page(b), first, second = 0;

	if (qemu_plugin_translate_vaddr(b->start, &first) &&
	    (!page || qemu_plugin_translate_vaddr(page, &second)))
		block_place(b, first, second);
}

/* Fetch the block's code, unless it lies within the line fetched last */
static void instrument_fetch(struct qemu_plugin_tb *tb, struct block *b)
{
	if (b->lines[0].nr == 1 && !b->lines[1].nr)
		qemu_plugin_register_vcpu_tb_exec_cond_cb(tb, on_fetch, QEMU_CB_NO_REGS,
							  QEMU_COND_NE,
							  hot_field(offsetof(struct core_hot,
									     fetched)),
							  b->lines[0].first + 1, b);
	else
		qemu_plugin_register_vcpu_tb_exec_cb(tb, on_fetch, QEMU_CB_NO_REGS, b);
}

/* Charge the block when it is entered, and call on_enter() when the budget is used up */
static void instrument(struct qemu_plugin_tb *tb, struct block *b)
{
	size_t budget = offsetof(struct core_hot, budget);
	size_t packed = offsetof(struct core_hot, packed) + b->level * sizeof(uint64_t);

	add_inline(tb, QEMU_OP_ADD, packed, core_charge(b));
	add_inline(tb, QEMU_OP_STORE, offsetof(struct core_hot, block), (uintptr_t)b);
	add_inline(tb, QEMU_OP_ADD, budget, b->weight);
	if (predict)
		qemu_plugin_register_vcpu_tb_exec_cb(tb, on_branch, QEMU_CB_NO_REGS, b);
	/* Before the check of the budget, which it uses up */
	if (model.threads > 1)
		qemu_plugin_register_vcpu_tb_exec_cond_cb(tb, on_told, QEMU_CB_NO_REGS,
							  QEMU_COND_NE,
							  hot_field(offsetof(struct core_hot,
									     notified)), 0, NULL);
	qemu_plugin_register_vcpu_tb_exec_cond_cb(tb, on_enter, QEMU_CB_RW_REGS_PC, QEMU_COND_GE,
						  hot_field(budget), CORE_BUDGET_END, b);
	/* Last: a block that must not run yet has been left before */
	if (model_memory)
		instrument_fetch(tb, b);
}

/* QEMU translates a block when a CPU is about to run it. */
static void log_block(struct qemu_plugin_tb *tb, uint64_t pc, size_t n)
{
	uint8_t bytes[COVER_MAX_BYTES];
	size_t i, size = 0;

	for (i = 0; i < n; i++)
		size += qemu_plugin_insn_data(qemu_plugin_tb_get_insn(tb, i), bytes + size,
					      sizeof(bytes) - size);
	cover_block(&model.log, pc, bytes, size);
}

static void on_translate(struct qemu_plugin_tb *tb, void *ud)
{
	size_t i, n = qemu_plugin_tb_n_insns(tb);
	struct block *b = block_new(qemu_plugin_tb_vaddr(tb), n);
	enum insn_type before = INSN_OTHER;

	if (!b)
		abort();
	for (i = 0; i < n; i++)
		translate_insn(qemu_plugin_tb_get_insn(tb, i), b, i, &before);
	block_finish(b, predict ? PREDICTOR_PENALTY : 0);
	if (model_memory)
		place(b);
	if (cover)
		log_block(tb, b->start, n);
	g_mutex_lock(&generation.lock);
	b->generation = generation.number;
	b->next = generation.blocks;
	generation.blocks = b;
	g_mutex_unlock(&generation.lock);

	if (b->start == RESET_VECTOR)
		qemu_plugin_register_vcpu_tb_exec_cb(tb, on_reset_vector, QEMU_CB_R_REGS, NULL);
	instrument(tb, b);
}

/* All vCPUs are stopped here */
static void on_flush(void *ud)
{
	unsigned int i, old = generation.number - 1;
	struct block *b, *next_block;
	struct site *s, *next_site;

	for (i = 0; i < model.nr_cpus; i++) {
		struct cpu *cpu = model.cpu[i];

		if (!cpu)
			continue;
		core_forget(&cpu->core, old);
		cpu->code->last = NULL;
		if (cpu->branch && cpu->branch->generation == old)
			cpu->branch = NULL;
	}
	for (b = generation.old_blocks; b; b = next_block) {
		next_block = b->next;
		free(b);
	}
	for (s = generation.old_sites; s; s = next_site) {
		next_site = s->next;
		g_free(s);
	}
	generation.old_blocks = generation.blocks;
	generation.old_sites = generation.sites;
	generation.blocks = NULL;
	generation.sites = NULL;
	generation.number++;
}

static void die(const char *what, const char *why)
{
	fprintf(stderr, "acrmodel: %s: %s\n", what, why);
	exit(EXIT_FAILURE);
}

static void on_vcpu(unsigned int nr, void *ud)
{
	struct vcpu *v;
	const char *missing;

	if (nr >= MODEL_MAX_CPUS)
		die("too many CPUs", "use -smp with at most 64");
	if (one_thread)
		one_thread_vcpu(nr);
	v = &vcpus[nr];
	missing = guest_init(&v->guest);
	if (missing)
		die("QEMU does not offer this register", missing);
	if (model.cpu[nr])
		return;
	v->cpu.nr = nr;
	v->cpu.access = g_new0(struct access_stats, 1);
	v->cpu.code = g_new0(struct code, 1);
	if (predict)
		v->cpu.predictor = g_new0(struct predictor, 1);
	if (model_memory)
		v->cpu.cache = g_new0(struct cache, 1);
	v->cpu.core.pmu = &v->cpu.pmu;
	v->cpu.core.hot = hot_of(nr);
	pmu_reset(&v->cpu.pmu, model.profile[nr], model_shared(&model, nr));
	core_restart(&v->cpu.core);
	model.cpu[nr] = &v->cpu;
}

/* The final state of the PMU, as the guest would read it */
static void settle(struct cpu *cpu)
{
	struct pmu now;

	core_peek(&cpu->core, &now);
	cpu->pmu = now;
}

static void on_exit_plugin(void *ud)
{
	unsigned int i;

	for (i = 0; i < model.nr_cpus; i++)
		if (model.cpu[i])
			settle(model.cpu[i]);
	record_final(&model);
	if (!log_close(&model.log))
		fprintf(stderr, "acrmodel: the log is incomplete: %s\n", strerror(errno));
}

static bool switch_argument(const char *value, bool *on)
{
	*on = !strcmp(value, "on");
	return *on || !strcmp(value, "off");
}

static bool number_argument(const char *value, unsigned int *number)
{
	char *end;

	*number = strtoul(value, &end, 10);
	return end != value && !*end && *number && *number <= MODEL_MAX_CPUS;
}

static bool delay_argument(const char *value, uint64_t *insns)
{
	char *end;

	*insns = strtoull(value, &end, 10);
	return end != value && !*end;
}

/* Parse one argument, already split at '='; false if it is invalid */
static bool argument(const char *key, const char *value)
{
	if (!strcmp(key, "profile")) {
		model.spec = g_strdup(value);
		return true;
	}
	if (!strcmp(key, "log"))
		return !log_open(&model.log, value);
	if (!strcmp(key, "bp"))
		return switch_argument(value, &predict);
	if (!strcmp(key, "mem"))
		return switch_argument(value, &model_memory);
	if (!strcmp(key, "cover"))
		return switch_argument(value, &cover);
	if (!strcmp(key, "threads"))
		return number_argument(value, &model.threads);
	if (!strcmp(key, "one-thread"))
		return switch_argument(value, &one_thread);
	if (!strcmp(key, "pmi-mask"))
		return switch_argument(value, &pmi_mask);
	if (!strcmp(key, "pmi-delay"))
		return delay_argument(value, &pmi_delay);
	return false;
}

QEMU_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
				    char **argv)
{
	int i;

	for (i = 0; i < argc; i++) {
		char **part = g_strsplit(argv[i], "=", 2);
		bool good = part[0] && part[1] && argument(part[0], part[1]);

		g_strfreev(part);
		if (good)
			continue;
		fprintf(stderr, "acrmodel: argument '%s' is not understood: use profile=NAME, "
			"log=PATH, bp=on|off, mem=on|off, threads=N, one-thread=on|off, "
			"pmi-mask=on|off, pmi-delay=INSTRUCTIONS, cover=on|off\n", argv[i]);
		return -1;
	}
	if (!model.spec) {
		fprintf(stderr, "acrmodel: no profile given: add profile=NAME\n");
		return -1;
	}
	if (!info->system_emulation) {
		fprintf(stderr, "acrmodel: this QEMU emulates a process, not a machine: use "
			"qemu-system-x86_64\n");
		return -1;
	}
	if (one_thread && !one_thread_supported()) {
		fprintf(stderr, "acrmodel: one-thread=on: this QEMU hides what that needs: use one "
			"with loadable modules, such as Debian's\n");
		return -1;
	}
	model.nr_cpus = info->system.smp_vcpus;
	if (model.nr_cpus % model.threads) {
		fprintf(stderr, "acrmodel: threads=%u: %u CPUs make no whole cores\n",
			model.threads, model.nr_cpus);
		return -1;
	}
	if (!model_choose_cores(&model)) {
		fprintf(stderr, "acrmodel: profile=%s: there is no such profile, or it has no such "
			"kind of core\n", model.spec);
		return -1;
	}
	hot_board = qemu_plugin_scoreboard_new(sizeof(struct core_hot));
	record_start(&model);
	qemu_plugin_register_vcpu_init_cb(id, on_vcpu, NULL);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate, NULL);
	qemu_plugin_register_vcpu_discon_cb(id, QEMU_DISCON_EXCEPTION, on_exception, NULL);
	qemu_plugin_register_vcpu_discon_cb(id, QEMU_DISCON_INTERRUPT, on_interrupt, NULL);
	qemu_plugin_register_flush_cb(id, on_flush, NULL);
	qemu_plugin_register_atexit_cb(id, on_exit_plugin, NULL);
	return 0;
}
