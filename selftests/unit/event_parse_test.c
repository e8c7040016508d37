// SPDX-License-Identifier: GPL-2.0-only
/* Event strings: what each one means, and how each bad one is refused. */
#include <errno.h>
#include <stdlib.h>

#include "tap.h"
#include "userspace/lib/acrpmu_lib.h"

#define MEANING_LEN	2048
#define COUNT_ALL	(ACRPMU_PARSE_COUNT | ACRPMU_PARSE_COUNT_ALL)

/*
 * A string and its meaning or refusal.  The meaning has for each event config/period/mask/flags in
 * hexadecimal, decimal, hexadecimal and letters: s sampled, q quiet, c counted; u user, k kernel;
 * behind an @ the counters allowed, if any; groups are separated by a semicolon.
 */
static const struct parse_case {
	int line;
	const char *string;
	__u64 count;		/* -c */
	__u32 flags;
	const char *meaning;	/* NULL: refused */
	const char *code;
	unsigned int column;
} cases[] = {
#define GOOD(s, m)		{ __LINE__, s, 0, 0, m, NULL, 0 }
#define GOOD_C(s, n, m)		{ __LINE__, s, n, 0, m, NULL, 0 }
#define COUNTS(s, m)		{ __LINE__, s, 0, ACRPMU_PARSE_COUNT, m, NULL, 0 }
#define COUNTS_ALL(s, m)	{ __LINE__, s, 0, COUNT_ALL, m, NULL, 0 }
#define BAD_COUNT_ALL(s, c, col) { __LINE__, s, 0, COUNT_ALL, NULL, c, col }
#define BAD(s, c, col)		{ __LINE__, s, 0, 0, NULL, c, col }
#define BAD_C(s, n, c, col)	{ __LINE__, s, n, 0, NULL, c, col }
#define BAD_COUNT(s, c, col)	{ __LINE__, s, 0, ACRPMU_PARSE_COUNT, NULL, c, col }
	/* the four examples of perf's documentation */
	GOOD("{cpu_atom/instructions,period=200000,acr_mask=0x2/, \\\n"
	     "\tcpu_atom/cycles,period=100000,acr_mask=0x3/}",
	     "c0/200000/2/suk 3c/100000/3/quk"),
	GOOD("{cpu_atom/instructions/, \\\n\tcpu_atom/cycles,period=100000,ratio-to-prev=0.5/}",
	     "c0/200000/2/suk 3c/100000/3/quk"),
	GOOD("{cpu_atom/cycles/, \\\n\tcpu_atom/instructions,period=200000,ratio-to-prev=2.0/}",
	     "3c/100000/2/suk c0/200000/3/quk"),
	GOOD("{cpu_atom/cycles,period=100000,acr_mask=0x2/,"
	     "cpu_atom/instructions,period=200000,acr_mask=0x3/}",
	     "3c/100000/2/suk c0/200000/3/quk"),

	/* names and codes; the codes are those of the SDM's architectural events */
	GOOD_C("cycles", 5000, "3c/5000/0/suk"),
	GOOD_C("cpu-cycles", 5000, "3c/5000/0/suk"),
	GOOD_C("Cycles", 5000, "3c/5000/0/suk"),
	GOOD_C("CPU-CYCLES", 5000, "3c/5000/0/suk"),
	GOOD_C("instructions", 5000, "c0/5000/0/suk"),
	GOOD_C("ref-cycles", 5000, "300/5000/0/suk"),
	GOOD_C("branches", 5000, "c4/5000/0/suk"),
	GOOD_C("branch-instructions", 5000, "c4/5000/0/suk"),
	GOOD_C("branch-misses", 5000, "c5/5000/0/suk"),
	GOOD_C("cache-references", 5000, "4f2e/5000/0/suk"),
	GOOD_C("cache-misses", 5000, "412e/5000/0/suk"),
	GOOD_C("bus-cycles", 5000, "13c/5000/0/suk"),
	GOOD_C("r00c0", 5000, "c0/5000/0/suk"),
	GOOD_C("r412E", 5000, "412e/5000/0/suk"),
	GOOD_C("r0x3c", 5000, "3c/5000/0/suk"),
	GOOD_C("r10000c0", 5000, "10000c0/5000/0/suk"),
	GOOD_C("cpu/cycles/", 5000, "3c/5000/0/suk"),
	GOOD_C("cpu_atom/r3c/", 5000, "3c/5000/0/suk"),
	GOOD_C("cpu/event=0xc0/", 5000, "c0/5000/0/suk"),
	GOOD_C("cpu/event=0x2e,umask=0x41/", 5000, "412e/5000/0/suk"),
	GOOD_C("cpu/umask=0x41,event=0x2e/", 5000, "412e/5000/0/suk"),
	GOOD_C("cpu/event=192/", 5000, "c0/5000/0/suk"),
	GOOD_C("cpu/event=0192/", 5000, "c0/5000/0/suk"),
	GOOD_C("cpu/event=0xc0,edge/", 5000, "400c0/5000/0/suk"),
	GOOD_C("cpu/event=0xc0,edge=1/", 5000, "400c0/5000/0/suk"),
	GOOD_C("cpu/event=0xc0,edge=0/", 5000, "c0/5000/0/suk"),
	GOOD_C("cpu/event=0xc0,inv,cmask=2/", 5000, "28000c0/5000/0/suk"),
	GOOD_C("cpu/event=0xc0,cmask=0xff/", 5000, "ff0000c0/5000/0/suk"),
	GOOD_C("cpu/event=0xc0,umask2=1/", 5000, "100000000c0/5000/0/suk"),
	GOOD_C("cpu/event=0xc0,eq/", 5000, "10000000c0/5000/0/suk"),
	GOOD_C("cpu/config=0x412e/", 5000, "412e/5000/0/suk"),
	GOOD_C("cpu/config=0x3c,edge/", 5000, "4003c/5000/0/suk"),
	GOOD_C("cpu/instructions,cmask=1,inv/", 5000, "18000c0/5000/0/suk"),
	GOOD_C("cpu/event=0,umask=3/", 5000, "300/5000/0/suk"),

	/* terms after a name, periods, names */
	GOOD("cycles/period=100000/", "3c/100000/0/suk"),
	GOOD("r00c0/period=0x1000/", "c0/4096/0/suk"),
	GOOD("cpu/cycles,period=18446744073709551615/", "3c/18446744073709551615/0/suk"),
	GOOD("cpu/cycles,period=100000,name=foo/", "3c/100000/0/suk"),
	GOOD("cpu/cycles,period=100000,name='a b, c/d'/", "3c/100000/0/suk"),
	GOOD("cpu/cycles,period=100000,name=\"x\"/u", "3c/100000/0/su"),
	GOOD_C("cycles/period=7/", 9, "3c/7/0/suk"),
	GOOD_C("{cycles/period=7/,instructions}", 9, "3c/7/0/suk c0/9/0/suk"),
	GOOD_C("cpu/event=0xb7,umask=1,offcore_rsp=0x10001/", 9, "1b7/9/0/suk"),
	GOOD_C("cpu/event=0xb7,umask=1,config1=0x10001/", 9, "1b7/9/0/suk"),
	GOOD_C("cpu/event=0x4f,umask=2,offmodule_rsp=0x10001/", 9, "24f/9/0/suk"),
	GOOD_C("cpu/event=0x27,umask=1,snoop_rsp=0x8000000000000001/", 9, "127/9/0/suk"),
	GOOD_C("cpu/event=0xc6,umask=3,frontend=0x11/", 9, "3c6/9/0/suk"),

	/* allowed counters: general-purpose n is bit n, fixed n bit 32 + n */
	GOOD_C("cpu/event=0xc0,umask=1,counters=2/", 9, "1c0/9/0/suk@2"),
	GOOD_C("cpu/counters=0x2,event=0xc0,umask=1/", 9, "1c0/9/0/suk@2"),
	GOOD_C("r148/counters=0x4/u", 9, "148/9/0/su@4"),
	GOOD_C("cycles/counters=10/", 9, "3c/9/0/suk@a"),
	GOOD_C("cycles/counters=0x200000000/", 9, "3c/9/0/suk@200000000"),
	GOOD_C("cycles/counters=0xffffffffffff/", 9, "3c/9/0/suk@ffffffffffff"),
	GOOD_C("{cycles/counters=1/,instructions}", 9, "3c/9/0/suk@1 c0/9/0/suk"),
	GOOD_C("glm::ICACHE:HIT/counters=0x8/", 9, "180/9/0/suk@8"),

	/* modifiers */
	GOOD_C("cycles:u", 9, "3c/9/0/su"),
	GOOD_C("cycles:k", 9, "3c/9/0/sk"),
	GOOD_C("cycles:uk", 9, "3c/9/0/suk"),
	GOOD_C("cycles:ku", 9, "3c/9/0/suk"),
	GOOD_C("cycles:u:k", 9, "3c/9/0/suk"),
	GOOD_C("cpu/cycles/u", 9, "3c/9/0/su"),
	GOOD_C("cpu/cycles/:u", 9, "3c/9/0/su"),
	GOOD_C("cpu/cycles/uk", 9, "3c/9/0/suk"),
	GOOD_C("cycles/period=5/k", 9, "3c/5/0/sk"),
	GOOD_C("cycles:i", 9, "80003c/9/0/suk"),
	GOOD_C("cycles:e", 9, "4003c/9/0/suk"),
	GOOD_C("cycles:c=4", 9, "400003c/9/0/suk"),
	GOOD_C("cycles:c=0xff", 9, "ff00003c/9/0/suk"),
	GOOD_C("cycles:u:i:e:c=2", 9, "284003c/9/0/su"),
	GOOD_C("cycles:uiec=2", 9, "284003c/9/0/su"),
	GOOD_C("cycles:c=2:u", 9, "200003c/9/0/su"),
	GOOD_C("r00c0:e:c=1", 9, "10400c0/9/0/suk"),
	GOOD_C("{cycles,instructions}:u", 9, "3c/9/0/su c0/9/0/su"),
	GOOD_C("{cycles:u,instructions}:k", 9, "3c/9/0/suk c0/9/0/sk"),
	GOOD_C("{cycles:u,instructions:k}", 9, "3c/9/0/su c0/9/0/sk"),

	/* groups, lists and blanks */
	GOOD_C("cycles,instructions", 9, "3c/9/0/suk ; c0/9/0/suk"),
	GOOD_C("{cycles},{instructions}", 9, "3c/9/0/suk ; c0/9/0/suk"),
	GOOD_C("{cycles,branches},instructions:u", 9, "3c/9/0/suk c4/9/0/suk ; c0/9/0/su"),
	GOOD_C(" { cycles , instructions } ", 9, "3c/9/0/suk c0/9/0/suk"),
	GOOD_C("{cycles,\ninstructions}", 9, "3c/9/0/suk c0/9/0/suk"),
	GOOD_C("{cycles,\\\r\ninstructions}", 9, "3c/9/0/suk c0/9/0/suk"),
	GOOD_C("cpu/ event=0x3c , umask=0 /u", 9, "3c/9/0/su"),
	GOOD_C("cycles\\\n", 9, "3c/9/0/suk"),
	GOOD_C("{cycles,cycles,cycles,cycles,cycles,cycles,cycles,cycles,"
	       "cycles,cycles,cycles,cycles,cycles,cycles,cycles,cycles}", 9,
	       "3c/9/0/suk 3c/9/0/suk 3c/9/0/suk 3c/9/0/suk 3c/9/0/suk 3c/9/0/suk 3c/9/0/suk "
	       "3c/9/0/suk 3c/9/0/suk 3c/9/0/suk 3c/9/0/suk 3c/9/0/suk 3c/9/0/suk 3c/9/0/suk "
	       "3c/9/0/suk 3c/9/0/suk"),

	/* masks */
	GOOD_C("{cycles/acr_mask=2/,instructions/acr_mask=3/}", 9, "3c/9/2/suk c0/9/3/quk"),
	GOOD_C("cycles/acr_mask=1/", 9, "3c/9/1/quk"),
	GOOD_C("cycles/acr_mask=0/", 9, "3c/9/0/suk"),
	GOOD_C("{cycles/acr_mask=0x6/,instructions/acr_mask=0x2/,branches/acr_mask=0x5/}", 9,
	       "3c/9/6/suk c0/9/2/quk c4/9/5/quk"),

	/* ratios: exact, to the nearest, ties upwards */
	GOOD("{cycles/period=3/,branches/ratio-to-prev=0.5/}", "3c/3/2/suk c4/2/3/quk"),
	GOOD("{cycles/period=1000/,branches/ratio-to-prev=0.3333/}", "3c/1000/2/suk c4/333/3/quk"),
	GOOD("{cycles/period=1000/,branches/ratio-to-prev=0.3335/}", "3c/1000/2/suk c4/334/3/quk"),
	GOOD("{cycles,branches/period=1000,ratio-to-prev=3/}", "3c/333/2/suk c4/1000/3/quk"),
	GOOD("{cycles,branches/period=1001,ratio-to-prev=2/}", "3c/501/2/suk c4/1001/3/quk"),
	/* 0.1 and 0.29 have no exact binary form; 0.29 * 100 truncates to 28 in binary */
	GOOD("{cycles/period=100/,branches/ratio-to-prev=0.29/}", "3c/100/2/suk c4/29/3/quk"),
	GOOD("{cycles,branches/period=3,ratio-to-prev=0.1/}", "3c/30/2/suk c4/3/3/quk"),
	GOOD("{cycles/period=100/,branches/ratio-to-prev=00.5000/}", "3c/100/2/suk c4/50/3/quk"),
	GOOD("{cycles/period=9007199254740993/,branches/ratio-to-prev=1/}",
	     "3c/9007199254740993/2/suk c4/9007199254740993/3/quk"),
	GOOD_C("{cycles,branches/ratio-to-prev=0.5/}", 1000, "3c/1000/2/suk c4/500/3/quk"),
	GOOD_C("{cycles/period=600/,branches/ratio-to-prev=0.5/}", 1000,
	       "3c/600/2/suk c4/300/3/quk"),
	GOOD_C("{cycles,branches/period=300,ratio-to-prev=0.5/}", 1000,
	       "3c/600/2/suk c4/300/3/quk"),
	GOOD_C("{branches,cycles,instructions/ratio-to-prev=2/}", 1000,
	       "c4/1000/0/suk 3c/1000/4/suk c0/2000/6/quk"),
	GOOD_C("{cycles,branches/ratio-to-prev=2/,instructions,branch-misses/ratio-to-prev=0.1/}",
	       1000, "3c/1000/2/suk c4/2000/3/quk c0/1000/8/suk c5/100/c/quk"),

	/* counting */
	/* where counting is all, periods are for those only that take part in reload */
	COUNTS_ALL("cycles/period=9/", "3c/0/0/cuk"),
	COUNTS_ALL("{cycles/period=9/,instructions:u}", "3c/0/0/cuk c0/0/0/cu"),
	COUNTS_ALL("{cycles/period=9,acr_mask=3/,instructions/period=7/,branches/period=5/}",
		   "3c/9/3/quk c0/7/0/suk c4/0/0/cuk"),
	BAD_COUNT_ALL("{cycles/acr_mask=1/,instructions/period=7/}", "no-period", 2),
	COUNTS("cycles", "3c/0/0/cuk"),
	COUNTS("{cycles,instructions:u}", "3c/0/0/cuk c0/0/0/cu"),
	COUNTS("{cycles/period=9/,instructions}", "3c/9/0/suk c0/0/0/cuk"),
	BAD_COUNT("{cycles/period=9,acr_mask=2/,instructions}", "no-period", 30),
	BAD_COUNT("cycles/acr_mask=1/", "no-period", 1),

	/* refusals: structure */
	BAD_C("", 9, "no-event", 1),
	BAD_C("  ", 9, "no-event", 1),
	BAD_C("{}", 9, "empty-group", 1),
	BAD_C("cycles,{ }", 9, "empty-group", 8),
	BAD_C("{cycles", 9, "brace-open", 1),
	BAD_C("{cycles,", 9, "brace-open", 1),
	BAD_C("cycles,{instructions", 9, "brace-open", 8),
	BAD_C("cycles}", 9, "brace-close", 7),
	BAD_C("}", 9, "brace-close", 1),
	BAD_C("{cycles}}", 9, "brace-close", 9),
	BAD_C("{{cycles}}", 9, "nested-group", 2),
	BAD_C("{cycles,{instructions}}", 9, "nested-group", 9),
	BAD_C("{cycles,}", 9, "syntax", 9),
	BAD_C("cycles,", 9, "syntax", 8),
	BAD_C(",cycles", 9, "syntax", 1),
	BAD_C("{,cycles}", 9, "syntax", 2),
	BAD_C("{cycles instructions}", 9, "syntax", 9),
	BAD_C("cycles instructions", 9, "syntax", 8),
	BAD_C("{cycles}{branches}", 9, "syntax", 9),
	BAD_C("cycles\\x", 9, "syntax", 7),
	BAD_C("cycles;branches", 9, "syntax", 7),
	BAD_C("cpu/cycles", 9, "slash-open", 4),
	BAD_C("{cpu/cycles}", 9, "slash-open", 5),
	BAD_C("{cpu/cycles,branches}", 9, "event-twice", 13),
	BAD_C("cpu/cycles,/", 9, "syntax", 12),
	BAD_C("cpu/,cycles/", 9, "syntax", 5),
	BAD_C("cpu/cycles inv/", 9, "syntax", 12),
	BAD_C("cpu/period =5/", 9, "number-missing", 5),
	BAD_C("cpu/cycles,name='x/", 9, "quote", 17),
	BAD_C("{cycles,cycles,cycles,cycles,cycles,cycles,cycles,cycles,"
	      "cycles,cycles,cycles,cycles,cycles,cycles,cycles,cycles,cycles}", 9,
	      "too-many-events", 114),

	/* refusals: names */
	BAD_C("cycle", 9, "unknown-event", 1),
	BAD_C("{cycles,instuctions}", 9, "unknown-event", 9),
	BAD_C("Cycle", 9, "unknown-event", 1),
	BAD_C("LLC-loads", 9, "event-unsupported", 1),
	BAD_C("stalled-cycles-frontend", 9, "event-unsupported", 1),
	BAD_C("raw", 9, "unknown-event", 1),
	BAD_C("r", 9, "unknown-event", 1),
	BAD_C("r0x", 9, "unknown-event", 1),
	BAD_C("foo/cycles/", 9, "unknown-pmu", 1),
	BAD_C("cpu_atm/cycles/", 9, "unknown-pmu", 1),
	BAD_C("cpu", 9, "no-event", 1),
	BAD_C("cpu//", 9, "no-event", 1),
	BAD_C("cpu/period=5/", 9, "no-event", 1),
	BAD_C("cpu/umask=5/", 9, "no-event", 1),
	GOOD_C("cpu_core/cycles/", 5000, "3c/5000/0/suk"),
	BAD_C("{cpu_atom/cycles/,cpu_core/branches/}", 9, "other-pmu", 19),
	BAD_C("{cpu/cycles/,cpu_atom/branches,ratio-to-prev=2/}", 9, "other-pmu", 14),
	BAD_C("r10000c00000000000", 9, "number-large", 1),
	BAD_C("r5300c0", 9, "config-bits", 1),
	BAD_C("cpu/config=0x4300c0/", 9, "config-bits", 12),

	/* refusals: terms and numbers */
	BAD_C("cpu/cycles,perod=5/", 9, "unknown-term", 12),
	BAD_C("cpu/cycls/", 9, "unknown-term", 5),
	BAD_C("cpu/cycles=5/", 9, "unknown-term", 5),
	BAD_C("cpu/cycles,freq=1000/", 9, "term-unsupported", 12),
	BAD_C("cpu/cycles,config2=3/", 9, "term-unsupported", 12),
	BAD_C("cpu/cycles,ldlat=3/", 9, "term-unsupported", 12),
	BAD_C("cpu/cycles,call-graph=fp/", 9, "term-unsupported", 12),
	BAD("cpu/cycles,period=5,period=6/", "term-twice", 21),
	BAD_C("cpu/event=1,event=2/", 9, "term-twice", 13),
	BAD_C("cpu/event=1,umask=1,umask=1/", 9, "term-twice", 21),
	BAD_C("cpu/event=1,edge,edge=1/", 9, "term-twice", 18),
	BAD_C("cpu/cycles,acr_mask=0,acr_mask=0/", 9, "term-twice", 23),
	BAD_C("cpu/cycles,name=a,name=b/", 9, "term-twice", 19),
	BAD_C("cpu/event=0xb7,config1=1,offcore_rsp=1/", 9, "term-twice", 26),
	BAD_C("cpu/event=0x4f,offmodule_rsp=1,snoop_rsp=1/", 9, "term-twice", 32),
	BAD_C("cpu/event=0x4f,offmodule_rsp/", 9, "number-missing", 16),
	BAD_C("cpu/cycles,counters=1,counters=1/", 9, "term-twice", 23),
	BAD_C("cpu/cycles,counters/", 9, "number-missing", 12),
	BAD_C("cpu/cycles,counters=/", 9, "number-missing", 21),
	BAD_C("cpu/cycles,counters=f/", 9, "number-hex", 21),
	BAD_C("cpu/cycles,counters=0-3/", 9, "number", 22),
	BAD_C("cpu/cycles,counters=0/", 9, "counters", 21),
	BAD_C("cpu/cycles,counters=0x1000000000001/", 9, "counters", 21),
	BAD_C("cpu/cycles,counters=0xffffffffffffffff/", 9, "counters", 21),
	BAD_C("cpu/cycles,counter=1/", 9, "unknown-term", 12),
	BAD_C("{cycles,branches/ratio-to-prev=1,ratio-to-prev=1/}", 9, "term-twice", 34),
	BAD_C("cpu/cycles,umask=1/", 9, "term-conflict", 12),
	BAD_C("cpu/cycles,event=1/", 9, "term-conflict", 12),
	BAD_C("cpu/config=0x4003c,edge/", 9, "term-conflict", 20),
	BAD_C("cpu/event=1,cycles/", 9, "event-twice", 13),
	BAD_C("cycles/branches/", 9, "event-twice", 8),
	BAD_C("cpu/cycles,r3c/", 9, "event-twice", 12),
	BAD_C("cpu/event=0x100/", 9, "value-range", 11),
	BAD_C("cpu/event=1,umask=256/", 9, "value-range", 19),
	BAD_C("cpu/event=1,cmask=256/", 9, "value-range", 19),
	BAD_C("cpu/event=1,inv=2/", 9, "value-range", 17),
	BAD_C("cpu/event/", 9, "number-missing", 5),
	BAD_C("cpu/event=/", 9, "number-missing", 11),
	BAD_C("cpu/event=0x/", 9, "number-missing", 11),
	BAD_C("cpu/event=-1/", 9, "number-sign", 11),
	BAD_C("cpu/event=c0/", 9, "number-hex", 11),
	BAD_C("cpu/event=0xg0/", 9, "number", 13),
	BAD_C("cpu/event=0X10/", 9, "number", 12),
	BAD_C("cpu/cycles,acr_mask=a/", 9, "number-hex", 21),
	BAD("cycles/period=100k/", "number-suffix", 18),
	BAD("cycles/period=1M/", "number-suffix", 16),
	BAD("cycles/period=1e6/", "number-hex", 15),
	BAD("cycles/period=1.5/", "number", 16),
	BAD("cycles/period=0/", "period-zero", 15),
	BAD("cycles/period=18446744073709551616/", "number-large", 15),
	BAD("cycles/period=0x10000000000000000/", "number-large", 15),
	BAD_C("cpu/cycles,name=/", 9, "name", 12),
	BAD_C("cpu/cycles,name/", 9, "name", 12),

	/* refusals: modifiers */
	BAD_C("cycles:", 9, "syntax", 8),
	BAD_C("cycles:x", 9, "unknown-modifier", 8),
	BAD_C("cycles:uu", 9, "modifier-twice", 9),
	BAD_C("cycles:u:u", 9, "modifier-twice", 10),
	BAD_C("cycles:uh", 9, "modifier-unsupported", 9),
	BAD_C("cycles:uG", 9, "modifier-unsupported", 9),
	BAD_C("cycles:H", 9, "modifier-unsupported", 8),
	BAD_C("cycles:pp", 9, "modifier-unsupported", 8),
	BAD_C("cycles:P", 9, "modifier-unsupported", 8),
	BAD_C("{cycles,branches}:S", 9, "modifier-unsupported", 19),
	BAD_C("{cycles,branches}:D", 9, "modifier-unsupported", 19),
	BAD_C("{cycles,branches}:i", 9, "modifier-group", 19),
	BAD_C("{cycles,branches}:", 9, "syntax", 19),
	BAD_C("cycles:c", 9, "modifier-value", 8),
	BAD_C("cycles:c=", 9, "modifier-value", 10),
	BAD_C("cycles:c=256", 9, "modifier-value", 10),
	BAD_C("cycles:c=x", 9, "modifier-value", 10),
	BAD_C("cycles:u=2", 9, "unknown-modifier", 9),
	BAD_C("cycles::u", 9, "unknown-modifier", 8),
	BAD_C("cpu/cycles,edge/e", 9, "modifier-conflict", 17),
	BAD_C("cpu/cycles,cmask=1/c=2", 9, "modifier-conflict", 20),
	BAD_C("cpu/cycles/ux", 9, "unknown-modifier", 13),

	/* refusals: periods and masks */
	BAD("cycles", "no-period", 1),
	BAD("{cycles/period=9/,branches}", "no-period", 19),
	BAD_C("{cycles/acr_mask=0x4/,branches}", 9, "mask-outside", 9),
	BAD_C("{cycles,branches/acr_mask=10/}", 9, "mask-outside", 18),
	BAD_C("cycles/acr_mask=2/", 9, "mask-outside", 8),
	BAD_C("{cycles,branches/acr_mask=0xffffffffffffffff/}", 9, "mask-outside", 18),

	/* refusals: ratios */
	BAD_C("cycles/ratio-to-prev=2/", 9, "ratio-first", 8),
	BAD_C("{cycles/ratio-to-prev=2/,branches}", 9, "ratio-first", 9),
	BAD("{cycles,branches/ratio-to-prev=2/}", "ratio-no-period", 18),
	BAD("{cycles/period=5/,branches/period=10,ratio-to-prev=2/}", "ratio-periods", 38),
	BAD_C("{cycles/acr_mask=0x2/,branches/ratio-to-prev=2/}", 9, "ratio-prev-mask", 32),
	BAD_C("{cycles/acr_mask=0/,branches/ratio-to-prev=2/}", 9, "ratio-prev-mask", 30),
	BAD_C("{cycles,branches/ratio-to-prev=2/,instructions/ratio-to-prev=2/}", 9,
	      "ratio-prev-mask", 48),
	BAD_C("{cycles,branches/ratio-to-prev=2,acr_mask=3/}", 9, "ratio-mask", 18),
	BAD_C("{cycles,branches/acr_mask=3,ratio-to-prev=2/}", 9, "ratio-mask", 29),
	BAD_C("{cycles,branches/ratio-to-prev=0/}", 9, "ratio-zero", 32),
	BAD_C("{cycles,branches/ratio-to-prev=0.000/}", 9, "ratio-zero", 32),
	BAD_C("{cycles,branches/ratio-to-prev=-1/}", 9, "ratio-number", 32),
	BAD_C("{cycles,branches/ratio-to-prev=+1/}", 9, "ratio-number", 32),
	BAD_C("{cycles,branches/ratio-to-prev=nan/}", 9, "ratio-number", 32),
	BAD_C("{cycles,branches/ratio-to-prev=inf/}", 9, "ratio-number", 32),
	BAD_C("{cycles,branches/ratio-to-prev=INFINITY/}", 9, "ratio-number", 32),
	BAD_C("{cycles,branches/ratio-to-prev=1e3/}", 9, "ratio-number", 33),
	BAD_C("{cycles,branches/ratio-to-prev=0.5x/}", 9, "ratio-number", 35),
	BAD_C("{cycles,branches/ratio-to-prev=0x2/}", 9, "ratio-number", 33),
	BAD_C("{cycles,branches/ratio-to-prev=1.2.3/}", 9, "ratio-number", 35),
	BAD_C("{cycles,branches/ratio-to-prev=.5/}", 9, "ratio-number", 32),
	BAD_C("{cycles,branches/ratio-to-prev=5./}", 9, "ratio-number", 34),
	BAD_C("{cycles,branches/ratio-to-prev=/}", 9, "ratio-number", 32),
	BAD_C("{cycles,branches/ratio-to-prev/}", 9, "ratio-number", 18),
	BAD_C("{cycles,branches/ratio-to-prev=12345678901234567890/}", 9, "ratio-range", 51),
	BAD_C("{cycles,branches/ratio-to-prev=0.00000000000000000001/}", 9, "ratio-range", 53),
	BAD_C("{cycles,branches/ratio-to-prev=0.01/}", 9, "ratio-period-zero", 18),
	BAD("{cycles,branches/period=4,ratio-to-prev=9/}", "ratio-period-zero", 27),
	BAD("{cycles/period=10000000000/,branches/ratio-to-prev=9999999999/}",
	    "ratio-overflow", 38),
	BAD("{cycles,branches/period=10000000000,ratio-to-prev=0.0000000001/}",
	    "ratio-overflow", 37),
};

