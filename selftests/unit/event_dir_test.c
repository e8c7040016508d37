// SPDX-License-Identifier: GPL-2.0-only
/* Arch directories of both forms: tables, mapping table, errors, and the C generated from them. */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports.h"
#include "tap.h"
#include "userspace/gen/emit.h"
#include "userspace/gen/event_dir.h"

static char dir_name[64];

/* A new empty directory in place of an older one. */
static void new_dir(void)
{
	char command[128];

	if (*dir_name) {
		snprintf(command, sizeof(command), "rm -rf '%s'", dir_name);
		if (system(command))
			printf("# '%s' failed\n", command);
	}
	strcpy(dir_name, "/tmp/event_dir_test.XXXXXX");
	if (!mkdtemp(dir_name))
		abort();
}

/* A file in it; missing directories are made. */
static void put_file(const char *name, const char *text)
{
	char path[512], *slash;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir_name, name);
	for (slash = path + strlen(dir_name) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	file = fopen(path, "w");
	if (!file || fputs(text, file) < 0 || fclose(file))
		abort();
}

static int load(const char *path, struct event_dir *dir)
{
	*reports = '\0';
	memset(dir, 0xcc, sizeof(*dir));
	return event_dir_load(path, keep_report, NULL, dir);
}

/* Texts of reports, one after another. */
static void keep_text(void *ctx, const struct event_report *report)
{
	char *text = ctx;

	strncat(text, report->text, 1023 - strlen(text));
}

static const struct event_table *table_of(const struct event_dir *dir, const char *name)
{
	unsigned int i;

	for (i = 0; i < dir->maps.nr_tables; i++) {
		if (!strcmp(dir->maps.tables[i]->name, name))
			return dir->maps.tables[i];
	}
	return NULL;
}

/* Names and PMUs of a table: "A=cpu B=cpu ". */
static const char *names_of(const struct event_dir *dir, const char *name)
{
	const struct event_table *table = table_of(dir, name);
	static char names[4096];
	unsigned int i;

	if (!table)
		return NULL;
	*names = '\0';
	for (i = 0; i < table->nr && i < 50; i++)
		sprintf(names + strlen(names), "%s=%s ", table->text + table->rows[i].name,
			table->text + table->rows[i].pmu);
	return names;
}

static const struct event_row *row_of(const struct event_table *table, const char *name)
{
	unsigned int i;

	for (i = 0; table && i < table->nr; i++) {
		if (!strcmp(table->text + table->rows[i].name, name))
			return &table->rows[i];
	}
	return NULL;
}

static char *read_whole(const char *path)
{
	static char text[65536];
	FILE *file = fopen(path, "r");
	size_t len = file ? fread(text, 1, sizeof(text) - 1, file) : 0;

	text[len] = '\0';
	if (file)
		fclose(file);
	return text;
}

static bool emits(const struct event_dir *dir, const char *path)
{
	const char *want = read_whole(path);
	size_t len;
	char *text;
	bool same;

	if (emit_tables(&dir->maps, dir->text_len, &text, &len))
		return false;
	same = *want && len == strlen(want) && !memcmp(text, want, len);
	free(text);
	return same;
}

static void fixtures(void)
{
	struct event_dir dir;

	is_u64(load(FIXTURES "/perf", &dir), 0, "perf's form is read");
	is_str(reports, "mapfile.csv:7:Filename:note\n", "a directory that is missing is a note");
	is_u64(dir.maps.nr, 3, "its CPU is left out of the mapping table");
	ok(dir.maps.maps[0].table == dir.maps.maps[1].table, "two CPUIDs share one table");
	is_u64(dir.nr_files, 5, "five files");
	is_u64(dir.nr_metrics, 1, "a metric is no event");
	ok(emits(&dir, FIXTURES "/perf.c"), "perf's form gives the expected C");
	event_dir_free(&dir);
	is_u64(load(FIXTURES "/intel", &dir), 0, "Intel's form is read");
	is_str(reports, "mapfile.csv:6:Filename:note\n", "a file that is missing is a note");
	ok(emits(&dir, FIXTURES "/intel.c"), "Intel's form gives the expected C");
	event_dir_free(&dir);
}

