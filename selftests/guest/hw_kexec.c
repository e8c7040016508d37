// SPDX-License-Identifier: GPL-2.0-only
/* Starts another kernel from beneath a session that runs on all CPUs. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/reboot.h>
#include <sys/syscall.h>

#include "../hw/work.h"
#include "../hw/session.h"

static void note(const char *text)
{
	int fd = open("/dev/kmsg", O_WRONLY);

	dprintf(fd, "hw_kexec: %s\n", text);
	close(fd);
}

static void describe(struct session *s)
{
	session_cpus(s, (1ULL << sysconf(_SC_NPROCESSORS_ONLN)) - 1);
	session_event(s, EV_INSNS, USER | KERNEL | SAMPLED, 100000, 0);
	session_event(s, EV_BRMISSES, USER | KERNEL | SAMPLED, 20000, 0);
}

/* Until the machine stops, reports the first refusal that is not about counters in use. */
static void try_sessions(void)
{
	struct session s;

	do {
		describe(&s);
		session_make(&s);
		session_close(&s);
	} while (s.attr.error.reason == ACRPMU_REASON_NONE ||
		 s.attr.error.reason == ACRPMU_REASON_HELD);
	note(session_refusal(&s));
	_exit(0);
}

/* usage: hw_kexec KERNEL INITRAMFS COMMAND-LINE */
int main(int argc, char **argv)
{
	struct session s;
	int kernel, initramfs, i;

	if (argc != 4)
		return 2;
	kernel = open(argv[1], O_RDONLY | O_CLOEXEC);
	initramfs = open(argv[2], O_RDONLY | O_CLOEXEC);
	if (syscall(SYS_kexec_file_load, kernel, initramfs, strlen(argv[3]) + 1, argv[3], 0)) {
		perror("hw_kexec: kexec_file_load");
		return 1;
	}
	describe(&s);
	if (session_make(&s) || session_enable(&s)) {
		fprintf(stderr, "hw_kexec: refused: %s\n", session_refusal(&s));
		return 1;
	}
	for (i = 0; i < 8; i++)
		if (!fork())
			try_sessions();
	work_fast(1000000);
	note("leaving this kernel");
	syscall(SYS_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2, LINUX_REBOOT_CMD_KEXEC, NULL);
	perror("hw_kexec: reboot");
	return 1;
}
