// SPDX-License-Identifier: GPL-2.0-only
/* Offline encoding: register values of known groups, and refusals in words for every reason. */
#include <errno.h>
#include <stdlib.h>

#include "tap.h"
#include "userspace/lib/acrpmu_lib.h"

#define LAST_REASON	ACRPMU_REASON_REGISTER

/*
 * Expected values are from the SDM's register layouts (IA32_PERFEVTSELx, IA32_FIXED_CTR_CTRL,
 * version 6 MSR addresses), worked out by hand; event codes with INT and EN as libpfm4 gives them.
 */
static const struct encode_case {
	int line;
	const char *pmu;
	const char *string;
	unsigned int event;
	int cntr;
	__u64 evtsel, cfg_a, cfg_b, cfg_c;
	__u32 cntr_msr, cfg_b_msr, extra_msr;
	__u64 extra_value;
} cases[] = {
	{ __LINE__, "clearwaterforest", "{instructions/period=200000,acr_mask=2/,"
	  "cycles/period=100000,acr_mask=3/}", 0, 32, 0x5300c0, 0xb, 0x200000000, 0xfffcf2c0,
	  0x1980, 0x1982, 0, 0 },
	{ __LINE__, "clearwaterforest", "{instructions/period=200000,acr_mask=2/,"
	  "cycles/period=100000,acr_mask=3/}", 1, 33, 0x43003c, 0x30, 0x300000000, 0xfffe7960,
	  0x1984, 0x1986, 0, 0 },
	{ __LINE__, "clearwaterforest", "{instructions,cycles/period=100000,ratio-to-prev=0.5/}:u",
	  0, 32, 0x5100c0, 0xa, 0x200000000, 0xfffcf2c0, 0x1980, 0x1982, 0, 0 },
	/* an event without a fixed counter; the first general-purpose one is free */
	{ __LINE__, "clearwaterforest", "{branches/period=4096,acr_mask=2/k,"
	  "cycles/period=100000,acr_mask=3/}", 0, 0, 0x5200c4, 0x5200c4, 0x200000000, 0xfffff000,
	  0x1900, 0x1902, 0, 0 },
	{ __LINE__, "clearwaterforest", "{branches/period=4096,acr_mask=2/k,"
	  "cycles/period=100000,acr_mask=3/}", 1, 33, 0x43003c, 0x30, 0x200000001, 0xfffe7960,
	  0x1984, 0x1986, 0, 0 },
	/* general-purpose counters 0 and 1 cannot be reloaded there */
	{ __LINE__, "pantherlake-e", "{branches/period=4096,acr_mask=2/,"
	  "branch-misses/period=1000,acr_mask=3/}", 0, 2, 0x5300c4, 0x5300c4, 0x8, 0xfffff000,
	  0x1908, 0x190a, 0, 0 },
	{ __LINE__, "goldmont", "cycles/period=1000/u", 0,
	  33, 0x51003c, 0xa0, 0, 0, 0x30a, 0, 0, 0 },
	{ __LINE__, "goldmont", "cache-misses", 0, 0, 0x43412e, 0x43412e, 0, 0, 0x4c1, 0, 0, 0 },
	{ __LINE__, "goldmont", "r00c0:u:e:c=1", 0, 0, 0x14500c0, 0x14500c0, 0, 0, 0x4c1, 0, 0, 0 },
	{ __LINE__, "goldmont", "cpu/event=0xb7,umask=1,offcore_rsp=0x10001,period=1000/u", 0, 0,
	  0x5101b7, 0x5101b7, 0, 0, 0x4c1, 0, 0x1a6, 0x10001 },
	/* the second value moves to the other register and its event code */
	{ __LINE__, "goldmont", "{cpu/event=0xb7,umask=1,offcore_rsp=0x10001,period=1000/u,"
	  "cpu/event=0xb7,umask=1,offcore_rsp=0x18000,period=1000/u}", 1, 1, 0x5102b7, 0x5102b7, 0,
	  0, 0x4c2, 0, 0x1a7, 0x18000 },
	/* four OMR registers for three events, of which each keeps its own select when it moves */
	{ __LINE__, "coyotecove", "{cpu/event=0x4f,umask=1,offmodule_rsp=1/u,"
	  "cpu/event=0xd6,umask=1,offmodule_rsp=2/u}", 1, 1, 0x4102d6, 0x4102d6, 0, 0, 0x1904, 0,
	  0x3e1, 2 },
	{ __LINE__, "coyotecove", "{cpu/event=0x4f,umask=8,offmodule_rsp=1/u,"
	  "cpu/event=0x2a,umask=8,offmodule_rsp=1/u}", 1, 1, 0x41082a, 0x41082a, 0, 0, 0x1904, 0,
	  0x3e3, 1 },
	{ __LINE__, "coyotecove", "cpu/event=0xc6,umask=3,frontend=0x11/u", 0, 0, 0x4103c6,
	  0x4103c6, 0, 0, 0x1900, 0, 0x3f7, 0x11 },
	{ __LINE__, "arcticwolf", "cpu/event=0x27,umask=2,snoop_rsp=3/u", 0, 0, 0x410227, 0x410227,
	  0, 0, 0x1900, 0, 0x1329, 3 },
	/* the counter that is allowed */
	{ __LINE__, "goldmont", "{branches,cpu/event=0xc5,counters=4/}", 1, 2, 0x4300c5, 0x4300c5,
	  0, 0, 0x4c3, 0, 0, 0 },
	{ __LINE__, "goldmont", "cycles/counters=8/", 0, 3, 0x43003c, 0x43003c, 0, 0, 0x4c4, 0, 0,
	  0 },
	{ __LINE__, "architectural", "{branches,r01c0/counters=2/}", 1, 1, 0x4301c0, 0x4301c0, 0, 0,
	  0xc2, 0, 0, 0 },
	/* but the event of the other register is another one */
	{ __LINE__, "goldmont", "{cpu/event=0xb7,umask=1,offcore_rsp=0x10001,counters=1/,"
	  "cpu/event=0xb7,umask=1,offcore_rsp=0x18000,counters=1/}", 1, 1, 0x4302b7, 0x4302b7, 0, 0,
	  0x4c2, 0, 0x1a7, 0x18000 },
};

