// SPDX-License-Identifier: GPL-2.0-only
/* Proves the layout of the ABI at build time, in the kernel and in userspace alike. */
#include "types.h"
#include "../../uapi/acrpmu.h"

/* Constants on purpose: they are what programs have been built with. */
#define SIZE(type, bytes)						\
	static_assert(sizeof(struct type) == (bytes), "size of " #type)
#define AT(type, member, offset)					\
	static_assert(offsetof(struct type, member) == (offset), "offset of " #type "." #member)

SIZE(acrpmu_error, 48);
AT(acrpmu_error, reason, 0);
AT(acrpmu_error, event, 4);
AT(acrpmu_error, cpu, 8);
AT(acrpmu_error, holder_pid, 12);
AT(acrpmu_error, value, 16);
AT(acrpmu_error, limit, 24);
AT(acrpmu_error, holder, 32);

SIZE(acrpmu_info, 88);
static_assert(ACRPMU_INFO_SIZE_VER0 == 72, "first size of acrpmu_info");
static_assert(ACRPMU_INFO_SIZE_VER1 == 88, "size of acrpmu_info of ABI version 4");
AT(acrpmu_info, size, 0);
AT(acrpmu_info, flags, 4);
AT(acrpmu_info, abi_version, 8);
AT(acrpmu_info, nr_cpus, 12);
AT(acrpmu_info, cpus, 16);
AT(acrpmu_info, cpu_size, 24);
AT(acrpmu_info, max_events, 28);
AT(acrpmu_info, features, 32);
AT(acrpmu_info, sample_type, 40);
AT(acrpmu_info, min_period_sampled, 48);
AT(acrpmu_info, min_period_quiet, 52);
AT(acrpmu_info, max_ring_pages, 56);
AT(acrpmu_info, max_sample_rate, 60);
AT(acrpmu_info, nr_sessions, 64);
AT(acrpmu_info, arbiter, 68);
AT(acrpmu_info, max_pmi_percent, 72);
AT(acrpmu_info, nr_starved, 76);
AT(acrpmu_info, starved_cpu, 80);
AT(acrpmu_info, starved_pid, 84);

SIZE(acrpmu_extra_reg_info, 24);
AT(acrpmu_extra_reg_info, config, 0);
AT(acrpmu_extra_reg_info, valid_mask, 8);
AT(acrpmu_extra_reg_info, msr, 16);
AT(acrpmu_extra_reg_info, flags, 20);

SIZE(acrpmu_cpu_info, 192);
static_assert(ACRPMU_CPU_INFO_SIZE_VER0 == 192, "first size of acrpmu_cpu_info");
AT(acrpmu_cpu_info, cpu, 0);
AT(acrpmu_cpu_info, flags, 4);
AT(acrpmu_cpu_info, pmu_version, 8);
AT(acrpmu_cpu_info, signature, 12);
AT(acrpmu_cpu_info, core_type, 16);
AT(acrpmu_cpu_info, gp_width, 20);
AT(acrpmu_cpu_info, fixed_width, 24);
AT(acrpmu_cpu_info, nr_extra_regs, 28);
AT(acrpmu_cpu_info, cntrs, 32);
AT(acrpmu_cpu_info, reloadable_cntrs, 40);
AT(acrpmu_cpu_info, cause_cntrs, 48);
AT(acrpmu_cpu_info, held_cntrs, 56);
AT(acrpmu_cpu_info, name, 64);
AT(acrpmu_cpu_info, extra_regs, 96);

SIZE(acrpmu_event_attr, 56);
static_assert(ACRPMU_EVENT_ATTR_SIZE_VER0 == 48, "first size of acrpmu_event_attr");
static_assert(ACRPMU_EVENT_ATTR_SIZE_VER1 == 56, "second size of acrpmu_event_attr");
AT(acrpmu_event_attr, config, 0);
AT(acrpmu_event_attr, period, 8);
AT(acrpmu_event_attr, acr_mask, 16);
AT(acrpmu_event_attr, extra_value, 24);
AT(acrpmu_event_attr, id, 32);
AT(acrpmu_event_attr, flags, 40);
AT(acrpmu_event_attr, reserved, 44);
AT(acrpmu_event_attr, allowed_cntrs, 48);

SIZE(acrpmu_session_attr, 120);
static_assert(ACRPMU_SESSION_ATTR_SIZE_VER0 == 112, "first size of acrpmu_session_attr");
static_assert(ACRPMU_SESSION_ATTR_SIZE_VER1 == 120, "size of acrpmu_session_attr in version 5");
AT(acrpmu_session_attr, size, 0);
AT(acrpmu_session_attr, flags, 4);
AT(acrpmu_session_attr, events, 8);
AT(acrpmu_session_attr, nr_events, 16);
AT(acrpmu_session_attr, event_size, 20);
AT(acrpmu_session_attr, cpus, 24);
AT(acrpmu_session_attr, cpus_size, 32);
AT(acrpmu_session_attr, pid, 36);
AT(acrpmu_session_attr, sample_type, 40);
AT(acrpmu_session_attr, ring_pages, 48);
AT(acrpmu_session_attr, wakeup_bytes, 52);
AT(acrpmu_session_attr, session_id, 56);
AT(acrpmu_session_attr, error, 64);
AT(acrpmu_session_attr, max_stack, 112);
AT(acrpmu_session_attr, jitter, 116);

SIZE(acrpmu_ctl, 8);
static_assert(ACRPMU_CTL_SIZE_VER0 == 8, "first size of acrpmu_ctl");
AT(acrpmu_ctl, size, 0);
AT(acrpmu_ctl, flags, 4);

SIZE(acrpmu_unpark, 56);
static_assert(ACRPMU_UNPARK_SIZE_VER0 == 56, "first size of acrpmu_unpark");
AT(acrpmu_unpark, size, 0);
AT(acrpmu_unpark, flags, 4);
AT(acrpmu_unpark, error, 8);

SIZE(acrpmu_set_periods, 72);
static_assert(ACRPMU_SET_PERIODS_SIZE_VER0 == 72, "first size of acrpmu_set_periods");
AT(acrpmu_set_periods, size, 0);
AT(acrpmu_set_periods, flags, 4);
AT(acrpmu_set_periods, periods, 8);
AT(acrpmu_set_periods, nr_periods, 16);
AT(acrpmu_set_periods, reserved, 20);
AT(acrpmu_set_periods, error, 24);

SIZE(acrpmu_attach, 64);
static_assert(ACRPMU_ATTACH_SIZE_VER0 == 64, "first size of acrpmu_attach");
AT(acrpmu_attach, size, 0);
AT(acrpmu_attach, flags, 4);
AT(acrpmu_attach, pid, 8);
AT(acrpmu_attach, target, 12);
AT(acrpmu_attach, error, 16);

SIZE(acrpmu_count, 24);
AT(acrpmu_count, value, 0);
AT(acrpmu_count, overflows, 8);
AT(acrpmu_count, flags, 16);
AT(acrpmu_count, reserved, 20);

SIZE(acrpmu_read, 192);
static_assert(ACRPMU_READ_SIZE_VER0 == 96, "first size of acrpmu_read");
static_assert(ACRPMU_READ_SIZE_VER1 == 112, "second size of acrpmu_read");
static_assert(ACRPMU_READ_SIZE_VER2 == 144, "third size of acrpmu_read");
static_assert(ACRPMU_READ_SIZE_VER3 == 192, "fourth size of acrpmu_read");
AT(acrpmu_read, size, 0);
AT(acrpmu_read, flags, 4);
AT(acrpmu_read, cpu, 8);
AT(acrpmu_read, nr_counts, 12);
AT(acrpmu_read, counts, 16);
AT(acrpmu_read, time_enabled_ns, 24);
AT(acrpmu_read, time_running_ns, 32);
AT(acrpmu_read, records, 40);
AT(acrpmu_read, lost, 48);
AT(acrpmu_read, throttled, 56);
AT(acrpmu_read, discarded, 64);
AT(acrpmu_read, inherit_failed, 72);
AT(acrpmu_read, state, 80);
AT(acrpmu_read, nr_cpus, 84);
AT(acrpmu_read, nr_tasks, 88);
AT(acrpmu_read, target, 92);
AT(acrpmu_read, time_missed_ns, 96);
AT(acrpmu_read, guest, 104);
AT(acrpmu_read, outside, 112);
AT(acrpmu_read, quiet, 120);
AT(acrpmu_read, dropped, 128);
AT(acrpmu_read, tasks, 136);
AT(acrpmu_read, taken, 144);

SIZE(acrpmu_event_hw, 64);
static_assert(ACRPMU_EVENT_HW_SIZE_VER0 == 64, "first size of acrpmu_event_hw");
AT(acrpmu_event_hw, cntr, 0);
AT(acrpmu_event_hw, cntr_msr, 4);
AT(acrpmu_event_hw, cfg_a_msr, 8);
AT(acrpmu_event_hw, cfg_b_msr, 12);
AT(acrpmu_event_hw, cfg_c_msr, 16);
AT(acrpmu_event_hw, extra_msr, 20);
AT(acrpmu_event_hw, cfg_a, 24);
AT(acrpmu_event_hw, cfg_b, 32);
AT(acrpmu_event_hw, cfg_c, 40);
AT(acrpmu_event_hw, start, 48);
AT(acrpmu_event_hw, extra_value, 56);

SIZE(acrpmu_query, 40);
static_assert(ACRPMU_QUERY_SIZE_VER0 == 32, "first size of acrpmu_query");
static_assert(ACRPMU_QUERY_SIZE_VER1 == 40, "second size of acrpmu_query");
AT(acrpmu_query, size, 0);
AT(acrpmu_query, flags, 4);
AT(acrpmu_query, events, 8);
AT(acrpmu_query, nr_events, 16);
AT(acrpmu_query, event_size, 20);
AT(acrpmu_query, session_id, 24);
AT(acrpmu_query, cpu, 32);
AT(acrpmu_query, reserved, 36);

SIZE(acrpmu_ring_page, 192);
AT(acrpmu_ring_page, version, 0);
AT(acrpmu_ring_page, size, 4);
AT(acrpmu_ring_page, data_offset, 8);
AT(acrpmu_ring_page, data_size, 16);
AT(acrpmu_ring_page, lost, 24);
AT(acrpmu_ring_page, __reserved_a, 32);
AT(acrpmu_ring_page, data_head, 64);
AT(acrpmu_ring_page, __reserved_b, 72);
AT(acrpmu_ring_page, data_tail, 128);
AT(acrpmu_ring_page, __reserved_c, 136);
