# SPDX-License-Identifier: GPL-2.0-only
# compat.h and probe.mk find what a kernel has, whatever its version: each probe with both answers, on made-up trees.

# The program prints what it was compiled to use.
setup()
{
	tree=$BATS_TEST_TMPDIR/tree
	mkdir -p "$tree"/include/{linux/sched,trace/events,asm/cpuid}
	cat > "$BATS_TEST_TMPDIR/uses.c" <<-'C'
	#include <linux/mm.h>
	#include <linux/perf_event.h>
	#include <linux/sched.h>
	#include <trace/events/sched.h>

	static enum hrtimer_restart on_time(struct hrtimer *timer) { return 0; }
	static void probe(void *data, struct task_struct *task) { puts("exit probe of 2"); }
	static void probe_in_group(void *data, struct task_struct *task, bool group_dead) { puts("exit probe of 3"); }

	int main(void)
	{
		struct task_struct task = TASK;
		struct vm_area_struct vma = { 0 };
		struct hrtimer timer = { 0 };

		compat_hrtimer_setup(&timer, on_time, 0, 0);
		printf("timer %s\n", timer.function == on_time ? "complete" : "incomplete");
		compat_vm_flags_set(&vma, 4);
		printf("flags %ld\n", vma.vm_flags);
		check_trace_callback_type_sched_process_exit(compat_exit_probe(probe, probe_in_group));
		printf("dumpable %d\n", compat_dumpable_by_user(&task));
		printf("kernel %d\n", compat_perf_allow_kernel());
		printf("cpu %d\n", compat_perf_allow_cpu());
		printf("context %s\n", *compat_perf_ctx(&task) == &first_ctx ? "first" : "other");
		printf("worker %d\n", COMPAT_PF_USER_WORKER);
		printf("mediated %d\n", COMPAT_PMU_CAP_MEDIATED_VPMU);
		compat_leave_mm();
	#ifdef CPUID_API
		puts("cpuid api");
	#endif
		return 0;
	}
	C
	cat > "$tree/include/stub.h" <<-'C'
	#include <stdbool.h>
	#include <stdio.h>
	#define __rcu
	#define KBUILD_MODNAME "compat"
	#define READ_ONCE(x) (x)
	#define rcu_dereference(x) (x)
	#define rcu_read_lock() do { } while (0)
	#define rcu_read_unlock() do { } while (0)
	#define typeof __typeof__
	struct mm_struct { int dumpable; };
	struct task_exec_state { int dumpable; };
	struct perf_event_context { int nr; };
	static struct perf_event_context first_ctx, second_ctx;
	C
	for feature in version hrtimer vm_flags exit dumpable allow_kernel allow_cpu context worker mediated leave_mm cpuid; do
		"has_$feature" old
	done
}

header() { { echo '#pragma once'; cat; } > "$tree/include/$1"; }
version() { printf '#define KERNEL_VERSION(a, b, c) ((a) << 16 | (b) << 8 | (c))\n#define LINUX_VERSION_CODE KERNEL_VERSION(%s, 0)\n' "$1" | header linux/version.h; }
has_version() { case $1 in old) version '6, 1' ;; new) version '7, 3' ;; esac; }

# has_FEATURE old|new: makes the tree's header one of an older or newer kernel

has_hrtimer()
{
	{
		echo '#include <stub.h>'
		echo 'typedef int clockid_t; enum hrtimer_mode { MODE }; enum hrtimer_restart { NORESTART };'
		echo 'struct hrtimer { enum hrtimer_restart (*function)(struct hrtimer *); };'
		case $1 in
		old) echo 'static inline void hrtimer_init(struct hrtimer *timer, clockid_t clock, enum hrtimer_mode mode) { puts("hrtimer_init"); }' ;;
		new) echo 'static inline void hrtimer_setup(struct hrtimer *timer, enum hrtimer_restart (*f)(struct hrtimer *), clockid_t clock, enum hrtimer_mode mode)
			{ timer->function = f; puts("hrtimer_setup"); }' ;;
		esac
	} | header linux/hrtimer.h
}

has_vm_flags()
{
	case $1 in
	old) echo 'struct vm_area_struct { unsigned long vm_flags; };' ;;
	new) echo 'struct vm_area_struct { const unsigned long vm_flags; };
		static inline void vm_flags_set(struct vm_area_struct *vma, unsigned long flags) { *(unsigned long *)&vma->vm_flags |= flags; puts("vm_flags_set"); }' ;;
	esac | header linux/mm.h
}

has_exit()
{
	local group_dead='' argument=''

	[ "$1" = old ] || group_dead=', bool' argument=', true'
	echo "static inline void check_trace_callback_type_sched_process_exit(void (*cb)(void *, struct task_struct *$group_dead)) { cb(0, 0$argument); }" |
		header trace/events/sched.h
}

