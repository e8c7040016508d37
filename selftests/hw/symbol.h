/* SPDX-License-Identifier: GPL-2.0-only */
/* Kernel functions by name, and what the model CPU counts of their calls. */
#ifndef HW_SYMBOL_H
#define HW_SYMBOL_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../model/oracle.h"

/**
 * symbol_address() - find a function of the kernel or of a module
 * @module: its module, NULL for the kernel
 *
 * Return: its address, 0 if there is none or it is hidden.
 */
static inline uint64_t symbol_address(const char *name, const char *module)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	unsigned long long address, found = 0;
	char line[512], symbol[256], in[64];
	int fields;

	if (!file)
		return 0;
	while (!found && fgets(line, sizeof(line), file)) {
		if (!strstr(line, name))
			continue;
		fields = sscanf(line, "%llx %*c %255s [%63[^]]]", &address, symbol, in);
		if (fields < 2 || strcmp(symbol, name))
			continue;
		if (module ? fields == 3 && !strcmp(in, module) : fields == 2)
			found = address;
	}
	fclose(file);
	return found;
}

/* Instructions of a function, with all that it calls, since calls_begin(). */
struct calls {
	uint64_t entry;
	uint64_t nr;
	uint64_t insns;
};

/**
 * calls_begin() - count the calls of a function on a CPU
 * @calls: with the address of the function
 *
 * Return: false if the model cannot.
 */
static inline bool calls_begin(const struct calls *calls, int cpu)
{
	uint64_t value;

	return calls->entry && oracle_ask(ORACLE_CALL_WATCH, cpu, calls->entry, &value) &&
	       oracle_ask(ORACLE_CODE_BEGIN, cpu, 0, &value);
}

/**
 * calls_end() - stop counting
 * @calls: in and out
 * @tag: of the lines in the model's log
 */
static inline void calls_end(struct calls *calls, int cpu, uint32_t tag)
{
	oracle_get(ORACLE_CODE_END, cpu, tag);
	calls->nr = oracle_get(ORACLE_CALL_NR, cpu, calls->entry);
	calls->insns = oracle_get(ORACLE_CALL_INSNS, cpu, calls->entry);
}

#endif /* HW_SYMBOL_H */
