#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Second program of the guest, as process 1: runs the job of boot.sh, saves its status, powers off.
run=$1
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LC_ALL=C.UTF-8

# NMI handlers are slow on a model CPU: keep in-tree perf from throttling samples.
echo 0 > /proc/sys/kernel/perf_cpu_time_max_percent
echo -1 > /proc/sys/kernel/perf_event_paranoid
# The kernel reports slow NMI handlers from within the NMI, and the report would be counted.
echo $((3600 * 1000000000)) > /sys/kernel/debug/x86/nmi_longest_ns
echo 0 > /proc/sys/kernel/kptr_restrict

read -r uptime _ < /proc/uptime
echo "run: job starts at $uptime s" > /dev/kmsg
: > "$run/out/begun"
setsid bash "$run/job.sh" > "$run/out/job.log" 2>&1 < /dev/null
echo $? > "$run/out/status"
read -r uptime _ < /proc/uptime
echo "run: job ended at $uptime s" > /dev/kmsg
sync
busybox poweroff -f
