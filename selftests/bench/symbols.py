#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Adds up the `code` lines of the model's log (selftests/model/LOG.md) by the functions of the kernel, and by groups of them.

usage: symbols.py [OPTIONS] LOG KALLSYMS, where KALLSYMS is a copy of /proc/kallsyms of that guest; prints a line of JSON for each
function, as the report of make bench reads them, or with --sum only the number of instructions.
"""
import argparse
import bisect
import collections
import json
import re
import sys

# what begins before the first function, and blocks that the model's table had no room for
UNKNOWN = "[unknown]"
OTHER = "other"


class Table:
    """Functions by address."""

    def __init__(self, lines):
        found = {}
        for text in lines:
            fields = text.split()
            if len(fields) < 3 or fields[1] not in "tTwW" or not int(fields[0], 16):
                continue
            # modules are named in brackets; of several names of one address the first is taken
            found.setdefault(int(fields[0], 16), fields[2] + (" " + fields[3] if len(fields) > 3 else ""))
        self.starts = sorted(found)
        self.names = [found[start] for start in self.starts]

    def name(self, address):
        at = bisect.bisect_right(self.starts, address)
        return self.names[at - 1] if at and address else UNKNOWN


class Groups:
    """Who owns a function: the first group with a pattern that matches its name, with its module in brackets, from the start."""

    def __init__(self, options):
        self.patterns = []
        for option in options:
            name, _, pattern = option.partition("=")
            self.patterns.append((name, re.compile(r"(?:%s)\Z" % pattern)))

    def of(self, symbol):
        for name, pattern in self.patterns:
            if pattern.match(symbol):
                return name
        return OTHER


def add_up(log, table, tags, part):
    """Function -> instructions; part: outside or inside handlers of PMIs, or both."""
    parts = {"outside": [0], "inside": [1], "both": [0, 1]}[part]
    sums = collections.Counter()
    for text in log:
        # most lines of a log are others
        if '"code"' not in text:
            continue
        line = json.loads(text)
        if line.get("t") == "code" and line["tag"] in tags:
            sums[table.name(int(line["pc"], 16))] += sum(line["insns"][i] for i in parts)
    return sums


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("log")
    parser.add_argument("kallsyms")
    parser.add_argument("--tag", type=int, action="append", required=True, help="of the lines; may be given again")
    parser.add_argument("--part", choices=["outside", "inside", "both"], default="both", help="of handlers of PMIs")
    parser.add_argument("--group", action="append", default=[], metavar="NAME=PATTERN", help="owner of functions")
    parser.add_argument("--only", metavar="NAME", help="of a group")
    parser.add_argument("--by", type=float, default=1, help="divide by this number")
    parser.add_argument("--least", type=float, default=0, help="functions with fewer make one row of their group")
    parser.add_argument("--sum", action="store_true")
    parser.add_argument("--row", action="append", default=[], metavar="KEY=VALUE", help="members of each row")
    return parser.parse_args()


def rows(sums, groups, opt):
    """(group, function) -> value"""
    found = collections.Counter()
    for symbol, insns in sums.items():
        group, value = groups.of(symbol), insns / opt.by
        if opt.only in (None, group):
            found[group, symbol if value >= opt.least else "[smaller ones]"] += value
    return found


def main():
    opt = options()
    with open(opt.kallsyms, encoding="ascii") as lines:
        table = Table(lines)
    with open(opt.log, encoding="ascii") as lines:
        sums = add_up(lines, table, opt.tag, opt.part)
    if not sums:
        sys.exit("symbols.py: %s has no lines of these tags" % opt.log)
    found = rows(sums, Groups(opt.group), opt)
    if opt.sum:
        print("%.10g" % sum(found.values()))
        return
    for (group, symbol), value in sorted(found.items(), key=lambda item: -item[1]):
        if not value:
            continue
        row = dict(pair.split("=", 1) for pair in opt.row)
        row.update(t="row", group=group, symbol=symbol, value=value)
        print(json.dumps(row))


if __name__ == "__main__":
    main()