has_dumpable()
{
	case $1 in
	old) echo '#define SUID_DUMP_USER 1
		static inline int get_dumpable(struct mm_struct *mm) { return mm->dumpable; }' | header linux/sched/coredump.h
		rm -f "$tree/include/linux/sched/exec_state.h" ;;
	new) : | header linux/sched/coredump.h
		echo '#define TASK_DUMPABLE_OWNER 1
		#include <linux/sched.h>' | header linux/sched/exec_state.h ;;
	esac
}

# exports NAME [NAMESPACE]; hides NAME
exports() { printf '0x00000000\t%s\tvmlinux\tEXPORT_SYMBOL_GPL\t%s\n' "$1" "${2:-}" >> "$tree/Module.symvers"; }
hides() { [ ! -e "$tree/Module.symvers" ] || sed -i "/\t$1\t/d" "$tree/Module.symvers"; }
# has_allow NAME old|middle|new: an inline function of what modules cannot call; exported with an argument; without one
has_allow()
{
	hides "perf_allow_$1"
	exports "perf_allow_$1_not"
	case $2 in
	old) echo "int not_exported_$1(void); static inline int perf_allow_$1(struct perf_event_attr *attr) { return not_exported_$1(); }" ;;
	middle) echo "static int perf_allow_$1(struct perf_event_attr *attr) { return attr->type - 13; }"; exports "perf_allow_$1" ;;
	new) echo "static int perf_allow_$1(void) { return -1; }"; exports "perf_allow_$1" ;;
	esac | header "linux/allow_$1.h"
}
has_allow_kernel() { has_allow kernel "$1"; }
has_allow_cpu() { has_allow cpu "$1"; }

has_mediated()
{
	{
		printf '%s\n' 'struct perf_event_attr { int type; };' '#include <linux/allow_kernel.h>' '#include <linux/allow_cpu.h>'
		[ "$1" = old ] || echo '#define PERF_PMU_CAP_MEDIATED_VPMU 2048'
	} | header linux/perf_event.h
}

# has_context OLD-OR-NEW: together with the rest of a task
has_context()
{
	local member='*perf_event_ctxp' value='&first_ctx'

	[ "$1" = new ] || member+='[2]' value='{ &first_ctx, &second_ctx }'
	{
		echo "struct task_struct { struct mm_struct *mm; struct task_exec_state *exec_state; struct perf_event_context $member; };"
		echo "#define TASK { &(struct mm_struct){ 1 }, &(struct task_exec_state){ 1 }, $value }"
		echo '#include <linux/worker.h>'
		echo '#include <linux/leave.h>'
	} | header linux/sched.h
}

has_worker()
{
	case $1 in
	old) echo '#define PF_IO_WORKER 16' ;;
	new) printf '#define PF_IO_WORKER 16\n#define PF_USER_WORKER 16384\n' ;;
	esac | header linux/worker.h
}

has_leave_mm()
{
	case $1 in
	old) echo 'static void leave_mm(int cpu) { printf("leave_mm of %d\n", cpu); }' ;;
	new) echo 'static void leave_mm(void) { puts("leave_mm of nothing"); }' ;;
	esac | header linux/leave.h
}

has_cpuid()
{
	rm -f "$tree/include/asm/cpuid/api.h"
	[ "$1" = old ] || echo '#define CPUID_API' | header asm/cpuid/api.h
}

# flags [SRCTREE OBJTREE]: what probe.mk defines
flags()
{
	printf 'include %s\n$(info $(compat_probes))\nall:;\n' "$BATS_TEST_DIRNAME/../../kmod/probe.mk" |
		make -s -f - srctree="${1:-$tree}" objtree="${2:-$tree}" | grep .
}

# expects LINE...: the program is built by each compiler, and prints these among others
expects()
{
	local compiler line compiled=0

	for compiler in gcc clang; do
		command -v $compiler > /dev/null || continue
		# shellcheck disable=SC2046 # flags
		$compiler -std=gnu11 -O2 -Wall -Werror -Wno-unused $(flags) -include "$BATS_TEST_DIRNAME/../../kmod/compat.h" -I"$tree/include" \
			-o "$BATS_TEST_TMPDIR/uses" "$BATS_TEST_TMPDIR/uses.c"
		"$BATS_TEST_TMPDIR/uses" > "$BATS_TEST_TMPDIR/printed"
		cat "$BATS_TEST_TMPDIR/printed"
		for line; do grep -qxF -- "$line" "$BATS_TEST_TMPDIR/printed"; done
		compiled=$((compiled + 1))
	done
	[ $compiled -gt 0 ]
}

# both_answers FEATURE OLD-LINES NEW-LINES: on a kernel that is old in all else, and on one that is new, each with a version of the other
both_answers()
{
	local feature

	has_version new
	expects "$2"
	has_version old
	"has_$1" new
	expects "$3"
	for feature in hrtimer vm_flags exit dumpable allow_kernel allow_cpu context worker mediated leave_mm cpuid; do
		"has_$feature" new
	done
	expects "$3"
	has_version new
	"has_$1" old
	expects "$2"
}

