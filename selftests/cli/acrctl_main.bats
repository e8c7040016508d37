# SPDX-License-Identifier: GPL-2.0-only
# acrctl itself: help, version, and commands that do not exist.

load helpers

@test "acrctl: without a command prints the commands on stderr, with status 2" {
	capture "$acrctl"
	is "$status" 2
	is "$stdout" ""
	has "$stderr" "record"
}

@test "acrctl: --help names every command on stdout" {
	capture "$acrctl" --help
	is "$status" 0
	is "$stderr" ""
	for command in info record report script encode ps monitor; do
		has "$stdout" "  $command "
	done
}

@test "acrctl: --version names program and ABI version" {
	capture "$acrctl" --version
	is "$status" 0
	[[ $stdout =~ ^acrctl\ [0-9]+\.[0-9]+\.[0-9]+,\ ABI\ version\ [0-9]+$ ]]
}

@test "acrctl: refuses a misspelt command and suggests a similar one" {
	capture "$acrctl" recrod
	is "$status" 2
	is "$stderr" "acrctl: there is no command 'recrod'; did you mean 'record'?"
}

@test "acrctl: points to the help for a command that resembles none" {
	capture "$acrctl" zzzzzz
	is "$status" 2
	has "$stderr" "acrctl --help"
}

# commands: all of those in --help
commands()
{
	commands=$("$acrctl" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' | xargs)
	has " $commands " " top "
	is "$(wc -w <<< "$commands")" 12
}

@test "acrctl: each command has --help with exit status 0" {
	commands
	for command in $commands; do
		capture "$acrctl" "$command" --help
		is "$status" 0
		has "$stdout" "Usage: acrctl $command"
	done
}

@test "acrctl: each command refuses options that it does not know, with exit status 2 and the same message" {
	commands
	for command in $commands; do
		while IFS='|' read -r args message; do
			# shellcheck disable=SC2086 # several arguments
			capture "$acrctl" "$command" $args
			is "$status" 2
			is "$stdout" ""
			is "$stderr" "acrctl: $command: $message; see 'acrctl $command --help'"
		done <<-'END'
		--no-such-option|there is no option '--no-such-option', or several begin like that
		-Z|there is no option '-Z'
		--help=yes|the option '--help=yes' takes no argument
		END
	done
	# among known letters, after another option
	capture "$acrctl" encode --json -jzj
	is "$status" 2
	has "$stdout" "there is no option '-z'"
}

@test "acrctl: each command refuses an option that lacks its argument, with exit status 2 and the same message" {
	while read -r command args; do
		# shellcheck disable=SC2086 # several arguments
		capture "$acrctl" "$command" $args
		is "$status" 2
		is "$stdout" ""
		is "$stderr" "acrctl: $command: the option '${args##* }' needs an argument; see 'acrctl $command --help'"
	done <<-'END'
	record -e
	record -a --output
	report --sort
	report --json -i
	script -F
	script --vmlinux
	list --topic
	encode cycles -c
	END
}

@test "acrctl: output that cannot be written is a failure" {
	[ -w /dev/full ] || skip "no /dev/full"
	for args in --help --version 'info --help' info 'info --json' 'record --help' 'stat --help' 'report --help' 'script --help' \
		'encode --help' 'encode cycles' 'encode --json cycles' 'encode --json nonsense' 'encode --pmu list' \
		'encode --pmu montecito ETB_EVENT' 'encode --pmu montecito --json ETB_EVENT' 'list --pmu montecito --json' \
		'top --help' 'annotate --help' 'ps --help' 'monitor --help' 'push --help' 'list --help'; do
		run bash -c "'$acrctl' $args > /dev/full"
		printf '%s: %s\n' "$args" "$output"
		is "$status" 1
		has "$output" "standard output: No space left on device"
	done
}

@test "make install: libacrpmu.pc names the PREFIX of the installation, whatever PREFIX make had before" {
	command -v make > /dev/null && command -v cc > /dev/null || skip "no compiler is installed"
	for prefix in /usr /opt/acr; do
		capture make -C "$root/userspace" BUILD="${BUILD:-$root/build}" DESTDIR="$BATS_TEST_TMPDIR/root" PREFIX=$prefix install
		is "$status" 0
		pc=$BATS_TEST_TMPDIR/root$prefix/lib/pkgconfig/libacrpmu.pc
		is "$(grep -E '^(prefix|libdir|includedir)=' "$pc")" "prefix=$prefix
libdir=$prefix/lib
includedir=\${prefix}/include"
		[ -e "$BATS_TEST_TMPDIR/root$prefix/lib/libacrpmu.so.2" ]
	done
}
