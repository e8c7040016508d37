/* SPDX-License-Identifier: GPL-2.0-only */
/* Perf's own rules, for tests: perf_event_paranoid, and a BPF program as security module. */
#ifndef ABI_PERF_RULES_H
#define ABI_PERF_RULES_H

#include "common.h"

#include <linux/bpf.h>
#include <linux/btf.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#define VMLINUX_BTF	"/sys/kernel/btf/vmlinux"
#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"
#define HOOK		"bpf_lsm_perf_event_open"

/* include/linux/security.h or perf_event.h of the kernel: what perf_event_open() asks for */
#define SECURITY_CPU	1
#define SECURITY_KERNEL	2

/**
 * kernel_is() - check that this kernel is of a version or newer
 */
static inline bool kernel_is(unsigned int wanted_major, unsigned int wanted_minor)
{
	unsigned int major, minor;
	struct utsname name;

	uname(&name);
	return sscanf(name.release, "%u.%u", &major, &minor) == 2 &&
	       (major > wanted_major || (major == wanted_major && minor >= wanted_minor));
}

/**
 * set_paranoid() - set kernel.perf_event_paranoid
 */
static inline void set_paranoid(const char *value)
{
	int fd = open(PARANOID, O_WRONLY);

	if (fd < 0 || write(fd, value, strlen(value)) != (ssize_t)strlen(value))
		perror(PARANOID);
	close(fd);
}

/**
 * intree_answer() - what in-tree perf says to an event that needs no counter
 * @pid: 0 for the caller, -1 for a CPU
 *
 * Return: 0 or -errno.
 */
static inline int intree_answer(pid_t pid, bool kernel)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = !kernel,
	};
	int fd = syscall(SYS_perf_event_open, &attr, pid, pid < 0 ? 0 : -1, -1, 0);

	return fd < 0 ? -errno : close(fd);
}

/* The kernel's description of its types. */
struct types {
	unsigned char *data;
	const struct btf_header *header;
};

static inline bool read_types(struct types *t)
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
static inline size_t type_size(const struct btf_type *type)
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
static inline const struct btf_type *find_type(const struct types *t, __u32 id,
					       const char *name, __u32 *found)
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

static inline int bpf(int command, const union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

/* @hook: number of the hook's function; the kind of access is argument @argument. */
static inline int load(__u32 hook, unsigned int argument, int kind)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = 2, .src_reg = 1,
		  .off = argument * sizeof(__u64) },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 0 },
		{ .code = BPF_JMP | BPF_JNE | BPF_K, .dst_reg = 2, .imm = kind,
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

/**
 * security_refuse() - refuse everybody one kind of access to perf
 * @kind: SECURITY_*
 *
 * Return: a descriptor, and the refusals end with its close(); -1 if it cannot be done here.
 */
static inline int security_refuse(int kind)
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
	attach.raw_tracepoint.prog_fd = load(hook, BTF_INFO_VLEN(type->info) - 1, kind);
	free(types.data);
	return bpf(BPF_RAW_TRACEPOINT_OPEN, &attach);
}

#endif /* ABI_PERF_RULES_H */
