# SPDX-License-Identifier: GPL-2.0-only
# A table of the lines of kmod outside of core that ran, by file, and the lines that never did and have no reason for it.
# Input: what `lines` prints, of any number of modules and boots. A line is one where a statement begins; it ran if any of its code did, in
# any of them. What begins in the first column is none, a function's head and braces: copies of one that
# is inlined share them.
# -v reasons=FILE: lines that cannot run, see there; -v judge=1: TAP points for the share of lines and for the reasons
# Sources are read in the working directory, the project's.

# file_of(PATH): its name from kmod/ on; nothing for a file that is not counted
function file_of(path) {
	gsub(/\/(\.\/)+/, "/", path)
	return match(path, /(^|\/)kmod\/[^\/]+$/) ? substr(path, RSTART + (substr(path, RSTART, 1) == "/")) : ""
}

# Functions begin in the first column, and so do the macros that make some.
function read_source(file,    text, line, name) {
	while ((getline text < file) > 0) {
		if (text ~ /^[A-Za-z_].*\(/) {
			name = text
			sub(/\(.*/, "", name)
			sub(/.*[^A-Za-z0-9_]/, "", name)
		}
		line++
		if (text ~ /^[^ \t]/)
			margin[file, line]
		gsub(/^[ \t]+|[ \t]+$/, "", text)
		source[file, line] = text
		whole[file, line] = file " " name ":"
	}
	close(file)
}

# A line at the margin is a reason, and each indented one after it a line that it is for: FILE FUNCTION: TEXT; without a text all of them
function read_reasons(    text, reason) {
	while ((getline text < reasons) > 0) {
		if (text ~ /^(#|$)/)
			continue
		if (text !~ /^\t/)
			reason = text
		else if (reason == "" || text !~ /^\t[^ ]+ [A-Za-z0-9_]+:/)
			wrong[++nr_wrong] = text
		else
			named[substr(text, 2)] = reason
	}
	close(reasons)
}

# has_reason(FILE, LINE): notes that the reason is used
function has_reason(file, line,    key) {
	key = whole[file, line] " " source[file, line]
	if (!(key in named))
		key = whole[file, line]
	if (!(key in named))
		return 0
	used[key]
	return 1
}

function row(name, nr, runs) { return sprintf("%-24s %6d %6d %6.1f %%", name, nr, runs, 100 * runs / nr) }
function verdict(good, name) { printf "%sok %d - %s\n", good ? "" : "not ", ++points, name }

BEGIN {
	FS = "\t"
	least = 95
	in_order = "sort -t : -k 1,1 -k 2,2n"
}
{
	match($1, /:[0-9]+$/)
	line = substr($1, RSTART + 1)
	file = file_of(substr($1, 1, RSTART - 1))
	if (file == "")
		next
	if (!(file in nr)) {
		nr[file] = 0
		read_source(file)
	}
	if ($3 && !((file, line) in begins) && !((file, line) in margin)) {
		nr[file]++
		sum++
		begins[file, line]
	}
	if ($2)
		ran[file, line]
}
END {
	read_reasons()
	for (key in begins)
		if (key in ran) {
			split(key, part, SUBSEP)
			runs[part[1]]++
			sum_runs++
		}
	print "file                      lines    ran"
	for (file in nr)
		if (nr[file])
			print row(file, nr[file], runs[file]) | "sort"
	close("sort")
	if (sum)
		print row("all", sum, sum_runs)
	for (key in begins) {
		split(key, part, SUBSEP)
		if (!(key in ran) && !has_reason(part[1], part[2])) {
			unexplained++
			print part[1] ":" part[2] ": " substr(whole[key], length(part[1]) + 2) " " source[key] | in_order
		}
	}
	close(in_order)
	for (key in named)
		if (!(key in used))
			wrong[++nr_wrong] = key
	for (i = 1; i <= nr_wrong; i++)
		print reasons ": not of a line that never ran: " wrong[i] | "sort"
	close("sort")
	if (!judge)
		exit
	verdict(sum && 100 * sum_runs >= least * sum,
		sprintf("at least %d %% of the lines of kmod outside of core ran (%d of %d)", least, sum_runs, sum))
	verdict(!unexplained, "each line that never ran has a reason (" unexplained + 0 " have none)")
	verdict(!nr_wrong, "each reason is of lines that never ran (" nr_wrong + 0 " are not)")
	print "1.." points
}
