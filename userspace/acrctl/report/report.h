/* SPDX-License-Identifier: GPL-2.0-only */
/* What report and script share: the command line, and samples added up. */
#ifndef _ACRCTL_REPORT_H
#define _ACRCTL_REPORT_H

#include "../view.h"

struct export_format;
struct option;
struct view_args;

#define VIEW_CHOICES_MAX	16
#define VIEW_DEFAULT_PATH	"perf.data"

/* What a list on the command line may name: a field or a key. */
struct view_choice {
	const char *name;
	const char *alias;		/* NULL: none */
};

/* What differs between the command lines of report and script. */
struct view_command {
	const char *name;
	const char *usage;
	char list_letter;		/* of the option that takes the list */
	const char *list_name;		/* the same without dashes, NULL: it takes none */
	const char *list_shown;		/* the same in messages */
	const struct view_choice *choices;
	unsigned int nr_choices;
	bool has_graph;			/* it takes -g and --call-graph */
	bool has_exports;		/* it takes the options of export.c */
	bool has_fold;			/* it takes --fold */
	const char *ignored;		/* long option of perf without effect, NULL: none */
	const struct option *own;	/* further options, by letter, NULL: none */
	const char *own_letters;	/* the same for getopt() */
	/* takes one of them */
	void (*take_own)(struct view_args *a, int letter, const char *argument);
	bool has_argument;		/* it takes one, which is no option */
};

/* Whether chains are shown, and from which end. */
enum view_graph {
	VIEW_GRAPH_NONE,
	VIEW_GRAPH_CALLEE,		/* from a function to its callers */
	VIEW_GRAPH_CALLER,		/* from the outermost caller to the function */
};

struct view_args {
	const char *command;		/* that has these options */
	const char *path;		/* what messages call the recording */
	bool from_stdin;
	bool has_input;			/* @path is from the command line */
	const char *diff;		/* the recording to compare with, NULL: none */
	const char *vmlinux;		/* source of kernel symbols, NULL: not given */
	const char *kallsyms;		/* likewise, a copy of /proc/kallsyms */
	struct sources sources;		/* of files */
	const struct export_format *export;	/* NULL: print */
	const struct export_format *other_export;	/* given as well, NULL: none */
	const char *export_path;	/* - for standard output */
	const char *argument;		/* which is no option, NULL: none */
	bool json;
	bool fold;			/* print folded stacks */
	bool no_inline;			/* leave inlined functions out */
	enum view_graph graph;
	bool listed;			/* @chosen is from the command line */
	bool chosen[VIEW_CHOICES_MAX];
};

/* Properties that distinguish samples. */
enum hist_key {
	HIST_COMM,
	HIST_PID,
	HIST_TID,
	HIST_CPU,
	HIST_DSO,			/* the file, without its directory */
	HIST_SYM,
	HIST_NR_KEYS
};

/* Samples that agree in all chosen properties. */
struct hist_entry {
	__u32 event;
	char level;			/* VIEW_LEVEL_*, 0 without HIST_SYM */
	__u64 hash;			/* of what identifies it */
	const char *keys[HIST_NR_KEYS];	/* as text, empty where not chosen */
	__u64 samples;
	__u64 period;			/* sum of their periods */
	__u32 paths;			/* the last of their chains in the tree, or TREE_NONE */
};

/* All entries; zeroed it is empty. */
struct hist {
	struct hist_entry **entries;	/* ordered by hist_sort() */
	size_t nr;
	struct hist_entry **slots;	/* the same by their hashes, NULL: free */
	size_t nr_slots;		/* a power of 2, or 0 */
};

/* view_args.c */
int view_args_parse(const struct view_command *c, struct view_args *a, int argc, char **argv);
void view_args_set_input(struct view_args *a, const char *word);
bool view_args_choose(const struct view_command *c, struct view_args *a, char *list);
int view_args_open(const struct view_args *a, struct view *v);

/* hist.c */
struct hist_entry *hist_get(struct hist *h, const struct hist_entry *key);
struct hist_entry *hist_find(const struct hist *h, const struct hist_entry *key);
int hist_compare(const struct hist_entry *x, const struct hist_entry *y);
void hist_sort(struct hist *h);
void hist_free(struct hist *h);

#endif /* _ACRCTL_REPORT_H */
