// SPDX-License-Identifier: GPL-2.0-only
/* Tests of what the model reports: PMI routing and windows, access totals, oracle, log. */
#include <stdlib.h>
#include <unistd.h>

#include "model.h"
#include "oracle.h"
#include "record.h"
#include "tap.h"

#define HANDLER		0xffffffff81000000ULL
#define USER_PC		0x401000ULL
#define KERNEL_PC	0xffffffff82000000ULL

static void routing(void)
{
	struct pmi_message m = { 0 };
	uint32_t lvtpc = 0x400;

	ok(pmi_route(&lvtpc, 0x03000000, &m), "an entry that is not masked delivers");
	is_u64(m.address, 0xfee03000, "to its own APIC");
	is_u64(m.data, 0x400, "as an NMI");
	is_u64(lvtpc, 0x10400, "and is masked by it");
	ok(!pmi_route(&lvtpc, 0x03000000, &m), "a masked entry loses the interrupt");
	lvtpc = 0x000000fd;
	ok(pmi_route(&lvtpc, 0, &m), "a fixed vector is delivered too");
	is_u64(m.data, 0xfd, "with its vector");
}

static struct pmi_point at(uint64_t pc, uint64_t sp, uint64_t insns)
{
	return (struct pmi_point){ pc, sp, pc >> 63 ? LEVEL_KERNEL : LEVEL_USER, insns };
}

static bool interrupt(struct pmi_window *w, uint64_t pc, uint64_t sp, uint64_t insns)
{
	struct pmi_point p = at(pc, sp, insns);

	return pmi_window_interrupt(w, &p);
}

static bool block(struct pmi_window *w, uint64_t pc, uint64_t sp, uint64_t insns)
{
	struct pmi_point p = at(pc, sp, insns);

	return pmi_window_block(w, &p);
}

static void windows_at_user_level(void)
{
	struct pmi_window w = { 0 };

	interrupt(&w, USER_PC, 0, 10);
	ok(!w.open, "an interrupt without a PMI opens no window");
	w.sent = true;
	interrupt(&w, USER_PC, 0, 1000);
	ok(w.open, "the PMI opens the window");
	ok(!block(&w, HANDLER, 0, 1000), "the handler runs");
	interrupt(&w, USER_PC, 0, 3571);
	is_u64(w.handler_insns, 2571, "another interrupt at the interrupted code ends the handler");
	ok(w.open, "but not the window");
	ok(!block(&w, HANDLER, 0, 3571), "that interrupt's handler runs");
	ok(block(&w, USER_PC + 8, 0, 4000), "any user block ends the window");
	is_u64(w.insns, 3000, "all kernel instructions of the window");
	is_u64(w.handler_insns, 2571, "of which the handler's own");
	is_u64(w.interrupts, 1, "one other interrupt");
}

static void windows_at_kernel_level(void)
{
	struct pmi_window w = { .sent = true };

	interrupt(&w, KERNEL_PC, 0x1000, 50);
	ok(!block(&w, KERNEL_PC, 0x800, 60), "the same code on another stack does not close it");
	ok(!block(&w, KERNEL_PC + 4, 0x1000, 70), "nor does other code");
	ok(block(&w, KERNEL_PC, 0x1000, 80), "the interrupted code does");
	is_u64(w.handler_insns, 30, "instructions in between");
	w.sent = true;
	interrupt(&w, KERNEL_PC, 0x1000, 100);
	w.sent = true;
	ok(interrupt(&w, KERNEL_PC, 0x1000, 130), "the next PMI at the same address closes it");
	is_u64(w.insns, 30, "with its instructions");
}

