/* SPDX-License-Identifier: GPL-2.0-only */
/* Workloads of known size and speed, and the CPUs that they run on. */
#ifndef HW_WORK_H
#define HW_WORK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Instructions of each iteration, one of them a branch */
#define WORK_INSNS	6
/* Iterations of each part of a phase */
#define FAST_ITERATIONS	500000ULL
#define SLOW_ITERATIONS	100000ULL
#define RISE_ITERATIONS	40000ULL
#define FALL_ITERATIONS	6000ULL
#define PHASE_ITERATIONS	(FAST_ITERATIONS + SLOW_ITERATIONS + RISE_ITERATIONS + \
				 FALL_ITERATIONS)

/*
 * Written as a whole in assembler, so that each function is exactly its loop and two instructions
 * around it. The model CPU runs the fast ones at 24 instructions in 7 cycles and the slow ones,
 * which divide, at 12 in 43. A window that begins in one phase may end in the next: it ends in
 * work_rise() or work_fall(), which run like the next phase and belong to neither.
 */
__asm__(".macro fast_loop name\n"
	".balign 64\n"
	".type \\name, @function\n"
	"\\name:\n"
	"	mov $1, %eax\n"
	"1:	add $3, %rax\n"
	"	xor $5, %rax\n"
	"	lea 1(%rax), %rax\n"
	"	and $-2, %rax\n"
	"	dec %rdi\n"
	"	jnz 1b\n"
	"	ret\n"
	".endm\n"
	".macro slow_loop name\n"
	".balign 64\n"
	".type \\name, @function\n"
	"\\name:\n"
	"	mov $7, %ecx\n"
	"1:	mov $1234567, %eax\n"
	"	xor %edx, %edx\n"
	"	div %rcx\n"
	"	add $1, %rax\n"
	"	dec %rdi\n"
	"	jnz 1b\n"
	"	ret\n"
	".endm\n"
	".pushsection .text.work,\"ax\",@progbits\n"
	"fast_loop work_fast\n"
	"slow_loop work_slow\n"
	"fast_loop work_rise\n"
	"slow_loop work_fall\n"
	"work_end:\n"
	".popsection\n");

/**
 * work_fast() - instructions that the CPU runs several of in a cycle
 * @iterations: how often, not 0
 */
extern void work_fast(uint64_t iterations);

/**
 * work_slow() - instructions that spend most of their time in a division
 * @iterations: how often, not 0
 */
extern void work_slow(uint64_t iterations);

/**
 * work_rise() - between a slow phase and a fast one, itself fast
 * @iterations: how often, not 0
 */
extern void work_rise(uint64_t iterations);

/**
 * work_fall() - between a fast phase and a slow one, itself slow
 * @iterations: how often, not 0
 */
extern void work_fall(uint64_t iterations);

extern const char work_end[];

static inline bool in_fast(uint64_t ip)
{
	return ip >= (uintptr_t)work_fast && ip < (uintptr_t)work_slow;
}

static inline bool in_slow(uint64_t ip)
{
	return ip >= (uintptr_t)work_slow && ip < (uintptr_t)work_rise;
}

static inline bool in_work(uint64_t ip)
{
	return ip >= (uintptr_t)work_fast && ip < (uintptr_t)work_end;
}

/**
 * work_phases() - phases on either side of two instructions in a cycle
 * @rounds: pairs of a slow and a fast phase
 */
static inline void work_phases(unsigned int rounds)
{
	while (rounds--) {
		work_slow(SLOW_ITERATIONS);
		work_rise(RISE_ITERATIONS);
		work_fast(FAST_ITERATIONS);
		work_fall(FALL_ITERATIONS);
	}
}

/**
 * work_syscalls() - a load that spends nearly all its time in the kernel
 * @calls: how many
 */
static inline void work_syscalls(unsigned int calls)
{
	while (calls--)
		syscall(SYS_getppid);
}

/**
 * pin_to() - run a task on one CPU only
 * @tid: the task, 0 the caller
 * @cpu: the CPU
 *
 * Return: 0, or -1 with errno set.
 */
static inline int pin_to(pid_t tid, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(tid, sizeof(set), &set);
}

/**
 * set_online() - bring a CPU online or take it offline
 * @cpu: the CPU, not 0
 * @online: which
 *
 * Return: 0 or -errno.
 */
static inline int set_online(int cpu, bool online)
{
	char path[64];
	int fd, ret;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	fd = open(path, O_WRONLY);
	if (fd < 0)
		return -errno;
	ret = write(fd, online ? "1" : "0", 1) == 1 ? 0 : -errno;
	close(fd);
	return ret;
}

/* Milliseconds of a clock that nobody sets */
static inline int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/**
 * wait_for() - wait until a condition holds
 * @condition: evaluated every 10 ms
 *
 * Return: false if it does not within 150 s, so that two failures leave time for a teardown.
 */
#define wait_for(condition) ({							\
	int64_t _end_ms = now_ms() + 150000;					\
	bool _holds;								\
										\
	while (!(_holds = (condition)) && now_ms() < _end_ms)			\
		usleep(10000);							\
	_holds;									\
})

/**
 * task_state() - what a thread does
 * @pid: its process
 * @tid: the thread
 *
 * Return: 'R' running, 'S' sleeping, 'T' stopped or what else proc(5) names, 0 if there is none.
 */
static inline char task_state(pid_t pid, pid_t tid)
{
	char path[64], state = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, tid);
	f = fopen(path, "r");
	if (!f)
		return 0;
	/* behind the name, which has neither blanks nor brackets here */
	if (fscanf(f, "%*d %*s %c", &state) != 1)
		state = 0;
	fclose(f);
	return state;
}

/**
 * end_child() - end a child and collect it
 * @pid: the child, 0 or less for none
 */
static inline void end_child(pid_t pid)
{
	if (pid > 0) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
}

#endif /* HW_WORK_H */
