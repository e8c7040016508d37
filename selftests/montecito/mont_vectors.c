// SPDX-License-Identifier: GPL-2.0-only
/* Runs a file of vectors: for each id whether the result is ok, another by decision, or not ok. */
#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"

#define EXIT_USAGE 2

/* How many of each there were. */
struct tally {
	unsigned int ok;
	unsigned int decided;
	unsigned int bad;
};

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Whether an id has not been met before; then it has. */
static bool is_new(const char *id, void **ids)
{
	char *copy = strdup(id);
	char **found = copy ? tsearch(copy, ids, compare) : NULL;

	if (!found) {
		perror("mont_vectors");
		exit(EXIT_FAILURE);
	}
	if (*found == copy)
		return true;
	free(copy);
	return false;
}

static void run_line(const char *line, size_t len, unsigned int number, struct tally *tally)
{
	static struct vector vector;
	static void *ids;
	unsigned int decisions;
	char why[512], text[64];

	if (!vector_read(line, len, &vector, why, sizeof(why))) {
		printf("%s not ok\n", vector.id[0] ? vector.id : "?");
		fprintf(stderr, "line %u: %s\n", number, why);
		tally->bad++;
	} else if (!is_new(vector.id, &ids)) {
		printf("%s not ok\n", vector.id);
		fprintf(stderr, "line %u: the id %s was there before\n", number, vector.id);
		tally->bad++;
	} else if (!judge(&vector, &decisions, why, sizeof(why))) {
		printf("%s not ok\n", vector.id);
		fprintf(stderr, "%s: %s\n", vector.id, why);
		tally->bad++;
	} else if (decisions) {
		judge_decisions_text(decisions, text, sizeof(text));
		printf("%s decision %s\n", vector.id, text);
		tally->decided++;
	} else {
		printf("%s ok\n", vector.id);
		tally->ok++;
	}
}

int main(int argc, char **argv)
{
	struct tally tally = { .ok = 0 };
	unsigned int number = 0;
	char *line = NULL;
	size_t size = 0;
	ssize_t len;
	FILE *f;

	if (argc != 2) {
		fprintf(stderr, "usage: mont_vectors FILE   one vector in each line, as JSON\n");
		return EXIT_USAGE;
	}
	f = fopen(argv[1], "r");
	if (!f) {
		fprintf(stderr, "mont_vectors: cannot read %s: %s; give a file of vectors\n",
			argv[1], strerror(errno));
		return EXIT_USAGE;
	}
	if (pfm_force_pmu(PFMLIB_MONTECITO_PMU)) {
		fprintf(stderr, "mont_vectors: the library does not take the Montecito PMU\n");
		return EXIT_FAILURE;
	}
	while ((len = getline(&line, &size, f)) > 0) {
		number++;
		if (strspn(line, " \t\r\n") < (size_t)len)
			run_line(line, len, number, &tally);
	}
	if (ferror(f)) {
		fprintf(stderr, "mont_vectors: %s: %s\n", argv[1], strerror(errno));
		tally.bad++;
	}
	fclose(f);
	free(line);
	fprintf(stderr, "%u ok, %u by decision, %u not ok\n", tally.ok, tally.decided, tally.bad);
	return tally.bad || !number ? EXIT_FAILURE : EXIT_SUCCESS;
}