static void ranges(void)
{
	static struct access_ranges r;
	unsigned int i;

	ok(!access_in_range(&r, 5), "no range, no member");
	ok(!access_range_add(&r, 10, 10), "an empty range is refused");
	ok(access_range_add(&r, 10, 20), "a range is registered");
	ok(!access_in_range(&r, 9) && access_in_range(&r, 10) && access_in_range(&r, 19) &&
	   !access_in_range(&r, 20), "from its start up to but not including its end");
	for (i = 1; i < ACCESS_MAX_RANGES; i++)
		access_range_add(&r, 100 * i, 100 * i + 1);
	ok(!access_range_add(&r, 5000, 5001), "a full table refuses");
	ok(access_in_range(&r, 100 * (ACCESS_MAX_RANGES - 1)), "the last range counts");
}

static struct model m;
static struct cpu cpus[2];
static struct core_hot hot[2];

static void set_up(void)
{
	int i;

	memset(&m, 0, sizeof(m));
	memset(cpus, 0, sizeof(cpus));
	memset(hot, 0, sizeof(hot));
	m.spec = "clearwaterforest";
	m.nr_cpus = 2;
	m.threads = 1;
	model_choose_cores(&m);
	for (i = 0; i < 2; i++) {
		cpus[i].nr = i;
		cpus[i].access = calloc(1, sizeof(*cpus[i].access));
		cpus[i].core.pmu = &cpus[i].pmu;
		cpus[i].core.hot = &hot[i];
		pmu_reset(&cpus[i].pmu, m.profile[0], model_shared(&m, i));
		core_restart(&cpus[i].core);
		m.cpu[i] = &cpus[i];
	}
}

static void tear_down(void)
{
	free(cpus[0].access);
	free(cpus[1].access);
}

/* All ones: refused */
static uint64_t ask(uint32_t query, uint32_t cpu, uint64_t arg)
{
	uint64_t value = 0x5a5a;

	return model_answer(&m, &cpus[0], query | cpu << ORACLE_CPU_SHIFT, arg, &value) ? value :
								~0ULL;
}

static void oracle_counters(void)
{
	struct count_overflow o = { .cntr = 3, .pmi = true, .reloaded = BIT_ULL(4) };

	set_up();
	is_u64(ask(ORACLE_VERSION, ORACLE_THIS_CPU, 0), ORACLE_ABI, "version");
	is_u64(ask(ORACLE_NR_CPUS, ORACLE_THIS_CPU, 0), 2, "CPUs");
	model_overflow(&cpus[1], &o);
	model_overflow(&cpus[1], &o);
	o = (struct count_overflow){ .cntr = 4, .self_reload = true, .reloaded = 0x18 };
	model_overflow(&cpus[0], &o);
	is_u64(ask(ORACLE_OVERFLOWS, 1, 3), 2, "overflows of a counter");
	is_u64(ask(ORACLE_OVERFLOWS, 0, 3), 0, "not on the other CPU");
	is_u64(ask(ORACLE_OVERFLOWS_INT, 1, 3), 2, "with interrupt");
	is_u64(ask(ORACLE_OVERFLOWS_SELF, ORACLE_THIS_CPU, 4), 1, "self-reloads");
	is_u64(ask(ORACLE_OVERFLOWS_INT, 0, 4), 0, "which raise none");
	is_u64(ask(ORACLE_RELOADS, ORACLE_ALL_CPUS, 4), 3, "reloads of all CPUs");
	is_u64(ask(ORACLE_OVERFLOWS, 0, 64), ~0ULL, "there is no counter 64");
	is_u64(ask(ORACLE_OVERFLOWS, 2, 0), ~0ULL, "there is no CPU 2");
	is_u64(ask(999, 0, 0), ~0ULL, "an unknown query is refused");
	tear_down();
}