static struct acrpmu_spec *parse(const char *string)
{
	const struct acrpmu_parse_options options = {
		.size = sizeof(options), .flags = ACRPMU_PARSE_COUNT,
	};
	struct acrpmu_message message;
	struct acrpmu_spec *spec = NULL;

	if (acrpmu_spec_parse(&string, 1, &options, &spec, &message))
		printf("# '%s': %s\n", string, message.text);
	return spec;
}

static void check_case(const struct encode_case *c)
{
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];
	struct acrpmu_spec *spec = parse(c->string);
	const struct acrpmu_event_hw *h = &hw[c->event];
	struct acrpmu_message message = { .text = "" };
	struct acrpmu_cpu cpu;
	int err = -EINVAL;

	memset(hw, 0xcc, sizeof(hw));
	if (spec && !acrpmu_cpu_by_name(c->pmu, &cpu))
		err = acrpmu_encode(spec, 0, &cpu, hw, &message);
	if (ok(!err, "line %d: '%s' on %s %s", c->line, c->string, c->pmu, message.text)) {
		is_u64(h->cntr, c->cntr, "line %d: counter", c->line);
		is_u64(acrpmu_evtsel(&cpu, &acrpmu_spec_event(spec, 0, c->event)->attr, h),
		       c->evtsel, "line %d: event select", c->line);
		is_u64(h->cfg_a, c->cfg_a, "line %d: CFG_A", c->line);
		is_u64(h->cfg_b, c->cfg_b, "line %d: CFG_B", c->line);
		is_u64(h->cfg_c, c->cfg_c, "line %d: CFG_C", c->line);
		is_u64(h->cntr_msr, c->cntr_msr, "line %d: MSR of the counter", c->line);
		is_u64(h->cfg_b_msr, c->cfg_b_msr, "line %d: MSR of CFG_B", c->line);
		is_u64(h->extra_msr, c->extra_msr, "line %d: extra register", c->line);
		is_u64(h->extra_value, c->extra_value, "line %d: its value", c->line);
	}
	acrpmu_spec_free(spec);
}

