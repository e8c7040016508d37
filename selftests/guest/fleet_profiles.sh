#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Reads the profiles that fleet.sh's server left in $ACR_OUT by pprof's own package; runs on the host.
cd "$(dirname "$0")/../.." || exit 1
out=${ACR_OUT:-$ACR_RUN/out}
work=$(mktemp -d)
export HOME=$work GO111MODULE=off GOFLAGS='' GOPATH=/usr/share/gocode GOCACHE=$work/go-cache
count=0

# is GOT WANT NAME
is()
{
	count=$((count + 1))
	if [ "$1" = "$2" ]; then
		echo "ok $count - $3"
	else
		echo "not ok $count - $3"
		echo "#   got  '$1'"
		echo "#   want '$2'"
	fi
}

go build -o "$work/read" selftests/cli/pprof/read.go
for number in $(jq .number "$out/requests"); do
	"$work/read" < "$out/server/$number.profile"
done > "$work/profiles"
is "$(jq -s '[.[].Samples[].Values[0]] | add' "$work/profiles")" "$(cat "$out/samples")" "the profiles have the samples that the rounds took"
# the innermost functions are inlined
is "$(jq -sr '[.[].Samples[].Stack | map(select(startswith("phase_") or startswith("settle_")))[0]] | unique | map(select(. != "settle_fast" and
	. != "settle_slow")) | join(" ")' "$work/profiles")" phase_fast "in the function that meets the condition"
is "$(jq -sr '[.[].Types | join(" ")] | unique | join("|") | test("^samples/count [a-zA-Z0-9_]+/count [a-zA-Z0-9_]+/count$")' "$work/profiles")" true \
	"types have names that a query can have"
is "$(jq -s '[.[].query.sampleRate | tonumber] | min > 0' "$out/requests")" true "each has its rate"
rm -rf "$work"
echo "1..$count"
