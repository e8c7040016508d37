/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line that commands which read a recording have in common. */
#ifndef _ACRCTL_VIEW_ARGS_H
#define _ACRCTL_VIEW_ARGS_H

#include "../view.h"

#define VIEW_WORDS_MAX	16
#define VIEW_DEFAULT_PATH	"perf.data"

/**
 * struct view_word - a word of the list that says what to show
 * @name: the word
 * @alias: another name for it, NULL: none
 */
struct view_word {
	const char *name;
	const char *alias;
};

/**
 * struct view_command - what is the command's own on its command line
 * @name: its name
 * @usage: its help
 * @list_letter: the option that takes a list of words, as a letter
 * @list_name: the same as a word, without the dashes
 * @list_shown: the same as messages call it
 * @words: what may stand in the list
 * @nr_words: how many, at most VIEW_WORDS_MAX
 * @ignored: a long option that perf has and that changes nothing here, NULL: none
 */
struct view_command {
	const char *name;
	const char *usage;
	char list_letter;
	const char *list_name;
	const char *list_shown;
	const struct view_word *words;
	unsigned int nr_words;
	const char *ignored;
};

/**
 * struct view_args - a command line that was read
 * @path: the recording
 * @from_stdin: it comes from standard input; @path is what messages call that
 * @vmlinux: a file to take the kernel's symbols from, NULL: none was named
 * @kallsyms: a copy of /proc/kallsyms to take them from, NULL: none was named
 * @json: print JSON
 * @listed: @chosen is from the command line
 * @chosen: whether each word was in the list; without a list as it was before
 */
struct view_args {
	const char *path;
	bool from_stdin;
	const char *vmlinux;
	const char *kallsyms;
	bool json;
	bool listed;
	bool chosen[VIEW_WORDS_MAX];
};

int view_args_parse(const struct view_command *c, struct view_args *a, int argc, char **argv);
int view_args_open(const struct view_args *a, struct view *v);

#endif /* _ACRCTL_VIEW_ARGS_H */