/* INT in each select and control nibble of a cause; nothing reloads, on any CPU. */
static void test_software(void)
{
	static const struct {
		const char *pmu;
		__u64 evtsel[3], cfg_a[3];
	} software[] = {
		{ "goldmont", { 0x5300c0, 0x53003c, 0x5100c4 }, { 0xb, 0xb0, 0x5100c4 } },
		{ "clearwaterforest", { 0x5300c0, 0x53003c, 0x5100c4 }, { 0xb, 0xb0, 0x5100c4 } },
	};
	const char *string = "{instructions/period=200000,acr_mask=2/,"
			     "cycles/period=100000,acr_mask=7/,branches/period=5000,acr_mask=4/u}";
	const struct acrpmu_parse_options options = {
		.size = sizeof(options), .flags = ACRPMU_PARSE_SOFTWARE,
	};
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];
	struct acrpmu_message message = { .text = "" };
	struct acrpmu_spec *spec = NULL;
	struct acrpmu_cpu cpu;
	unsigned int i, k;

	ok(!acrpmu_spec_parse(&string, 1, &options, &spec, &message), "%s", message.text);
	for (i = 0; spec && i < sizeof(software) / sizeof(*software); i++) {
		if (!ok(!acrpmu_cpu_by_name(software[i].pmu, &cpu) &&
			!acrpmu_encode(spec, 0, &cpu, hw, &message), "software on %s %s",
			software[i].pmu, message.text))
			continue;
		for (k = 0; k < 3; k++) {
			is_u64(acrpmu_evtsel(&cpu, &acrpmu_spec_event(spec, 0, k)->attr, &hw[k]),
			       k == 1 ? 0x43003c : software[i].evtsel[k], "... event select");
			is_u64(hw[k].cfg_a, software[i].cfg_a[k], "... CFG_A interrupts");
			is_u64(hw[k].cfg_b | hw[k].cfg_c, 0, "... nothing reloads");
		}
	}
	acrpmu_spec_free(spec);
}

/* Groups that some CPU cannot run, and the place that is to blame. */
static const struct {
	int line;
	const char *pmu, *string, *code;
	unsigned int column;
} refused[] = {
	{ __LINE__, "goldmont", "{cycles,branches/period=100000,ratio-to-prev=2/}", "no-acr", 32 },
	{ __LINE__, "clearwaterforest", "cycles/period=999/", "period-small", 8 },
	{ __LINE__, "clearwaterforest",
	  "{cycles/period=2147483648,acr_mask=2/,branches/period=1000/}", "period-reload", 9 },
	{ __LINE__, "clearwaterforest", "cycles/period=0xffffffffffffffff/", "period-large", 8 },
	{ __LINE__, "goldmont", "cpu/event=0xc0,umask2=1/", "config-bits", 1 },
	{ __LINE__, "goldmont", "cpu/event=0xc0,config1=1/", "no-extra-register", 16 },
	{ __LINE__, "goldmont", "cpu/event=0xb7,umask=2,config1=0x4000000001/",
	  "extra-register-bits", 24 },
	{ __LINE__, "goldmont",
	  "{cpu/event=0xb7,umask=1,config1=1/,cpu/event=0xb7,umask=1,config1=2/,"
	  "cpu/event=0xb7,umask=1,config1=4/}", "extra-register-busy", 93 },
	{ __LINE__, "goldmont", "{branches,branches,branches,branches,branches}", "no-assignment",
	  38 },
	{ __LINE__, "clearwaterforest", "cpu/event=0,umask=9/", "event-cpu", 1 },
	{ __LINE__, "goldmont", "branches/counters=0xf0/", "counters-allowed", 10 },
	{ __LINE__, "goldmont", "{branches/counters=1/,branch-misses/counters=1/}", "no-assignment",
	  23 },
	{ __LINE__, "architectural", "{branches,r01c0}", "counters-allowed", 11 },
};

