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

# unread NAME WHY ID SED: the vector with a change that the reader has to refuse, naming the line and why.
unread()
{
	changed "$1" "$3" "$4"
	grep -q "^line 1: $2" "$dir/err"
	point "... because: $2" $? "$dir/err"
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
lines="$(wc -l < "$dir/all") $(grep -cE '^dev-[0-9]+ (ok|decision [0-9,]+)$' "$dir/all")"
grep -qx '400 400' <<< "$lines"
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
changed 'an error instead of a result' dev-0001 's/"ret":0,"err":"PFMLIB_SUCCESS"/"ret":-2,"err":"PFMLIB_ERR_INVAL"/'
changed 'another error' dev-0003 's/"ret":-1,"err":"PFMLIB_ERR_NOTSUPP"/"ret":-2,"err":"PFMLIB_ERR_INVAL"/'
changed 'a result instead of an error' dev-0003 's/"out":.*/"out":{"ret":0,"err":"PFMLIB_SUCCESS",'"$(
	line dev-0001 | sed 's/.*"err":"PFMLIB_SUCCESS",//')/"
changed 'an offset differs' dev-0001 's/"rr_soff":"0x0"/"rr_soff":"0x1"/'
changed 'fine mode differs' dev-0001 's/"irange_is_fine":0/"irange_is_fine":1/'
changed 'a threshold is too high, but the vector not that of the reference' dev-0002 's/"0x2765b07"/"0x2765b06"/'
changed 'a cover that falls short, but another register differs' dev-0089 's/\("pmcs":\[{[^}]*"reg_value":"0x\)/\11/'
changed 'an unknown event' dev-0001 's/"name":"[A-Z]/"name":"X/'
changed 'an unreadable number' dev-0001 's/"0x20e7d0c"/"0x20e7d0x"/'
changed 'no result' dev-0001 's/"out":/"outside":/'
unread 'a key of the line' "unknown key 'comment'" dev-0001 's/"notes":/"comment":0,"notes":/'
unread 'a key of the input' "unknown key 'dfl_plms'" dev-0001 's/"dfl_plm":/"dfl_plms":/'
unread 'a key of the arguments' "unknown key 'mod_in'" dev-0001 's/"mont_in":/"mod_in":/'
unread 'a key of an event' "unknown key 'unit_masks'" dev-0001 's/"masks":/"unit_masks":/'
unread 'a key of a counter' "unknown key 'threshold'" dev-0001 's/"thres":/"threshold":/'
unread 'a feature' "unknown key 'idear'" dev-0001 's/"mont":{/"mont":{"idear":{"used":1},/'
for feature in opcm1 opcm2 iear dear etb ipear irange drange; do
	unread "a key of $feature" "unknown key 'use'" dev-0001 "s/\"mont\":{/\"mont\":{\"$feature\":{\"use\":1},/"
	unread "$feature is a number" "not an object: '$feature'" dev-0001 "s/\"mont\":{/\"mont\":{\"$feature\":1,/"
	unread "$feature.used is wider" "a number that is too wide at 'used'" dev-0001 \
		"s/\"mont\":{/\"mont\":{\"$feature\":{\"used\":256},/"
done
unread 'a key of a limit' "unknown key 'begin'" dev-0001 's/"mont":{/"mont":{"irange":{"limits":[{"begin":1}]},/'
unread 'null' "null at 'flags'" dev-0001 's/"flags":0/"flags":null/'
unread 'a limit is null' "not an object: 'limits'" dev-0001 's/"mont":{/"mont":{"irange":{"limits":[null]},/'
unread 'a key of the result' "unknown key 'returned'" dev-0001 's/"ret":0/"ret":0,"returned":0/'
unread 'a key of a register' "unknown key 'value'" dev-0001 's/"reg_value":/"value":/'
unread 'a key of a range' "unknown key 'rr_flags'" dev-0001 's/"rr_nbr_used":0/"rr_nbr_used":0,"rr_flags":0/'
unread 'a key of an offset' "unknown key 'soff'" dev-0001 's/"rr_soff":/"soff":/'
for key in mont_in dfl_plm plm thres flags event_count; do
	unread "$key is wider" "a number that is too wide at '$key'" dev-0001 "s/\"$key\":[0-9]*/\"$key\":\"0x100000000\"/"
done
for key in opcm1:m opcm2:b iear:plm dear:mode etb:tm etb:ds etb:plm ipear:delay irange:flags; do
	unread "$key is wider" "a number that is too wide at '${key#*:}'" dev-0001 \
		"s/\"mont\":{/\"mont\":{\"${key%:*}\":{\"${key#*:}\":\"0x100000000\"},/"
done
unread 'a number is wider than 64 bits' "no number: '0x10000000000000000'" dev-0001 's/"0x20e7d0c"/"0x10000000000000000"/'
unread 'a number below 0' "a number below 0 at 'flags'" dev-0001 's/"flags":0/"flags":-1/'
unread 'text below 0' "no number: '-1'" dev-0001 's/"flags":0/"flags":"-1"/'
unread 'an unavailable register that there cannot be' "a number that is too wide at 'unavail_pmcs'" dev-0001 \
	's/"unavail_pmcs":\[/"unavail_pmcs":[512/'
