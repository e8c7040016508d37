#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs the reference's vectors through libacrpfm, as TAP, and compares the decisions met with those documented.
# usage: vectors.sh   BUILD= is where the tests were built
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-$PWD/build}
runner=$BUILD/montecito/mont_vectors
vectors=selftests/montecito/vectors.jsonl
facts=../shared/facts/montecito_vectors.jsonl
points=0 failed=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# point NAME STATUS [FILE]: one test point; a failure shows the start of FILE.
point()
{
	points=$((points + 1))
	if [ "$2" = 0 ]; then
		echo "ok $points - $1"
	else
		echo "not ok $points - $1"
		[ -z "${3:-}" ] || head -n 20 "$3" | sed 's/^/# /'
		failed=1
	fi
}

# documented: the ids and decisions of the list in the documentation, as the runner prints them.
documented()
{
	sed -n '/^\.\. vectors: begin/,/^\.\. vectors: end/p' Documentation/montecito.rst | grep -v '^\.\.' | awk '
		{ first = 1 }
		/^- decision / { decision = $3; sub(/:$/, "", decision); first = 4 }
		{ for (i = first; i <= NF; i++) print $i, "decision", decision }'
}

# line ID: a vector.
line() { grep "^{\"id\":\"$1\"," "$vectors"; }

# refused NAME FILE: the runner has to call the only vector in FILE not ok, say why, and fail.
refused()
{
	"$runner" "$2" > "$dir/out" 2> "$dir/err"
	[ $? = 1 ] && grep -q ' not ok$' "$dir/out" && [ "$(wc -l < "$dir/err")" -ge 2 ]
	point "not ok: $1" $? "$dir/err"
}

# changed NAME ID SED: the vector with a change.
changed()
{
	line "$2" | sed "$3" > "$dir/changed"
	if line "$2" | cmp -s - "$dir/changed"; then
		point "not ok: $1 (nothing was changed)" 1
	else
		refused "$1" "$dir/changed"
	fi
}

"$runner" "$vectors" > "$dir/all" 2> "$dir/why"
point 'every vector is ok or explained by a decision' $? "$dir/why"
[ "$(wc -l < "$dir/all")" = 400 ] && [ "$(grep -cE '^dev-[0-9]+ (ok|decision [0-9,]+)$' "$dir/all")" = 400 ]
point 'there are 400, each with a line' $? "$dir/all"
grep decision "$dir/all" | LC_ALL=C sort > "$dir/met"
documented | LC_ALL=C sort > "$dir/documented"
[ -s "$dir/met" ] && diff "$dir/met" "$dir/documented" > "$dir/diff"
point 'the documentation lists the vectors that decisions touch, each with its decisions' $? "$dir/diff"

if [ -e "$facts" ]; then
	cmp "$vectors" "$facts" > "$dir/diff" 2>&1
	point 'the vectors are those of the facts' $? "$dir/diff"
else
	points=$((points + 1))
	echo "ok $points # SKIP no $facts"
fi

changed 'a bit of a counter differs' dev-0001 's/"0x20e7d0c"/"0x20e7d0d"/'
changed 'a register has another number' dev-0001 's/"pmds":\[{"reg_num":4/"pmds":[{"reg_num":5/'
changed 'an address differs from the number' dev-0001 's/"reg_addr":4,/"reg_addr":5,/'
changed 'an error instead of a result' dev-0001 's/"ret":0/"ret":-2/'
changed 'another error' dev-0003 's/"ret":-1/"ret":-2/'
changed 'a result instead of an error' dev-0003 's/"ret":-1,/"ret":0,/'
changed 'an offset differs' dev-0001 's/"rr_soff":"0x0"/"rr_soff":"0x1"/'
changed 'fine mode differs' dev-0001 's/"irange_is_fine":0/"irange_is_fine":1/'
changed 'a threshold is too high, but the vector not that of the reference' dev-0002 's/"0x2765b07"/"0x2765b06"/'
changed 'a cover that falls short, but another register differs' dev-0089 's/\("pmcs":\[{[^}]*"reg_value":"0x\)/\11/'
changed 'an unknown event' dev-0001 's/"name":"[A-Z]/"name":"X/'
changed 'an unreadable number' dev-0001 's/"0x20e7d0c"/"0x20e7d0x"/'
changed 'no result' dev-0001 's/"out":/"outside":/'
echo 'no JSON' > "$dir/bad"
refused 'a line that is not JSON' "$dir/bad"

"$runner" "$dir/none" > "$dir/out" 2>&1
[ $? = 2 ]
point 'a file that is not there is an error of its own' $? "$dir/out"
: > "$dir/empty"
! "$runner" "$dir/empty" > "$dir/out" 2>&1
point 'an empty file does not pass' $? "$dir/out"
echo "1..$points"
exit $failed