static void test_refused(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS], poison[ACRPMU_MAX_EVENTS];
		struct acrpmu_spec *spec = parse(refused[i].string);
		struct acrpmu_message message = { .text = "" };
		struct acrpmu_cpu cpu;

		memset(hw, 0xcc, sizeof(hw));
		memset(poison, 0xcc, sizeof(poison));
		if (!ok(spec && !acrpmu_cpu_by_name(refused[i].pmu, &cpu), "line %d: parses",
			refused[i].line))
			continue;
		ok(acrpmu_encode(spec, 0, &cpu, hw, &message) < 0, "line %d: '%s' is refused",
		   refused[i].line, refused[i].string);
		is_str(message.code, refused[i].code, "line %d: the reason", refused[i].line);
		is_u64(message.column, refused[i].column, "line %d: the place", refused[i].line);
		ok(!memcmp(hw, poison, sizeof(hw)), "line %d: nothing is written", refused[i].line);
		acrpmu_spec_free(spec);
	}
}

static bool is_printable(const char *text)
{
	while (*text >= ' ' && *text <= '~')
		text++;
	return !*text;
}

static void test_words(void)
{
	struct acrpmu_spec *spec = parse("{cycles/period=1000/,branches/period=2000/}");
	struct acrpmu_error error = { .event = 1, .cpu = 3, .holder_pid = 77, .value = 5,
				      .limit = 9, .holder = "firefox" };
	struct acrpmu_message message;
	char code[ACRPMU_CODE_LEN] = "";
	unsigned int r;

	for (r = 1; r <= LAST_REASON; r++) {
		error.reason = r;
		memset(&message, 0xcc, sizeof(message));
		acrpmu_explain(-EBUSY, &error, spec, 0, &message);
		ok(*message.code && *message.text && *message.hint && strcmp(code, message.code),
		   "reason %u says what, why and how: %s: %s; %s", r, message.code, message.text,
		   message.hint);
		strcpy(code, message.code);
		is_u64(message.string, 0, "reason %u names the string", r);
		ok(message.column == 22 || message.column == 31,
		   "reason %u points at the event", r);
	}
	error.reason = ACRPMU_REASON_HELD;
	acrpmu_explain(-EBUSY, &error, spec, 0, &message);
	is_str(message.text, "counters that the group needs are held by another session on CPU 3, "
	       "firefox, pid 77: general-purpose 0,2", "a holder is named");
	strcpy(error.holder, "a\033[31mX\nY\xff");
	for (r = 1; r <= LAST_REASON; r++) {
		error.reason = r;
		acrpmu_explain(-EBUSY, &error, spec, 0, &message);
		ok(is_printable(message.text) && is_printable(message.hint),
		   "reason %u keeps a holder's name from the terminal", r);
	}
	error.reason = ACRPMU_REASON_PMU_RESERVED;
	acrpmu_explain(-EBUSY, &error, spec, 0, &message);
	is_str(message.text, "the PMU on CPU 3 is in use by a?[31mX?Y?, pid 77",
	       "what is not printable is a question mark");
	error = (struct acrpmu_error){ .reason = ACRPMU_REASON_PMU_IN_USE, .event = -1, .cpu = 0,
				       .holder = "nmi_watchdog" };
	acrpmu_explain(-EBUSY, &error, spec, 0, &message);
	is_str(message.hint, "add --pause-watchdog, or run 'sysctl kernel.nmi_watchdog=0'",
	       "the watchdog has its remedy");
	error.reason = LAST_REASON + 1;
	acrpmu_explain(-EBUSY, &error, spec, 0, &message);
	is_str(message.code, "errno", "an unknown reason falls back to the errno");
	acrpmu_explain_open(-ENOENT, &message);
	is_str(message.code, "no-module", "no device means no module");
	acrpmu_spec_free(spec);
}

