// SPDX-License-Identifier: GPL-2.0-only
/* Who may count kernel level: a security module is asked, perf_event_paranoid does not matter. */
#include "common.h"

#include <linux/bpf.h>
#include <linux/btf.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#define VMLINUX_BTF	"/sys/kernel/btf/vmlinux"
#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"
#define HOOK		"bpf_lsm_perf_event_open"
/* include/linux/security.h or perf_event.h of the kernel: what perf_event_open() asks for */
#define SECURITY_KERNEL	2

/* ---- a security module: a BPF program that refuses the kernel to everybody ---- */

/* The kernel's description of its types. */
struct types {
	unsigned char *data;
	const struct btf_header *header;
};

static bool read_types(struct types *t)
{
	int fd = open(VMLINUX_BTF, O_RDONLY);
	size_t done = 0;
	struct stat st;
	ssize_t n = 1;

	if (fd < 0 || fstat(fd, &st))
		return false;
	t->data = malloc(st.st_size);
	for (; t->data && n > 0 && done < st.st_size; done += n)
		n = read(fd, t->data + done, st.st_size - done);
	close(fd);
	t->header = (const struct btf_header *)t->data;
	return n > 0 && t->header->magic == BTF_MAGIC;
}

/* What follows a type, Documentation/bpf/btf.rst. */
static size_t type_size(const struct btf_type *type)
{
	size_t nr = BTF_INFO_VLEN(type->info);

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_INT:
		return sizeof(*type) + sizeof(__u32);
	case BTF_KIND_ARRAY:
		return sizeof(*type) + sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return sizeof(*type) + nr * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return sizeof(*type) + nr * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return sizeof(*type) + nr * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return sizeof(*type) + nr * sizeof(struct btf_param);
	case BTF_KIND_VAR:
		return sizeof(*type) + sizeof(struct btf_var);
	case BTF_KIND_DATASEC:
		return sizeof(*type) + nr * sizeof(struct btf_var_secinfo);
	case BTF_KIND_DECL_TAG:
		return sizeof(*type) + sizeof(struct btf_decl_tag);
	}
	return sizeof(*type);
}

/* Type number @id, or the first function called @name; @found: its number. */
static const struct btf_type *find_type(const struct types *t, __u32 id, const char *name,
					__u32 *found)
{
	const unsigned char *first = t->data + t->header->hdr_len + t->header->type_off;
	const char *names = (const char *)t->data + t->header->hdr_len + t->header->str_off;
	const unsigned char *at;
	__u32 nr = 1;

	for (at = first; at < first + t->header->type_len; nr++) {
		const struct btf_type *type = (const void *)at;
		bool function = BTF_INFO_KIND(type->info) == BTF_KIND_FUNC;

		*found = nr;
		if (name ? function && !strcmp(names + type->name_off, name) : nr == id)
			return type;
		at += type_size(type);
	}
	return NULL;
}

static int bpf(int command, const union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

/* @hook: number of the hook's function; the kind of access is argument @argument. */
static int load(__u32 hook, unsigned int argument)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = 2, .src_reg = 1,
		  .off = argument * sizeof(__u64) },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 0 },
		{ .code = BPF_JMP | BPF_JNE | BPF_K, .dst_reg = 2, .imm = SECURITY_KERNEL,
		  .off = 1 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = -EACCES },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	const union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_LSM,
		.insns = (uintptr_t)insns,
		.insn_cnt = NR(insns),
		.license = (uintptr_t)"GPL",
		.expected_attach_type = BPF_LSM_MAC,
		.attach_btf_id = hook,
	};

	return bpf(BPF_PROG_LOAD, &attr);
}

/* Returns a descriptor whose close() ends the refusals, or -1: it cannot be done here. */
static int refuse_kernel(void)
{
	const struct btf_type *type;
	union bpf_attr attach = { 0 };
	struct types types;
	__u32 hook, id;

	if (!read_types(&types))
		return -1;
	type = find_type(&types, 0, HOOK, &hook);
	type = type ? find_type(&types, type->type, NULL, &id) : NULL;
	if (!type)
		return -1;
	/* the last argument; older kernels pass the attributes of the event before it */
	attach.raw_tracepoint.prog_fd = load(hook, BTF_INFO_VLEN(type->info) - 1);
	free(types.data);
	return bpf(BPF_RAW_TRACEPOINT_OPEN, &attach);
}

/* ---- tests ---- */

/* In-tree perf's answer, by an event that needs no counter. */
static int intree_answer(bool kernel)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = !kernel,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

	return fd < 0 ? -errno : close(fd);
}

static void kernel_level(struct request *req)
{
	request_task(req, 0);
	add_counter(req);
	add_event(req, EV_CYCLES, USER | KERNEL | COUNT, 0, 0);
}

