#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Tests of the manual pages, as TAP: clean for mandoc, references that lead somewhere, the same options as --help.
set -u
# shellcheck source=selftests/docs/point.sh
. "$(dirname "$0")/point.sh"
cd "$(dirname "$0")/../.." || exit 1

acrctl=${BUILD:-build}/acrctl

# alias_of PAGE: the page that this one is another name of, nothing for a page with a text.
alias_of() { sed -n '1s,^\.so man[1-9]/,,p' "$1"; }

# plain PAGE...: the source without font changes and escapes of hyphens.
plain() { sed 's/\\f[RBIP]//g; s/\\-/-/g; s/"//g' "$@"; }

# options: standard input as one option a line, "-j --json" where it has a short form.
options()
{
	grep -oE '(-[A-Za-z],? *(, *)?)?--[a-z][a-z0-9-]*' | sed -E 's/^-([A-Za-z])[, ]*--/-\1 --/' | sort -u
}

# tags PAGE...: the tags of all lists of a page, one a line.
tags() { plain "$@" | awk 'tag { print; tag = 0 } /^\.TP/ { tag = 1 }'; }

# page_options PAGE...: the options that pages define; one that is defined by its long form alone counts like that.
page_options() { tags "$@" | sed 's/ , /, /g' | options; }

# help_options COMMAND...: the options that the help explains; those that it only names must be explained, too.
help_options()
{
	local text

	text=$("$acrctl" "$@" --help) || { echo "acrctl $* --help fails"; return; }
	{
		sed -nE "s/^ {2,6}(-[A-Za-z], |  *)(--[a-z0-9-]+).*/\1\2/p" <<< "$text"
		grep -oE -- '--[a-z][a-z0-9-]*' <<< "$text"
	} | options
}

# without_repeats: drops "--json" where "-j --json" is there, too.
without_repeats()
{
	awk '{ line[NR] = $0; if (NF == 2) pair[$2] = 1 }
		END { for (i = 1; i <= NR; i++) if (!(line[i] in pair)) print line[i] }' | sort
}

# compare NAME PAGES HELP: the options of pages and those of the help, in both directions.
compare()
{
	point "$1: the page and --help have the same options" \
		"$(diff <(without_repeats <<< "$2") <(without_repeats <<< "$3") |
			sed -n 's/^< /only in the page: /p; s/^> /only in --help: /p')"
}

pages=(Documentation/man/*.[1-9])
written=() broken=''
for page in "${pages[@]}"; do
	target=$(alias_of "$page")
	[ -n "$target" ] || written+=("$page")
	[ -z "$target" ] || [ -e "Documentation/man/$target" ] || broken+="$page: there is no $target"$'\n'
done
point "every alias has its page" "$broken"

if command -v mandoc > /dev/null; then
	for page in "${written[@]}"; do
		point "${page##*/} is clean for mandoc -Tlint" "$(mandoc -Tlint "$page" 2>&1)"
	done
else
	skip "every page is clean for mandoc -Tlint" "mandoc is not installed"
fi

# A reference like ".BR acrctl-stat (1)," to a page of this project.
point "every reference to a page of this project leads to one" \
	"$(for page in "${written[@]}"; do
		plain "$page" | sed -nE 's/^\.BR ((lib)?(acr|pfm)[a-z_-]*) \(([1-9])\).*/\1.\4/p' | sort -u | while read -r target; do
			[ -e "Documentation/man/$target" ] || echo "${page##*/}: there is no $target"
		done
	done)"

point "libacrpmu(3) names every function that the library exports" \
	"$(sed -nE 's/^\t\t(acrpmu_[a-z_]+);$/\1/p' userspace/lib/libacrpmu.map | while read -r name; do
		grep -q "\b$name(" Documentation/man/libacrpmu.3 || echo "$name"
	done)"

commands=$("$acrctl" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p')
point "acrctl has commands" "$([ -n "$commands" ] || echo "none found in acrctl --help")"
# Its own help is a summary without short forms.
compare acrctl "$(page_options Documentation/man/acrctl.1 | grep -o -- '--.*')" "$(help_options)"
for command in $commands; do
	page=Documentation/man/acrctl-$command.1
	if [ ! -e "$page" ]; then
		point "acrctl $command has a page" "there is no $page"
		continue
	fi
	point "acrctl(1) leads to acrctl-$command(1)" \
		"$(tags Documentation/man/acrctl.1 | grep -q "acrctl-$command (1)" || echo missing)"
	page_list=("$page") help=$(help_options "$command")
	if [ "$command" = encode ]; then
		page_list+=(Documentation/man/acrctl-montecito.1)
		help=$(printf '%s\n' "$help" "$(help_options encode --pmu montecito)" | sort -u)
	fi
	compare "acrctl $command" "$(page_options "${page_list[@]}")" "$help"
done
point "acrctl encode: the page's synopsis is the usage of --help" \
	"$(diff <(plain Documentation/man/acrctl-encode.1 | sed -n '/^\.nf/,/^\.fi/ s/^\.B //p') \
		<("$acrctl" encode --help | sed -n '/^$/q; s/^Usage: *//; s/^ *//; p'))"
finish