static void oracle_registers_and_events(void)
{
	set_up();
	pmu_wrmsr(&cpus[1].pmu, 0x1901, 0x4300c0);
	pmu_wrmsr(&cpus[1].pmu, 0x1900, 100);
	hot[1].sums[LEVEL_KERNEL].insn = 40;
	hot[1].sums[LEVEL_KERNEL].units = 160;
	hot[1].packed[LEVEL_USER] = 2ULL << PACK_INSN_SHIFT | 16;
	is_u64(ask(ORACLE_MSR, 1, 0x1901), 0x4300c0, "a register of another CPU");
	is_u64(ask(ORACLE_MSR, 1, 0x0c1), 142, "a counter includes everything that has run");
	is_u64(cpus[1].pmu.cntr[0].value, 100, "which the query does not change");
	is_u64(ask(ORACLE_MSR, 1, 0x1920), ~0ULL, "an absent register has no value");
	is_u64(ask(ORACLE_MSR, ORACLE_ALL_CPUS, 0x1900), ~0ULL, "registers have no sum");
	is_u64(ask(ORACLE_EVENTS, 1, ORACLE_EV_INSN | 1 << 8), 40, "kernel instructions");
	is_u64(ask(ORACLE_EVENTS, 1, ORACLE_EV_INSN), 2, "user instructions");
	is_u64(ask(ORACLE_EVENTS, 1, ORACLE_EV_CYC | 1 << 8), 20, "kernel cycles");
	is_u64(ask(ORACLE_EVENTS, 1, ORACLE_EV_REF | 1 << 8), 15, "kernel reference cycles");
	is_u64(ask(ORACLE_EVENTS, ORACLE_ALL_CPUS, ORACLE_EV_CYC), 2, "user cycles of all CPUs");
	is_u64(ask(ORACLE_EVENTS, 1, 99), ~0ULL, "there is no kind 99");
	is_u64(ask(ORACLE_EVENTS, 1, 2 << 8), ~0ULL, "there is no level 2");
	tear_down();
}

static void oracle_threads(void)
{
	set_up();
	is_u64(ask(ORACLE_NR_THREADS, ORACLE_THIS_CPU, 0), 1, "by default a core has one thread");
	pmu_wrmsr(&cpus[1].pmu, 0x1a6, 0x10001);
	is_u64(ask(ORACLE_MSR, 0, 0x1a6), 0, "the other core has its own register");
	model_notify_threads(&m, &cpus[1]);
	ok(!hot[0].notified && !hot[1].notified, "and no CPU is notified");
	tear_down();

	set_up();
	m.threads = 2;
	ok(model_shared(&m, 0) == model_shared(&m, 1) && model_shared(&m, 1) != model_shared(&m, 2),
	   "CPUs 0 and 1 are a core of two threads, 2 is of the next");
	pmu_reset(&cpus[1].pmu, m.profile[0], model_shared(&m, 1));
	is_u64(ask(ORACLE_NR_THREADS, ORACLE_THIS_CPU, 0), 2, "threads of a core");
	pmu_wrmsr(&cpus[1].pmu, 0x1a6, 0x10001);
	is_u64(ask(ORACLE_MSR, 0, 0x1a6), 0x10001, "its registers are those of the other thread");
	model_notify_threads(&m, &cpus[1]);
	ok(hot[0].notified && !hot[1].notified, "only the other thread is notified of the write");
	tear_down();
}

static uint64_t accesses(uint32_t msr, unsigned int op, unsigned int origin, unsigned int when)
{
	return ask(ORACLE_ACCESSES, 0, oracle_accesses_arg(msr, op, origin, when));
}

