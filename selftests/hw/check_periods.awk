# SPDX-License-Identifier: GPL-2.0-only
# The model CPU's log while periods change as TAP: no window is begun or ended with periods of two changes.
# Between the marks of periods_test, with a tag that names both counters (instructions, cycles), which are fixed ones: the period of
# instructions is twice that of cycles, and what is counted begins with the reload values in force.
function text(key,    at, rest) {
	at = index($0, "\"" key "\":")
	if (!at)
		return ""
	rest = substr($0, at + length(key) + 3)
	sub(/^"/, "", rest)
	sub(/[",}].*/, "", rest)
	return rest
}

function hex(word,    i, n) {
	sub(/^0x/, "", word)
	n = 0
	for (i = 1; i <= length(word); i++)
		n = n * 16 + index("0123456789abcdef", substr(word, i, 1)) - 1
	return n
}

# the lower 32 bits
function low(word) {
	sub(/^0x/, "", word)
	return length(word) > 8 ? substr(word, length(word) - 7) : word
}

function period(cpu, cntr) { return 4294967296 - hex(reload[cpu, cntr]) }

function is_mixed(cpu) { return period(cpu, insns) != 2 * period(cpu, cycles) }

function point(good, name) {
	points++
	print (good ? "ok " : "not ok ") points " - " name
	bad += !good
}

/"t":"mark"/ {
	tag = text("tag") + 0
	if (int(tag / 65536) == 20549 && int(tag / 256) % 256 >= 32 && tag != 1346719300) {
		insns = int(tag / 256) % 256
		cycles = tag % 256
		on = 1
	} else if (tag == 1346719300) {
		on = 0
	}
}

# Reload values from the start: the first are written before the mark.
/"op":"wr"/ {
	msr = hex(text("m"))
	# 0x1980 + 4n is fixed counter n, and 3 more its reload value
	if (msr >= 6528 && msr < 6592 && msr % 4 == 3) {
		cntr = 32 + int((msr - 6528) / 4)
		reload[text("c"), cntr] = low(text("v"))
		fresh[text("c"), cntr] = 1
		changes += on && cntr == insns
	}
	if (msr >= 6528 && msr < 6592 && msr % 4 == 0)
		value[text("c"), 32 + int((msr - 6528) / 4)] = low(text("v"))
	# IA32_FIXED_CTR_CTRL with the user bit of the first counter
	if (on && msr == 909 && int(hex(text("v")) / 2 ^ (4 * (insns - 32) + 1)) % 2) {
		cpu = text("c")
		started++
		mixed += is_mixed(cpu)
		if (fresh[cpu, insns])
			stale += value[cpu, insns] != reload[cpu, insns] ||
				 value[cpu, cycles] != reload[cpu, cycles]
		fresh[cpu, insns] = 0
	}
}

on && /"t":"ovf"/ {
	cntr = text("n") + 0
	if (cntr == insns || cntr == cycles) {
		ended++
		torn += is_mixed(text("c"))
	}
}

END {
	point(changes > 200, "reload values change while the session runs")
	point(started > 200 && !mixed, "counting never begins with periods of two changes")
	point(!stale, "after a change counting begins with whole periods")
	point(ended > 200 && !torn, "no window ends with periods of two changes")
	print "# " changes + 0 " changes, " started + 0 " starts, " ended + 0 " windows, " mixed + 0 " mixed, " stale + 0 " stale, " torn + 0 " torn"
	print "1.." points
	exit bad != 0
}
