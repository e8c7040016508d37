# SPDX-License-Identifier: GPL-2.0-only
# acrctl info: without the module, and with a fake device.

load helpers

setup() { export FAKE_LOG=$BATS_TEST_TMPDIR/log; }

@test "acrctl info: works on any machine" {
	capture "$acrctl" info
	is "$status" 0
	has "$stdout" "$(uname -r)"
}

@test "acrctl info: without the module explains how to load it" {
	export FAKE_OPEN_ERRNO=2
	capture "$acrctl_fake" info
	is "$status" 0
	has "$stdout" "missing: the module is not loaded"
	has "$stdout" "modprobe"
	is "$(cat "$FAKE_LOG")" "open 2"
}

@test "acrctl info: shows what of in-tree perf starves beside sessions" {
	[ "$(id -u)" = 0 ] || skip "needs CAP_PERFMON"
	capture "$acrctl_fake" info
	has "$stdout" "perf starved now  nothing: no event waits for a counter of a session's CPU"
	export FAKE_STARVED=3
	capture "$acrctl_fake" info
	grep -qE "^  perf starved now  3 events, one on CPU 1 of acrctl-fake, pid [0-9]+$" <<< "$stdout"
	capture "$acrctl_fake" info --json
	is "$(jq -c '.module.perf_starved | [.events, .cpu]' <<< "$stdout")" "[3,1]"
}

@test "acrctl info: tells a module that cannot find what starves from a user who may not see it" {
	requires_jq
	FAKE_ABI=3 capture "$acrctl_fake" info
	has "$stdout" "perf starved now  unknown: the module is older, of ABI version 3; install a newer one"
	FAKE_ABI=3 capture "$acrctl_fake" info --json
	is "$(json '.module|[has("perf_starved"),.max_pmi_percent]')" "[false,null]"
	# a user namespace shows capabilities that count for nothing outside
	FAKE_STARVED_ERRNO=1 capture "$acrctl_fake" info
	has "$stdout" "perf starved now  unknown: this user may not see it"
	has "$stdout" "25 % of its time"
	FAKE_STARVED_ERRNO=1 capture "$acrctl_fake" info --json
	is "$(json '.module|[has("perf_starved"),.max_pmi_percent]')" "[false,25]"
}

# on_host LINE [kvm_intel] COMMAND...: where /proc has only modules with that line, or nothing, and /sys/module this directory
on_host()
{
	local as_root=() propagation=private

	[ "$(id -u)" = 0 ] || as_root=(--map-root-user)
	mountpoint -q / || propagation=unchanged
	# shellcheck disable=SC2016 # expanded by the other shell
	unshare "${as_root[@]}" --mount --propagation "$propagation" sh -ec '
		mount -t tmpfs tmpfs /sys
		mkdir /sys/module
		mount -t tmpfs tmpfs /proc
		[ -z "$1" ] || echo "$1" > /proc/modules
		shift
		[ "$1" != kvm_intel ] || { mkdir "/sys/module/$1"; shift; }
		exec "$@"' on_host "$@"
}

@test "acrctl info: warns of virtual machines, also where it cannot know" {
	requires_jq
	on_host "" true || skip "no private /sys and /proc can be mounted here"
	capture on_host "kvm_intel 413696 6 - Live 0x0" kvm_intel "$acrctl" info
	has "$stdout" "  virtual machines  run here: guests that use counters count nothing where a session holds them"
	capture on_host "kvm_intel 413696 6 - Live 0x0" kvm_intel "$acrctl" info --json
	is "$(json .virtual_machines)" true
	capture on_host "kvm_intel 413696 0 - Live 0x0" kvm_intel "$acrctl" info
	grep -qx "  virtual machines  none" <<< "$stdout"
	capture on_host "kvm 1396736 1 kvm_amd, Live 0x0" "$acrctl" info
	grep -qx "  virtual machines  none" <<< "$stdout"
	capture on_host "" "$acrctl" info --json
	is "$(json .virtual_machines)" false
	# built in, also without any module; without counts of users
	for unknown in "kvm 1396736 1 kvm_amd, Live 0x0" "" "kvm_intel 413696 - - Live 0x0"; do
		capture on_host "$unknown" kvm_intel "$acrctl" info
		has "$stdout" "  virtual machines  unknown, as KVM is built in or its users cannot be counted: guests that use counters count nothing where a session holds them"
		capture on_host "$unknown" kvm_intel "$acrctl" info --json
		is "$(json .virtual_machines)" null
	done
}