/* A claim is no session that anybody could end. */
static void test_claim_words(void)
{
	struct acrpmu_error error = { .reason = ACRPMU_REASON_HELD, .event = -1, .cpu = 2,
				      .value = 1, .holder = "acrpmu" };
	struct acrpmu_message message;

	acrpmu_explain(-EBUSY, &error, NULL, 0, &message);
	is_str(message.code, "counters-held", "a counter of the claim is held");
	ok(strstr(message.text, "the claim") && strstr(message.text, "general-purpose 0") &&
	   strstr(message.text, "on CPU 2"), "the claim holds it: %s", message.text);
	ok(!strstr(message.text, "session") && !strstr(message.hint, "session"),
	   "no session is to blame: %s", message.hint);
	/* a program may have that name, too */
	error.holder_pid = 7;
	acrpmu_explain(-EBUSY, &error, NULL, 0, &message);
	ok(strstr(message.text, "held by another session on CPU 2, acrpmu, pid 7"),
	   "a process of that name is a session: %s", message.text);
}

/* An errno of perf that says nothing about who uses the PMU. */
static void test_refused_claim_words(void)
{
	struct acrpmu_error error = { .reason = ACRPMU_REASON_CLAIM, .event = -1, .cpu = 1,
				      .holder = "perf" };
	struct acrpmu_message message;

	acrpmu_explain(-EBUSY, &error, NULL, 0, &message);
	is_str(message.text, "the PMU on CPU 1 is in use by perf", "a claim that is not scheduled");
	error = (struct acrpmu_error){ .reason = ACRPMU_REASON_CLAIM, .event = -1, .cpu = 1,
				       .value = EPERM };
	acrpmu_explain(-EOPNOTSUPP, &error, NULL, 0, &message);
	is_str(message.code, "claim", "a claim that is refused");
	is_str(message.text, "in-tree perf refuses the event that would keep it off the PMU on CPU "
	       "1: Operation not permitted", "it names perf's errno");
	ok(!strstr(message.hint, "watchdog"), "and blames nobody: %s", message.hint);
}

static void test_paranoid_words(void)
{
	struct acrpmu_error error = { .reason = ACRPMU_REASON_PARANOID, .event = -1, .cpu = -1,
				      .value = 3, .limit = 2 };
	struct acrpmu_message message;

	acrpmu_explain(-EPERM, &error, NULL, 0, &message);
	is_str(message.text, "kernel.perf_event_paranoid is 3, which forbids users without "
	       "CAP_PERFMON to observe even their own tasks", "a setting and its value");
	ok(strstr(message.hint, "sysctl kernel.perf_event_paranoid=2"),
	   "and the value that allows it: %s", message.hint);
}

/* Three groups on Goldmont, which has counters GP 0-3 and one fixed counter for cycles. */
static void test_all(void)
{
	static const char *const strings[] = {
		"{branches,branches}", "cycles", "{cycles,branches}"
	};
	const struct acrpmu_parse_options options = {
		.size = sizeof(options), .flags = ACRPMU_PARSE_COUNT,
	};
	struct acrpmu_event_hw hw[3][ACRPMU_MAX_EVENTS];
	struct acrpmu_message message;
	struct acrpmu_spec *spec;
	struct acrpmu_cpu cpu;

	if (!ok(!acrpmu_spec_parse(strings, 3, &options, &spec, &message), "three groups"))
		return;
	acrpmu_cpu_by_name("goldmont", &cpu);
	memset(hw, 0xcc, sizeof(hw));
	is_u64(acrpmu_encode_all(spec, &cpu, 0, hw[0], &message), 0, "all fit at once");
	ok(hw[0][0].cntr == 0 && hw[0][1].cntr == 1 && hw[1][0].cntr == 33,
	   "the first two groups get the first counters");
	ok(hw[2][0].cntr == 2 && hw[2][1].cntr == 3, "the last one those that are left");
	is_u64(-acrpmu_encode_all(spec, &cpu, 1, hw[0], &message), EBUSY,
	       "with a counter held they do not");
	is_str(message.code, "counters-held", "which is said");
	is_u64(message.string, 2, "of the last group");
	is_u64(acrpmu_encode(spec, 2, &cpu, hw[2], &message), 0, "alone it fits");
	is_u64(hw[2][0].cntr, 33, "on the fixed counter");
	snprintf(cpu.name, sizeof(cpu.name), "nonsense");
	is_u64(-acrpmu_encode_all(spec, &cpu, 0, hw[0], &message), EINVAL, "no such CPU");
	is_str(message.code, "unknown-pmu", "which is said");
	acrpmu_spec_free(spec);
}

