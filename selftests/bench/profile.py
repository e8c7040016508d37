#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compares profiles with where instructions went, by function.

usage: profile.py RUN KERNEL ROOT, where RUN is what guest/profile.sh left and ROOT has the programs; prints figures for make bench.

A profile's distance is the share of its samples that would have to be in other functions; those without code of the program are,
too. Functions of stripped programs are known from their unwind information.
"""
import bisect
import collections
import json
import math
import os
import random
import re
import subprocess
import sys

FDE = re.compile(r" FDE .* pc=([0-9a-f]+)\.\.([0-9a-f]+)")
LOAD = re.compile(r"  LOAD +0x([0-9a-f]+) 0x([0-9a-f]+) 0x[0-9a-f]+ +0x([0-9a-f]+) ")
LEAST_SAMPLES = 1000
MADE_UP = "loop of 64 functions"
MAP = re.compile(r"\[0x([0-9a-f]+)\(0x([0-9a-f]+)\) @ (?:0x)?([0-9a-f]+) .*\]: r-xp (/\S+)")


class Functions:
    """Of one file, by its virtual addresses."""

    def __init__(self, path):
        text = subprocess.run(["readelf", "-W", "--segments", "--debug-dump=frames", path], capture_output=True, text=True,
                              check=True).stdout
        self.loads = [tuple(int(n, 16) for n in match.groups()) for match in LOAD.finditer(text)]
        self.ranges = sorted({tuple(int(n, 16) for n in match.groups()) for match in FDE.finditer(text)})
        self.starts = [start for start, _ in self.ranges]

    def at(self, offset):
        """What a function, or the page without one, at an offset of the file is known by."""
        for file_offset, address, size in self.loads:
            if file_offset <= offset < file_offset + size:
                offset += address - file_offset
                break
        i = bisect.bisect_right(self.starts, offset) - 1
        if i >= 0 and offset < self.ranges[i][1]:
            return self.ranges[i][0]
        return "page %x" % (offset >> 12)


class Maps:
    """Which function an address of a program is in; None: another program's."""

    files = {}

    def __init__(self, path, root):
        self.maps = {}
        with open(path, encoding="ascii", errors="replace") as file:
            for start, size, offset, name in (match.groups() for match in map(MAP.search, file) if match):
                path = root + name if os.path.exists(root + name) else name
                if os.path.exists(path):
                    self.maps[int(start, 16)] = (int(size, 16), int(offset, 16), path)
        self.starts = sorted(self.maps)

    def function(self, address):
        i = bisect.bisect_right(self.starts, address) - 1
        if i < 0:
            return None
        size, offset, path = self.maps[self.starts[i]]
        if address >= self.starts[i] + size:
            return None
        if path not in Maps.files:
            Maps.files[path] = Functions(path)
        return path, Maps.files[path].at(address - self.starts[i] + offset)


def read_samples(path, maps):
    """[(weight, function)], in order; of no function: None"""
    with open(path, encoding="ascii") as file:
        lines = [line.split() for line in file]
    return [(int(period), maps.function(int(ip, 16))) for period, ip in lines]


def read_exact(log, tag, maps):
    """function -> instructions, and those on the program's CPU without a place in the model's table"""
    sums, without = collections.Counter(), 0
    with open(log, encoding="ascii") as file:
        for text in file:
            if not text.startswith('{"t":"code","tag":%d,' % tag):
                continue
            line = json.loads(text)
            address = int(str(line["pc"]), 0)
            if not address:
                # the other one also runs the tools
                without += sum(line["insns"]) if line["c"] == 1 else 0
            elif maps.function(address):
                sums[maps.function(address)] += sum(line["insns"])
    return sums, without


def distance(samples, exact):
    """The share that is in wrong functions."""
    hits = collections.Counter()
    for weight, function in samples:
        hits[function] += weight
    all_hits, all_exact = sum(hits.values()), sum(exact.values())
    return sum(max(0, n / all_hits - exact[function] / all_exact) for function, n in hits.items())


def by_chance(nr, exact):
    """The same that as many samples in random places are expected to have."""
    total = sum(exact.values())
    shares = [n / total for n in exact.values()]
    return sum(math.sqrt(p * (1 - p) / (2 * math.pi * nr)) for p in shares)


def main():
    run, kernel, root = sys.argv[1:]
    programs = collections.defaultdict(dict)
    with open(run + "/out/job.log", encoding="utf-8", errors="replace") as file:
        for text in file:
            match = re.match(r"profile (\d+) (\S+) (.+)", text)
            if match:
                programs[match[3]][match[2]] = int(match[1])
    if not programs:
        raise SystemExit("%s: no program was sampled" % run)
    sums = collections.Counter()
    for program, tags in programs.items():
        found = {}
        for tool, tag in tags.items():
            maps = Maps("%s/out/%d.maps" % (run, tag), root)
            exact, without = read_exact(run + "/model.jsonl", tag, maps)
            if not exact or without > sum(exact.values()) / 1000:
                raise SystemExit("%s: the model counted %d instructions by address, %d without" % (program, sum(exact.values()), without))
            found[tool] = read_samples("%s/out/%d.samples" % (run, tag), maps), exact
        nr = min(len(samples) for samples, _ in found.values())
        if nr < LEAST_SAMPLES:
            raise SystemExit("%s: there are %d samples only" % (program, nr))
        far = {tool: 100 * distance(random.Random(nr).sample(samples, nr), exact) for tool, (samples, exact) in found.items()}
        far["chance"] = 100 * by_chance(nr, found["acrctl"][1])
        if program != MADE_UP:
            sums.update(far)
        figure("%s: misplaced samples" % program, kernel, far["acrctl"], far["perf"])
        print("%s: %d samples, %d functions: acrctl %.2f %%, perf %.2f %%, in random places %.2f %%" %
              (program, nr, len(found["acrctl"][1]), far["acrctl"], far["perf"], far["chance"]), file=sys.stderr)
    mean = {tool: n / (len(programs) - 1) for tool, n in sums.items()}
    figure("real programs, mean: misplaced samples", kernel, mean["acrctl"], mean["perf"])


def figure(name, kernel, ours, peer):
    print(json.dumps({"t": "figure", "part": "profile", "name": name, "kernel": kernel, "unit": "% in wrong functions",
                      "ours": round(ours, 2), "peer": round(peer, 2), "peer_name": "in-tree perf", "kind": "count"}))


main()