@test "acrctl info: without permission explains how to get it" {
	export FAKE_OPEN_ERRNO=13
	capture "$acrctl_fake" info
	is "$status" 0
	has "$stdout" "may not open /dev/acrpmu"
	has "$stdout" "CAP_PERFMON"
}

# as_user PARANOID COMMAND...: without capabilities, and with this perf_event_paranoid, or none
as_user()
{
	local as_root=() propagation=private

	[ "$(id -u)" = 0 ] || as_root=(--map-root-user)
	mountpoint -q / || propagation=unchanged
	# shellcheck disable=SC2016 # expanded by the other shell
	unshare "${as_root[@]}" --mount --propagation "$propagation" sh -ec '
		mount -t tmpfs tmpfs /proc
		mkdir -p /proc/sys/kernel
		[ -z "$1" ] || echo "$1" > /proc/sys/kernel/perf_event_paranoid
		shift
		exec setpriv --inh-caps=-all --bounding-set=-all "$@"' as_user "$@"
}

@test "acrctl info: shows what a user without capabilities may observe" {
	requires_jq
	as_user 2 true || skip "no private /proc can be mounted here"
	capture as_user 2 "$acrctl_fake" info
	has "$stdout" "  unprivileged use  off: observing anything takes CAP_PERFMON"
	has "$stdout" "this user: has neither CAP_PERFMON nor CAP_SYS_ADMIN"
	has "$stdout" "missing: this user may not use hardware counters"
	capture as_user 2 "$acrctl_fake" info --json
	is "$(json '[.module.unprivileged,.perf_event_paranoid,.may_observe]')" '[false,2,"nothing"]'
	export FAKE_UNPRIVILEGED=1
	# without perf events there is no such rule
	for paranoid in -1 2 ""; do
		capture as_user "$paranoid" "$acrctl_fake" info
		has "$stdout" "  unprivileged use  on: users may observe their own tasks at user level"
		has "$stdout" "this user: may observe own tasks at user level: has neither CAP_PERFMON nor CAP_SYS_ADMIN"
		[[ $stdout != *"missing: this user"* ]]
		capture as_user "$paranoid" "$acrctl_fake" info --json
		is "$(json '[.module.unprivileged,.perf_event_paranoid,.may_observe]')" "[true,${paranoid:-null},\"own_tasks\"]"
	done
	capture as_user 3 "$acrctl_fake" info
	has "$stdout" "this user: may observe nothing: has neither CAP_PERFMON nor CAP_SYS_ADMIN, and kernel.perf_event_paranoid is above 2"
	has "$stdout" "missing: kernel.perf_event_paranoid forbids this user to observe even own tasks; let root set it to 2"
	capture as_user 3 "$acrctl_fake" info --json
	is "$(json '[.module.unprivileged,.perf_event_paranoid,.may_observe]')" '[true,3,"nothing"]'
}

@test "acrctl info: knows the capabilities of a user in many groups" {
	[ "$(id -u)" = 0 ] || skip "only root can join groups"
	setpriv --groups 1 true 2> /dev/null || skip "groups cannot be changed here"
	capture setpriv --groups "$(seq -s, 1000000001 1000001000)" "$acrctl_fake" info
	has "$stdout" "may use hardware counters"
}

@test "acrctl info: queries the number of CPUs, then the CPUs, and closes the device" {
	capture "$acrctl_fake" info
	is "$status" 0
	is "$(cat "$FAKE_LOG")" "open 0
INFO room for 0
INFO room for 2
INFO of 88 bytes, flags $([ "$(id -u)" = 0 ] && echo 0x1 || echo 0)
close 77"
}

@test "acrctl info: --json carries what the module reports" {
	requires_jq
	capture "$acrctl_fake" info --json
	is "$status" 0
	is "$(json '.module|[.abi_version,.sessions,.arbiter,.min_period_sampled,.max_sample_rate,.max_pmi_percent,.task,.inherit]')" \
		'[6,3,"claim",1000,100000,25,true,false]'
	is "$(json '[.module.cpus[]|[.cpu,.name,.acr,.counters,.causes,.held]]')" \
		'[[0,"clearwaterforest",true,"0x77000000ff","0x7000000ff","0x0"],[1,"clearwaterforest",true,"0x77000000ff","0x7000000ff","0x1"]]'
}

@test "acrctl info: --json without the module is still JSON" {
	requires_jq
	export FAKE_OPEN_ERRNO=2
	capture "$acrctl_fake" info --json
	is "$status" 0
	is "$(json .module)" null
	has "$(json '[.missing[].what]')" "not loaded"
}

