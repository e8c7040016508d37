// SPDX-License-Identifier: GPL-2.0-only
/* CPUID, RDMSR, WRMSR and RDPMC: answered by the model instead of QEMU. */
#include "oracle.h"
#include "record.h"
#include "vcpu.h"

static uint64_t site_pc(const struct site *s)
{
	return s->block->start + s->block->insn[s->insn].offset;
}

static uint64_t site_next(const struct site *s)
{
	return s->insn + 1 < s->block->nr ? s->block->start + s->block->insn[s->insn + 1].offset
					  : s->block->end;
}

/* Early boot code runs in other modes, in which registers and segments differ */
static bool long_mode(struct vcpu *v, const struct site *s)
{
	return s->block->level == LEVEL_KERNEL ||
	       guest_read(&v->guest, GUEST_CS) == GUEST_USER_CS;
}

static void write_pair(struct vcpu *v, enum guest_reg low, enum guest_reg high, uint64_t value)
{
	guest_write(&v->guest, low, (uint32_t)value);
	guest_write(&v->guest, high, value >> 32);
}

static uint64_t read_pair(struct vcpu *v, enum guest_reg low, enum guest_reg high)
{
	return (uint32_t)guest_read(&v->guest, low) | guest_read(&v->guest, high) << 32;
}

/*
 * The kernel's function for WRMSR has no frame: the return address is on top of the stack.
 * Its functions for RDMSR push registers first and count as the kernel's own code.
 */
static enum access_origin origin_of(struct vcpu *v, uint64_t pc)
{
	if (!__atomic_load_n(&model.ranges.nr, __ATOMIC_ACQUIRE))
		return ORIGIN_OTHER;
	if (access_in_range(&model.ranges, pc))
		return ORIGIN_RANGE;
	pc = guest_read_stack(&v->guest, guest_read(&v->guest, GUEST_RSP));
	return access_in_range(&model.ranges, pc) ? ORIGIN_RANGE : ORIGIN_OTHER;
}

/* Show the PMU everything up to @s; true if a PMI became pending */
static void stop_at(struct vcpu *v, const struct site *s)
{
	struct count_sink sink = vcpu_sink(v);

	code_cut(v->cpu.code, s->block, s->insn + 1);
	if (core_stop(&v->cpu.core, s->block, s->insn, &sink))
		vcpu_raise_pmi(v);
}

/*
 * QEMU executes the instruction first: it keeps the arithmetic flags as operands, and only then
 * are they whole, so that the block may be left or interrupted.
 */
static void answer_later(struct vcpu *v, const struct site *s, struct answer answer)
{
	v->answer = answer;
	v->answer.pc = site_next(s);
	if (answer.kind != ANSWER_CPUID)
		vcpu_go_on(v);
	else if (s->insn + 1 == s->block->nr)
		core_look_at_next(&v->cpu.core);
}

static void answer_oracle(struct vcpu *v, const struct site *s, uint32_t request)
{
	uint64_t arg = read_pair(v, GUEST_RBX, GUEST_RDX), value;
	uint32_t query = request & (BIT_ULL(ORACLE_CPU_SHIFT) - 1);
	bool answered;

	stop_at(v, s);
	if (query == ORACLE_LVTPC)
		answered = vcpu_read_lvtpc(v, &value);
	else
		answered = model_answer(&model, &v->cpu, request, arg, &value);
	if (answered && query == ORACLE_MARK)
		record_mark(&model, &v->cpu, arg);
	if (answered && query == ORACLE_CODE_END)
		record_code(&model, &v->cpu, request >> ORACLE_CPU_SHIFT, arg);
	answer_later(v, s, (struct answer){
		.kind = ANSWER_ORACLE,
		.value = value,
		.status = answered ? ORACLE_OK : ORACLE_REFUSED,
	});
}