static void add_event(char *out, const struct acrpmu_spec_event *ev)
{
	__u32 flags = ev->attr.flags;
	char word[128], cntrs[32] = "";

	if (ev->attr.allowed_cntrs)
		snprintf(cntrs, sizeof(cntrs), "@%llx", (unsigned long long)ev->attr.allowed_cntrs);
	snprintf(word, sizeof(word), "%llx/%llu/%llx/%s%s%s%s",
		 (unsigned long long)ev->attr.config, (unsigned long long)ev->attr.period,
		 (unsigned long long)ev->attr.acr_mask,
		 flags & ACRPMU_EVENT_SAMPLED ? "s" : flags & ACRPMU_EVENT_COUNT ? "c" : "q",
		 flags & ACRPMU_EVENT_USER ? "u" : "", flags & ACRPMU_EVENT_KERNEL ? "k" : "",
		 cntrs);
	strcat(strcat(out, *out ? " " : ""), word);
}

static void meaning(const struct acrpmu_spec *spec, char *out)
{
	unsigned int g, i;

	*out = 0;
	for (g = 0; g < acrpmu_spec_nr_groups(spec); g++) {
		if (g)
			strcat(out, " ;");
		for (i = 0; i < acrpmu_spec_nr_events(spec, g); i++)
			add_event(out, acrpmu_spec_event(spec, g, i));
	}
}

