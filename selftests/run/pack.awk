# SPDX-License-Identifier: GPL-2.0-only
# Puts suites that need the same guest into as few boots as keep each below a limit, since CPUs must not idle beside the last one.
# Input: SUITE<tab>SECONDS<tab>KERNEL<tab>PROFILE<tab>more that must be equal; output: BOOT<tab>SECONDS<tab>KERNEL<tab>PROFILE<tab>SUITES
BEGIN {
	FS = OFS = "\t"
	boot_s = 12	# what a guest takes to boot
	limit_s = 420
}
{
	key = $0
	sub(/^[^\t]*\t[^\t]*\t/, "", key)
	if (!(key in nr))
		keys[++nr_keys] = key
	i = ++nr[key]
	suite[key, i] = $1
	seconds[key, i] = $2
	sum[key] += $2
}

# The longest first, each into the boot that has least to do so far
function pack(key, boots,    i, j, next_one, least) {
	for (j = 1; j <= boots; j++) {
		total[j] = boot_s
		list[j] = ""
	}
	for (i = 1; i <= nr[key]; i++) {
		next_one = 0
		for (j = 1; j <= nr[key]; j++)
			if (!((key, j) in placed) && (!next_one || seconds[key, j] > seconds[key, next_one]))
				next_one = j
		placed[key, next_one] = 1
		least = 1
		for (j = 2; j <= boots; j++)
			if (total[j] < total[least])
				least = j
		total[least] += seconds[key, next_one]
		list[least] = list[least] (list[least] == "" ? "" : " ") suite[key, next_one]
	}
}

END {
	for (k = 1; k <= nr_keys; k++) {
		split(keys[k], part, FS)
		kernel = part[1]
		sub(/.*\//, "", kernel)
		boots = int((sum[keys[k]] + limit_s - 1) / limit_s)
		if (boots < 1)
			boots = 1
		if (boots > nr[keys[k]])
			boots = nr[keys[k]]
		pack(keys[k], boots)
		for (j = 1; j <= boots; j++)
			print "boot-" kernel "-" part[2] "-" ++number[kernel, part[2]], total[j], part[1], part[2], list[j]
	}
}
