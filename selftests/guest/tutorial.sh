#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs the commands of Documentation/tutorial.rst that are for this CPU, and compares what they print with what it shows.
# In the text a comment ".. on PROFILE" names the CPU; below, in literal blocks, lines with "$ " are commands.
# shellcheck source=selftests/guest/record_common.sh
. "$(dirname "$0")/record_common.sh"
echo 0 > /proc/sys/kernel/nmi_watchdog
text=$ACR_PROJECT/Documentation/tutorial.rst
export PATH=$ACR_BUILD:$ACR_BUILD/workloads:$PATH
cd "$work" || exit 1

# blocks: what the text shows for this CPU, without indentation
blocks()
{
	awk -v profile="$ACR_PROFILE" '
	/^\.\. on / { here = $3 == profile }
	/^[^ ]/ { literal = /::$/ }
	literal && here && /^    / { print substr($0, 5) }' "$text"
}

# compare WANT GOT: prints the lines that differ. Numbers may differ by 2 %, or by 2, because what the kernel does on the same CPU
# changes guesses of the branch predictor; seconds by any number. Blanks and empty lines do not matter.
compare()
{
	awk '
	function number(word) { gsub(/[,%()]/, "", word); return word ~ /^[0-9]+(\.[0-9]+)?$/ ? word + 0 : -1 }
	function alike(one, other,   a, b)
	{
		if (one == other)
			return 1
		a = number(one)
		b = number(other)
		return a >= 0 && b >= 0 && (a - b) ^ 2 <= (2 + b / 50) ^ 2
	}
	NR == FNR { want[nr_want = FNR] = $0; next }
	{ got[nr_got = FNR] = $0 }
	END {
		for (line = 1; line <= nr_want || line <= nr_got; line++) {
			n = split(want[line], a)
			same = n == split(got[line], b)
			if (same && a[n] == "seconds")
				a[1] = b[1]
			for (i = 1; same && i <= n; i++)
				same = alike(a[i], b[i])
			if (!same)
				printf "#   text \"%s\"\n#   here \"%s\"\n", want[line], got[line]
		}
	}' "$1" "$2"
}

# check COMMAND: runs it, and compares with what the text shows, in $work/want
check()
{
	bash -c "$1" 2>&1 < /dev/null | tee -a "$log" | grep . > "$work/got"
	compare "$work/want" "$work/got" > "$work/differences"
	is "$(wc -l < "$work/differences")" 0 "$1"
	cat "$work/differences"
}

log=$ACR_OUT/tutorial-$ACR_PROFILE.txt
: > "$log"
command='' nr=0
while IFS= read -r line <&3; do
	case $line in
	'$ '*)
		[ -z "$command" ] || check "$command"
		command=${line#\$ } nr=$((nr + 1))
		echo "$line" >> "$log"
		: > "$work/want" ;;
	*) echo "$line" >> "$work/want" ;;
	esac
done 3< <(blocks)
[ -z "$command" ] || check "$command"
holds "the text has commands for $ACR_PROFILE" [ $nr -ge 2 ]
finish
