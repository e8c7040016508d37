# SPDX-License-Identifier: GPL-2.0-only
# What the tests of record, stat, report and script share: a device that plays scripts or counts, see device/device.h, and a program.

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd -P)
acrctl=${BUILD:-$root/build}/acrctl
group='{cpu/instructions,period=200000,acr_mask=0x2/u,cpu/cycles,period=100000,acr_mask=0x3/u}'

# Built once for each file of tests, in $BATS_FILE_TMPDIR
build_device()
{
	[ -x "$acrctl" ] || { echo "no $acrctl: make userspace" >&2; return 1; }
	cc -shared -fPIC -O1 -o "$BATS_FILE_TMPDIR/device.so" "$root"/selftests/cli/device/*.c -ldl
}

# likewise: the device and a program with two functions, at the addresses that it is linked to
build_fixtures()
{
	build_device || return 1
	cc -shared -fPIC -O1 -o "$BATS_FILE_TMPDIR/faulty_libc.so" "$root/selftests/cli/faulty_libc.c" -ldl
	cat > "$BATS_FILE_TMPDIR/busy.c" <<-'C'
	#include <unistd.h>
	__attribute__((noinline)) void first_half(unsigned long n) { while (n--) __asm__ volatile("nop"); }
	__attribute__((noinline)) void second_half(unsigned long n) { while (n--) __asm__ volatile("nop"); }
	int main(int argc, char **argv)
	{
		(void)argv;
		first_half(argc);
		second_half(argc);
		if (argc > 1)
			pause();
		return 0;
	}
	C
	cc -O1 -g -no-pie -o "$BATS_FILE_TMPDIR/busy" "$BATS_FILE_TMPDIR/busy.c"
	export FAKE_SCRIPT=$BATS_FILE_TMPDIR/busy.script
	plays "$BATS_FILE_TMPDIR/busy" 6 4
}

# starts PROGRAM [KEY=NUMBER...]: lines of a script: a task begins to run a program, at the linker's addresses, or $load_at above them
starts()
{
	local path id

	path=$(realpath "$1")
	id=$(readelf -n "$path" | sed -n 's/^ *Build ID: //p')
	echo "exec ${*:2} ${path##*/}"
	# what is executable, in whole pages
	readelf -lW "$path" | awk '$1 == "LOAD" && / R E / { print $2, $3, $5 }' | while read -r offset address size; do
		printf 'mmap addr=%#x len=%#x off=%#x %s %s %s\n' $(((address & ~4095) + ${load_at:-0})) $(((address % 4096 + size + 4095) & ~4095)) \
			$((offset & ~4095)) "${*:2}" "${id:--}" "$path"
	done
}

# at PROGRAM FUNCTION: its address
at() { nm "$1" | awk -v name="$2" '$3 == name { print "0x" $1 }'; }

# play: the lines on stdin are the script of the device
play() { cat > "$FAKE_SCRIPT"; }

# go_on: they are added to it, while acrctl runs
go_on() { cat >> "$FAKE_SCRIPT"; }

# halves PROGRAM FIRST SECOND [KEY=NUMBER...]: lines of a script: so many samples in its functions
halves() { printf 'sample ip=%s+1 nr=%s %s\n' "$(at "$1" first_half)" "$2" "${*:4}" "$(at "$1" second_half)" "$3" "${*:4}"; }

# plays PROGRAM FIRST SECOND [KEY=NUMBER...]: the script is that the command runs the program, with so many samples
plays() { { starts "$1" "${@:4}"; halves "$@"; } | play; }

common_setup()
{
	cd "$BATS_TEST_TMPDIR" || return 1
	busy=$BATS_FILE_TMPDIR/busy
	# perf's cache of this user, and servers, know files that a test removes
	export HOME=$BATS_TEST_TMPDIR
	unset DEBUGINFOD_URLS
	export FAKE_LOG=$BATS_TEST_TMPDIR/log
	# unless the test has another one
	export FAKE_SCRIPT=$BATS_TEST_TMPDIR.script
	cp "$BATS_FILE_TMPDIR/busy.script" "$FAKE_SCRIPT"
	# what in_functions prints of the script of build_fixtures
	both=$'4 second_half\n6 first_half'
}

# no_session: acrctl has asked the device for its CPUs at most
no_session() { [ ! -e log ] || ! grep -q '^CREATE' log; }

# in_functions: reads lines that end with a function; prints the number of samples in each function of busy.c, and of all others together,
# which perf may name differently
in_functions()
{
	awk '{ nr[$NF ~ /^(first_half|second_half|main)$/ ? $NF : "elsewhere"]++ } END { for (name in nr) print nr[name], name }' | sort
}

# equal_functions OURS THEIRS: two outputs of in_functions are equal and have both functions
equal_functions()
{
	[ "$1" = "$2" ] && grep -q first_half <<< "$1" && grep -q second_half <<< "$1" || { echo "ours: $1"; echo "theirs: $2"; return 1; }
}

