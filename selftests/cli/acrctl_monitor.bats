#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# acrctl monitor: what it prints of each message, what it leaves out, and when it ends; with a module that plays messages from files.

bats_require_minimum_version 1.5.0
load helpers
load monitor_helpers

setup_file() { build_monitor_fixtures; }
setup() { monitor_setup; }

# prints LINE...: these are the lines on stdout
prints()
{
	is "$(lines)" "$(printf '%s\n' "$@")"
}

@test "monitor: begins with the sessions that exist, after it has subscribed" {
	messages <<< 'write("dump.1", *exists(sampling, strange, counting)); write("notices.1", unloaded)'
	on_module monitor
	prints "session 7, acrctl[4711] (root) exists for 5m12s, enabled: cycles/period=100000,acr_mask=0x3/u, instructions/period=200000,acr_mask=0x2/u; CPUs 0-3 with GP0, FIXED1" \
		"session 9, x?[31m?[-] (uid 4000000000) exists for 1d01h, parked, has lost a CPU: cpu/event=0xc2,umask=0x11,cmask=1,edge,inv,config1=0x1234/k; no CPU" \
		"session 11, stat[99] (root) exists for 3s, disabled: branches, MEM_UOPS_RETIRED.ALL_LOADS; CPU 0 with GP0, GP1; CPUs 1,5 with GP3, FIXED0; 1 more CPU" \
		"the module is being unloaded"
	is "$(xargs < requests)" "SUBSCRIBE 15 DUMP 1"
	has "$stderr" "acrctl: monitor: listening; Ctrl-C ends it"
}

@test "monitor: each line has date and time of what happened" {
	messages <<< 'write("dump.1", *exists(sampling)); write("notices.1", message("CPU_ONLINE", TIME=T + 123000000, CPU=3), unloaded)'
	on_module monitor
	is "$(grep online stdout)" "2026-11-25 11:59:59.623 CPU 3 went online"
	is "$(grep exists stdout | cut -d' ' -f-3)" "2026-11-25 12:00:00.000 session"
	TZ=UTC-5:30 on_module monitor
	is "$(grep online stdout)" "2026-11-25 17:29:59.623 CPU 3 went online"
}

@test "monitor: the life of a session, with its counts by name" {
	messages <<-'END'
	write("notices.1", message("SESSION_CREATED", TIME=T, **dict(sampling, STATE=0)),
	    message("SESSION_CHANGED", TIME=T, CHANGE=1, STATE=1, CPUS=cpus(0, 1, 2, 3), **mine),
	    message("SESSION_CHANGED", TIME=T, CHANGE=2, STATE=4, CPUS=cpus(0, 1, 2), **mine),
	    message("SESSION_CHANGED", TIME=T, CHANGE=3, STATE=8, CPUS=b"", **mine),
	    message("SESSION_CHANGED", TIME=T, CHANGE=4, STATE=0, CPUS=cpus(2), **mine),
	    message("SESSION_CHANGED", TIME=T, CHANGE=5, STATE=0, CPUS=cpus(2), EVENT=sampling["EVENT"][::-1], **mine),
	    message("SESSION_CHANGED", TIME=T, CHANGE=77, STATE=0, CPUS=cpus(2), **mine),
	    message("SESSION_ENDED", TIME=T, CREATED=T - 61 * SECOND, COUNT=[dict(VALUE=1 << 40, OVERFLOWS=2, FLAGS=0), dict(VALUE=200000, OVERFLOWS=1, FLAGS=1)],
	        **dict(accounts, RECORDS=37, LOST=2, THROTTLED=3, DISCARDED=4, GUEST=5, QUIET=6, TIME_MISSED=1500000000), **dict(mine, PID=0)),
	    message("SESSION_ENDED", TIME=T, CREATED=T, COUNT=[dict(VALUE=5, OVERFLOWS=0, FLAGS=0), dict(VALUE=0, OVERFLOWS=0, FLAGS=2)],
	        **accounts, **who(8, 1, b"init")), unloaded)
	END
	on_module monitor
	prints "session 7, acrctl[4711] (root) was created, disabled: cycles/period=100000,acr_mask=0x3/u, instructions/period=200000,acr_mask=0x2/u; CPUs 0-3 with GP0, FIXED1" \
		"session 7, acrctl[4711] (root) was enabled on CPUs 0-3" \
		"session 7, acrctl[4711] (root) was disabled; it has lost a CPU" \
		"session 7, acrctl[4711] (root) was parked" \
		"session 7, acrctl[4711] (root) was unparked on CPU 2" \
		"session 7, acrctl[4711] (root) has other periods: instructions/period=200000,acr_mask=0x2/u, cycles/period=100000,acr_mask=0x3/u" \
		"session 7, acrctl[4711] (root) has changed in a way that this acrctl does not know (77)" \
		"session 7, acrctl[4711] (root) ended after 1m01s: 1099511627776 instructions/period=200000,acr_mask=0x2/u, 200000 cycles/period=100000,acr_mask=0x3/u (in whole periods); 37 samples; 2 lost; 3 throttled; 4 discarded; 5 in guests; 6 quiet; 1.500 s not counted" \
		"session 8, init[1] (root) ended after 0s: 5 of event 0, <not counted> of event 1" \
		"the module is being unloaded"
}