static void check_good(const struct parse_case *c, const struct acrpmu_spec *spec, int err,
		       const struct acrpmu_message *message)
{
	char got[MEANING_LEN] = "";

	if (!err)
		meaning(spec, got);
	else
		snprintf(got, sizeof(got), "refused: %s: %s", message->code, message->text);
	is_str(got, c->meaning, "line %d: '%s' means what perf means", c->line, c->string);
}

static void check_bad(const struct parse_case *c, const struct acrpmu_spec *spec, int err,
		      const struct acrpmu_message *message)
{
	char got[MEANING_LEN], want[MEANING_LEN];

	snprintf(got, sizeof(got), "%d %s column %u%s%s%s", err, message->code, message->column,
		 spec ? " spec written" : "", *message->text ? "" : " no text",
		 *message->hint ? "" : " no hint");
	snprintf(want, sizeof(want), "%d %s column %u", -EINVAL, c->code, c->column);
	is_str(got, want, "line %d: '%s' is refused at its place", c->line, c->string);
}

static void test_cases(void)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct parse_case *c = &cases[i];
		const struct acrpmu_parse_options options = {
			.size = sizeof(options), .flags = c->flags, .period = c->count,
		};
		struct acrpmu_message message;
		struct acrpmu_spec *spec = NULL;
		int err;

		memset(&message, 0xcc, sizeof(message));
		err = acrpmu_spec_parse(&c->string, 1, &options, &spec, &message);
		if (c->meaning)
			check_good(c, spec, err, &message);
		else
			check_bad(c, spec, err, &message);
		acrpmu_spec_free(spec);
	}
}

