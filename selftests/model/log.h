/* SPDX-License-Identifier: GPL-2.0-only */
/* The log file: JSON Lines, one object each, described in LOG.md. */
#ifndef MODEL_LOG_H
#define MODEL_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct log - the log
 * @file: NULL if none is written
 * @lines: lines so far
 * @failed: something could not be written
 * @first: the next member is the first of its object
 */
struct log {
	FILE *file;
	uint64_t lines;
	bool failed;
	bool first;
};

/**
 * log_open() - start a log
 * @log: the log
 * @path: file to write, replaced if it exists
 *
 * Return: 0 or -errno.
 */
int log_open(struct log *log, const char *path);

/**
 * log_begin() - start a line, and keep others off the log until log_end()
 * @log: the log
 * @type: value of its "t" member
 *
 * Return: false if no log is written; the line must then not be continued.
 */
bool log_begin(struct log *log, const char *type);

/**
 * log_number() - add a member with a number
 * @log: the log
 * @key: its name
 * @value: its value
 */
void log_number(struct log *log, const char *key, uint64_t value);

/**
 * log_hex() - add a member with a register value or an address, as a string
 * @log: the log
 * @key: its name
 * @value: its value
 */
void log_hex(struct log *log, const char *key, uint64_t value);

/**
 * log_string() - add a member with a string
 * @log: the log
 * @key: its name
 * @value: its value; must need no escape
 */
void log_string(struct log *log, const char *key, const char *value);

/**
 * log_open_object() - start a member that is an object
 * @log: the log
 * @key: its name
 */
void log_open_object(struct log *log, const char *key);

/**
 * log_close_object() - end it
 * @log: the log
 */
void log_close_object(struct log *log);

/**
 * log_numbers() - add a member with an array of numbers
 * @log: the log
 * @key: its name
 * @values: the numbers
 * @nr: how many
 */
void log_numbers(struct log *log, const char *key, const uint64_t *values, unsigned int nr);

/**
 * log_end() - end a line
 * @log: the log
 * @flush: have it reach the file now
 */
void log_end(struct log *log, bool flush);

/**
 * log_close() - write the last line, which says how many came before, and close the file
 * @log: the log
 *
 * Return: false if anything could not be written.
 */
bool log_close(struct log *log);

#endif /* MODEL_LOG_H */