@test "monitor: what only users with the capability may know is left out" {
	messages <<-'END'
	write("dump.1", *exists(sampling))
	write("notices.1", message("LOST", TIME=T, CPU=3, **mine), message("STOPPED", TIME=T, CPU=3, **mine), message("RESUMED", TIME=T, CPU=3, **mine),
	    message("REGISTER_CHANGED", TIME=T, CPU=3, COUNTER=1, REGISTER=0x187, **mine), message("SESSION_ENDED", TIME=T, CREATED=T - 61 * SECOND, **mine),
	    unloaded)
	END
	on_module monitor -q
	is "$(lines | sed 1d)" "$(printf '%s\n' "session 7, acrctl[4711] (root) has lost samples on CPU 3" \
		"session 7, acrctl[4711] (root) pauses on CPU 3, as it had too many overflows" \
		"session 7, acrctl[4711] (root) counts again on CPU 3" \
		"session 7, acrctl[4711] (root): others have changed GP1 on CPU 3: MSR 0x187 has another value" \
		"session 7, acrctl[4711] (root) ended after 1m01s; only users with CAP_PERFMON see its counts" \
		"the module is being unloaded")"
	on_module monitor --json
	is "$(jq -r 'select(.type == "register-changed") | [.expected, .found] | tostring' stdout)" "[null,null]"
	is "$(jq -r 'select(.type == "session-ended") | keys | join(" ")' stdout)" "command created pid schema session time type uid user"
	is "$(jq -r 'select(.type == "lost" or .type == "stopped") | has("lost") or has("throttled") or has("pauses")' stdout | xargs)" "false false"
}

@test "monitor: conflicts, with refusals in words" {
	messages <<-'END'
	write("early", message("PMU_CLAIMED", TIME=T, CPUS=cpus(0, 1), **mine), message("PMU_RELEASED", TIME=T, CPUS=cpus(1), **mine),
	    message("REFUSED", TIME=T, PID=55, COMM=b"perf\n", UID=0, ERRNO=16, REASON=33, VALUE=1, LIMIT=0, CPU=3, HOLDER_PID=4711, HOLDER=b"acr\x1bctl"),
	    message("REFUSED", TIME=T, ERRNO=12, REASON=0, VALUE=0, LIMIT=0, HOLDER_PID=0, **mine),
	    message("REGISTER_CHANGED", TIME=T, CPU=3, COUNTER=33, REGISTER=0x38d, EXPECTED=0xb0, FOUND=0, **mine),
	    message("REGISTER_CHANGED", TIME=T, CPU=3, COUNTER=1, REGISTER=0x187, EXPECTED=0x5300c0, **mine),
	    message("PMU_TAKEN", TIME=T, ERRNO=16, REASON=66, CPU=3, VALUE=0, LIMIT=0, HOLDER_PID=71, HOLDER=b"thief", **mine), unloaded)
	END
	on_module monitor -t conflicts
	prints "session 7, acrctl[4711] (root) has reserved counters on CPUs 0-1; in-tree perf is kept off" \
		"session 7, acrctl[4711] (root) has released its counters on CPU 1" \
		"perf?[55] (root) was refused: the PMU on CPU 3 is in use by acr?ctl, pid 4711" \
		"session 7, acrctl[4711] (root) was refused: there is no memory left" \
		"session 7, acrctl[4711] (root): others have changed FIXED1 on CPU 3: MSR 0x38d has 0x0 instead of 0xb0" \
		"session 7, acrctl[4711] (root): others have changed GP1 on CPU 3: MSR 0x187 has another value instead of 0x5300c0" \
		"session 7, acrctl[4711] (root) has lost CPU 3: thief, pid 71 took the counters on CPU 3 from the session, and what was counted there is lost" \
		"the module is being unloaded"
	is "$(xargs < requests)" "SUBSCRIBE 2"
}