@test "compat.h: an old kernel, with everything old" {
	expects hrtimer_init 'timer complete' 'flags 4' 'exit probe of 2' 'dumpable 1' 'kernel 0' 'cpu 0' 'context first' 'worker 16' \
		'mediated 0' 'leave_mm of 0'
	[ "$(flags)" = "" ]
}

@test "compat.h: timers are set up by hrtimer_setup() where it is" {
	both_answers hrtimer hrtimer_init hrtimer_setup
	expects 'timer complete'
}

@test "compat.h: flags of a mapping are set by vm_flags_set() where it is" {
	both_answers vm_flags 'flags 4' vm_flags_set
	expects 'flags 4'
}

@test "compat.h: the probe of exits has the arguments that the tracepoint has" { both_answers exit 'exit probe of 2' 'exit probe of 3'; }
@test "compat.h: dumpable tasks are found by their memory, or by their state of exec" {
	both_answers dumpable 'dumpable 1' 'dumpable 1'
	sed -i 's/state){ 1 }/state){ 2 }/' "$tree/include/linux/sched.h"
	expects 'dumpable 1'
	has_dumpable new
	expects 'dumpable 0'
}
@test "compat.h: a task has one context, or an array of them" { both_answers context 'context first' 'context first'; }
@test "compat.h: workers of a program have their own flag, or that of io_uring's" { both_answers worker 'worker 16' 'worker 16384'; }
@test "compat.h: mediated vPMUs exist where perf has the capability" { both_answers mediated 'mediated 0' 'mediated 2048'; }
@test "compat.h: leave_mm() has an argument or none" { both_answers leave_mm 'leave_mm of 0' 'leave_mm of nothing'; }
@test "compat.h: asm/cpuid/api.h is included where it is" {
	expects 'timer complete'
	! grep -q 'cpuid api' "$BATS_TEST_TMPDIR/printed" || false
	has_cpuid new
	expects 'cpuid api'
}

@test "compat.h: perf's question about kernel level is asked where it is exported, with an argument or none" {
	both_answers allow_kernel 'kernel 0' 'kernel -1'
	has_allow_kernel middle
	expects 'kernel -13'
}

@test "compat.h: perf's question about whole CPUs is asked where it is exported, with an argument or none" {
	both_answers allow_cpu 'cpu 0' 'cpu -1'
	has_allow_cpu middle
	expects 'cpu -13'
}

@test "probe.mk: what is exported for other modules only is not there" {
	[ "$(flags)" = "" ]
	exports perf_allow_cpu module:kvm-intel
	[ "$(flags)" = "" ]
	exports perf_allow_kernel
	[ "$(flags | xargs)" = -DCOMPAT_HAS_perf_allow_kernel ]
}

@test "probe.mk: headers come from the source tree, exports from the build tree, as with O=" {
	local build=$BATS_TEST_TMPDIR/o

	mkdir "$build"
	has_hrtimer new
	has_vm_flags new
	exports perf_allow_kernel
	[ "$(flags "$tree" "$build" | xargs)" = '-DCOMPAT_HAS_hrtimer_setup -DCOMPAT_HAS_vm_flags_set' ]
	mv "$tree/Module.symvers" "$build/"
	[ "$(flags "$tree" "$build" | xargs)" = '-DCOMPAT_HAS_hrtimer_setup -DCOMPAT_HAS_vm_flags_set -DCOMPAT_HAS_perf_allow_kernel' ]
	[ "$(flags "$build" "$tree" | xargs)" = "" ]
}

@test "probe.mk: a function that a comment mentions is not there" {
	echo '/* Until there is hrtimer_setup(), see vm_flags_set(). */' >> "$tree/include/linux/hrtimer.h"
	cp "$tree/include/linux/hrtimer.h" "$tree/include/linux/mm.h"
	[ "$(flags)" = "" ]
}

@test "the module asks for the kernel's version only where it refuses a kernel that it does not know" {
	cd "$BATS_TEST_DIRNAME/../.."
	[ "$(grep -rhE 'LINUX_VERSION_CODE|RHEL_RELEASE' kmod Kbuild | xargs)" = \
		"#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0) #if LINUX_VERSION_CODE >= KERNEL_VERSION(8, 0, 0)" ]
	version '6, 0'
	! gcc -fsyntax-only -include kmod/compat.h -I"$tree/include" "$BATS_TEST_TMPDIR/uses.c" 2> "$BATS_TEST_TMPDIR/error" || false
	grep -q 'acrpmu needs Linux 6.1 or newer' "$BATS_TEST_TMPDIR/error"
	version '8, 0'
	! gcc -fsyntax-only -include kmod/compat.h -I"$tree/include" "$BATS_TEST_TMPDIR/uses.c" 2> "$BATS_TEST_TMPDIR/error" || false
	grep -q 'known up to Linux 7.x' "$BATS_TEST_TMPDIR/error"
}