static struct acrpmu_spec *parse(const char *string, __u64 period)
{
	const struct acrpmu_parse_options options = { .size = sizeof(options), .period = period };
	struct acrpmu_message message;
	struct acrpmu_spec *spec = NULL;

	if (acrpmu_spec_parse(&string, 1, &options, &spec, &message))
		printf("# '%s': %s\n", string, message.text);
	return spec;
}

static void test_members(void)
{
	struct acrpmu_spec *spec = parse("{cpu/cycles, name='a, b',period=10/uc=3,r00c0:ei}", 5);
	const struct acrpmu_spec_event *ev;

	ok(spec, "a group with names and modifiers is read");
	if (!spec)
		return;
	ev = acrpmu_spec_event(spec, 0, 0);
	is_str(ev->name, "a, b", "the name= term names the event");
	is_str(ev->text, "cpu/cycles,name='a, b',period=10/uc=3", "blanks between terms go");
	is_str(ev->pmu, "cpu", "the PMU is kept");
	is_str(ev->modifiers, "u:c=3", "modifiers have one order");
	is_u64(ev->column, 2, "the event has its column");
	is_u64(ev->period_column, 26, "and its period");
	ev = acrpmu_spec_event(spec, 0, 1);
	is_str(ev->name, "r00c0", "a raw event is called as written");
	is_str(ev->modifiers, "ie", "modifiers of the second event");
	is_str(ev->pmu, "", "no PMU is named");
	ok(!acrpmu_spec_event(spec, 0, 2), "there is no third event");
	ok(!acrpmu_spec_event(spec, 1, 0), "there is no second group");
	acrpmu_spec_free(spec);
}

