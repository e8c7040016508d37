// SPDX-License-Identifier: GPL-2.0-only
/* The static cost table: opcode to time in eighths of a cycle. */
#include "cost.h"
#include "event.h"

#define CYCLES(n)	((n) * CYC_UNITS)

/* Costs that several instructions share */
enum {
	COST_MOVE = 2,			/* register operands: four in a cycle */
	COST_STACK = 3,
	COST_SIMD = 3,
	COST_MEMORY = 4,		/* an ALU operation on memory: two in a cycle */
	COST_JCC = 4,
	COST_VEX = 4,
	COST_MEMORY_RMW = 6,
	COST_STRING = CYCLES(1),
	COST_STRING_REP = CYCLES(2),
	COST_JUMP = CYCLES(1),
	COST_MUL = CYCLES(3),
	COST_X87 = CYCLES(3),
	COST_CMPXCHG = CYCLES(5),
	COST_FDIV = CYCLES(10),
	COST_SQRT = CYCLES(14),
	COST_LOCKED = CYCLES(18),
	COST_DIV = CYCLES(20),
	COST_RDTSC = CYCLES(25),
	COST_RDPMC = CYCLES(30),
	COST_SYSCALL = CYCLES(40),
	COST_PAUSE = CYCLES(40),
	COST_IRET = CYCLES(60),
	COST_RDMSR = CYCLES(60),
	COST_WRMSR = CYCLES(100),
	COST_CPUID = CYCLES(100),
};

struct prefixes {
	bool rep, repne, lock;
};

/* Size of the prefixes, REX included */
static size_t skip_prefixes(const uint8_t *b, size_t n, struct prefixes *p)
{
	size_t i;

	for (i = 0; i < n; i++) {
		switch (b[i]) {
		case 0xf3:
			p->rep = true;
			break;
		case 0xf2:
			p->repne = true;
			break;
		case 0xf0:
			p->lock = true;
			break;
		case 0x66: case 0x67: case 0x2e: case 0x36: case 0x3e: case 0x26: case 0x64:
		case 0x65:
			break;
		default:
			return (b[i] & 0xf0) == 0x40 ? i + 1 : i;
		}
	}
	return n;
}

static bool modrm_memory(uint8_t modrm)
{
	return modrm >> 6 != 3;
}

static unsigned int modrm_reg(uint8_t modrm)
{
	return modrm >> 3 & 7;
}

static struct insn_cost plain(uint32_t units)
{
	return (struct insn_cost){ .units = units };
}

static struct insn_cost branch(uint32_t units)
{
	return (struct insn_cost){ .units = units, .branch = true };
}

static struct insn_cost jcc(void)
{
	return (struct insn_cost){ .units = COST_JCC, .branch = true, .conditional = true };
}

static struct insn_cost special(uint32_t units, enum insn_type type)
{
	return (struct insn_cost){ .units = units, .type = type };
}

/* Opcodes after the 0x0f escape */
static struct insn_cost cost_0f(uint8_t op, uint8_t modrm)
{
	switch (op) {
	case 0xa2:
		return special(COST_CPUID, INSN_CPUID);
	case 0x32:
		return special(COST_RDMSR, INSN_RDMSR);
	case 0x30:
		return special(COST_WRMSR, INSN_WRMSR);
	case 0x33:
		return special(COST_RDPMC, INSN_RDPMC);
	case 0x31:
		return plain(COST_RDTSC);
	case 0x05: case 0x07: case 0x34: case 0x35:
		return branch(COST_SYSCALL);
	case 0xaf:
		return plain(COST_MUL);
	case 0x5e:
		return plain(COST_FDIV);
	case 0x51:
		return plain(COST_SQRT);
	case 0xb0: case 0xb1: case 0xc0: case 0xc1:
		return plain(COST_CMPXCHG);
	case 0x80 ... 0x8f:
		return jcc();
	}
	return plain(modrm_memory(modrm) ? COST_MEMORY_RMW : COST_SIMD);
}

/* Opcodes 0xf6 and 0xf7: test, not, neg, mul, imul, div, idiv */
static struct insn_cost cost_f6(uint8_t modrm)
{
	if (modrm_reg(modrm) >= 6)
		return plain(COST_DIV);
	if (modrm_reg(modrm) >= 4)
		return plain(COST_MUL);
	return plain(modrm_memory(modrm) ? COST_MEMORY_RMW : COST_MOVE);
}

/* Opcode 0xff: inc, dec, call, callf, jmp, jmpf, push */
static struct insn_cost cost_ff(uint8_t modrm)
{
	if (modrm_reg(modrm) >= 2 && modrm_reg(modrm) <= 5)
		return branch(COST_JUMP);
	return plain(modrm_memory(modrm) ? COST_MEMORY_RMW : COST_MOVE);
}

