// SPDX-License-Identifier: GPL-2.0-only
/* Keeps BPF programs attached for shell tests: to a tracepoint, a function, a socket, a cgroup. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CGROUPS		"/tmp/hw_bpf"
/* A function that every kernel has, and that nothing calls without being asked to */
#define FUNCTION	"__x64_sys_getppid"
#define KPROBE_TYPE	"/sys/bus/event_source/devices/kprobe/type"

enum program {
	ON_TRACEPOINT,
	ON_FUNCTION,
	ON_SOCKET,
	ON_CGROUP,
	NR_PROGRAMS,
};

static const char * const names[NR_PROGRAMS] = { "tracepoint", "function", "socket", "cgroup" };
static int map, sockets[2], udp;

static int bpf(enum bpf_cmd cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

static int make_map(void)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_ARRAY,
		.key_size = sizeof(uint32_t),
		.value_size = sizeof(uint64_t),
		.max_entries = NR_PROGRAMS,
	};

	return bpf(BPF_MAP_CREATE, &attr);
}

static uint64_t runs(uint32_t program)
{
	uint64_t value = 0;
	union bpf_attr attr = {
		.map_fd = map,
		.key = (uintptr_t)&program,
		.value = (uintptr_t)&value,
	};

	return bpf(BPF_MAP_LOOKUP_ELEM, &attr) ? 0 : value;
}

/* Adds 1 to its element of the map, and returns 1. */
static int load(enum bpf_prog_type type, int program)
{
	struct bpf_insn insns[] = {
		{ BPF_ST | BPF_MEM | BPF_W, BPF_REG_10, 0, -4, program },
		{ BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_2, BPF_REG_10, 0, 0 },
		{ BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_2, 0, 0, -4 },
		{ BPF_LD | BPF_DW | BPF_IMM, BPF_REG_1, BPF_PSEUDO_MAP_FD, 0, map },
		{ 0 },
		{ BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_map_lookup_elem },
		{ BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 2, 0 },
		{ BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_1, 0, 0, 1 },
		{ BPF_STX | BPF_ATOMIC | BPF_DW, BPF_REG_0, BPF_REG_1, 0, BPF_ADD },
		{ BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 1 },
		{ BPF_JMP | BPF_EXIT, 0, 0, 0, 0 },
	};
	union bpf_attr attr = {
		.prog_type = type,
		.insns = (uintptr_t)insns,
		.insn_cnt = sizeof(insns) / sizeof(insns[0]),
		.license = (uintptr_t)"GPL",
	};

	return bpf(BPF_PROG_LOAD, &attr);
}

static bool on_tracepoint(void)
{
	union bpf_attr attr = {
		.raw_tracepoint.name = (uintptr_t)"sched_switch",
		.raw_tracepoint.prog_fd = load(BPF_PROG_TYPE_RAW_TRACEPOINT, ON_TRACEPOINT),
	};

	return bpf(BPF_RAW_TRACEPOINT_OPEN, &attr) >= 0;
}

static bool on_function(void)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.sample_period = 1,
		.kprobe_func = (uintptr_t)FUNCTION,
	};
	FILE *file = fopen(KPROBE_TYPE, "r");
	int event;

	if (!file || fscanf(file, "%u", &attr.type) != 1)
		return false;
	fclose(file);
	event = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	return event >= 0 &&
	       !ioctl(event, PERF_EVENT_IOC_SET_BPF, load(BPF_PROG_TYPE_KPROBE, ON_FUNCTION)) &&
	       !ioctl(event, PERF_EVENT_IOC_ENABLE, 0);
}

static bool on_socket(void)
{
	int prog = load(BPF_PROG_TYPE_SOCKET_FILTER, ON_SOCKET);

	return !socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, sockets) &&
	       !setsockopt(sockets[1], SOL_SOCKET, SO_ATTACH_BPF, &prog, sizeof(prog));
}

static bool on_cgroup(void)
{
	union bpf_attr attr = {
		.attach_bpf_fd = load(BPF_PROG_TYPE_CGROUP_SKB, ON_CGROUP),
		.attach_type = BPF_CGROUP_INET_EGRESS,
	};

	mkdir(CGROUPS, 0700);
	if (mount("none", CGROUPS, "cgroup2", 0, NULL))
		return false;
	attr.target_fd = open(CGROUPS, O_RDONLY | O_DIRECTORY);
	umount2(CGROUPS, MNT_DETACH);
	udp = socket(AF_INET, SOCK_DGRAM, 0);
	return !bpf(BPF_PROG_ATTACH, &attr);
}

/* Everything to which a program is attached happens; the next switch is not far. */
static void happen(void)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_port = htons(9),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	char byte;

	syscall(SYS_getppid);
	sendto(udp, "", 1, 0, (struct sockaddr *)&to, sizeof(to));
	if (write(sockets[0], "", 1) == 1)
		recv(sockets[1], &byte, 1, 0);
	usleep(20000);
}

/* All have run since they had run as often as in @before. */
static bool have_run(uint64_t before[])
{
	bool all = true;
	int i;

	for (i = 0; i < NR_PROGRAMS; i++) {
		uint64_t now = runs(i);

		printf("%s: %lu runs, then %lu\n", names[i], before[i], now);
		all &= now > before[i];
		before[i] = now;
	}
	return all;
}

/* Prints "ready" once all run, then waits until its input is closed. Exits 0 if all still run. */
int main(void)
{
	bool (* const attach[])(void) = { on_tracepoint, on_function, on_socket, on_cgroup };
	uint64_t before[NR_PROGRAMS] = { 0 };
	char byte;
	int i;

	map = make_map();
	for (i = 0; i < NR_PROGRAMS; i++)
		if (!attach[i]()) {
			perror(names[i]);
			return 1;
		}
	happen();
	if (!have_run(before))
		return 1;
	printf("ready\n");
	fflush(stdout);
	while (read(0, &byte, 1) > 0)
		;
	happen();
	return !have_run(before);
}