void intercept_cpuid(unsigned int nr, void *ud)
{
	struct vcpu *v = &vcpus[nr];
	const struct site *s = ud;
	uint32_t leaf, subleaf;

	if (!long_mode(v, s))
		return;
	leaf = guest_read(&v->guest, GUEST_RAX);
	subleaf = guest_read(&v->guest, GUEST_RCX);
	if (leaf == ORACLE_LEAF)
		answer_oracle(v, s, subleaf);
	else if (profile_cpuid_mine(leaf, subleaf))
		answer_later(v, s, (struct answer){
			.kind = ANSWER_CPUID,
			.leaf = leaf,
			.subleaf = subleaf,
		});
}

static void answer_cpuid(struct vcpu *v)
{
	struct guest *g = &v->guest;
	struct cpuid_regs r;

	r.eax = guest_read(g, GUEST_RAX);
	r.ebx = guest_read(g, GUEST_RBX);
	r.ecx = guest_read(g, GUEST_RCX);
	r.edx = guest_read(g, GUEST_RDX);
	profile_cpuid(model.profile[v->cpu.nr], v->answer.leaf, v->answer.subleaf, &r);
	guest_write(g, GUEST_RAX, r.eax);
	guest_write(g, GUEST_RBX, r.ebx);
	guest_write(g, GUEST_RCX, r.ecx);
	guest_write(g, GUEST_RDX, r.edx);
}

void intercept_answer(struct vcpu *v, uint64_t pc)
{
	struct answer *a = &v->answer;

	/* The same user page may be mapped at another address by now */
	if (!a->kind || (a->pc ^ pc) & GUEST_PAGE_OFFSET)
		return;
	switch (a->kind) {
	case ANSWER_CPUID:
		answer_cpuid(v);
		break;
	case ANSWER_MSR:
		write_pair(v, GUEST_RAX, GUEST_RDX, a->value);
		break;
	case ANSWER_ORACLE:
		guest_write(&v->guest, GUEST_RAX, a->status);
		write_pair(v, GUEST_RBX, GUEST_RCX, a->value);
		guest_write(&v->guest, GUEST_RDX, 0);
		break;
	case ANSWER_NONE:
		break;
	}
	a->kind = ANSWER_NONE;
}

void intercept_next(unsigned int nr, void *ud)
{
	struct vcpu *v = &vcpus[nr];
	const struct site *s = ud;
	enum answer_kind kind = v->answer.kind;

	intercept_answer(v, site_pc(s));
	/* What the PMU was shown ends before this instruction */
	if (kind == ANSWER_MSR || kind == ANSWER_ORACLE)
		vcpu_resume(v, s->block, site_pc(s));
}

/* Make QEMU fault: give a register a value with which the instruction cannot succeed */
static void provoke(struct vcpu *v, enum guest_reg reg, uint64_t value)
{
	v->fault_pending = true;
	v->fault_restore = reg;
	v->fault_value = guest_read(&v->guest, reg);
	guest_write(&v->guest, reg, value);
}

void intercept_faulted(struct vcpu *v)
{
	if (!v->fault_pending)
		return;
	v->fault_pending = false;
	guest_write(&v->guest, v->fault_restore, v->fault_value);
}

static struct record_access access_at(struct vcpu *v, const struct site *s, enum access_op op)
{
	struct record_access a = {
		.op = op,
		.msr = guest_read(&v->guest, GUEST_RCX),
		.pc = site_pc(s),
		.level = s->block->level,
	};

	a.origin = origin_of(v, a.pc);
	if (op == ACCESS_WR)
		a.value = read_pair(v, GUEST_RAX, GUEST_RDX);
	return a;
}

static void violation(struct vcpu *v, const struct record_access *a, enum pmu_access why)
{
	v->cpu.stats.violations[a->origin]++;
	record_violation(&model, &v->cpu, a, why);
}

static void account(struct vcpu *v, const struct record_access *a)
{
	model_account(&v->cpu, a->op, a->msr, a->origin);
	record_access(&model, &v->cpu, a);
}

