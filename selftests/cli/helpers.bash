# SPDX-License-Identifier: GPL-2.0-only
# What the tests of acrctl's commands share: where the programs are, and a run that keeps both outputs apart.

root=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd -P)
acrctl=${BUILD:-$root/build}/acrctl
acrctl_fake=${BUILD:-$root/build}/acrctl-fake

# capture PROGRAM ARG...: sets status, stdout, stderr
capture()
{
	status=0
	"$@" > "$BATS_TEST_TMPDIR/stdout" 2> "$BATS_TEST_TMPDIR/stderr" || status=$?
	# shellcheck disable=SC2034 # for the tests
	stdout=$(cat "$BATS_TEST_TMPDIR/stdout")
	# shellcheck disable=SC2034 # for the tests
	stderr=$(cat "$BATS_TEST_TMPDIR/stderr")
	printf '# %s\n# status %s\n' "$*" "$status"
	[ "$status" -le 128 ] || printf '# it died of signal %d\n' $((status - 128))
	sed 's/^/#   /' "$BATS_TEST_TMPDIR/stdout" "$BATS_TEST_TMPDIR/stderr"
}

# is GOT WANT: two strings are equal
is() { [ "$1" = "$2" ] || { printf 'got:  %s\nwant: %s\n' "$1" "$2"; return 1; }; }

# has TEXT PART: a string contains another
has() { [[ $1 == *"$2"* ]] || { printf 'got: %s\nwithout: %s\n' "$1" "$2"; return 1; }; }

# json PATH: a member of the JSON on stdout, by jq
json() { jq -rc "$1" < "$BATS_TEST_TMPDIR/stdout"; }

requires_jq() { command -v jq > /dev/null || skip "jq is not installed"; }
