// SPDX-License-Identifier: GPL-2.0-only
/* Reading the command line of a command that reads a recording. */
#include "export.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../util/message.h"
#include "../../symbols/lookup.h"
#include "../cmd.h"
#include "heap.h"

#define NR_OPTIONS	32	/* more than there are, and a zeroed one */
#define NR_LETTERS	32

/* Values of options without a letter; those of a command itself have letters. */
enum {
	OPT_LIST = 256, OPT_VMLINUX, OPT_KALLSYMS, OPT_NO_INLINE, OPT_GRAPH, OPT_IGNORED, OPT_FOLD,
	OPT_EXPORT,
};

/* "use comm, pid or sym"; returns false. */
static bool refuse_word(const struct view_command *c, const char *word, const char *why)
{
	struct message_word shown = acrpmu_message_word(word, strlen(word));
	unsigned int i;

	fprintf(stderr, "acrctl: %s: %s '%s' %s; use ", c->name, c->list_shown, shown.text, why);
	for (i = 0; i < c->nr_choices; i++)
		fprintf(stderr, "%s%s", !i ? "" : i + 1 < c->nr_choices ? ", " : " or ",
			c->choices[i].name);
	fprintf(stderr, ", with commas between them\n");
	return false;
}

static bool choose(const struct view_command *c, struct view_args *a, const char *word)
{
	unsigned int i;

	for (i = 0; i < c->nr_choices; i++) {
		const struct view_choice *w = &c->choices[i];

		if (strcmp(word, w->name) && (!w->alias || strcmp(word, w->alias)))
			continue;
		a->chosen[i] = true;
		return true;
	}
	return refuse_word(c, word, "is not known");
}

/**
 * view_args_choose() - choose what a list on the command line names, and nothing else
 * @list: is cut into pieces
 *
 * Return: false after a message.
 */
