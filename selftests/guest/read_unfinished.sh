#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Reads the recordings that record_unfinished.sh left in $ACR_OUT by perf of other versions; runs on the host.
cd "$(dirname "$0")/../.." || exit 1
out=${ACR_OUT:-$ACR_RUN/out}
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

for name in killed full; do
	read -r samples lost < "$out/$name.want"
	for version in 6.1 newest; do
		perf() { selftests/model/perf.sh $version "$@" -i "$out/$name.data" 2> /dev/null < /dev/null; }
		is "$(perf script -F ip,sym | awk 'NF { print $2 }' | sort | uniq -c | awk '{ print $1, $2 }')" "$samples phase_fast" \
			"$name: perf script ($version) prints all samples"
		is "$(perf report --stdio | sed -n 's/^# Total Lost Samples: //p')" "$lost" "$name: perf report ($version) has the lost samples"
	done
done
echo "1..$count"
