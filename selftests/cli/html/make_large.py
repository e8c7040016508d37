# SPDX-License-Identifier: GPL-2.0-only
# Makes a large recording: many stacks, of which few are frequent, on 16 CPUs in 40 threads.
# usage: make_large.py OUT NR [STACKS]    writes OUT, and OUT.kallsyms, which has the functions
import bisect
import itertools
import random
import struct
import sys

import perfdata

out, nr, stacks_nr = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 20000
BASE, FUNCTIONS, DEPTH = 0xffffffff81000000, 3000, 40

random.seed(3)
with open(out + ".kallsyms", "w") as f:
    f.write("%x T _text\n" % BASE)
    for i in range(FUNCTIONS):
        f.write("%x t subsystem_%d_function_with_a_long_name_%d\n" % (BASE + 0x1000 * (i + 1), i % 40, i))
    f.write("%x t last\n" % (BASE + 0x1000 * (FUNCTIONS + 1)))

# a tree of calls: each stack goes on from one before
stacks = [[0]]
while len(stacks) < stacks_nr:
    parent = stacks[random.randrange(max(0, len(stacks) - 2000), len(stacks))]
    if len(parent) == DEPTH:
        parent = parent[:random.randrange(1, DEPTH)]
    stacks.append(parent + [random.randrange(FUNCTIONS)])
random.shuffle(stacks)
bodies = []
for stack in stacks:
    chain = [perfdata.CONTEXT_KERNEL] + [BASE + 0x1000 * (k + 1) + 16 for k in reversed(stack)]
    bodies.append((chain[1], struct.pack("<Q%dQ" % len(chain), len(chain), *chain)))
# Zipf's law
sums = list(itertools.accumulate(1 / (i + 10) for i in range(len(stacks))))

f = perfdata.File(name=b"cycles")
f.sample_type |= perfdata.CALLCHAIN
f.mmap(0xffffffff, BASE, 0x10000000, b"[kernel.kallsyms]_text", 0, perfdata.KERNEL, BASE)
for task in range(40):
    f.comm(100 + task // 8, 100 + task, b"worker-%d" % (task // 8), 1)
for i in range(nr):
    # the stacks that are frequent change with time
    at = (bisect.bisect(sums, random.random() * sums[-1]) + i * 50 // nr * 7) % len(stacks)
    ip, chain = bodies[at]
    task = random.randrange(40)
    body = struct.pack("<QQIIQIIQ", 1, ip, 100 + task // 8, 100 + task, 1000000000 + i * 60000, (task + i // 5000) % 16, 0, 1000)
    f.data.append(struct.pack("<IHH", perfdata.SAMPLE, perfdata.KERNEL, 8 + len(body) + len(chain)) + body + chain)
f.write(out)