static void test_strings(void)
{
	static const char *const strings[] = { "cycles", "{branches,cycls}" };
	const struct acrpmu_parse_options options = { .size = sizeof(options), .period = 9 };
	struct acrpmu_message message;
	struct acrpmu_spec *spec = NULL;

	is_u64(-acrpmu_spec_parse(strings, 2, &options, &spec, &message), EINVAL,
	       "the second of two strings is refused");
	is_u64(message.string, 1, "by its index");
	is_u64(message.column, 11, "and column");
	is_str(message.hint, "did you mean 'cycles'?", "with what was meant");
	is_u64(-acrpmu_spec_parse(strings, 0, &options, &spec, &message), EINVAL,
	       "no string at all is refused");
	ok(!spec, "and nothing is written");
	is_u64(acrpmu_spec_open_braces("{a,{b}"), 1, "open braces are counted");
}

static void test_matrix(void)
{
	static const struct {
		const char *string;
		const char *words;
	} words[] = {
		{ "{instructions/acr_mask=2/,cycles/acr_mask=3/}",
		  "cycles restarts when instructions or cycles overflows; instructions restarts "
		  "when cycles overflows; samples: instructions" },
		{ "{cycles/acr_mask=6/,branches/acr_mask=7/,cycles/acr_mask=4/}",
		  "branches restarts when cycles (event 0), branches or cycles (event 2) "
		  "overflows; cycles (event 2) restarts when cycles (event 2) overflows; "
		  "cycles (event 0) restarts when branches or cycles (event 2) overflows; samples: "
		  "cycles (event 0)" },
		{ "{cycles,branches}", "nothing restarts; samples: cycles, branches" },
		{ "cycles/acr_mask=1/",
		  "cycles restarts when cycles overflows; samples: nothing" },
	};
	struct acrpmu_message message;
	char text[512], small[8];
	unsigned int i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
		struct acrpmu_spec *spec = parse(words[i].string, 1000);

		if (!ok(spec, "'%s' is read", words[i].string))
			continue;
		acrpmu_spec_matrix(spec, 0, text, sizeof(text));
		is_str(text, words[i].words, "'%s' in words", words[i].string);
		is_u64(acrpmu_spec_matrix(spec, 0, small, sizeof(small)), strlen(words[i].words),
		       "the length does not depend on the room");
		is_u64(strlen(small), sizeof(small) - 1, "a small buffer is filled and closed");
		is_u64(!acrpmu_spec_check_sampled(spec, &message), i != 3,
		       "a group that samples nothing is found");
		acrpmu_spec_free(spec);
	}
}