@test "monitor: losses and CPUs" {
	messages <<-'END'
	write("early", message("LOST", TIME=T, CPU=3, LOST=12, **mine), message("STOPPED", TIME=T, CPU=3, THROTTLED=100, PAUSES=5, **mine),
	    message("RESUMED", TIME=T, CPU=3, THROTTLED=101, PAUSES=5, **mine), message("CPU_ONLINE", TIME=T, CPU=3), message("CPU_OFFLINE", TIME=T, CPU=70000),
	    message("CPU_LOST", TIME=T, CPU=3, **mine), unloaded)
	END
	on_module monitor --topic losses,cpus
	prints "session 7, acrctl[4711] (root) has lost samples on CPU 3: 12 so far" \
		"session 7, acrctl[4711] (root) pauses on CPU 3, as it had too many overflows; so far 5 pauses, 100 overflows throttled" \
		"session 7, acrctl[4711] (root) counts again on CPU 3; so far 5 pauses, 101 overflows throttled" \
		"CPU 3 went online" "CPU 70000 went offline" \
		"session 7, acrctl[4711] (root) does not count on CPU 3 any more, which went offline or was refused" \
		"the module is being unloaded"
	is "$(xargs < requests)" "SUBSCRIBE 12"
}

@test "monitor: messages of a newer module are shown, not dropped" {
	messages <<< 'write("notices.1", message(42, TIME=T, **mine), message(43, TIME=T), unloaded)'
	on_module monitor
	prints "session 7, acrctl[4711] (root): a message of type 42, which this acrctl does not know; install a newer one" \
		"a message of type 43, which this acrctl does not know; install a newer one" "the module is being unloaded"
}

@test "monitor: a session that is created while the others are listed is printed once" {
	messages <<-'END'
	write("early", message("SESSION_CREATED", TIME=T, **sampling), message("SESSION_CHANGED", TIME=T, CHANGE=1, STATE=1, CPUS=cpus(0), **mine))
	write("dump.1", *exists(counting, sampling)); write("notices.1", unloaded)
	END
	on_module monitor
	is "$(lines | grep -c 'session 7.*\(exists\|created\)')" 1
	is "$(lines | sed -n 3p)" "session 7, acrctl[4711] (root) was enabled on CPU 0"
}

@test "monitor: after messages were missed, it lists the sessions again and ends those that are gone" {
	messages <<-'END'
	write("dump.1", *exists(sampling, strange, counting))
	write("notices.1", message("MISSED", MISSED=12, LEFT_OUT=3))
	write("dump.2", *exists(strange, dict(counting, SESSION=20)))
	write("notices.2", message("SESSION_ENDED", TIME=T, CREATED=T, COUNT=[dict(VALUE=5, OVERFLOWS=0, FLAGS=0)], **accounts, **who(11, 99, b"stat")))
	END
	env --default-signal=INT LD_PRELOAD="$preload" "$acrctl_fake" monitor -q > stdout 2> stderr 3>&- &
	until grep -q 'its message was missed' stdout; do kill -0 $!; sleep 0.1; done
	kill -s INT $!
	wait $!
	is "$(lines | sed 1,3d)" "$(printf '%s\n' "warning: 12 messages were missed, as they were not read fast enough; 3 refusals came too fast to be reported" \
		"session 20, stat[99] (root) exists for 3s, disabled: branches, MEM_UOPS_RETIRED.ALL_LOADS; CPU 0 with GP0, GP1; CPUs 1,5 with GP3, FIXED0; 1 more CPU" \
		"session 11, stat[99] (root) ended after 0s: 5 branches" \
		"session 7, acrctl[4711] (root) ended, and its message was missed")"
	is "$(cat stderr)" ""
}