static void oracle_accesses_and_windows(void)
{
	set_up();
	model_account(&cpus[0], ACCESS_WR, 0x38f, ORIGIN_RANGE);
	model_account(&cpus[0], ACCESS_WR, 0x38f, ORIGIN_OTHER);
	cpus[0].window.open = true;
	model_account(&cpus[0], ACCESS_RD, 0x38e, ORIGIN_RANGE);
	model_account(&cpus[0], ACCESS_WR, 0x390, ORIGIN_RANGE);
	model_account(&cpus[0], ACCESS_RDPMC, 0x1900, ORIGIN_OTHER);
	cpus[0].window.handler_insns = 700;
	cpus[0].window.insns = 900;
	cpus[0].window.handler_done = true;
	model_account(&cpus[0], ACCESS_WR, 0x38f, ORIGIN_OTHER);
	model_window_closed(&cpus[0]);
	memset(&cpus[0].window, 0, sizeof(cpus[0].window));
	cpus[0].window.handler_insns = 50;
	model_window_closed(&cpus[0]);

	is_u64(accesses(0x38f, ORACLE_WR, ORACLE_ORIGIN_ANY, ORACLE_ANY_TIME), 3, "all writes");
	is_u64(accesses(0x38f, ORACLE_WR, ORACLE_ORIGIN_RANGE, ORACLE_ANY_TIME), 1, "the range's");
	is_u64(accesses(ORACLE_ALL_MSRS, ORACLE_WR, ORACLE_ORIGIN_RANGE, ORACLE_INSIDE_PMI), 1,
	       "the range's in PMI handlers");
	is_u64(accesses(ORACLE_ALL_MSRS, ORACLE_WR, ORACLE_ORIGIN_OTHER, ORACLE_INSIDE_PMI), 0,
	       "after the handler is outside");
	is_u64(accesses(0x1900, ORACLE_RDPMC, ORACLE_ORIGIN_ANY, ORACLE_ANY_TIME), 1, "RDPMC");
	is_u64(accesses(0x2001, ORACLE_RD, ORACLE_ORIGIN_ANY, ORACLE_ANY_TIME), ~0ULL,
	       "no such register");
	is_u64(accesses(0x38f, 3, ORACLE_ORIGIN_ANY, ORACLE_ANY_TIME), ~0ULL, "no such access");
	is_u64(accesses(0x38f, 0, 0, ORACLE_ANY_TIME), ~0ULL, "an origin must be named");
	is_u64(accesses(0x38f, 0, 1, 0), ~0ULL, "a time must be named");
	is_u64(ask(ORACLE_WINDOWS, 0, ORACLE_WIN_NR), 2, "two windows");
	is_u64(ask(ORACLE_WINDOWS, 0, ORACLE_WIN_HANDLER_INSNS), 750, "instructions of handlers");
	is_u64(ask(ORACLE_WINDOWS, 0, ORACLE_WIN_HANDLER_INSNS_MAX), 700, "the longest");
	is_u64(ask(ORACLE_WINDOWS, 0, ORACLE_WIN_RANGE_NR), 1, "one with the range in it");
	is_u64(ask(ORACLE_WINDOWS, 0, ORACLE_WIN_RANGE_ACCESSES), 2, "its accesses");
	is_u64(ask(ORACLE_WINDOWS, 0, ORACLE_WIN_ACCESSES), 3, "accesses of all code");
	is_u64(ask(ORACLE_WINDOWS, ORACLE_ALL_CPUS, ORACLE_WIN_ACCESSES_MAX), 3, "the most");
	is_u64(ask(ORACLE_WINDOWS, 0, ORACLE_WIN_RESET), 0, "reset the maxima");
	is_u64(ask(ORACLE_WINDOWS, 0, ORACLE_WIN_ACCESSES_MAX), 0, "the maxima are reset");
	is_u64(ask(ORACLE_WINDOWS, 0, ORACLE_WIN_ACCESSES), 3, "the sums are kept");
	tear_down();
}

static void oracle_ranges(void)
{
	set_up();
	is_u64(ask(ORACLE_RANGE_START, ORACLE_THIS_CPU, KERNEL_PC), 0, "start of a range");
	is_u64(ask(ORACLE_RANGE_END, ORACLE_THIS_CPU, KERNEL_PC), ~0ULL, "an empty one is refused");
	is_u64(ask(ORACLE_RANGE_END, ORACLE_THIS_CPU, KERNEL_PC + 16), 0, "end of a range");
	ok(access_in_range(&m.ranges, KERNEL_PC + 15), "the range is registered");
	is_u64(ask(ORACLE_RANGE_CLEAR, ORACLE_THIS_CPU, 0), 0, "clear");
	ok(!access_in_range(&m.ranges, KERNEL_PC), "the range is gone");
	cpus[1].stats.violations[ORIGIN_RANGE] = 2;
	cpus[1].stats.violations[ORIGIN_OTHER] = 5;
	is_u64(ask(ORACLE_VIOLATIONS, 1, ORACLE_ORIGIN_RANGE), 2, "the range's violations");
	is_u64(ask(ORACLE_VIOLATIONS, ORACLE_ALL_CPUS, ORACLE_ORIGIN_ANY), 7, "all of them");
	is_u64(ask(ORACLE_VIOLATIONS, 1, 0), ~0ULL, "an origin must be named");
	tear_down();
}

