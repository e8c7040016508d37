#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A corpus is a file with one input on each line, in which \\\\ is a backslash, \\0 a zero and \\xNN a byte; replay.c reads it, too.

usage: corpus.py pack DIR > FILE | corpus.py unpack FILE DIR
"""
import os
import re
import sys

SHORT = {0: "\\0", 92: "\\\\"}


def escape(data):
    return "".join(SHORT.get(b) or (chr(b) if 32 <= b < 127 and (n or b != 35) else "\\x%02x" % b) for n, b in enumerate(data))


def unescape(line):
    return re.sub(rb"\\(?:x([0-9a-f]{2})|([\\0]))", lambda m: bytes([int(m[1], 16)]) if m[1] else m[2].replace(b"0", b"\0"), line)


def main():
    if sys.argv[1:2] == ["pack"] and len(sys.argv) == 3:
        inputs = (open(os.path.join(sys.argv[2], name), "rb").read() for name in os.listdir(sys.argv[2]))
        print("# SPDX-License-Identifier: GPL-2.0-only")
        for line in sorted(map(escape, filter(None, inputs)), key=lambda line: (len(line), line)):
            print(line)
    elif sys.argv[1:2] == ["unpack"] and len(sys.argv) == 4:
        os.makedirs(sys.argv[3], exist_ok=True)
        for n, line in enumerate(open(sys.argv[2], "rb"), 1):
            if not line.startswith(b"#"):
                open(os.path.join(sys.argv[3], str(n)), "wb").write(unescape(line.rstrip(b"\n")))
    else:
        sys.exit(__doc__)


main()