@test "acrctl info: names a module of another version as the reason" {
	export FAKE_INFO_ERRNO=7
	capture "$acrctl_fake" info
	is "$status" 0
	has "$stdout" "install both from one version"
}

@test "acrctl info: an allocation failure during the query is a failure, not a missing module" {
	export FAKE_INFO_ERRNO=12
	for json in "" --json; do
		# shellcheck disable=SC2086 # no argument at all
		capture "$acrctl_fake" info $json
		is "$status" 1
		is "$stdout" ""
		has "$stderr" "Cannot allocate memory"
	done
}

@test "acrctl info: refuses an argument" {
	capture "$acrctl" info cycles
	is "$status" 2
	has "$stderr" "takes no argument 'cycles'"
}

@test "acrctl info: lists the extra registers that the module reports, with their valid bits and whether they answer" {
	requires_jq
	capture "$acrctl_fake" info
	is "$status" 0
	# both CPUs have the same: listed once
	is "$(grep -A2 clearwaterforest <<< "$stdout")" "  on CPU 0, clearwaterforest:
  extra registers   MSR 0x1a6, valid bits 0x800ff0000000beef, event 0x01b7
                    MSR 0x1a7, valid bits 0x000ff0000000beef, event 0x02b7, does not answer: a hypervisor hides it"
	capture "$acrctl_fake" info --json
	is "$(json '[.module.cpus[].extra_regs]|unique')" \
		'[[{"msr":"0x1a6","valid_mask":"0x800ff0000000beef","config":"0x1b7","hidden":false},{"msr":"0x1a7","valid_mask":"0xff0000000beef","config":"0x2b7","hidden":true}]]'
}

@test "acrctl info: --json has a list of extra registers for every type of CPU, also without the module" {
	requires_jq
	export FAKE_OPEN_ERRNO=2
	capture "$acrctl_fake" info --json
	is "$status" 0
	is "$(json '[.cpus[].extra_regs|type]|unique')" '["array"]'
}

@test "acrctl info: names the in-tree PMUs of all core types" {
	requires_jq
	as_root=()
	[ "$(id -u)" = 0 ] || as_root=(--map-root-user)
	propagation=private
	mountpoint -q / || propagation=unchanged
	on_hybrid=(unshare "${as_root[@]}" --mount --propagation "$propagation" sh -ec '
		mount -t tmpfs tmpfs /sys
		for pmu in cpu_core cpu_atom cpu_lowpower uncore_imc; do
			mkdir -p "/sys/bus/event_source/devices/$pmu/format"
			touch "/sys/bus/event_source/devices/$pmu/type"
		done
		touch /sys/bus/event_source/devices/cpu_lowpower/format/acr_mask
		exec "$@"' on_hybrid)
	"${on_hybrid[@]}" true || skip "no private /sys can be mounted here"
	capture "${on_hybrid[@]}" "$acrctl" info
	is "$status" 0
	has "$stdout" "in-tree perf: cpu_core cpu_atom cpu_lowpower, knows acr_mask
"
	capture "${on_hybrid[@]}" "$acrctl" info --json
	is "$(json .perf)" '{"pmus":"cpu_core cpu_atom cpu_lowpower","acr_mask":true}'
}

@test "acrctl info: describes each kind of core by its PMU" {
	requires_jq
	export FAKE_KINDS=PE
	capture "$acrctl_fake" info
	is "$status" 0
	has "$stdout" "  held on cpu_core  general-purpose 1
  held on cpu_atom  general-purpose 0"
	has "$stdout" "  on CPU 0, lioncove:"
	has "$stdout" "  on CPU 1, skymont:"
	capture "$acrctl_fake" info --json
	is "$(json '[.module.cpus[]|[.name,.pmu]]')" '[["lioncove","cpu_core"],["skymont","cpu_atom"]]'
	FAKE_KINDS=E
	capture "$acrctl_fake" info
	has "$stdout" "  held on cpu_atom  general-purpose 0"
	[[ $stdout != *cpu_core* ]]
}

@test "acrctl info: lists how each CPU can reload counters" {
	requires_jq
	capture "$acrctl_fake" info --json
	is "$(json '[.module.cpus[].reload]')" '[["hardware","software"],["hardware","software"]]'
	FAKE_KINDS=PE capture "$acrctl_fake" info --json
	is "$(json '[.module.cpus[].reload]')" '[["software"],["hardware","software"]]'
	# the module is older
	FAKE_ABI=4 FAKE_KINDS=PE capture "$acrctl_fake" info --json
	is "$(json '[.module.cpus[].reload]')" '[[],["hardware"]]'
}