@test "monitor: -p chooses by who created, was refused, or holds what was refused" {
	messages <<-'END'
	write("dump.1", *exists(sampling, counting))
	write("notices.1", message("CPU_ONLINE", TIME=T, CPU=3), message("SESSION_CHANGED", TIME=T, CHANGE=2, STATE=0, CPUS=cpus(0), **dict(mine, PID=0)),
	    message("SESSION_CHANGED", TIME=T, CHANGE=2, STATE=0, CPUS=cpus(0), **who(11, 99, b"stat")),
	    message("REFUSED", TIME=T, PID=55, COMM=b"perf", UID=0, ERRNO=12, REASON=0, VALUE=0, LIMIT=0, HOLDER_PID=4711, HOLDER=b"acrctl"),
	    message("REFUSED", TIME=T, PID=55, COMM=b"perf", UID=0, ERRNO=12, REASON=0, VALUE=0, LIMIT=0, HOLDER_PID=99, HOLDER=b"stat"),
	    message("MISSED", MISSED=1, LEFT_OUT=0), unloaded)
	write("dump.2", *exists(sampling, counting))
	END
	on_module monitor -p 4711
	is "$(lines | cut -d' ' -f1-6)" "$(printf '%s\n' "session 7, acrctl[4711] (root) exists for" "session 7, acrctl[4711] (root) was disabled" \
		"perf[55] (root) was refused: there is" "warning: 1 message was missed, as" "the module is being unloaded")"
	on_module monitor -p 1,99 -p 4711
	is "$(lines | grep -c '^session 11,')" 2
	is "$(lines | grep -c refused)" 2
	on_module monitor -p 99 --session 7
	is "$(lines | grep -c session)" 0
}

@test "monitor: --session shows one session and ends with it" {
	messages <<-'END'
	write("dump.1", *exists(sampling, counting))
	write("notices.1", message("CPU_ONLINE", TIME=T, CPU=3), message("SESSION_CHANGED", TIME=T, CHANGE=2, STATE=0, CPUS=cpus(0), **who(11, 99, b"stat")),
	    message("SESSION_ENDED", TIME=T, CREATED=T, COUNT=[dict(VALUE=5, OVERFLOWS=0, FLAGS=0)], **accounts, **mine), unloaded)
	END
	on_module monitor --session 7
	is "$status" 0
	is "$(lines | cut -d' ' -f1-6)" "$(printf '%s\n' "session 7, acrctl[4711] (root) exists for" "session 7, acrctl[4711] (root) ended after")"
	on_module monitor -q --session 8
	is "$status" 1
	is "$stderr" "acrctl: monitor: there is no session 8; 'acrctl ps' shows those that exist"
}

@test "monitor: ends with status 1 when the module is unloaded" {
	messages <<< 'write("notices.1", unloaded, message("CPU_ONLINE", TIME=T, CPU=3))'
	on_module monitor -q
	is "$status" 1
	prints "the module is being unloaded"
	is "$stderr" "acrctl: monitor: the module was unloaded; nothing more will happen"
}

@test "monitor: ends with status 0 by SIGINT, SIGTERM and SIGHUP, with all lines written" {
	messages <<< 'write("dump.1", *exists(sampling))'
	for signal in INT TERM HUP; do
		rm -f out
		mkfifo out
		env --default-signal=INT LD_PRELOAD="$preload" "$acrctl_fake" monitor -q > out 3>&- &
		exec 4< out
		read -r line <&4
		kill -s $signal $!
		wait $!
		has "$line" "session 7"
		exec 4<&-
	done
}