/* A plain counter for each event that is reloaded, at the end of its group. */
static void test_twins(void)
{
	static const char *const strings[] = {
		"{instructions/period=200000,acr_mask=2/u,branches/period=5000/u,"
		"cycles/period=100000,acr_mask=5,counters=0x2000000ff/u}", "branch-misses",
	};
	static const char *const full[] = {
		"{cycles/period=1,acr_mask=1/,cycles/period=1,acr_mask=1/,"
		"cycles/period=1,acr_mask=1/,cycles/period=1,acr_mask=1/,"
		"cycles/period=1,acr_mask=1/,cycles/period=1,acr_mask=1/,"
		"cycles/period=1,acr_mask=1/,cycles/period=1,acr_mask=1/,"
		"cycles/period=1,acr_mask=1/}",
	};
	static const char *const alone[] = { "cycles/period=1,acr_mask=1/" };
	const struct acrpmu_parse_options options = { .size = sizeof(options), .flags = COUNT_ALL };
	struct acrpmu_message message;
	struct acrpmu_spec *spec = NULL;
	char got[MEANING_LEN];

	ok(!acrpmu_spec_parse(alone, 1, &options, &spec, &message), "an event alone is read");
	is_u64(acrpmu_spec_add_twins(spec, &message), 0, "and gets a twin");
	is_u64(acrpmu_spec_event(spec, 0, 1)->twin_of, 1, "behind it");
	acrpmu_spec_free(spec);
	spec = NULL;
	ok(!acrpmu_spec_parse(strings, 2, &options, &spec, &message), "two groups are read");
	is_u64(acrpmu_spec_add_twins(spec, &message), 0, "and get twins");
	meaning(spec, got);
	is_str(got, "c0/200000/2/su c4/5000/0/su 3c/100000/5/qu@2000000ff c0/0/0/cu "
	       "3c/0/0/cu@2000000ff ; c5/0/0/cuk",
	       "one for each event with a mask, at its levels, on its counters, only counting");
	is_str(acrpmu_spec_event(spec, 0, 4)->name, "cycles (twin)", "by the name of its event");
	is_u64(acrpmu_spec_event(spec, 0, 4)->twin_of, 3, "which it says");
	is_u64(acrpmu_spec_event(spec, 0, 2)->twin_of, 0, "others are no twins");
	acrpmu_spec_free(spec);
	spec = NULL;
	ok(!acrpmu_spec_parse(full, 1, &options, &spec, &message), "a group of nine is read");
	is_u64(-acrpmu_spec_add_twins(spec, &message), EINVAL, "but has no room for nine twins");
	is_str(message.code, "too-many-events", "which is said");
	acrpmu_spec_free(spec);
}

int main(void)
{
	plan(0);
	test_twins();
	test_cases();
	test_members();
	test_strings();
	test_matrix();
	return done();
}
