// SPDX-License-Identifier: GPL-2.0-only
/* Writes JSON Lines to a buffered file that all CPUs share. */
#include <errno.h>
#include <inttypes.h>

#include "log.h"

#define LOG_BUFFER	(1 << 20)

int log_open(struct log *log, const char *path)
{
	log->file = fopen(path, "w");
	if (!log->file)
		return -errno;
	setvbuf(log->file, NULL, _IOFBF, LOG_BUFFER);
	return 0;
}

static void key(struct log *log, const char *name)
{
	fprintf(log->file, "%s\"%s\":", log->first ? "" : ",", name);
	log->first = false;
}

bool log_begin(struct log *log, const char *type)
{
	if (!log->file)
		return false;
	flockfile(log->file);
	fprintf(log->file, "{\"t\":\"%s\"", type);
	log->first = false;
	return true;
}

void log_number(struct log *log, const char *name, uint64_t value)
{
	key(log, name);
	fprintf(log->file, "%" PRIu64, value);
}

void log_hex(struct log *log, const char *name, uint64_t value)
{
	key(log, name);
	fprintf(log->file, "\"%#" PRIx64 "\"", value);
}

void log_string(struct log *log, const char *name, const char *value)
{
	key(log, name);
	fprintf(log->file, "\"%s\"", value);
}

void log_bytes(struct log *log, const char *name, const uint8_t *bytes, size_t size)
{
	size_t i;

	key(log, name);
	fputc('"', log->file);
	for (i = 0; i < size; i++)
		fprintf(log->file, "%02x", bytes[i]);
	fputc('"', log->file);
}

void log_open_object(struct log *log, const char *name)
{
	key(log, name);
	fputc('{', log->file);
	log->first = true;
}

void log_close_object(struct log *log)
{
	fputc('}', log->file);
	log->first = false;
}

void log_numbers(struct log *log, const char *name, const uint64_t *values, unsigned int nr)
{
	unsigned int i;

	key(log, name);
	for (i = 0; i < nr; i++)
		fprintf(log->file, "%c%" PRIu64, i ? ',' : '[', values[i]);
	fputs(nr ? "]" : "[]", log->file);
}

void log_end(struct log *log, bool flush)
{
	fputs("}\n", log->file);
	log->lines++;
	if (flush)
		fflush(log->file);
	if (ferror(log->file))
		log->failed = true;
	funlockfile(log->file);
}

bool log_close(struct log *log)
{
	if (!log->file)
		return true;
	if (log_begin(log, "end")) {
		log_number(log, "lines", log->lines);
		log_end(log, true);
	}
	if (fclose(log->file))
		log->failed = true;
	log->file = NULL;
	return !log->failed;
}
