# SPDX-License-Identifier: GPL-2.0-only
# Counts the test points of a TAP stream: prints "PASSED FAILED SKIPPED", then each failure with its remarks, and each skip.
function fail(text) { failed++; detail[++lines] = "not ok  " text }
function explain(text) { detail[++lines] = "        " substr(text, 1, 200) }
# Where it failed stands in the first remarks, what was wrong in the last ones.
function explain_with_remarks(    i) {
	for (i = 1; i <= remarks; i++) {
		if (i <= shown / 2 || i > remarks - shown / 2)
			explain(remark[i])
		else if (i == shown / 2 + 1)
			explain("...")
	}
	remarks = 0
}

# Some programs explain a failure before its line, some after it.
BEGIN { shown = 8 }
/^#/ {
	remark[++remarks] = $0
	next
}
after_failure {
	explain_with_remarks()
	after_failure = 0
}

/^(not )?ok([ \t]|$)/ {
	points++
	text = $0
	sub(/^(not )?ok[ \t]*[0-9]*[ \t]*-?[ \t]*/, "", text)
	if ($1 == "not") {
		fail(text)
		explain_with_remarks()
		after_failure = 1
	} else if (tolower(text) ~ /#[ \t]*skip/) {
		skipped++
		detail[++lines] = "skip    " text
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
	if (substr($1, 4) == 0) {
		skipped++
		detail[++lines] = "skip    " $0
	}
	next
}
/^Bail out!/ { fail($0) }
END {
	if (after_failure)
		explain_with_remarks()
	if (!plans)
		fail("no test plan: the tests did not start")
	else if (planned != points)
		fail("the plans announce " planned + 0 " test points and " points + 0 " were run")
	print passed + 0, failed + 0, skipped + 0
	for (i = 1; i <= lines; i++)
		print detail[i]
}
