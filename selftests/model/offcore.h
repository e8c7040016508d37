/* SPDX-License-Identifier: GPL-2.0-only */
/* Offcore response values: which requests, and which responses to them, count. */
#ifndef MODEL_OFFCORE_H
#define MODEL_OFFCORE_H

#include <stdint.h>

/**
 * struct offcore_layout - bits of OFFCORE_RSP_x that the cache model distinguishes
 * @events: event and umask that count with OFFCORE_RSP_0, and with _1
 * @any_request: any request; 0 where there is no such bit
 * @outstanding: counts outstanding requests in each cycle, not responses; OFFCORE_RSP_0 only
 * @any_response: any response
 * @hit: the last level had the line: any of these
 * @miss: it came from memory: any of these
 * @snoop: snoop results, one of which must be set along with @hit or @miss: no snoop needed,
 *         since no other core ever holds the line; 0 if none is required
 *
 * Data reads are bit 0, reads for ownership bit 1 and code reads bit 2 on all of them.
 */
struct offcore_layout {
	uint16_t events[2];
	uint64_t any_request;
	uint64_t outstanding;
	uint64_t any_response;
	uint64_t hit, miss;
	uint64_t snoop;
};

/* Goldmont and Goldmont Plus; the model's last level is L2 */
extern const struct offcore_layout offcore_goldmont;
/* Crestmont to Darkmont; it is L3 */
extern const struct offcore_layout offcore_darkmont;
/* Lion Cove; it is L3 */
extern const struct offcore_layout offcore_lioncove, offcore_skylake;

/*
 * Kinds of event that a value counts.
 * @layout: meaning of the bits
 * @value: value of OFFCORE_RSP_0 or OFFCORE_RSP_1
 *
 * With @outstanding set these are cycles of waiting, whatever the response.
 *
 * Return: mask of kinds; 0 without a request or without a response.
 */
uint32_t offcore_kinds(const struct offcore_layout *layout, uint64_t value);

#endif /* MODEL_OFFCORE_H */