@test "monitor: SIGINT ends it while its reader does not read" {
	messages <<< 'write("dump.1", *exists(*[dict(sampling, SESSION=i) for i in range(1, 1000)]))'
	mkfifo out
	env --default-signal=INT LD_PRELOAD="$preload" "$acrctl_fake" monitor -q > out 3>&- &
	exec 4<> out
	# a pipe holds less than these lines; there is no room for another one from here on
	until python3 -c 'import array, fcntl, termios; n = array.array("i", [0]); fcntl.ioctl(4, termios.FIONREAD, n); exit(n[0] < 50000)'; do sleep 0.1; done
	kill -s INT $!
	wait $!
	exec 4<&-
}

@test "monitor: ends when nobody reads any more, although nothing happens" {
	messages <<< 'write("dump.1", *exists(sampling, counting))'
	capture sh -c 'LD_PRELOAD=$1 timeout 600 "$2" monitor -q | head -1; ! [ -s err ]' sh "$preload" "$acrctl_fake"
	is "$status" 0
	is "$stderr" ""
	is "$(wc -l < stdout)" 1
	bash -c 'LD_PRELOAD=$1 timeout 600 "$2" monitor -q | true; exit ${PIPESTATUS[0]}' sh "$preload" "$acrctl_fake"
}

@test "monitor: a full disk ends it with status 1" {
	messages <<< 'write("dump.1", *exists(sampling))'
	status=0
	LD_PRELOAD="$preload" "$acrctl_fake" monitor -q > /dev/full 2> err || status=$?
	is "$status" 1
	has "$(cat err)" "part of the output is missing"
}

@test "monitor: says why it cannot listen" {
	FAKE_FAMILY_ERRNO=2 on_module monitor
	is "$status" 1
	is "$stderr" "acrctl: monitor: the module is not loaded: there is no /dev/acrpmu; load it with 'insmod build/acrpmu.ko' or 'modprobe acrpmu'; if that fails the kernel log says why"
	FAKE_SUBSCRIBE_ERRNO=1 on_module monitor
	is "$status" 1
	is "$stderr" "acrctl: monitor: the caller may not see sessions; run it as root, or let root give it CAP_PERFMON for one group: acrctl(1), PERMISSION"
	FAKE_DUMP_ERRNO=12 on_module monitor -q
	is "$status" 1
	has "$stderr" "acrctl: monitor: there is no memory left"
}

@test "monitor: refuses what it cannot do, with status 2" {
	while IFS='|' read -r args message; do
		# shellcheck disable=SC2086 # several arguments
		capture "$acrctl_fake" monitor $args
		is "$status" 2
		is "$stdout" ""
		is "$stderr" "acrctl: monitor: $message"
	done <<-'END'
	-t session|there is no topic 'session'; did you mean 'sessions'?
	-t sessions,,cpus|there is no topic ''; topics are sessions, conflicts, losses and cpus
	-p 0|-p '0' is not a number from 1 to 2147483647
	-p 5,|-p '' is not a number from 1 to 2147483647
	--session x|--session 'x' is not a number from 1 to 9223372036854775807
	cycles|takes no argument 'cycles'; see 'acrctl monitor --help'
	--all|there is no option '--all', or several begin like that; see 'acrctl monitor --help'
	-t|the option '-t' needs an argument; see 'acrctl monitor --help'
	END
}

@test "ps: a row for each event, and one for each set of CPUs with other counters" {
	messages <<< 'write("dump.1", *exists(sampling, strange, counting))'
	on_module ps
	is "$status" 0
	is "$stdout" "$(cat <<-'END'
	SESSION  PID USER       COMMAND STATE             AGE CPUS       COUNTER EVENT
	      7 4711 root       acrctl  enabled         5m12s 0-3        GP0     cycles/period=100000,acr_mask=0x3/u
	                                                                 FIXED1  instructions/period=200000,acr_mask=0x2/u
	      9    - 4000000000 x?[31m? parked,cpu-lost 1d01h -          -       cpu/event=0xc2,umask=0x11,cmask=1,edge,inv,config1=0x1234/k
	     11   99 root       stat    disabled           3s 0          GP0     branches
	                                                                 GP1     MEM_UOPS_RETIRED.ALL_LOADS
	                                                      1,5        GP3     branches
	                                                                 FIXED0  MEM_UOPS_RETIRED.ALL_LOADS
	                                                      and 1 more
	END
	)"
	is "$stderr" ""
}

