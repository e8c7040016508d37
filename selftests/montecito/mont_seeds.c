// SPDX-License-Identifier: GPL-2.0-only
/* Writes seeds of the fuzzer: each vector's call, and as many random ones. */
#include <stdio.h>
#include <stdlib.h>

#include "bytes.h"
#include "random.h"
#include "vector.h"

static bool write_seed(const char *dir, const char *id, const struct call *call)
{
	static uint8_t data[BYTES_SIZE];
	const size_t size = bytes_write(call, data);
	char path[4096];
	bool written;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, id);
	f = fopen(path, "wb");
	if (!f)
		return false;
	written = fwrite(data, 1, size, f) == size;
	return !fclose(f) && written;
}

int main(int argc, char **argv)
{
	static struct vector vector;
	char *line = NULL, why[256], id[32];
	unsigned int nr = 0;
	bool good = true;
	size_t size = 0;
	ssize_t len;
	FILE *f;

	if (argc != 3) {
		fprintf(stderr, "usage: mont_seeds FILE DIR   of vectors; an existing directory\n");
		return 2;
	}
	f = fopen(argv[1], "r");
	if (!f) {
		perror(argv[1]);
		return EXIT_FAILURE;
	}
	while (good && (len = getline(&line, &size, f)) > 0) {
		if (!vector_read(line, len, &vector, why, sizeof(why)))
			continue;
		good = write_seed(argv[2], vector.id, &vector.call);
		random_call(&vector.call);
		snprintf(id, sizeof(id), "random-%u", nr++);
		good = good && write_seed(argv[2], id, &vector.call);
	}
	fclose(f);
	free(line);
	if (!good)
		perror(argv[2]);
	return good && nr ? EXIT_SUCCESS : EXIT_FAILURE;
}
