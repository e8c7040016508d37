/* SPDX-License-Identifier: GPL-2.0-only */
/* Decoding of offcore response values: which requests, and which responses to them, count. */
#ifndef MODEL_OFFCORE_H
#define MODEL_OFFCORE_H

#include <stdint.h>

/**
 * struct offcore_layout - bits of OFFCORE_RSP_x that the cache model can tell apart
 * @any_request: any request; 0 where there is no such bit
 * @outstanding: counts the requests under way in each cycle, not responses; of OFFCORE_RSP_0
 * @any_response: any response
 * @hit: the last level had the line: any of these
 * @miss: it came from memory: any of these
 * @snoop: results of asking the other cores, one of which must be asked for along with @hit or
 *         @miss: that none had to be asked, since none ever holds the line; 0 where it need not
 *
 * Data reads are bit 0, reads for ownership bit 1 and code reads bit 2 on all of them.
 */
struct offcore_layout {
	uint64_t any_request;
	uint64_t outstanding;
	uint64_t any_response;
	uint64_t hit, miss;
	uint64_t snoop;
};

/* Goldmont and Goldmont Plus; the model's last level plays the part of L2 */
extern const struct offcore_layout offcore_goldmont;
/* Crestmont to Darkmont; it plays the part of L3 */
extern const struct offcore_layout offcore_darkmont;

/**
 * offcore_kinds() - kinds of event that a value counts
 * @layout: meaning of the bits
 * @value: of OFFCORE_RSP_0 or OFFCORE_RSP_1
 *
 * With @outstanding set these are cycles of waiting, whatever the response.
 *
 * Return: mask of kinds; 0 without a request or without a response.
 */
uint32_t offcore_kinds(const struct offcore_layout *layout, uint64_t value);

#endif /* MODEL_OFFCORE_H */
