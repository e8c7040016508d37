#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Replays sessions with reload in software from the model CPU's log, in exact fractions, and compares the samples.

usage: software_replay.py RUNS LOG   RUNS as software_log_test writes them, LOG of the model CPU; prints TAP
"""
import json
import sys
from fractions import Fraction

GLOBAL_STATUS, GLOBAL_OVF_CTRL = 0x38E, 0x390
V6_GP, V6_FIXED, V6_STEP, FIXED_BASE = 0x1900, 0x1980, 4, 32


def counter_of(msr):
    """Counter of an RDPMC, which is logged as the counter's register of version 6."""
    if msr >= V6_FIXED:
        return FIXED_BASE + (msr - V6_FIXED) // V6_STEP
    return (msr - V6_GP) // V6_STEP


def width(event):
    """Bits of a counter: the start of a period has the highest one set."""
    return int(event["start"], 16).bit_length()


class Run:
    """One session on one CPU, as the test describes it."""

    def __init__(self, description):
        self.__dict__.update(description)
        self.by_counter = {event["n"]: i for i, event in enumerate(self.events)}
        self.by_msr = {int(event["msr"], 16): i for i, event in enumerate(self.events)}
        self.spent, self.expected, self.wrong = set(), [], []
        self.rounds = self.together = self.first_right = 0

    def restarts(self, cause):
        """Events that the overflow of one restarts, by the masks as requested."""
        return {i for i, event in enumerate(self.events)
                if event["causes"] >> cause & 1 or (i == cause and event["sampled"])}

    def end_windows(self, status, reads, writes, truth):
        """One PMI: the registers that it has read, the counters it has written, and what really overflowed, in order."""
        over = {}
        for n, i in self.by_counter.items():
            event = self.events[i]
            if not event["int"] or not status >> n & 1:
                continue
            value = reads.get(n)
            if value is None:
                self.wrong.append(f"event {i} overflowed, but was not read")
            elif not value >> width(event) - 1 and i not in self.spent:
                over[i] = Fraction(value, event["period"])
        order = sorted(over, key=lambda i: (-over[i], self.events[i]["sampled"], i))
        restarted = set()
        for i in order:
            if i in restarted:
                continue
            if self.events[i]["sampled"]:
                self.expected.append(i)
            elif i not in self.restarts(i):
                self.spent.add(i)
            restarted |= self.restarts(i)
        self.spent -= restarted
        wanted = {i: int(self.events[i]["start"], 16) for i in restarted}
        if writes != wanted:
            self.wrong.append(f"status {status:#x}: wrote {writes}, not {wanted}")
        self.rounds += 1
        if len(order) > 1:
            self.together += 1
            self.first_right += truth[:1] == order[:1]


def replay(run, lines):
    """All PMIs between the marks of a run."""
    inside, truth = False, []
    status, reads, writes = 0, {}, {}
    for line in lines:
        if line["t"] == "mark" and line["tag"] in (run.tag, run.tag + 1):
            inside = line["tag"] == run.tag
        if not inside or line.get("c") != run.cpu:
            continue
        if line["t"] == "ovf" and line["n"] in run.by_counter and line["int"]:
            truth.append(run.by_counter[line["n"]])
        if line["t"] != "msr" or not line["w"] or not line["r"]:
            continue
        msr, value = int(line["m"], 16), int(line["v"], 16)
        if msr == GLOBAL_STATUS and line["op"] == "rd":
            status, reads, writes = value, {}, {}
        elif line["op"] == "rdpmc":
            reads.setdefault(counter_of(msr), value)
        elif line["op"] == "wr" and msr in run.by_msr:
            writes[run.by_msr[msr]] = value
        elif line["op"] == "wr" and msr == GLOBAL_OVF_CTRL:
            run.end_windows(status, reads, writes, truth)
            status, reads, writes, truth = 0, {}, {}, []


def main():
    """TAP: for each run the samples, the restarts, and whether overflows ever met."""
    with open(sys.argv[1], encoding="ascii") as file:
        runs = [Run(json.loads(line)) for line in file]
    with open(sys.argv[2], encoding="ascii") as file:
        lines = [line for line in map(json.loads, file) if line["t"] in ("mark", "ovf", "msr")]
    failed = number = 0
    for run in runs:
        replay(run, lines)
        tests = (
            (run.samples == run.expected, f"{len(run.samples)} samples are those of the replay"),
            (not run.wrong, "exactly the counters restart that it restarts"),
            (run.rounds > 100 and len(run.samples) > 10, f"with {run.rounds} PMIs"),
        )
        for good, name in tests:
            number += 1
            failed += not good
            print(f"{'' if good else 'not '}ok {number} - {run.name}: {name}")
        for text in run.wrong[:3]:
            print(f"#   {text}")
        if run.samples != run.expected:
            print(f"#   found {len(run.samples)}, expected {len(run.expected)}")
        print(f"# {run.name}: {run.together} PMIs with several overflows, "
              f"in {run.first_right} of which the first was really first")
    print(f"1..{number}")
    return failed > 0 or not runs


sys.exit(main())
