/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The text of a file of an arch directory. */
#ifndef _ACRPMU_GEN_FILE_H
#define _ACRPMU_GEN_FILE_H

#include "report.h"

/**
 * file_read() - read a whole regular file
 * @path: it
 * @text: out, to be freed; closed by 0
 * @len: out, its bytes
 * @reporter: receives a report if it cannot be read, is no regular file or has more than 64 MiB
 *
 * Return: 0; -EINVAL after a fatal report; -ENOMEM.
 */
int file_read(const char *path, char **text, size_t *len, struct reporter *reporter);

#endif /* _ACRPMU_GEN_FILE_H */