/* Without a row only those are encoded that leaf 0AH announces. */
static void test_lacking(void)
{
	struct acrpmu_spec *spec = parse("branch-misses");
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];
	struct acrpmu_message message;
	struct acrpmu_cpu cpu;

	acrpmu_cpu_by_name("architectural", &cpu);
	is_u64(acrpmu_encode(spec, 0, &cpu, hw, &message), 0, "a CPU that announces all events");
	cpu.lacking_events |= 1 << 6;
	is_u64(-acrpmu_encode(spec, 0, &cpu, hw, &message), EOPNOTSUPP, "one that lacks this one");
	is_str(message.code, "counters-allowed", "which is said");
	acrpmu_spec_free(spec);
}

/* MSRs and masks of the SDM: IA32_MSR_OFFCORE_RSP_0 and _1 of Goldmont. */
static void test_extra_regs(void)
{
	struct acrpmu_extra_reg_info regs[ACRPMU_MAX_EXTRA_REGS];
	struct acrpmu_cpu cpu;

	acrpmu_cpu_by_name("goldmont", &cpu);
	memset(regs, 0xcc, sizeof(regs));
	is_u64(acrpmu_cpu_extra_regs(&cpu, regs), 2, "Goldmont has two extra registers");
	is_u64(regs[0].msr, 0x1a6, "the first");
	is_u64(regs[0].valid_mask, 0x760005ffbf, "its bits");
	is_u64(regs[0].config, 0x1b7, "its event");
	is_u64(regs[1].msr, 0x1a7, "the second");
	is_u64(regs[1].valid_mask, 0x360005ffbf, "its bits");
	is_u64(regs[1].flags, 0, "nothing else is said");
	acrpmu_cpu_by_name("arcticwolf", &cpu);
	is_u64(acrpmu_cpu_extra_regs(&cpu, regs), 4, "of Arctic Wolf's six there is room for four");
	is_u64(regs[3].msr, 0x3e3, "the last of those with alternates");
	snprintf(cpu.name, sizeof(cpu.name), "nonsense");
	is_u64(acrpmu_cpu_extra_regs(&cpu, regs), 0, "an unknown CPU has none");
}

static void test_cpus(void)
{
	const char *name = NULL;
	unsigned int nr = 0;
	struct acrpmu_cpu cpu, alias;

	while ((name = acrpmu_cpu_next_name(name))) {
		ok(!acrpmu_cpu_by_name(name, &cpu) && !strcmp(cpu.name, name) && cpu.cntrs,
		   "'%s' has counters", name);
		nr++;
	}
	ok(nr >= 4, "the table has several CPUs");
	is_u64(-acrpmu_cpu_by_name("pentium", &cpu), ENOENT, "an unknown name is refused");
	ok(!acrpmu_cpu_by_name("glm", &alias) && !strcmp(alias.name, "goldmont"),
	   "short names are known");
}

int main(void)
{
	unsigned int i;

	plan(0);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check_case(&cases[i]);
	test_software();
	test_refused();
	test_words();
	test_claim_words();
	test_refused_claim_words();
	test_paranoid_words();
	test_all();
	test_lacking();
	test_extra_regs();
	test_cpus();
	return done();
}