bool view_args_choose(const struct view_command *c, struct view_args *a, char *list)
{
	char *word, *save = NULL;

	if (!list[strspn(list, ",")])
		return refuse_word(c, list, "names nothing");
	a->listed = true;
	memset(a->chosen, 0, sizeof(a->chosen));
	for (word = strtok_r(list, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
		if (!choose(c, a, word))
			return false;
	}
	return true;
}

static bool choose_graph(const struct view_command *c, struct view_args *a, const char *word)
{
	struct message_word shown = acrpmu_message_word(word, strlen(word));

	if (!strcmp(word, "callee")) {
		a->graph = VIEW_GRAPH_CALLEE;
		return true;
	}
	if (!strcmp(word, "caller")) {
		a->graph = VIEW_GRAPH_CALLER;
		return true;
	}
	fprintf(stderr, "acrctl: %s: --call-graph '%s' is not known; use callee or caller\n",
		c->name, shown.text);
	return false;
}

/**
 * view_args_set_input() - take the name of a recording, - for standard input
 */
void view_args_set_input(struct view_args *a, const char *word)
{
	a->has_input = true;
	a->from_stdin = !strcmp(word, "-");
	a->path = a->from_stdin ? "standard input" : word;
}

/* Append an option to those that a zeroed one ends; NULL: this command has it not. */
static void add_option(struct option *options, const char *name, int has_arg, int value)
{
	while (options->name)
		options++;
	if (name)
		*options = (struct option){ name, has_arg, NULL, value };
}

static void add_own(const struct view_command *c, struct option *options)
{
	const struct option *own;

	for (own = c->own; own && own->name; own++)
		add_option(options, own->name, own->has_arg, own->val);
}

static void add_letters(const struct view_command *c, char *letters)
{
	if (c->list_name)
		sprintf(letters + strlen(letters), "%c:", c->list_letter);
	if (c->has_graph)
		strcat(letters, "g");
	if (c->own_letters)
		strcat(letters, c->own_letters);
}

static bool is_own(const struct view_command *c, int letter)
{
	const struct option *own;

	for (own = c->own; own && own->name; own++) {
		if (own->val == letter)
			return true;
	}
	return false;
}

static bool is_list(const struct view_command *c, int letter)
{
	return letter == OPT_LIST || (c->list_name && letter == c->list_letter);
}

/* Returns an exit status, or -1 to go on. */
static int take_arguments(const struct view_command *c, struct view_args *a, int argc, char **argv)
{
	if ((c->has_argument || a->diff) && optind < argc)
		a->argument = argv[optind++];
	if (optind == argc)
		return -1;
	fprintf(stderr, "acrctl: %s: takes no %sargument '%s'; name the file with -i\n", c->name,
		a->argument ? "further " : "", argv[optind]);
	return ACRCTL_EXIT_USAGE;
}

static int check_fold(const struct view_command *c, const struct view_args *a)
{
	const char *other = a->json ? "--json" : a->listed ? c->list_shown : NULL;

	if (!a->fold || !other)
		return 0;
	fprintf(stderr,
		"acrctl: %s: --fold prints stacks and counts only, so that %s has no effect; leave one out\n",
		c->name, other);
	return -EINVAL;
}

/**
 * view_args_parse() - read a command line; @a holds the defaults
 *
 * Return: an exit status, or -1 to go on.
 */
int view_args_parse(const struct view_command *c, struct view_args *a, int argc, char **argv)
{
	struct option options[NR_OPTIONS + EXPORT_FORMATS_MAX] = {
		{ "input", required_argument, NULL, 'i' },
		{ "json", no_argument, NULL, 'j' },
		{ "vmlinux", required_argument, NULL, OPT_VMLINUX },
		{ "kallsyms", required_argument, NULL, OPT_KALLSYMS },
		{ "no-inline", no_argument, NULL, OPT_NO_INLINE },
		{ "help", no_argument, NULL, 'h' },
	};
	char letters[NR_LETTERS] = ":i:jh";
	int o;

	a->command = c->name;
	sources_add_options(options);
	add_letters(c, letters);
	add_own(c, options);
	add_option(options, c->list_name, required_argument, OPT_LIST);
	add_option(options, c->ignored, no_argument, OPT_IGNORED);
	add_option(options, c->has_graph ? "call-graph" : NULL, required_argument, OPT_GRAPH);
	add_option(options, c->has_fold ? "fold" : NULL, no_argument, OPT_FOLD);
	if (c->has_exports)
		export_add_options(options, OPT_EXPORT);
	optind = 1;
	while ((o = getopt_long(argc, argv, letters, options, NULL)) != -1) {
		if (o == 'i')
			view_args_set_input(a, optarg);
		else if (o == 'j')
			a->json = true;
		else if (o == OPT_VMLINUX)
			a->vmlinux = optarg;
		else if (o == OPT_KALLSYMS)
			a->kallsyms = optarg;
		else if (o == OPT_NO_INLINE)
			a->no_inline = true;
		else if (sources_take_option(&a->sources, o, optarg))
			continue;
		else if (o == OPT_FOLD)
			a->fold = true;
		else if (o >= OPT_EXPORT)
			export_choose(a, o - OPT_EXPORT, optarg);
		else if (o == 'g')
			a->graph = a->graph ? a->graph : VIEW_GRAPH_CALLEE;
		else if (o == OPT_GRAPH && !choose_graph(c, a, optarg))
			return ACRCTL_EXIT_USAGE;
		else if (is_own(c, o))
			c->take_own(a, o, optarg);
		else if (o == 'h')
			return fputs(c->usage, stdout) < 0 ? ACRCTL_EXIT_FAILED : ACRCTL_EXIT_DONE;
		else if (o == '?' || o == ':')
			return option_refuse(c->name, o, argv, options);
		else if (is_list(c, o) && !view_args_choose(c, a, optarg))
			return ACRCTL_EXIT_USAGE;
	}
	o = take_arguments(c, a, argc, argv);
	if (o >= 0)
		return o;
	return check_fold(c, a) || export_check(c, a) ? ACRCTL_EXIT_USAGE : -1;
}

/* Symbols from a file that the user named: without it they would be wrong, or missing. */
static int open_symbols(const struct view_args *a, struct view *v)
{
	const char *path = a->vmlinux ? a->vmlinux : a->kallsyms;
	const char *option = a->vmlinux ? "--vmlinux" : "--kallsyms";
	int err = sym_lookup_kernel_from(&v->space, a->vmlinux, a->kallsyms);

	if (err == -ENOEXEC)
		fprintf(stderr, "acrctl: %s %s: is not an ELF file; name an uncompressed kernel\n",
			option, path);
	else if (err == -ENODATA)
		fprintf(stderr, "acrctl: %s %s: holds no functions with addresses; %s\n", option,
			path, a->vmlinux ? "name a kernel that was not stripped" :
			"let root copy /proc/kallsyms");
	else if (err)
		fprintf(stderr,
			"acrctl: %s %s: %s; leave the option out to take the symbols of this machine\n",
			option, path, err == -ENOMEM ? "there is no memory left" : strerror(-err));
	return err;
}

/**
 * view_args_open() - open the recording that a command line names; view_end() in any case
 *
 * Return: 0 or -errno, after a message.
 */
int view_args_open(const struct view_args *a, struct view *v)
{
	int err, fd = STDIN_FILENO;

	heap_enlarge();
	if (a->from_stdin && isatty(fd)) {
		fprintf(stderr,
			"acrctl: %s is a terminal; pipe a recording into it, such as from 'acrctl record -o -'\n",
			a->path);
		return -ENOTTY;
	}
	if (!a->from_stdin)
		fd = open(a->path, O_RDONLY | O_CLOEXEC);
	v->space.no_debug = a->no_inline;
	err = view_open(v, fd, a->path);
	if (!a->from_stdin && fd >= 0)
		close(fd);
	if (!err)
		err = sources_open(&v->sources, &a->sources, a->command, &v->progress);
	v->space.sources = v->sources.sym;
	return err ? err : open_symbols(a, v);
}
