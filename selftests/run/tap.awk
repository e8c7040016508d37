# SPDX-License-Identifier: GPL-2.0-only
# Counts the test points of a TAP stream: prints "PASSED FAILED SKIPPED FAULTS", then each failure with its remarks and how to run
# it alone, and each skip. FAULTS are failures that never run again: a crash, a hang, a wrong register, a message of the kernel.
# -v name=NAME of the result and skips=FILE: a skip that the file does not expect is a failure; -v suite=NAME where="KERNEL=6.1 ..."
function fail(text) { failed++; detail[++lines] = "not ok  " text; note_fault(text) }
function note_fault(text) { if (text ~ fault) faulty = 1 }
function explain(text) { detail[++lines] = "        " substr(text, 1, 200) }
function quoted(text) { gsub(/\$/, "$$", text); gsub(/'/, "'\\''", text); return "'" text "'" }
# "# program: " comes before the points of each program.
function run_alone(test) {
	if (suite == "" || program == "")
		return
	sub(/[ \t]+#.*/, "", test)
	detail[++lines] = "        run it alone: make try T=" quoted(suite "/" program ":" test) where
}
function end_failure() {
	explain_with_remarks()
	run_alone(failing)
	faults += faulty
	after_failure = faulty = 0
}
# expected(TEXT): a line of the file is the name of a result, as a regular expression, and one for the text of the skip.
function expected(text,    i) {
	for (i = 1; i <= nr_skips; i++)
		if (name ~ "^(" skip_name[i] ")$" && text ~ skip_text[i])
			return 1
	return skips == ""
}
function skip(text) {
	if (!expected(text)) {
		fail("this skip is not expected, see " skips ": " text)
		faulty = 0
		return
	}
	skipped++
	detail[++lines] = "skip    " text
}
# Where it failed stands in the first remarks, what was wrong in the last ones.
function explain_with_remarks(    i) {
	for (i = 1; i <= remarks; i++) {
		note_fault(remark[i])
		if (i <= shown / 2 || i > remarks - shown / 2)
			explain(remark[i])
		else if (i == shown / 2 + 1)
			explain("...")
	}
	remarks = 0
}

# Some programs explain a failure before its line, some after it.
BEGIN {
	shown = 8
	fault = "[Rr]egister|MSR|signal|Sanitizer|exit status|no end after|timeout|core dumped|Segmentation|WARNING:|BUG:|died|killed|leaves nothing behind"
	# what the C library says before it aborts a program
	fault = fault "|Assertion .* failed|stack smashing|double free|corrupted|invalid (pointer|size)"
	while (skips != "" && (getline line < skips) > 0) {
		if (line ~ /^(#|$)/)
			continue
		split(line, part, "\t+")
		skip_name[++nr_skips] = part[1]
		skip_text[nr_skips] = part[2]
	}
}
/^# program:/ {
	if (after_failure)
		end_failure()
	program = $3
	sub(/.*\//, "", program)
	sub(/(_test)?(\.[a-z]+)?$/, "", program)
	remarks = 0
	next
}
/ERROR: [A-Za-z]*Sanitizer|: runtime error: / { sanitizer = 1 }
/^#/ {
	remark[++remarks] = $0
	next
}
after_failure { end_failure() }

/^(not )?ok([ \t]|$)/ {
	points++
	text = $0
	sub(/^(not )?ok[ \t]*[0-9]*[ \t]*-?[ \t]*/, "", text)
	if ($1 == "not") {
		fail(text)
		failing = text
		explain_with_remarks()
		after_failure = 1
	} else if (tolower(text) ~ /#[ \t]*skip/) {
		skip(text)
	} else {
		passed++
	}
	remarks = 0
	next
}
/^1\.\.[0-9]+/ {
	plans++
	planned += substr($1, 4)
	# A plan of 0 tests skips the whole program.
	if (substr($1, 4) == 0)
		skip($0)
	next
}
/^Bail out!/ { fail($0); faults++ }
END {
	if (after_failure)
		end_failure()
	if (!plans) {
		fail("no test plan: the tests did not start")
		faults++
	} else if (planned != points) {
		fail("the plans announce " planned + 0 " test points and " points + 0 " were run")
		faults++
	}
	# Where a program prints it is no remark of a point.
	if (sanitizer && failed)
		faults++
	print passed + 0, failed + 0, skipped + 0, faults + 0
	for (i = 1; i <= lines; i++)
		print detail[i]
}