# acrctl on the device
fake() { LD_PRELOAD=$BATS_FILE_TMPDIR/device.so "$acrctl" "$@"; }

# counting COMMAND...: on the device without a script; a run lasts 100 ms of its clock, and ends by SIGINT unless FAKE_FIFO is set
counting()
(
	unset FAKE_SCRIPT
	export FAKE_RUN_MS=${FAKE_RUN_MS-100} LD_PRELOAD=$BATS_FILE_TMPDIR/device.so
	"$@"
)

# calls: the commands that the device received, without those of creation, and the accounts
calls() { grep -vE '^(CREATE|  |CLOSE)' log | tr '\n' ' '; }

# acrctl where calls of the C library fail
faulty() { LD_PRELOAD=$BATS_FILE_TMPDIR/faulty_libc.so:$BATS_FILE_TMPDIR/device.so "$acrctl" "$@"; }

# fake_start ARGUMENTS...: the same in the background, as process $!. A shell lets background commands ignore SIGINT.
fake_start() { env --default-signal=INT LD_PRELOAD="$BATS_FILE_TMPDIR/device.so" "$acrctl" "$@" 3>&- & }

# wait_until COMMAND...: until it is true; the limit is for what never comes
exec {never}<> <(:)
wait_until()
{
	local end=$((SECONDS + 600))

	until "$@" > /dev/null 2>&1; do
		if [ $SECONDS -ge $end ]; then
			echo "waited in vain for: $*" >&2
			sed 's/^/log of the device: /' "$FAKE_LOG" >&2
			return 1
		fi
		# without a process, which takes longer than most of what is waited for
		read -rt 0.05 <&"$never" || true
	done
}

# sleeps PID [NAME]: a process of busy, or of this program, has reached its end
sleeps() { grep -q '^State:.*sleeping' "/proc/$1/status" && [ "$(cat "/proc/$1/comm")" = "${2:-busy}" ]; }

# start_threads NR: starts a process with so many threads besides the first, as $runner
start_threads()
{
	python3 -c "import threading, time
threading.stack_size(65536)
for i in range($1): threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
print('ready', flush=True)
time.sleep(600)" > ready 3>&- &
	runner=$!
	wait_until grep -q ready ready
}

# enabled_or_gone PID NR: acrctl has enabled more than NR sessions since the log began, or has ended
enabled_or_gone() { [ "$(grep -c '^ENABLE' log)" -gt "$2" ] || ! kill -0 "$1"; }

requires_perf() { command -v perf > /dev/null && perf --version > /dev/null 2>&1 || skip "no perf for this kernel is installed"; }

# perfs: a command for each perf here: the system's, and those that setup.sh has fetched
perfs()
{
	local version

	! perf --version > /dev/null 2>&1 || echo perf
	for version in 6.1 newest; do
		! "$root/selftests/model/perf.sh" $version --version > /dev/null 2>&1 || echo "$root/selftests/model/perf.sh $version"
	done
}

requires_perfs() { [ -n "$(perfs)" ] || skip "there is no perf to read recordings: install it, or fetch it with selftests/model/setup.sh"; }

# samples_of COMMAND FILE: number of samples that a perf or acrctl reads; its errors are in FILE.err
samples_of() { $1 script -i "$2" -F ip,sym 2> "$2.err" < /dev/null | grep -cE '^ *[0-9a-f]+ '; }

# records FILE: "TYPE NUMBER" of a file or stream, by another reader
records()
{
	python3 - "$1" <<-'PYTHON'
	import collections, struct, sys
	data = open(sys.argv[1], "rb").read()
	at, end = 16, len(data)
	if struct.unpack_from("<Q", data, 8)[0] != 16:
	    at, size = struct.unpack_from("<QQ", data, 40)
	    end = at + size
	types = collections.Counter()
	while at < end:
	    type_, _, size = struct.unpack_from("<IHH", data, at)
	    types[type_] += 1
	    types["odd"] += size % 8 != 0
	    at += size
	for type_, number in types.items():
	    print(type_, number)
	PYTHON
}

requires_mount_namespaces() { unshare -m true 2> /dev/null || skip "mount namespaces are not allowed here"; }

# Two programs with other functions and build-ids, one of them as ./program.
two_programs()
{
	sed 's/first_half/stranger/' "$BATS_FILE_TMPDIR/busy.c" | cc -O1 -g -no-pie -o theirs -x c -
	cp "$busy" program
	ours=$(readelf -n program | awk '/Build ID/ { print $3 }')
	other=$(readelf -n theirs | awk '/Build ID/ { print $3 }')
	[ -n "$ours" ]
	[ -n "$other" ]
	[ "$ours" != "$other" ]
}