static void oracle_faults(void)
{
	uint64_t arg = oracle_fault_access_arg(0x38e, ORACLE_RD, ORACLE_ORIGIN_RANGE, 1, 2);
	struct fault *f = &cpus[1].fault;

	set_up();
	is_u64(ask(ORACLE_FAULT_ACCESS, 1, arg), 0, "accesses to be refused");
	ok(!fault_refuses(f, ACCESS_RD, 0x38e, ORIGIN_RANGE), "one comes before");
	ok(!fault_refuses(f, ACCESS_WR, 0x38e, ORIGIN_RANGE), "another kind is done");
	ok(!fault_refuses(f, ACCESS_RD, 0x38f, ORIGIN_RANGE), "another register answers");
	ok(!fault_refuses(f, ACCESS_RD, 0x38e, ORIGIN_OTHER), "and so it does to other code");
	ok(!fault_refuses(&cpus[0].fault, ACCESS_RD, 0x38e, ORIGIN_RANGE), "and on the other CPU");
	ok(fault_refuses(f, ACCESS_RD, 0x38e, ORIGIN_RANGE), "the next one is refused");
	is_u64(ask(ORACLE_FAULT_ACCESS, 1, 0), 1, "one was still to come");
	ok(!fault_refuses(f, ACCESS_RD, 0x38e, ORIGIN_RANGE), "but not any more");

	is_u64(ask(ORACLE_FAULT_LOSE, 1, 2), 0, "PMIs to be lost");
	ok(fault_loses(f), "one is lost");
	is_u64(ask(ORACLE_FAULT_LOSE, ORACLE_ALL_CPUS, 1), 1, "one was still to be lost");
	ok(fault_loses(f), "now one on each CPU");
	ok(!fault_loses(f), "and no more");

	f = &cpus[0].fault;
	is_u64(ask(ORACLE_FAULT_STRAY, ORACLE_THIS_CPU, 2 | 100ULL << ORACLE_ARG_GAP_SHIFT), 0,
	       "PMIs without a cause");
	ok(!fault_strays(f, 99), "none at once");
	ok(fault_strays(f, 105), "the first after its instructions");
	ok(!fault_strays(f, 204), "the next as many later");
	ok(fault_strays(f, 205), "comes then");
	ok(!fault_strays(f, 1000), "and it is the last");

	is_u64(ask(ORACLE_FAULT_REPEAT, 0, 1 | 7ULL << ORACLE_ARG_GAP_SHIFT), 0, "one repeats");
	ok(!fault_strays(f, 2000), "not before one was delivered");
	fault_delivered(f, 2000);
	ok(!fault_strays(f, 2006), "then as many instructions pass");
	ok(fault_strays(f, 2007), "and it comes again");
	fault_delivered(f, 2007);
	ok(!fault_strays(f, 9000), "but that one does not");
	tear_down();
}

