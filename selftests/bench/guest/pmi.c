// SPDX-License-Identifier: GPL-2.0-only
/* What a PMI takes in the module and in in-tree perf: instructions and register accesses. */
#include "../../hw/work.h"
#include "../../hw/intree.h"
#include "../../hw/module.h"
#include "../../hw/session.h"
#include "../../hw/pmi_cost.h"
#include "../../hw/symbol.h"
#include "../figure.h"

#define CPU		1
#define PERIOD		20000
#define ITERATIONS	2000000
#define MIN_PMIS	50
/* as acrctl has it, in per cent */
#define JITTER		10

/* Two events: the first one samples where more than one instruction retires per cycle. */
#define PAIR_MASK	0x2
#define CAUSE_MASK	0x3

struct pmi_case {
	const char *name;
	unsigned int levels;
	uint64_t config;
	bool pair;
	uint64_t sample_type;
};

static const struct pmi_case cases[] = {
	{ "one event", USER, EV_INSNS, false, SAMPLE_TYPE },
	{ "one event, GP", USER, EV_BRANCHES, false, SAMPLE_TYPE },
	{ "ACR pair", USER, EV_INSNS, true, SAMPLE_TYPE },
	{ "one event, small records", USER, EV_INSNS, false,
	  PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME },
	{ "ACR pair, small records", USER, EV_INSNS, true,
	  PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME },
	{ "one event, both levels", USER | KERNEL, EV_INSNS, false, SAMPLE_TYPE },
	{ "ACR pair, both levels", USER | KERNEL, EV_INSNS, true, SAMPLE_TYPE },
};

/* Of all counters: whether any was reloaded */
static uint64_t reloads(void)
{
	uint64_t sum = 0;
	unsigned int bit;

	for (bit = 0; bit < 64; bit++) {
		uint64_t value;

		if (oracle_ask(ORACLE_RELOADS, CPU, bit, &value))
			sum += value;
	}
	return sum;
}

static int open_pair(const struct pmi_case *c, bool pair, int fd[2])
{
	struct intree e = {
		.config = c->config, .period = PERIOD, .cpu = -1, .group = -1, .disabled = true,
		.kernel = c->levels & KERNEL, .acr_mask = pair ? PAIR_MASK : 0,
		.sample_type = c->sample_type,
	};

	fd[0] = intree_open(&e);
	fd[1] = -1;
	if (fd[0] < 0)
		return fd[0];
	if (!pair)
		return 0;
	e.config = EV_CYCLES;
	e.acr_mask = CAUSE_MASK;
	e.group = fd[0];
	e.disabled = false;
	fd[1] = intree_open(&e);
	if (fd[1] < 0) {
		close(fd[0]);
		return fd[1];
	}
	return 0;
}

/* Sampled into a ring of the size that a session has */
static int measure_intree(const struct pmi_case *c, bool pair, struct pmi_cost *cost)
{
	size_t bytes = (1 + RING_PAGES) * sysconf(_SC_PAGESIZE);
	uint64_t before = reloads();
	int fd[2], ret = open_pair(c, pair, fd);
	void *ring;

	if (ret)
		return ret;
	ring = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd[0], 0);
	if (ring == MAP_FAILED)
		return -errno;
	pmi_begin(cost, CPU);
	ret = ioctl(fd[0], PERF_EVENT_IOC_ENABLE, 0) ? -errno : 0;
	work_fast(ITERATIONS);
	ioctl(fd[0], PERF_EVENT_IOC_DISABLE, 0);
	pmi_end(cost);
	munmap(ring, bytes);
	close(fd[0]);
	if (pair)
		close(fd[1]);
	/* A kernel that ignores the masks would be the wrong peer. */
	if (!ret && pair && reloads() == before)
		ret = -EIO;
	return ret;
}

/* The handler with all that it calls; the log's lines by block have the number of the case. */
static int measure_ours(const struct pmi_case *c, struct pmi_cost *cost, struct calls *own)
{
	struct session s;
	int ret;

	session_task(&s, 0, 0);
	session_event(&s, c->config, c->levels | SAMPLED, PERIOD, c->pair ? PAIR_MASK : 0);
	if (c->pair)
		session_event(&s, EV_CYCLES, c->levels, PERIOD, CAUSE_MASK);
	s.attr.sample_type = c->sample_type;
	s.attr.jitter = JITTER;
	ret = session_make(&s);
	if (ret) {
		fprintf(stderr, "%s: %s\n", c->name, session_refusal(&s));
		return ret;
	}
	if (!calls_begin(own, CPU)) {
		fprintf(stderr, "the module's PMI handler is not in /proc/kallsyms\n");
		session_close(&s);
		return -ENOENT;
	}
	pmi_begin(cost, CPU);
	ret = session_enable(&s);
	work_fast(ITERATIONS);
	session_disable(&s);
	pmi_end(cost);
	calls_end(own, CPU, c - cases);
	session_close(&s);
	return ret;
}

static void print_own(const struct pmi_case *c, const struct calls *own)
{
	char text[64];
	struct figure f = { .part = "pmi", .name = text, .unit = "instructions per PMI" };

	snprintf(text, sizeof(text), "%s: own part", c->name);
	f.ours = (double)own->insns / own->nr;
	figure_print(&f);
}

static void print_case(const struct pmi_case *c, const struct pmi_cost *ours,
		       const struct pmi_cost *peer, const char *peer_name)
{
	char text[64];
	struct figure f = { .part = "pmi", .name = c->name, .peer_name = peer_name };

	f.unit = "instructions per PMI";
	f.ours = (double)ours->insns / ours->nr;
	f.peer = (double)peer->insns / peer->nr;
	figure_print(&f);
	snprintf(text, sizeof(text), "%s: accesses", c->name);
	f.name = text;
	f.unit = "accesses per PMI";
	f.ours = (double)ours->accesses / ours->nr;
	f.peer = (double)peer->accesses / peer->nr;
	figure_print(&f);
}

static int measure_case(const struct pmi_case *c, struct calls *own)
{
	struct pmi_cost ours, peer = { 0 };
	/* Before Linux 6.17 in-tree perf has no reload: the same event alone. */
	bool pair = c->pair && intree_has_acr();
	int ret;

	ret = measure_intree(c, pair, &peer);
	if (!ret)
		ret = measure_ours(c, &ours, own);
	if (ret || peer.nr < MIN_PMIS || ours.nr < MIN_PMIS) {
		fprintf(stderr, "%s: cannot be measured: %s, %lu and %lu PMIs\n", c->name,
			strerror(-ret), ret ? 0 : ours.nr, ret ? 0 : peer.nr);
		return 1;
	}
	print_case(c, &ours, &peer,
		   c->pair && !pair ? "in-tree perf without reload" : "in-tree perf");
	print_own(c, own);
	return 0;
}

int main(void)
{
	struct calls own = { .entry = symbol_address("pmi_handler", "acrpmu") };
	int failed = 0;
	size_t i;

	if (!oracle_present() || pin_to(0, CPU)) {
		fprintf(stderr, "a PMI cannot be measured here\n");
		return 1;
	}
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		failed |= measure_case(&cases[i], &own);
	return failed;
}