unread 'an event without a name' "an event without 'name'" dev-0001 's/"name":"[A-Z_0-9]*",//'
unread 'text behind the line' 'not JSON' dev-0001 's/$/ x/'
unread 'another value behind the line' 'not JSON' dev-0001 's/$/{}/'
unread 'half a line' 'not JSON' dev-0001 's/}}$/}/'
for key in pmcs pmds irange drange; do
	unread "a result without $key" "unknown key 'x$key'" dev-0001 "s/\(\"out\":{.*\)\"$key\":/\1\"x$key\":/"
done
unread 'no PMCs' "there is no 'pmcs'" dev-0001 's/"pmcs":\[[^]]*\],//'
unread 'no PMDs' "there is no 'pmds'" dev-0001 's/"pmds":\[[^]]*\],//'
unread 'no IBRs' "there is no 'irange'" dev-0001 's/\("out":.*\)"irange":.*"drange":/\1"drange":/'
unread 'no DBRs' "there is no 'drange'" dev-0001 's/"drange":.*"irange_is_fine":/"irange_is_fine":/'
unread 'no fine mode' "there is no 'irange_is_fine'" dev-0001 's/,"irange_is_fine":0//'
unread 'no model output at all' "there is no 'irange'" dev-0001 's/,"irange":{"rr_nbr.*/}}/'
unread 'no registers of a range' "there is no 'rr_br'" dev-0001 's/,"rr_br":\[\]//'
unread 'no number of registers' "there is no 'rr_nbr_used'" dev-0001 's/"rr_nbr_used":0,//'
unread 'too few offsets' "not four elements: 'rr_infos'" dev-0001 's/{"rr_soff":"0x0","rr_eoff":"0x0"},//'
for key in reg_num reg_addr reg_value; do
	unread "no $key" "there is no '$key'" dev-0001 "s/\"$key\":[^,}]*//;s/{,/{/;s/,,/,/;s/,}/}/"
done
unread 'no second address' "there is no 'reg_alt_addr'" dev-0001 's/"reg_alt_addr":[0-9]*,//'
unread 'no end offset' "there is no 'rr_eoff'" dev-0001 's/,"rr_eoff":"0x0"//'
unread 'no number of the error' "there is no number 'out.ret'" dev-0003 's/"ret":-1,//'
unread 'no name of the error' "there is no name 'out.err'" dev-0003 's/,"err":"PFMLIB_ERR_NOTSUPP"//'
unread 'another number than the name' "out.ret has another name than 'PFMLIB_ERR_NOTSUPP'" dev-0003 's/"ret":-1/"ret":-2/'
unread 'success with the name of an error' "out.ret has another name than 'PFMLIB_ERR_INVAL'" dev-0001 's/PFMLIB_SUCCESS/PFMLIB_ERR_INVAL/'
unread 'an error that there is not' "no error: '-24'" dev-0003 's/"ret":-1/"ret":-24/'
unread 'a positive error' "no error: '1'" dev-0003 's/"ret":-1/"ret":1/'
unread 'an error with registers' "unknown key 'pmcs'" dev-0003 's/"ret":-1/"pmcs":[],"ret":-1/'
unread 'three limits' "not four elements: 'limits'" dev-0048 's/,{"plm":0,"start":"0x0","end":"0x0"}\]/]/'
unread 'a key twice' 'a key twice' dev-0001 's/"dfl_plm":/"dfl_plm":1,"dfl_plm":/'
unread 'a key of the result twice' 'a key twice' dev-0003 's/"ret":-1/"ret":-1,"ret":-1/'
unread 'a key in single quotes' 'a key twice, or in single quotes' dev-0001 "s/\"dfl_plm\":/'dfl_plm':/"
for id in 'dev-0002 ok\\ndev-0001' 'dev 0001' 'dev-0001\/' '\\u00e9'; do
	unread "the id $id" "not of letters, digits and _.-: 'id'" dev-0001 "s/\"id\":\"dev-0001\"/\"id\":\"$id\"/"
done
line dev-0001 | sed 's/"notes":\[/&"a \\" and a \x27: {"/' > "$dir/odd"
"$runner" "$dir/odd" > "$dir/out" 2> "$dir/err" && grep -qx 'dev-0001 ok' "$dir/out"
point 'quotes and colons within text are text' $? "$dir/err"
{ line dev-0001; line dev-0003; line dev-0001; } > "$dir/twice"
refused 'the same id twice' "$dir/twice"
grep -qx 'line 3: the id dev-0001 was there before' "$dir/err"
point '... because of that' $? "$dir/err"
[ "$(tr '\n' ' ' < "$dir/out")" = 'dev-0001 ok dev-0003 ok dev-0001 not ok ' ]
point '... and only the second one' $? "$dir/out"
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
