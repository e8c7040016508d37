// SPDX-License-Identifier: GPL-2.0-only
/* acrctl annotate: the instructions of a function, and where in it the samples were taken. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "../cmd.h"
#include "../terminal.h"
#include "../ui/color.h"
#include "annotate.h"

#define OPT_NO_SOURCE	1	/* options without a letter */
#define OPT_OBJDUMP	2
#define OPT_STDIO	3

static const char usage[] =
"Usage: acrctl annotate [SYMBOL] [-i FILE] [-d DSO] [--no-source] [--json] [--stdio] [-M STYLE]\n"
"                       [--objdump PATH] [--vmlinux FILE] [--kallsyms FILE]\n"
"                       [--symfs DIR] [--buildid-dir DIR] [--debuginfod[=URLS] | --no-debuginfod]\n"
"\n"
"Show the instructions of a function and its source, with the share of samples beside each.\n"
"\n"
"  SYMBOL               the function, or an address in it as its file has them, such as 0x1139\n"
"                       (default: the one with most samples)\n"
"  -s, --symbol SYMBOL  the same; perf has this option\n"
"  -i, --input FILE     the recording, also one by perf (default: perf.data); - for standard input\n"
"  -d, --dso DSO        only functions of this file, by its path or its name\n"
"      --no-source      do not show lines of the source, nor functions that were inlined\n"
"      --no-inline      the same\n"
"  -M, --disassembler-style STYLE  pass on to objdump, such as intel\n"
"      --objdump PATH   the program that disassembles (default: objdump)\n"
"  -j, --json           print JSON\n"
"      --stdio          print text, which is the default; accepted because perf has it\n"
"      --vmlinux FILE   take the kernel's code and symbols from this file\n"
"      --kallsyms FILE  take the kernel's symbols from this copy of /proc/kallsyms\n"
SOURCES_USAGE
"  -h, --help           show this help\n";

static const struct option own[] = {
	{ "symbol", required_argument, NULL, 's' },
	{ "dso", required_argument, NULL, 'd' },
	{ "disassembler-style", required_argument, NULL, 'M' },
	{ "no-source", no_argument, NULL, OPT_NO_SOURCE },
	{ "objdump", required_argument, NULL, OPT_OBJDUMP },
	{ "stdio", no_argument, NULL, OPT_STDIO },
	{ 0 },
};

static void take_own(struct view_args *a, int letter, const char *argument)
{
	/* its first member */
	struct annotate *an = (struct annotate *)a;

	if (letter == 's')
		an->symbol = argument;
	else if (letter == 'd')
		an->dso = argument;
	else if (letter == 'M')
		an->style = argument;
	else if (letter == OPT_NO_SOURCE)
		an->no_source = true;
	else if (letter == OPT_OBJDUMP)
		an->objdump = argument;
}

static const struct view_command command = {
	.name = "annotate",
	.usage = usage,
	.own = own,
	.own_letters = "s:d:M:",
	.take_own = take_own,
	.has_argument = true,
};

static int print(struct annotate *an)
{
	bool color = color_wanted(stdout);
	struct terminal_pager pager;

	if (an->args.json)
		return annotate_print_json(an) ? output_no_memory(command.name) : 0;
	terminal_page_begin(&pager);
	annotate_print(an, color);
	return terminal_page_end(&pager, command.name) ? ACRCTL_EXIT_FAILED : ACRCTL_EXIT_DONE;
}

static int run(struct annotate *an)
{
	int err = annotate_collect(an), status;

	if (!err)
		err = annotate_choose(an);
	if (!err)
		err = annotate_read_code(an);
	if (err == -ENOMEM)
		fprintf(stderr, "acrctl: out of memory while reading %s\n", an->args.path);
	status = err ? ACRCTL_EXIT_FAILED : print(an);
	return view_close_notes(&an->view, an->args.path) ? ACRCTL_EXIT_FAILED : status;
}

static void end(struct annotate *an)
{
	size_t i;

	for (i = 0; i < an->nr_lines; i++)
		free(an->lines[i].text);
	free(an->lines);
	free(an->cells);
	free(an->in_function);
	free(an->events);
	free(an->totals);
	free(an->counts);
	free(an->functions);
	tuples_free(&an->known);
	tuples_free(&an->functions_known);
	intern_free(&an->texts);
	view_end(&an->view);
}

/**
 * cmd_annotate() - acrctl annotate
 *
 * Return: the exit status.
 */
int cmd_annotate(int argc, char **argv)
{
	struct annotate an = { .args.path = VIEW_DEFAULT_PATH, .objdump = "objdump" };
	int status;

	status = view_args_parse(&command, &an.args, argc, argv);
	if (status >= 0)
		return status;
	an.no_source |= an.args.no_inline;
	if (an.args.argument && an.symbol) {
		fprintf(stderr,
			"acrctl: annotate: '%s' and --symbol both name a function; leave one out\n",
			an.args.argument);
		return ACRCTL_EXIT_USAGE;
	}
	if (an.args.argument)
		an.symbol = an.args.argument;
	status = view_args_open(&an.args, &an.view) ? ACRCTL_EXIT_FAILED : run(&an);
	end(&an);
	return status;
}
