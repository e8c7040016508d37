// SPDX-License-Identifier: GPL-2.0-only
/* Data of a page: compressed, as letters and digits. */
#include "pack.h"

#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

#define GROUP_BYTES	3	/* which become four characters of six bits */
#define GROUP_CHARS	4

static void put_group(FILE *out, const unsigned char *bytes, size_t nr)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned int bits = bytes[0] << 16;

	bits |= nr > 1 ? bytes[1] << 8 : 0;
	bits |= nr > 2 ? bytes[2] : 0;
	fputc(digits[bits >> 18], out);
	fputc(digits[bits >> 12 & 63], out);
	fputc(nr > 1 ? digits[bits >> 6 & 63] : '=', out);
	fputc(nr > 2 ? digits[bits & 63] : '=', out);
}

static int pack_text(const char *text, size_t len, FILE *out, size_t *size)
{
	uLongf packed_len = compressBound(len);
	unsigned char *packed = malloc(packed_len);
	size_t i;

	if (!packed || compress(packed, &packed_len, (const unsigned char *)text, len) != Z_OK) {
		free(packed);
		return -ENOMEM;
	}
	for (i = 0; out && i < packed_len; i += GROUP_BYTES)
		put_group(out, packed + i, packed_len - i);
	*size = (packed_len + GROUP_BYTES - 1) / GROUP_BYTES * GROUP_CHARS;
	free(packed);
	return 0;
}

/**
 * pack() - write what @put writes as base64 of a zlib stream
 * @out: NULL to write nothing
 * @size: set to the number of characters
 *
 * Return: 0 or -ENOMEM.
 */
int pack(const struct profile *p, pack_put_fn put, FILE *out, size_t *size)
{
	char *text = NULL;
	size_t len;
	FILE *memory = open_memstream(&text, &len);
	int err = memory ? put(p, memory) : -ENOMEM;

	if (memory && fclose(memory))
		err = -ENOMEM;
	if (!err)
		err = pack_text(text, len, out, size);
	free(text);
	return err;
}
