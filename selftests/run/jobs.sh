# SPDX-License-Identifier: GPL-2.0-only
# Jobs of check.sh that run, each result counted as soon as it is there; sourced.
# shellcheck shell=bash disable=SC2154 # variables of check.sh

declare -A due=()	# results that are not there yet, with the seconds expected
declare -A running=()	# results of each job, by process

# finished NAME SECONDS: the result is complete.
finished() { echo "$2" > "$results/$1.seconds.new" && mv "$results/$1.seconds.new" "$results/$1.seconds"; }

# used NAME: writes how long CPUs worked for the processes of this job, which does not depend on what runs beside
used()
{
	times > "$results/$1.times"
	awk 'NR == 2 { split($1, user, /[ms]/); split($2, sys, /[ms]/); print int(60 * (user[1] + sys[1]) + user[2] + sys[2]) }' \
		"$results/$1.times" > "$results/$1.cpu"
	rm "$results/$1.times"
}

count_results()
{
	local name

	for name in "${!due[@]}"; do
		[ ! -e "$results/$name.seconds" ] || count "$name" "$(< "$results/$name.seconds")"
	done
}

# count_ended: forgets jobs that have ended; what they left out is a failure.
count_ended()
{
	local pid name names
	local -a ended=()

	for pid in "${!running[@]}"; do
		# Look first, since it may end at any time.
		! kill -0 "$pid" 2> /dev/null || continue
		for name in ${running[$pid]}; do
			[ -n "${due[$name]:-}" ] && [ ! -e "$results/$name.seconds" ] || continue
			printf '1..1\nnot ok 1 - %s was killed\n' "$name" >> "$results/$name.tap"
			finished "$name" 0
		done
		ended+=("${running[$pid]}")
		unset "running[$pid]"
	done
	count_results
	# shellcheck disable=SC2086 # a list of results
	for names in "${ended[@]}"; do note_green $names; done
}

# wait_for_less_than NUMBER: until fewer jobs run. A pipe that nobody writes spares the processes of sleep.
exec {never}<> <(:)
wait_for_less_than()
{
	while count_ended; [ ${#running[@]} -ge "$1" ]; do read -rt 0.3 <&"$never" || true; done
}

# descendants PID: all processes that it started, and that those did
descendants()
{
	local pid

	for pid in $(ps -o pid= --ppid "$1"); do
		echo "$pid"
		descendants "$pid"
	done
}

# end_jobs: ends what runs; the shell lets background jobs ignore SIGINT.
end_jobs()
{
	local pid

	for pid in "${!running[@]}"; do
		# shellcheck disable=SC2046 # a list of processes
		kill "$pid" $(descendants "$pid") 2> /dev/null
	done
}

# start RESULTS COMMAND...: runs a command that makes these results.
start()
{
	local names=$1

	shift
	"$@" &
	running[$!]=$names
}
