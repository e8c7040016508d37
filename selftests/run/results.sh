# SPDX-License-Identifier: GPL-2.0-only
# What check.sh counts and prints of results: build/check/NAME.tap and NAME.seconds; sourced.
# shellcheck shell=bash disable=SC2154 # variables of check.sh

passed=0 failed=0 skipped=0
again=()	# red results that may run once more
flaky=()	# those that were green then, with what was red before

# Kernels come and go, so the newest one has no number in the tables of seconds.
in_table() { [ -s "$newest_file" ] && echo "${1/-$(< "$newest_file")/-newest}" || echo "$1"; }

# expected NAME: seconds that a result takes on two CPUs; those of a boot are in its suites.
expected()
{
	case $1 in
	boot-*) echo 5 ;;
	*) awk -v name="$(in_table "$1")" '$1 == name { print $2; found = 1 } END { if (!found) print 60 }' selftests/run/seconds ;;
	esac
}

# time_left: of the results that are due, as they are divided among the jobs
time_left()
{
	local name sum=0

	for name in "${!due[@]}"; do sum=$((sum + due[$name])); done
	printf '%d min left' $(((sum / jobs + 59) / 60))
}

# numbers NAME: prints "PASSED FAILED SKIPPED FAULTS", then failures and skips.
numbers()
{
	local suite kernel profile where=''

	read -r suite kernel profile <<< "${origin[$1]:-}"
	[ -z "$profile" ] || where=" KERNEL=$kernel PROFILE=$profile"
	awk -v name="${1%.red}" -v skips=selftests/run/skips -v suite="$suite" -v where="$where" -f selftests/run/tap.awk "$results/$1.tap"
}

is_green() { [ "$(numbers "$1" | awk 'NR == 1 { print $2 }')" = 0 ]; }

# count NAME SECONDS: adds the test points of a result to the totals and prints failures and skips.
count()
{
	local name=$1 seconds=$2 text
	local -a n

	text=$(numbers "$name")
	read -ra n <<< "${text%%$'\n'*}"
	passed=$((passed + n[0])) failed=$((failed + n[1])) skipped=$((skipped + n[2]))
	unset "due[$name]"
	printf '%-36s %4d passed %3d failed %3d skipped  %4d s  (%s)\n' "$name" "${n[@]:0:3}" "$seconds" "$(time_left)"
	sed -n '2,$s/^/    /p' <<< "$text"
	echo "$(in_table "$name") $seconds $(cat "$results/$name.cpu" 2> /dev/null)" >> "$results/seconds"
	[ "${n[1]}" != 0 ] || return 0
	printf '    see build/check/%s.tap\n' "$name"
	# A fault of the product never hides behind a second run.
	if [ "${n[3]}" = 0 ] && [ -n "${origin[$name]:-}" ]; then again+=("$name"); fi
}

# has_all_of NAME RED: the points that were red in RED have passed in NAME, which has as many points. Values in brackets differ.
has_all_of()
{
	awk '
		FNR == 1 { file++ }
		!/^(not )?ok([ \t]|$)/ { next }
		{
			points[file]++
			bad = $1 == "not"
			text = $0
			sub(/^(not )?ok[ \t]*[0-9]*[ \t]*-?[ \t]*/, "", text)
			gsub(/\([^()]*\)/, "", text)
		}
		file == 1 && bad { red[text] }
		file == 2 && !bad { delete red[text] }
		END {
			for (text in red)
				exit 1
			exit points[1] != points[2]
		}' "$results/$2.tap" "$results/$1.tap"
}

# forgive NAME: a red result that was green when it ran alone
forgive()
{
	local line

	while read -r line; do
		failed=$((failed - 1))
		flaky+=("$1")
		printf '%s\t?\t%s: %s\n' "$(date +%F)" "$1" "${line#not ok  }" >> "$results/flaky"
	done < <(numbers "$1.red" | grep '^not ok ')
}

# last_line: the totals; true if the run has passed
last_line()
{
	local names=''

	# QEMU lost these guests, and they booted again.
	[ ! -e "$results/lost" ] || mapfile -t -O ${#flaky[@]} flaky < <(cut -d' ' -f1 "$results/lost")
	[ ${#flaky[@]} = 0 ] || names=", ${#flaky[@]} flaky: $(printf '%s\n' "${flaky[@]}" | sort -u | paste -sd' ')"
	[ "$left" = 0 ] || echo "$left jobs did not start in ${TORTURE_MINUTES:-} minutes: make torture goes on with them"
	printf '%d passed, %d failed, %d skipped%s\n' "$passed" "$failed" "$skipped" "$names"
	[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}
