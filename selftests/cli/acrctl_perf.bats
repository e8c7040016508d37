#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What perf, old and new, reads in the header of a recording: facts about this machine, and all that its JSON converter needs.

bats_require_minimum_version 1.5.0
load helpers
load device_helpers

perf_versions="6.1 newest"
cpu_dir=/sys/devices/system/cpu

setup_file()
{
	build_fixtures
	cd "$BATS_FILE_TMPDIR" || return 1
	fake record -q -e "$group" -o recorded.data -- ./busy
}

setup()
{
	common_setup
	data=$BATS_FILE_TMPDIR/recorded.data
	for dir in perf-6.1 root; do
		[ -x "${BUILD:-$root/build}/$dir/usr/bin/perf" ] || skip "no perf in build/$dir: run selftests/model/setup.sh"
	done
}

# perf_of VERSION ARGUMENTS...: a perf that setup.sh fetched
perf_of() { "$root/selftests/model/perf.sh" "$@"; }

# cpu_fact FILE: a number or list in the topology of each CPU, one per line
cpu_fact() { for dir in $(ls -dv $cpu_dir/cpu[0-9]*); do cat "$dir/topology/$1"; done; }

# proc_fact FILE KEY: the text after the first "KEY : "
proc_fact() { awk -F '[ \t]*: *' -v key="$2" '$1 == key { print $2; exit }' "/proc/$1"; }

@test "perf report --header-only: machine, command and topology of file and stream are those that the kernel reports" {
	{
		echo "# hostname : $(uname -n)"
		echo "# os release : $(uname -r)"
		echo "# perf version : $("$acrctl" --version | cut -d, -f1), reload by hardware"
		echo "# arch : $(uname -m)"
		echo "# nrcpus online : $(getconf _NPROCESSORS_ONLN)"
		echo "# nrcpus avail : $(($(tr ',-' '\n' < $cpu_dir/present | tail -n 1) + 1))"
		echo "# cpudesc : $(proc_fact cpuinfo 'model name' | tr -s ' ')"
		echo "# cpuid : $(proc_fact cpuinfo vendor_id),$(proc_fact cpuinfo 'cpu family'),$(proc_fact cpuinfo model),$(
			proc_fact cpuinfo stepping)"
		echo "# total memory : $(proc_fact meminfo MemTotal)"
		cpu_fact package_cpus_list | awk '!seen[$0]++ { print "# sibling sockets : " $0 }'
		cpu_fact die_cpus_list | awk '!seen[$0]++ { print "# sibling dies    : " $0 }'
		cpu_fact core_cpus_list | awk '!seen[$0]++ { print "# sibling threads : " $0 }'
		paste -d ' ' <(cpu_fact core_id) <(cpu_fact die_id) <(cpu_fact physical_package_id) |
			awk '{ printf "# CPU %d: Core ID %d, Die ID %d, Socket ID %d\n", NR - 1, $1, $2, $3 }'
	} > want
	[ "$(cat $cpu_dir/online)" = "$(cat $cpu_dir/present)" ] || skip "an offline CPU has no topology to compare with"
	fake record -q -e "$group" -o - -- "$busy" > stream
	for version in $perf_versions; do
		for file in "$data" stream; do
			# a stream is read from standard input only
			[ "$file" = stream ] && from=- || from=$file
			perf_of "$version" report --header-only -I -i "$from" < "$file" > header 2> /dev/null
			grep -E '^# (hostname|os release|perf version|arch|nrcpus|cpudesc|cpuid|total memory|sibling|CPU [0-9])' header > got
			diff want got || { echo "perf $version differs: $file"; return 1; }
			[ "$(grep -c '^# event : name = ' header)" = 3 ]
		done
		perf_of "$version" report --header-only -i "$data" > header 2> /dev/null
		grep -qxF "# cmdline : acrctl record -q -e $group -o recorded.data -- ./busy " header
		# only a finished file has it
		grep -q '^# time of first sample : [1-9]' header
	done
}

@test "perf data convert --to-json: converts all samples and the header of a recording" {
	command -v python3 > /dev/null || skip "python3 is not installed"
	"$acrctl" script -i "$data" --json -F ip,sym > script.json
	for version in $perf_versions; do
		perf_of "$version" data convert -i "$data" --to-json "$version.json" > out 2>&1 || { cat out; return 1; }
		python3 - "$version.json" "$(uname -n)" "$(uname -m)" <<-'PYTHON'
		import json, sys
		perf, ours = json.load(open(sys.argv[1])), json.load(open("script.json"))["samples"]
		h = perf["headers"]
		assert (h["hostname"], h["arch"]) == tuple(sys.argv[2:]), h
		assert h["perf-version"].startswith("acrctl ") and h["cmdline"][:2] == ["acrctl", "record"], h
		assert h["cpu-desc"] and h["cpuid"].count(",") == 3 and h["nrcpus-online"] > 0, h
		assert len(perf["samples"]) == len(ours) == 10
		theirs = [x["callchain"][0] for x in perf["samples"]]
		assert sorted(int(x["ip"], 16) for x in theirs) == sorted(int(x["ip"], 16) for x in ours)
		assert {"first_half", "second_half"} <= {x.get("symbol") for x in theirs}
		PYTHON
	done
}