/* The expected lines of the log */
static void log_lines(void)
{
	static const struct record_access a = {
		.op = ACCESS_WR, .msr = 0x38f, .value = 0x77000000ff, .pc = KERNEL_PC,
		.level = LEVEL_KERNEL, .origin = ORIGIN_RANGE,
	};
	static const struct count_overflow o = {
		.cntr = 32, .pmi = true, .reloaded = 0x100000001, .status = 0x100000000,
	};
	static const char *const want[] = {
		"{\"t\":\"start\",\"profile\":\"clearwaterforest\",\"cpus\":2,\"threads\":1}\n",
		"{\"t\":\"msr\",\"c\":1,\"op\":\"wr\",\"m\":\"0x38f\",\"v\":\"0x77000000ff\","
		"\"pc\":\"0xffffffff82000000\",\"w\":0,\"k\":1,\"r\":1}\n",
		"{\"t\":\"viol\",\"c\":1,\"op\":\"wr\",\"m\":\"0x38f\",\"v\":\"0x77000000ff\","
		"\"pc\":\"0xffffffff82000000\",\"w\":0,\"k\":1,\"r\":1,\"why\":\"reserved bit\"}\n",
		"{\"t\":\"ovf\",\"c\":1,\"n\":32,\"int\":1,\"self\":0,\"reload\":\"0x100000001\","
		"\"status\":\"0x100000000\",\"pc\":\"0x401000\",\"k\":0}\n",
		"{\"t\":\"pmi\",\"c\":1,\"as\":\"masked\",\"lvtpc\":\"0x10400\"}\n",
		"{\"t\":\"end\",\"lines\":5}\n",
	};
	char path[] = "/tmp/model_test.XXXXXX", line[512] = "";
	unsigned int i;
	FILE *f;

	set_up();
	close(mkstemp(path));
	is_u64(log_open(&m.log, path), 0, "a log is opened");
	record_start(&m);
	record_access(&m, &cpus[1], &a);
	record_violation(&m, &cpus[1], &a, PMU_GP_RESERVED);
	record_overflow(&m, &cpus[1], &o, USER_PC, LEVEL_USER);
	record_pmi(&m, &cpus[1], "masked", 0x10400);
	ok(log_close(&m.log), "and closed without loss");
	f = fopen(path, "r");
	for (i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		if (!fgets(line, sizeof(line), f))
			line[0] = 0;
		is_str(line, want[i], "line %u", i + 1);
	}
	fclose(f);
	unlink(path);
	tear_down();
}

/* The kinds of a hybrid CPU's cores are in the log; threads of a core are of one kind */
static void kinds_of_core(void)
{
	char path[] = "/tmp/model_test.XXXXXX", line[512] = "";
	FILE *f;

	memset(&m, 0, sizeof(m));
	m.spec = "lunarlake.EP";
	m.nr_cpus = 4;
	m.threads = 2;
	ok(model_choose_cores(&m), "a machine of two cores with two threads each");
	close(mkstemp(path));
	is_u64(log_open(&m.log, path), 0, "a log is opened");
	record_start(&m);
	log_close(&m.log);
	f = fopen(path, "r");
	if (!fgets(line, sizeof(line), f))
		line[0] = 0;
	is_str(line, "{\"t\":\"start\",\"profile\":\"lunarlake.EP\",\"cpus\":4,\"threads\":2,"
	       "\"kinds\":\"EEPP\"}\n", "the first line has the kind of each CPU");
	fclose(f);
	unlink(path);
	m.spec = "lunarlake.X";
	ok(!model_choose_cores(&m), "an unknown kind is refused");
}

static void log_failures_show(void)
{
	struct log log = { 0 };

	ok(log_open(&log, "/nonexistent/log") < 0, "a log that cannot be opened is refused");
	is_u64(log_open(&log, "/dev/full"), 0, "a full device can be opened");
	log_begin(&log, "start");
	log_end(&log, true);
	ok(!log_close(&log), "but the loss is reported");
}

int main(void)
{
	plan(0);
	routing();
	windows_at_user_level();
	windows_at_kernel_level();
	ranges();
	oracle_counters();
	oracle_registers_and_events();
	oracle_threads();
	oracle_accesses_and_windows();
	oracle_ranges();
	oracle_faults();
	log_lines();
	kinds_of_core();
	log_failures_show();
	return done();
}
