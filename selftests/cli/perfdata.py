# SPDX-License-Identifier: GPL-2.0-only
# Makes perf.data files record by record, for recordings that no machine makes on demand.
import struct

SAMPLE, MMAP, LOST, COMM, EXIT, FORK, MMAP2 = 9, 1, 2, 3, 4, 7, 10
THROTTLE, UNTHROTTLE, READ = 5, 6, 8
GUEST_KERNEL, GUEST_USER = 4, 5
USER, KERNEL, COMM_EXEC, MMAP_BUILD_ID = 2, 1, 1 << 13, 1 << 14
# flags of an event: sample_id_all, build_id
SAMPLE_ID_ALL, BUILD_ID = 1 << 18, 1 << 34
TYPE_SOFTWARE, TYPE_RAW, SW_DUMMY = 1, 4, 9
# IDENTIFIER, IP, TID, TIME, CPU, PERIOD
SAMPLE_TYPE = 1 << 16 | 1 << 0 | 1 << 1 | 1 << 2 | 1 << 7 | 1 << 8
CALLCHAIN, CONTEXT_KERNEL, CONTEXT_USER = 1 << 5, 2**64 - 128, 2**64 - 512
ATTR_SIZE, HEADER_SIZE = 128, 104
FEAT_EVENT_DESC = 12


class File:
    """A file with two events: 'event', id 1, which is sampled, and 'dummy', id 2, for records about tasks and maps."""

    def __init__(self, name=b"event"):
        self.names, self.data = [name, b"dummy"], []
        self.flags = SAMPLE_ID_ALL
        self.read_format = 0
        self.sample_type, self.second_type = SAMPLE_TYPE, SAMPLE_TYPE

    def put(self, type_, misc, body, pid, tid, time, id_):
        # the sample_id of every record but a sample
        body += struct.pack("<IIQIIQ", pid, tid, time, 0, 0, id_)
        self.data.append(struct.pack("<IHH", type_, misc, 8 + len(body)) + body)

    def sample(self, ip, pid, tid, time, misc=USER, chain=None, id_=1, cpu=0, period=1000):
        body = struct.pack("<QQIIQIIQ", id_, ip, pid, tid, time, cpu, 0, period)
        if chain is not None:
            self.sample_type |= CALLCHAIN
            body += struct.pack("<Q%dQ" % len(chain), len(chain), *chain)
        self.data.append(struct.pack("<IHH", SAMPLE, misc, 8 + len(body)) + body)

    def comm(self, pid, tid, comm, time, exec_=False):
        body = struct.pack("<II", pid, tid) + comm + b"\0" * (8 - len(comm) % 8)
        self.put(COMM, COMM_EXEC if exec_ else 0, body, pid, tid, time, 2)

    def mmap(self, pid, start, size, name, time, misc=USER, pgoff=0):
        body = struct.pack("<IIQQQ", pid, pid, start, size, pgoff) + name + b"\0" * (8 - len(name) % 8)
        self.put(MMAP, misc, body, pid, pid, time, 2)

    def mmap2(self, pid, start, size, name, time, which, misc=USER, pgoff=0, id_=2):
        """which: the 24 bytes that identify the file, by device and inode or by build-id"""
        body = struct.pack("<IIQQQ", pid, pid, start, size, pgoff) + which + struct.pack("<II", 5, 2)
        self.put(MMAP2, misc, body + name + b"\0" * (8 - len(name) % 8), pid, pid, time, id_)

    def fork(self, pid, ppid, tid, ptid, time):
        self.put(FORK, 0, struct.pack("<IIIIQ", pid, ppid, tid, ptid, time), ppid, ptid, time, 2)

    def exit(self, pid, tid, time):
        self.put(EXIT, 0, struct.pack("<IIIIQ", pid, pid, tid, tid, time), pid, tid, time, 2)

    def lost(self, id_, number, time):
        self.put(LOST, 0, struct.pack("<QQ", id_, number), 0, 0, time, id_)

    def pause(self, id_, begin, end):
        for type_, time in ((THROTTLE, begin), (UNTHROTTLE, end)):
            self.put(type_, 0, struct.pack("<QQQ", time, id_, id_), 0, 0, time, id_)

    def read(self, pid, *values):
        self.put(READ, 0, struct.pack("<II%dQ" % len(values), pid, pid, *values), pid, pid, 0, 1)

    def write(self, path):
        attrs = b""
        for i, (type_, config) in enumerate([(TYPE_RAW, 0xc0), (TYPE_SOFTWARE, SW_DUMMY)]):
            attr = struct.pack("<IIQQQQQ", type_, ATTR_SIZE, config, 1000, self.second_type if i else self.sample_type, self.read_format, self.flags)
            attrs += attr.ljust(ATTR_SIZE, b"\0") + struct.pack("<QQ", HEADER_SIZE + 8 * i, 8)
        data = b"".join(self.data)
        at = HEADER_SIZE + 16 + len(attrs)
        desc = struct.pack("<II", 2, ATTR_SIZE)
        for i, name in enumerate(self.names):
            padded = name + b"\0" * (64 - len(name) % 64)
            desc += b"\0" * ATTR_SIZE + struct.pack("<II", 1, len(padded)) + padded + struct.pack("<Q", i + 1)
        header = b"PERFILE2" + struct.pack("<QQQQQQQQ", HEADER_SIZE, ATTR_SIZE + 16, HEADER_SIZE + 16, len(attrs), at,
                                           len(data), 0, 0) + struct.pack("<QQQQ", 1 << FEAT_EVENT_DESC, 0, 0, 0)
        with open(path, "wb") as f:
            f.write(header + struct.pack("<QQ", 1, 2) + attrs + data)
            f.write(struct.pack("<QQ", at + len(data) + 16, len(desc)) + desc)
