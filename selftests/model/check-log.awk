# SPDX-License-Identifier: GPL-2.0-only
# Compares the lines of the model's log with the totals in its final lines; prints one line for each difference.

# value of a numeric member
function number(key,	at)
{
	at = index($0, "\"" key "\":")
	return at ? substr($0, at + length(key) + 3) + 0 : 0
}

# sum of all numbers inside a member that is an object; @every and @from select columns of its arrays
function object_sum(key, every, from,	at, text, n, part, i, sum)
{
	at = index($0, "\"" key "\":{")
	if (!at)
		return 0
	text = substr($0, at + length(key) + 4)
	text = substr(text, 1, index(text, "}") - 1)
	gsub(/"[^"]*":/, "", text)
	gsub(/[][]/, "", text)
	n = split(text, part, ",")
	sum = 0
	for (i = 1; i <= n; i++)
		if (!every || (i - 1) % every == from)
			sum += part[i]
	return sum
}

function expect(what, lines, total)
{
	if (lines != total)
		print what " on CPU " cpu ": " lines " lines, total " total
}

{ cpu = number("c") }
/^{"t":"msr"/ { msr[cpu]++ }
/^{"t":"viol"/ { viol[cpu]++ }
/^{"t":"ovf"/ { ovf[cpu]++; self[cpu] += number("self"); ints[cpu] += number("int") }
/^{"t":"win"/ { win[cpu]++; handler[cpu] += number("handler") }
/^{"t":"pmi"/ { pmi[cpu]++ }
/^{"t":"final"/ {
	finals++
	expect("accesses", msr[cpu] + 0, object_sum("range_msrs") + object_sum("other_msrs"))
	expect("overflows", ovf[cpu] + 0, object_sum("cntrs", 4, 0))
	expect("overflows with interrupt", ints[cpu] + 0, object_sum("cntrs", 4, 1))
	expect("self-reloads", self[cpu] + 0, object_sum("cntrs", 4, 2))
	expect("windows", win[cpu] + 0, number("nr"))
	expect("handler instructions", handler[cpu] + 0, windows_handler())
	expect("refused accesses", viol[cpu] + 0, violations())
	if (pmi[cpu] != number("raised"))
		print "pmi lines on CPU " cpu ": " pmi[cpu] + 0 ", raised " number("raised")
	if (number("raised") != number("delivered") + number("masked") + number("lost") || number("failed"))
		print "pmi on CPU " cpu ": raised " number("raised") ", delivered " number("delivered") \
			", masked " number("masked") ", lost " number("lost") ", failed " number("failed")
	# the machine may power off between delivery and acceptance
	if (number("taken") != number("delivered") && number("taken") != number("delivered") - 1)
		print "pmi on CPU " cpu ": delivered " number("delivered") ", taken " number("taken")
}
END {
	if (!finals)
		print "no final line"
}

function windows_handler(	text)
{
	text = substr($0, index($0, "\"windows\":{"))
	return substr(text, index(text, "\"handler\":") + 10) + 0
}

function violations(	text, part)
{
	text = substr($0, index($0, "\"viols\":[") + 9)
	split(text, part, /[],]/)
	return part[1] + part[2]
}
