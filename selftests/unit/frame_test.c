// SPDX-License-Identifier: GPL-2.0-only
/* Tests of walking along a call chain, and of adding chains up to a tree. */
#include <linux/perf_event.h>
#include <stdlib.h>

#include "tap.h"
#include "userspace/acrctl/frame.h"
#include "userspace/acrctl/report/tree.h"
#include "userspace/acrctl/stack.h"

#define KERNEL	((__u64)PERF_CONTEXT_KERNEL)
#define USER	((__u64)PERF_CONTEXT_USER)

/* As text: each address with k or u before it. */
static const char *walk(const __u64 *chain, __u64 nr, __u16 misc)
{
	struct pd_sample s = {
		.fields = PERF_SAMPLE_CALLCHAIN, .misc = misc, .chain = chain, .nr_chain = nr,
	};
	struct frame_walk w = { 0 };
	static char text[128];
	size_t len = 0;

	*text = 0;
	while (frame_next(&s, &w))
		len += snprintf(text + len, sizeof(text) - len, "%s%c%llx", len ? " " : "",
				w.kernel ? 'k' : 'u', w.ip);
	return text;
}

static void test_walk(void)
{
	static const __u64 both[] = { KERNEL, 1, 2, USER, 3, 4 };
	static const __u64 bare[] = { 5, 6 };
	static const __u64 guest[] = { USER, 1, (__u64)PERF_CONTEXT_GUEST_KERNEL, 2, USER, 3 };
	static const __u64 other[] = { USER, 1, (__u64)-4000, 2 };
	struct pd_sample none = { .chain = bare, .nr_chain = 2 };
	struct frame_walk w = { 0 };

	is_str(walk(both, 6, PERF_RECORD_MISC_KERNEL), "k1 k2 u3 u4", "both levels");
	is_str(walk(both + 3, 3, PERF_RECORD_MISC_USER), "u3 u4", "one");
	is_str(walk(both, 4, PERF_RECORD_MISC_KERNEL), "k1 k2", "a marker without frames");
	is_str(walk(both, 0, PERF_RECORD_MISC_KERNEL), "", "an empty chain");
	is_str(walk(bare, 2, PERF_RECORD_MISC_KERNEL), "k5 k6", "without markers: the sample's");
	is_str(walk(bare, 2, PERF_RECORD_MISC_USER), "u5 u6", "level");
	is_str(walk(guest, 6, PERF_RECORD_MISC_USER), "u1", "a guest's part ends it");
	is_str(walk(other, 4, PERF_RECORD_MISC_USER), "u1", "and so does a marker of the future");
	ok(!frame_next(&none, &w), "a sample without the field has no chain");
}

static struct tree tree;

/* A path of one or two functions, behind the one added before. */
static void add(const struct tree_function *f, const struct tree_function *g, __u64 period)
{
	const __u32 path[] = { tree_function(&tree, f), g ? tree_function(&tree, g) : TREE_NONE };
	__u32 last = tree.nr_paths ? tree.nr_paths - 1 : TREE_NONE;
	__u32 number = tree_add(&tree, path, g ? 2 : 1, last);

	tree.paths[number].samples = 1;
	tree.paths[number].period = period;
}

static const char *name(const struct tree_node *node)
{
	return tree.functions[node->function].symbol;
}

static void test_tree(void)
{
	const struct tree_function a = { .symbol = "a", .dso = "x", .level = '.' },
				   b = { .symbol = "b", .dso = "x", .level = '.' },
				   ka = { .symbol = "a", .dso = "x", .level = 'k' };
	struct tree_node root, *next, *below;
	size_t nr, nr_below;

	add(&a, &b, 10);
	add(&ka, NULL, 5);
	add(&b, NULL, 100);
	add(&a, &b, 20);
	add(&a, NULL, 3);
	ok(!tree_root(&tree, tree.nr_paths - 1, &root) && root.nr_paths == 5, "a root of all");
	ok(!tree_next(&tree, &root, &next, &nr), "what comes first");
	is_u64(nr, 3, "functions of one name and different levels are different");
	is_str(name(&next[0]), "b", "the heaviest comes first");
	is_u64(next[1].period, 33, "periods are added up");
	is_u64(next[1].samples, 3, "and samples");
	is_u64(tree.functions[next[2].function].level, 'k', "the lightest comes last");
	ok(!tree_next(&tree, &next[1], &below, &nr_below) && nr_below == 1,
	   "what follows is added up, too");
	is_str(name(&below[0]), "b", "under its name");
	is_u64(below[0].period, 30, "with its periods, but not of a path that ends before");
	is_u64(below[0].depth, 2, "at its depth");
	free(below);
	ok(!tree_next(&tree, &next[0], &below, &nr_below) && !nr_below, "nothing follows an end");
	free(below);
	free(next);
	free(root.paths);
	ok(!tree_root(&tree, TREE_NONE, &root) && !root.nr_paths, "a tree without paths");
	free(root.paths);
	tree_free(&tree);
}

/* Few of the addresses of a function, of the kernel or of nothing, take the place of another. */
static void test_known(bool kernel, const char *name)
{
	__u64 chain[1000], base = kernel ? 0xffffffff81000000 : 0x555555554000;
	struct pd_sample s = {
		.fields = PERF_SAMPLE_CALLCHAIN, .chain = chain, .nr_chain = 1000,
		.misc = kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
	};
	struct view v = { .space = { .kernel_tried = true, .kernel_moved = true } };
	struct sym_map map = { .start = base, .end = base + 0x10000 };
	struct sym_build_id none = { 0 };
	struct stack st = { 0 };
	size_t i;

	for (i = 0; i < s.nr_chain; i++)
		chain[i] = base + 4 * i;
	ok(!sym_space_map(&v.space, kernel, 0, &map, kernel ? SYM_KERNEL_NAME : "[code]", &none),
	   "%s is mapped", name);
	ok(!stack_read(&st, &v, &s) && st.nr == s.nr_chain, "every frame of %s", name);
	ok(st.nr_known_frames > 950, "%s: %zu of 1000 addresses are kept", name,
	   st.nr_known_frames);
	stack_free(&st);
	sym_space_free(&v.space);
}

int main(void)
{
	plan(0);
	test_known(true, "the kernel");
	test_known(false, "a file");
	test_walk();
	test_tree();
	return done();
}
