# SPDX-License-Identifier: GPL-2.0-only
# What the tests of acrctl's commands share: where the programs are, and a run that keeps both outputs apart.

root=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd -P)
acrctl=${BUILD:-$root/build}/acrctl
acrctl_fake=${BUILD:-$root/build}/acrctl-fake

# capture PROGRAM ARG...: sets status, stdout, stderr. Without a process of its own, which would take longer than many programs here.
capture()
{
	status=0
	"$@" > "$BATS_TEST_TMPDIR/stdout" 2> "$BATS_TEST_TMPDIR/stderr" || status=$?
	contents stdout "$BATS_TEST_TMPDIR/stdout"
	contents stderr "$BATS_TEST_TMPDIR/stderr"
	printf '# %s\n# status %s\n' "$*" "$status"
	[ "$status" -le 128 ] || printf '# it died of signal %d\n' $((status - 128))
	# shellcheck disable=SC2154 # contents() sets them
	printf '#   %s\n' "${stdout//$'\n'/$'\n#   '}" "${stderr//$'\n'/$'\n#   '}"
}

# contents NAME FILE: sets a variable as NAME=$(cat FILE) would, without bytes 0 and the newlines at its end
contents()
{
	local -n to=$1
	local part

	to=''
	while IFS= read -rd '' part || [ -n "$part" ]; do to+=$part; done < "$2"
	while [[ $to = *$'\n' ]]; do to=${to%$'\n'}; done
}

# is GOT WANT: two strings are equal
is() { [ "$1" = "$2" ] || { printf 'got:  %s\nwant: %s\n' "$1" "$2"; return 1; }; }

# has TEXT PART: a string contains another
has() { [[ $1 == *"$2"* ]] || { printf 'got: %s\nwithout: %s\n' "$1" "$2"; return 1; }; }

# json PATH: a member of the JSON on stdout, by jq
json() { jq -rc "$1" < "$BATS_TEST_TMPDIR/stdout"; }

requires_jq() { command -v jq > /dev/null || skip "jq is not installed"; }
