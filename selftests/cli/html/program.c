// SPDX-License-Identifier: GPL-2.0-only
/* The program of make_recording.py: a few functions, of which one is inlined into two others. */
#define KEPT __attribute__((noinline))

static inline __attribute__((always_inline)) int compare(const int *a, const int *b)
{
	__asm__ volatile("nop; nop; nop; nop; nop; nop; nop; nop");
	return *a - *b;
}

KEPT int sort_rows(int *rows)
{
	return compare(rows, rows + 1) + compare(rows + 1, rows);
}

KEPT int find_row(int *rows)
{
	return compare(rows, rows) + 1;
}

KEPT int next_token(int n)
{
	__asm__ volatile("nop; nop; nop; nop");
	return n + 1;
}

KEPT int parse_line(int n)
{
	return next_token(n) + next_token(n + 1);
}

KEPT int parse_file(int n)
{
	return parse_line(n) + n;
}

KEPT int run_query(int *rows)
{
	return sort_rows(rows) + find_row(rows);
}

int main(int argc, char **argv)
{
	int rows[] = { argc, !argv };

	return parse_file(argc) + run_query(rows);
}
