#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# libacrpfm as others meet it: exported symbols, headers in C and C++, pkg-config, threads, installation, manual pages.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/model/accept/tap.sh
. selftests/model/accept/tap.sh
BUILD=${BUILD:-$PWD/build}
include=userspace/montecito/lib/include
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# same NAME WANT GOT: two lists are the same, and are not empty
same()
{
	tap_why=$(diff <(echo "$2") <(echo "$3"))
	verdict "$1" [ -n "$2" -a -z "$tap_why" ]
}

exported=$(nm -D --defined-only "$BUILD/libacrpfm.so" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | sort)
declared=$(cat $include/perfmon/*.h | "${CC:-cc}" -I$include -fpreprocessed -dD -E -P - 2> "$work/errors" |
	grep -oE '\bpfm_[a-z0-9_]+\(' | tr -d '(' | sort -u)
same "the shared library exports what the headers declare, and nothing else" "$declared" "$exported"
same "... all of one version" ACRPFM_1.0 "$(nm -D --defined-only "$BUILD/libacrpfm.so" |
	awk '$2 == "T" { sub(/.*@@/, "", $3); print $3 }' | sort -u)"
same "... its soname is libacrpfm.so.1" "libacrpfm.so.1" \
	"$(readelf -d "$BUILD/libacrpfm.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')"
same "... it needs nothing but the C library" "libc.so.6" \
	"$(readelf -d "$BUILD/libacrpfm.so" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -v '^ld-')"
missing=$(for name in $declared; do [ -e "Documentation/man/$name.3" ] || echo "$name"; done)
tap_why=$missing
verdict "every function has a manual page" [ -z "$missing" ]
# A page that documents a function shows its prototype.
missing=$(for name in $declared; do
	page=Documentation/man/$name.3
	link=$(sed -n '1s/^\.so man3.//p' "$page")
	grep -q "^\.BI\? \"[a-z ]*\*\?$name(" "Documentation/man/${link:-$name.3}" || echo "$name"
done)
tap_why=$missing
verdict "... with its prototype" [ -z "$missing" ]

# --- headers and pkg-config ---------------------------------------------------------------------------------------------

cat > "$work/program.c" << 'END'
#include <perfmon/pfmlib_montecito.h>
#include <perfmon/pfmlib.h>
#include <stdio.h>

int main(void)
{
	unsigned int version, i;

	if (pfm_get_version(&version) || pfm_force_pmu(PFMLIB_MONTECITO_PMU))
		return 1;
	if (pfm_find_event("BRANCH_EVENT", &i) || !pfm_mont_is_etb(i))
		return 2;
	printf("%u.%u %u\n", PFMLIB_MAJ_VERSION(version), PFMLIB_MIN_VERSION(version), i);
	return 0;
}
END
cp "$work/program.c" "$work/program.cc"

# runs NAME COMMAND...: the command makes $work/program, which says what it should
runs()
{
	local name=$1

	shift
	rm -f "$work/program"
	tap_why=$("$@" 2>&1)
	verdict "$name: it is built" [ -x "$work/program" ]
	tap_why=$("$work/program" 2>&1)
	verdict "$name: it runs" [ "$tap_why" = "3.10 636" ]
}

export PKG_CONFIG_PATH=$BUILD
if command -v pkg-config > /dev/null; then
	# shellcheck disable=SC2046 # a list of flags
	runs "a C program with pkg-config and what is built" "${CC:-cc}" -std=c99 -Wall -Wextra -Werror \
		$(pkg-config --cflags libacrpfm) -o "$work/program" "$work/program.c" $(pkg-config --libs libacrpfm) \
		-Wl,-rpath,"$BUILD"
fi
runs "a C program with the archive" "${CC:-cc}" -std=c99 -Wall -Wextra -Werror -I$include -o "$work/program" \
	"$work/program.c" "$BUILD/libacrpfm.a"
if command -v c++ > /dev/null; then
	runs "a C++ program" c++ -std=c++98 -Wall -Wextra -Werror -I$include -o "$work/program" "$work/program.cc" \
		"$BUILD/libacrpfm.a"
fi

# --- threads ------------------------------------------------------------------------------------------------------------

# The sanitizer wants memory where it is used to be, which not every kernel gives.
sanitized=("${CC:-cc}" -std=gnu11 -g -O1 -Wall -Wextra -Werror -fsanitize=thread -D_GNU_SOURCE -Iuserspace/montecito/lib "-I$include")
echo 'int main(void) { return 0; }' > "$work/nothing.c"
if "${sanitized[@]}" -o "$work/nothing" "$work/nothing.c" 2> /dev/null && "$work/nothing" 2> /dev/null; then
	tap_why=$("${sanitized[@]}" -o "$work/threads" selftests/montecito/threads.c userspace/montecito/lib/*.c \
		"$BUILD/userspace/mont_events.c" -lpthread 2>&1 && "$work/threads" 2>&1)
	verdict "threads do not get in each other's way" [ "$tap_why" = "0 wrong" ]
else
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - threads do not get in each other's way # SKIP the thread sanitizer does not work here"
fi

# --- installation -------------------------------------------------------------------------------------------------------

root=$work/root
tap_why=$(make -s -C userspace BUILD="$BUILD" DESTDIR="$root" PREFIX=/opt install-pfm 2>&1)
same "what is installed" "include/acrpfm/perfmon/pfmlib.h
include/acrpfm/perfmon/pfmlib_montecito.h
lib/libacrpfm.a
lib/libacrpfm.so
lib/libacrpfm.so.1
lib/libacrpfm.so.1.0.0
lib/pkgconfig/libacrpfm.pc" "$(cd "$root/opt" && find . -type f -o -type l | cut -c3- | LC_ALL=C sort)"
tap_why=$(grep -n '@' "$root/opt/lib/pkgconfig/libacrpfm.pc")
verdict "its pkg-config file is filled in" [ -z "$tap_why" ]
if command -v pkg-config > /dev/null; then
	export PKG_CONFIG_PATH=$root/opt/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
	# shellcheck disable=SC2046 # a list of flags
	runs "a C program with what is installed" "${CC:-cc}" -std=c99 -Wall -Wextra -Werror $(pkg-config --cflags libacrpfm) \
		-o "$work/program" "$work/program.c" $(pkg-config --libs libacrpfm) -Wl,-rpath,"$root/opt/lib"
fi
tap_done
