/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarations of the part of QEMU's TCG plugin interface, version 7, that the model uses. */
#ifndef MODEL_QEMU_API_H
#define MODEL_QEMU_API_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* QEMU distributions ship no header for plugins; QEMU refuses a plugin of another version. */
#define QEMU_API_VERSION	7
#define QEMU_EXPORT		__attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;

struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_plugin_scoreboard;
struct qemu_plugin_register;
struct qemu_plugin_hwaddr;

typedef struct {
	const char *target_name;
	struct {
		int min, cur;
	} version;
	bool system_emulation;
	union {
		struct {
			int smp_vcpus, max_vcpus;
		} system;
	};
} qemu_info_t;

typedef struct {
	struct qemu_plugin_scoreboard *score;
	size_t offset;
} qemu_plugin_u64;

typedef struct {
	struct qemu_plugin_register *handle;
	const char *name, *feature;
	bool is_readonly;
} qemu_plugin_reg_descriptor;

/* What a callback may do with the registers */
enum qemu_cb_flags { QEMU_CB_NO_REGS, QEMU_CB_R_REGS, QEMU_CB_RW_REGS, QEMU_CB_RW_REGS_PC };
enum qemu_cond {
	QEMU_COND_NEVER, QEMU_COND_ALWAYS, QEMU_COND_EQ, QEMU_COND_NE,
	QEMU_COND_LT, QEMU_COND_LE, QEMU_COND_GT, QEMU_COND_GE,
};

enum qemu_op { QEMU_OP_ADD, QEMU_OP_STORE };
enum qemu_mem_rw { QEMU_MEM_R = 1, QEMU_MEM_W, QEMU_MEM_RW };
enum qemu_discon { QEMU_DISCON_INTERRUPT = 1, QEMU_DISCON_EXCEPTION = 2 };

typedef void (*qemu_udata_cb)(void *ud);
typedef void (*qemu_vcpu_cb)(unsigned int vcpu, void *ud);
typedef void (*qemu_tb_cb)(struct qemu_plugin_tb *tb, void *ud);
typedef void (*qemu_mem_cb)(unsigned int vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr,
			    void *ud);
typedef void (*qemu_discon_cb)(unsigned int vcpu, int type, uint64_t from, uint64_t to,
			       void *ud);

void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t id, qemu_vcpu_cb cb, void *ud);
void qemu_plugin_register_vcpu_discon_cb(qemu_plugin_id_t id, int type, qemu_discon_cb cb,
					 void *ud);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, qemu_tb_cb cb, void *ud);
void qemu_plugin_register_flush_cb(qemu_plugin_id_t id, qemu_udata_cb cb, void *ud);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, qemu_udata_cb cb, void *ud);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, qemu_vcpu_cb cb, int flags,
					  void *ud);
void qemu_plugin_register_vcpu_tb_exec_cond_cb(struct qemu_plugin_tb *tb, qemu_vcpu_cb cb,
					       int flags, int cond, qemu_plugin_u64 entry,
					       uint64_t imm, void *ud);
void qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(struct qemu_plugin_tb *tb, int op,
						       qemu_plugin_u64 entry, uint64_t imm);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, qemu_vcpu_cb cb,
					    int flags, void *ud);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, qemu_mem_cb cb, int flags,
				      int rw, void *ud);

bool qemu_plugin_translate_vaddr(uint64_t vaddr, uint64_t *hwaddr);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *dest, size_t len);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);

bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);
struct qemu_plugin_hwaddr *qemu_plugin_get_hwaddr(qemu_plugin_meminfo_t info, uint64_t vaddr);
bool qemu_plugin_hwaddr_is_io(const struct qemu_plugin_hwaddr *addr);
uint64_t qemu_plugin_hwaddr_phys_addr(const struct qemu_plugin_hwaddr *addr);

GArray *qemu_plugin_get_registers(void);
bool qemu_plugin_read_register(struct qemu_plugin_register *reg, GByteArray *buf);
bool qemu_plugin_write_register(struct qemu_plugin_register *reg, GByteArray *buf);
/* Needs a callback with QEMU_CB_RW_REGS_PC and leaves it for good */
__attribute__((noreturn)) void qemu_plugin_set_pc(uint64_t vaddr);
bool qemu_plugin_read_memory_vaddr(uint64_t addr, GByteArray *data, size_t len);
/* These two return 0 for success */
int qemu_plugin_read_memory_hwaddr(uint64_t addr, GByteArray *data, size_t len);
int qemu_plugin_write_memory_hwaddr(uint64_t addr, GByteArray *data);

struct qemu_plugin_scoreboard *qemu_plugin_scoreboard_new(size_t element_size);
void *qemu_plugin_scoreboard_find(struct qemu_plugin_scoreboard *score, unsigned int vcpu);

#endif /* MODEL_QEMU_API_H */
