# SPDX-License-Identifier: GPL-2.0-only
# acrctl itself: help, version, and commands that do not exist.

load helpers

@test "acrctl: no command is wrong usage and shows the commands on stderr" {
	capture "$acrctl"
	is "$status" 2
	is "$stdout" ""
	has "$stderr" "record"
}

@test "acrctl: --help names every command on stdout" {
	capture "$acrctl" --help
	is "$status" 0
	is "$stderr" ""
	for command in info record report script encode; do
		has "$stdout" "  $command "
	done
}

@test "acrctl: --version names program and ABI version" {
	capture "$acrctl" --version
	is "$status" 0
	[[ $stdout =~ ^acrctl\ [0-9]+\.[0-9]+\.[0-9]+,\ ABI\ version\ [0-9]+$ ]]
}

@test "acrctl: a misspelt command is refused with what was meant" {
	capture "$acrctl" recrod
	is "$status" 2
	is "$stderr" "acrctl: there is no command 'recrod'; did you mean 'record'?"
}

@test "acrctl: a command that is like none points to the help" {
	capture "$acrctl" zzzzzz
	is "$status" 2
	has "$stderr" "acrctl --help"
}

@test "acrctl: each command has --help with exit status 0" {
	for command in info record report script encode; do
		capture "$acrctl" "$command" --help
		is "$status" 0
		has "$stdout" "Usage: acrctl $command"
	done
}

@test "acrctl: each command refuses an unknown option with exit status 2" {
	for command in info record report script encode; do
		capture "$acrctl" "$command" --no-such-option
		is "$status" 2
		has "$stderr" "acrctl $command: "
	done
}

@test "acrctl: output that cannot be written is a failure" {
	[ -w /dev/full ] || skip "no /dev/full"
	run bash -c "'$acrctl' --help > /dev/full"
	is "$status" 1
	run bash -c "'$acrctl' encode -e cycles > /dev/full"
	is "$status" 1
}