static void parts_of_a_directory(void)
{
	struct event_dir dir;

	is_u64(load(FIXTURES "/perf/alpha", &dir), 0, "a directory of one CPU is read");
	ok(!*reports && dir.maps.nr_tables == 1 && !dir.maps.nr,
	   "... as one table without mapping");
	is_str(names_of(&dir, "alpha"), "INST_RETIRED.ANY=cpu L2.ALL=cpu LLC.MISS=cpu OCR.READ=cpu "
	       "stall.cycles=cpu UNC_CHA.CLOCK=uncore_cha UNC_QPI.DATA=uncore_qpi ",
	       "... named after the directory");
	event_dir_free(&dir);
	is_u64(load(FIXTURES "/perf/alpha/", &dir), 0, "with a slash behind it");
	ok(table_of(&dir, "alpha"), "... as well");
	event_dir_free(&dir);
	is_u64(load(FIXTURES "/perf/beta/other.json", &dir), 0, "one file is read");
	is_str(names_of(&dir, "other"), "PM_MADE_UP=cpu ", "... and named after it");
	event_dir_free(&dir);
	is_u64(load(FIXTURES "/intel/TST", &dir), 0, "Intel's directory of one CPU");
	ok(table_of(&dir, "TST"), "... is named after it, not after 'events' below");
	event_dir_free(&dir);
	is_u64(load(FIXTURES "/intel/TST/events", &dir), 0, "that below");
	ok(table_of(&dir, "TST"), "... as well");
	event_dir_free(&dir);
	is_u64(load(FIXTURES "/intel/TST/events/Testmont_core.json", &dir), 0, "one of Intel's");
	ok(table_of(&dir, "testmont"), "... is named without _core, in small letters");
	event_dir_free(&dir);
}

static void nothing_to_read(void)
{
	struct event_dir dir;

	is_u64(load("/nonexistent/dir", &dir), -ENOENT, "a directory that is not there");
	ok(!*reports && !dir.maps.nr_tables, "... leaves nothing behind");
	event_dir_free(&dir);
	new_dir();
	is_u64(load(dir_name, &dir), 0, "an empty directory");
	ok(dir.nr_fatal == 1 && !dir.maps.nr_tables, "... is a fatal report");
	event_dir_free(&dir);
	put_file("mapfile.csv", "header only\n");
	is_u64(load(dir_name, &dir), 0, "a mapfile of nothing but its first line");
	ok(!*reports && !dir.maps.nr_tables && !dir.maps.nr,
	   "... gives no tables, without a report");
	event_dir_free(&dir);
	put_file("a.txt", "[]");
	is_u64(load(FIXTURES "/perf/alpha/notes.txt", &dir), 0, "a file that is not called .json");
	is_str(reports, "notes.txt:0::fatal\n", "... is a fatal report");
	event_dir_free(&dir);
}

#define EVENT(name, code)	"{\"EventName\":\"" name "\",\"EventCode\":\"" code "\"}"

