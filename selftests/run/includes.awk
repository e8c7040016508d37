# SPDX-License-Identifier: GPL-2.0-only
# Prints "FILE:LINE PATH" for each header of ours that a file includes; PATH is relative to the project, as the file names are.

# Resolves "." and ".." in a path.
function plain(path,	part, kept, n, i, k, out)
{
	n = split(path, part, "/")
	for (i = 1; i <= n; i++) {
		if (part[i] == ".." && k)
			k--
		else if (part[i] != "." && part[i] != "")
			kept[++k] = part[i]
	}
	for (i = 1; i <= k; i++)
		out = out (i > 1 ? "/" : "") kept[i]
	return out
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
	split($0, quoted, "\"")
	folder = FILENAME
	sub(/[^\/]*$/, "", folder)
	print FILENAME ":" FNR, plain(folder quoted[2])
}
# Found along -I: our libraries as their users include them
/^[ \t]*#[ \t]*include[ \t]*<(perfmon\/|acrpmu)/ {
	split($0, angled, /[<>]/)
	print FILENAME ":" FNR, "<" angled[2] ">"
}
