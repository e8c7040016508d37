/* SPDX-License-Identifier: GPL-2.0-only */
/* Integer types, bit helpers, barriers and errno for both builds: the one test of __KERNEL__. */
#ifndef _ACRPMU_CORE_TYPES_H
#define _ACRPMU_CORE_TYPES_H

#ifdef __KERNEL__

#include <linux/types.h>
#include <linux/errno.h>
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <asm/barrier.h>

#else /* userspace */

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <linux/types.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s8 s8;
typedef __s16 s16;
typedef __s32 s32;
typedef __s64 s64;

#define BIT_ULL(nr)		(1ULL << (nr))
#define GENMASK_ULL(h, l)	((~0ULL >> (63 - (h))) & (~0ULL << (l)))
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof(*(array)))
#define min_t(type, a, b)	({ type a_ = (a); type b_ = (b); a_ < b_ ? a_ : b_; })

/* as in the kernel */
#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v)	__atomic_store_n(&(x), (v), __ATOMIC_RELAXED)
/* pairs with a store-release or a full barrier, which the user names */
#define smp_load_acquire(p)	__atomic_load_n((p), __ATOMIC_ACQUIRE)
/* pairs with a load-acquire, which the user names */
#define smp_store_release(p, v)	__atomic_store_n((p), (v), __ATOMIC_RELEASE)

static inline void barrier(void)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static inline unsigned int hweight64(u64 v)
{
	return (unsigned int)__builtin_popcountll(v);
}

/* a mark for the kernel: reached from an NMI */
#define NOKPROBE_SYMBOL(name)

#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)

/* the lowest set bit; v must not be 0 */
static inline unsigned int __ffs64(u64 v)
{
	return (unsigned int)__builtin_ctzll(v);
}

#endif /* __KERNEL__ */

#define ACRPMU_CNTRS_MAX	64	/* bits of a mask over counters */

/* whether v is a power of 2; 0 is none */
static inline bool acrpmu_is_pow2(u64 v)
{
	return v && !(v & (v - 1));
}

#endif /* _ACRPMU_CORE_TYPES_H */