static void faults(void)
{
	struct event_dir dir;

	new_dir();
	put_file("mapfile.csv", "h\nA-1,v1,a,core\nB-1,v1,b,core\n");
	put_file("a/good.json", "[" EVENT("GOOD", "1") "]");
	put_file("a/bad.json",
		 "[" EVENT("LOST", "2") ",\n" EVENT("ALSO", "300") ",{\"EventName\":x}]");
	put_file("b/twice.json", "[\n" EVENT("one", "1") ",\n" EVENT("Other", "2") ",\n"
		 EVENT("ONE", "3") ",\n" EVENT("WIDE", "0x100") "]");
	is_u64(load(dir_name, &dir), 0, "a broken file does not keep others from being read");
	is_str(reports, "bad.json:2:EventCode:note\nbad.json:2:EventName:fatal\n"
	       "twice.json:5:EventCode:note\ntwice.json:4:EventName:note\n",
	       "each fault is reported with file, line and field");
	is_str(names_of(&dir, "a"), "GOOD=cpu ", "no event of a broken file is used");
	is_str(names_of(&dir, "b"), "one=cpu Other=cpu ",
	       "of a name that is there twice the first is used");
	ok(dir.nr_fatal == 1 && dir.nr_left_out == 2 && dir.nr_reports == 4,
	   "reports and events that were left out are counted");
	event_dir_free(&dir);
	put_file("mapfile.csv", "h\nA-1,v1,a,core\n(B,v1,b,core\n");
	load(dir_name, &dir);
	ok(strstr(reports, "mapfile.csv:3:CPUID:fatal\n") && dir.maps.nr == 1,
	   "a bad line of the mapfile leaves out its CPU");
	is_str(names_of(&dir, "b"), "one=cpu Other=cpu ", "... and its table has the name");
	event_dir_free(&dir);
}

/* Their fields have other meanings: they must not become events of the module. */
static void itanium(void)
{
	struct event_dir dir;

	new_dir();
	put_file("mapfile.csv", "h\nA-1,v1,a,core\nI-32,v1,it,itanium\nI-33,v1,gone,itanium\n");
	put_file("a/a.json", "[" EVENT("GOOD", "1") "]");
	put_file("it/b.json", "[{\"EventName\":\"B\",\"Index\":\"0\"}]");
	is_u64(load(dir_name, &dir), 0, "a mapfile with Itanium's events");
	is_str(reports, "", "... nothing is said of them, there or not");
	ok(!table_of(&dir, "it") && dir.maps.nr_tables == 1 && dir.maps.nr == 1,
	   "... they are no table");
	event_dir_free(&dir);
	put_file("mapfile.csv", "h\nA-1,v1,/a/a.json,core\nI-32,v1,/it/b.json,itanium\n");
	is_u64(load(dir_name, &dir), 0, "a mapfile of Intel's form with them");
	is_str(reports, "", "... nothing is said of them");
	ok(dir.maps.nr_tables == 1 && dir.maps.nr == 1, "... they are no table");
	event_dir_free(&dir);
}

static void matrices(void)
{
	struct event_dir dir;

	new_dir();
	put_file("mapfile.csv", "h\nA-1,v1,a,core\nB-1,v1,b,core\n");
	put_file("a/bad.json",
		 "[{\"MATRIX_REQUEST\":\"Q\",\"MATRIX_VALUE\":\"1\",\"MATRIX_REGISTER\":\"0,1\"},\n"
		 "{\"MATRIX_RESPONSE\":\"R\",\"MATRIX_VALUE\":\"1\",\"MATRIX_REGISTER\":\"0,1\"},\n"
		 "{\"EventName\":x}]");
	put_file("a/good.json",
		 "[{\"MATRIX_REQUEST\":\"G\",\"MATRIX_VALUE\":\"2\",\"MATRIX_REGISTER\":\"0,1\"},\n"
		 "{\"MATRIX_RESPONSE\":\"S\",\"MATRIX_VALUE\":\"2\",\"MATRIX_REGISTER\":\"0,1\"}]");
	put_file("b/one.json",
		 "[{\"MATRIX_REQUEST\":\"Q\",\"MATRIX_VALUE\":\"1\",\"MATRIX_REGISTER\":\"1\"},\n"
		 "{\"MATRIX_RESPONSE\":\"R\",\"MATRIX_VALUE\":\"1\",\"MATRIX_REGISTER\":\"0,1\"}]");
	is_u64(load(dir_name, &dir), 0, "matrix files, one of them broken");
	is_str(names_of(&dir, "a"), "OFFCORE_RESPONSE.G.S=cpu ",
	       "requests and responses of a broken file are not used");
	is_str(names_of(&dir, "b"), "", "what is not in register 0 gives no event");
	is_str(reports, "bad.json:3:EventName:fatal\none.json:1:MATRIX_REGISTER:note\n",
	       "... and is reported");
	is_u64(dir.nr_left_out, 1, "... and counted as left out");
	event_dir_free(&dir);
}