@test "ps: on hybrid CPUs events have the names of their kind of core" {
	messages <<-'END'
	both = dict(counting, CPUS=cpus(0), UNPLACED=0, EVENT=[dict(CONFIG=0x3c, FLAGS=3), dict(CONFIG=0x4ff, PERIOD=5000, FLAGS=1)])
	write("dump.1", *exists(dict(both, PLACEMENT=[dict(CPUS=cpus(0), COUNTERS=bytes([0, 1]))]),
	    dict(both, SESSION=12, CPUS=cpus(1), PLACEMENT=[dict(CPUS=cpus(1), COUNTERS=bytes([2, 3]))]), dict(both, SESSION=13, CPUS=b"", STATE=8, PLACEMENT=[])))
	END
	FAKE_KINDS=PE ACRCTL_CPUID='' on_module ps
	is "$(awk '{ print $NF }' stdout | xargs)" "EVENT cpu_core/cycles/ cpu_core/event=0xff,umask=0x04,period=5000/u cpu_atom/cycles/ cpu_atom/event=0xff,umask=0x04,period=5000/u \
cpu/event=0x3c,umask=0x00/ cpu/event=0xff,umask=0x04,period=5000/u"
}

@test "ps: a session that is created while they are listed has no age" {
	messages <<< 'write("dump.1", *exists(dict(sampling, CREATED=NOON + 1)))'
	on_module ps
	is "$(awk 'NR == 2 { print $6 }' stdout)" 0s
	on_module ps --json
	is "$(json '.sessions[0].age_ns')" 0
}

@test "ps: without a session there is a note and no table" {
	on_module ps
	is "$status" 0
	is "$stdout" ""
	is "$stderr" "acrctl: ps: there is no session"
}

@test "ps: says why it cannot list sessions" {
	FAKE_FAMILY_ERRNO=2 on_module ps
	is "$status" 1
	has "$stderr" "acrctl: ps: the module is not loaded"
	FAKE_DUMP_ERRNO=1 on_module ps --json
	is "$status" 1
	is "$stdout" ""
	is "$stderr" "acrctl: ps: the caller may not see sessions; run it as root, or let root give it CAP_PERFMON for one group: acrctl(1), PERMISSION"
	on_module ps 7
	is "$status" 2
	is "$stderr" "acrctl: ps: takes no argument '7'; see 'acrctl ps --help'"
}

@test "ps and monitor: an event is printed as -e takes it" {
	messages <<< 'write("dump.1", *exists(sampling, strange))'
	on_module ps --json
	"$acrctl" encode --json "{$(json '[.sessions[0].events[].event] | join(",")')}" > encoded
	is "$(jq -rc '.events | map([.config, .period, .acr_mask, .modifiers])' encoded)" "$(json '.sessions[0].events | map([.config, .period, .acr_mask, "u"])')"
	"$acrctl" encode --pmu goldmont --json "cpu/event=0xb7,umask=0x01,config1=0x1234/k" > encoded
	is "$(jq -r '.events[0].extra_reg.value' encoded)" "0x1234"
}

@test "monitor and ps: a user without capabilities is informed that others' sessions are left out" {
	[ "$(id -u)" = 0 ] || skip "must be root to give up capabilities"
	messages <<< 'write("dump.1", *exists(sampling)); write("notices.1", unloaded)'
	for command in ps monitor; do
		capture setpriv --bounding-set=-all env LD_PRELOAD="$preload" "$acrctl_fake" $command
		has "$stderr" "acrctl: $command: note: sessions of other users are not shown, which takes CAP_PERFMON"
	done
}
