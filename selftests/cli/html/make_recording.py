# SPDX-License-Identifier: GPL-2.0-only
# Makes a recording of four CPUs, some tasks and two events: a program that parses in its first half and queries in its second.
# usage: make_recording.py PROGRAM OUT [NR [--periods]]    PROGRAM: program.c, built without PIE; writes OUT, and OUT.kallsyms for
# the kernel; with --periods each sample has another one
import random
import subprocess
import sys

import perfdata

program, out, nr = sys.argv[1].encode(), sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 4000
vary = "--periods" in sys.argv
MSEC, KERNEL_BASE = 1000000, 0xffffffff81000000

address = {}
for line in subprocess.check_output(["nm", "-S", program]).decode().splitlines():
    fields = line.split()
    if len(fields) == 4 and fields[2] in "tT":
        address[fields[3]] = (int(fields[0], 16), int(fields[1], 16))
load = next(line for line in subprocess.check_output(["readelf", "-lW", program]).decode().splitlines() if "LOAD" in line and "R E" in line)
offset, vaddr, _, size = (int(word, 16) for word in load.split()[1:5])

kernel = ["entry_syscall", "do_read", "copy_pages", "timer_tick"]
with open(out + ".kallsyms", "w") as f:
    f.write("%x T _text\n" % KERNEL_BASE)
    for i, name in enumerate(kernel + ["last"]):
        f.write("%x t %s\n" % (KERNEL_BASE + 0x1000 * (i + 1), name))

parsing = [["next_token", "parse_line", "parse_file"], ["parse_line", "parse_file"], ["parse_file"]]
querying = [["sort_rows", "run_query"], ["find_row", "run_query"], ["run_query"]]
tasks = [(10, 10, b"server"), (10, 11, b"server"), (12, 12, b"loader"), (13, 13, b"idle-poll")]

random.seed(11)
f = perfdata.File(name=b"cycles")
f.names[1] = b"branch-misses"
f.second_type |= perfdata.CALLCHAIN
f.mmap(0xffffffff, KERNEL_BASE, 0x1000000, b"[kernel.kallsyms]_text", 0, perfdata.KERNEL, KERNEL_BASE)
for pid, tid, comm in tasks:
    f.comm(pid, tid, comm, 1)
    if pid == tid:
        f.mmap(pid, vaddr, size, program, 1, pgoff=offset)
f.mmap(13, 0x7000000000, 0x1000, b"/opt/no/such/libpoll.so", 1)
for i in range(nr):
    pid, tid, _ = random.choices(tasks, [50, 30, 15, 5])[0]
    stack = random.choice(parsing if i < nr / 2 else querying)
    chain = []
    for level, name in enumerate(stack + ["main"]):
        begin, length = address[name]
        # behind a call, or anywhere
        chain.append(begin + random.randrange(1, length))
    if pid == 13:
        chain = [0x7000000000 + random.randrange(0x100)]
    inner = []
    if not i % 5:
        depth = random.randrange(1, 4)
        inner = [KERNEL_BASE + 0x1000 * (k + 1) + 8 for k in range(depth)][::-1]
    elif not i % 41:
        inner = [KERNEL_BASE + 0x4000 + 16]
    full = ([perfdata.CONTEXT_KERNEL] + inner if inner else []) + [perfdata.CONTEXT_USER] + chain
    f.sample((inner + chain)[0], pid, tid, 5000 * MSEC + i * MSEC // 2, perfdata.KERNEL if inner else perfdata.USER, full,
             id_=2 if i % 7 == 3 else 1, cpu=(tid + i // 300) % 4 if pid != 13 else 3, period=1000 + i * vary)
f.lost(1, 17, 5001 * MSEC)
f.pause(1, 5002 * MSEC, 5003 * MSEC)
f.write(out)