static void fields_of_events(void)
{
	struct event_dir dir;
	const struct event_row *row;

	new_dir();
	put_file("mapfile.csv", "h\nGenuineIntel-6-DD,v1,a,core\n");
	put_file("a/x.json", "[{\"EventName\":\"EQ\",\"EventCode\":\"0x11\",\"CounterMask\":\"2\","
		 "\"Equal\":\"1\"}]");
	is_u64(load(dir_name, &dir), 0, "an event with Equal");
	row = row_of(table_of(&dir, "a"), "EQ");
	is_u64(row ? row->config : 0, 0x1002000011, "... is kept, with bit 36");
	is_str(reports, "", "... without a report");
	event_dir_free(&dir);
	put_file("a/x.json",
		 "[{\"UMask\":\"1\"},\n{\"SampleAfterValue\":\"1\"},\n{\"MSRIndex\":\"0x1a6\"},\n"
		 "{\"Unit\":\"core\",\"CountersNumFixed\":\"3\",\"CountersNumGeneric\":\"4\"},\n"
		 "{\"MetricName\":\"m\",\"MetricExpr\":\"a / b\"}]");
	is_u64(load(dir_name, &dir), 0, "entries with neither name nor code");
	is_str(reports, "x.json:1:EventName:note\nx.json:2:EventName:note\n"
	       "x.json:3:EventName:note\n", "... are reported where another field codes an event");
	is_u64(dir.nr_left_out, 3, "... and counted as left out");
	event_dir_free(&dir);
}

static void hybrids(void)
{
	struct event_dir dir;

	new_dir();
	put_file("mapfile.csv", "h\n"
		 "A-1,1,/E/small_core.json,hybridcore,0x20,1,Atom\n"
		 "A-1,1,/E/big_core.json,hybridcore,0x40,1,Core\n"
		 "A-1,1,/E/low_core.json,hybridcore,0x20,2,LowPower_Atom\n"
		 "A-1,1,/E/unc.json,uncore,,,\n"
		 "A-2,1,/E/shared_core.json,hybridcore,0x20,1,Atom\n"
		 "A-3,1,/E/shared_core.json,core,,,\n"
		 "A-4,1,/E/alone.json,fp_arith_inst,,,\n"
		 "A-4,1,/E/m.json,metrics,,,\n");
	put_file("E/small_core.json", "[" EVENT("S", "1") "]");
	put_file("E/big_core.json", "[" EVENT("B", "1") "]");
	put_file("E/low_core.json", "[" EVENT("L", "1") "]");
	put_file("E/shared_core.json", "[" EVENT("X", "1") "]");
	put_file("E/alone.json", "[" EVENT("F", "1") "]");
	put_file("E/m.json", "broken");
	put_file("E/unc.json", "[{\"EventName\":\"UNC\",\"EventCode\":\"1\",\"Unit\":\"iMC\"}]");
	is_u64(load(dir_name, &dir), 0, "a mapfile of hybrid CPUs is read");
	is_str(reports, "", "... metrics are not looked at");
	is_str(names_of(&dir, "small"), "S=cpu_atom UNC=uncore_imc ", "E-cores are cpu_atom");
	is_str(names_of(&dir, "big"), "B=cpu_core UNC=uncore_imc ", "P-cores are cpu_core");
	is_str(names_of(&dir, "low"), "L=cpu_lowpower UNC=uncore_imc ",
	       "the third kind cpu_lowpower");
	is_str(names_of(&dir, "shared"), "X=cpu ", "cores of both kinds of CPUs are just cpu");
	is_str(names_of(&dir, "alone"), "F=cpu ", "a CPU without a core file has the others'");
	is_u64(dir.maps.nr, 6, "one entry for each kind of core");
	is_u64(dir.maps.maps[2].native_model, 2, "... with the native model");
	event_dir_free(&dir);
	new_dir();
	put_file("mapfile.csv", "h\nA-1,1,both,core\n");
	put_file("both/c.json",
		 "[{\"EventName\":\"N\",\"EventCode\":\"2\",\"Unit\":\"cpu_core\"},\n"
		 "{\"EventName\":\"n\",\"EventCode\":\"1\",\"Unit\":\"cpu_atom\"}]");
	load(dir_name, &dir);
	is_str(names_of(&dir, "both"), "n=cpu_atom N=cpu_core ",
	       "a name of two kinds of cores in one directory is there for both");
	is_str(reports, "", "... and no duplicate");
	event_dir_free(&dir);
}

