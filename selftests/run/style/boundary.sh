# SPDX-License-Identifier: GPL-2.0-only
# What each part of user space may include of ours; part of style.sh.
# shellcheck shell=bash disable=SC2154 # variables of style.sh

# boundary NAME ALLOWED GLOB...: the headers of ours that the files include match the extended regular expression ALLOWED.
boundary()
{
	local output=$log/boundary-${1// /-} name=$1 allowed=$2 list

	shift 2
	list=$(files "$@")
	# shellcheck disable=SC2086 # a list of files
	awk -f selftests/run/includes.awk $list /dev/null | grep -vE "^[^ ]* ($allowed)\$" > "$output"
	[ -n "$list" ] || echo "no files match $*" >> "$output"
	no_lines "$name" "$output"
}

library_boundary()
{
	local beside='userspace/util/.*' macros='userspace/util/util\.h'
	local public='userspace/lib/acrpmu_lib\.h|uapi/acrpmu\.h|<acrpmu(_lib)?\.h>'

	# Messages are a type of the public header.
	boundary 'util includes only itself and the public header' "$beside|$public" 'userspace/util/*.[ch]'
	boundary 'perfdata includes only itself and util.h' "userspace/perfdata/.*|$macros" 'userspace/perfdata/*.[ch]'
	boundary 'symbols includes only itself and util.h' "userspace/symbols/.*|$macros" 'userspace/symbols/*.[ch]'
	boundary 'push includes only itself and util' "userspace/push/.*|$beside" 'userspace/push/*.[ch]'
	beside+='|userspace/(perfdata|push|symbols)/.*'
	boundary 'acrctl includes of the library only its public header' \
		"userspace/acrctl/.*|userspace/montecito/acrctl/montecito\.h|$public|$beside" 'userspace/acrctl/*.[ch]'
	boundary 'acrctl for Montecito includes of the library only its public header' \
		"userspace/(montecito/(acrctl|lib)|acrctl)/.*|<perfmon/.*>|$public|$beside" 'userspace/montecito/acrctl/*.[ch]'
}

# Whatever else uses it must not know how messages travel.
netlink_boundary()
{
	local output=$log/boundary-netlink
	local -a sources

	mapfile -t sources < <(files 'kmod/*.[ch]' 'userspace/*.[ch]')
	grep -lE '^#include <(net|linux)/genetlink\.h>|^#include <netlink/' "${sources[@]}" |
		grep -vxE '(kmod|userspace/lib)/netlink\.c' > "$output"
	no_lines 'generic netlink is known to kmod/netlink.c and userspace/lib/netlink.c only' "$output"
	grep -lE 'struct nla_policy' "${sources[@]}" | grep -vx 'kmod/netlink\.c' > "$output-policy"
	[ "$(grep -cE '^static const struct nla_policy' kmod/netlink.c)" = 1 ] || echo 'kmod/netlink.c has not one table' >> "$output-policy"
	no_lines 'the netlink family has one policy table' "$output-policy"
}