/* Continue after an RDPMC, which QEMU does not execute */
static void skip(struct vcpu *v, const struct site *s, const struct record_access *a)
{
	account(v, a);
	write_pair(v, GUEST_RAX, GUEST_RDX, a->value);
	v->flags_pending = true;
	v->flags_pc = site_next(s);
	v->flags = guest_read(&v->guest, GUEST_EFLAGS);
	vcpu_resume(v, s->block, v->flags_pc);
}

/*
 * Generated code notes the operation of the arithmetic flags only at the end of a block.  If left
 * in its middle, an operand may be read as RFLAGS, and when QEMU then leaves its loop, the
 * single-step flag and others may be set.  QEMU does not execute RDPMC, so it cannot be waited for.
 */
bool intercept_flags_went_wrong(struct vcpu *v, uint64_t pc)
{
	bool wrong;

	if (!v->flags_pending)
		return false;
	v->flags_pending = false;
	if ((v->flags_pc ^ pc) & GUEST_PAGE_OFFSET)
		return false;
	wrong = guest_read(&v->guest, GUEST_EFLAGS) != v->flags;
	if (wrong)
		guest_write(&v->guest, GUEST_EFLAGS, v->flags);
	return wrong;
}

static void access_msr(struct vcpu *v, const struct site *s, enum access_op op)
{
	struct record_access a;
	enum pmu_access result;

	/* User code faults by itself, and early boot code does not use the PMU */
	if (s->block->level != LEVEL_KERNEL)
		return;
	a = access_at(v, s, op);
	result = pmu_check(&v->cpu.pmu, a.msr, op == ACCESS_WR, a.value);
	if (result == PMU_NOT_MINE)
		return;
	if (result == PMU_OK && fault_refuses(&v->cpu.fault, op, a.msr, a.origin))
		result = PMU_GP_INJECTED;
	if (result != PMU_OK) {
		violation(v, &a, result);
		provoke(v, GUEST_RCX, MSR_X2APIC_FIRST);
		return;
	}
	stop_at(v, s);
	if (op == ACCESS_WR) {
		pmu_wrmsr(&v->cpu.pmu, a.msr, a.value);
		if (pmu_shares(&v->cpu.pmu, a.msr))
			model_notify_threads(&model, &v->cpu);
		account(v, &a);
		/* QEMU ignores a write to a register that it does not know, and ends the block */
		if (s->insn + 1 < s->block->nr)
			vcpu_resume(v, s->block, site_next(s));
		vcpu_go_on(v);
		return;
	}
	pmu_rdmsr(&v->cpu.pmu, a.msr, &a.value);
	account(v, &a);
	answer_later(v, s, (struct answer){ .kind = ANSWER_MSR, .value = a.value });
}

void intercept_rdmsr(unsigned int nr, void *ud)
{
	access_msr(&vcpus[nr], ud, ACCESS_RD);
}

void intercept_wrmsr(unsigned int nr, void *ud)
{
	access_msr(&vcpus[nr], ud, ACCESS_WR);
}

void intercept_rdpmc(unsigned int nr, void *ud)
{
	struct vcpu *v = &vcpus[nr];
	const struct site *s = ud;
	bool user = s->block->level == LEVEL_USER;
	struct record_access a;
	uint64_t cr4;
	uint32_t ecx;

	if (!long_mode(v, s))
		return;
	cr4 = guest_read(&v->guest, GUEST_CR4);
	/* Without CR4.PCE user code faults by itself */
	if (user && !(cr4 & CR4_PCE))
		return;
	a = access_at(v, s, ACCESS_RDPMC);
	ecx = a.msr;
	if (!pmu_rdpmc(&v->cpu.pmu, ecx, user, &a.msr, &a.value)) {
		violation(v, &a, PMU_GP_ABSENT);
		/* At kernel level stock QEMU can only be made to raise #UD here */
		if (user)
			provoke(v, GUEST_CR4, cr4 & ~CR4_PCE);
		return;
	}
	stop_at(v, s);
	pmu_rdpmc(&v->cpu.pmu, ecx, user, &a.msr, &a.value);
	skip(v, s, &a);
}
