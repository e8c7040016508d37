/* SPDX-License-Identifier: GPL-2.0-only */
/* The log file: JSON Lines, one object each, described in LOG.md. */
#ifndef MODEL_LOG_H
#define MODEL_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct log - the log
 * @file: NULL if none is written
 * @lines: lines so far
 * @failed: a write failed
 * @first: the next member is the first of its object
 */
struct log {
	FILE *file;
	uint64_t lines;
	bool failed;
	bool first;
};

/*
 * Start a log.
 * @path: file to write, replaced if it exists
 *
 * Return: 0 or -errno.
 */
int log_open(struct log *log, const char *path);

/*
 * Start a line, and lock the log until log_end().
 * @type: value of its "t" member
 *
 * Return: false if no log is written; the line must then not go on.
 */
bool log_begin(struct log *log, const char *type);

/* Add a member with a number. */
void log_number(struct log *log, const char *key, uint64_t value);

/* Add a member with a register value or an address, as a string. */
void log_hex(struct log *log, const char *key, uint64_t value);

/*
 * Add a member with a string.
 * @value: its value; must not need escapes
 */
void log_string(struct log *log, const char *key, const char *value);

/* Add a member with bytes, as a string of two hex digits each. */
void log_bytes(struct log *log, const char *key, const uint8_t *bytes, size_t size);

/* Start a member that is an object. */
void log_open_object(struct log *log, const char *key);

/* End the object. */
void log_close_object(struct log *log);

/* Add a member with an array of numbers. */
void log_numbers(struct log *log, const char *key, const uint64_t *values, unsigned int nr);

/*
 * End a line.
 * @flush: flush the file
 */
void log_end(struct log *log, bool flush);

/*
 * Write the last line, with the number of lines before it, and close the file.
 *
 * Return: false if any write failed.
 */
bool log_close(struct log *log);

#endif /* MODEL_LOG_H */
