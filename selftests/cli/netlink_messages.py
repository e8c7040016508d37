# SPDX-License-Identifier: GPL-2.0-only
"""Writes messages of the module's netlink family, as its header describes them, for fake_netlink.c."""
import os
import re
import struct

HEADER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../uapi/acrpmu_netlink.h")
with open(HEADER) as f:
    TEXT = f.read()
NUMBERS = {name: int(number) for name, number in re.findall(r"\bACRPMU_NL_(\w+)\s*= (\d+),", TEXT)}
KINDS = dict(re.findall(r"@ACRPMU_NL_(\w+): (u32|u64|string|binary|nest)\b", TEXT))

# CLOCK_BOOTTIME of fake_netlink.c, when it is 12:00:00
NOON = 100000 * 10**9
SECOND = 10**9


def pack(number, data):
    return struct.pack("<HH", 4 + len(data), number) + data + bytes(-len(data) % 4)


def attribute(name, value):
    kind = KINDS[name]
    if kind == "u32":
        data = struct.pack("<I", value)
    elif kind == "u64":
        data = struct.pack("<Q", value)
    elif kind == "nest":
        # the attributes inside have another prefix
        prefix = {"A_EVENT": "EV_", "A_PLACEMENT": "PL_", "A_COUNT": "CN_"}[name]
        data = attributes(prefix, value)
    else:
        data = value + (b"\0" if kind == "string" else b"")
    return pack(NUMBERS[name], data)


def attributes(prefix, values):
    """Each value of a list makes an attribute of its own."""
    data = b""
    for name, value in values.items():
        for one in value if isinstance(value, list) else [value]:
            data += attribute(prefix + name, one)
    return data


def message(command, **values):
    """A message; the command is a name or a number."""
    number = command if isinstance(command, int) else NUMBERS["CMD_" + command]
    data = struct.pack("<BBH", number, 1, 0) + attributes("A_", values)
    return struct.pack("<IHHII", 16 + len(data), 0, 0, 0, 0) + data


def cpus(*numbers):
    bits = bytearray(max(numbers) // 8 + 1 if numbers else 0)
    for number in numbers:
        bits[number // 8] |= 1 << number % 8
    return bytes(bits)


def who(session, pid, comm, uid=0):
    return {"SESSION": session, "PID": pid, "COMM": comm, "UID": uid}


def write(name, *messages):
    with open(name, "wb") as f:
        f.write(b"".join(messages))