static void standard_events(void)
{
	struct event_dir dir;
	const struct event_row *row;

	new_dir();
	put_file("mapfile.csv", "h\n0x00000000410fd030,v1,arm/one,core\n");
	put_file("common.json", "[{\"EventName\":\"L1D_CACHE\",\"EventCode\":\"0x04\","
		 "\"BriefDescription\":\"common\"}]");
	put_file("arm/one/cache.json", "[{\"ArchStdEvent\":\"l1d_cache\"},"
		 "{\"ArchStdEvent\":\"L1D_CACHE\",\"EventName\":\"OWN\"},\n"
		 "{\"ArchStdEvent\":\"NONE\"}]");
	load(dir_name, &dir);
	is_str(names_of(&dir, "arm/one"), "L1D_CACHE=cpu OWN=cpu ",
	       "standard events are referred to");
	is_str(reports, "cache.json:2:ArchStdEvent:note\n", "one that is not there is reported");
	row = row_of(table_of(&dir, "arm/one"), "OWN");
	is_u64(row ? row->config : 0, 4, "fields that are missing come from them");
	event_dir_free(&dir);
}

static void same_bytes(void)
{
	static const char * const files[] = { "a/1.json", "a/2.json", "b/1.json", "z/x/1.json" };
	char *texts[2];
	size_t len[2];
	int pass, i;

	for (pass = 0; pass < 2; pass++) {
		struct event_dir dir;

		new_dir();
		for (i = 0; i < 4; i++) {
			char text[128];
			const int nr = pass ? 3 - i : i;

			snprintf(text, sizeof(text),
				 "[" EVENT("E%d", "%d") "," EVENT("D%d", "1") "]", nr, nr, nr);
			put_file(files[nr], text);
		}
		put_file("mapfile.csv", "h\nC-1,v1,z/x,core\nA-1,v1,a,core\nB-1,v1,b,core\n");
		load(dir_name, &dir);
		is_str(names_of(&dir, "a"), "D0=cpu D1=cpu E0=cpu E1=cpu ", "pass %d: sorted",
		       pass);
		if (emit_tables(&dir.maps, dir.text_len, &texts[pass], &len[pass]))
			abort();
		event_dir_free(&dir);
	}
	ok(len[0] == len[1] && !memcmp(texts[0], texts[1], len[0]),
	   "the order in which files were made does not matter");
	free(texts[0]);
	free(texts[1]);
}