static bool kernel_exports_the_check(void)
{
	unsigned int major, minor;
	struct utsname name;

	uname(&name);
	return sscanf(name.release, "%u.%u", &major, &minor) == 2 &&
	       (major > 6 || (major == 6 && minor >= 12));
}

TEST(a_security_module_that_forbids_perf_the_kernel_forbids_it_here)
{
	int dev = abi_open(), refusals, fd;
	struct request req;

	ASSERT_LE(0, dev) TH_LOG("%s does not open: load the module", ACRPMU_DEVICE);
	kernel_level(&req);
	refusals = refuse_kernel();
	if (refusals < 0)
		SKIP(return, "BPF programs cannot be security modules here");
	ASSERT_EQ(-EACCES, intree_answer(true));
	ASSERT_EQ(0, intree_answer(false));
	if (kernel_exports_the_check()) {
		EXPECT_REFUSED(dev, &req, REFUSAL(-EPERM, ACRPMU_REASON_KERNEL_LEVEL, 1, NO_CPU,
						  0, 0));
	} else {
		/* the documented limit */
		fd = request(dev, &req);
		EXPECT_LE(0, fd) describe(__LINE__, fd, &req.attr.error);
		close(fd);
	}
	req.events[1].flags = USER | COUNT;
	fd = request(dev, &req);
	EXPECT_LE(0, fd) describe(__LINE__, fd, &req.attr.error);
	close(fd);
	close(refusals);
	kernel_level(&req);
	fd = request(dev, &req);
	EXPECT_LE(0, fd) describe(__LINE__, fd, &req.attr.error);
	close(fd);
	close(dev);
}

static void set_paranoid(const char *value)
{
	int fd = open(PARANOID, O_WRONLY);

	if (fd < 0 || write(fd, value, strlen(value)) != (ssize_t)strlen(value))
		perror(PARANOID);
	close(fd);
}

/* The reason that a process reports when it ends; 0: none, -1: no reason. */
static int reason_of(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
	    WEXITSTATUS(status) == UINT8_MAX)
		return -1;
	return WEXITSTATUS(status);
}

/* The reason that a process with one capability gets for kernel level. */
static int reason_with(int dev, int cap)
{
	pid_t pid = fork();
	struct request req;
	int fd;

	if (!pid) {
		if (drop_to(cap))
			_exit(UINT8_MAX);
		kernel_level(&req);
		fd = request(dev, &req);
		_exit(fd < 0 ? req.attr.error.reason : 0);
	}
	return reason_of(pid);
}

/* The reason that a process without capabilities gets for unparking a session. */
static int reason_to_stay_parked(int session)
{
	struct acrpmu_unpark args = { .size = sizeof(args) };
	pid_t pid = fork();

	if (!pid) {
		if (drop_to(NO_CAP) || abi_ctl(session, ACRPMU_PARK))
			_exit(UINT8_MAX);
		_exit(abi_ioctl(session, ACRPMU_UNPARK, &args) ? args.error.reason : 0);
	}
	return reason_of(pid);
}

FIXTURE(paranoid) {
	int dev;
	char before[16];
};

FIXTURE_SETUP(paranoid)
{
	int fd = open(PARANOID, O_RDONLY);

	self->dev = abi_open();
	ASSERT_LE(0, self->dev) TH_LOG("%s does not open: load the module", ACRPMU_DEVICE);
	ASSERT_LT(0, read(fd, self->before, sizeof(self->before) - 1));
	close(fd);
}

FIXTURE_TEARDOWN(paranoid)
{
	set_paranoid(self->before);
	close(self->dev);
}

TEST_F(paranoid, neither_replaces_the_capability_nor_adds_to_it)
{
	static const char * const values[] = { "-1", "2" };
	int i;

	for (i = 0; i < NR(values); i++) {
		set_paranoid(values[i]);
		EXPECT_EQ(0, reason_with(self->dev, CAP_PERFMON)) TH_LOG("at %s", values[i]);
		EXPECT_EQ(ACRPMU_REASON_PERM, reason_with(self->dev, NO_CAP))
			TH_LOG("at %s", values[i]);
	}
}

/* In-tree perf asks for a permission of its own when it is kept off. */
TEST_F(paranoid, does_not_matter_to_whoever_has_the_descriptor)
{
	struct acrpmu_info info = { .size = sizeof(info) };
	struct request req;
	int session;

	ASSERT_EQ(0, abi_info(self->dev, &info));
	if (info.arbiter != ACRPMU_ARBITER_CLAIM)
		SKIP(return, "in-tree perf is not asked here when it is kept off");
	set_paranoid("2");
	kernel_level(&req);
	session = request(self->dev, &req);
	ASSERT_LE(0, session) describe(__LINE__, session, &req.attr.error);
	EXPECT_EQ(0, reason_to_stay_parked(session));
	close(session);
}

TEST_HARNESS_MAIN