static struct insn_cost cost_1(uint8_t op, uint8_t modrm, const struct prefixes *p)
{
	switch (op) {
	case 0x70 ... 0x7f: case 0xe0 ... 0xe3:
		return jcc();
	case 0xe8: case 0xe9: case 0xeb: case 0xc2: case 0xc3: case 0xca: case 0xcb:
		return branch(COST_JUMP);
	case 0xcf:
		return branch(COST_IRET);
	case 0xcc: case 0xcd:
		return branch(COST_IRET);
	case 0x90:
		return plain(p->rep ? COST_PAUSE : 1);
	case 0x69: case 0x6b:
		return plain(COST_MUL);
	case 0xf6: case 0xf7:
		return cost_f6(modrm);
	case 0xff:
		return cost_ff(modrm);
	case 0x86: case 0x87:
		return plain(modrm_memory(modrm) ? COST_LOCKED : COST_MEMORY);
	case 0xa4 ... 0xa7: case 0xaa ... 0xaf:
		return plain(p->rep || p->repne ? COST_STRING_REP : COST_STRING);
	case 0xd8 ... 0xdf:
		return plain(COST_X87);
	case 0xc4: case 0xc5: case 0x62:
		return plain(COST_VEX);
	case 0x50 ... 0x5f:
		return plain(COST_STACK);
	case 0x00 ... 0x03: case 0x08 ... 0x0b: case 0x10 ... 0x13: case 0x18 ... 0x1b:
	case 0x20 ... 0x23: case 0x28 ... 0x2b: case 0x30 ... 0x33: case 0x38 ... 0x3b:
	case 0x63: case 0x80 ... 0x85: case 0x88 ... 0x8b: case 0xc0: case 0xc1:
	case 0xc6: case 0xc7: case 0xd0 ... 0xd3: case 0xfe:
		return plain(modrm_memory(modrm) ? COST_MEMORY : COST_MOVE);
	}
	return plain(COST_MOVE);
}

static bool plain_0f(uint8_t op, uint8_t modrm)
{
	switch (op) {
	case 0x80 ... 0x8f:		/* jcc */
	case 0x1f:			/* nop */
		return true;
	case 0x40 ... 0x4f:		/* cmovcc */
	case 0x90 ... 0x9f:		/* setcc */
	case 0xaf:			/* imul */
	case 0xb6: case 0xb7: case 0xbe: case 0xbf:	/* movzx, movsx */
		return !modrm_memory(modrm);
	}
	return false;
}

static bool plain_1(uint8_t op, uint8_t modrm)
{
	switch (op) {
	case 0x70 ... 0x7f: case 0xe0 ... 0xe3: case 0xe9: case 0xeb:	/* jumps */
	case 0x8d:			/* lea */
	case 0x90:			/* nop */
	case 0xb0 ... 0xbf:		/* mov of a constant */
		return true;
	case 0x00 ... 0x3f:		/* add, or, adc, sbb, and, sub, xor, cmp */
		return (op & 7) < 4 ? !modrm_memory(modrm) : (op & 7) < 6;
	case 0x63: case 0x69: case 0x6b: case 0x80: case 0x81: case 0x83: case 0x84: case 0x85:
	case 0x88 ... 0x8b: case 0xc0: case 0xc1: case 0xc6: case 0xc7: case 0xd0 ... 0xd3:
	case 0xf6: case 0xf7:
		return !modrm_memory(modrm);
	case 0xfe: case 0xff:		/* inc, dec */
		return !modrm_memory(modrm) && modrm_reg(modrm) < 2;
	}
	return false;
}

struct insn_cost cost_of(const uint8_t *bytes, size_t size)
{
	/* A missing byte counts as register operands */
	const uint8_t no_modrm = 0xc0;
	struct prefixes p = { 0 };
	size_t i = skip_prefixes(bytes, size, &p);
	struct insn_cost cost;
	uint8_t op, modrm;

	if (i >= size)
		return plain(COST_MOVE);
	op = bytes[i++];
	if (op == 0x0f && i < size) {
		op = bytes[i++];
		modrm = i < size ? bytes[i] : no_modrm;
		cost = cost_0f(op, modrm);
		cost.plain = plain_0f(op, modrm);
	} else {
		modrm = i < size ? bytes[i] : no_modrm;
		cost = cost_1(op, modrm, &p);
		cost.plain = plain_1(op, modrm);
	}
	if (p.lock)
		return (struct insn_cost){ .units = COST_LOCKED };
	return cost;
}
