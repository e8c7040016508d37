// SPDX-License-Identifier: GPL-2.0-only
/* Tests that kmod/core stays pure: what it includes, and what it must not name. */
#include <ctype.h>
#include <dirent.h>

#include "core_helpers.h"

/* What any file of core may include besides headers of core. */
static const char * const allowed[] = {
	"../regs.h", "../../uapi/acrpmu.h", "linux/types.h", "linux/errno.h", "linux/perf_event.h",
};

/* Signs of MSR access, locks, allocation, clocks, output and other kernel or C library state. */
static const char * const forbidden[] = {
	"rdmsr", "wrmsr", "rdpmc(", "cpuid(", "spin_lock", "mutex", "kmalloc", "kzalloc", "malloc",
	"kfree", "free(", "printk", "pr_", "printf", "ktime", "sched_clock", "smp_processor_id",
	"this_cpu", "LINUX_VERSION_CODE", "__KERNEL__", "asm volatile",
};

static bool is_core_header(const char *name)
{
	char path[4096];
	FILE *file;

	if (strchr(name, '/'))
		return false;
	snprintf(path, sizeof(path), "%s/%s", CORE_DIR, name);
	file = fopen(path, "r");
	if (file)
		fclose(file);
	return file;
}

static bool include_is_allowed(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(allowed); i++) {
		if (!strcmp(name, allowed[i]))
			return true;
	}
	return is_core_header(name);
}

/* The name in a line like '#include "name"', or false. */
static bool get_include(const char *line, char *name, size_t size)
{
	size_t len;

	if (strncmp(line, "#include", strlen("#include")))
		return false;
	line += strcspn(line, "\"<") + 1;
	len = strcspn(line, "\">");
	snprintf(name, size, "%.*s", (int)len, line);
	return true;
}

/* Cut comments off a line; @in_comment: whether one is open, updated. */
static void strip_comments(char *line, bool *in_comment)
{
	char *from = line, *to = line;

	while (*from) {
		if (*in_comment) {
			*in_comment = strncmp(from, "*/", 2);
			from += *in_comment ? 1 : 2;
			continue;
		}
		if (!strncmp(from, "/*", 2)) {
			*in_comment = true;
			from += 2;
			continue;
		}
		if (!strncmp(from, "//", 2))
			break;
		*to++ = *from++;
	}
	*to = '\0';
}

/* A word is found at its start, so that "pr_" does not match "repr_". */
static const char *find_forbidden(const char *line)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(forbidden); i++) {
		const char *hit = strstr(line, forbidden[i]);

		if (hit && (hit == line || !(isalnum(hit[-1]) || hit[-1] == '_')))
			return forbidden[i];
	}
	return NULL;
}

/* A writable variable outside of functions: starts in column 0, ends in '= {' or ';', no '('. */
static bool is_global_state(const char *line)
{
	return isalpha(*line) && !strchr(line, '(') && !strstr(line, "const ") &&
	       (strchr(line, ';') || strchr(line, '=')) && strncmp(line, "typedef", 7) &&
	       strncmp(line, "struct", 6);
}

static void check_file(const char *name)
{
	char path[4096], line[1024], include[256];
	unsigned int number = 0, faults = 0;
	bool in_comment = false;
	const char *word;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", CORE_DIR, name);
	file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file)) {
		number++;
		if (get_include(line, include, sizeof(include)) && !include_is_allowed(include)) {
			printf("# %s:%u includes %s\n", name, number, include);
			faults++;
		}
		strip_comments(line, &in_comment);
		word = find_forbidden(line);
		if (word || is_global_state(line)) {
			printf("# %s:%u: %s\n", name, number, word ? word : "global state");
			faults++;
		}
	}
	if (file)
		fclose(file);
	ok(file && number && !faults, "%s includes and names nothing but its own", name);
}

/* The checks themselves: each must be able to find something. */
static void test_checks(void)
{
	char name[64], comment[] = "int x; /* wrmsr */ y; // malloc";
	char open[] = "a /* b", close[] = "c */ d";
	bool in_comment = false;

	ok(get_include("#include <linux/spinlock.h>\n", name, sizeof(name)) &&
	   !include_is_allowed(name), "a foreign header is seen");
	ok(include_is_allowed("types.h") && include_is_allowed("linux/errno.h"), "own ones not");
	is_str(find_forbidden("\twrmsrq(msr, value);"), "wrmsr", "a forbidden word is seen");
	ok(!find_forbidden("\trepr_x();"), "inside a word it is none");
	ok(is_global_state("static int count;") && is_global_state("u64 cache = 0;"),
	   "global state is seen");
	ok(!is_global_state("static const int count = 1;") && !is_global_state("\tint count;"),
	   "constants and locals are none");
	strip_comments(comment, &in_comment);
	is_str(comment, "int x;  y; ", "comments are cut off");
	strip_comments(open, &in_comment);
	strip_comments(close, &in_comment);
	ok(!strcmp(open, "a ") && !strcmp(close, " d") && !in_comment, "over lines, too");
}

int main(void)
{
	DIR *dir = opendir(CORE_DIR);
	unsigned int files = 0;
	struct dirent *entry;

	plan(0);
	test_checks();
	while (dir && (entry = readdir(dir))) {
		size_t len = strlen(entry->d_name);

		/* only types.h knows both builds */
		if (len < 3 || !strcmp(entry->d_name, "types.h") ||
		    (strcmp(entry->d_name + len - 2, ".c") &&
		     strcmp(entry->d_name + len - 2, ".h")))
			continue;
		check_file(entry->d_name);
		files++;
	}
	ok(files >= 19, "%u files of kmod/core were read", files);
	if (dir)
		closedir(dir);
	return done();
}
