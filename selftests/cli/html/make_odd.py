# SPDX-License-Identifier: GPL-2.0-only
# Makes recordings that are out of the ordinary: hostile names, deep stacks, many CPUs and tasks, no samples, samples with little in them.
# usage: make_odd.py DIR    writes DIR/{hostile,deep,wide,empty,bare,timed}.data, and kallsyms of hostile.data and wide.data
import struct
import sys

import perfdata

BASE = 0xffffffff81000000
# of functions; a kallsyms has no blanks in names
NAMES = [b"</script><script>window.hacked=1</script>", b"<img/src=x/onerror=window.hacked=1>", b"\"'><!--", b"\xff\x1b[2J",
         b"a\xe2\x80\xaeb", b"&lt;b&gt;\\u003c", b"x" * 3000, b"]]>", b"${window.hacked=1}", b"javascript:window.hacked=1",
         b"__proto__", b"constructor"]
COMMS = [b"</title><script>window.hacked=1</script>", b"<b>x</b>&amp;", b"\xc2\x9b2J", b"'\"`"]


def hostile(path):
    with open(path + ".kallsyms", "wb") as f:
        f.write(b"%x T _text\n" % BASE)
        for i, name in enumerate(NAMES + [b"last"]):
            f.write(b"%x t %s\n" % (BASE + 0x1000 * (i + 1), name))
    f = perfdata.File(name=b"</script><script>window.hacked=1</script>\xff")
    f.mmap(0xffffffff, BASE, 0x1000000, b"[kernel.kallsyms]_text", 0, perfdata.KERNEL, BASE)
    for i, comm in enumerate(COMMS):
        f.comm(10 + i, 10 + i, comm, 1)
        f.mmap(10 + i, 0x1000, 0x1000, b"/no/<img src=x onerror=window.hacked=1>\xfe", 1)
        for n in range(len(NAMES)):
            ip = BASE + 0x1000 * (n + 1) + 8
            f.sample(ip, 10 + i, 10 + i, 100 + n, perfdata.KERNEL, [perfdata.CONTEXT_KERNEL, ip, perfdata.CONTEXT_USER, 0x1008])
    f.write(path)


def little(path, sample_type, fields):
    """Three samples of the fields IDENTIFIER, IP and some others."""
    f = perfdata.File()
    f.flags = 0
    f.sample_type = 1 << 16 | 1 << 0 | sample_type
    for i in range(3):
        body = struct.pack("<QQ", 1, 0x1000) + fields(i)
        f.data.append(struct.pack("<IHH", perfdata.SAMPLE, perfdata.USER, 8 + len(body)) + body)
    f.write(path)


def deep(path):
    """A function that calls itself as deeply as a record can hold."""
    f = perfdata.File()
    f.comm(5, 5, b"deep", 1)
    f.mmap(5, 0x1000, 0x1000, b"/no/deep", 1)
    f.sample(0x1008, 5, 5, 2, chain=[perfdata.CONTEXT_USER] + [0x1008] * 3000)
    f.write(path)


def wide(path):
    """288 CPUs and 100 tasks; the higher their numbers, the fewer samples they have. Each CPU runs one of 32 functions."""
    with open(path + ".kallsyms", "w") as f:
        f.write("%x T _text\n" % BASE)
        for i in range(32):
            f.write("%x t function_%d\n" % (BASE + 0x1000 * (i + 1), i))
        f.write("%x t last\n" % (BASE + 0x1000 * 33))
    f = perfdata.File(name=b"cycles")
    f.mmap(0xffffffff, BASE, 0x1000000, b"[kernel.kallsyms]_text", 0, perfdata.KERNEL, BASE)
    for task in range(100):
        f.comm(1000 + task, 1000 + task, b"task-%d" % task, 1)
    time = 1000
    for cpu in range(288):
        for n in range(290 - cpu):
            task = 1000 + n * 100 // 290
            ip = BASE + 0x1000 * (cpu % 32 + 1) + 8
            time += 1000
            f.sample(ip, task, task, time, perfdata.KERNEL, [perfdata.CONTEXT_KERNEL, ip], cpu=cpu)
    f.write(path)


hostile(sys.argv[1] + "/hostile.data")
wide(sys.argv[1] + "/wide.data")
deep(sys.argv[1] + "/deep.data")
perfdata.File().write(sys.argv[1] + "/empty.data")
little(sys.argv[1] + "/bare.data", 0, lambda i: b"")
little(sys.argv[1] + "/timed.data", 1 << 2, lambda i: struct.pack("<Q", 1000 + i * 10000))