static void odd_directories(void)
{
	char path[128];
	struct event_dir dir;

	new_dir();
	put_file("mapfile.csv", "h\nA-1,v1,a,core\n");
	put_file("a/x.json", "[" EVENT("A", "1") "]");
	put_file("a/.hidden.json", "broken");
	put_file("a/.json", "broken");
	put_file("a/x.json~", "broken");
	put_file("a/1/2/3/4/5/deep.json", "broken");
	snprintf(path, sizeof(path), "%s/a/loop", dir_name);
	if (symlink("..", path))
		abort();
	snprintf(path, sizeof(path), "%s/a/fifo.json", dir_name);
	mkfifo(path, 0600);
	snprintf(path, sizeof(path), "%s/a/dir.json", dir_name);
	mkdir(path, 0700);
	is_u64(load(dir_name, &dir), 0, "loops of links end");
	is_str(reports, "4:0::note\nloop:0::note\n",
	       "... and are reported, as is what is too deep; no JSON file or hidden is ignored");
	is_str(names_of(&dir, "a"), "A=cpu ", "... the rest is read");
	event_dir_free(&dir);
}

static void loops(void)
{
	char path[128], far[160];
	struct event_dir dir;

	new_dir();
	put_file("mapfile.csv", "h\nA-1,v1,a,core\nB-1,v1,b,core\n");
	put_file("a/x.json", "[" EVENT("A", "1") "]");
	snprintf(path, sizeof(path), "%s/a/self", dir_name);
	if (symlink(".", path))
		abort();
	snprintf(far, sizeof(far), "%s/b", dir_name);
	if (symlink("a", far))
		abort();
	load(dir_name, &dir);
	is_str(reports, "self:0::note\nself:0::note\n",
	       "a link to a directory above is not followed");
	ok(dir.maps.nr_tables == 2 && dir.maps.nr == 2,
	   "... so that its files are there once; one to another directory is");
	event_dir_free(&dir);
}

static void without_mapfile(void)
{
	static char text[1024];
	struct event_dir dir;

	new_dir();
	put_file("events/glm_core.json", "{\"Events\":[" EVENT("A", "1") "]}");
	put_file("metrics/README.txt", "no JSON");
	put_file("events/metrics.json",
		 "{\"Header\":{},\"Metrics\":[{\"MetricName\":\"m\"}]}");
	load(dir_name, &dir);
	is_str(reports, "", "no mapfile, and one directory with JSON files: no report");
	ok(dir.maps.nr_tables == 1 && !strcmp(names_of(&dir, dir.maps.tables[0]->name), "A=cpu "),
	   "... and it is used");
	is_u64(dir.nr_metrics, 1, "... metrics are counted");
	is_u64(dir.nr_warnings, 0, "... and no reason to warn");
	event_dir_free(&dir);
	put_file("more/x.json", "[{\"EventName\":\"B\",\"EventCode\":\"1\",\"UMsk\":\"2\"}]");
	load(dir_name, &dir);
	is_u64(dir.nr_warnings, 1, "a field of an unknown name is a warning");
	event_dir_free(&dir);
	put_file("more/x.json", "[" EVENT("B", "1") "]");
	put_file("other/x.json", "[" EVENT("C", "1") "]");
	*text = '\0';
	if (event_dir_load(dir_name, keep_text, text, &dir))
		abort();
	ok(dir.nr_fatal == 1 && dir.nr_reports == 1 && strstr(text, "'events'") &&
	   strstr(text, "'more'") && strstr(text, "'other'"),
	   "several of them: one report, which names them");
	event_dir_free(&dir);
}

static void empty_tables(void)
{
	static const struct event_maps none;
	size_t len;
	char *text;

	if (emit_tables(&none, 0, &text, &len))
		abort();
	ok(memmem(text, len, "const struct event_maps acrpmu_builtin_events = {\n\t.maps = NULL,\n"
		  "\t.nr = 0,\n\t.tables = NULL,\n\t.nr_tables = 0,\n};\n", 107),
	   "no tables at all are C too");
	free(text);
}

int main(void)
{
	plan(0);
	fixtures();
	parts_of_a_directory();
	nothing_to_read();
	faults();
	itanium();
	matrices();
	fields_of_events();
	hybrids();
	standard_events();
	same_bytes();
	odd_directories();
	loops();
	without_mapfile();
	empty_tables();
	new_dir();
	rmdir(dir_name);
	return done();
}
