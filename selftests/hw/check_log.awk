# SPDX-License-Identifier: GPL-2.0-only
# The model CPU's log of a boot as TAP: complete, no access of the module refused, every PMI handled.
# Every violation must come from the kernel's own probing at boot, before the module was first loaded, or match -v known=REGEX.
function number(key,    at, rest) {
	at = index($0, "\"" key "\":")
	rest = substr($0, at + length(key) + 3)
	return at ? rest + 0 : -1
}

function point(good, name) {
	points++
	print (good ? "ok " : "not ok ") points " - " name
	bad += !good
}

/"t":"viol"/ && !(known && $0 ~ known) {
	violations++
	# Kernel code lies above 0xffffffff80000000, modules above 0xffffffffc0000000.
	if ($0 ~ /"pc":"0xffffffff[c-f]/)
		modules++
	if ($0 ~ /"k":0/)
		users++
}
/"t":"final"/ {
	finals++
	failed += number("failed")
	raised += number("raised")
	delivered += number("delivered")
	masked += number("masked")
	lost += number("lost")
	taken += number("taken")
}
/"t":"end"/ { ended = number("lines") == NR - 1 }
END {
	point(ended, "the model's log is whole")
	point(finals >= 2, "each CPU has its totals")
	point(!modules, "no register access of a module was refused")
	point(!users, "no register access of a program was refused")
	point(raised == delivered + masked + lost && !failed, "each PMI raised was delivered, or lost for a reason")
	# Two that come while the CPU is in an NMI are taken as one.
	point(taken <= delivered, "no PMI was taken that was not delivered")
	print "# " violations + 0 " violations, " raised " PMIs raised, " masked " masked, " taken " taken"
	print "1.." points
	exit bad != 0
}
